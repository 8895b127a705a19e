//! MLPerf LoadGen's `mlperf_log_summary.txt`: `key : value` lines, nanoseconds.
//!
//! Offline runs send everything at once: their latency is a queue and the TTFT and TPOT printed among the parameters
//! are targets, so only throughput is read.

use crate::import::measured::Refusal;
use crate::import::measured::content::Content;
use crate::import::measured::draft::Draft;
use crate::import::measured::run::{MeasuredRun, Rate, Spread};
use crate::import::measured::text::short;

/// One run per summary.
pub(super) fn read(content: &Content<'_>, draft: &mut Draft<'_>) -> Result<(), Refusal> {
    let lines: Vec<(String, &str)> = content.text.lines().filter_map(key_value).collect();
    let text = |key: &str| lines.iter().find(|(name, _)| name == key).map(|(_, value)| *value);
    let number = |key: &str| text(key)?.parse::<f64>().ok().filter(|value| value.is_finite());
    let scenario = text("scenario").unwrap_or_default();
    let old = lines.iter().any(|(name, _)| name.contains("time to output token"));
    let mut run = draft.run(if old { "loadgen v5.0" } else { "loadgen 6.0" });
    let metric = |named: &str| {
        Spread::ask(1e-6, |stat| match stat {
            "mean" => number(&format!("mean {named} (ns)")),
            percentile => number(&format!("{}.00 percentile {named} (ns)", &percentile[1..])),
        })
    };
    if scenario != "Offline" {
        run.ttft_ms = metric("first token latency");
        run.tpot_ms = metric(if old { "time to output token" } else { "time per output token" });
        run.e2e_ms = metric("latency");
    }
    if scenario == "Server" {
        run.request_rate = number("target_qps").map(Rate::PerSecond);
        run.achieved_rate = number("completed samples per second");
    }
    let tokens = ["completed tokens per second", "tokens per second"];
    run.output_tok_s = tokens.iter().find_map(|key| number(key));
    if let Some(rate) = number("samples per second") {
        run.tell("samples_per_s", rate);
    }
    tell_result(&mut run, draft, text("result is"), scenario);
    draft.runs.push(run);
    Ok(())
}

/// Whether LoadGen accepted the run.
fn tell_result(run: &mut MeasuredRun, draft: &mut Draft<'_>, result: Option<&str>, scenario: &str) {
    run.tell("result", result.map(str::to_owned));
    run.tell("scenario", scenario.to_owned());
    if result.is_some_and(|result| result != "VALID") {
        draft.caution(format!("LoadGen calls the result {}", short(result.unwrap_or_default(), 20)));
    }
    draft.caution("model, system, lengths and request count stand in the folder's name or in the detail log, not here");
}

/// A line's key in lower case and its value.
fn key_value(line: &str) -> Option<(String, &str)> {
    let (key, value) = line.split_once(':')?;
    let key = key.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    Some((key, value.trim()))
}
