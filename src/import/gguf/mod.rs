//! GGUF: metadata say what the model is, the tensor list says how large and how stored it is. Both are enough for
//! exact counts; no tensor is read.

mod file;
mod layer;
mod metadata;
mod types;

pub(super) use file::Stop;

use std::collections::{BTreeMap, HashSet};

use super::{Assumed, Facts, ImportError, Imported, Warning};
use crate::quantity::{KvDtype, StorageDtype};
use crate::spec::{ArchitectureSpec, LayerGroupSpec, ModelSpec, StorageSpec, WeightsSpec};
use file::{File, Tensor, Value};
use layer::Block;
use metadata::Metadata;

/// The first shard of a split set, or a whole file, by name, first bytes and size.
#[derive(Clone, Copy, Debug)]
pub struct GgufPart<'a> {
    /// What messages call it.
    pub name: &'a str,
    /// The first bytes: at least metadata and tensor list.
    pub bytes: &'a [u8],
    /// Size of the whole file.
    pub size: u64,
}

/// Elements and bytes of any real model stay far below this.
const MAX_TOTAL: u64 = 10_000_000_000_000_000;

/// Imports a GGUF file from its head.
///
/// # Errors
/// The head is damaged, of another version or cut short, or says too little.
pub fn import_gguf(part: GgufPart<'_>, others: &[GgufPart<'_>]) -> Result<Imported, ImportError> {
    match try_import(part, others) {
        Ok(imported) => Ok(imported),
        Err(Stop::Refused(error)) => Err(error),
        Err(Stop::NeedMore) => {
            Err(ImportError::refused(part.name, "the metadata go on beyond the bytes given", "give the whole file"))
        }
    }
}

/// Like [`import_gguf`], telling apart a wrong head from one that needs more bytes.
pub(super) fn try_import(part: GgufPart<'_>, others: &[GgufPart<'_>]) -> Result<Imported, Stop> {
    let mut file = file::read(part.name, part.bytes, part.size)?;
    let mut notes = Notes::default();
    notes.check_size(&part, &file);
    for other in others {
        let more = file::read(other.name, other.bytes, other.size)?;
        notes.check_size(other, &more);
        file.tensors.extend(more.tensors);
    }
    check_split(&part, &file, others.len(), &mut notes)?;
    let metadata = Metadata::read(part.name, &file).map_err(Stop::Refused)?;
    describe(&file, &metadata, notes).map_err(Stop::Refused)
}

#[derive(Default)]
struct Notes {
    defaults: Vec<Assumed>,
    warnings: Vec<Warning>,
}

impl Notes {
    fn check_size(&mut self, part: &GgufPart<'_>, file: &File) {
        let whole = file.whole_size();
        if part.size >= whole {
            return;
        }
        if part.size <= file.data_start {
            let why = "the file holds metadata only; the tensor list says what a whole file has";
            self.assume("weight_bytes", whole.saturating_sub(file.data_start), why);
            return;
        }
        let message = format!("{}: the file ends at byte {} of {whole}; the tensor data are cut", part.name, part.size);
        self.warnings.push(Warning::new("truncated", message, "was the download cut short? Fetch the file again"));
    }

    fn assume(&mut self, field: &str, value: impl ToString, why: &str) {
        self.defaults.push(Assumed { field: field.to_owned(), value: value.to_string(), why: why.to_owned() });
    }
}

/// A split set has its metadata in the first shard, which says how many tensors all of them hold.
fn check_split(part: &GgufPart<'_>, file: &File, others: usize, notes: &mut Notes) -> Result<(), Stop> {
    let Some(count) = file.number("split.count").filter(|&count| count > 1.0) else { return Ok(()) };
    let number = file.number("split.no").unwrap_or(0.0);
    if number > 0.0 {
        let what = format!("this is shard {} of {count}: the metadata are in shard 1", number + 1.0);
        return Err(Stop::Refused(ImportError::refused(part.name, what, "open shard 1 (…-00001-of-…)")));
    }
    let expected = file.number("split.tensors.count");
    let found = file.tensors.len() as f64;
    let message = if expected.is_some_and(|expected| expected != found) {
        format!("this is one of {count} shards: {found} of {} tensors are here", expected.unwrap_or(0.0))
    } else {
        format!("this is one of {count} shards: {others} more were read beside it")
    };
    notes.warnings.push(Warning::new("split", message, "keep all shards in one folder"));
    Ok(())
}

