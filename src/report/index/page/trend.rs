//! How the largest regressions came about: the figure of a report over its past runs.

use super::{place, times};
use crate::diagnose::Metric;
use crate::quantity::format::{ms, signed_percent};
use crate::report::chart::{TrendChart, TrendRun};
use crate::report::index::{Build, Entry, Index};
use crate::report::text::Text;
use crate::report::view::{Column, Figure, Table};
use crate::report::words::names::target;

/// Ids of the charts, and how many there can be.
const IDS: [&str; 2] = ["trend-1", "trend-2"];
/// A name of a run on the axis has at most this many letters.
const LONGEST: usize = 10;

/// A metric with where a run has it.
type Figures = (Metric, fn(&Build) -> Option<f64>);

/// A figure that grew, with its runs.
struct Regression<'a> {
    entry: &'a Entry,
    metric: Metric,
    runs: Vec<(&'a Build, f64)>,
    growth: f64,
}

/// Charts of the reports whose own figures grew most.
pub(super) fn build(index: &Index, baseline: &str, text: &Text) -> Vec<Figure> {
    let mut found: Vec<Regression<'_>> =
        index.entries.iter().filter_map(|entry| largest(entry, index.threshold)).collect();
    found.sort_by(|a, b| b.growth.total_cmp(&a.growth).then_with(|| a.entry.stem.cmp(&b.entry.stem)));
    IDS.into_iter().zip(&found).map(|(id, regression)| figure(id, regression, baseline, text)).collect()
}

/// The metric of a report that grew most since the run before; none that grew by less than the threshold.
fn largest(entry: &Entry, threshold: f64) -> Option<Regression<'_>> {
    entry.changes.as_ref().filter(|changes| changes.slower > 0)?;
    let metrics: [Figures; 2] = [(Metric::Ttft, |build| build.ttft_ms), (Metric::Tpot, |build| build.tpot_ms)];
    let regression = |(metric, value): Figures| {
        let runs: Vec<(&Build, f64)> = entry.history.iter().filter_map(|build| Some((build, value(build)?))).collect();
        let [.., (_, before), (_, now)] = runs[..] else { return None };
        let growth = now / before - 1.0;
        (growth > threshold).then_some(Regression { entry, metric, runs, growth })
    };
    metrics.into_iter().filter_map(regression).max_by(|a, b| a.growth.total_cmp(&b.growth))
}

fn figure(id: &'static str, regression: &Regression<'_>, baseline: &str, text: &Text) -> Figure {
    let words = &text.index.changes;
    let Regression { entry, metric, runs, growth } = regression;
    let title = place(entry).text;
    let limit = entry.point.budgets.limit(*metric);
    let value = |at: Option<&(&Build, f64)>| at.map_or(0.0, |(_, value)| *value);
    let (first, last) = (value(runs.first()), value(runs.last()));
    let before = value(runs.iter().rev().nth(1));
    let (axis, labels) = labels(&runs.iter().map(|(build, _)| build.label.as_str()).collect::<Vec<_>>(), text);
    let name = metric.name();
    let run = |((_, value), label): (&(&Build, f64), &String)| TrendRun {
        label: label.clone(),
        value: *value,
        tip: format!("{axis} {label}\n{name} {}", ms(*value)),
    };
    let chart = TrendChart {
        label: words.trend_aria.fill(&[
            ("report", &title),
            ("metric", &name),
            ("n", &runs.len()),
            ("first", &ms(first)),
            ("last", &ms(last)),
        ]),
        x_title: axis.clone(),
        y_title: words.trend_axis.fill(&[("metric", &name)]),
        runs: runs.iter().zip(&labels).map(run).collect(),
        target: limit.map(|limit| (limit, words.trend_target.fill(&[("value", &target(limit))]))),
        last: ms(last),
    };
    let rows = runs.iter().zip(&labels).map(|((_, value), label)| vec![label.clone(), ms(*value)]);
    Figure {
        id,
        finding: words.trend_finding.fill(&[
            ("times", &times(*metric, before, last)),
            ("share", &signed_percent(*growth)),
            ("baseline", &baseline),
        ]),
        chart: chart.draw(),
        legend: Vec::new(),
        numbers: Table {
            label: text.frame.numbers_of.fill(&[("chart", &title)]),
            columns: vec![Column::words(words.run), Column::numbers(name)],
            rows: rows.collect(),
        },
        title,
    }
}

/// The words that all names of runs start with, for the axis, and what is left of each.
fn labels(names: &[&str], text: &Text) -> (String, Vec<String>) {
    let words = &text.index.changes;
    let mut different = names.to_vec();
    different.sort_unstable();
    different.dedup();
    if different.len() < names.len() || names.contains(&"") {
        return (words.run.to_owned(), (1..=names.len()).map(|n| n.to_string()).collect());
    }
    let first = names.first().copied().unwrap_or_default();
    let shared = |name: &str| first.char_indices().zip(name.chars()).take_while(|((_, a), b)| a == b).count();
    let shared = names.iter().map(|name| shared(name)).min().unwrap_or(0);
    let start: String = first.chars().take(shared).collect();
    let cut = start
        .rfind(|c: char| !c.is_alphanumeric())
        .map_or(0, |at| at + start[at..].chars().next().map_or(0, char::len_utf8));
    let left = |name: &&str| {
        let rest: Vec<char> = name[cut..].chars().collect();
        let skipped = rest.len().saturating_sub(LONGEST);
        let dots = if skipped > 0 { "…" } else { "" };
        dots.chars().chain(rest.into_iter().skip(skipped)).collect()
    };
    let axis = start[..cut].trim_matches(|c: char| !c.is_alphanumeric()).to_owned();
    (if axis.is_empty() { words.run.to_owned() } else { axis }, names.iter().map(left).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::text::EN;

    #[test]
    fn names_of_runs_are_short() {
        let of = |names: &[&str]| labels(names, &EN);
        let all = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        assert_eq!(of(&["main, build 1841", "main, build 1844"]), ("main, build".to_owned(), all(&["1841", "1844"])));
        assert_eq!(of(&["9ac20f7", "9ac31aa"]), ("Run".to_owned(), all(&["9ac20f7", "9ac31aa"])));
        assert_eq!(of(&["", "x"]), ("Run".to_owned(), all(&["1", "2"])));
        assert_eq!(of(&["x", "x"]), ("Run".to_owned(), all(&["1", "2"])));
        assert_eq!(of(&["模型 一", "模型 二"]), ("模型".to_owned(), all(&["一", "二"])));
        assert_eq!(of(&["a", &"b".repeat(40)]).1[1].chars().count(), LONGEST + 1);
    }
}
