//! Predicted against measured: a verdict, then chapters of sentences and tables.

use super::{Repro, Table, Verdict};
use crate::report::text::Label;

/// Sections of a comparison.
#[derive(Clone, Debug)]
pub struct ValidationPage {
    /// How far off.
    pub verdict: Verdict,
    /// Errors, differences, kernels, bands, rows left out, files.
    pub chapters: Vec<Chapter>,
    /// How do I get this again?
    pub repro: Repro,
}

/// A question with its answer.
#[derive(Clone, Debug)]
pub struct Chapter {
    /// Id of the element.
    pub id: &'static str,
    /// Its name in the navigation.
    pub nav: Label,
    /// The question.
    pub title: Label,
    /// The answer in a sentence.
    pub lede: String,
    /// What there is to see.
    pub parts: Vec<Part>,
}

/// Something to see.
#[derive(Clone, Debug)]
pub struct Part {
    /// Heading; empty where the chapter's says it.
    pub title: String,
    /// Sentences.
    pub notes: Vec<String>,
    /// Short sentences, one a line.
    pub list: Vec<String>,
    /// Numbers.
    pub table: Option<Table>,
    /// Detail: a page shows it when asked.
    pub folded: bool,
}
