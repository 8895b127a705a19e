//! inference-perf: `stage_N_lifecycle_metrics.json` (client side) and `stage_N_prometheus_metrics.json` (server side).
//!
//! All times are seconds. Versions of 2025-11 average the gaps between SSE lines, two per token: their
//! `time_per_output_token` is half of (e2e − TTFT)/(n − 1), which is used in its place.

use crate::import::measured::Refusal;
use crate::import::measured::check::{consistency, implied_tpot};
use crate::import::measured::content::Content;
use crate::import::measured::draft::Draft;
use crate::import::measured::json::Json;
use crate::import::measured::run::{Boundary, Consistency, Rate, Spread};

/// The client's report of one stage.
pub(super) const STAGE: &[&str] = &["load_summary/count", "successes/count", "failures"];
/// The server's view of one stage.
pub(super) const PROMETHEUS: &[&str] = &["successes/request_latency", "successes/prompt_len", "successes/rate"];

const VERSION: &str = "inference-perf 2025-11";

/// Client side.
pub(super) fn stage(_: &Content<'_>, draft: &mut Draft<'_>) -> Result<(), Refusal> {
    for record in draft.records()? {
        let json = &record.json;
        let mut run = draft.run(if json.has("benchmark_time_seconds") { "inference-perf 2026" } else { VERSION });
        run.line = record.line;
        run.n_requests = json.count("successes/count");
        run.n_failed = json.count("failures/count");
        run.request_rate = json.number("load_summary/requested_rate").map(Rate::PerSecond);
        run.achieved_rate = json.number("load_summary/achieved_rate");
        run.concurrency = json.number("load_summary/concurrency");
        run.duration_s = json.number("benchmark_time_seconds").or_else(|| {
            let rate = json.number("successes/throughput/requests_per_sec").filter(|rate| *rate > 0.0)?;
            Some(json.number("successes/count")? / rate)
        });
        run.prompt_len_mean = json.number("successes/prompt_len/mean");
        run.gen_len_mean = json.number("successes/output_len/mean");
        let latency = |metric: &str| spread(json, &format!("successes/latency/{metric}"));
        run.ttft_ms = latency("time_to_first_token");
        run.e2e_ms = latency("request_latency");
        run.itl_ms = latency("inter_token_latency");
        run.tpot_ms = latency("time_per_output_token");
        run.output_tok_s = json.number("successes/throughput/output_tokens_per_sec");
        run.total_tok_s = json.number("successes/throughput/total_tokens_per_sec");
        if let (Consistency::Contradicts(factor), Some(implied)) = (consistency(&run), implied_tpot(&run)) {
            let reported = std::mem::replace(&mut run.tpot_ms, Spread::mean(Some(implied)));
            draft.caution(format!(
                "TPOT contradicts e2e (factor {:.0}): it says {:.2} ms, (e2e − TTFT)/(n − 1) is {implied:.2} ms; the \
                 latter is used (e2e is {factor:.2} times TTFT + (n − 1)·TPOT)",
                implied / reported.centre().unwrap_or(f64::NAN),
                reported.centre().unwrap_or(f64::NAN),
            ));
            run.tool_reported_tpot_ms = Some(reported);
            let how = "tpot_ms.mean = (e2e.mean - ttft.mean)/(gen_len_mean - 1): the reported value contradicts e2e";
            run.derived.push(how.to_owned());
        }
        if run.request_rate.is_none() {
            draft.caution("no requested rate: a summary pools stages of different rates; give stage_N_… instead");
        }
        draft.runs.push(run);
    }
    Ok(())
}

/// Server side: averages over whatever the scrape window held.
pub(super) fn prometheus(_: &Content<'_>, draft: &mut Draft<'_>) -> Result<(), Refusal> {
    let mut contradiction = None;
    for record in draft.records()? {
        let json = &record.json;
        let mut run = draft.run(VERSION);
        run.line = record.line;
        run.boundary = Boundary::Server;
        run.n_requests = json.count("successes/count");
        run.achieved_rate = json.number("successes/rate");
        run.prompt_len_mean = json.number("successes/prompt_len/mean");
        run.gen_len_mean = json.number("successes/output_len/mean");
        let latency = |metric: &str| spread(json, &format!("successes/{metric}"));
        run.ttft_ms = latency("time_to_first_token");
        run.e2e_ms = latency("request_latency");
        run.tpot_ms = latency("time_per_output_token");
        run.output_tok_s = json.number("successes/output_len/rate");
        if let Consistency::Contradicts(factor) = consistency(&run) {
            contradiction = Some(factor);
        }
        draft.runs.push(run);
    }
    match contradiction {
        Some(factor) => Err(Refusal::new(
            format!(
                "its averages contradict each other: e2e is {factor:.2} times TTFT + (n − 1)·TPOT; a server-side scrape \
                 mixes request populations, so it contradicts the client's file"
            ),
            "give the stage_N_lifecycle_metrics.json of the same run",
        )),
        None => {
            draft.caution("server-side view: excludes network and client, and may include other traffic");
            Ok(())
        }
    }
}

fn spread(json: &Json, path: &str) -> Spread {
    Spread::ask(1e3, |stat| {
        let stat = if stat == "p50" { "median" } else { stat };
        json.number(&format!("{path}/{stat}"))
    })
}
