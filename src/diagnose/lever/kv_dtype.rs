//! The KV cache in fewer bits.

use std::sync::Arc;

use super::{Cause, Lever, LeverId, LeverKind};
use crate::quantity::KvDtype;
use crate::scenario::Scenario;

pub(super) const FP8: Lever = lever(LeverId::KvFp8, |scenario| narrow(scenario, KvDtype::Fp8));

pub(super) const INT8: Lever = lever(LeverId::KvInt8, |scenario| narrow(scenario, KvDtype::Int8));

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
