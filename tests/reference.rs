//! The cost models against vectors of the reference models they were ported from: every row to a relative 1e-6.
//!
//! `tests/data/vectors/README.md` says what the vectors are.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use simllm::catalog;
use simllm::cost::gemm::{Memory, Request};
use simllm::cost::{self, attention, collective, gemm, mla, moe};
use simllm::kernel::{
    AllReduce, DecodeAttention, GroupedGemm, Kernel, KernelCall, LatentDecode, LatentPrefill, PrefillAttention, Stage,
};
use simllm::machine::AttentionCoefficients;
use simllm::plan;
use simllm::scenario::Scenario;
use simllm::spec::{CalibrationSpec, CostingClass};

const TOLERANCE: f64 = 1e-6;

fn rows<T: DeserializeOwned>(name: &str) -> Vec<T> {
    let path = format!("{}/tests/data/vectors/{name}.csv", env!("CARGO_MANIFEST_DIR"));
    let mut reader = csv::Reader::from_path(path).expect("vectors are in the repository");
    reader.deserialize().collect::<Result<_, _>>().expect("vectors have their columns")
}

fn set(id: &str) -> &'static CalibrationSpec {
    catalog::calibration(id).unwrap_or_else(|| panic!("no calibration set {id}"))
}

fn close(what: &str, ours: f64, reference: f64) {
    let difference = (ours / reference - 1.0).abs();
    assert!(difference < TOLERANCE, "{what}: {ours} against {reference}, off by {difference:e}");
}

#[derive(Debug, Deserialize)]
struct GemmRow {
    gpu: String,
    dtype: String,
    m: f64,
    n: f64,
    k: f64,
    ms: f64,
    tile_m: f64,
    tile_n: f64,
    split_k: f64,
    ctas: f64,
    waves: f64,
    bound: String,
}

#[test]
fn linear_layers() {
    let rows = rows::<GemmRow>("gemm");
    assert_eq!(rows.len(), 504);
    for row in &rows {
        let gemm = set(&row.gpu).gemm.as_ref().expect("a linear-layer set");
        let (name, element_bytes, quantises) = support::format(&row.dtype);
        let (_, fit) = gemm.formats.iter().find(|(format, _)| format == name).expect("the format");
        let tiles = &catalog::defaults().tile_sets;
        let (_, tiles) = tiles.iter().find(|(tile_set, _)| *tile_set == fit.tiles).expect("the tile set");
        let request = Request {
            shape: (row.m, row.n, row.k),
            element_bytes,
            tflops: support::tflops(&gemm.peaks, name),
            peaks: &gemm.peaks,
            fit,
            tiles,
            memory: Memory::Cold,
            quantises_activations: quantises,
        };
        let ours = gemm::price(&request);
        close(&format!("{row:?}"), ours.total_us / 1e3, row.ms);
        let choice = (ours.tile_m, ours.tile_n, ours.split_k, ours.ctas);
        assert_eq!(choice, (row.tile_m, row.tile_n, row.split_k, row.ctas), "{row:?}");
        close("waves", ours.waves, row.waves);
        let bound = match ours {
            t if t.dram_us > t.core_us => "memory",
            t if t.math_bound => "tensor",
            _ => "operand-feed",
        };
        assert_eq!(bound, row.bound, "{row:?}");
    }
}

fn attention_set(gpu: &str, framework: &str) -> AttentionCoefficients {
    let attention = set(gpu).attention.as_ref().expect("an attention set");
    let (_, prefill) = attention.prefill.iter().find(|(name, _)| name == framework).expect("prefill coefficients");
    let decode = attention.decode.iter().find(|(name, _)| name == framework);
    AttentionCoefficients {
        peaks: attention.peaks,
        set: None,
        class: CostingClass::Calibrated,
        prefill: *prefill,
        decode: decode.map(|(_, d)| *d).expect("decode coefficients"),
    }
}

#[derive(Debug, Deserialize)]
struct PrefillRow {
    gpu: String,
    framework: String,
    batch: f64,
    new_tokens: f64,
    heads: f64,
    kv_heads: f64,
    head_dim: f64,
    prefix: f64,
    window: f64,
    kv_bytes: f64,
    ms: f64,
}

