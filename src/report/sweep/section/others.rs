//! Why not the others: what the next choice gives, what gives more and misses a target, what rules out how many.

use super::leading;
use crate::diagnose::{Budgets, Metric};
use crate::quantity::format::{integer, ms, number};
use crate::report::sweep::shown::{AxisKind, Shown, ShownPoint};
use crate::report::text::{Inline, Text};
use crate::sweep::PointFigures;

/// Targets that a point misses, by how much: `the TTFT target by 19.0 ms`.
pub(super) fn misses(figures: &PointFigures, budgets: &Budgets, text: &Text) -> String {
    let words = &text.sweep.verdict;
    let miss = |(metric, limit): (Metric, f64)| match metric.of(&figures.metrics) {
        Some(value) if value <= limit => None,
        Some(value) => Some(words.miss.fill(&[("metric", &metric.name()), ("over", &ms(value - limit))])),
        None => Some(words.miss_absent.fill(&[("metric", &metric.name())])),
    };
    budgets.iter().filter_map(miss).collect::<Vec<_>>().join(text.frame.comma)
}

/// What the next value of the leading field gives; of a thinned sweep only some values are known.
pub(super) fn next(shown: &Shown<'_>, best: &ShownPoint<'_>, text: &Text) -> Option<Vec<Inline>> {
    let words = &text.sweep.verdict;
    let axis = leading::axis(shown).filter(|_| !shown.report.summary.is_thinned())?;
    let field = &shown.axes[axis];
    if field.kind == AxisKind::Batch || !shown.ranked_by().more_is_better() {
        return None;
    }
    let bests = leading::bests(shown, axis, best);
    let (value, next) = bests.iter().find(|(value, _)| *value != best.at[axis])?;
    let other = field.told(&field.values[*value], text);
    Some(match next {
        None => vec![Inline::Text(words.other_none.fill(&[("other", &other)]))],
        Some(next) => words.times.fill_inline(&[
            ("factor", Inline::Strong(number(best.worth() / next.worth()))),
            ("other", Inline::Text(other)),
            ("score", Inline::Text(shown.score(next, text))),
        ]),
    })
}

/// The point of highest throughput, and what speaks against it.
pub(super) fn more(shown: &Shown<'_>, best: &ShownPoint<'_>, text: &Text) -> Option<Vec<Inline>> {
    let words = &text.sweep.verdict;
    let highest = shown.report.summary.highest.as_ref().and_then(|highest| shown.of(highest))?;
    if highest.result.ordinal == best.result.ordinal {
        let alone = shown.report.summary.ran == 1 || !shown.ranked_by().more_is_better();
        return (!alone).then(|| vec![Inline::Text(words.no_more.to_owned())]);
    }
    let figures = highest.result.outcome.figures()?;
    Some(words.more.fill_inline(&[
        ("score", Inline::Text(shown.score(highest, text))),
        ("point", Inline::Text(shown.point(highest, text))),
        ("list", Inline::Text(misses(figures, &highest.result.budgets, text))),
    ]))
}

/// How many miss, do not fit, are no scenario.
pub(super) fn counts(shown: &Shown<'_>, text: &Text) -> Vec<Vec<Inline>> {
    let (words, summary) = (&text.sweep.verdict, &shown.report.summary);
    let mut out = Vec::new();
    let mut say = |sentence: String| out.push(vec![Inline::Text(sentence)]);
    let ran = integer(summary.ran);
    if summary.missed > 0 {
        let by = |(metric, n): (Metric, u64)| words.missed_by.fill(&[("metric", &metric.name()), ("n", &integer(n))]);
        let list: Vec<String> = summary.missed_by().map(by).collect();
        let list = list.join(text.frame.comma);
        say(words.missed.fill(&[("missed", &integer(summary.missed)), ("ran", &ran), ("list", &list)]));
    } else if shown.is_judged() && summary.ran > 1 {
        say(words.all_meet.fill(&[("ran", &ran)]));
    }
    if summary.does_not_fit > 0 && summary.ran > 0 {
        say(words.short.fill(&[("n", &integer(summary.does_not_fit))]));
    }
    if summary.invalid > 0 {
        say(words.invalid.fill(&[("n", &integer(summary.invalid))]));
    }
    out
}
