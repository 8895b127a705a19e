//! The methods, a function each: from their keys to a [`Scheme`].

use super::{Format, Pattern, Scheme};
use crate::import::hf::reader::Reader;
use crate::quantity::{KvDtype, StorageDtype};
use crate::spec::Fields;

/// What an unquantised section looks like to the caller.
pub(in crate::import::hf) enum Quantisation {
    /// 16 or 32 bit throughout.
    None,
    /// Known.
    Scheme(Box<Scheme>),
    /// Quantised in a way that is not covered: the bytes are unknown.
    Unknown,
}

type Method = fn(&mut Fields<'_>, u64) -> Option<Scheme>;

/// Methods by `quant_method`.
const METHODS: &[(&[&str], Method)] = &[
    (&["fp8"], fp8),
    (&["fbgemm_fp8", "ptpc_fp8"], fp8_rows),
    (&["awq", "gptq", "auto-round", "autoround", "intel/auto-round", "awq_marlin", "gptq_marlin"], grouped_integers),
    (&["compressed-tensors", "compressed_tensors"], compressed_tensors),
    (&["bitsandbytes"], bitsandbytes),
    (&["mxfp4"], mxfp4),
    (&["modelopt", "modelopt_fp4"], modelopt),
    (&["eetq"], integers_8),
];

/// Reads `quantization_config`, or the `quantization` of a `hf_quant_config.json`. `scale_bits` is the family's width
/// of a block scale.
pub(in crate::import::hf) fn read(
    reader: &mut Reader<'_>,
    config: Option<Fields<'_>>,
    companion: Option<Fields<'_>>,
    scale_bits: u64,
) -> Quantisation {
    let Some(mut fields) = config.filter(|c| !c.is_empty()).or(companion) else { return Quantisation::None };
    let by_algo = fields.has("quant_algo") && !fields.has("quant_method");
    let method = if by_algo { "modelopt".to_owned() } else { fields.text("quant_method").unwrap_or_default() };
    let known = METHODS.iter().find(|(names, _)| names.contains(&method.to_lowercase().as_str()));
    match known.and_then(|(_, read)| read(&mut fields, scale_bits)) {
        Some(scheme) => Quantisation::Scheme(Box::new(scheme)),
        None => {
            let algo = fields.text("quant_algo").map(|a| format!(" with quant_algo `{a}`")).unwrap_or_default();
            let what = format!("quant_method `{method}`{algo} is unknown: the bytes of the weights are unknown, too");
            reader.warn("unknown_quantisation", what, "state weights.dtype and weights.bits in the profile");
            Quantisation::Unknown
        }
    }
}

fn patterns(fields: &mut Fields<'_>, keys: &[&'static str]) -> Vec<Pattern> {
    keys.iter().flat_map(|key| fields.texts(key)).filter_map(|text| Pattern::parse(&text)).collect()
}

const IGNORE: &[&str] =
    &["modules_to_not_convert", "ignore", "ignored_layers", "exclude_modules", "modules_to_not_convert_"];

/// DeepSeek's: a scale per block, or per tensor where no block is given. `expert_dtype` says that experts are narrower.
fn fp8(fields: &mut Fields<'_>, scale_bits: u64) -> Option<Scheme> {
    let block = fields.numbers("weight_block_size");
    let mut scheme = match block[..] {
        [rows, columns] if rows >= 1.0 && columns >= 1.0 => {
            let block = (rows as u64, columns as u64);
            Scheme::of(Format::blocks(StorageDtype::Fp8, 8.0, block, scale_bits as f64))
        }
        _ => Scheme::of(Format::tensor(StorageDtype::Fp8, 8.0, tensor_scales(fields))),
    };
    scheme.block_scales = !block.is_empty();
    scheme.ignore = patterns(fields, IGNORE);
    Some(scheme)
}

/// A 32-bit scale of the weights, and one of the activations unless they are scaled as they come.
fn tensor_scales(fields: &mut Fields<'_>) -> f64 {
    if fields.text("activation_scheme").as_deref() == Some("dynamic") { 32.0 } else { 64.0 }
}

fn fp8_rows(fields: &mut Fields<'_>, _: u64) -> Option<Scheme> {
    let mut scheme = Scheme::of(Format::blocks(StorageDtype::Fp8, 8.0, (1, 0), 32.0));
    scheme.ignore = patterns(fields, IGNORE);
    Some(scheme)
}

fn integers_8(fields: &mut Fields<'_>, _: u64) -> Option<Scheme> {
    let mut scheme = Scheme::of(Format::blocks(StorageDtype::Int8, 8.0, (1, 0), 16.0));
    scheme.ignore = patterns(fields, IGNORE);
    Some(scheme)
}

