//! What if several remedies are made together? Every combination, best first.

use super::verdict;
use crate::diagnose::{Combination, Combinations, CombinedResult, Metric};
use crate::quantity::format::{ABSENT, NBSP, gib, ms, number, signed};
use crate::report::text::Text;
use crate::report::view::{Mark, Tone, WhatIf, WhatIfRow};
use crate::report::words::facts::Facts;
use crate::report::words::lever::Remedy;
use crate::report::{Report, Told};
use crate::simulate::Metrics;

/// Below this share of a metric nothing changes.
const LEAST_SHARE: f64 = 0.005;

/// The section; none where there is no remedy.
pub(super) fn build(report: &Report, told: &Told, text: &Text) -> Option<WhatIf> {
    let combinations = &told.combinations;
    if combinations.levers.is_empty() {
        return None;
    }
    let facts = Facts { scenario: &report.scenario, run: &told.run };
    let remedies = combinations.levers.iter().map(|lever| Remedy::new(*lever, facts, text).change());
    let page = Page { report, told, text, remedies: remedies.collect() };
    let metric = page.deciding();
    let chosen = page.chosen(metric);
    let mut rows: Vec<&Combination> = combinations.rows.iter().collect();
    rows.sort_by(|a, b| time(a, metric).total_cmp(&time(b, metric)));
    let missed_now = report.budgets.missed(&told.run.metrics);
    let meets = |row: &Combination| row.result.is_some_and(|result| !report.budgets.missed(&result.metrics));
    let met_then = missed_now && combinations.rows.get(chosen).is_some_and(meets);
    Some(WhatIf {
        lede: if met_then { text.whatif.lede_met } else { text.whatif.lede }.to_owned(),
        metrics: page
            .metrics()
            .map(|m| [m.name().to_owned(), text.whatif.difference.fill(&[("metric", &m.name())])])
            .collect(),
        judged: !report.budgets.is_empty(),
        rows: rows.into_iter().map(|row| page.row(row, usize::from(row.choice) == chosen)).collect(),
        remedies: page.remedies,
    })
}

/// A metric of a combination; what does not fit is the slowest.
fn time(row: &Combination, metric: Metric) -> f64 {
    row.result.and_then(|result| metric.of(&result.metrics)).unwrap_or(f64::INFINITY)
}

struct Page<'a> {
    report: &'a Report,
    told: &'a Told,
    text: &'a Text,
    remedies: Vec<String>,
}

impl Page<'_> {
    fn now(&self) -> &Metrics {
        &self.told.run.metrics
    }

    fn combinations(&self) -> &Combinations {
        &self.told.combinations
    }

    /// TTFT and TPOT, the whole request where it has a target; what the scenario leaves out is left out here too.
    fn metrics(&self) -> impl Iterator<Item = Metric> + '_ {
        let shown = |metric: &Metric| {
            metric.of(self.now()).is_some() && (*metric != Metric::E2e || self.report.budgets.limit(*metric).is_some())
        };
        Metric::ALL.into_iter().filter(shown)
    }

    /// The metric that the rows are sorted by: one over its target, else the one of the first cause.
    fn deciding(&self) -> Metric {
        let over = |(metric, limit): &(Metric, f64)| metric.of(self.now()).is_some_and(|value| value > *limit);
        let missed = self.report.budgets.iter().find(over).map(|(metric, _)| metric);
        missed.or(self.told.diagnosis.bottlenecks.first().map(|cause| cause.metric)).unwrap_or(Metric::E2e)
    }

    /// The combination to look at first: the fewest changes that meet every target, else the first remedy.
    fn chosen(&self, metric: Metric) -> usize {
        let budgets = &self.report.budgets;
        let meets = |row: &&Combination| row.result.is_some_and(|result| !budgets.missed(&result.metrics));
        let changes = |row: &Combination| row.choice.count_ones();
        let fewest = self
            .combinations()
            .rows
            .iter()
            .filter(meets)
            .min_by(|a, b| changes(a).cmp(&changes(b)).then(time(a, metric).total_cmp(&time(b, metric))));
        match fewest {
            Some(row) if budgets.missed(self.now()) => usize::from(row.choice),
            _ => 1,
        }
    }

    fn row(&self, row: &Combination, chosen: bool) -> WhatIfRow {
        let made: Vec<bool> = (0..self.remedies.len()).map(|k| row.makes(k)).collect();
        let names = self.remedies.iter().zip(&made).filter(|(_, made)| **made).map(|(name, _)| name.as_str());
        let names = names.collect::<Vec<_>>().join(self.text.whatif.and);
        let name = if names.is_empty() { self.text.whatif.as_it_is.to_owned() } else { names };
        let judged = row
            .result
            .and_then(|result| verdict::judged(&self.report.budgets, &result.metrics, &result.bands, self.text));
        let figures = |metric| row.result.map_or([ABSENT; 2].map(str::to_owned), |result| self.pair(metric, &result));
        let mark = match (row.result, &judged) {
            (None, _) => Some(Mark::new(Tone::FAIL, self.text.verdict.does_not_fit)),
            (Some(_), judged) => judged.as_ref().map(|(mark, _)| mark.clone()),
        };
        WhatIfRow {
            key: made.iter().map(|made| if *made { '1' } else { '0' }).collect(),
            sentence: self.sentence(&name, row.result.as_ref(), judged.map(|(_, sentence)| sentence)),
            name,
            figures: self.metrics().map(figures).collect(),
            memory: row.result.map_or_else(|| ABSENT.to_owned(), |result| gib(result.memory.get())),
            mark: mark.filter(|_| !self.report.budgets.is_empty() || row.result.is_none()),
            made,
            chosen,
        }
    }

    /// A metric after the changes, and by how much it differs.
    fn pair(&self, metric: Metric, result: &CombinedResult) -> [String; 2] {
        let (Some(from), Some(to)) = (metric.of(self.now()), metric.of(&result.metrics)) else {
            return [ABSENT; 2].map(str::to_owned);
        };
        let same = (from - to).abs() < from * LEAST_SHARE;
        [ms(to), if same { ABSENT.to_owned() } else { format!("{}{NBSP}ms", signed(to - from)) }]
    }

    fn sentence(&self, changes: &str, result: Option<&CombinedResult>, verdict: Option<String>) -> String {
        let words = &self.text.whatif;
        let Some(result) = result else { return words.short.fill(&[("changes", &changes)]) };
        let figure = |metric: Metric| {
            let (from, to) = (metric.of(self.now())?, metric.of(&result.metrics)?);
            let name = metric.name();
            Some(if (from - to).abs() < from * LEAST_SHARE {
                words.unchanged.fill(&[("metric", &name), ("value", &ms(to))])
            } else {
                words.moved.fill(&[("metric", &name), ("from", &number(from)), ("to", &ms(to))])
            })
        };
        let figures = self.metrics().filter_map(figure).collect::<Vec<_>>().join(self.text.frame.comma);
        match verdict {
            None => words.untargeted.fill(&[("changes", &changes), ("figures", &figures)]),
            Some(verdict) => words.chosen.fill(&[("changes", &changes), ("figures", &figures), ("verdict", &verdict)]),
        }
    }
}
