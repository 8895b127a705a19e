//! Files with one entry per request: aiperf's records and genai-perf's raw export. Statistics are computed here.

use crate::import::measured::Refusal;
use crate::import::measured::content::Content;
use crate::import::measured::draft::Draft;
use crate::import::measured::json::Json;
use crate::import::measured::run::{Rate, Spread};

/// aiperf's `profile_export.jsonl`, one request a line.
pub(super) const RECORDS: &[&str] = &["metadata/request_start_ns", "metrics"];
/// genai-perf's `profile_export.json`, as perf_analyzer writes it.
pub(super) const RAW: &[&str] = &["experiments/0/requests", "service_kind"];

/// The requests of one run; warm-up, failed and cancelled ones are left out.
pub(super) fn records(_: &Content<'_>, draft: &mut Draft<'_>) -> Result<(), Refusal> {
    let records = draft.records()?;
    let all: Vec<&Json> = records.iter().map(|record| &record.json).filter(|json| is_profiling(json)).collect();
    let good: Vec<&Json> = all.iter().copied().filter(|json| is_good(json)).collect();
    let column = |metric: &str| -> Vec<f64> {
        good.iter().filter_map(|json| json.number(&format!("metrics/{metric}/value"))).collect()
    };
    let mean = |values: Vec<f64>| (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64);
    let mut run = draft.run("aiperf 0.13 records");
    run.n_requests = Some(good.len() as u64);
    run.requested = Some(all.len() as u64);
    run.n_failed = Some((all.len() - good.len()) as u64).filter(|failed| *failed > 0);
    run.ttft_ms = Spread::of_samples(column("time_to_first_token"), 1.0);
    run.tpot_ms = Spread::of_samples(column("inter_token_latency"), 1.0);
    run.e2e_ms = Spread::of_samples(column("request_latency"), 1.0);
    let gaps = good.iter().flat_map(|json| json.numbers("metrics/inter_chunk_latency/value").iter().copied());
    run.itl_ms = Spread::of_samples(gaps.collect(), 1.0);
    let (prompts, outputs) = (column("input_sequence_length"), column("output_sequence_length"));
    let seconds = wall_seconds(&good);
    run.duration_s = seconds;
    let per_second = |tokens: f64| seconds.filter(|s| *s > 0.0).map(|seconds| tokens / seconds);
    run.output_tok_s = per_second(outputs.iter().sum());
    run.total_tok_s = per_second(outputs.iter().chain(&prompts).sum());
    (run.prompt_len_mean, run.gen_len_mean) = (mean(prompts), mean(outputs));
    run.derived = ["output_tok_s", "total_tok_s", "percentiles"].map(str::to_owned).to_vec();
    draft.runs.push(run);
    Ok(())
}

fn is_profiling(json: &Json) -> bool {
    json.text("metadata/benchmark_phase").is_none_or(|phase| phase == "profiling")
}

fn is_good(json: &Json) -> bool {
    json.get("error").is_none() && !matches!(json.at("metadata/was_cancelled"), Some(Json::Flag(true)))
}

fn wall_seconds(requests: &[&Json]) -> Option<f64> {
    let time = |key: &'static str| requests.iter().filter_map(move |json| json.number(key));
    let start = time("metadata/request_start_ns").reduce(f64::min)?;
    let end = time("metadata/request_end_ns").reduce(f64::max)?;
    Some((end - start) / 1e9)
}

/// Nanosecond timestamps of requests and of their chunks. A chunk is no token, so TPOT cannot be had.
pub(super) fn raw(_: &Content<'_>, draft: &mut Draft<'_>) -> Result<(), Refusal> {
    for record in draft.records()? {
        let version = record.json.text("version").unwrap_or("");
        let version = version.rsplit_once('.').map_or(version, |(minor, _)| minor).to_owned();
        for experiment in record.json.list("experiments") {
            let mut run = draft.run(format!("perf_analyzer {version} raw"));
            run.line = record.line;
            let load = experiment.number("experiment/value");
            match experiment.text("experiment/mode") {
                Some("concurrency") => run.concurrency = load,
                Some("request_rate") => run.request_rate = load.map(Rate::PerSecond),
                _ => {}
            }
            let requests = experiment.list("requests");
            let times = |end: fn(&[f64]) -> Option<&f64>| -> Vec<f64> {
                let span = |r: &Json| Some(end(r.numbers("response_timestamps"))? - r.number("timestamp")?);
                requests.iter().filter_map(span).collect()
            };
            run.n_requests = Some(requests.len() as u64);
            run.ttft_ms = Spread::of_samples(times(<[f64]>::first), 1e-6);
            run.e2e_ms = Spread::of_samples(times(<[f64]>::last), 1e-6);
            let chunks = requests.iter().map(|r| r.numbers("response_timestamps").len()).sum::<usize>();
            run.tell("chunks_mean", (!requests.is_empty()).then(|| chunks as f64 / requests.len() as f64));
            run.derived = ["ttft_ms", "e2e_ms"].map(str::to_owned).to_vec();
            draft.runs.push(run);
        }
    }
    draft.caution(
        "tokenizer needed: chunks are no tokens, so there are no token counts and no TPOT; give \
         profile_export_genai_perf.json instead",
    );
    Ok(())
}
