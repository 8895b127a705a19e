//! The accepted formats, one line each. Recognition, reading and help derive from this list.

mod genai_perf;
mod guidellm;
mod inference_perf;
mod kernels;
mod llama_batched;
mod llama_bench;
mod llmperf;
mod lmdeploy;
mod mlperf;
mod profilers;
mod prometheus;
mod requests;
mod rows;
mod serving_text;
mod sglang;
mod tgi;
mod trtllm;
mod vllm;

use std::collections::HashSet;

use crate::import::measured::Refusal;
use crate::import::measured::content::Content;
use crate::import::measured::draft::Draft;

/// A format and how to read it.
#[derive(Debug)]
pub struct Reader {
    /// The tool's id, as runs carry it.
    pub tool: &'static str,
    /// The format in words, for help and messages.
    pub title: &'static str,
    pub(super) sign: Sign,
    pub(super) read: fn(&Content<'_>, &mut Draft<'_>) -> Result<(), Refusal>,
}

/// What gives a format away.
#[derive(Clone, Copy, Debug)]
pub(super) enum Sign {
    /// A JSON object with all of these paths.
    Keys(&'static [&'static str]),
    /// A table with all of these columns.
    Columns(&'static [&'static str]),
    /// All of these words anywhere in the text.
    Words(&'static [&'static str]),
}

impl Sign {
    pub(super) fn is_in(self, content: &Content<'_>) -> bool {
        match self {
            Self::Keys(paths) => content.with(paths).next().is_some(),
            Self::Columns(columns) => content.has_table(columns),
            Self::Words(words) => words.iter().all(|word| content.text.contains(word)),
        }
    }

    /// Whether the text holds the sign in letters, even if it cannot be parsed.
    pub(super) fn shows_in(self, text: &str) -> bool {
        match self {
            Self::Keys(paths) => paths.iter().all(|path| {
                let key = path.rsplit('/').next().unwrap_or(path);
                text.contains(&format!("\"{key}\""))
            }),
            Self::Columns(names) | Self::Words(names) => names.iter().all(|name| text.contains(name)),
        }
    }
}

use Sign::{Columns, Keys, Words};
pub use kernels::{KernelRow, KernelShape};

macro_rules! reader {
    ($tool:literal, $title:literal, $sign:expr, $read:expr) => {
        Reader { tool: $tool, title: $title, sign: $sign, read: $read }
    };
}

