//! Safetensors checkpoints: exact bytes and parameters from the headers of all shards, held against the config.

pub(super) mod header;
mod logical;

use std::collections::{BTreeMap, BTreeSet};

use super::{Assumed, Facts, ImportError, Imported, Warning};
use crate::quantity::StorageDtype;
use crate::spec::{ArchitectureSpec, ClaimsSpec, Document, Fields, Findings, ModelSpec};
use header::Tensor;
use logical::Logical;

/// A shard: name, first bytes (at least the header) and size of the file.
#[derive(Clone, Copy, Debug)]
pub struct SafetensorsPart<'a> {
    /// The file's name without its folder, as the index calls it.
    pub name: &'a str,
    /// The first bytes.
    pub bytes: &'a [u8],
    /// Size of the whole file.
    pub size: u64,
}

/// A `model.safetensors.index.json`: which shard holds which tensor.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Index {
    /// Bytes of all tensors, as stated.
    pub total_size: Option<f64>,
    /// The shards it names.
    pub shards: BTreeSet<String>,
    /// How many tensors it lists.
    pub tensors: u64,
}

/// Reads an index; totals may be floats or texts, as some exporters write them.
///
/// # Errors
/// Not JSON, or no index.
pub fn read_index(name: &str, text: &str) -> Result<Index, ImportError> {
    let (document, _) = Document::from_json_up_to(name, text, header::MAX_READ as usize)?;
    let findings = Findings::default();
    let mut top = Fields::top(&document, "", &findings);
    let mut metadata = top.section("metadata");
    let total_size = metadata.loose_number("total_size").or_else(|| metadata.text("total_size")?.parse().ok());
    let map = top.table("weight_map");
    findings.conclude(())?;
    if map.is_empty() {
        return Err(ImportError::refused(name, "the index has no weight_map", "give the config.json beside it"));
    }
    let tensors = map.len() as u64;
    Ok(Index { total_size, tensors, shards: map.into_iter().map(|(_, shard)| shard).collect() })
}

