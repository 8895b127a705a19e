//! The one place of this room that reads the disk.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use super::recognise::{Kind, recognise};
use super::{ImportError, Imported, import_config};
use crate::spec::{Document, MAX_JSON_BYTES};

/// What a path turned out to be.
#[derive(Debug)]
pub enum Loaded {
    /// A profile of ours.
    Profile(Document),
    /// A foreign description.
    Model(Box<Imported>),
}

const START: u64 = 64 * 1024;

/// Loads a file by its content, or a folder: its `config.json`, else its only `.gguf`, else its `.safetensors`.
///
/// # Errors
/// The path cannot be read, is nothing that describes a model, or describes it wrongly.
pub fn load(path: &Path) -> Result<Loaded, ImportError> {
    let file = if path.is_dir() { file_of_folder(path)? } else { path.to_owned() };
    let name = file.display().to_string();
    let start = read_start(&file, START)?;
    match recognise(&name, &start)? {
        Kind::Json => {
            let text = read_text(&file, &name)?;
            let beside = companion(&file).filter(|path| path.is_file());
            let beside =
                beside.map(|path| Ok::<_, ImportError>((path.display().to_string(), read_text(&path, &name)?)));
            let beside = beside.transpose()?;
            let beside = beside.as_ref().map(|(name, text)| (name.as_str(), text.as_str()));
            Ok(Loaded::Model(Box::new(import_config(&name, &text, beside)?)))
        }
        Kind::Yaml => Ok(Loaded::Profile(Document::parse(&name, &read_text(&file, &name)?)?)),
        Kind::Gguf | Kind::Safetensors => Err(ImportError::refused(&name, "not covered yet", "give the config.json")),
    }
}

fn file_of_folder(folder: &Path) -> Result<PathBuf, ImportError> {
    let name = folder.display().to_string();
    let config = folder.join("config.json");
    if config.is_file() {
        return Ok(config);
    }
    let gguf = files_with(folder, "gguf")?;
    match gguf.as_slice() {
        [] => {}
        [one] => return Ok(one.clone()),
        [first, ..] => {
            let what = format!("the folder holds {} .gguf files and no config.json", gguf.len());
            let help = format!("name one of them, as {}", first.display());
            return Err(ImportError::refused(&name, what, &help));
        }
    }
    files_with(folder, "safetensors")?.into_iter().next().ok_or_else(|| {
        ImportError::refused(&name, "the folder holds no config.json, .gguf or .safetensors", "name a model file")
    })
}

fn files_with(folder: &Path, extension: &str) -> Result<Vec<PathBuf>, ImportError> {
    let entries = std::fs::read_dir(folder).map_err(|e| ImportError::io(folder, e))?;
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|e| e.eq_ignore_ascii_case(extension)));
    files.sort();
    Ok(files)
}

/// Where the `hf_quant_config.json` of a `config.json` would be; any prefix of the name stays.
fn companion(config: &Path) -> Option<PathBuf> {
    let prefix = config.file_name()?.to_str()?.strip_suffix("config.json")?;
    Some(config.with_file_name(format!("{prefix}hf_quant_config.json")))
}

/// The first bytes of a file.
fn read_start(path: &Path, most: u64) -> Result<Vec<u8>, ImportError> {
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|e| ImportError::io(path, e))?;
    file.take(most).read_to_end(&mut bytes).map_err(|e| ImportError::io(path, e))?;
    Ok(bytes)
}

/// A whole text file, refused by its size before it is read.
fn read_text(path: &Path, name: &str) -> Result<String, ImportError> {
    let most = MAX_JSON_BYTES as u64;
    let size = std::fs::metadata(path).map_err(|e| ImportError::io(path, e))?.len();
    let bytes = if size > most { Vec::new() } else { read_start(path, most + 1)? };
    if size > most || bytes.len() as u64 > most {
        let what = format!("the file has {size} bytes, far above any model description (at most {most})");
        return Err(ImportError::refused(name, what, "give the model's config.json or a profile"));
    }
    String::from_utf8(bytes).map_err(|error| {
        let what = format!("the text is not UTF-8 (byte {})", error.utf8_error().valid_up_to());
        ImportError::refused(name, what, "save it as UTF-8")
    })
}