/// From metadata and tensors to facts and a profile.
fn describe(file: &File, metadata: &Metadata, mut notes: Notes) -> Result<Imported, ImportError> {
    let mut blocks: BTreeMap<u64, Vec<&Tensor>> = BTreeMap::new();
    let mut outside: Vec<&Tensor> = Vec::new();
    let mut names = HashSet::new();
    for tensor in &file.tensors {
        if !names.insert(tensor.name.as_str()) {
            let what = format!("tensor `{}` is listed twice", tensor.name);
            return Err(ImportError::refused(&metadata.file, what, "the file is damaged; fetch it again"));
        }
        match tensor.name.strip_prefix("blk.").and_then(|rest| rest.split('.').next()).and_then(|n| n.parse().ok()) {
            Some(index) if index < metadata.layers => blocks.entry(index).or_default().push(tensor),
            // Layers beyond the model's own predict further tokens; they are not part of it.
            Some(_) => {}
            None => outside.push(tensor),
        }
    }
    for (&index, tensors) in &blocks {
        if let Some(what) = (Block { index, tensors, metadata }).contradiction() {
            let help = "the query heads must be 1 or more, and a multiple of the KV heads: the file is damaged";
            return Err(ImportError::refused(&metadata.file, what, help));
        }
    }
    let groups = groups(&blocks, metadata, &mut notes);
    let outer = Outer::of(&outside, metadata);
    let beyond = file.tensors.len() - blocks.values().map(Vec::len).sum::<usize>() - outside.len();
    if beyond > 0 {
        notes.assume("architecture.layers", metadata.layers, "tensors of further prediction layers are not counted");
    }
    let total = |tensors: &[&Tensor]| {
        let sums = tensors.iter().map(|t| (u128::from(t.elements), u128::from(t.bytes)));
        sums.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1))
    };
    let (mut elements, mut bytes) = total(&outside);
    for tensors in blocks.values() {
        let sum = total(tensors);
        elements += sum.0;
        bytes += sum.1;
    }
    let fits = |n: u128| u64::try_from(n).ok().filter(|n| (1..=MAX_TOTAL).contains(n));
    let architecture = outer.architecture(metadata, groups);
    let vocab_fits = architecture.vocab_size.is_some_and(|rows| rows <= metadata::MAX_VOCAB);
    let (Some(elements), Some(bytes), true) = (fits(elements), fits(bytes), vocab_fits) else {
        let what = "the tensors fit no real model: no vocabulary, none at all, or too many elements";
        return Err(ImportError::refused(&metadata.file, what, "the file is damaged or holds no language model"));
    };
    let mut profile = ModelSpec { model_name: metadata.name.clone(), architecture, ..ModelSpec::default() };
    profile.storage = outer.storage(bytes, elements);
    profile.weights_dtype = main_type(file).map(StorageDtype::weight_dtype);
    profile.compute.rope_theta = metadata.rope_theta;
    profile.kv_dtype = Some(KvDtype::Bf16);
    notes.assume("kv_cache.dtype", KvDtype::Bf16, "the file prescribes no cache type; engines take 16 bit");
    let mut facts = Facts::of(&metadata.architecture, &profile);
    if facts.parameters_total.is_none() {
        return Err(ImportError::refused(
            &metadata.file,
            "the metadata do not fit any real model",
            "the file is damaged",
        ));
    }
    if let Some(described) = facts.parameters_total.filter(|&described| described != elements)
        && notes.warnings.is_empty()
    {
        let message = format!("the tensors hold {elements} parameters, the metadata describe {described}");
        notes.warnings.push(Warning::new("tensors_differ", message, "the tensor list counts"));
    }
    let idle = facts.parameters_text.zip(facts.parameters_active).map_or(0, |(text, active)| text - active);
    facts.parameters_total = Some(elements);
    facts.parameters_text = Some(elements);
    facts.parameters_active = Some(elements.saturating_sub(idle));
    facts.weights_bytes = Some(bytes);
    Imported { profile, facts, defaults: notes.defaults, warnings: notes.warnings }
        .with_source(&metadata.file)
        .checked(&metadata.file)
}

/// The layers by shape and storage. A block whose tensors are not there looks like the first one that has any.
fn groups(blocks: &BTreeMap<u64, Vec<&Tensor>>, metadata: &Metadata, notes: &mut Notes) -> Vec<LayerGroupSpec> {
    let missing = metadata.layers - blocks.len() as u64;
    if missing > 0 {
        let message =
            format!("block_count is {}, the tensors of {missing} blocks are not in the file", metadata.layers);
        notes.warnings.push(Warning::new("blocks_missing", message, "is the file part of a split set, or cut short?"));
    }
    let mut groups: Vec<LayerGroupSpec> = Vec::new();
    for index in 0..metadata.layers {
        let tensors = blocks.get(&index).or_else(|| blocks.values().next()).map_or(&[][..], Vec::as_slice);
        let layer = Block { index, tensors, metadata }.describe();
        let same = |g: &&mut LayerGroupSpec| {
            g.attention == layer.attention && g.ffn == layer.ffn && g.other_parameters == layer.other_parameters
        };
        match groups.iter_mut().find(same) {
            Some(group) => group.count += 1,
            None => groups.push(layer),
        }
    }
    groups
}

