//! A declared report with everything it names, as text: what a run needs, and what a shard carries to where the parts
//! are joined.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::catalog;
use crate::cli::exit::Failure;
use crate::cli::input::{self, Described};
use crate::spec::{DeclaredSpec, Document, MAX_BYTES};
use crate::sweep::{Matrix, names};

/// A declared report with everything it names.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(in crate::cli) struct Package {
    /// Its place below the folder of reports, without extension.
    pub stem: String,
    /// The file's name, for messages.
    pub file: String,
    /// The file.
    pub text: String,
    /// Models that are not built in, by the name the report uses.
    pub models: BTreeMap<String, Described>,
    /// Machines that are not built in, by the name the report uses.
    pub machines: BTreeMap<String, Described>,
    /// The Markdown file beside it.
    pub notes: Option<String>,
}

impl Package {
    /// Reads a file and what it names; other files are looked for beside it.
    pub(super) fn read(path: &Path, stem: &str, most: u64) -> Result<Self, Failure> {
        let file = path.display().to_string();
        let text = read(path)?;
        let spec = DeclaredSpec::read(&Document::parse(&file, &text)?)?;
        let matrix = Matrix::new(&spec, most).map_err(|error| Failure::Input(format!("{file}: {error}")))?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let mut package =
            Self { stem: stem.to_owned(), file, text, models: BTreeMap::new(), machines: BTreeMap::new(), notes: None };
        for name in names(&matrix, "model") {
            if catalog::model_text(&name).is_err() {
                package.models.insert(name.to_string(), input::model(&name, folder).map_err(|e| package.at(e))?);
            }
        }
        for name in names(&matrix, "hardware") {
            if catalog::hardware_text(&name).is_err() {
                package.machines.insert(name.to_string(), input::hardware(&name, folder).map_err(|e| package.at(e))?);
            }
        }
        if let Some(name) = &spec.notes {
            package.notes = Some(beside(folder, name).and_then(|path| read(&path)).map_err(|e| package.at(e))?);
        }
        Ok(package)
    }

    /// A failure of something the report names.
    fn at(&self, failure: Failure) -> Failure {
        failure.within(&self.file)
    }
}

/// A file of notes at or below the folder of its report: what a stranger's report names is published.
fn beside(folder: &Path, name: &str) -> Result<PathBuf, Failure> {
    let below = Path::new(name).components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    let path = folder.join(name);
    let inside = || match (fs::canonicalize(folder_of(folder)), fs::canonicalize(&path)) {
        (Ok(folder), Ok(path)) => path.starts_with(folder),
        // Reading it says what is wrong.
        _ => true,
    };
    if below && inside() {
        return Ok(path);
    }
    Err(Failure::Input(format!(
        "`notes: {name}` is outside the folder of the report\nhelp: put the Markdown file beside the report"
    )))
}

/// The folder itself, where an empty path stands for the current one.
fn folder_of(folder: &Path) -> &Path {
    if folder.as_os_str().is_empty() { Path::new(".") } else { folder }
}

/// The text of a file of ordinary size.
fn read(path: &Path) -> Result<String, Failure> {
    let fail = |error: std::io::Error| Failure::Io(format!("cannot read {}: {error}", path.display()));
    let mut bytes = Vec::new();
    fs::File::open(path).and_then(|file| file.take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes)).map_err(fail)?;
    if bytes.len() > MAX_BYTES {
        return Err(Failure::Input(format!(
            "{}: more than {MAX_BYTES} bytes; such a file has a few thousand",
            path.display()
        )));
    }
    String::from_utf8(bytes)
        .map_err(|_| Failure::Input(format!("{}: not UTF-8 text\nhelp: save it as UTF-8", path.display())))
}
