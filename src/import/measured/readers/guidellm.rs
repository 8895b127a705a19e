//! guidellm: one run per benchmark of its report, as JSON or as CSV.
//!
//! Only `successful` requests count. `request_latency` is seconds, the rest milliseconds. TPOT is its
//! `inter_token_latency`; what it calls `time_per_output_token` divides by all tokens and, from 0.5 on, holds TTFT.

use crate::import::measured::Refusal;
use crate::import::measured::content::Content;
use crate::import::measured::draft::Draft;
use crate::import::measured::json::{self, Json};
use crate::import::measured::number::whole;
use crate::import::measured::run::{MeasuredRun, Rate, Spread};
use crate::import::measured::table::RowView;

/// The report.
pub(super) const KEYS: &[&str] = &["benchmarks/0/metrics/request_latency"];
/// First header row of the CSV since 0.4.
pub(super) const GROUPS: &[&str] = &["Request Latency", "Time to First Token", "Inter Token Latency"];
/// Columns of the CSV before.
pub(super) const OLD_COLUMNS: &[&str] = &[
    "Successful Request latency mean",
    "Successful Time to first token ms mean",
    "Successful Inter token latency ms mean",
];

/// Percentiles in a CSV list: p0.1, 1, 5, 10, 25, 50, 75, 90, 95, 99, 99.9.
const P50: usize = 5;
const P90: usize = 7;
const P99: usize = 9;

/// `benchmarks.json` of any version.
pub(super) fn json(_: &Content<'_>, draft: &mut Draft<'_>) -> Result<(), Refusal> {
    for record in draft.records()? {
        let report = &record.json;
        let version = report.text("metadata/guidellm_version").unwrap_or("0.2.1").to_owned();
        for benchmark in report.list("benchmarks") {
            let mut run = draft.run(format!("guidellm {version}"));
            run.line = record.line;
            fill(&mut run, benchmark);
            run.model = benchmark
                .first_text(&["worker/backend_model", "config/backend/model", "config/spec/backend/model"])
                .or_else(|| {
                    report.first_text(&["args/model", "config/backend/model", "config/model", "args/backend/model"])
                });
            let incomplete = total(benchmark, "incomplete").filter(|n| *n > 0.0);
            if let Some(incomplete) = incomplete {
                draft.note(format!("{incomplete} requests were cut off at the end of the run and are left out"));
            }
            draft.runs.push(run);
        }
    }
    Ok(())
}

fn total(benchmark: &Json, state: &str) -> Option<f64> {
    benchmark.first_number(&[
        &format!("request_totals/{state}"),
        &format!("metrics/request_totals/{state}"),
        &format!("run_stats/requests_made/{state}"),
    ])
}

fn fill(run: &mut MeasuredRun, benchmark: &Json) {
    let get = |metric: &str, stat: &str| benchmark.number(&format!("metrics/{metric}/successful/{stat}"));
    let spread = |metric: &str, scale: f64| {
        Spread::ask(scale, |stat| match stat {
            "mean" => get(metric, "mean"),
            "p50" => get(metric, "median").or_else(|| get(metric, "percentiles/p50")),
            other => get(metric, &format!("percentiles/{other}")),
        })
    };
    run.n_requests = total(benchmark, "successful").and_then(whole);
    run.n_failed = total(benchmark, "errored").filter(|n| *n > 0.0).and_then(whole);
    run.prompt_len_mean = get("prompt_token_count", "mean");
    run.gen_len_mean = get("output_token_count", "mean");
    run.ttft_ms = spread("time_to_first_token_ms", 1.0);
    run.tpot_ms = spread("inter_token_latency_ms", 1.0);
    run.e2e_ms = spread("request_latency", 1e3);
    run.tool_reported_tpot_ms = Some(spread("time_per_output_token_ms", 1.0)).filter(|spread| !spread.is_empty());
    run.tell("tpot_from", "inter_token_latency_ms");
    run.output_tok_s = get("output_tokens_per_second", "mean");
    run.total_tok_s = get("tokens_per_second", "mean");
    run.concurrency_observed = get("request_concurrency", "mean");
    run.duration_s = benchmark.number("duration");
    let paths = ["args/strategy", "config/strategy", "config/spec/strategy", "config/spec/profile", "config/profile"];
    if let Some(strategy) = paths.iter().find_map(|path| benchmark.at(path)) {
        let kind = strategy.first_text(&["type_", "kind", "strategy_type"]).unwrap_or_default();
        load(run, &kind, |key| strategy.number(key).or_else(|| first(strategy.numbers(key))));
    }
}

fn first(numbers: &[f64]) -> Option<f64> {
    numbers.first().copied()
}

/// The load that a strategy means.
fn load(run: &mut MeasuredRun, kind: &str, value: impl Fn(&str) -> Option<f64>) {
    match kind {
        "constant" | "poisson" | "async" => {
            run.request_rate = value("rate").map(Rate::PerSecond);
            run.concurrency = value("max_concurrency");
        }
        "concurrent" => run.concurrency = value("streams").or_else(|| value("max_concurrency")),
        "synchronous" => run.concurrency = Some(1.0),
        "throughput" => {
            run.request_rate = Some(Rate::Unlimited);
            run.concurrency = value("max_concurrency");
        }
        _ => {}
    }
}

