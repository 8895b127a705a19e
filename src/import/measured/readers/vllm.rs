//! vLLM: `bench serve` (and `benchmark_serving.py` before it), `bench latency`, `bench throughput`.
//!
//! `*_ms` keys are milliseconds; arrays (`ttfts`, `itls`, `latencies`) are seconds, and a failed request leaves a 0 in
//! them. `max_concurrent_requests` counts requests that touch one second and is not used.

use crate::import::measured::Refusal;
use crate::import::measured::content::Content;
use crate::import::measured::draft::Draft;
use crate::import::measured::json::Json;
use crate::import::measured::number::whole;
use crate::import::measured::run::{Boundary, MeasuredRun, Rate, Spread, engine_of};

/// `bench serve`.
pub(super) const SERVE: &[&str] = &["model_id", "completed", "total_output_tokens", "output_throughput"];
/// `bench latency`.
pub(super) const LATENCY: &[&str] = &["avg_latency", "latencies", "percentiles"];
/// `bench throughput`.
pub(super) const THROUGHPUT: &[&str] = &["elapsed_time", "num_requests", "tokens_per_second"];

/// Names that users give to `--metadata`.
const HARDWARE: &[&str] = &["hardware", "gpu", "gpu_type", "gpu_name", "accelerator"];
const DTYPE: &[&str] = &["quantization", "precision", "dtype", "weight_dtype"];
const TENSOR_PARALLEL: &[&str] = &["tensor_parallel_size", "tensor_parallel", "tp_size", "tp"];
const VERSION: &[&str] = &["vllm_version", "engine_version", "framework_version", "version"];

/// One run per JSON object.
pub(super) fn serve(_: &Content<'_>, draft: &mut Draft<'_>) -> Result<(), Refusal> {
    for record in draft.records()? {
        let json = &record.json;
        let mut run = draft.run(serve_version(json));
        run.line = record.line;
        run.model = json.first_text(&["model_id"]);
        run.concurrency = json.number("max_concurrency");
        run.request_rate = rate(json);
        fill_totals(&mut run, json);
        run.requested = json.count("num_prompts");
        run.n_failed = json.count("failed").or_else(|| silent_failures(&run));
        run.total_tok_s = json.number("total_token_throughput");
        run.ttft_ms = latency_of(json, "ttft");
        run.tpot_ms = latency_of(json, "tpot");
        run.itl_ms = latency_of(json, "itl");
        run.e2e_ms = latency_of(json, "e2el");
        if run.e2e_ms.is_empty() {
            let latencies = json.numbers("latencies").iter().copied().filter(|seconds| *seconds > 0.0);
            run.e2e_ms = Spread::of_samples(latencies.collect(), 1e3);
        }
        run.hardware = json.first_text(HARDWARE);
        run.dtype = json.first_text(DTYPE);
        run.tensor_parallel = json.first_number(TENSOR_PARALLEL).and_then(whole);
        run.engine = ["framework", "backend"].iter().find_map(|key| engine_of(json.text(key)?));
        run.engine_version = json.first_text(VERSION);
        draft.runs.push(run);
    }
    Ok(())
}

/// Older versions do not write `failed`; the difference tells.
fn silent_failures(run: &MeasuredRun) -> Option<u64> {
    let failed = run.requested?.checked_sub(run.n_requests?)?;
    (failed > 0).then_some(failed)
}

/// The keys that vLLM and SGLang share.
pub(super) fn fill_totals(run: &mut MeasuredRun, json: &Json) {
    run.n_requests = json.count("completed");
    run.duration_s = json.number("duration").filter(|seconds| *seconds > 0.0);
    run.output_tok_s = json.number("output_throughput");
    let per_request = |total: &str| {
        let completed = json.number("completed").filter(|n| *n > 0.0)?;
        Some(json.number(total)? / completed)
    };
    run.prompt_len_mean = per_request("total_input_tokens");
    run.gen_len_mean = per_request("total_output_tokens");
}

/// `request_rate`: a number, `"inf"`, `Infinity`; other words say nothing.
pub(super) fn rate(json: &Json) -> Option<Rate> {
    match json.get("request_rate")? {
        Json::Number(rate) if rate.is_infinite() => Some(Rate::Unlimited),
        Json::Text(word) if matches!(word.to_ascii_lowercase().as_str(), "inf" | "infinity") => Some(Rate::Unlimited),
        _ => json.number("request_rate").map(Rate::PerSecond),
    }
}

/// `mean_X_ms`, `median_X_ms` (or `p50_X_ms`), `p90_X_ms`, `p99_X_ms`.
pub(super) fn latency_of(json: &Json, metric: &str) -> Spread {
    Spread::ask(1.0, |stat| {
        let value = json.number(&format!("{stat}_{metric}_ms"));
        if stat == "p50" { json.number(&format!("median_{metric}_ms")).or(value) } else { value }
    })
}

fn serve_version(json: &Json) -> String {
    let detailed = json.has("ttfts");
    if json.has("best_of") || json.has("request_goodput:") {
        return format!("vllm 0.6-0.9 layout{}", if detailed { ", detailed" } else { "" });
    }
    let version = if json.has("latencies") || json.has("rtfx") { "vllm 0.33" } else { "vllm 0.10-0.24 layout" };
    format!("{version}{}", if detailed { " detailed" } else { "" })
}

/// One batch, again and again; its size and lengths are not in the file.
pub(super) fn latency(_: &Content<'_>, draft: &mut Draft<'_>) -> Result<(), Refusal> {
    for record in draft.records()? {
        let json = &record.json;
        let version = if json.has("model_id") { "vllm 0.33 latency" } else { "vllm latency" };
        let mut run = draft.run(version);
        run.line = record.line;
        run.model = json.first_text(&["model_id"]);
        run.boundary = Boundary::Batch;
        run.n_requests = Some(json.numbers("latencies").len() as u64).filter(|n| *n > 0);
        run.tell("n_requests_is", "iterations of one whole batch");
        run.e2e_ms = Spread::ask(1e3, |stat| match stat {
            "mean" => json.number("avg_latency"),
            percentile => json.number(&format!("percentiles/{}", &percentile[1..])),
        });
        run.engine = Some("vllm".to_owned());
        run.missing.push("batch_size".to_owned());
        draft.runs.push(run);
    }
    draft.caution(
        "batch size and lengths missing: it times whole batches, TTFT + (n − 1)·TPOT; give --batch-size, --prompt-len, \
         --gen-len",
    );
    Ok(())
}

/// An offline run; `tokens_per_second` counts prompt and output tokens.
pub(super) fn throughput(_: &Content<'_>, draft: &mut Draft<'_>) -> Result<(), Refusal> {
    for record in draft.records()? {
        let json = &record.json;
        let mut run = draft.run("vllm 0.33 throughput");
        run.line = record.line;
        run.model = json.first_text(&["model_id"]);
        run.boundary = Boundary::Batch;
        run.n_requests = json.count("num_requests");
        run.total_tok_s = json.number("tokens_per_second");
        run.duration_s = json.number("elapsed_time");
        let requests = json.number("num_requests").filter(|n| *n > 0.0);
        if let (Some(total), Some(requests)) = (json.number("total_num_tokens"), requests) {
            run.tell("mean_total_tokens", total / requests);
        }
        run.engine = Some("vllm".to_owned());
        draft.runs.push(run);
    }
    draft
        .caution("tokens/s are total tokens, prompt and output together; give --prompt-len and --gen-len to part them");
    Ok(())
}
