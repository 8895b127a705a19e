//! lmdeploy: `profile_restful_api` and `profile_throughput` write one CSV layout (the former under a `.jsonl` name);
//! older scripts write first-token latency (FTL) and percentiles of token times in seconds. Only means are there.

use crate::import::measured::Refusal;
use crate::import::measured::content::Content;
use crate::import::measured::draft::Draft;
use crate::import::measured::number::whole;
use crate::import::measured::run::{Boundary, Rate, Spread, engine_of};
use crate::import::measured::table::Table;

/// Columns since 2024-12.
pub(super) const SERVING: &[&str] = &["completed", "input_throughput", "output_throughput", "mean_e2e_latency_ms"];
/// Columns before.
pub(super) const OLD: &[&str] = &["batch", "throughput(out tok/s)"];

/// A row per run.
pub(super) fn serving(content: &Content<'_>, draft: &mut Draft<'_>) -> Result<(), Refusal> {
    for row in draft.tables(SERVING)?.iter().flat_map(Table::rows) {
        let mut run = draft.run("lmdeploy 0.9+");
        run.line = row.line;
        run.engine = engine_of(row.text("backend").unwrap_or("lmdeploy"));
        run.concurrency = row.first_number(&["batch", "concurrency"]);
        run.request_rate = match row.text("request_rate") {
            Some("inf") => Some(Rate::Unlimited),
            _ => row.number("request_rate").map(Rate::PerSecond),
        };
        run.n_requests = row.count("completed");
        run.requested = row.count("num_prompts");
        run.n_failed =
            run.requested.zip(run.n_requests).map(|(sent, done)| sent.saturating_sub(done)).filter(|n| *n > 0);
        run.duration_s = row.number("duration").filter(|seconds| *seconds > 0.0);
        let completed = row.number("completed").filter(|n| *n > 0.0);
        let per_request = |column: &str| Some(row.number(column)? / completed?);
        run.prompt_len_mean = per_request("total_input_tokens");
        run.gen_len_mean = per_request("total_output_tokens");
        run.ttft_ms = Spread::mean(row.number("mean_ttft_ms"));
        run.tpot_ms = Spread::mean(row.number("mean_tpot_ms"));
        run.itl_ms = Spread::mean(row.number("mean_itl_ms"));
        run.e2e_ms = Spread::mean(row.number("mean_e2e_latency_ms"));
        run.output_tok_s = row.number("output_throughput");
        run.total_tok_s = run.output_tok_s.zip(row.number("input_throughput")).map(|(output, input)| output + input);
        run.derived.push("total_tok_s".to_owned());
        draft.runs.push(run);
    }
    if content.name.ends_with(".jsonl") || content.name.ends_with(".json") {
        draft.note("the content is CSV, whatever the name says");
    }
    draft.caution("means only, no percentiles; it is a CSV that names neither model nor GPU");
    Ok(())
}

/// `profile_generation.py` (static batch) and `profile_throughput.py` before 2024-12.
pub(super) fn old(_: &Content<'_>, draft: &mut Draft<'_>) -> Result<(), Refusal> {
    for row in draft.tables(OLD)?.iter().flat_map(Table::rows) {
        let mut run = draft.run("lmdeploy before 0.7");
        run.line = row.line;
        run.engine = Some("lmdeploy".to_owned());
        run.concurrency = row.number("batch");
        run.prompt_len_mean = row.number("prompt_tokens");
        run.gen_len_mean = row.number("completion_tokens");
        if run.gen_len_mean.is_some() {
            run.boundary = Boundary::Batch;
        }
        run.n_requests = row.first_number(&["num_prompts", "num_promts"]).and_then(whole);
        let ms = |column: &str| row.number(column).map(|seconds| seconds * 1e3);
        run.ttft_ms = Spread::mean(ms("FTL(ave)(s)"));
        run.itl_ms = Spread { p50: ms("50%(s)"), p99: ms("99%(s)"), ..Spread::default() };
        run.output_tok_s = row.number("throughput(out tok/s)");
        run.total_tok_s = row.number("throughput(total tok/s)");
        draft.runs.push(run);
    }
    draft.caution("old layout: mean TTFT and percentiles of token times only; no TPOT");
    Ok(())
}
