//! The one place of this room that reads the disk.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use super::gguf::{self, GgufPart, Stop};
use super::recognise::{Kind, recognise};
use super::safetensors::header::header_length;
use super::safetensors::{self, Index, SafetensorsPart, import_safetensors, read_index};
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

/// Bytes enough to recognise a file.
const START: u64 = 64 * 1024;
/// Heads of GGUF files hold the whole vocabulary: tens of megabytes at most.
const MAX_GGUF_HEAD: u64 = 256 << 20;
/// An index names every tensor of every shard.
const MAX_INDEX: u64 = 32_000_000;
const MAX_SHARDS: usize = 2000;

/// Loads a file by its content, or a folder: its `config.json`, else its only `.gguf`, else its `.safetensors`.
///
/// # Errors
/// The path cannot be read, is nothing that describes a model, or describes it wrongly.
pub fn load(path: &Path) -> Result<Loaded, ImportError> {
    let file = if path.is_dir() { file_of_folder(path)? } else { path.to_owned() };
    let name = file.display().to_string();
    let start = read_start(&file, START)?;
    let imported = match recognise(&name, &start)? {
        Kind::Yaml => return Ok(Loaded::Profile(Document::parse(&name, &read_text(&file, MAX_JSON_BYTES as u64)?)?)),
        Kind::Json => load_json(&file)?.called(&file),
        Kind::Gguf => load_gguf(&file)?,
        Kind::Safetensors => load_safetensors(&file)?,
    };
    Ok(Loaded::Model(Box::new(imported)))
}

/// A `config.json`, or an index with a `config.json` beside it.
fn load_json(file: &Path) -> Result<Imported, ImportError> {
    let is_index = file.file_name().is_some_and(|name| name.to_string_lossy().ends_with(".index.json"));
    let config = file.with_file_name("config.json");
    if is_index && config.is_file() {
        let index = read_index(&file.display().to_string(), &read_text(file, MAX_INDEX)?)?;
        return Ok(safetensors::with_index(load_config(&config)?, &index));
    }
    load_config(file)
}

fn load_config(file: &Path) -> Result<Imported, ImportError> {
    let name = file.display().to_string();
    let text = read_text(file, MAX_JSON_BYTES as u64)?;
    let Some(beside) = companion(file).filter(|path| path.is_file()) else { return import_config(&name, &text, None) };
    let quantisation = read_text(&beside, MAX_JSON_BYTES as u64)?;
    import_config(&name, &text, Some((&beside.display().to_string(), &quantisation)))
}

/// Where the `hf_quant_config.json` of a `config.json` would be; any prefix of the name stays.
fn companion(config: &Path) -> Option<PathBuf> {
    let prefix = config.file_name()?.to_str()?.strip_suffix("config.json")?;
    Some(config.with_file_name(format!("{prefix}hf_quant_config.json")))
}

/// A GGUF file with the shards beside it. Its head is read in growing pieces, as its length stands nowhere.
fn load_gguf(file: &Path) -> Result<Imported, ImportError> {
    let name = file.display().to_string();
    let others = if name.contains("-00001-of-") { siblings(file) } else { Vec::new() };
    let mut most = 1 << 20;
    loop {
        let (bytes, size) = head(file, most)?;
        let heads: Vec<(String, Vec<u8>, u64)> = others
            .iter()
            .map(|path| head(path, most).map(|(bytes, size)| (path.display().to_string(), bytes, size)))
            .collect::<Result<_, _>>()?;
        let parts: Vec<GgufPart<'_>> =
            heads.iter().map(|(name, bytes, size)| GgufPart { name, bytes, size: *size }).collect();
        match gguf::try_import(GgufPart { name: &name, bytes: &bytes, size }, &parts) {
            Ok(imported) => return Ok(imported),
            Err(Stop::Refused(error)) => return Err(error),
            Err(Stop::NeedMore) if most >= MAX_GGUF_HEAD => {
                let what = format!("the metadata have more than {MAX_GGUF_HEAD} bytes");
                return Err(ImportError::refused(&name, what, "give the model's config.json"));
            }
            Err(Stop::NeedMore) => most = (most * 16).min(MAX_GGUF_HEAD),
        }
    }
}

