//! Headings, sentences and tables of finished text: what a terminal and a Markdown file both can show.

/// A part of a sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block {
    /// The headline.
    Title(String),
    /// The head of a part.
    Heading(String),
    /// A sentence.
    Text(String),
    /// A table.
    Table {
        /// Titles of its columns.
        heads: Vec<String>,
        /// As many cells a row as there are titles.
        rows: Vec<Vec<String>>,
    },
}
