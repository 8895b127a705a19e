//! Steps as measurements meet them: fractional batches, a prompt mixed into a decode step, a chunk on a cached prefix.

use super::{Phase, Step, forward, pipeline, prefill_step, whole};
use crate::kernel::{Kernel, KernelCall, PrefillAttention};
use crate::scenario::Scenario;

/// A decode step of `sequences`, possibly a fractional mean, at a context, the new token included.
#[must_use]
pub fn decode_step(scenario: &Scenario, sequences: f64, context: f64) -> Vec<KernelCall> {
    let own = (sequences / scenario.replicas()).max(1.0);
    let step = Step {
        tokens: whole(own),
        all_tokens: sequences.max(1.0),
        rows: whole(own),
        repeats: 1.0,
        phase: Phase::Decode { sequences: own, context },
    };
    forward(scenario, &step)
}

/// A step that prefills one prompt beside `decoding` sequences at a context: one pass over the weights, both kinds of
/// attention.
#[must_use]
pub fn mixed_step(scenario: &Scenario, prompt: f64, decoding: f64, context: f64) -> Vec<KernelCall> {
    let replicas = scenario.replicas();
    let step = Step {
        tokens: whole((prompt + decoding) / replicas),
        all_tokens: prompt + decoding,
        rows: whole((decoding + 1.0) / replicas),
        repeats: 1.0,
        phase: Phase::Prefill { sequences: (1.0 / replicas).max(1.0), tokens: prompt },
    };
    let mut calls = forward(scenario, &step);
    calls.extend(decode_step(scenario, decoding, context).into_iter().filter(|call| mixes_tokens(&call.kernel)));
    calls
}

fn mixes_tokens(kernel: &Kernel) -> bool {
    matches!(kernel, Kernel::DecodeAttention(_) | Kernel::LatentDecode(_) | Kernel::RecurrentScan(_))
}

/// A step of `tokens` new tokens of one sequence on a cached prefix, `repeats` times.
#[must_use]
pub fn chunk_step(scenario: &Scenario, tokens: f64, prefix: f64, repeats: f64) -> Vec<KernelCall> {
    let mut calls = prefill_step(scenario, 1.0, tokens, repeats);
    for call in &mut calls {
        call.kernel = match call.kernel {
            Kernel::PrefillAttention(k) if k.window == 0.0 => {
                Kernel::PrefillAttention(PrefillAttention { prefix, ..k })
            }
            Kernel::KvCacheWrite(k) if k.window == 0.0 => Kernel::KvCacheWrite(PrefillAttention { prefix, ..k }),
            other => other,
        };
    }
    calls
}

/// Positions in 0 … 1 and weights of Gauss and Legendre's rule with three points: the mean over contexts or prefixes.
pub const THREE_POINTS: [(f64, f64); 3] = [(0.1127, 5.0 / 18.0), (0.5, 8.0 / 18.0), (0.8873, 5.0 / 18.0)];

/// A prompt of each of `batch` sequences in chunks of `chunk` tokens, priced at three prefixes. Steps, calls.
#[must_use]
pub fn chunked_prefill(scenario: &Scenario, batch: f64, prompt: f64, chunk: f64) -> (f64, Vec<KernelCall>) {
    let count = (prompt / chunk).ceil();
    let steps = count * batch;
    let repeats = steps * pipeline::Flow::of(scenario, steps, chunk).share();
    let at = |(position, weight): (f64, f64)| {
        chunk_step(scenario, prompt / count, position * prompt * (count - 1.0) / count, weight * repeats)
    };
    (steps, THREE_POINTS.into_iter().flat_map(at).collect())
}
