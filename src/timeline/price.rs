//! Turns kernel calls into priced rows.

use super::local::LocalPrices;
use super::{KernelRow, PhaseKind};
use crate::cost::{self, KernelCost};
use crate::kernel::{Kernel, KernelCall};
use crate::quantity::Seconds;
use crate::scenario::Scenario;

/// Prices of the kernels of one phase.
pub(super) struct Prices<'a> {
    scenario: &'a Scenario,
    /// The engine's factor on GPU time. Below one it does not beat the data sheet.
    factor: f64,
    /// Prices of a local engine, which take the place of the kernel models.
    local: Option<LocalPrices<'a>>,
}

impl<'a> Prices<'a> {
    pub(super) fn new(scenario: &'a Scenario, factor: f64) -> Self {
        Self { scenario, factor, local: LocalPrices::new(scenario) }
    }

    /// Priced calls.
    pub(super) fn rows(&self, phase: PhaseKind, calls: &[KernelCall]) -> Vec<KernelRow> {
        calls.iter().map(|call| self.row(phase, call)).collect()
    }

    fn row(&self, phase: PhaseKind, call: &KernelCall) -> KernelRow {
        let cost = match &self.local {
            Some(local) if is_gpu(call) => local.cost(&call.kernel, call.stage),
            _ => {
                let machine = &self.scenario.machine;
                let cost = cost::explain(&call.kernel, machine);
                let time = self.scaled(&call.kernel, cost.time);
                match call.kernel {
                    // Their bytes move in the time of attention.
                    Kernel::KvCacheWrite(_) | Kernel::CacheAppend(_) => KernelCost { time, ..cost },
                    _ => cost.taking(time, machine.sheet.bandwidth),
                }
            }
        };
        KernelRow { phase, call: *call, time: cost.time * call.calls, cost }
    }

    /// The time of one call, with `kernel` in the place of its own.
    pub(super) fn time(&self, call: &KernelCall, kernel: &Kernel) -> Seconds {
        match &self.local {
            Some(local) if is_gpu(call) => local.cost(kernel, call.stage).time,
            _ => self.scaled(kernel, cost::time(kernel, &self.scenario.machine)),
        }
    }

    fn scaled(&self, kernel: &Kernel, time: Seconds) -> Seconds {
        if matches!(kernel, Kernel::Transfer(_) | Kernel::Host(_)) {
            return time;
        }
        let scenario = self.scenario;
        let factor = self.factor * scenario.deployment.engine.kernel_factor(kernel, scenario.model.weights);
        let floor = if factor < 1.0 { cost::roofline(kernel, &scenario.machine) } else { Seconds::ZERO };
        Seconds::new((time * factor).get().max(floor.get()))
    }
}

/// Whether a call runs on the GPU's multiprocessors.
pub(super) fn is_gpu(call: &KernelCall) -> bool {
    !matches!(call.kernel, Kernel::Transfer(_) | Kernel::Host(_))
}
