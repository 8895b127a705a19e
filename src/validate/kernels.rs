//! Measured kernels against the cost models, set by set.
//!
//! Timing loops keep operands in the second-level cache, so kernels are priced warm, as they were measured; serving is
//! priced cold. A row whose device, library or type no calibration set describes is left out.

use crate::catalog;
use crate::cost::gemm::{Memory, Request};
use crate::cost::moe::Measured;
use crate::cost::{attention, collective, gemm, mla, moe};
use crate::import::measured::{KernelRow, KernelShape};
use crate::kernel::{
    AllReduce, DecodeAttention, ExpertFormat, GroupedGemm, LatentDecode, LatentPrefill, PrefillAttention,
};
use crate::machine::AttentionCoefficients;
use crate::spec::{CalibrationSpec, CostingClass, Peaks};

/// A measured kernel with its prediction.
#[derive(Clone, Debug, PartialEq)]
pub struct KernelCompared {
    /// Line of the file.
    pub line: u64,
    /// Kind of kernel: gemm, prefill, decode, comm, moe or mla.
    pub kind: &'static str,
    /// What shares coefficients: device and type, device and library.
    pub set: String,
    /// Measured, milliseconds.
    pub measured_ms: f64,
    /// Predicted, milliseconds; none where no set describes it.
    pub predicted_ms: Option<f64>,
}

impl KernelCompared {
    /// The measured column of the table, and how many of its units a millisecond has.
    #[must_use]
    pub fn metric(&self) -> (&'static str, f64) {
        if self.kind == "comm" { ("us", 1e3) } else { ("latency_ms", 1.0) }
    }
}

/// Compares a table of kernels.
#[must_use]
pub fn compare(rows: &[KernelRow]) -> Vec<KernelCompared> {
    rows.iter().map(one).collect()
}

fn one(row: &KernelRow) -> KernelCompared {
    let (library, dtype) = (library(row), row.dtype.as_deref().unwrap_or_default());
    let set = catalog::calibration(&row.gpu);
    let (kind, about, predicted_ms) = match &row.shape {
        KernelShape::Gemm { m, n, k } => ("gemm", dtype, set.and_then(|set| linear(set, dtype, (*m, *n, *k)))),
        KernelShape::PrefillAttention { .. } => ("prefill", library, set.and_then(|set| softmax(set, row, library))),
        KernelShape::DecodeAttention { .. } => ("decode", library, set.and_then(|set| softmax(set, row, library))),
        KernelShape::LatentAttention { .. } => ("mla", library, set.and_then(|set| latent(set, row, library))),
        KernelShape::Collective { op, ranks, bytes } => {
            let about = if library == "nccl" { op.as_str() } else { library };
            ("comm", about, set.and_then(|set| exchange(set, op, *ranks, *bytes, library)))
        }
        KernelShape::Experts { .. } => ("moe", library, set.and_then(|set| experts(set, row, library, dtype))),
    };
    let set = match kind {
        "moe" => format!("{} {about} {dtype}", row.gpu),
        _ => format!("{} {about}", row.gpu),
    };
    KernelCompared { line: row.line, kind, set, measured_ms: row.time_ms, predicted_ms }
}

/// `vllm` of `vllm`, `nccl` of `nccl-2.27.3`.
fn library(row: &KernelRow) -> &str {
    row.library.as_deref().and_then(|name| name.split('-').next()).unwrap_or_default()
}

/// A format of linear layers as the tables call it: our name, bytes of weights, activations and output, and whether a
/// kernel that quantises activations was timed with it.
fn format(dtype: &str) -> Option<(&'static str, (f64, f64, f64), bool)> {
    Some(match dtype {
        "bfloat16" => ("bf16", (2.0, 2.0, 2.0), false),
        "fp8" => ("fp8", (1.0, 1.0, 2.0), true),
        "fp8_block" => ("fp8_block", (1.0 + 4.0 / 16384.0, 1.0 + 4.0 / 128.0, 2.0), true),
        "nvfp4" => ("nvfp4", (0.5625, 0.5625, 2.0), true),
        "int8_wo" => ("int8_wo", (1.0, 2.0, 2.0), false),
        "int4_wo" => ("int4_wo", (33.0 / 64.0, 2.0, 2.0), false),
        "sq" => ("int8_w8a8", (1.0, 1.0, 2.0), false),
        _ => return None,
    })
}

fn tflops(peaks: &Peaks, format: &str) -> Option<f64> {
    match format {
        "fp8" | "fp8_block" => peaks.fp8_tflops,
        "nvfp4" => peaks.fp4_tflops,
        "int8_w8a8" => peaks.int8_tflops,
        _ => Some(peaks.bf16_tflops),
    }
}

fn linear(set: &CalibrationSpec, dtype: &str, (m, n, k): (f64, f64, f64)) -> Option<f64> {
    let gemm = set.gemm.as_ref()?;
    let (name, element_bytes, quantises_activations) = format(dtype)?;
    let (_, fit) = gemm.formats.iter().find(|(format, _)| format == name)?;
    let (_, tiles) = catalog::defaults().tile_sets.iter().find(|(tile_set, _)| *tile_set == fit.tiles)?;
    let request = Request {
        shape: (m.trunc(), n.trunc(), k.trunc()),
        element_bytes,
        tflops: tflops(&gemm.peaks, name)?,
        peaks: &gemm.peaks,
        fit,
        tiles,
        memory: Memory::BenchLoop,
        quantises_activations,
    };
    Some(gemm::price(&request).total_us / 1e3)
}

