//! The KV cache in fewer bits, in the types that the engine has.

use std::sync::Arc;

use super::{Cause, Lever, LeverId, LeverKind};
use crate::quantity::KvDtype;
use crate::scenario::{Engine, Scenario};

pub(super) const FP8: Lever = lever(LeverId::KvFp8, |scenario| {
    let has = scenario.deployment.engine.local.is_none();
    has.then(|| narrow(scenario, KvDtype::Fp8)).flatten()
});

pub(super) const INT8: Lever = lever(LeverId::KvInt8, |scenario| {
    let engine = scenario.deployment.engine.id.as_str();
    let has = INT8_CACHES.iter().any(|family| engine.starts_with(family));
    has.then(|| narrow(scenario, KvDtype::Int8)).flatten()
});

/// Engines with 8-bit integer caches, by the start of their names.
const INT8_CACHES: [&str; 4] = ["trtllm", "lmdeploy", "llama.cpp", Engine::IDEAL];

const fn lever(id: LeverId, apply: fn(&Scenario) -> Option<Scenario>) -> Lever {
    Lever { id, cause: Cause::KvTraffic, kind: LeverKind::Remedy, apply }
}

fn narrow(scenario: &Scenario, dtype: KvDtype) -> Option<Scenario> {
    if scenario.model.kv != KvDtype::Bf16 {
        return None;
    }
    let mut changed = scenario.clone();
    changed.model = Arc::new(scenario.model.with_kv(dtype));
    Some(changed)
}
