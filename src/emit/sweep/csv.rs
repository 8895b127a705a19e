//! CSV of a declared report: the fields of each point, then its figures; one heading for all.

use crate::diagnose::Metric;
use crate::emit::csv::{line, plain};
use crate::kernel::Stage;
use crate::report::sweep::SweepQuestion;
use crate::sweep::{PointFigures, PointOutcome, PointResult};

/// Columns after a point's own fields and before its stages.
const FIGURES: [&str; 19] = [
    "status",
    "meets_targets",
    "ttft_ms",
    "ttft_low_ms",
    "ttft_high_ms",
    "tpot_ms",
    "tpot_low_ms",
    "tpot_high_ms",
    "tpot_inclusive_ms",
    "tpot_p99_ms",
    "e2e_ms",
    "output_tokens_per_s",
    "output_tokens_per_s_per_gpu",
    "requests_per_s",
    "gpus",
    "class",
    "memory_needed_bytes",
    "memory_usable_bytes",
    "kv_capacity_tokens",
];

/// The heading.
#[must_use]
pub fn head(question: &SweepQuestion) -> String {
    let own = question.columns().iter().map(|path| plain(path));
    let figures = FIGURES.iter().map(|name| (*name).to_owned());
    let stages = ["ttft", "tpot"].into_iter().flat_map(|phase| Stage::ALL.map(|s| format!("{phase}_{}_ms", s.name())));
    line(own.chain(figures).chain(stages))
}

/// A point.
#[must_use]
pub fn row(point: &PointResult) -> String {
    let own = point.values.iter().map(|value| value.as_deref().map_or_else(String::new, plain));
    let status = match &point.outcome {
        PointOutcome::Ran(_) => "ran",
        PointOutcome::DoesNotFit(_) => "does_not_fit",
        PointOutcome::Invalid(_) => "invalid",
    };
    let needed = match &point.outcome {
        PointOutcome::DoesNotFit(short) => [Some(short.needed), Some(short.available)],
        PointOutcome::Ran(figures) => [Some(figures.memory_needed), Some(figures.memory_usable)],
        PointOutcome::Invalid(_) => [None, None],
    };
    let figures = point.outcome.figures();
    let meets = figures.filter(|_| !point.budgets.is_empty()).map(|f| f.meets(&point.budgets).to_string());
    let number = |value: Option<f64>| value.map_or_else(String::new, |v| v.to_string());
    let words = [status.to_owned(), meets.unwrap_or_default()];
    let times = times(figures).map(number);
    let rest = [
        figures.map_or_else(String::new, |f| f.gpus.to_string()),
        figures.map_or_else(String::new, |f| f.class.name().to_owned()),
        number(needed[0]),
        number(needed[1]),
        figures.map_or_else(String::new, |f| f.kv_capacity_tokens.to_string()),
    ];
    let stages = [figures.map(|f| f.ttft_stages), figures.map(|f| f.tpot_stages)];
    let stages = stages.into_iter().flat_map(|stages| (0..8).map(move |i| number(stages.map(|stages| stages[i]))));
    line(own.chain(words).chain(times).chain(rest).chain(stages))
}

fn times(figures: Option<&PointFigures>) -> [Option<f64>; 12] {
    let metric = |of: fn(&PointFigures) -> Option<f64>| figures.and_then(of);
    let band = |metric| figures.and_then(|f| f.band(metric));
    [
        metric(|f| f.metrics.ttft_ms),
        band(Metric::Ttft).map(|band| band.0),
        band(Metric::Ttft).map(|band| band.1),
        metric(|f| f.metrics.tpot_ms),
        band(Metric::Tpot).map(|band| band.0),
        band(Metric::Tpot).map(|band| band.1),
        metric(|f| f.metrics.tpot_inclusive_ms),
        metric(|f| f.metrics.tpot_p99_ms),
        metric(|f| f.metrics.e2e_ms),
        metric(|f| f.metrics.output_tokens_per_s),
        metric(PointFigures::tokens_per_gpu),
        metric(|f| f.metrics.requests_per_s),
    ]
}
