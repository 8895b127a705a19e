//! Prices a plan: host, transfers, kernels and launches on one clock, and what fits in memory.
//!
//! ```text
//! TTFT = request host + transfers + effp·Σ prefill kernels + p0·steps
//! step = smooth_max(eff·Σ kernels, launch floor) + serial host + transfers      smooth_max(a, b) = (a⁴ + b⁴)^¼
//! TPOT = mean of the steps at contexts P+1 … P+G−1        E2E = TTFT + (G−1)·TPOT
//! ```
//! Constants are the engine's (`hardware/engines.yaml`). Left out: queueing, continuous batching, prefix caching.

mod breakdown;
mod decode;
mod host;
mod local;
mod memory;
mod outcome;
mod prefill;
mod price;
mod transfers;

pub use breakdown::Breakdown;
pub use memory::{Memory, memory};
pub use outcome::{
    KernelRow, Metrics, Outcome, PhaseKind, PhaseUtilization, Resource, Run, SeriesPoint, Shortfall, TransferRow,
};

use crate::scenario::Scenario;
use crate::spec::ScenarioKind;

/// Answers the question, or says by how much it does not fit.
#[must_use]
pub fn run(scenario: &Scenario) -> Outcome {
    let memory = memory(scenario);
    if let Some(shortfall) = memory::shortfall(scenario, &memory) {
        return Outcome::Infeasible(shortfall);
    }
    let kind = scenario.workload.scenario;
    let prefill = (kind != ScenarioKind::Decode).then(|| prefill::run(scenario));
    let decode = if kind == ScenarioKind::Prefill { None } else { decode::run(scenario) };
    Outcome::Feasible(Box::new(outcome::assemble(scenario, prefill, decode, memory)))
}
