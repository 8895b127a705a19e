//! JSON of a declared report: inputs, one line a point, summary.

use crate::report::sweep::{SweepHead, SweepQuestion, SweepReport, SweepRow, SweepTail};
use crate::sweep::PointResult;

/// Up to the first point.
#[must_use]
pub fn head(question: &SweepQuestion) -> String {
    let text = serde_json::to_string(&SweepHead::new(question)).unwrap_or_default();
    let open = text.strip_suffix('}').unwrap_or(&text);
    format!("{open},\"points\":[\n")
}

/// A point; `first` has no comma before it.
#[must_use]
pub fn row(question: &SweepQuestion, point: &PointResult, first: bool) -> String {
    let text = serde_json::to_string(&SweepRow::new(question, point)).unwrap_or_default();
    if first { text } else { format!(",\n{text}") }
}

/// After the last point.
#[must_use]
pub fn tail(report: &SweepReport) -> String {
    let text = serde_json::to_string(&SweepTail::new(report)).unwrap_or_default();
    format!("\n],\"summary\":{text}}}\n")
}
