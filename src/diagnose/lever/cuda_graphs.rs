//! Decode steps captured once and replayed.

use super::{Cause, Lever, LeverId, LeverKind};

pub(super) const LEVER: Lever = Lever {
    id: LeverId::CudaGraphs,
    cause: Cause::LaunchGaps,
    kind: LeverKind::Remedy,
    apply: |scenario| {
        if scenario.switches.cuda_graphs {
            return None;
        }
        let mut changed = scenario.clone();
        changed.switches.cuda_graphs = true;
        Some(changed)
    },
};