/// AWQ, GPTQ and relatives: packed integers, a 16-bit scale and a zero point per group; GPTQ adds a group index.
fn grouped_integers(fields: &mut Fields<'_>, _: u64) -> Option<Scheme> {
    let method = fields.text("quant_method").unwrap_or_default().to_lowercase();
    let bits = fields.number("bits", crate::spec::Range { low: 2.0, high: 8.0 })?;
    let group = fields.number("group_size", crate::spec::Range { low: -1.0, high: 65536.0 }).unwrap_or(128.0);
    let dtype = if bits > 4.0 { StorageDtype::Int8 } else { StorageDtype::Int4 };
    let format = Format {
        input_bits: if method.starts_with("gptq") { 32.0 } else { 0.0 },
        ..Format::blocks(dtype, bits, (1, group.max(0.0) as u64), 16.0 + bits)
    };
    let mut scheme = Scheme::of(format);
    scheme.head = fields.flag("lm_head").unwrap_or(false);
    scheme.ignore = patterns(fields, IGNORE);
    Some(scheme)
}

/// 4 or 8 bits with a scale per 64 elements, itself quantised if asked for.
fn bitsandbytes(fields: &mut Fields<'_>, _: u64) -> Option<Scheme> {
    let four = fields.flag("load_in_4bit").or_else(|| fields.flag("_load_in_4bit")).unwrap_or(false);
    let format = if four {
        let double = fields.flag("bnb_4bit_use_double_quant").unwrap_or(false);
        // 8 bits and their share of a 32-bit scale per 256, or 32 bits.
        Format::blocks(StorageDtype::Int4, 4.0, (1, 64), if double { 8.125 } else { 32.0 })
    } else {
        Format::blocks(StorageDtype::Int8, 8.0, (1, 0), 32.0)
    };
    let mut scheme = Scheme::of(format);
    scheme.ignore = patterns(fields, &["llm_int8_skip_modules", "modules_to_not_convert"]);
    Some(scheme)
}

/// Experts in 4-bit floats with an 8-bit exponent per 32.
fn mxfp4(fields: &mut Fields<'_>, _: u64) -> Option<Scheme> {
    let mut scheme = Scheme::of(Format::blocks(StorageDtype::Fp4, 4.0, (1, 32), 8.0));
    scheme.experts_only = true;
    scheme.ignore = patterns(fields, IGNORE);
    Some(scheme)
}

/// NVIDIA ModelOpt: an algorithm for all, or one per module.
fn modelopt(fields: &mut Fields<'_>, _: u64) -> Option<Scheme> {
    if fields.has("quantization") && !fields.has("quant_algo") {
        return modelopt(&mut fields.section("quantization"), 0);
    }
    let kv = fields.text("kv_cache_quant_algo").as_deref().and_then(kv_of).or_else(|| kv_scheme(fields));
    let ignore = patterns(fields, IGNORE);
    let algo = fields.text("quant_algo");
    let mut scheme = match algo.as_deref() {
        Some("MIXED_PRECISION") => mixed(fields)?,
        Some(algo) => Scheme::of(algorithm(algo, fields.count("group_size", 1 << 16))?),
        None => compressed_tensors(fields, 0)?,
    };
    scheme.kv = kv.or(scheme.kv);
    scheme.ignore.extend(ignore);
    Some(scheme)
}

fn kv_of(algo: &str) -> Option<KvDtype> {
    match algo {
        "FP8" => Some(KvDtype::Fp8),
        "INT8" => Some(KvDtype::Int8),
        "NVFP4" | "INT4" | "FP4" => Some(KvDtype::Int4),
        _ => None,
    }
}

/// Type and bits of the KV cache, as compressed-tensors writes them.
fn kv_scheme(fields: &mut Fields<'_>) -> Option<KvDtype> {
    let mut scheme = fields.section("kv_cache_scheme");
    match (scheme.loose_number("num_bits"), scheme.text("type").as_deref()) {
        (Some(8.0), Some("int")) => Some(KvDtype::Int8),
        (Some(8.0), _) => Some(KvDtype::Fp8),
        (Some(4.0), _) => Some(KvDtype::Int4),
        _ => None,
    }
}

/// An algorithm by ModelOpt's name.
fn algorithm(name: &str, group: Option<u64>) -> Option<Format> {
    Some(match name {
        "FP8" => Format::tensor(StorageDtype::Fp8, 8.0, 64.0),
        "FP8_PER_CHANNEL_PER_TOKEN" => Format::blocks(StorageDtype::Fp8, 8.0, (1, 0), 32.0),
        "FP8_PB_WO" | "FP8_PB_REAL" => Format::blocks(StorageDtype::Fp8, 8.0, (128, 128), 32.0),
        "NVFP4" | "NVFP4_AWQ" | "W4A8_NVFP4_FP8" => {
            let blocks = Format::blocks(StorageDtype::Fp4, 4.0, (1, group.unwrap_or(16)), 8.0);
            Format { tensor_bits: 64.0, ..blocks }
        }
        "MXFP4" | "W4A8_MXFP4_FP8" => Format::blocks(StorageDtype::Fp4, 4.0, (1, group.unwrap_or(32)), 8.0),
        "W4A16" | "W4A16_AWQ" | "W4A8_AWQ" | "INT4_AWQ" => {
            Format::blocks(StorageDtype::Int4, 4.0, (1, group.unwrap_or(128)), 16.0)
        }
        "W8A16" | "W8A8_SQ_PER_CHANNEL" | "INT8_SQ" => Format::blocks(StorageDtype::Int8W8A8, 8.0, (1, 0), 32.0),
        _ => return None,
    })
}

