//! SGLang: `bench_serving`, `bench_one_batch`, `bench_offline_throughput`.
//!
//! `concurrency` is observed (sum of e2e / duration), `max_concurrency` is the cap. `random_input_len` is a maximum:
//! lengths are totals over completed requests. One-batch times are seconds around one batch without server.

use super::vllm::{fill_totals, latency_of, rate};
use crate::import::measured::Refusal;
use crate::import::measured::content::Content;
use crate::import::measured::draft::Draft;
use crate::import::measured::json::Json;
use crate::import::measured::run::{Boundary, Spread, engine_of};

/// `bench_serving`.
pub(super) const SERVING: &[&str] = &["backend", "completed", "total_output_tokens_retokenized", "output_throughput"];
/// `bench_one_batch`.
pub(super) const ONE_BATCH: &[&str] = &["batch_size", "input_len", "output_len", "prefill_latency", "total_latency"];
/// `bench_offline_throughput`.
pub(super) const OFFLINE: &[&str] = &["successful_requests", "total_latency", "last_gen_throughput"];

/// One run per line.
pub(super) fn serving(_: &Content<'_>, draft: &mut Draft<'_>) -> Result<(), Refusal> {
    for record in draft.records()? {
        let json = &record.json;
        let mut run = draft.run(version(json));
        run.line = record.line;
        run.model = json.first_text(&["model_id", "model", "server_info/model_path"]);
        run.concurrency = json.number("max_concurrency");
        run.concurrency_observed = json.number("concurrency");
        run.request_rate = rate(json);
        fill_totals(&mut run, json);
        run.total_tok_s = json.first_number(&["total_throughput", "total_token_throughput"]);
        if let (None, Some(output), Some(prompt), Some(tokens)) =
            (run.total_tok_s, run.output_tok_s, run.prompt_len_mean, run.gen_len_mean)
        {
            run.total_tok_s = Some(output * (prompt + tokens) / tokens).filter(|rate| rate.is_finite());
            run.derived.push("total_tok_s".to_owned());
        }
        run.ttft_ms = latency_of(json, "ttft");
        run.tpot_ms = latency_of(json, "tpot");
        run.itl_ms = latency_of(json, "itl");
        run.e2e_ms = latency_of(json, "e2e_latency");
        run.tensor_parallel = json.count("server_info/tp_size");
        run.dtype = json.first_text(&["server_info/quantization"]);
        run.engine = json.text("backend").and_then(engine_of);
        run.engine_version = json.first_text(&["server_info/version"]);
        let counted = json.number("total_output_tokens_retokenized").zip(json.number("total_output_tokens"));
        if let Some((text, claimed)) = counted.filter(|(text, claimed)| *text < 0.95 * claimed) {
            draft.caution(format!("{claimed} output tokens are claimed, the text holds {text}: early stop?"));
        }
        if run.tpot_ms.is_empty() && run.itl_ms.p50.is_some() {
            draft.caution("old layout: no TPOT, and medians only for TTFT and ITL; a median gap is no TPOT");
        }
        draft.runs.push(run);
    }
    Ok(())
}

fn version(json: &Json) -> &'static str {
    match (json.has("mean_tpot_ms"), json.has("max_output_tokens_per_s")) {
        (true, true) => "sglang 0.5.23",
        (true, false) => "sglang 0.4-0.5",
        (false, _) => "sglang 0.4 (2024-12)",
    }
}

/// One run per batch; the decode latency is that of one step of all sequences.
pub(super) fn one_batch(_: &Content<'_>, draft: &mut Draft<'_>) -> Result<(), Refusal> {
    for record in draft.records()? {
        let json = &record.json;
        let mut run = draft.run("sglang 0.4-0.5");
        run.line = record.line;
        run.boundary = Boundary::Batch;
        run.concurrency = json.number("batch_size");
        run.prompt_len_mean = json.number("input_len");
        run.gen_len_mean = json.number("output_len");
        let ms = |key: &str| json.number(key).map(|seconds| seconds * 1e3);
        run.ttft_ms = Spread::mean(ms("prefill_latency"));
        run.tpot_ms = Spread { p50: ms("median_decode_latency"), ..Spread::default() };
        run.e2e_ms = Spread::mean(ms("total_latency"));
        run.output_tok_s = json.number("median_decode_throughput");
        run.total_tok_s = json.number("overall_throughput");
        run.tell("output_tok_s_is", "decode_phase_only (median step)");
        run.engine = Some("sglang".to_owned());
        draft.runs.push(run);
    }
    Ok(())
}

/// One offline run per line; no latency.
pub(super) fn offline(_: &Content<'_>, draft: &mut Draft<'_>) -> Result<(), Refusal> {
    for record in draft.records()? {
        let json = &record.json;
        let mut run = draft.run("sglang 0.4-0.5");
        run.line = record.line;
        run.boundary = Boundary::Batch;
        run.n_requests = json.count("successful_requests");
        run.duration_s = json.number("total_latency");
        let per_request = |total: &str| {
            let requests = json.number("successful_requests").filter(|n| *n > 0.0)?;
            Some(json.number(total)? / requests)
        };
        run.prompt_len_mean = per_request("total_input_tokens");
        run.gen_len_mean = per_request("total_output_tokens");
        run.output_tok_s = json.number("output_throughput");
        run.total_tok_s = json.number("total_throughput");
        run.engine = Some("sglang".to_owned());
        draft.runs.push(run);
    }
    Ok(())
}
