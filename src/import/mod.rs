//! What other tools write: Hugging Face `config.json`, safetensors headers and GGUF metadata become exact facts and a
//! profile of ours.
//!
//! Parsing is pure: bytes or text in, facts out. Only [`load`] touches the disk. What a source does not say is either
//! refused or filled with a stated default, listed with its reason for a person to confirm; nothing is guessed in
//! silence. Sources are hostile: sizes are bounded, products are taken in 128 bits, names are text and never paths.

mod facts;
mod gguf;
mod hf;
mod load;
pub mod measured;
mod profile;
mod recognise;
mod safetensors;

pub use facts::Facts;
pub use gguf::{GgufPart, import_gguf};
pub use hf::import_config;
pub use load::{Loaded, load};
pub use profile::profile_yaml;
pub use recognise::{Kind, recognise};
pub use safetensors::{Index, SafetensorsPart, import_safetensors, read_index};

use std::path::{Path, PathBuf};

use crate::spec::{Document, ModelSpec, SpecError, printable};

/// Why a source was refused.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// It is not what it should be, or not all of it.
    #[error("{name}: {what}\nhelp: {help}")]
    Refused {
        /// The file.
        name: String,
        /// What is wrong.
        what: String,
        /// The next step.
        help: String,
    },
    /// Faults with their places in the text.
    #[error(transparent)]
    Faults(#[from] SpecError),
    /// The disk.
    #[error("{}: {error}\nhelp: check the path and its permissions", path.display())]
    Io {
        /// The path.
        path: PathBuf,
        /// What the system said.
        error: std::io::Error,
    },
}

impl ImportError {
    pub(crate) fn refused(name: &str, what: impl Into<String>, help: &str) -> Self {
        Self::Refused { name: printable(name), what: printable(&what.into()), help: printable(help) }
    }

    fn io(path: &Path, error: std::io::Error) -> Self {
        Self::Io { path: path.to_owned(), error }
    }
}

/// A foreign description, understood.
#[derive(Clone, Debug)]
pub struct Imported {
    /// The same in our form.
    pub profile: ModelSpec,
    /// Counts and sizes that follow.
    pub facts: Facts,
    /// What the source left out and was filled in.
    pub defaults: Vec<Assumed>,
    /// What a person should look at.
    pub warnings: Vec<Warning>,
}

/// A value that the source does not state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assumed {
    /// The profile's field.
    pub field: String,
    /// The value taken.
    pub value: String,
    /// Why.
    pub why: String,
}

/// Something odd about the source that does not stop the import.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// Stable id, as `unknown_architecture`.
    pub id: &'static str,
    /// What was seen.
    pub message: String,
    /// The next step.
    pub help: Option<String>,
}

impl Warning {
    fn new(id: &'static str, message: impl Into<String>, help: &str) -> Self {
        Self { id, message: printable(&message.into()), help: Some(help.to_owned()) }
    }
}

impl Imported {
    /// Says where the description came from: a file's name without its folders.
    fn with_source(mut self, name: &str) -> Self {
        let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
        self.profile.sources.push(format!("{file}, {}", self.facts.architecture));
        self
    }

    /// Takes a name from the path where the source has none.
    fn called(mut self, path: &Path) -> Self {
        let Some(assumed) = self.defaults.iter_mut().find(|assumed| assumed.field == "model_name") else { return self };
        let file = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let stem = file.strip_suffix("config.json").or(file.strip_suffix(".json")).unwrap_or(&file);
        let stem = stem.trim_end_matches(['.', '_', '-']);
        let folder = path.parent().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
        let name = if stem.is_empty() { folder.unwrap_or_default() } else { stem.to_owned() };
        if !name.trim().is_empty() {
            assumed.value.clone_from(&name);
            assumed.why = "the file names no model; this is where it lies".to_owned();
            self.profile.model_name = name;
        }
        self
    }

    /// The guarantee of this room: what comes out is a profile that reads back. Sources may hold numbers that are each
    /// possible and together beyond any model.
    fn checked(self, name: &str) -> Result<Self, ImportError> {
        let again =
            Document::parse("the profile", &profile_yaml(&self)).and_then(|document| ModelSpec::read(&document));
        match again {
            Ok(_) => Ok(self),
            Err(error) => {
                let what = error.to_string();
                let what = what.lines().next().unwrap_or_default().trim_start_matches(|c| c != '`');
                let help = "no real model has such shapes: check the numbers in the file";
                Err(ImportError::refused(name, format!("the model does not fit a profile: {what}"), help))
            }
        }
    }

    /// Bytes of the KV cache of one sequence of `context` tokens at 16 bit, sliding layers capped at their window.
    #[must_use]
    pub fn kv_sequence_bytes(&self, context: u64) -> Option<u64> {
        self.profile.architecture.kv_sequence_elements(context)?.checked_mul(2)
    }
}
