//! The GGUF container: metadata and the list of tensors, never the tensors themselves.
//!
//! Every count and length is held against the bytes that are there before anything is allocated by it.

use std::collections::BTreeMap;

use super::types::ElementType;
use crate::import::ImportError;

/// Entries of a number list that are kept (one per layer); longer lists (token types) are skipped.
const MAX_NUMBERS: u64 = 1 << 14;
/// Numbers kept of all lists together.
const MAX_KEPT: u64 = 1 << 20;
const MAX_DIMENSIONS: u32 = 8;

/// A file's head.
#[derive(Debug, Default)]
pub(super) struct File {
    pub values: BTreeMap<String, Value>,
    pub tensors: Vec<Tensor>,
    /// Bytes of metadata and tensor list, aligned: where the data begin.
    pub data_start: u64,
}

/// A metadata value, as far as it is kept.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Number(f64),
    Flag(bool),
    Text(String),
    Numbers(Vec<f64>),
    /// A list that is not kept, by its length.
    List(u64),
}

/// A tensor of the list.
#[derive(Clone, Debug)]
pub(super) struct Tensor {
    pub name: String,
    /// Widths, the innermost first.
    pub shape: Vec<u64>,
    pub elements: u64,
    pub bytes: u64,
    pub kind: ElementType,
    pub offset: u64,
}

/// Why the head could not be read.
#[derive(Debug)]
pub(in crate::import) enum Stop {
    /// The bytes given end before the head does, but the file goes on.
    NeedMore,
    /// It is wrong.
    Refused(ImportError),
}

/// Reads the head of a file of `size` bytes from its first bytes.
pub(super) fn read(name: &str, bytes: &[u8], size: u64) -> Result<File, Stop> {
    let mut cursor = Cursor { name, bytes, at: 4, size, kept: 0 };
    let version = cursor.u32("the version")?;
    if version > 0xFFFF && version.swap_bytes() <= 0xFFFF {
        return Err(cursor.refuse(
            "this GGUF file is big-endian",
            "convert it to little-endian with llama.cpp's gguf-convert-endian",
        ));
    }
    if !(2..=3).contains(&version) {
        let what = format!("GGUF version {version} is not supported (2 and 3 are)");
        return Err(cursor.refuse(what, "convert the model again with a current llama.cpp"));
    }
    let tensors = cursor.count("tensor count", 1)?;
    let values = cursor.count("metadata count", 1)?;
    let mut file = File::default();
    for _ in 0..values {
        let key = cursor.text("a key")?;
        let kind = cursor.u32(&key)?;
        let value = cursor.value(&key, kind)?;
        file.values.insert(key, value);
    }
    for _ in 0..tensors {
        file.tensors.push(cursor.tensor()?);
    }
    let alignment = match file.values.get("general.alignment") {
        Some(Value::Number(n)) if *n >= 1.0 && *n <= 65536.0 => *n as u64,
        _ => 32,
    };
    file.data_start = (cursor.at as u64).next_multiple_of(alignment);
    Ok(file)
}

struct Cursor<'a> {
    name: &'a str,
    bytes: &'a [u8],
    at: usize,
    size: u64,
    kept: u64,
}

impl<'a> Cursor<'a> {
    fn refuse(&self, what: impl Into<String>, help: &str) -> Stop {
        Stop::Refused(ImportError::refused(self.name, what, help))
    }

