//! The console table of vLLM's and SGLang's serving benchmarks, pasted or logged; several in one log are several runs.

use crate::import::measured::Refusal;
use crate::import::measured::content::Content;
use crate::import::measured::draft::Draft;
use crate::import::measured::number;
use crate::import::measured::run::{MeasuredRun, Rate, Spread, engine_of};

const TITLE: &str = "Serving Benchmark Result";
/// vLLM's table.
pub(super) const VLLM: &[&str] = &[TITLE, "Successful requests:"];
/// SGLang's table names the backend.
pub(super) const SGLANG: &[&str] = &[TITLE, "Successful requests:", "Backend:"];

/// A table of `vllm bench serve`.
pub(super) fn vllm(content: &Content<'_>, draft: &mut Draft<'_>) -> Result<(), Refusal> {
    read(content, draft, |lines| {
        if lines.number("Peak concurrent requests").is_some() { "vllm 0.33 console" } else { "vllm 0.6-0.9 console" }
    });
    Ok(())
}

/// A table of SGLang's `bench_serving`.
pub(super) fn sglang(content: &Content<'_>, draft: &mut Draft<'_>) -> Result<(), Refusal> {
    read(content, draft, |_| "sglang console");
    Ok(())
}

fn read(content: &Content<'_>, draft: &mut Draft<'_>, version: impl Fn(&Lines<'_>) -> &'static str) {
    let starts: Vec<usize> = content.text.match_indices(TITLE).map(|(at, _)| at).collect();
    let (mut before, mut line) = (0, 1);
    for (index, start) in starts.iter().enumerate() {
        let end = starts.get(index + 1).copied().unwrap_or(content.text.len());
        // The load is told above its table, so what lies between two tables belongs to both; the table's own counts.
        let lines = Lines { table: &content.text[*start..end], above: &content.text[before..*start] };
        let mut run = draft.run(version(&lines));
        line += lines.above.bytes().filter(|b| *b == b'\n').count() as u64;
        run.line = line;
        fill(&mut run, &lines);
        draft.runs.push(run);
        before = *start;
    }
}

/// `Label:   value` lines, by label.
struct Lines<'t> {
    table: &'t str,
    above: &'t str,
}

impl<'t> Lines<'t> {
    fn in_table(&self, label: &str) -> Option<&'t str> {
        let mut lines = self.table.lines().take_while(|line| !line.starts_with("=====") || line.contains(TITLE));
        lines.find_map(|line| value_after(line, label))
    }

    fn text(&self, label: &str) -> Option<&'t str> {
        self.in_table(label).or_else(|| self.above.lines().rev().find_map(|line| value_after(line, label)))
    }

    fn number(&self, label: &str) -> Option<f64> {
        number::parse(self.in_table(label)?, false)
    }

    /// `Mean TTFT (ms):`, `Median …`, `P90 …`, `P99 …`.
    fn spread(&self, metrics: &[&str]) -> Spread {
        Spread::ask(1.0, |stat| {
            let names: &[&str] = match stat {
                "mean" => &["Mean"],
                "p50" => &["Median", "P50"],
                "p90" => &["P90"],
                _ => &["P99"],
            };
            let labels =
                names.iter().flat_map(|name| metrics.iter().map(move |metric| format!("{name} {metric} (ms)")));
            labels.into_iter().find_map(|label| self.number(&label))
        })
    }
}

fn value_after<'t>(line: &'t str, label: &str) -> Option<&'t str> {
    let (name, value) = line.trim().split_once(':')?;
    name.trim().eq_ignore_ascii_case(label).then(|| value.trim())
}

fn fill(run: &mut MeasuredRun, lines: &Lines<'_>) {
    let count = |label: &str| lines.number(label).and_then(number::whole);
    run.engine = lines.in_table("Backend").and_then(engine_of);
    run.model = model_of(lines.above);
    run.n_requests = count("Successful requests");
    run.n_failed = count("Failed requests");
    let cap = lines.text("Maximum request concurrency").or_else(|| lines.text("Max request concurrency"));
    run.concurrency = cap.and_then(|cap| number::parse(cap, false));
    let rate = lines.in_table("Request rate configured (RPS)").or_else(|| lines.text("Traffic request rate"));
    run.request_rate = rate.and_then(|rate| match rate {
        "inf" => Some(Rate::Unlimited),
        other => number::parse(other, false).map(Rate::PerSecond),
    });
    run.duration_s = lines.number("Benchmark duration (s)").filter(|seconds| *seconds > 0.0);
    let per_request = |label: &str| {
        let requests = lines.number("Successful requests").filter(|n| *n > 0.0)?;
        Some(lines.number(label)? / requests)
    };
    run.prompt_len_mean = per_request("Total input tokens");
    run.gen_len_mean = per_request("Total generated tokens");
    run.output_tok_s = lines.number("Output token throughput (tok/s)");
    run.total_tok_s = lines.number("Total token throughput (tok/s)");
    run.ttft_ms = lines.spread(&["TTFT"]);
    run.tpot_ms = lines.spread(&["TPOT"]);
    run.itl_ms = lines.spread(&["ITL"]);
    run.e2e_ms = lines.spread(&["E2EL", "E2E Latency"]);
}

/// The model of a pasted `Namespace(…, model='…', …)` line.
fn model_of(text: &str) -> Option<String> {
    let (_, rest) = text.rsplit_once("model='")?;
    let name = rest.split('\'').next()?;
    (!name.is_empty() && name.len() < 200).then(|| name.to_owned())
}
