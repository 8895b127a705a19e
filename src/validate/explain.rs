//! Which part of a predicted time a difference would have to come from, and what to check.
//!
//! A single figure cannot say which part is off. For each part the value that it would need alone is worked out, and parts
//! are ordered by how unlikely that value is: |ln(needed / predicted)| over what the part scatters by.

use super::case::{Case, Metric};
use super::compare::Answer;
use super::parts::Part;

/// A difference below this share of the measured time needs no explanation.
pub const EXPLAIN_ABOVE: f64 = 0.10;

/// A part that could alone explain a difference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Suspect {
    /// The part.
    pub part: Part,
    /// Predicted, milliseconds.
    pub predicted_ms: f64,
    /// What it would have to be, milliseconds.
    pub needed_ms: f64,
}

/// A difference taken apart.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// Measured less predicted time, milliseconds.
    pub gap_ms: f64,
    /// Parts that could alone explain it, the most likely first.
    pub suspects: Vec<Suspect>,
    /// The measured time is below what the data sheet allows for the bytes that must be read, milliseconds: the row does
    /// not mean what it says.
    pub below_floor_ms: Option<f64>,
}

/// Scatter of a part: a factor e^σ either way is nothing unusual. Kernel models are known to a few percent to a quarter,
/// what the host and other requests add to a factor of two.
const fn scatter(part: Part) -> f64 {
    match part {
        Part::Ffn | Part::Logits => 0.15,
        Part::Attention => 0.20,
        Part::Norm | Part::Embedding => 0.30,
        Part::Collectives => 0.40,
        Part::Sampling | Part::OtherPrefills => 0.50,
        Part::Host | Part::LaunchWait | Part::Client | Part::Queue => 0.70,
    }
}

/// Suspects shown.
const MOST_SUSPECTS: usize = 3;

/// Takes a difference apart, if it is large enough to need it.
#[must_use]
pub fn explain(answer: &Answer, measured: f64) -> Option<Explanation> {
    if (answer.ratio - 1.0).abs() <= EXPLAIN_ABOVE {
        return None;
    }
    let measured_ms = answer.prediction.time_of(measured) / 1e3;
    let parts = answer.parts_ms();
    let gap_ms = measured_ms - parts.total();
    let mut suspects: Vec<(f64, Suspect)> = parts
        .iter()
        .filter(|(_, ms)| *ms > 0.0 && ms + gap_ms > 0.0)
        .map(|(part, ms)| {
            let needed_ms = ms + gap_ms;
            ((needed_ms / ms).ln().abs() / scatter(part), Suspect { part, predicted_ms: ms, needed_ms })
        })
        .collect();
    suspects.sort_by(|a, b| a.0.total_cmp(&b.0));
    let floor = floor_ms(&answer.case);
    Some(Explanation {
        gap_ms,
        suspects: suspects.into_iter().take(MOST_SUSPECTS).map(|(_, suspect)| suspect).collect(),
        below_floor_ms: floor.filter(|floor| measured_ms < *floor),
    })
}

/// The least time that the data sheet allows for reading weights and cache, where a figure holds decode steps.
fn floor_ms(case: &Case) -> Option<f64> {
    let load = &case.load;
    let steps = match case.metric {
        Metric::Tpot | Metric::DecodeRate => 1.0,
        Metric::E2e => (load.output - 1.0).max(0.0),
        Metric::Throughput if load.kind == super::case::Kind::Serving => 1.0,
        Metric::Throughput => (load.output - 1.0).max(0.0),
        Metric::Ttft | Metric::PrefillRate => return None,
    };
    let scenario = &case.scenario;
    let tokens = if load.same_text { 1.0 } else { load.batch.max(1.0) };
    let cache = scenario.kv_cache().sequence_bytes(load.context.unwrap_or(load.prompt)) * load.batch;
    let devices = scenario.gpus() as f64;
    let bytes = scenario.model.step_weight_bytes(tokens) / devices + cache / scenario.replicas();
    Some(steps * bytes / scenario.machine.sheet.bandwidth.get() * 1e3)
}
