//! GPU profilers and telemetry: recognised and refused, with the numbers that show what they are.
//!
//! They time kernels or sample a card; none knows requests or tokens, so none gives TTFT or TPOT.

use std::collections::BTreeSet;

use crate::import::measured::Refusal;
use crate::import::measured::content::Content;
use crate::import::measured::draft::Draft;
use crate::import::measured::run::{Fact, MeasuredRun};

fn recognised(draft: &mut Draft<'_>, facts: &[(&'static str, Fact)]) {
    let mut run: MeasuredRun = draft.run("");
    run.tell("recognised_only", true);
    facts.iter().for_each(|(key, fact)| run.tell(key, fact.clone()));
    draft.runs.push(run);
}

fn profile(what: &str) -> Refusal {
    let help = "give the result file of a serving benchmark of the same run";
    Refusal::new(format!("this is a profile ({what}): no TTFT or TPOT in it"), help)
}

/// Nsight Compute, one metric a row: kernels and the memory clock.
pub(super) fn ncu(content: &Content<'_>, draft: &mut Draft<'_>) -> Result<(), Refusal> {
    let table = draft.table(&["Kernel Name", "ID"])?;
    let kernels: BTreeSet<&str> = table.rows().filter_map(|row| row.text("ID")).filter(|id| is_number(id)).collect();
    let clock = table.rows().find(|row| row.text("Metric Name") == Some("DRAM Frequency"));
    let scale = match clock.as_ref().and_then(|row| row.text("Metric Unit")) {
        Some("hz" | "Hz") => 1.0,
        Some("Khz" | "KHz") => 1e3,
        Some("Mhz" | "MHz") => 1e6,
        _ => 1e9,
    };
    let clock = clock.and_then(|row| row.number("Metric Value")).map(|value| value * scale);
    let facts = [("kernels", (kernels.len() as f64).into()), ("dram_frequency_hz", clock.into())];
    recognised(draft, &facts);
    if content.text.contains("==PROF==") {
        draft.note("`==PROF==` lines above the table are left out");
    }
    Err(profile("Nsight Compute, kernels one by one"))
}

fn is_number(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_digit())
}

/// `nsys stats`: kernels or copies by total time.
pub(super) fn nsys(content: &Content<'_>, draft: &mut Draft<'_>) -> Result<(), Refusal> {
    let percent = if content.has_table(&["Total Time (ns)", "Time (%)"]) { "Time (%)" } else { "Time(%)" };
    let table = draft.table(&["Total Time (ns)", percent])?;
    let total: f64 = table.rows().filter_map(|row| row.number("Total Time (ns)")).sum();
    let key = if table.has("Operation") { "operations" } else { "kernels" };
    let facts = [(key, (table.rows().count() as f64).into()), ("total_time_ns", total.into())];
    recognised(draft, &facts);
    Err(profile("Nsight Systems, times by kernel"))
}

/// A Chrome trace, as PyTorch's profiler writes it; microseconds, whatever `displayTimeUnit` says.
pub(super) fn trace(_: &Content<'_>, draft: &mut Draft<'_>) -> Result<(), Refusal> {
    for record in draft.records()? {
        let events = record.json.list("traceEvents");
        let steps = events.iter().filter(|event| event.text("cat") == Some("user_annotation"));
        let longest =
            steps.filter_map(|e| Some((e.text("name")?, e.number("dur")?))).max_by(|a, b| a.1.total_cmp(&b.1));
        let mut facts = vec![("events", (events.len() as f64).into())];
        if let Some((name, micros)) = longest {
            facts.extend([("longest_step", name.into()), ("longest_step_us", micros.into())]);
        }
        recognised(draft, &facts);
    }
    Err(profile("a trace of operations"))
}

/// NVIDIA's exporter: gauges of cards.
pub(super) fn dcgm(content: &Content<'_>, draft: &mut Draft<'_>) -> Result<(), Refusal> {
    let gpu = |line: &str| {
        let (_, labels) = line.strip_prefix("DCGM_FI_")?.split_once('{')?;
        let label = labels.split(',').find_map(|label| label.trim().strip_prefix("gpu=\""))?;
        label.split('"').next().map(str::to_owned)
    };
    let gpus: BTreeSet<String> = content.text.lines().filter_map(gpu).collect();
    recognised(draft, &[("gpus", (gpus.len() as f64).into())]);
    let help = "give the result file of a serving benchmark";
    Err(Refusal::new("this is GPU telemetry without requests: no TTFT or TPOT in it", help))
}
