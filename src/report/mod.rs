//! What people read.

pub mod figures;
mod telling;

pub use telling::{Answer, Report, ReportOrigin, Told};
