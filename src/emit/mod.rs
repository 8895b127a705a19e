//! Formats: from a report to the text of an artifact. Nothing here touches the file system.
//!
//! A new format is a file here and a line in [`FORMATS`]; the command line's list and its help derive from it.

pub mod csv;
pub mod facts;
pub mod html;
pub mod index;
pub mod json;
pub mod junit;
pub mod markdown;
pub mod sheet;
pub mod summary;
pub mod sweep;
pub mod validation;

use crate::report::Report;
use crate::report::text::Lang;

/// A format that a report can be written in.
pub struct Format {
    /// The name on the command line.
    pub name: &'static str,
    /// The end of a file name.
    pub extension: &'static str,
    /// What it holds.
    pub about: &'static str,
    /// The artifact's text. Formats for machines ignore the language.
    pub render: fn(&Report, Lang) -> String,
}

/// All formats, the default first.
pub const FORMATS: &[Format] = &[html::FORMAT, json::FORMAT, csv::FORMAT, markdown::FORMAT];
