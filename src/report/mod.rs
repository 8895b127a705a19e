//! What people read: words, views of finished text, charts.
//!
//! A report is gathered once as numbers ([`Report`]), then projected: to a record for machines, and to views, in which
//! every number is already a string and every word is in the reader's language.

mod address;
pub mod chart;
pub mod compare;
pub mod draft;
pub mod figures;
pub mod index;
pub mod notes;
mod record;
mod section;
pub mod sheet;
pub mod shell;
pub mod sweep;
mod telling;
pub mod text;
pub mod validation;
pub mod view;
mod words;

pub use address::{address, stem};
pub use record::{Record, SCHEMA_VERSION};
pub use section::{judgement, page};
pub use telling::{Answer, Report, ReportOrigin, Told};
