//! What is wrong with an input, where, and what to do next.

use std::fmt;
use std::sync::Arc;

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};

use super::document::Source;

/// Where a key or value was written.
#[derive(Clone, Debug)]
pub enum Place {
    /// In a file, at a line and column (1-based).
    File {
        /// The file's text, for the excerpt.
        source: Arc<Source>,
        /// Line, from 1.
        line: u64,
        /// Column in characters, from 1.
        column: u64,
    },
    /// On the command line, as the user wrote it: `--set hardware.l2_mib=0`.
    Option(String),
    /// Not written anywhere: a default.
    Nowhere,
}

impl Place {
    pub(super) fn at(source: &Arc<Source>, line: u64, column: u64) -> Self {
        Self::File { source: Arc::clone(source), line: line.max(1), column: column.max(1) }
    }

    pub(super) fn line(source: &Arc<Source>, line: u64) -> Self {
        Self::at(source, line, 1)
    }

    pub(super) fn line_number(&self) -> u64 {
        match self {
            Self::File { line, .. } => *line,
            Self::Option(_) | Self::Nowhere => 0,
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File { source, line, column } => write!(f, "{}:{line}:{column}", source.name),
            Self::Option(text) => f.write_str(text),
            Self::Nowhere => f.write_str("defaults"),
        }
    }
}

/// One thing that is wrong.
#[derive(Clone, Debug)]
pub struct Fault {
    place: Place,
    what: String,
    help: Option<String>,
}

impl Fault {
    /// A fault at a place.
    #[must_use]
    pub fn new(place: Place, what: impl Into<String>) -> Self {
        Self { place, what: printable(&what.into()), help: None }
    }

    /// Adds the next step.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(printable(&help.into()));
        self
    }

    /// Whether both say the same of the same place.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.what == other.what && self.place.to_string() == other.place.to_string()
    }

    fn render(&self) -> String {
        let Place::File { source, line, column } = &self.place else {
            let help = self.help.as_ref().map(|h| format!("\nhelp: {h}")).unwrap_or_default();
            return format!("{}: {}{help}", self.place, self.what);
        };
        let span = span_of(&source.text, *line, *column);
        let snippet = Snippet::source(source.text.as_str())
            .path(source.name.as_str())
            .fold(true)
            .annotation(AnnotationKind::Primary.span(span));
        let mut report = Level::ERROR.no_name().primary_title(self.what.as_str()).element(snippet);
        if let Some(help) = &self.help {
            report = report.element(Level::HELP.message(help.as_str()));
        }
        format!("{}: {}", self.place, Renderer::plain().render(&[report]).trim_start_matches(": "))
    }
}

/// Longest message; what a file holds may be megabytes.
const MAX_MESSAGE: usize = 600;

/// Text fit for a terminal, whatever file it came from: no control or direction characters, no endless lines.
#[must_use]
pub fn printable(text: &str) -> String {
    let mut out = String::with_capacity(text.len().min(MAX_MESSAGE));
    for (i, c) in text.chars().enumerate() {
        if i == MAX_MESSAGE {
            out.push('…');
            break;
        }
        let is_hidden =
            matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}');
        match c {
            '\n' => out.push(c),
            c if c.is_control() || is_hidden => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    out
}

/// The word at a line and column, as a byte range.
fn span_of(text: &str, line: u64, column: u64) -> std::ops::Range<usize> {
    let mut start = 0;
    for _ in 1..line {
        match text[start..].find('\n') {
            Some(end) => start += end + 1,
            None => return text.len()..text.len(),
        }
    }
    let rest = text[start..].lines().next().unwrap_or("");
    let skip: usize = rest.chars().take(column as usize - 1).map(char::len_utf8).sum();
    let word = rest[skip..].split([':', ' ', ',', '}', ']']).next().unwrap_or("").len().max(1);
    start + skip..(start + skip + word).min(text.len().max(start + skip))
}

/// Everything wrong with one input, found in one pass.
#[derive(Clone, Debug)]
pub struct SpecError {
    faults: Vec<Fault>,
}

impl SpecError {
    pub(super) fn new(faults: Vec<Fault>) -> Self {
        Self { faults }
    }

    /// A fault of a whole file.
    #[must_use]
    pub fn of_file(name: &str, what: &str) -> Self {
        Fault::new(Place::Option(name.to_owned()), what).into()
    }

    /// How many faults were found.
    #[must_use]
    pub fn len(&self) -> usize {
        self.faults.len()
    }

    /// Never true: an error has at least one fault.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.faults.is_empty()
    }
}

impl From<Fault> for SpecError {
    fn from(fault: Fault) -> Self {
        Self { faults: vec![fault] }
    }
}

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, fault) in self.faults.iter().enumerate() {
            if i > 0 {
                f.write_str("\n")?;
            }
            f.write_str(&fault.render())?;
        }
        Ok(())
    }
}

impl std::error::Error for SpecError {}
