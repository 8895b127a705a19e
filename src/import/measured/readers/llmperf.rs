//! llmperf: the summary of a run, and its individual responses.
//!
//! Seconds. `inter_token_latency` is the sum of gaps including TTFT over the tokens: neither TPOT nor ITL. From the
//! summary, TPOT follows only where all outputs have one length; a mean of ratios is no ratio of means.

use crate::import::measured::Refusal;
use crate::import::measured::check::implied_tpot;
use crate::import::measured::content::Content;
use crate::import::measured::draft::Draft;
use crate::import::measured::json::Json;
use crate::import::measured::run::Spread;

/// `*_summary.json`.
pub(super) const SUMMARY: &[&str] = &["results_ttft_s_mean", "results_end_to_end_latency_s_mean"];
/// `*_individual_responses.json`.
pub(super) const INDIVIDUAL: &[&str] = &["ttft_s", "end_to_end_latency_s", "number_output_tokens"];

const VERSION: &str = "llmperf 2023-08-31";

/// One run.
pub(super) fn summary(_: &Content<'_>, draft: &mut Draft<'_>) -> Result<(), Refusal> {
    for record in draft.records()? {
        let json = &record.json;
        let version = json.text("version").map_or(VERSION.to_owned(), |version| format!("llmperf {version}"));
        let mut run = draft.run(version);
        run.line = record.line;
        run.model = json.first_text(&["model"]);
        run.concurrency = json.number("num_concurrent_requests");
        run.n_requests = json.count("results_num_completed_requests");
        run.n_failed = json.count("results_number_errors");
        run.prompt_len_mean = json.number("results_number_input_tokens_mean");
        run.gen_len_mean = json.number("results_number_output_tokens_mean");
        run.ttft_ms = spread(json, "ttft_s");
        run.e2e_ms = spread(json, "end_to_end_latency_s");
        run.tool_reported_itl_ms = Some(spread(json, "inter_token_latency_s")).filter(|spread| !spread.is_empty());
        run.output_tok_s = json.number("results_mean_output_throughput_token_per_s");
        let implied = implied_tpot(&run);
        if json.number("results_number_output_tokens_stddev") == Some(0.0) {
            run.tpot_ms = Spread::mean(implied);
            run.derived.push("tpot_ms.mean = (e2e.mean - ttft.mean)/(gen_len-1)".to_owned());
        } else if let Some(implied) = implied {
            draft.note(format!("the means imply a TPOT near {implied:.2} ms; give the individual responses for it"));
        }
        draft.runs.push(run);
    }
    draft.caution("its inter-token latency includes TTFT (all gaps over all tokens), so it is neither TPOT nor ITL");
    Ok(())
}

fn spread(json: &Json, metric: &str) -> Spread {
    Spread::ask(1e3, |stat| match stat {
        "mean" => json.number(&format!("results_{metric}_mean")),
        percentile => json.number(&format!("results_{metric}_quantiles_{percentile}")),
    })
}

/// All responses of one run.
pub(super) fn individual(_: &Content<'_>, draft: &mut Draft<'_>) -> Result<(), Refusal> {
    let records = draft.records()?;
    let good: Vec<&Json> = records.iter().map(|record| &record.json).filter(|json| is_good(json)).collect();
    let column = |key: &str| -> Vec<f64> { good.iter().filter_map(|json| json.number(key)).collect() };
    let mean = |values: Vec<f64>| (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64);
    let tpot = |json: &&Json| {
        let tokens = json.number("number_output_tokens").filter(|tokens| *tokens > 1.0)?;
        Some((json.number("end_to_end_latency_s")? - json.number("ttft_s")?) / (tokens - 1.0))
    };
    let mut run = draft.run(VERSION);
    run.n_requests = Some(good.len() as u64);
    run.requested = Some(records.len() as u64);
    run.n_failed = Some((records.len() - good.len()) as u64).filter(|failed| *failed > 0);
    run.ttft_ms = Spread::of_samples(column("ttft_s"), 1e3);
    run.e2e_ms = Spread::of_samples(column("end_to_end_latency_s"), 1e3);
    run.tpot_ms = Spread::of_samples(good.iter().filter_map(tpot).collect(), 1e3);
    run.prompt_len_mean = mean(column("number_input_tokens"));
    run.gen_len_mean = mean(column("number_output_tokens"));
    run.derived.push("tpot_ms from (e2e-ttft)/(n-1) per request".to_owned());
    draft.runs.push(run);
    Ok(())
}

fn is_good(json: &Json) -> bool {
    json.get("error_code").is_none() && json.number("number_output_tokens").is_some_and(|tokens| tokens > 0.0)
}
