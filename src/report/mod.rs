//! What people read: words, views of finished text, charts.
//!
//! A report is gathered once as numbers ([`Report`]), then projected: to a record for machines, and to views, in which
//! every number is already a string and every word is in the reader's language.

pub mod chart;
pub mod figures;
mod telling;
pub mod text;
pub mod view;

pub use telling::{Answer, Report, ReportOrigin, Told};