    fn take(&mut self, count: u64, what: &str) -> Result<&'a [u8], Stop> {
        let end = usize::try_from(count).ok().and_then(|count| self.at.checked_add(count));
        if let Some(slice) = end.and_then(|end| self.bytes.get(self.at..end)) {
            self.at += slice.len();
            return Ok(slice);
        }
        if (self.at as u64).checked_add(count).is_some_and(|end| end <= self.size) {
            return Err(Stop::NeedMore);
        }
        let what =
            format!("the file ends inside {what}, at byte {} of the metadata (it has {} bytes)", self.at, self.size);
        Err(self.refuse(what, "was the download cut short? Fetch the file again"))
    }

    fn u32(&mut self, what: &str) -> Result<u32, Stop> {
        let bytes = self.take(4, what)?;
        Ok(bytes.iter().rev().fold(0, |sum, &byte| sum << 8 | u32::from(byte)))
    }

    fn u64(&mut self, what: &str) -> Result<u64, Stop> {
        let bytes = self.take(8, what)?;
        Ok(bytes.iter().rev().fold(0, |sum, &byte| sum << 8 | u64::from(byte)))
    }

    /// A count of items of at least `least` bytes each.
    fn count(&mut self, what: &str, least: u64) -> Result<u64, Stop> {
        let count = self.u64(what)?;
        if count > self.size / least {
            let what = format!("{what} {count} cannot fit a file of {} bytes", self.size);
            return Err(self.refuse(what, "the file is damaged or not GGUF; fetch it again"));
        }
        Ok(count)
    }

    fn text(&mut self, what: &str) -> Result<String, Stop> {
        let length = self.u64(what)?;
        Ok(String::from_utf8_lossy(self.take(length, what)?).into_owned())
    }

    fn value(&mut self, key: &str, kind: u32) -> Result<Value, Stop> {
        Ok(match kind {
            8 => Value::Text(self.text(key)?),
            9 => self.list(key, 0)?,
            7 => Value::Flag(self.take(1, key)?[0] != 0),
            _ => Value::Number(self.number(key, kind)?),
        })
    }

    fn list(&mut self, key: &str, depth: u32) -> Result<Value, Stop> {
        let kind = self.u32(key)?;
        let least = if matches!(kind, 8 | 9) { 8 } else { width(kind).unwrap_or(1) };
        let count = self.count(key, least)?;
        let keeps = count <= MAX_NUMBERS && self.kept + count <= MAX_KEPT && !matches!(kind, 8 | 9);
        self.kept += if keeps { count } else { 0 };
        match kind {
            8 => {
                for _ in 0..count {
                    let length = self.u64(key)?;
                    self.take(length, key)?;
                }
            }
            9 if depth < 4 => {
                for _ in 0..count {
                    self.list(key, depth + 1)?;
                }
            }
            9 => {
                return Err(
                    self.refuse(format!("`{key}`: lists nested too deep"), "the file is damaged; fetch it again")
                );
            }
            7 if keeps => {
                let flags = self.take(count, key)?;
                return Ok(Value::Numbers(flags.iter().map(|&byte| f64::from(byte != 0)).collect()));
            }
            _ if keeps => {
                let numbers: Result<Vec<f64>, Stop> = (0..count).map(|_| self.number(key, kind)).collect();
                return Ok(Value::Numbers(numbers?));
            }
            _ => {
                // Cannot overflow: the count was held against the size of the file.
                self.take(count * least, key)?;
            }
        }
        Ok(Value::List(count))
    }

    fn number(&mut self, key: &str, kind: u32) -> Result<f64, Stop> {
        let Some(bytes) = width(kind) else {
            let what = format!("`{key}` has a value of unknown type {kind} at byte {}", self.at);
            return Err(self.refuse(what, "the file is damaged or newer than this tool"));
        };
        let raw = self.take(bytes, key)?.iter().rev().fold(0u64, |sum, &byte| sum << 8 | u64::from(byte));
        let unused = 64 - 8 * bytes as u32;
        let signed = ((raw << unused).cast_signed() >> unused) as f64;
        Ok(match kind {
            1 | 3 | 5 | 11 => signed,
            6 => f64::from(f32::from_bits(raw as u32)),
            12 => f64::from_bits(raw),
            _ => raw as f64,
        })
    }

    fn tensor(&mut self) -> Result<Tensor, Stop> {
        let name = self.text("a tensor's name")?;
        let dimensions = self.u32(&name)?;
        let damaged = "the file is damaged or newer than this tool";
        if dimensions > MAX_DIMENSIONS {
            return Err(self.refuse(format!("tensor `{name}` has {dimensions} dimensions"), damaged));
        }
        let shape: Result<Vec<u64>, Stop> = (0..dimensions).map(|_| self.u64(&name)).collect();
        let shape = shape?;
        let number = self.u32(&name)?;
        let offset = self.u64(&name)?;
        let Some(elements) = shape.iter().try_fold(1u64, |product, &width| product.checked_mul(width)) else {
            return Err(self.refuse(format!("tensor `{name}`: the element count overflows 64 bits"), damaged));
        };
        let Some(kind) = ElementType::by_number(number) else {
            let what = format!("tensor `{name}` has the unknown ggml type {number}: its bytes cannot be computed");
            return Err(self.refuse(what, damaged));
        };
        let row = shape.first().copied().unwrap_or(1);
        let Some(bytes) = kind.tensor_bytes(elements, row) else {
            let what = format!("tensor `{name}`: rows of {row} elements are no whole blocks of {}", kind.name);
            return Err(self.refuse(what, damaged));
        };
        Ok(Tensor { name, shape, elements, bytes, kind, offset })
    }
}

/// Bytes of a number of this type.
const fn width(kind: u32) -> Option<u64> {
    match kind {
        0 | 1 | 7 => Some(1),
        2 | 3 => Some(2),
        4..=6 => Some(4),
        10..=12 => Some(8),
        _ => None,
    }
}

impl File {
    pub fn number(&self, key: &str) -> Option<f64> {
        match self.values.get(key)? {
            Value::Number(number) => Some(*number),
            Value::Flag(flag) => Some(f64::from(u8::from(*flag))),
            _ => None,
        }
    }

    pub fn text(&self, key: &str) -> Option<&str> {
        match self.values.get(key)? {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Bytes that a whole file of these tensors has at least.
    pub fn whole_size(&self) -> u64 {
        let end = self.tensors.iter().map(|t| t.offset.saturating_add(t.bytes)).max().unwrap_or(0);
        self.data_start.saturating_add(end)
    }
}
