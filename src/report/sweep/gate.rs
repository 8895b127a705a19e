//! The gate: what of a declared report must meet its targets, and what does.

use super::SweepReport;
use crate::diagnose::{Budgets, Metric};
use crate::spec::Gate;
use crate::sweep::{PointOutcome, PointResult, describe};

/// One thing that had to hold.
#[derive(Clone, Debug, PartialEq)]
pub struct GateCheck {
    /// What kind.
    pub kind: GateKind,
    /// The point it is about, as `batch_size 4, prompt_len 2048`; empty for the whole report.
    pub subject: String,
    /// Whether it holds.
    pub verdict: Verdict,
}

/// What kind of check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GateKind {
    /// The point told in full meets a target.
    Focus(Metric),
    /// Some point meets all targets.
    Best,
    /// Every point meets all targets.
    All,
    /// A point with targets of its own meets one.
    Own(Metric),
}

/// Whether a check holds.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// It does.
    Holds,
    /// It does not: value and target in ms; no value where the point has none.
    Missed {
        /// Predicted, ms.
        value: Option<f64>,
        /// Target, ms.
        target: f64,
    },
    /// No point does, of so many.
    NoneOf(u64),
    /// So many points do not.
    SomeMiss(u64),
}

impl GateCheck {
    /// Whether it holds.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.verdict == Verdict::Holds
    }
}

/// Every check of a report; none without targets.
#[must_use]
pub fn checks(report: &SweepReport) -> Vec<GateCheck> {
    let (question, summary) = (&report.question, &report.summary);
    let mut checks = Vec::new();
    if !question.budgets.is_empty() {
        match (question.gate, &report.focus) {
            (Gate::Focus, Some(focus)) => {
                let subject = describe(question.columns(), &focus.values);
                checks.extend(of_point(focus, &question.budgets, &subject, GateKind::Focus));
            }
            (Gate::All, _) => {
                let missed = summary.missed;
                let verdict = if missed == 0 { Verdict::Holds } else { Verdict::SomeMiss(missed) };
                checks.push(GateCheck { kind: GateKind::All, subject: String::new(), verdict });
            }
            (Gate::Best | Gate::Focus, _) => {
                let verdict = if summary.best.is_some() { Verdict::Holds } else { Verdict::NoneOf(summary.ran) };
                checks.push(GateCheck { kind: GateKind::Best, subject: String::new(), verdict });
            }
        }
    }
    for point in &summary.with_own_targets {
        let subject = describe(question.columns(), &point.values);
        checks.extend(of_point(point, &point.budgets, &subject, GateKind::Own));
    }
    checks
}

/// A check for each target of a point.
fn of_point(point: &PointResult, budgets: &Budgets, subject: &str, kind: fn(Metric) -> GateKind) -> Vec<GateCheck> {
    let metrics = match &point.outcome {
        PointOutcome::Ran(figures) => Some(figures.metrics),
        PointOutcome::DoesNotFit(_) | PointOutcome::Invalid(_) => None,
    };
    let check = |(metric, target): (Metric, f64)| {
        let value = metrics.as_ref().and_then(|metrics| metric.of(metrics));
        let holds = value.is_some_and(|value| value <= target);
        let verdict = if holds { Verdict::Holds } else { Verdict::Missed { value, target } };
        GateCheck { kind: kind(metric), subject: subject.to_owned(), verdict }
    };
    budgets.iter().map(check).collect()
}
