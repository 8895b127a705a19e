//! Linear weights in fewer bits. Files of local engines have integers only, and no types of activations.

use std::sync::Arc;

use super::{Cause, Lever, LeverId, LeverKind};
use crate::quantity::WeightDtype;
use crate::scenario::Scenario;

pub(super) const FP8: Lever =
    lever(LeverId::WeightsFp8, |scenario| (!is_local(scenario)).then(|| narrow(scenario, WeightDtype::Fp8)).flatten());

pub(super) const INT8_W8A8: Lever = lever(LeverId::WeightsInt8W8A8, |scenario| {
    let runs = scenario.machine.has_int8_math() && !is_local(scenario);
    runs.then(|| narrow(scenario, WeightDtype::Int8W8A8)).flatten()
});

pub(super) const INT8: Lever =
    lever(LeverId::WeightsInt8, |scenario| is_local(scenario).then(|| narrow(scenario, WeightDtype::Int8)).flatten());

pub(super) const INT4: Lever = lever(LeverId::WeightsInt4, |scenario| narrow(scenario, WeightDtype::Int4));

const fn lever(id: LeverId, apply: fn(&Scenario) -> Option<Scenario>) -> Lever {
    Lever { id, cause: Cause::LinearLayers, kind: LeverKind::Remedy, apply }
}

fn is_local(scenario: &Scenario) -> bool {
    scenario.deployment.engine.local.is_some()
}

fn narrow(scenario: &Scenario, dtype: WeightDtype) -> Option<Scenario> {
    if dtype.bytes() >= scenario.model.weights.bytes() {
        return None;
    }
    let mut changed = scenario.clone();
    changed.model = Arc::new(scenario.model.requantised(dtype));
    Some(changed)
}