/// The CSV since 0.4: three header rows (group, what, statistic), then a row per benchmark.
pub(super) fn csv(_: &Content<'_>, draft: &mut Draft<'_>) -> Result<(), Refusal> {
    let table = draft.table(GROUPS)?;
    let mut rows = table.rows();
    let (Some(what), Some(statistic)) = (rows.next(), rows.next()) else {
        return Err(Refusal::new("the table has no benchmarks", "did the run finish? Run it again"));
    };
    for row in rows {
        let find = |group: &str, what_starts: &str, stat: &str| {
            let groups = table.header.iter().enumerate().filter(|(_, name)| *name == group);
            let fits = |at: &usize| {
                what.cell(*at).unwrap_or("").starts_with(what_starts) && statistic.cell(*at).unwrap_or("") == stat
            };
            groups.map(|(at, _)| at).find(fits).and_then(|at| row.cell(at))
        };
        let version =
            find("Runtime Info", "Metadata", "").and_then(|text| parsed(text)?.first_text(&["guidellm_version"]));
        let mut run = draft.run(format!("guidellm {} CSV", version.unwrap_or_else(|| "0.4+".to_owned())));
        run.line = row.line;
        fill_from_csv(&mut run, &find);
        draft.runs.push(run);
    }
    Ok(())
}

/// JSON in a cell.
fn parsed(text: &str) -> Option<Json> {
    json::parse(text, 0, &mut 100_000).ok().map(|(value, ..)| value)
}

fn fill_from_csv<'t>(run: &mut MeasuredRun, find: &dyn Fn(&str, &str, &str) -> Option<&'t str>) {
    let number =
        |group: &str, what: &str, stat: &str| find(group, what, stat).and_then(|cell| cell.parse::<f64>().ok());
    let spread = |group: &str, scale: f64| {
        let list = find(group, "Successful", "Percentiles").and_then(parsed);
        let at = |index: usize| {
            list.as_ref().and_then(|list| match list {
                Json::Numbers(numbers) => numbers.get(index).copied(),
                _ => None,
            })
        };
        Spread::ask(scale, |stat| match stat {
            "mean" => number(group, "Successful", "Mean"),
            "p50" => number(group, "Successful", "Median").or_else(|| at(P50)),
            "p90" => at(P90),
            _ => at(P99),
        })
    };
    run.ttft_ms = spread("Time to First Token", 1.0);
    run.tpot_ms = spread("Inter Token Latency", 1.0);
    run.e2e_ms = spread("Request Latency", 1e3);
    run.tool_reported_tpot_ms = Some(spread("Time per Output Token", 1.0)).filter(|spread| !spread.is_empty());
    run.tell("tpot_from", "inter_token_latency_ms");
    let count = |what: &str| find("Request Counts", what, "").and_then(|cell| cell.parse::<f64>().ok());
    run.n_requests = count("Successful").and_then(whole);
    run.n_failed = count("Errored").filter(|n| *n > 0.0).and_then(whole);
    run.prompt_len_mean = number("Token Metrics", "Successful Input Tokens", "Mean");
    run.gen_len_mean = number("Token Metrics", "Successful Output Tokens", "Mean");
    run.output_tok_s = number("Token Throughput", "Successful Output Tokens/Sec", "Mean");
    run.total_tok_s = number("Token Throughput", "Successful Total Tokens/Sec", "Mean");
    run.concurrency_observed = number("Server Throughput", "Successful Concurrency", "Mean");
    run.duration_s = find("Timings", "Duration", "Sec").and_then(|cell| cell.parse().ok());
    run.model = find("Run Info", "Backend", "").and_then(|text| parsed(text)?.first_text(&["model"]));
    let profile = find("Run Info", "Profile", "").and_then(parsed);
    if let (Some(profile), Some(kind)) = (profile, find("Benchmark", "Strategy", "")) {
        let strategy = profile.at("completed_strategies/0").unwrap_or(&profile);
        load(run, kind, |key| strategy.number(key).or_else(|| first(profile.numbers(key))));
    }
}

/// The CSV before 0.4: one header row; means and medians are read.
pub(super) fn old_csv(_: &Content<'_>, draft: &mut Draft<'_>) -> Result<(), Refusal> {
    let table = draft.table(OLD_COLUMNS)?;
    for row in table.rows() {
        let mut run = draft.run("guidellm 0.2.1 CSV");
        run.line = row.line;
        let get = |metric: &str, stat: &str| row.number(&format!("Successful {metric} {stat}"));
        let spread = |metric: &str, scale: f64| {
            Spread::ask(scale, |stat| match stat {
                "mean" => get(metric, "mean"),
                "p50" => get(metric, "median"),
                _ => None,
            })
        };
        run.ttft_ms = spread("Time to first token ms", 1.0);
        run.tpot_ms = spread("Inter token latency ms", 1.0);
        run.e2e_ms = spread("Request latency", 1e3);
        run.tool_reported_tpot_ms = Some(spread("Time per output token ms", 1.0)).filter(|s| !s.is_empty());
        run.tell("tpot_from", "inter_token_latency_ms");
        run.n_requests = requests(&row);
        run.prompt_len_mean = get("Prompt token count", "mean");
        run.gen_len_mean = get("Output token count", "mean");
        run.output_tok_s = get("Output tokens per second", "mean");
        run.total_tok_s = get("Tokens per second", "mean");
        run.concurrency_observed = get("Request concurrency", "mean");
        draft.runs.push(run);
    }
    Ok(())
}

fn requests(row: &RowView<'_>) -> Option<u64> {
    row.count("Successful Requests").or_else(|| row.count("Successful Request Count"))
}
