//! Predicted against measured: for the terminal, for tickets, for scripts.

mod bands;
mod json;
mod markdown;
mod rows;
mod text;

pub use bands::bands;
pub use json::{measured_only, record, told};
pub use rows::rows;

use crate::report::text::Lang;
use crate::report::validation::ValidationReport;

/// A format of a comparison.
pub struct ValidationFormat {
    /// The name on the command line.
    pub name: &'static str,
    /// The end of a file name.
    pub extension: &'static str,
    /// The artifact's text. Formats for machines ignore the language.
    pub render: fn(&ValidationReport, Lang) -> String,
}

/// All formats, the default first.
pub const FORMATS: &[ValidationFormat] = &[
    ValidationFormat { name: "text", extension: "txt", render: |report, lang| text::document(report, lang.text()) },
    ValidationFormat { name: "json", extension: "json", render: |report, _| record(report) },
    ValidationFormat {
        name: "markdown",
        extension: "md",
        render: |report, lang| markdown::document(report, lang.text()),
    },
    ValidationFormat { name: "html", extension: "html", render: super::html::validation_page },
];