/// Elements and bytes outside the blocks.
#[derive(Default)]
struct Outer {
    embedding: Option<(u64, u64, StorageSpec)>,
    head: Option<StorageSpec>,
    other: u64,
    table: u64,
}

impl Outer {
    fn of(tensors: &[&Tensor], metadata: &Metadata) -> Self {
        let mut outer = Self::default();
        for tensor in tensors {
            match (tensor.name.as_str(), &tensor.shape[..]) {
                ("token_embd.weight", [width, rows]) if *width == metadata.hidden => {
                    outer.embedding = Some((*width, *rows, storage_of(&[tensor])));
                }
                ("output.weight", _) => outer.head = Some(storage_of(&[tensor])),
                ("position_embd.weight" | "token_types.weight" | "per_layer_token_embd.weight", _) => {
                    outer.table = outer.table.saturating_add(tensor.elements);
                }
                _ => outer.other = outer.other.saturating_add(tensor.elements),
            }
        }
        outer
    }

    fn architecture(&self, metadata: &Metadata, layer_groups: Vec<LayerGroupSpec>) -> ArchitectureSpec {
        ArchitectureSpec {
            layers: Some(metadata.layers),
            hidden_size: Some(metadata.hidden),
            vocab_size: self.embedding.map(|(_, rows, _)| rows).filter(|&rows| rows > 0).or(metadata.vocab),
            tied_embeddings: Some(self.head.is_none()),
            max_position_embeddings: metadata.context,
            other_parameters: (self.other > 0).then_some(self.other),
            table_parameters: (self.table > 0).then_some(self.table),
            layer_groups,
            ..ArchitectureSpec::default()
        }
    }

    /// What is stored how; norms and biases are 32-bit in this format.
    fn storage(&self, bytes: u64, elements: u64) -> WeightsSpec {
        let other = StorageSpec { dtype: Some(StorageDtype::Fp32), ..StorageSpec::default() };
        let average = StorageSpec { bits: Some(bytes as f64 * 8.0 / elements.max(1) as f64), ..StorageSpec::default() };
        WeightsSpec {
            linear: average,
            embedding: self.embedding.map(|(.., storage)| storage).unwrap_or_default(),
            lm_head: self.head.unwrap_or_default(),
            other,
            vision: StorageSpec::default(),
        }
    }
}

/// Storage of tensors together: the type most elements have, and the exact bits.
fn storage_of(tensors: &[&Tensor]) -> StorageSpec {
    let elements: u128 = tensors.iter().map(|t| u128::from(t.elements)).sum();
    let bytes: u128 = tensors.iter().map(|t| u128::from(t.bytes)).sum();
    let Some(largest) = tensors.iter().max_by_key(|t| t.elements).filter(|_| elements > 0) else {
        return StorageSpec::default();
    };
    let dtype = dtype_of(largest.kind.name);
    let bits = bytes as f64 * 8.0 / elements as f64;
    StorageSpec { dtype: Some(dtype), group_size: None, bits: (bits != dtype.bits()).then_some(bits) }
}

/// The storage type nearest to a ggml type.
fn dtype_of(name: &str) -> StorageDtype {
    match name {
        "F32" | "F64" | "I32" | "I64" => StorageDtype::Fp32,
        "F16" | "I16" => StorageDtype::Fp16,
        "BF16" => StorageDtype::Bf16,
        "Q8_0" | "Q8_1" | "Q8_K" | "I8" => StorageDtype::Int8,
        "MXFP4" => StorageDtype::Fp4,
        _ => StorageDtype::Int4,
    }
}

/// The type that most elements of the matrices have.
fn main_type(file: &File) -> Option<StorageDtype> {
    let mut sums: BTreeMap<StorageDtype, u128> = BTreeMap::new();
    for tensor in file.tensors.iter().filter(|t| t.name.starts_with("blk.") && t.shape.len() > 1) {
        *sums.entry(dtype_of(tensor.kind.name)).or_default() += u128::from(tensor.elements);
    }
    sums.into_iter().max_by_key(|(_, elements)| *elements).map(|(dtype, _)| dtype)
}
