//! Our own tables of measured kernels: one kernel a row, with its shape and time.

use super::Sign;
use crate::import::measured::Refusal;
use crate::import::measured::content::Content;
use crate::import::measured::draft::Draft;
use crate::import::measured::table::RowView;

/// Columns of each kind of table.
pub(super) const GEMM: &[&str] = &["gpu", "dtype", "m", "n", "k", "latency_ms"];
/// Mixture of experts.
pub(super) const MOE: &[&str] = &["gpu", "moe_dtype", "num_tokens", "topk", "num_experts", "latency_ms"];
/// Latent attention, prefill and decode in one table.
pub(super) const MLA: &[&str] = &["gpu", "num_heads", "batch_size", "isl", "step", "latency_ms", "op"];
/// Decode attention.
pub(super) const DECODE: &[&str] = &["gpu", "batch_size", "step", "num_heads", "num_key_value_heads", "latency_ms"];
/// Prefill attention.
pub(super) const PREFILL: &[&str] = &["gpu", "batch_size", "isl", "num_heads", "num_key_value_heads", "latency_ms"];
/// Collectives.
pub(super) const COMM: &[&str] = &["gpu", "num_gpus", "bytes", "us", "op"];

/// One measured kernel.
#[derive(Clone, Debug, PartialEq)]
pub struct KernelRow {
    /// Line of the file.
    pub line: u64,
    /// The device as written.
    pub gpu: String,
    /// The library or engine that ran it, as written.
    pub library: Option<String>,
    /// Its version.
    pub version: Option<String>,
    /// The dtype of operands, or of the cache in attention, as written.
    pub dtype: Option<String>,
    /// What was run.
    pub shape: KernelShape,
    /// Time of one call.
    pub time_ms: f64,
}

/// A kernel's shape; counts may be fractional where a table averages.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum KernelShape {
    /// C(m, n) = A(m, k)·B(k, n).
    Gemm { m: f64, n: f64, k: f64 },
    /// Causal attention over a whole prompt; `window` 0 is full.
    PrefillAttention { sequences: f64, tokens: f64, heads: f64, kv_heads: f64, head_dim: f64, window: f64 },
    /// One new token per sequence; `context` counts it; `window` 0 is full.
    DecodeAttention { sequences: f64, context: f64, heads: f64, kv_heads: f64, head_dim: f64, window: f64 },
    /// Latent attention; decode where `tokens` is 1.
    LatentAttention { sequences: f64, tokens: f64, context: f64, heads: f64, decode: bool },
    /// A collective over ranks.
    Collective { op: String, ranks: f64, bytes: f64 },
    /// Routed experts.
    Experts {
        tokens: f64,
        hidden: f64,
        intermediate: f64,
        experts: f64,
        top_k: f64,
        tensor_parallel: f64,
        expert_parallel: f64,
        distribution: Option<String>,
        /// Experts that get a token.
        hits: Option<f64>,
        /// Rows after padding to tiles.
        padded_rows: Option<f64>,
        /// Matrix products per expert.
        gemms: Option<f64>,
    },
}

/// A table of any of the kinds.
pub(super) fn read(_: &Content<'_>, draft: &mut Draft<'_>) -> Result<(), Refusal> {
    let Sign::Columns(columns) = draft.sign() else { return Ok(()) };
    let table = draft.table(columns)?;
    let mut bad = Vec::new();
    for row in table.rows() {
        match kernel(&row, columns) {
            Some(kernel) => draft.kernels.push(kernel),
            None => bad.push(row.line),
        }
    }
    if draft.kernels.is_empty() {
        return Err(Refusal::new("no row has a shape and a time", "every column of the header needs a number"));
    }
    if let Some(first) = bad.first() {
        draft.caution(format!("{} rows lack a number and are left out, the first in line {first}", bad.len()));
    }
    Ok(())
}

fn kernel(row: &RowView<'_>, columns: &[&str]) -> Option<KernelRow> {
    let text = |names: &[&str]| names.iter().find_map(|name| row.text(name)).map(str::to_owned);
    let micros = row.number("us").map(|us| us / 1e3);
    Some(KernelRow {
        line: row.line,
        gpu: text(&["gpu"])?,
        library: text(&["fw", "src", "source"]),
        version: text(&["ver"]),
        dtype: text(&["dtype", "moe_dtype", "kv_cache_dtype"]),
        shape: shape(row, columns)?,
        time_ms: row.number("latency_ms").or(micros).filter(|ms| *ms > 0.0)?,
    })
}

fn shape(row: &RowView<'_>, columns: &[&str]) -> Option<KernelShape> {
    let n = |column: &str| row.number(column);
    if columns == GEMM {
        return Some(KernelShape::Gemm { m: n("m")?, n: n("n")?, k: n("k")? });
    }
    if columns == COMM {
        let op = row.text("op")?.to_owned();
        return Some(KernelShape::Collective { op, ranks: n("num_gpus")?, bytes: n("bytes")? });
    }
    if columns == MOE {
        return experts(row);
    }
    let (sequences, heads) = (n("batch_size")?, n("num_heads")?);
    if columns == MLA {
        let decode = row.text("op")?.contains("decode");
        let (tokens, context) = (n("isl")?, n("step")? + n("isl")?);
        return Some(KernelShape::LatentAttention { sequences, tokens, context, heads, decode });
    }
    let (kv_heads, head_dim, window) = (n("num_key_value_heads")?, n("head_dim")?, n("window_size").unwrap_or(0.0));
    Some(if columns == DECODE {
        let context = n("step")? + 1.0;
        KernelShape::DecodeAttention { sequences, context, heads, kv_heads, head_dim, window }
    } else {
        KernelShape::PrefillAttention { sequences, tokens: n("isl")?, heads, kv_heads, head_dim, window }
    })
}

fn experts(row: &RowView<'_>) -> Option<KernelShape> {
    let n = |column: &str| row.number(column);
    Some(KernelShape::Experts {
        tokens: n("num_tokens")?,
        hidden: n("hidden_size")?,
        intermediate: n("inter_size")?,
        experts: n("num_experts")?,
        top_k: n("topk")?,
        tensor_parallel: n("moe_tp_size").unwrap_or(1.0),
        expert_parallel: n("moe_ep_size").unwrap_or(1.0),
        distribution: row.text("distribution").map(str::to_owned),
        hits: n("hits"),
        padded_rows: n("padrows"),
        gemms: n("n_gemm"),
    })
}
