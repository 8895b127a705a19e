//! From the numbers of a report to the views of its page: one file a section, in reading order.

mod fit;
mod fixes;
mod heroes;
mod inputs;
mod kernels;
mod page;
mod path;
mod phase;
mod reason;
mod roofline;
mod scaling;
mod shortfall;
pub(in crate::report) mod trust;
mod verdict;
mod waterfall;
mod whatif;

pub use page::{judgement, page};

use super::view::{Column, Table, Tone};
use crate::diagnose::Status;

/// The tone of a requirement.
const fn tone(status: Status) -> Tone {
    match status {
        Status::Pass => Tone::PASS,
        Status::Warn => Tone::WARN,
        Status::Fail => Tone::FAIL,
    }
}

/// A table whose first column names its rows and whose others are numbers.
fn table(label: String, titles: &[&str], rows: Vec<Vec<String>>) -> Table {
    let column = |(i, title): (usize, &&str)| Column { title: (*title).to_owned(), numeric: i > 0 };
    Table { label, columns: titles.iter().enumerate().map(column).collect(), rows }
}
