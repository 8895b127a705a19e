//! More or fewer GPUs to a layer.

use super::{Cause, Lever, LeverId, LeverKind};
use crate::scenario::Scenario;

pub(super) const TWICE: Lever = lever(LeverId::TensorParallel2, Cause::LinearLayers, |scenario| {
    ranks(scenario, scenario.deployment.tensor_parallel * 2)
});

pub(super) const FOUR_TIMES: Lever = lever(LeverId::TensorParallel4, Cause::LinearLayers, |scenario| {
    ranks(scenario, scenario.deployment.tensor_parallel * 4)
});

pub(super) const HALF: Lever = lever(LeverId::TensorParallelHalf, Cause::Collectives, |scenario| {
    let now = scenario.deployment.tensor_parallel;
    (now > 1 && now.is_multiple_of(2)).then(|| ranks(scenario, now / 2)).flatten()
});

/// GPUs of one server at most.
const MOST_RANKS: f64 = 8.0;

const fn lever(id: LeverId, cause: Cause, apply: fn(&Scenario) -> Option<Scenario>) -> Lever {
    Lever { id, cause, kind: LeverKind::Remedy, apply }
}

fn ranks(scenario: &Scenario, count: u64) -> Option<Scenario> {
    let most = scenario.machine.costs.collective.network.node_gpus.min(MOST_RANKS);
    if count as f64 > most || !scenario.model.splits_over(count) {
        return None;
    }
    let mut changed = scenario.clone();
    changed.deployment.tensor_parallel = count;
    Some(changed)
}
