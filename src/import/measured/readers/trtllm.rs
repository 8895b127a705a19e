//! TensorRT-LLM: the report of `trtllm-bench`, and the `[BENCHMARK]` lines of the C++ benchmarks.
//!
//! The report names GPU, dtype and parallelism. Its percentiles are `sorted[n·p]`; its concurrency is observed. TTFT and
//! TPOT are there only with `--streaming`; older reports call TPOT `itl`. gptSessionBenchmark times a whole batch.

use crate::import::measured::Refusal;
use crate::import::measured::content::Content;
use crate::import::measured::draft::Draft;
use crate::import::measured::json::Json;
use crate::import::measured::number;
use crate::import::measured::run::{Boundary, MeasuredRun, Rate, Spread};

/// Sections of the report.
pub(super) const REPORT: &[&str] = &["engine", "world_info", "performance"];

/// Requests a second above which the client sends everything at once.
const AT_ONCE: f64 = 1e9;

/// `trtllm-bench --report_json`.
pub(super) fn report(_: &Content<'_>, draft: &mut Draft<'_>) -> Result<(), Refusal> {
    for record in draft.records()? {
        let json = &record.json;
        let version = json.text("engine/version").unwrap_or("");
        let minor = version.match_indices('.').nth(1).map_or(version, |(at, _)| &version[..at]);
        let mut run = draft.run(format!("trtllm-bench {minor}").trim_end().to_owned());
        run.line = record.line;
        run.engine = Some("trtllm".to_owned());
        run.engine_version = json.first_text(&["engine/version"]);
        run.model = json.first_text(&["engine/model", "engine/model_path"]);
        run.hardware = json.first_text(&["machine/name"]);
        run.dtype = json.first_text(&["engine/quantization", "engine/dtype"]);
        run.tensor_parallel = json.count("world_info/tp_size");
        run.n_requests =
            json.first_number(&["request_info/num_requests", "dataset/num_requests"]).and_then(number::whole);
        run.concurrency_observed = json.number("request_info/avg_num_concurrent_requests");
        run.prompt_len_mean = json.first_number(&["request_info/avg_input_length", "dataset/avg_isl"]);
        run.gen_len_mean = json.first_number(&["request_info/avg_output_length", "dataset/avg_osl"]);
        let rate = json.number("world_info/issue_rate").filter(|rate| *rate > 0.0 && *rate < AT_ONCE);
        run.request_rate = rate.map(Rate::PerSecond);
        run.duration_s = json.number("performance/total_latency_ms").map(|ms| ms / 1e3);
        run.output_tok_s = json.number("performance/system_output_throughput_tok_s");
        run.total_tok_s = json.number("performance/system_total_throughput_tok_s");
        run.e2e_ms =
            spread(json, &["performance/avg_request_latency_ms"], "performance/request_latency_percentiles_ms");
        run.ttft_ms = spread(json, &["streaming_metrics/avg_ttft_ms"], "streaming_metrics/ttft_percentiles");
        let means = ["streaming_metrics/avg_tpot_ms", "streaming_metrics/avg_itl_ms"];
        let name = if json.at("streaming_metrics/tpot_percentiles").is_some() { "tpot" } else { "itl" };
        run.tpot_ms = spread(json, &means, &format!("streaming_metrics/{name}_percentiles"));
        if run.request_rate.is_none() && run.concurrency_observed.is_some() {
            draft.note("requests were sent as fast as possible; its concurrency is observed, not a cap");
        }
        draft.runs.push(run);
    }
    Ok(())
}

fn spread(json: &Json, means: &[&str], percentiles: &str) -> Spread {
    Spread::ask(1.0, |stat| match stat {
        "mean" => json.first_number(means).or_else(|| json.number(&format!("{percentiles}/average"))),
        percentile => json.number(&format!("{percentiles}/{percentile}")),
    })
}

/// `[BENCHMARK] key(unit) value` lines of gptManagerBenchmark; `[BENCHMARK] batch_size 1 input_length …` lines of
/// gptSessionBenchmark.
pub(super) fn log(content: &Content<'_>, draft: &mut Draft<'_>) -> Result<(), Refusal> {
    let lines = content.text.lines().zip(1..);
    let mut manager: Option<MeasuredRun> = None;
    for (line, number) in lines {
        let Some((_, rest)) = line.split_once("[BENCHMARK]") else { continue };
        let words: Vec<&str> = rest.split_whitespace().collect();
        if words.first() == Some(&"batch_size") {
            let mut run = session(draft, &words);
            run.line = number;
            draft.runs.push(run);
        } else if let [key @ .., value] = words.as_slice() {
            let Some(value) = number::parse(value, false) else { continue };
            let key = key.join(" ");
            if key == "num_samples" && manager.as_ref().is_some_and(|run| !run.e2e_ms.is_empty()) {
                draft.runs.extend(manager.take());
            }
            let run = manager.get_or_insert_with(|| draft.run("gptManagerBenchmark"));
            run.line = number.min(if run.line == 1 { number } else { run.line });
            manager_line(run, &key, value);
        }
    }
    if let Some(run) = manager {
        draft.runs.push(run);
        draft.caution(
            "its log names neither lengths nor load; unless a rate was set, all requests were sent at once and TTFT is \
             queue time",
        );
    }
    Ok(())
}

fn manager_line(run: &mut MeasuredRun, key: &str, value: f64) {
    run.engine = Some("trtllm".to_owned());
    let name = key.split('(').next().unwrap_or(key);
    let (stat, metric) = name.split_once('_').unwrap_or((name, ""));
    let spread = match metric {
        "sequence_latency" => &mut run.e2e_ms,
        "time_to_first_token" => &mut run.ttft_ms,
        "inter_token_latency" => &mut run.tpot_ms,
        _ => {
            match name {
                "num_samples" => run.n_requests = number::whole(value),
                "num_error_samples" => run.n_failed = number::whole(value).filter(|n| *n > 0),
                "token_throughput" => run.output_tok_s = Some(value),
                "total_latency" => run.duration_s = Some(value / 1e3),
                _ => {}
            }
            return;
        }
    };
    match stat {
        "avg" => spread.mean = Some(value),
        "p50" => spread.p50 = Some(value),
        "p90" => spread.p90 = Some(value),
        "p99" => spread.p99 = Some(value),
        _ => {}
    }
}

fn session(draft: &Draft<'_>, words: &[&str]) -> MeasuredRun {
    let value = |key: &str| {
        let at = words.iter().position(|word| *word == key)?;
        number::parse(words.get(at + 1)?, false)
    };
    let mut run = draft.run("gptSessionBenchmark");
    run.engine = Some("trtllm".to_owned());
    run.boundary = Boundary::Batch;
    run.concurrency = value("batch_size");
    run.prompt_len_mean = value("input_length");
    run.gen_len_mean = value("output_length");
    run.e2e_ms = Spread::mean(value("latency(ms)"));
    run.output_tok_s = value("tokensPerSec");
    run
}