fn of<T: Copy>(table: &[(String, T)], name: &str) -> Option<T> {
    table.iter().find(|(known, _)| known == name).map(|(_, value)| *value)
}

fn kv_bytes(row: &KernelRow) -> f64 {
    if row.dtype.as_deref().is_some_and(|dtype| dtype.contains("fp8")) { 1.0 } else { 2.0 }
}

fn softmax(set: &CalibrationSpec, row: &KernelRow, library: &str) -> Option<f64> {
    let own = set.attention.as_ref()?;
    let fallback = &catalog::defaults().hbm;
    let (prefill, decode) = (of(&own.prefill, library), of(&own.decode, library));
    let costs = |prefill, decode| AttentionCoefficients {
        peaks: own.peaks,
        set: None,
        class: CostingClass::Calibrated,
        prefill,
        decode,
    };
    let kv_bytes = kv_bytes(row);
    match row.shape {
        KernelShape::PrefillAttention { sequences, tokens, heads, kv_heads, head_dim, window } => {
            let kernel =
                PrefillAttention { sequences, tokens, heads, kv_heads, head_dim, prefix: 0.0, window, kv_bytes };
            Some(attention::prefill(&kernel, &costs(prefill?, fallback.1)).ms())
        }
        KernelShape::DecodeAttention { sequences, context, heads, kv_heads, head_dim, window } => {
            let selected = f64::INFINITY;
            let kernel = DecodeAttention { sequences, context, heads, kv_heads, head_dim, window, selected, kv_bytes };
            Some(attention::decode(&kernel, &costs(fallback.0, decode?), false).ms())
        }
        _ => None,
    }
}

/// Widths of the latent vector and its parts in every model measured.
const LATENT: (f64, f64) = (512.0, 64.0);
const LATENT_HEAD: (f64, f64) = (192.0, 128.0);

fn latent(set: &CalibrationSpec, row: &KernelRow, library: &str) -> Option<f64> {
    let peaks = set.attention.as_ref()?.peaks;
    let KernelShape::LatentAttention { sequences, tokens, context, heads, decode } = row.shape else { return None };
    Some(if decode {
        let (latent, rope) = LATENT;
        let selected = f64::INFINITY;
        let kernel = LatentDecode { sequences, context, selected, heads, latent, rope, kv_bytes: kv_bytes(row) };
        mla::decode(&kernel, &of(&set.mla.decode, library)?, &peaks, false).ms()
    } else {
        let (key_dim, value_dim) = LATENT_HEAD;
        let kernel = LatentPrefill { sequences, tokens, heads, key_dim, value_dim };
        mla::prefill(&kernel, &of(&set.mla.prefill, library)?, &peaks).ms()
    })
}

fn exchange(set: &CalibrationSpec, op: &str, ranks: f64, bytes: f64, library: &str) -> Option<f64> {
    let nccl = |op: &str| of(&set.collective.nccl, op);
    let us = if library == "nccl" {
        let share = (ranks - 1.0) / ranks * if op == "all_reduce" { 2.0 } else { 1.0 };
        collective::nccl_us(ranks, share * bytes, &nccl(op)?)
    } else {
        let (own, beside) = of(&set.collective.all_reduce, library)?;
        collective::framework_us(&AllReduce { ranks, bytes }, &own, &beside.or_else(|| nccl("all_reduce"))?)
    };
    Some(us / 1e3)
}

fn experts(set: &CalibrationSpec, row: &KernelRow, library: &str, dtype: &str) -> Option<f64> {
    let KernelShape::Experts {
        tokens,
        hidden,
        intermediate,
        experts,
        top_k,
        tensor_parallel,
        expert_parallel,
        hits,
        padded_rows,
        gemms,
        ..
    } = &row.shape
    else {
        return None;
    };
    if *expert_parallel > 1.0 {
        return None;
    }
    let format = match dtype {
        "bfloat16" => ExpertFormat::Bf16,
        "fp8" => ExpertFormat::Fp8,
        "fp8_block" => ExpertFormat::Fp8Block,
        "nvfp4" => ExpertFormat::Nvfp4,
        "int4_wo" => ExpertFormat::WeightOnlyInt4,
        _ => return None,
    };
    let (_, formats) = set.moe.iter().find(|(name, _)| name == library)?;
    let kernel = GroupedGemm {
        tokens: *tokens,
        hidden: *hidden,
        intermediate: (intermediate / tensor_parallel).floor(),
        experts: *experts,
        top_k: *top_k,
        matrices: gemms.unwrap_or(3.0).trunc(),
        format,
        touched: None,
    };
    let peaks = set.attention.as_ref()?.peaks;
    let measured = Measured { hits: *hits, rows: *padded_rows, warm: true };
    Some(moe::grouped_gemm(&kernel, &of(formats, format.name())?, &peaks, measured).ms())
}