/// The other files of a split set (`…-00001-of-00003.…`) that are there.
fn siblings(first: &Path) -> Vec<PathBuf> {
    let Some(name) = first.file_name().and_then(|name| name.to_str()) else { return Vec::new() };
    let Some((stem, rest)) = name.split_once("-00001-of-") else { return Vec::new() };
    let count: usize = rest.get(..5).and_then(|digits| digits.parse().ok()).unwrap_or(1);
    let path = |n: usize| first.with_file_name(format!("{stem}-{n:05}-of-{rest}"));
    (2..=count.min(MAX_SHARDS)).map(path).filter(|path| path.is_file()).collect()
}

/// A safetensors file with the config, the index and the shards beside it.
fn load_safetensors(file: &Path) -> Result<Imported, ImportError> {
    let config = file.with_file_name("config.json");
    let config = if config.is_file() { Some(load_config(&config)?) } else { None };
    let index = file.with_file_name("model.safetensors.index.json");
    let index = if index.is_file() {
        Some(read_index(&index.display().to_string(), &read_text(&index, MAX_INDEX)?)?)
    } else {
        None
    };
    let mut heads = vec![safetensors_head(file)?];
    for shard in index.iter().flat_map(|index: &Index| &index.shards).take(MAX_SHARDS) {
        // A shard is a file beside the index, whatever its name tries to be.
        let path = Path::new(shard).file_name().map(|name| file.with_file_name(name));
        if let Some(path) = path.filter(|path| path != file && path.is_file()) {
            heads.push(safetensors_head(&path)?);
        }
    }
    let parts: Vec<SafetensorsPart<'_>> =
        heads.iter().map(|(name, bytes, size)| SafetensorsPart { name, bytes, size: *size }).collect();
    let in_index = index.as_ref().is_none_or(|index| parts.first().is_some_and(|p| index.shards.contains(p.name)));
    import_safetensors(config, index.as_ref().filter(|_| in_index), &parts)
}

fn safetensors_head(file: &Path) -> Result<(String, Vec<u8>, u64), ImportError> {
    let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let (start, size) = head(file, 8)?;
    let length = header_length(&name, &start, size)?;
    Ok((name, head(file, 8 + length)?.0, size))
}

fn file_of_folder(folder: &Path) -> Result<PathBuf, ImportError> {
    let name = folder.display().to_string();
    let config = folder.join("config.json");
    if config.is_file() {
        return Ok(config);
    }
    let gguf = files_with(folder, "gguf")?;
    let first = gguf.iter().find(|path| path.to_string_lossy().contains("-00001-of-"));
    match (gguf.as_slice(), first) {
        ([], _) => {}
        ([one], _) => return Ok(one.clone()),
        (all, Some(first)) if siblings(first).len() + 1 == all.len() => return Ok(first.clone()),
        ([first, ..], _) => {
            let what = format!("the folder holds {} .gguf files and no config.json", gguf.len());
            return Err(ImportError::refused(&name, what, &format!("name one of them, as {}", first.display())));
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

/// The first bytes of a file.
fn read_start(path: &Path, most: u64) -> Result<Vec<u8>, ImportError> {
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|e| ImportError::io(path, e))?;
    file.take(most).read_to_end(&mut bytes).map_err(|e| ImportError::io(path, e))?;
    Ok(bytes)
}

/// The first bytes of a file and its size.
fn head(path: &Path, most: u64) -> Result<(Vec<u8>, u64), ImportError> {
    let size = std::fs::metadata(path).map_err(|e| ImportError::io(path, e))?.len();
    let bytes = read_start(path, most)?;
    let size = size.max(bytes.len() as u64);
    Ok((bytes, size))
}

/// A whole text file, refused by its size before it is read.
fn read_text(path: &Path, most: u64) -> Result<String, ImportError> {
    let name = path.display().to_string();
    let size = std::fs::metadata(path).map_err(|e| ImportError::io(path, e))?.len();
    let bytes = if size > most { Vec::new() } else { read_start(path, most + 1)? };
    if size > most || bytes.len() as u64 > most {
        let what = format!("the file has {size} bytes, far above any model description (at most {most})");
        return Err(ImportError::refused(&name, what, "give the model's config.json or a profile"));
    }
    String::from_utf8(bytes).map_err(|error| {
        let what = format!("the text is not UTF-8 (byte {})", error.utf8_error().valid_up_to());
        ImportError::refused(&name, what, "save it as UTF-8")
    })
}
