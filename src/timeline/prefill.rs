//! The way to the first token.

use super::{Breakdown, KernelRow, PhaseKind, host, price};
use crate::plan;
use crate::scenario::Scenario;

/// Priced prefill.
pub(super) struct Prefill {
    /// Time to first token, by stage and kernel.
    pub ttft: Breakdown,
    /// Every kernel, copy and task.
    pub rows: Vec<KernelRow>,
    /// Share of the phase in which a pipeline stage has work.
    pub occupied: f64,
}

pub(super) fn run(scenario: &Scenario) -> Prefill {
    let plan = plan::prefill(scenario);
    let mut rows = host::prefill(scenario, plan.steps);
    rows.extend(price::rows(scenario, PhaseKind::Prefill, &plan.calls, scenario.deployment.engine.prefill_factor));
    Prefill { ttft: Breakdown::of_rows("ttft", &rows), rows, occupied: plan.occupied }
}
