//! The embedding table's way to the device.

use std::sync::Arc;

use super::{Cause, Lever, LeverId, LeverKind};
use crate::machine::Scale;
use crate::scenario::Scenario;
use crate::spec::EmbeddingPlacement;

pub(super) const DEVICE: Lever = Lever {
    id: LeverId::EmbeddingDevice,
    cause: Cause::EmbeddingTransfer,
    kind: LeverKind::Remedy,
    apply: |scenario| {
        let on_host = scenario.switches.embedding_placement != EmbeddingPlacement::Device;
        on_host.then(|| place(scenario, EmbeddingPlacement::Device))
    },
};

pub(super) const PINNED: Lever = Lever {
    id: LeverId::EmbeddingPinned,
    cause: Cause::EmbeddingTransfer,
    kind: LeverKind::Remedy,
    apply: |scenario| {
        let pageable = scenario.switches.embedding_placement == EmbeddingPlacement::HostPageable;
        pageable.then(|| place(scenario, EmbeddingPlacement::HostPinned))
    },
};

pub(super) const PCIE_GENERATION: Lever = Lever {
    id: LeverId::PcieGeneration,
    cause: Cause::EmbeddingTransfer,
    kind: LeverKind::Remedy,
    apply: |scenario| {
        let mut changed = scenario.clone();
        changed.machine = Arc::new(scenario.machine.scaled(&Scale::pcie(2.0)));
        Some(changed)
    },
};

fn place(scenario: &Scenario, placement: EmbeddingPlacement) -> Scenario {
    let mut changed = scenario.clone();
    changed.switches.embedding_placement = placement;
    changed
}
