//! Layers spread over stages of a pipeline.
//!
//! ```text
//! prefill of N tokens over p stages  = (N + (p − 1)·m)/(p·N) of all layers' time + (p − 1) hops; m = largest micro-step
//! decode step of B sequences         = one pass of B/min(B, p) sequences through all layers + (p − 1) hops
//! ```
//! Stages take equal time; a prefill's micro-steps follow one another through the stages, and the largest leaves (p − 1)/p
//! of its time idle: the bubble. A static batch is cut into as many micro-batches as there are stages, so that a step of
//! one overlaps steps of the others.
//!
//! A stated rule: one public set of measurements (one sequence over several stages took as long as on one device, 13 %)
//! stands behind the pass, none behind the overlap.

use super::{ACTIVATION, Calls, Step};
use crate::kernel::{Kernel, Send, Stage};
use crate::scenario::Scenario;

/// Fewer prompt tokens than this are not worth a micro-step of their own: weights would be read for too little.
const LEAST_TOKENS: f64 = 512.0;

/// How a prefill flows through the stages.
#[derive(Clone, Copy)]
pub(super) struct Flow {
    stages: f64,
    /// Micro-steps, fractional where a part of one more is worth it.
    pub(super) micro_steps: f64,
    /// Tokens of the largest over those of all.
    largest: f64,
}

impl Flow {
    /// A prefill that one device would do in `steps` steps of at most `step_tokens`: one micro-step a stage, if there are
    /// prompts and tokens enough for it.
    pub(super) fn of(scenario: &Scenario, steps: f64, step_tokens: f64) -> Self {
        let stages = scenario.stages();
        let batch = scenario.workload.batch_size as f64;
        let tokens = batch * scenario.workload.prompt_len as f64;
        let parts = batch.min(stages).min((tokens / LEAST_TOKENS).max(1.0));
        Self { stages, micro_steps: steps.max(parts), largest: (1.0 / parts).min(step_tokens / tokens) }
    }

    /// Time of the prefill over that of all its tokens in all layers, the bubble included.
    pub(super) fn share(self) -> f64 {
        (1.0 + (self.stages - 1.0) * self.largest) / self.stages
    }

    /// Share of the time in which a stage has work.
    pub(super) fn occupied(self) -> f64 {
        1.0 / (self.share() * self.stages)
    }
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

/// Hidden states and residual passed on to the next stage, once a boundary: later micro-steps hide theirs.
pub(super) fn add(scenario: &Scenario, step: &Step, calls: &mut Calls) {
    let hops = scenario.stages() - 1.0;
    if hops > 0.0 {
        let bytes = 2.0 * ACTIVATION * step.tokens * scenario.model.hidden_size as f64 / scenario.ranks();
        let crosses_nodes = scenario.crosses_nodes();
        calls.add_once("send_to_next_stage", Stage::Ffn, hops, Kernel::Send(Send { bytes, crosses_nodes }));
    }
}
