//! The one door to planning, costing and the timeline.

pub use crate::timeline::{
    Breakdown, KernelRow, Memory, Metrics, Outcome, PhaseKind, PhaseUtilization, Resource, Run, SeriesPoint, Shortfall,
    TransferRow,
};

use crate::scenario::Scenario;
use crate::timeline;

/// Simulates a scenario: a pure function, the same bits for the same scenario.
#[must_use]
pub fn simulate(scenario: &Scenario) -> Outcome {
    timeline::run(scenario)
}