/// Every accepted format; the first whose sign is found reads the file, so the special stand before the general.
pub const READERS: &[Reader] = &[
    reader!("simllm-rows", "table of end-to-end measurements", Columns(rows::COLUMNS), rows::read),
    reader!("simllm-kernels", "table of measured kernels (GEMM)", Columns(kernels::GEMM), kernels::read),
    reader!("simllm-kernels", "table of measured kernels (MoE)", Columns(kernels::MOE), kernels::read),
    reader!("simllm-kernels", "table of measured kernels (MLA)", Columns(kernels::MLA), kernels::read),
    reader!("simllm-kernels", "table of measured kernels (decode)", Columns(kernels::DECODE), kernels::read),
    reader!("simllm-kernels", "table of measured kernels (prefill)", Columns(kernels::PREFILL), kernels::read),
    reader!("simllm-kernels", "table of measured kernels (collectives)", Columns(kernels::COMM), kernels::read),
    reader!("vllm-bench-serve", "vLLM bench serve JSON", Keys(vllm::SERVE), vllm::serve),
    reader!("vllm-bench-latency", "vLLM bench latency JSON", Keys(vllm::LATENCY), vllm::latency),
    reader!("vllm-bench-throughput", "vLLM bench throughput JSON", Keys(vllm::THROUGHPUT), vllm::throughput),
    reader!("sglang-bench-serving", "SGLang bench_serving JSONL", Keys(sglang::SERVING), sglang::serving),
    reader!("sglang-bench-one-batch", "SGLang bench_one_batch JSONL", Keys(sglang::ONE_BATCH), sglang::one_batch),
    reader!("sglang-offline-throughput", "SGLang offline throughput JSONL", Keys(sglang::OFFLINE), sglang::offline),
    reader!("llama-bench", "llama-bench JSON", Keys(llama_bench::KEYS), llama_bench::json),
    reader!("llama-bench", "llama-bench CSV", Columns(llama_bench::KEYS), llama_bench::csv),
    reader!("llama-bench", "llama-bench SQL", Words(&["INSERT INTO", "n_prompt", "avg_ns"]), llama_bench::sql),
    reader!("llama-bench", "llama-bench Markdown", Columns(llama_bench::MARKDOWN), llama_bench::markdown),
    reader!("llama-batched-bench", "llama-batched-bench JSONL", Keys(llama_batched::KEYS), llama_batched::json),
    reader!("llama-batched-bench", "llama-batched-bench table", Columns(llama_batched::TABLE), llama_batched::table),
    reader!("aiperf", "aiperf JSON", Keys(genai_perf::AIPERF), genai_perf::aiperf_json),
    reader!("genai-perf", "genai-perf JSON", Keys(genai_perf::GENAI), genai_perf::genai_json),
    reader!("aiperf", "aiperf CSV", Columns(&["Metric", "avg", "p99", "std"]), genai_perf::aiperf_csv),
    reader!("genai-perf", "genai-perf CSV", Columns(&["Metric", "avg", "p99"]), genai_perf::genai_csv),
    reader!("genai-perf-raw", "genai-perf raw profile export", Keys(requests::RAW), requests::raw),
    reader!("aiperf", "aiperf records JSONL", Keys(requests::RECORDS), requests::records),
    reader!("trtllm-bench", "trtllm-bench report JSON", Keys(trtllm::REPORT), trtllm::report),
    reader!("trtllm-gpt-bench", "TensorRT-LLM C++ benchmark log", Words(&["[BENCHMARK] "]), trtllm::log),
    reader!("guidellm", "guidellm JSON", Keys(guidellm::KEYS), guidellm::json),
    reader!("guidellm", "guidellm CSV", Columns(guidellm::GROUPS), guidellm::csv),
    reader!("guidellm", "guidellm CSV (before 0.4)", Columns(guidellm::OLD_COLUMNS), guidellm::old_csv),
    reader!(
        "inference-perf-prometheus",
        "inference-perf Prometheus summary",
        Keys(inference_perf::PROMETHEUS),
        inference_perf::prometheus
    ),
    reader!("inference-perf", "inference-perf stage JSON", Keys(inference_perf::STAGE), inference_perf::stage),
    reader!("llmperf", "llmperf summary JSON", Keys(llmperf::SUMMARY), llmperf::summary),
    reader!("llmperf", "llmperf individual responses", Keys(llmperf::INDIVIDUAL), llmperf::individual),
    reader!("mlperf-loadgen", "MLPerf loadgen summary", Words(&["MLPerf Results Summary"]), mlperf::read),
    reader!("lmdeploy", "lmdeploy serving CSV", Columns(lmdeploy::SERVING), lmdeploy::serving),
    reader!("lmdeploy", "lmdeploy profile CSV (before 0.7)", Columns(lmdeploy::OLD), lmdeploy::old),
    reader!("tgi-benchmark", "TGI benchmark Markdown", Columns(tgi::COLUMNS), tgi::read),
    reader!("vllm-metrics", "vLLM Prometheus text", Words(&["vllm:", "model_name="]), prometheus::vllm),
    reader!("sglang-metrics", "SGLang Prometheus text", Words(&["sglang:", "model_name="]), prometheus::sglang),
    reader!("tgi-metrics", "TGI Prometheus text", Words(&["tgi_request_", "_count"]), prometheus::tgi),
    reader!("sglang-bench-serving", "SGLang console table", Words(serving_text::SGLANG), serving_text::sglang),
    reader!("vllm-bench-serve", "vLLM console table", Words(serving_text::VLLM), serving_text::vllm),
];

/// Formats that are recognised only to say why they are of no use.
const RECOGNISED: &[Reader] = &[
    reader!("dcgm-exporter", "DCGM Prometheus text", Words(&["DCGM_FI_"]), profilers::dcgm),
    reader!("ncu", "Nsight Compute CSV", Columns(&["Kernel Name", "ID"]), profilers::ncu),
    reader!("nsys", "Nsight Systems CSV", Columns(&["Total Time (ns)", "Time (%)"]), profilers::nsys),
    reader!("nsys", "Nsight Systems CSV (old)", Columns(&["Total Time (ns)", "Time(%)"]), profilers::nsys),
    reader!("pytorch-profiler", "Chrome trace of a profiler", Keys(&["traceEvents"]), profilers::trace),
];

/// The reader of a file.
pub(super) fn find(content: &Content<'_>) -> Option<&'static Reader> {
    READERS.iter().chain(RECOGNISED).find(|reader| reader.sign.is_in(content))
}

/// The tools whose results are accepted, each once, in words.
pub(super) fn tools() -> String {
    let mut tools: Vec<&str> = READERS.iter().map(|reader| reader.tool).collect();
    let mut seen = HashSet::new();
    tools.retain(|tool| seen.insert(*tool));
    tools.join(", ")
}
