//! Faster hardware, to show which resource the time hangs on. Not something to do.

use std::sync::Arc;

use super::{Cause, Lever, LeverId, LeverKind};
use crate::machine::Scale;
use crate::scenario::Scenario;

pub(super) const MEMORY_BANDWIDTH: Lever =
    lever(LeverId::MemoryBandwidth, |scenario| Some(scaled(scenario, &Scale::bandwidth(2.0))));

pub(super) const COMPUTE: Lever = lever(LeverId::Compute, |scenario| Some(scaled(scenario, &Scale::compute(2.0))));

const fn lever(id: LeverId, apply: fn(&Scenario) -> Option<Scenario>) -> Lever {
    Lever { id, cause: Cause::Hardware, kind: LeverKind::HardwareLimit, apply }
}

fn scaled(scenario: &Scenario, scale: &Scale) -> Scenario {
    let mut changed = scenario.clone();
    changed.machine = Arc::new(scenario.machine.scaled(scale));
    changed
}
