//! Lowers a scenario to kernel calls, per phase, on one rank. Knows shapes, not time.
//!
//! Per layer: norm, QKV, rotary embedding, attention with its cache write, output projection, norm, gate/up, activation,
//! down; with several ranks an all-reduce after attention and after the feed-forward layer. Latent attention, recurrent
//! mixers and mixtures of experts take the place of attention and network where a layer group has them. Once a step:
//! embedding, final norm, LM head (the last token of each prompt only), sampling.

mod attention;
mod ffn;
mod once;
mod pipeline;
mod steps;

pub use steps::{THREE_POINTS, chunk_step, chunked_prefill, decode_step, mixed_step};

use crate::kernel::{AllReduce, Elementwise, ElementwiseOp, Kernel, KernelCall, Stage};
use crate::scenario::Scenario;

/// The kernel calls of one phase.
#[derive(Clone, Debug)]
pub struct PhasePlan {
    /// Steps of the phase.
    pub steps: f64,
    /// Calls over all its steps.
    pub calls: Vec<KernelCall>,
    /// Share of the phase in which a pipeline stage has work; 1 without a pipeline.
    pub occupied: f64,
}

/// What one forward step processes on one rank.
#[derive(Clone, Copy, Debug)]
struct Step {
    /// Tokens of one attention replica, whole.
    tokens: f64,
    /// Tokens of all replicas together: what the experts see.
    all_tokens: f64,
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

/// The prefill of the whole batch: whole prompts are grouped into steps of at most the engine's
/// [`step_tokens`](crate::scenario::Engine::step_tokens); a longer prompt is
/// priced as one step and charged the host time of all it takes.
#[must_use]
pub fn prefill(scenario: &Scenario) -> PhasePlan {
    let (batch, prompt) = (scenario.workload.batch_size as f64, scenario.workload.prompt_len as f64);
    if let Some((_, chunk)) = scenario.deployment.engine.prefill_chunk.filter(|(above, _)| prompt > *above) {
        let (steps, mut calls) = chunked_prefill(scenario, batch, prompt, chunk);
        calls.extend(once::table_copy(scenario));
        return PhasePlan { steps, calls, occupied: pipeline::Flow::of(scenario, steps, chunk).occupied() };
    }
    let step_tokens = scenario.deployment.engine.step_tokens();
    let wanted = (batch * prompt / step_tokens).ceil().max(1.0);
    let (steps, priced_steps) = if batch > 1.0 && wanted > 1.0 {
        let prompts_per_step = (batch / wanted).round_ties_even().max(1.0);
        let steps = (batch / prompts_per_step).ceil();
        (steps, steps)
    } else {
        (wanted, 1.0)
    };
    let flow = pipeline::Flow::of(scenario, steps, step_tokens);
    // A prompt longer than a step flows through the stages in chunks, but is priced as one.
    let priced_steps = if batch > 1.0 { flow.micro_steps.max(priced_steps) } else { priced_steps };
    let mut calls = prefill_step(scenario, batch / priced_steps, prompt, priced_steps * flow.share());
    calls.extend(once::table_copy(scenario));
    PhasePlan { steps: flow.micro_steps, calls, occupied: flow.occupied() }
}

/// A step that prefills `sequences` prompts of `tokens`, `repeats` times; both counts may be fractional.
#[must_use]
pub fn prefill_step(scenario: &Scenario, sequences: f64, tokens: f64, repeats: f64) -> Vec<KernelCall> {
    let replicas = scenario.replicas();
    let step = Step {
        tokens: whole(sequences * tokens / replicas),
        all_tokens: (sequences * tokens).max(1.0),
        rows: whole(sequences / replicas),
        repeats,
        phase: Phase::Prefill { sequences: (sequences / replicas).max(1.0), tokens },
    };
    forward(scenario, &step)
}

/// Sequences that a decode step of one attention replica takes through the layers; may be less than one.
#[must_use]
pub fn decode_sequences(scenario: &Scenario) -> f64 {
    scenario.workload.batch_size as f64 / scenario.replicas() / pipeline::micro_batches(scenario)
}

/// One decode step of the whole batch, or of one micro-batch of a pipeline, at a context, the new token included.
#[must_use]
pub fn decode(scenario: &Scenario, context: f64) -> PhasePlan {
    let all = scenario.workload.batch_size as f64 / pipeline::micro_batches(scenario);
    PhasePlan { steps: 1.0, calls: decode_step(scenario, all, context), occupied: pipeline::decode_occupied(scenario) }
}

fn forward(scenario: &Scenario, step: &Step) -> Vec<KernelCall> {
    let mut calls = Calls { list: Vec::with_capacity(28), repeats: step.repeats };
    once::input(scenario, step, &mut calls);
    for group in &scenario.model.groups {
        attention::add(scenario, step, group, &mut calls);
        ffn::add(scenario, step, group, &mut calls);
    }
    norms(scenario, step, &mut calls);
    pipeline::add(scenario, step, &mut calls);
    once::output(scenario, step, &mut calls);
    calls.list
}

/// Whole tokens of a possibly fractional count, at least one.
fn whole(count: f64) -> f64 {
    (count - 1e-9).ceil().max(1.0)
}

/// Bytes of an activation element.
const ACTIVATION: f64 = 2.0;

/// A norm reads input and residual, writes sum and norm.
fn norms(scenario: &Scenario, step: &Step, calls: &mut Calls) {
    let (layers, hidden) = (scenario.model.layers() as f64, scenario.model.hidden_size as f64);
    let kernel = Kernel::Elementwise(Elementwise {
        op: ElementwiseOp::Norm,
        rows: step.tokens,
        bytes: 4.0 * ACTIVATION * step.tokens * hidden,
        read_share: 0.5,
        flop: 5.0 * step.tokens * hidden,
    });
    calls.add("input_norm", Stage::Norm, layers, kernel);
    calls.add("post_attention_norm", Stage::Norm, layers, kernel);
    calls.add_beyond_reference("final_norm", Stage::Norm, 1.0, kernel);
}

fn all_reduce(scenario: &Scenario, step: &Step, layers: f64, calls: &mut Calls, name: &'static str, stage: Stage) {
    if scenario.deployment.tensor_parallel > 1 {
        let bytes = ACTIVATION * step.tokens * scenario.model.hidden_size as f64;
        calls.add(name, stage, layers, Kernel::AllReduce(AllReduce { ranks: scenario.ranks(), bytes }));
    }
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

    /// A kernel that runs once, however often the step is repeated.
    fn add_once(&mut self, name: &'static str, stage: Stage, calls: f64, kernel: Kernel) {
        self.push(name, stage, calls / self.repeats, kernel, false);
    }

    /// A kernel that only this tool prices.
    fn add_beyond_reference(&mut self, name: &'static str, stage: Stage, calls: f64, kernel: Kernel) {
        self.push(name, stage, calls, kernel, false);
    }

    fn push(&mut self, name: &'static str, stage: Stage, calls: f64, kernel: Kernel, in_reference: bool) {
        self.list.push(KernelCall { name, stage, calls: calls * self.repeats, kernel, in_reference });
    }
}
