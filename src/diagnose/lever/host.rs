//! Serial work of the CPU: tokeniser, HTTP, scheduler, launches of eager steps.

use std::sync::Arc;

use super::{Cause, Lever, LeverId, LeverKind};

pub(super) const LEVER: Lever = Lever {
    id: LeverId::HostOverhead,
    cause: Cause::HostOverhead,
    kind: LeverKind::Remedy,
    apply: |scenario| {
        let mut changed = scenario.clone();
        changed.deployment.engine = Arc::new(scenario.deployment.engine.without_host());
        changed.switches.cpu_overhead = None;
        Some(changed)
    },
};