/// `quantized_layers`: an algorithm per module; what is not listed stays as it is.
fn mixed(fields: &mut Fields<'_>) -> Option<Scheme> {
    let mut groups: Vec<(String, u64, Format, Vec<Pattern>)> = Vec::new();
    let mut seen = std::collections::HashSet::new();
    for (name, mut section) in fields.sections("quantized_layers") {
        let algo = section.text("quant_algo").unwrap_or_default();
        let size = section.count("group_size", 1 << 16);
        // The experts of a layer are listed one by one, but stored alike.
        let name = without_expert(name);
        if !seen.insert(name.clone()) {
            continue;
        }
        let Some(pattern) = Pattern::parse(&name) else { continue };
        let index = groups.iter().position(|(a, s, ..)| *a == algo && *s == size.unwrap_or(0));
        match index {
            Some(index) => groups[index].3.push(pattern),
            None => groups.push((algo.clone(), size.unwrap_or(0), algorithm(&algo, size)?, vec![pattern])),
        }
    }
    let groups = groups.into_iter().map(|(.., format, patterns)| (patterns, format)).collect();
    Some(Scheme { groups, head: false, ..Scheme::default() })
}

/// `mlp.experts.17.up_proj` without its number.
fn without_expert(name: &str) -> String {
    let words: Vec<&str> = name.split('.').collect();
    let is_number = |i: usize| i > 0 && words[i - 1] == "experts" && words[i].bytes().all(|b| b.is_ascii_digit());
    (0..words.len()).filter(|&i| !is_number(i)).map(|i| words[i]).collect::<Vec<_>>().join(".")
}

/// vLLM's compressed-tensors: groups of targets, each with bits, type and strategy.
fn compressed_tensors(fields: &mut Fields<'_>, _: u64) -> Option<Scheme> {
    let packed = fields.text("format").unwrap_or_default();
    let mut scheme = Scheme { head: true, ignore: patterns(fields, IGNORE), ..Scheme::default() };
    for (_, mut group) in fields.sections("config_groups") {
        let targets = group.texts("targets");
        let everything = targets.is_empty() || targets.iter().any(|t| t == "Linear");
        let meant = if everything { Vec::new() } else { targets.iter().filter_map(|t| Pattern::parse(t)).collect() };
        let activations = group.section("input_activations");
        let weights_only = activations.is_empty();
        let own = group.text("format").unwrap_or_else(|| packed.clone());
        let mut weights = group.section("weights");
        scheme.groups.push((meant, compressed(&mut weights, weights_only, &own)?));
    }
    scheme.kv = kv_scheme(fields);
    (!scheme.groups.is_empty()).then_some(scheme)
}

fn compressed(weights: &mut Fields<'_>, weights_only: bool, packed: &str) -> Option<Format> {
    let bits = weights.number("num_bits", crate::spec::Range { low: 2.0, high: 16.0 })?;
    let is_float = weights.text("type").as_deref() == Some("float");
    let dtype = match (bits > 4.0, is_float) {
        (true, true) => StorageDtype::Fp8,
        (true, false) if weights_only => StorageDtype::Int8,
        (true, false) => StorageDtype::Int8W8A8,
        (false, true) => StorageDtype::Fp4,
        (false, false) => StorageDtype::Int4,
    };
    let zero = if weights.flag("symmetric") == Some(false) { bits } else { 0.0 };
    let group = weights.number("group_size", crate::spec::Range { low: -1.0, high: 65536.0 });
    let group = group.filter(|&size| size >= 1.0).map(|size| size as u64);
    let block = weights.numbers("block_structure");
    let four_bit_float = dtype == StorageDtype::Fp4;
    // Floats of 4 bits have 8-bit scales per group, and NVFP4 a 32-bit one (and one of the inputs) per tensor.
    let scale = if four_bit_float { 8.0 } else { 16.0 };
    let mut format = match (weights.text("strategy").as_deref(), group, &block[..]) {
        (Some("tensor"), ..) => Format::tensor(dtype, bits, scale),
        (_, _, [rows, columns]) => Format::blocks(dtype, bits, (*rows as u64, *columns as u64), scale),
        (Some("channel"), ..) | (_, None, _) => Format::blocks(dtype, bits, (1, 0), scale + zero),
        (_, Some(size), _) => Format::blocks(dtype, bits, (1, size), scale + zero),
    };
    if packed.starts_with("nvfp4") {
        format.tensor_bits += 64.0;
    }
    Some(format)
}
