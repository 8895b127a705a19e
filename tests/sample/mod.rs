//! Real reports of every kind that a page can have, and ways to look into a page.

use std::sync::OnceLock;

use simllm::emit::html;
use simllm::report::text::Lang;
use simllm::report::{Record, Report, ReportOrigin, page};

use super::support;
pub use super::support::page::{markup, words};

/// A page with the report behind it.
pub struct Case {
    pub name: &'static str,
    pub report: Report,
    pub html: String,
}

/// A model name that wants to be markup and a shell command.
pub const HOSTILE: &str = "x</script><img src=x onerror=alert(1)>'; rm -rf ~ $(id)";

const LLAMA: &str = "llama-3-8b";
const A100: &str = "a100_80gb_pcie";

/// A profile that states little of its architecture and claims much.
const ARTICLE: &str = r#"
model_name: "Llama-3-8B-Jalapeño-v2.1"
params_total: 7000000000
compute_profile: {qkv_gemm_dtype: fp16, rope_theta: 10000.0, rope_base: 1000000.0}
memory_profile: {kv_cache_bytes_per_layer: 131072, cache_line_alignment: 64}
io_profile: {prefill_input_bandwidth_gb_s: 12.8}
latency_profile: {prefill_latency_ms: 150.0, decode_latency_ms_per_token: 8.5, token_generation_overhead_ms: 2.1}
hardware_constraint: {tensor_core_support: true, min_sm_arch: sm_80}
"#;

/// Layers of three shapes: their kernels share names and some share shapes.
const MIXED: &str = r#"
model_name: "three-shapes"
architecture:
  layers: 30
  hidden_size: 4096
  vocab_size: 128000
  max_position_embeddings: 32768
  layer_groups:
    - count: 2
      attention: {kind: full, heads: 32, kv_heads: 8, head_dim: 128}
      ffn: {kind: dense, intermediate_size: 12288, gated: true}
    - count: 14
      attention: {kind: full, heads: 32, kv_heads: 8, head_dim: 128}
      ffn: {kind: moe, experts: 64, top_k: 6, expert_intermediate_size: 1408, gated: true}
    - count: 14
      attention: {kind: sliding, window: 1024, heads: 32, kv_heads: 4, head_dim: 128}
      ffn: {kind: moe, experts: 64, top_k: 6, expert_intermediate_size: 1408, gated: true}
"#;

type Sample = (&'static str, Lang, &'static str, &'static str, Vec<(&'static str, &'static str)>, Vec<&'static str>);

