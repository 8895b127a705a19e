//! Layers spread over stages of a pipeline.
//!
//! ```text
//! prefill of n micro-steps over p stages = (n + p − 1)/p micro-steps of all layers + (p − 1) hops
//! decode step of B sequences             = one pass of B/min(B, p) sequences through all layers + (p − 1) hops
//! ```
//! Stages take equal time; a prefill's first and last micro-steps leave (p − 1)/p of a step idle: the bubble. A static
//! batch is cut into as many micro-batches as there are stages, so that a step of one overlaps steps of the others.
//!
//! A stated rule: one public set of measurements (one sequence over several stages took as long as on one device, 13 %)
//! stands behind the pass, none behind the overlap.

use super::{ACTIVATION, Calls, Step};
use crate::kernel::{Kernel, Send, Stage};
use crate::scenario::Scenario;

/// Fewer prompt tokens than this are not worth a micro-step of their own: weights would be read for too little.
const LEAST_TOKENS: f64 = 512.0;

/// Micro-steps of a prefill that one device would do in `steps` steps: one a stage, if there are prompts and tokens
/// enough for it.
pub(super) fn micro_steps(scenario: &Scenario, steps: f64) -> f64 {
    let (batch, prompt) = (scenario.workload.batch_size as f64, scenario.workload.prompt_len as f64);
    let worth = (batch * prompt / LEAST_TOKENS).floor();
    steps.max(batch.min(scenario.stages()).min(worth))
}

/// Steps of all layers that `micro_steps` take, the bubble included.
pub(super) fn passes(scenario: &Scenario, micro_steps: f64) -> f64 {
    let stages = scenario.stages();
    (micro_steps + stages - 1.0) / stages
}

/// Micro-batches that a batch is cut into for decode: one a stage, if there are sequences for it.
pub(super) fn micro_batches(scenario: &Scenario) -> f64 {
    let sequences = scenario.workload.batch_size as f64 / scenario.replicas();
    sequences.min(scenario.stages()).max(1.0)
}

/// Share of the time of a decode step in which a stage has work: micro-batches over stages.
pub(super) fn decode_occupied(scenario: &Scenario) -> f64 {
    micro_batches(scenario) / scenario.stages()
}

/// Share of the time of a prefill in which a stage has work.
pub(super) fn prefill_occupied(scenario: &Scenario, micro_steps: f64) -> f64 {
    micro_steps / (passes(scenario, micro_steps) * scenario.stages())
}

/// Hidden states and residual passed on to the next stage, once a boundary: later micro-steps hide theirs.
pub(super) fn add(scenario: &Scenario, step: &Step, calls: &mut Calls) {
    let hops = scenario.stages() - 1.0;
    if hops > 0.0 {
        let bytes = 2.0 * ACTIVATION * step.tokens * scenario.model.hidden_size as f64 / scenario.ranks();
        let crosses_nodes = scenario.crosses_nodes();
        calls.add_once("send_to_next_stage", Stage::Ffn, hops, Kernel::Send(Send { bytes, crosses_nodes }));
    }
}