/// Imports a checkpoint from the headers of its shards. Without a config the layers' shapes are partly unknown.
///
/// # Errors
/// A header is damaged.
pub fn import_safetensors(
    config: Option<Imported>,
    index: Option<&Index>,
    parts: &[SafetensorsPart<'_>],
) -> Result<Imported, ImportError> {
    let mut tensors = Vec::new();
    let mut warnings = Vec::new();
    let mut header_only = false;
    for part in parts {
        let header = header::read(part.name, part.bytes, part.size)?;
        header_only |= header.is_header_only;
        tensors.extend(header.tensors);
        warnings.extend(header.warnings);
    }
    let complete = check_index(index, parts, &tensors, &mut warnings);
    let mut imported = config.unwrap_or_else(|| outline(&tensors, parts));
    if header_only {
        imported.defaults.push(Assumed {
            field: "weight_bytes".to_owned(),
            value: "from the header".to_owned(),
            why: "the file holds a header only; it says what a whole file has".to_owned(),
        });
    }
    imported.warnings.extend(warnings);
    compare(&mut imported, &tensors, complete);
    imported.checked(parts.first().map_or("safetensors", |part| part.name))
}

/// Adds what an index says to a config; no shard is at hand.
pub(super) fn with_index(mut config: Imported, index: &Index) -> Imported {
    let Some(total) = index.total_size.filter(|total| total.fract() == 0.0 && (1.0..9e15).contains(total)) else {
        return config;
    };
    let total = total as u64;
    match config.facts.weights_bytes {
        Some(bytes) if bytes == total => {}
        Some(bytes) => {
            let message = format!("the index says {total} bytes of tensors, the config's shapes give {bytes}");
            config.warnings.push(Warning::new("total_differs", message, "are all shards of this model here?"));
        }
        None => config.facts.weights_bytes = Some(total),
    }
    config
}

/// Whether all shards are here and the stated total is right.
fn check_index(
    index: Option<&Index>,
    parts: &[SafetensorsPart<'_>],
    tensors: &[Tensor],
    warnings: &mut Vec<Warning>,
) -> bool {
    let Some(index) = index else { return parts.len() < 2 && !parts.iter().any(|p| p.name.contains("-of-")) };
    let missing: Vec<&str> =
        index.shards.iter().map(String::as_str).filter(|shard| !parts.iter().any(|p| p.name == *shard)).collect();
    if let Some(first) = missing.first() {
        let more = if missing.len() > 1 { format!(" and {} more", missing.len() - 1) } else { String::new() };
        let message = format!("shard {first}{more} of the index is missing");
        warnings.push(Warning::new("shard_missing", message, "fetch all shards, or trust the config's figures"));
    }
    let bytes: u128 = tensors.iter().map(|t| u128::from(t.bytes)).sum();
    let wrong = index.total_size.filter(|&total| {
        let below = missing.is_empty() || total < bytes as f64;
        below && total != bytes as f64
    });
    if let Some(total) = wrong {
        let message = format!("the index says total_size {total}, the tensors at hand have {bytes} bytes");
        warnings.push(Warning::new("total_differs", message, "the tensors count"));
    }
    missing.is_empty()
}

/// Layers by the numbers in the names; the rest is `None`.
fn layer_of(name: &str) -> Option<u64> {
    let mut words = name.split('.');
    words.by_ref().find(|word| matches!(*word, "layers" | "h" | "blocks" | "block"))?;
    words.next()?.parse().ok()
}

/// Elements and bytes without further prediction layers and tables that are there twice.
struct Totals {
    parameters: u64,
    bytes: u64,
    beyond: u64,
}

fn totals(tensors: &[Tensor], layers: Option<u64>, tied: bool, bits: Option<u64>) -> Totals {
    let logical = Logical::new(tensors, bits);
    let mut sum = Totals { parameters: 0, bytes: 0, beyond: 0 };
    for tensor in tensors {
        let text = !tensor.name.contains("vision") && !tensor.name.contains("visual");
        if text && layers.is_some_and(|layers| layer_of(&tensor.name).is_some_and(|layer| layer >= layers)) {
            sum.beyond = sum.beyond.saturating_add(tensor.bytes);
            continue;
        }
        sum.bytes = sum.bytes.saturating_add(tensor.bytes);
        if !(tied && tensor.name.ends_with("lm_head.weight")) {
            sum.parameters = sum.parameters.saturating_add(logical.parameters(tensor));
        }
    }
    sum
}

/// Holds the tensors against the description; the tensors give the bytes, the config the shapes.
fn compare(imported: &mut Imported, tensors: &[Tensor], complete: bool) {
    let architecture = &imported.profile.architecture;
    let tied = architecture.tied_embeddings == Some(true);
    let dtype = imported.profile.weights_dtype.map(StorageDtype::from);
    let bits = dtype.map(|dtype| dtype.bits().floor() as u64).filter(|&bits| bits <= 8);
    let totals = totals(tensors, architecture.layers, tied, bits);
    if totals.beyond > 0 {
        imported.defaults.push(Assumed {
            field: "weight_bytes".to_owned(),
            value: totals.bytes.to_string(),
            why: format!("{} bytes of layers that predict further tokens are not counted", totals.beyond),
        });
    }
    if !complete {
        return;
    }
    imported.facts.weights_bytes = Some(totals.bytes);
    match imported.facts.parameters_total {
        None => {
            imported.facts.parameters_total = Some(totals.parameters);
            let claims = &mut imported.profile.claims;
            claims.params_total = Some(totals.parameters as f64).filter(|&n| n > 0.0);
            claims.weight_bytes = Some(totals.bytes as f64).filter(|&n| n > 0.0);
        }
        Some(expected) if expected != totals.parameters => {
            let found = totals.parameters;
            let message =
                format!("the tensor list does not match config.json: {found} parameters, {expected} expected");
            imported.warnings.push(Warning::new("tensors_differ", message, "do both belong to one model?"));
        }
        Some(_) => {}
    }
}

/// What names and shapes say without a config: not how many heads share a projection, so no KV cache.
fn outline(tensors: &[Tensor], parts: &[SafetensorsPart<'_>]) -> Imported {
    let shape = |ending: &str| tensors.iter().find(|t| t.name.ends_with(ending)).map(|t| t.shape.clone());
    let embedding = shape("embed_tokens.weight").or_else(|| shape("wte.weight"));
    let (vocab, hidden) = match embedding.as_deref() {
        Some(&[rows, width]) => (Some(rows), Some(width)),
        _ => (None, None),
    };
    let in_range = |n: Option<u64>, most: u64| n.filter(|n| (1..=most).contains(n));
    let layers = tensors.iter().filter_map(|t| layer_of(&t.name)).max().and_then(|last| last.checked_add(1));
    let profile = ModelSpec {
        model_name: parts.first().map_or_else(|| "imported".to_owned(), |part| part.name.to_owned()),
        architecture: ArchitectureSpec {
            layers: in_range(layers, 10_000),
            hidden_size: in_range(hidden, 1 << 20),
            vocab_size: in_range(vocab, 1 << 26),
            intermediate_size: in_range(shape("mlp.up_proj.weight").and_then(|s| s.first().copied()), 1 << 22),
            ..ArchitectureSpec::default()
        },
        weights_dtype: main_type(tensors).map(StorageDtype::weight_dtype),
        claims: ClaimsSpec::default(),
        ..ModelSpec::default()
    };
    let facts = Facts { layers: profile.architecture.layers, ..Facts::default() };
    let why = "a safetensors header does not say how many heads share a projection; give the config.json beside it";
    let defaults =
        vec![Assumed { field: "architecture.heads".to_owned(), value: "unknown".to_owned(), why: why.to_owned() }];
    Imported { profile, facts, defaults, warnings: Vec::new() }
}

/// The type most elements have.
fn main_type(tensors: &[Tensor]) -> Option<StorageDtype> {
    let mut sums: BTreeMap<&str, u128> = BTreeMap::new();
    for tensor in tensors {
        *sums.entry(&tensor.dtype).or_default() += u128::from(tensor.bytes);
    }
    let (dtype, _) = sums.into_iter().max_by_key(|(_, bytes)| *bytes)?;
    match dtype {
        "F32" => Some(StorageDtype::Fp32),
        "F16" => Some(StorageDtype::Fp16),
        "BF16" => Some(StorageDtype::Bf16),
        "F8_E4M3" | "F8_E5M2" => Some(StorageDtype::Fp8),
        "I8" => Some(StorageDtype::Int8),
        "I32" | "U8" => Some(StorageDtype::Int4),
        _ => None,
    }
}
