//! genai-perf and aiperf: metrics with unit and statistics, as JSON or as CSV.
//!
//! `inter_token_latency` is (e2e − TTFT)/(tokens − 1) per request: TPOT. `inter_chunk_latency` (aiperf) is ITL.
//! Lengths are counted by the client's tokeniser. Warm-up is excluded by the tools.

use crate::import::measured::Refusal;
use crate::import::measured::content::Content;
use crate::import::measured::draft::Draft;
use crate::import::measured::json::Json;
use crate::import::measured::number::whole;
use crate::import::measured::run::{MeasuredRun, Rate, Spread};

/// aiperf's summary.
pub(super) const AIPERF: &[&str] = &["input_config", "was_cancelled"];
/// genai-perf's summary.
pub(super) const GENAI: &[&str] = &["request_latency", "request_count", "input_config"];

/// A metric's statistics by its snake_case name: `(metric, statistic) → value`, times in milliseconds.
type Metrics<'a> = &'a dyn Fn(&str, &str) -> Option<f64>;

/// aiperf's `profile_export_aiperf.json`.
pub(super) fn aiperf_json(_: &Content<'_>, draft: &mut Draft<'_>) -> Result<(), Refusal> {
    for record in draft.records()? {
        let json = &record.json;
        let version = json.text("aiperf_version").map_or("0.2".to_owned(), |version| minor(version).to_owned());
        let schema = json.first_text(&["schema_version"]).or(json.number("schema_version").map(|v| v.to_string()));
        let schema = schema.map_or(String::new(), |schema| format!(" schema {schema}"));
        let mut run = draft.run(format!("aiperf {version}{schema}"));
        run.line = record.line;
        let metrics = |metric: &str, stat: &str| json_metric(json, metric, stat);
        fill(&mut run, &metrics, "inter_token_latency");
        let config = |path: &str| json.at(path);
        run.model = json.first_text(&[
            "input_config/models/items/0/name",
            "input_config/endpoint/model_names/0",
            "input_config/model_names/0",
        ]);
        let phases = json.list("input_config/phases");
        let phase =
            phases.iter().find(|phase| phase.text("kind") == Some("profiling")).or(config("input_config/loadgen"));
        run.concurrency = phase.and_then(|phase| phase.number("concurrency"));
        run.request_rate = phase.and_then(|phase| phase.first_number(&["request_rate", "rate"])).map(Rate::PerSecond);
        count_errors(&mut run, json);
        cautions(&run, draft, &metrics);
        if matches!(json.get("was_cancelled"), Some(Json::Flag(true))) {
            draft.caution("the run was cancelled before its end");
        }
        draft.runs.push(run);
    }
    Ok(())
}

/// genai-perf's `profile_export_genai_perf.json`.
pub(super) fn genai_json(_: &Content<'_>, draft: &mut Draft<'_>) -> Result<(), Refusal> {
    for record in draft.records()? {
        let json = &record.json;
        let mut run = draft.run("genai-perf 0.0.16");
        run.line = record.line;
        let metrics = |metric: &str, stat: &str| json_metric(json, metric, stat);
        fill(&mut run, &metrics, "inter_token_latency");
        run.model = json.first_text(&["input_config/model_names/0", "input_config/model/0", "input_config/model"]);
        let load = "input_config/perf_analyzer/stimulus";
        run.concurrency = json.first_number(&[&format!("{load}/concurrency"), "input_config/concurrency"]);
        let rate = json.first_number(&[&format!("{load}/request_rate"), "input_config/request_rate"]);
        run.request_rate = rate.map(Rate::PerSecond);
        draft.runs.push(run);
    }
    Ok(())
}

/// aiperf's CSV; its columns stand in another order than genai-perf's and rows are alphabetical.
pub(super) fn aiperf_csv(content: &Content<'_>, draft: &mut Draft<'_>) -> Result<(), Refusal> {
    csv(content, draft, |_| "aiperf 0.13 CSV")
}

/// genai-perf's CSV; numbers have thousands separators.
pub(super) fn genai_csv(content: &Content<'_>, draft: &mut Draft<'_>) -> Result<(), Refusal> {
    csv(content, draft, |as_written| if as_written { "genai-perf 0.0.16 CSV" } else { "genai-perf CSV" })
}