fn samples() -> Vec<Sample> {
    let large = vec![("tensor_parallel", "8"), ("batch_size", "16"), ("prompt_len", "2048")];
    let short = vec![("batch_size", "64"), ("prompt_len", "8192")];
    let pageable = vec![("prompt_len", "2048"), ("embedding_placement", "host_pageable"), ("gen_len", "32")];
    let experts = vec![("tensor_parallel", "2"), ("batch_size", "8"), ("engine", "trtllm@v1")];
    let largest = vec![
        ("tensor_parallel", "8"),
        ("batch_size", "24"),
        ("gen_len", "1024"),
        ("prompt_len", "3000"),
        ("sampler", "top_p"),
        ("cuda_graphs", "false"),
        ("embedding_placement", "host_pageable"),
    ];
    let launches = vec![("cuda_graphs", "false"), ("boundary", "engine")];
    let given = vec![("cpu_overhead_ms", "30"), ("kv_tokens", "4000"), ("weights_dtype", "fp8")];
    let eager = vec![("cuda_graphs", "false"), ("sampler", "top_p"), ("kv_dtype", "int4"), ("batch_size", "64")];
    vec![
        ("plain", Lang::En, LLAMA, A100, vec![], vec![]),
        ("missed", Lang::En, LLAMA, A100, vec![], vec!["ttft_ms=30", "tpot_ms=10"]),
        ("missed-zh", Lang::Zh, LLAMA, A100, vec![], vec!["ttft_ms=30", "tpot_ms=10"]),
        ("ready", Lang::En, "llama-3-8b", "h100_80gb_sxm", vec![], vec!["ttft_ms=200", "tpot_ms=15", "e2e_ms=4000"]),
        ("at-risk", Lang::En, LLAMA, A100, vec![], vec!["ttft_ms=90"]),
        ("tp8", Lang::En, "llama-3-70b", "h100_80gb_sxm", large, vec!["ttft_ms=1000", "e2e_ms=2500"]),
        ("infeasible", Lang::En, LLAMA, A100, short.clone(), vec![]),
        ("infeasible-zh", Lang::Zh, LLAMA, A100, short, vec![]),
        ("infeasible-weights", Lang::En, "llama-3-70b", A100, vec![], vec![]),
        (
            "infeasible-tp",
            Lang::En,
            "llama-3-70b",
            A100,
            vec![("tensor_parallel", "2"), ("batch_size", "16"), ("prompt_len", "4096")],
            vec![],
        ),
        ("kv-tokens", Lang::En, LLAMA, A100, vec![("kv_tokens", "400")], vec![]),
        (
            "hostile",
            Lang::En,
            LLAMA,
            A100,
            vec![("model.model_name", HOSTILE), ("model.aliases", "[]")],
            vec!["tpot_ms=5"],
        ),
        ("pageable", Lang::En, LLAMA, A100, pageable.clone(), vec!["ttft_ms=200"]),
        ("pageable-zh", Lang::Zh, LLAMA, A100, pageable, vec![]),
        ("mapped", Lang::En, LLAMA, A100, vec![("embedding_placement", "host_mapped")], vec![]),
        ("eager", Lang::En, "qwen3-8b", "rtx_4090", eager.clone(), vec![]),
        ("eager-zh", Lang::Zh, "qwen3-8b", "rtx_4090", eager, vec![]),
        ("article", Lang::En, ARTICLE, A100, vec![("prompt_len", "2048")], vec!["ttft_ms=200", "tpot_ms=12.7"]),
        ("article-zh", Lang::Zh, ARTICLE, A100, vec![("prompt_len", "2048")], vec!["ttft_ms=200", "tpot_ms=12.7"]),
        ("launches", Lang::En, "llama-3.2-1b", "h100_80gb_sxm", launches.clone(), vec!["tpot_ms=3"]),
        ("launches-zh", Lang::Zh, "llama-3.2-1b", "h100_80gb_sxm", launches, vec!["tpot_ms=3"]),
        ("collectives", Lang::En, "llama-3.2-1b", A100, vec![("tensor_parallel", "4")], vec![]),
        ("collectives-zh", Lang::Zh, "llama-3.2-1b", A100, vec![("tensor_parallel", "4")], vec![]),
        ("pinned", Lang::En, LLAMA, "h100_80gb_sxm", vec![("embedding_placement", "host_pinned")], vec!["ttft_ms=500"]),
        ("largest", Lang::Zh, "qwen3-32b", "h100_80gb_sxm", largest, vec!["ttft_ms=300", "tpot_ms=3", "e2e_ms=9000"]),
        ("experts", Lang::En, "mixtral-8x7b", "h100_80gb_sxm", experts, vec!["tpot_ms=20"]),
        ("shapes", Lang::Zh, MIXED, "h200_sxm", vec![("prompt_len", "4096")], vec![]),
        ("given", Lang::En, LLAMA, A100, given, vec!["tpot_ms=8"]),
        ("prefill", Lang::En, LLAMA, A100, vec![("scenario", "prefill")], vec!["ttft_ms=200"]),
        ("prefill-absent", Lang::En, LLAMA, A100, vec![("scenario", "prefill")], vec!["tpot_ms=20"]),
        ("decode", Lang::En, "llama-3-8b", "b200_sxm", vec![("scenario", "decode"), ("engine", "trtllm@v1")], vec![]),
        ("one-token", Lang::Zh, LLAMA, A100, vec![("gen_len", "1"), ("boundary", "engine")], vec![]),
        ("ideal", Lang::En, LLAMA, "h200_sxm", vec![("engine", "ideal"), ("kv_dtype", "fp8")], vec![]),
        ("sglang", Lang::En, "qwen2.5-32b", "h200_sxm", vec![("engine", "sglang"), ("weights_dtype", "fp8")], vec![]),
    ]
}

/// Builds every page.
pub fn build() -> Vec<Case> {
    let case = |(name, lang, model, hardware, fields, budgets): Sample| {
        let origin = ReportOrigin {
            command: "simllm profile --model llama-3-8b --hardware a100_80gb_pcie \\\n  --budget ttft_ms=30".into(),
            input_hash: "7f3c9a1e5b".into(),
            model_source: "built-in profile".into(),
            hardware_source: "built-in machine".into(),
            base_url: (name == "missed").then(|| "https://reports.example/latency/".into()),
            ..ReportOrigin::default()
        };
        let report = support::report_from(origin, model, hardware, &fields, &budgets);
        let json = serde_json::to_string(&Record::new(&report)).expect("a record is plain data");
        let html = html::page(&page(&report, lang.text()), lang.text(), &json);
        Case { name, report, html }
    };
    samples().into_iter().map(case).collect()
}

/// Every page, built once.
pub fn cases() -> &'static [Case] {
    static CASES: OnceLock<Vec<Case>> = OnceLock::new();
    CASES.get_or_init(build)
}