#[test]
fn prefill_attention() {
    let rows = rows::<PrefillRow>("prefill_attention");
    assert_eq!(rows.len(), 324);
    for row in &rows {
        let kernel = PrefillAttention {
            sequences: row.batch,
            tokens: row.new_tokens,
            heads: row.heads,
            kv_heads: row.kv_heads,
            head_dim: row.head_dim,
            prefix: row.prefix,
            window: row.window,
            kv_bytes: row.kv_bytes,
        };
        let ours = attention::prefill(&kernel, &attention_set(&row.gpu, &row.framework));
        close(&format!("{row:?}"), ours.ms(), row.ms);
    }
}

#[derive(Debug, Deserialize)]
struct DecodeRow {
    gpu: String,
    framework: String,
    batch: f64,
    context: f64,
    heads: f64,
    kv_heads: f64,
    head_dim: f64,
    window: f64,
    kv_bytes: f64,
    ms: f64,
}

#[test]
fn decode_attention() {
    let rows = rows::<DecodeRow>("decode_attention");
    assert_eq!(rows.len(), 324);
    for row in &rows {
        let kernel = DecodeAttention {
            sequences: row.batch,
            context: row.context,
            heads: row.heads,
            kv_heads: row.kv_heads,
            head_dim: row.head_dim,
            window: row.window,
            selected: f64::INFINITY,
            kv_bytes: row.kv_bytes,
        };
        let ours = attention::decode(&kernel, &attention_set(&row.gpu, &row.framework), true);
        close(&format!("{row:?}"), ours.ms(), row.ms);
    }
}

#[derive(Debug, Deserialize)]
struct CollectiveRow {
    op: String,
    gpu: String,
    framework: String,
    ranks: f64,
    bytes: f64,
    ms: f64,
}

#[test]
fn collectives() {
    let rows = rows::<CollectiveRow>("collective");
    assert_eq!(rows.len(), 564);
    for row in &rows {
        let collective = &set(&row.gpu).collective;
        let nccl = |op: &str| collective.nccl.iter().find(|(name, _)| name == op).map(|(_, c)| *c);
        let kernel = AllReduce { ranks: row.ranks, bytes: row.bytes };
        let us = if row.framework == "nccl" {
            let wire = support::wire_share(&row.op, row.ranks) * row.bytes;
            collective::nccl_us(row.ranks, wire, &nccl(&row.op).expect("the operation"))
        } else {
            let own = collective.all_reduce.iter().find(|(name, _)| *name == row.framework);
            let (_, (own, beside)) = own.expect("the family");
            collective::framework_us(&kernel, own, &beside.or(nccl("all_reduce")).expect("NCCL"))
        };
        close(&format!("{row:?}"), us / 1e3, row.ms);
    }
}

#[derive(Debug, Deserialize)]
struct MoeRow {
    gpu: String,
    framework: String,
    dtype: String,
    tokens: f64,
    hidden: f64,
    intermediate_per_rank: f64,
    experts: f64,
    top_k: f64,
    ms: f64,
}

#[test]
fn mixtures_of_experts() {
    let rows = rows::<MoeRow>("moe");
    assert_eq!(rows.len(), 312);
    for row in &rows {
        let set = set(&row.gpu);
        let (_, formats) = set.moe.iter().find(|(name, _)| *name == row.framework).expect("the family");
        let format = support::expert_format(&row.dtype);
        let (_, coefficients) = formats.iter().find(|(name, _)| name == format.name()).expect("the format");
        let kernel = GroupedGemm {
            tokens: row.tokens,
            hidden: row.hidden,
            intermediate: row.intermediate_per_rank,
            experts: row.experts,
            top_k: row.top_k,
            matrices: 3.0,
            format,
            touched: None,
        };
        let peaks = set.attention.as_ref().expect("peaks").peaks;
        let ours = moe::grouped_gemm(&kernel, coefficients, &peaks, moe::Measured::default());
        close(&format!("{row:?}"), ours.ms(), row.ms);
    }
}

#[derive(Debug, Deserialize)]
struct MlaRow {
    phase: String,
    gpu: String,
    framework: String,
    batch: f64,
    length: f64,
    heads: f64,
    kv_bytes: f64,
    ms: f64,
}

