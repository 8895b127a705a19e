//! Formats of a declared report, in three parts each, so that its points can be written as they come.

pub mod csv;
pub mod json;
