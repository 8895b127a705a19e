//! Passes merged into one kernel.

use super::{Cause, Lever, LeverId, LeverKind};
use crate::spec::{SamplerKind, SamplerMethod};

pub(super) const EMBEDDING_NORM: Lever = Lever {
    id: LeverId::FusedEmbeddingNorm,
    cause: Cause::EmbeddingPass,
    kind: LeverKind::Remedy,
    apply: |scenario| {
        if scenario.switches.fuse_embedding_norm {
            return None;
        }
        let mut changed = scenario.clone();
        changed.switches.fuse_embedding_norm = true;
        Some(changed)
    },
};

pub(super) const SAMPLER: Lever = Lever {
    id: LeverId::FusedSampler,
    cause: Cause::Sampling,
    kind: LeverKind::Remedy,
    apply: |scenario| {
        let sampler = scenario.switches.sampler;
        if sampler.kind == SamplerKind::Greedy || sampler.method == SamplerMethod::Fused {
            return None;
        }
        let mut changed = scenario.clone();
        changed.switches.sampler.method = SamplerMethod::Fused;
        Some(changed)
    },
};
