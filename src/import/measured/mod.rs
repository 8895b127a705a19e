//! What the field's benchmark tools write: their result files become runs with known meaning.
//!
//! A file is recognised by its content, never by its name: the keys of a JSON object, the columns of a table, words of
//! a console log. The first entry of [`READERS`] whose sign is found reads it; the list of accepted formats in messages
//! and help is the same list. Then every run is tested ([`Consistency`]) before it is believed, and what it does not
//! say is listed by name ([`MeasuredRun::missing`], [`MeasuredRun::to_ask`]).
//!
//! Files are hostile: sizes, depths and counts are bounded, nothing is executed, and generated text or prompts in a
//! detailed file are never shown.
//!
//! Left out: Parquet, SQLite and binary profiler reports; the difference of two Prometheus scrapes.

mod check;
mod content;
mod draft;
mod json;
mod number;
mod readers;
mod run;
mod settle;
mod table;
mod text;
mod wrong;

use std::fs::File;
use std::io::Read;
use std::path::Path;

use serde::Serialize;

use super::ImportError;
use content::Content;
use draft::Draft;

pub use readers::{KernelRow, KernelShape, READERS, Reader};
pub use run::{Boundary, Consistency, Fact, MeasuredRun, Rate, Row, Spread};

/// What a file holds and how far it can be used.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Reading {
    /// The tool that wrote it, as `vllm-bench-serve`; `None` where the file was not recognised.
    pub tool: Option<&'static str>,
    /// Whether to use it.
    pub status: Status,
    /// Its runs, in file order.
    pub runs: Vec<MeasuredRun>,
    /// Everything a person should know, each with the file's name and a next step.
    pub messages: Vec<String>,
    /// Its rows, where it is a table of measured kernels.
    #[serde(skip)]
    pub kernels: Vec<KernelRow>,
}

/// Whether a reading can be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Use it.
    Ok,
    /// Use it and mind the messages.
    Warn,
    /// No comparison; the messages say why.
    Refuse,
}

/// Why a file or a run cannot be used, and the next step.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}; {help}")]
struct Refusal {
    what: String,
    help: String,
}

impl Refusal {
    fn new(what: impl Into<String>, help: impl Into<String>) -> Self {
        Self { what: what.into(), help: help.into() }
    }
}

/// Reads a result file from disk. A file that cannot be used is a [`Reading`] with [`Status::Refuse`].
///
/// # Errors
/// Only if the disk cannot be read.
pub fn load(path: &Path) -> Result<Reading, ImportError> {
    let io = |error| ImportError::io(path, error);
    let mut bytes = Vec::new();
    File::open(path).map_err(io)?.take(text::MAX_BYTES as u64 + 1).read_to_end(&mut bytes).map_err(io)?;
    Ok(read(&path.display().to_string(), &bytes))
}

/// Reads the bytes of a result file; `name` is how messages call it.
#[must_use]
pub fn read(name: &str, bytes: &[u8]) -> Reading {
    let decoded = match text::decode(bytes) {
        Ok(decoded) => decoded,
        Err(refusal) => return refused(name, &refusal),
    };
    let content = Content::new(name, decoded.text);
    let Some(reader) = readers::find(&content) else {
        return refused(name, &wrong::name(&content));
    };
    let mut draft = Draft::new(reader, &content);
    decoded.notes.into_iter().for_each(|note| draft.note(note));
    let outcome = (reader.read)(&content, &mut draft);
    let outcome = settle::settle(&mut draft, outcome);
    draft.conclude(outcome)
}

fn refused(name: &str, refusal: &Refusal) -> Reading {
    let (status, messages) = (Status::Refuse, vec![format!("{name}: {refusal}")]);
    Reading { tool: None, status, runs: Vec::new(), messages, kernels: Vec::new() }
}
