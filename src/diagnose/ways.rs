//! The nearest scenarios that fit, each simulated.

use std::sync::Arc;

use crate::quantity::{KvDtype, WeightDtype};
use crate::scenario::Scenario;
use crate::simulate::{Outcome, Shortfall, simulate};

/// One change and what becomes of the scenario.
#[derive(Clone, Debug)]
pub struct Way {
    /// The change.
    pub change: Change,
    /// What becomes of it.
    pub outcome: Outcome,
}

/// A change that needs less memory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Change {
    /// Fewer requests at a time.
    BatchSize(u64),
    /// Shorter prompts.
    PromptLen(u64),
    /// Weights in another type.
    Weights(WeightDtype),
    /// KV cache in another type.
    Kv(KvDtype),
    /// More GPUs.
    TensorParallel(u64),
    /// 8-bit weights and 8-bit KV cache together.
    WeightsAndKv(WeightDtype, KvDtype),
}

/// Simulates the nearest changes, in the order of how little they change what is asked.
#[must_use]
pub fn ways_to_fit(scenario: &Scenario, shortfall: &Shortfall) -> Vec<Way> {
    let mut changes = Vec::new();
    if scenario.model.kv == KvDtype::Bf16 {
        changes.push(Change::Kv(KvDtype::Fp8));
    }
    let narrower = [WeightDtype::Fp8, WeightDtype::Int4];
    changes.extend(narrower.into_iter().filter(|d| d.bytes() < scenario.model.weights.bytes()).map(Change::Weights));
    if scenario.model.kv == KvDtype::Bf16 && scenario.model.weights.bytes() > 1.0 {
        changes.push(Change::WeightsAndKv(WeightDtype::Fp8, KvDtype::Fp8));
    }
    changes.extend(shortfall.largest_batch.filter(|b| *b < scenario.workload.batch_size).map(Change::BatchSize));
    let prompt = shortfall.largest_context.and_then(|context| context.checked_sub(scenario.workload.gen_len));
    changes.extend(prompt.filter(|p| *p > 0 && *p < scenario.workload.prompt_len).map(Change::PromptLen));
    let ranks = [2, 4, 8].map(|factor| scenario.deployment.tensor_parallel * factor);
    changes.extend(ranks.into_iter().filter(|ranks| more_ranks(scenario, *ranks)).map(Change::TensorParallel));
    changes.into_iter().map(|change| Way { change, outcome: simulate(&apply(scenario, change)) }).collect()
}

/// Most GPUs that a layer is split over to make it fit.
const MOST_RANKS: u64 = 16;

/// Whether a layer can be split over so many GPUs, on machines that hold more than one.
fn more_ranks(scenario: &Scenario, ranks: u64) -> bool {
    let one_to_a_box = scenario.machine.costs.collective.network.node_gpus < 2.0;
    ranks <= MOST_RANKS && !one_to_a_box && scenario.model.splits_over(ranks)
}

fn apply(scenario: &Scenario, change: Change) -> Scenario {
    let mut changed = scenario.clone();
    match change {
        Change::BatchSize(batch) => changed.workload.batch_size = batch,
        Change::PromptLen(prompt) => changed.workload.prompt_len = prompt,
        Change::Weights(dtype) => changed.model = Arc::new(scenario.model.requantised(dtype)),
        Change::Kv(dtype) => changed.model = Arc::new(scenario.model.with_kv(dtype)),
        Change::WeightsAndKv(weights, kv) => changed.model = Arc::new(scenario.model.requantised(weights).with_kv(kv)),
        Change::TensorParallel(ranks) => changed.deployment.tensor_parallel = ranks,
    }
    changed
}