fn csv(content: &Content<'_>, draft: &mut Draft<'_>, version: fn(bool) -> &'static str) -> Result<(), Refusal> {
    let statistics = draft.table(&["Metric", "avg", "p99"])?;
    let totals = content.table(&["Metric", "Value"]);
    let metrics = |metric: &str, stat: &str| {
        let named = |cell: Option<&str>| cell.and_then(|cell| snake_case(cell).filter(|(name, _)| name == metric));
        let row = statistics.rows().find_map(|row| named(row.text("Metric")).map(|(_, unit)| (row, unit)));
        if let Some((row, unit)) = row {
            return row.number(stat).map(|value| value * scale(&unit));
        }
        let totals = totals.as_ref().filter(|_| stat == "avg")?;
        let row = totals.rows().find_map(|row| named(row.text("Metric")).map(|(_, unit)| (row, unit)));
        row.and_then(|(row, unit)| Some(row.number("Value")? * scale(&unit)))
    };
    let as_written = !statistics.decimal_comma && metrics("time_to_second_token", "avg").is_some();
    let mut run = draft.run(version(as_written));
    fill(&mut run, &metrics, "inter token latency");
    if run.tool == "aiperf" {
        cautions(&run, draft, &metrics);
    }
    draft.runs.push(run);
    Ok(())
}

/// `Time To First Token (ms)` → `time_to_first_token`, `ms`.
fn snake_case(cell: &str) -> Option<(String, String)> {
    let (name, unit) = cell.rsplit_once('(').unwrap_or((cell, ""));
    let name = name.trim().to_lowercase().replace([' ', '-'], "_");
    (!name.is_empty()).then(|| (name, unit.trim_end_matches(')').to_owned()))
}

fn json_metric(json: &Json, metric: &str, stat: &str) -> Option<f64> {
    let metric = json.get(metric)?;
    metric.number(stat).map(|value| value * scale(metric.text("unit").unwrap_or("")))
}

/// Milliseconds of a unit of time; other units stay as they are.
fn scale(unit: &str) -> f64 {
    match unit.trim() {
        "s" | "sec" | "seconds" => 1e3,
        "us" | "µs" => 1e-3,
        "ns" => 1e-6,
        _ => 1.0,
    }
}

fn fill(run: &mut MeasuredRun, metrics: Metrics<'_>, tpot_name: &str) {
    let spread = |metric: &str| Spread::ask(1.0, |stat| metrics(metric, if stat == "mean" { "avg" } else { stat }));
    run.ttft_ms = spread("time_to_first_token");
    run.tpot_ms = spread("inter_token_latency");
    run.itl_ms = spread("inter_chunk_latency");
    run.e2e_ms = spread("request_latency");
    run.prompt_len_mean = metrics("input_sequence_length", "avg");
    run.gen_len_mean = metrics("output_sequence_length", "avg");
    run.output_tok_s = metrics("output_token_throughput", "avg");
    run.total_tok_s = metrics("total_token_throughput", "avg");
    run.n_failed = metrics("error_request_count", "avg").filter(|n| *n > 0.0).and_then(whole);
    // Without a single success there is no count of them either.
    let none = run.n_failed.map(|_| 0.0);
    run.n_requests = metrics("request_count", "avg").or(none).and_then(whole);
    run.concurrency_observed = metrics("effective_concurrency", "avg");
    run.duration_s = metrics("benchmark_duration", "avg").map(|ms| ms / 1e3);
    if !run.tpot_ms.is_empty() {
        run.tell("tpot_from", format!("{tpot_name} (per-request average)"));
    }
}

/// Failures that stand only in the list of errors.
fn count_errors(run: &mut MeasuredRun, json: &Json) {
    let errors: f64 = json.list("error_summary").iter().filter_map(|error| error.number("count")).sum();
    if run.n_failed.is_none() && errors > 0.0 {
        run.n_failed = whole(errors);
        run.n_requests = run.n_requests.or(Some(0));
    }
}

/// What the server counted may differ from what the client counted.
fn cautions(run: &MeasuredRun, draft: &mut Draft<'_>, metrics: Metrics<'_>) {
    match (metrics("usage_prompt_tokens", "avg"), run.prompt_len_mean) {
        (Some(server), Some(client)) if client > 0.0 && (server / client - 1.0).abs() > 0.1 => {
            let percent = (server / client - 1.0).abs() * 100.0;
            draft.note(format!(
                "prompt token counts disagree by {percent:.0} %: {server} by the server, {client} by the client"
            ));
        }
        (None, Some(_)) => draft.note(
            "prompts are counted by the client's tokeniser; whether client and server prompt token counts disagree \
             cannot be seen (no usage_prompt_tokens)",
        ),
        _ => {}
    }
}

/// `0.13.0` → `0.13`.
fn minor(version: &str) -> &str {
    version.match_indices('.').nth(1).map_or(version, |(at, _)| &version[..at])
}
