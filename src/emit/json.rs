//! JSON: the record, for scripts and for comparing results.

use super::Format;
use crate::report::Record;

/// The record of one scenario.
pub const FORMAT: Format = Format {
    name: "json",
    extension: "json",
    about: "all numbers: metrics, breakdowns, kernels, memory, bottlenecks, checks",
    render: |report, _| record(&Record::new(report)),
};

/// A record as text, one key a line.
#[must_use]
pub fn record(record: &Record) -> String {
    // Serialising plain structs to memory fails only on maps with odd keys, and a record has none.
    serde_json::to_string_pretty(record).unwrap_or_default() + "\n"
}

/// The same on one line.
#[must_use]
pub fn compact(record: &Record) -> String {
    serde_json::to_string(record).unwrap_or_default()
}

/// Any other result as text, one key a line.
#[must_use]
pub fn of(result: &impl serde::Serialize) -> String {
    serde_json::to_string_pretty(result).unwrap_or_default() + "\n"
}
