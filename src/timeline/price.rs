//! Turns kernel calls into priced rows.

use super::{KernelRow, PhaseKind};
use crate::cost;
use crate::kernel::{Kernel, KernelCall};
use crate::quantity::Seconds;
use crate::scenario::Scenario;

/// Prices calls; `factor` is the engine's on GPU time. A factor below one does not beat the data sheet.
pub(super) fn rows(scenario: &Scenario, phase: PhaseKind, calls: &[KernelCall], factor: f64) -> Vec<KernelRow> {
    calls.iter().map(|call| row(scenario, phase, call, factor)).collect()
}

fn row(scenario: &Scenario, phase: PhaseKind, call: &KernelCall, factor: f64) -> KernelRow {
    let mut cost = cost::explain(&call.kernel, &scenario.machine);
    cost.time = scaled(scenario, &call.kernel, cost.time, factor);
    KernelRow { phase, call: *call, time: cost.time * call.calls, cost }
}

/// The time of one call with the engine's factor on GPU time.
pub(super) fn time(scenario: &Scenario, kernel: &Kernel, factor: f64) -> Seconds {
    scaled(scenario, kernel, cost::time(kernel, &scenario.machine), factor)
}

fn scaled(scenario: &Scenario, kernel: &Kernel, time: Seconds, factor: f64) -> Seconds {
    match kernel {
        Kernel::Transfer(_) | Kernel::Host(_) => time,
        _ => {
            let floor = if factor < 1.0 { cost::roofline(kernel, &scenario.machine) } else { Seconds::ZERO };
            Seconds::new((time * factor).get().max(floor.get()))
        }
    }
}

/// Whether a call runs on the GPU's multiprocessors.
pub(super) fn is_gpu(call: &KernelCall) -> bool {
    !matches!(call.kernel, Kernel::Transfer(_) | Kernel::Host(_))
}