#[test]
fn latent_attention() {
    let rows = rows::<MlaRow>("mla");
    assert_eq!(rows.len(), 136);
    for row in &rows {
        let set = set(&row.gpu);
        let peaks = set.attention.as_ref().expect("peaks").peaks;
        let ours = if row.phase == "decode" {
            let (_, c) = set.mla.decode.iter().find(|(name, _)| *name == row.framework).expect("the family");
            let kernel = LatentDecode {
                sequences: row.batch,
                context: row.length,
                selected: f64::INFINITY,
                heads: row.heads,
                latent: 512.0,
                rope: 64.0,
                kv_bytes: row.kv_bytes,
            };
            mla::decode(&kernel, c, &peaks, true)
        } else {
            let (_, c) = set.mla.prefill.iter().find(|(name, _)| *name == row.framework).expect("the family");
            let (sequences, tokens, heads) = (row.batch, row.length, row.heads);
            mla::prefill(&LatentPrefill { sequences, tokens, heads, key_dim: 192.0, value_dim: 128.0 }, c, &peaks)
        };
        close(&format!("{row:?}"), ours.ms(), row.ms);
    }
}

#[derive(Debug, Deserialize)]
struct StepRow {
    hardware: String,
    model: String,
    weight_dtype: String,
    tp: u64,
    prefill_seqs: Option<f64>,
    prefill_tokens: Option<f64>,
    decode_batch: Option<f64>,
    decode_context: Option<f64>,
    linear_ms: f64,
    attention_ms: f64,
    elementwise_ms: f64,
    collective_ms: f64,
    moe_ms: f64,
    head_ms: f64,
    total_ms: f64,
}

/// Kernel time of a step by the reference's classes: linear, attention, elementwise, collective, head, experts.
fn by_class(scenario: &Scenario, calls: &[KernelCall]) -> [f64; 6] {
    let mut classes = [0.0; 6];
    for call in calls.iter().filter(|call| call.in_reference) {
        let class = match (&call.kernel, call.stage) {
            (_, Stage::InputEmbeddingLoad | Stage::OutputLogitsRead | Stage::Sampling) => 4,
            (Kernel::Linear(_), _) => 0,
            (Kernel::PrefillAttention(_) | Kernel::KvCacheWrite(_) | Kernel::DecodeAttention(_), _) => 1,
            (Kernel::Elementwise(_), _) => 2,
            (Kernel::AllReduce(_), _) => 3,
            (Kernel::GroupedGemm(_), _) => 5,
            _ => continue,
        };
        classes[class] += cost::time(&call.kernel, &scenario.machine).ms() * call.calls;
    }
    classes
}

#[test]
fn steps() {
    let names = [
        ("meta-llama/Meta-Llama-3-8B", "llama-3-8b"),
        ("meta-llama/Llama-2-70b-hf", "llama-2-70b"),
        // The same shape.
        ("Qwen/Qwen2-7B", "qwen2.5-7b"),
        ("mistralai/Mixtral-8x7B-v0.1", "mixtral-8x7b"),
    ];
    let mut compared = 0;
    for row in rows::<StepRow>("step") {
        let Some((_, model)) = names.iter().find(|(name, _)| *name == row.model) else { continue };
        let batch = row.decode_batch.unwrap_or(1.0).to_string();
        let fields = [
            ("weights_dtype", row.weight_dtype.as_str()),
            ("tensor_parallel", &row.tp.to_string()),
            ("batch_size", &batch),
        ];
        let scenario = support::scenario(model, &row.hardware, &fields);
        let calls = match (row.prefill_seqs, row.prefill_tokens, row.decode_context) {
            (Some(sequences), Some(tokens), _) => plan::prefill_step(&scenario, sequences, tokens, 1.0),
            (_, _, Some(context)) => plan::decode(&scenario, context).calls,
            _ => panic!("neither prefill nor decode: {row:?}"),
        };
        let classes = by_class(&scenario, &calls);
        let reference =
            [row.linear_ms, row.attention_ms, row.elementwise_ms, row.collective_ms, row.head_ms, row.moe_ms];
        for (ours, reference) in classes.into_iter().zip(reference) {
            if reference == 0.0 {
                assert_eq!(ours, 0.0, "{row:?}");
            } else {
                close(&format!("{row:?} {classes:?}"), ours, reference);
            }
        }
        close("total", classes.iter().sum(), row.total_ms);
        compared += 1;
    }
    assert_eq!(compared, 288);
}

mod support;
