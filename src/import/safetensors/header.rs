//! The header of a safetensors file: names, types and shapes, never the tensors themselves.
//!
//! A reader of our own: the `safetensors` crate refuses a header without its data, which is what one gets from a range
//! request or wants to look at before a download.

use crate::import::{ImportError, Warning};
use crate::spec::{Document, Fields, Findings};

/// The format's own limit.
const MAX_HEADER: u64 = 100_000_000;
/// What is read here: far above the header of any shard in use.
pub(in crate::import) const MAX_READ: u64 = 32_000_000;

/// One tensor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tensor {
    pub name: String,
    pub dtype: String,
    pub shape: Vec<u64>,
    /// Elements as stored.
    pub elements: u64,
    pub bytes: u64,
}

/// A file's header.
#[derive(Debug, Default)]
pub(super) struct Header {
    pub tensors: Vec<Tensor>,
    pub warnings: Vec<Warning>,
    /// Why the data are not all there, if they are not: header only.
    pub is_header_only: bool,
}

/// Element types and their bits.
const DTYPES: &[(&str, u64)] = &[
    ("F64", 64),
    ("I64", 64),
    ("U64", 64),
    ("C64", 64),
    ("F32", 32),
    ("I32", 32),
    ("U32", 32),
    ("F16", 16),
    ("BF16", 16),
    ("I16", 16),
    ("U16", 16),
    ("F8_E4M3", 8),
    ("F8_E5M2", 8),
    ("F8_E8M0", 8),
    ("I8", 8),
    ("U8", 8),
    ("BOOL", 8),
    ("F4", 4),
];

/// Length of the header that the first eight bytes state, held against the file's size.
pub(in crate::import) fn header_length(name: &str, start: &[u8], size: u64) -> Result<u64, ImportError> {
    let Some(bytes) = start.get(..8) else {
        let what = format!("the file has {size} bytes; a safetensors file has at least 8");
        return Err(ImportError::refused(name, what, "was the download cut short? Fetch it again"));
    };
    let length = bytes.iter().rev().fold(0u64, |sum, &byte| sum << 8 | u64::from(byte));
    if length > MAX_HEADER || length > size - 8 {
        let what = format!(
            "the header would have {length} bytes, the file has {size} (the format allows headers up to 100 MB)"
        );
        return Err(ImportError::refused(name, what, "the file is cut short or no safetensors file; fetch it again"));
    }
    if length > MAX_READ {
        let what = format!("the header has {length} bytes, more than {MAX_READ}");
        return Err(ImportError::refused(name, what, "give the model's config.json"));
    }
    Ok(length)
}

/// Reads the header of a file of `size` bytes from its first bytes.
pub(super) fn read(name: &str, bytes: &[u8], size: u64) -> Result<Header, ImportError> {
    let length = header_length(name, bytes, size)?;
    let refuse = |what: &str| ImportError::refused(name, what, "the file is no safetensors file; fetch it again");
    let json = bytes.get(8..8 + length as usize).ok_or_else(|| refuse("the header is not all there"))?;
    if !json.trim_ascii_start().starts_with(b"{") {
        return Err(refuse("the header is not JSON"));
    }
    let text = std::str::from_utf8(json).map_err(|_| refuse("the header is not UTF-8"))?;
    let (document, duplicates) = Document::from_json_up_to(name, text, MAX_READ as usize)?;
    if let Some(twice) = duplicates.first() {
        return Err(refuse(&format!("tensor `{}` is listed twice", twice.key)));
    }
    let findings = Findings::default();
    let mut header = Header::default();
    let mut spans = Vec::new();
    for (tensor, mut fields) in Fields::top(&document, "", &findings).into_sections() {
        if tensor != "__metadata__" {
            spans.push(read_tensor(name, tensor, &mut fields, &mut header)?);
        }
    }
    findings.conclude(())?;
    let end = spans.iter().map(|&(_, end)| end).max().unwrap_or(0);
    spans.retain(|(begin, end)| begin < end);
    spans.sort_unstable();
    if let Some(&[(_, end), (begin, _)]) = spans.windows(2).find(|pair| pair[1].0 < pair[0].1) {
        let what = format!("two tensors share bytes: one ends at {end}, the next begins at {begin}");
        return Err(ImportError::refused(name, what, "the file is damaged; fetch it again"));
    }
    header.check_size(name, size, 8 + length, end);
    Ok(header)
}

/// Where the data of a tensor begin and end.
type Bounds = (u64, u64);

/// Adds a tensor; returns where its data lie.
fn read_tensor(file: &str, name: &str, fields: &mut Fields<'_>, header: &mut Header) -> Result<Bounds, ImportError> {
    let refuse = |what: String| Err(ImportError::refused(file, what, "the file is damaged; fetch it again"));
    let dtype = fields.text("dtype").unwrap_or_default();
    let whole = |numbers: Vec<f64>| -> Option<Vec<u64>> {
        numbers.iter().map(|&n| (n.fract() == 0.0 && (0.0..9e15).contains(&n)).then_some(n as u64)).collect()
    };
    let (Some(shape), Some(offsets)) = (whole(fields.numbers("shape")), whole(fields.numbers("data_offsets"))) else {
        return refuse(format!("tensor `{name}`: shape and data_offsets must be whole numbers"));
    };
    let [begin, end] = offsets[..] else {
        return refuse(format!("tensor `{name}`: data_offsets must be two numbers"));
    };
    if end < begin {
        return refuse(format!("tensor `{name}`: data_offsets {begin} to {end} run backwards"));
    }
    let bytes = end - begin;
    let Some(elements) = shape.iter().try_fold(1u64, |product, &width| product.checked_mul(width)) else {
        return refuse(format!("tensor `{name}`: the element count overflows 64 bits"));
    };
    match DTYPES.iter().find(|(known, _)| *known == dtype) {
        Some((_, bits)) => {
            let needed = (u128::from(elements) * u128::from(*bits)).div_ceil(8);
            if needed != u128::from(bytes) {
                return refuse(format!("tensor `{name}`: its shape needs {needed} bytes, its offsets give {bytes}"));
            }
        }
        None => {
            let message =
                format!("tensor `{name}` has the unknown type `{dtype}`; its {bytes} bytes count as they are");
            header.warnings.push(Warning::new("unknown_dtype", message, "check the parameter count"));
        }
    }
    header.tensors.push(Tensor { name: name.to_owned(), dtype, shape, elements, bytes });
    Ok((begin, end))
}

impl Header {
    fn check_size(&mut self, name: &str, size: u64, data_start: u64, data_end: u64) {
        let whole = data_start.saturating_add(data_end);
        if size >= whole {
            return;
        }
        if size == data_start {
            self.is_header_only = true;
            return;
        }
        let message = format!("{name}: the file ends at byte {size} of {whole}; the tensor data are cut");
        self.warnings.push(Warning::new("truncated", message, "was the download cut short? Fetch the file again"));
    }
}
