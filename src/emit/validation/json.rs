//! The record of a comparison, and what was read from files without one.

use crate::import::measured::Reading;
use crate::report::validation::{MeasuredOnly, ValidationRecord, ValidationReport};

/// The record.
#[must_use]
pub fn record(report: &ValidationReport) -> String {
    // Serialising plain structs to memory fails only on maps with odd keys, and a record has none.
    serde_json::to_string_pretty(&ValidationRecord::new(report)).unwrap_or_default() + "\n"
}

/// The record on one line with the points that the page tells, so that the page stays small.
#[must_use]
pub fn told(report: &ValidationReport) -> String {
    serde_json::to_string(&ValidationRecord::told(report)).unwrap_or_default()
}

/// What was read: an object for one file, a list of them for several.
#[must_use]
pub fn measured_only(readings: &[(String, Reading)]) -> String {
    let all: Vec<MeasuredOnly<'_>> = readings.iter().map(|(name, reading)| MeasuredOnly::new(name, reading)).collect();
    let text = match all.as_slice() {
        [one] => serde_json::to_string_pretty(one),
        several => serde_json::to_string_pretty(several),
    };
    text.unwrap_or_default() + "\n"
}
