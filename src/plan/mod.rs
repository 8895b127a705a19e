//! Lowers a scenario to kernel calls, per phase, on one rank. Knows shapes, not time.
//!
//! Per layer: norm, QKV, rotary embedding, attention with its cache write, output projection, norm, gate/up, activation,
//! down; with several ranks an all-reduce after attention and after the feed-forward layer. Once a step: embedding,
//! final norm, LM head (the last token of each prompt only), sampling.

mod layer;
mod once;

use crate::kernel::{Kernel, KernelCall, Stage};
use crate::scenario::Scenario;

/// Tokens of a prefill step at most.
pub const STEP_TOKENS: f64 = 8192.0;

/// The kernel calls of one phase.
#[derive(Clone, Debug)]
pub struct PhasePlan {
    /// Steps of the phase.
    pub steps: f64,
    /// Calls over all its steps.
    pub calls: Vec<KernelCall>,
}

/// What one forward step processes on one rank.
#[derive(Clone, Copy, Debug)]
struct Step {
    /// Tokens, whole.
    tokens: f64,
    /// Sequences that yield a token, whole.
    rows: f64,
    /// How often the step runs.
    repeats: f64,
    phase: Phase,
}

#[derive(Clone, Copy, Debug)]
enum Phase {
    /// Sequences × new tokens.
    Prefill { sequences: f64, tokens: f64 },
    /// Sequences at a context.
    Decode { sequences: f64, context: f64 },
}

/// The prefill of the whole batch: whole prompts are grouped into steps of at most [`STEP_TOKENS`]; a longer prompt is
/// priced as one step and charged the host time of all it takes.
#[must_use]
pub fn prefill(scenario: &Scenario) -> PhasePlan {
    let (batch, prompt) = (scenario.workload.batch_size as f64, scenario.workload.prompt_len as f64);
    let wanted = (batch * prompt / STEP_TOKENS).ceil().max(1.0);
    let (steps, priced_steps) = if batch > 1.0 && wanted > 1.0 {
        let prompts_per_step = (batch / wanted).round_ties_even().max(1.0);
        let steps = (batch / prompts_per_step).ceil();
        (steps, steps)
    } else {
        (wanted, 1.0)
    };
    let mut calls = prefill_step(scenario, batch / priced_steps, prompt, priced_steps);
    calls.extend(once::table_copy(scenario));
    PhasePlan { steps, calls }
}

/// A step that prefills `sequences` prompts of `tokens`, `repeats` times; both counts may be fractional.
#[must_use]
pub fn prefill_step(scenario: &Scenario, sequences: f64, tokens: f64, repeats: f64) -> Vec<KernelCall> {
    let step = Step {
        tokens: (sequences * tokens - 1e-9).ceil().max(1.0),
        rows: (sequences - 1e-9).ceil().max(1.0),
        repeats,
        phase: Phase::Prefill { sequences: sequences.max(1.0), tokens },
    };
    forward(scenario, &step)
}

/// One decode step of the whole batch at a context, the new token included.
#[must_use]
pub fn decode(scenario: &Scenario, context: f64) -> PhasePlan {
    let sequences = scenario.workload.batch_size as f64;
    let step = Step { tokens: sequences, rows: sequences, repeats: 1.0, phase: Phase::Decode { sequences, context } };
    PhasePlan { steps: 1.0, calls: forward(scenario, &step) }
}

fn forward(scenario: &Scenario, step: &Step) -> Vec<KernelCall> {
    let mut calls = Calls { list: Vec::with_capacity(28), repeats: step.repeats };
    once::input(scenario, step, &mut calls);
    layer::attention(scenario, step, &mut calls);
    layer::ffn(scenario, step, &mut calls);
    layer::norms(scenario, step, &mut calls);
    once::output(scenario, step, &mut calls);
    calls.list
}

/// The calls so far.
struct Calls {
    list: Vec<KernelCall>,
    repeats: f64,
}

impl Calls {
    /// A kernel that the reference models price too.
    fn add(&mut self, name: &'static str, stage: Stage, calls: f64, kernel: Kernel) {
        self.push(name, stage, calls, kernel, true);
    }

    /// A kernel that only this tool prices.
    fn add_beyond_reference(&mut self, name: &'static str, stage: Stage, calls: f64, kernel: Kernel) {
        self.push(name, stage, calls, kernel, false);
    }

    fn push(&mut self, name: &'static str, stage: Stage, calls: f64, kernel: Kernel, in_reference: bool) {
        self.list.push(KernelCall { name, stage, calls: calls * self.repeats, kernel, in_reference });
    }
}
