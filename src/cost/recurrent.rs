//! Recurrent token mixers (gated delta net and its kin).
//!
//! ```text
//! decode   14 µs + 2·B·state·4 B/(BW·0.6)                     short convolution, update, gated norm
//! prefill  40 µs + FLOP/(peak·0.15) + 12·T·inner/(BW·0.6)     chunks of 64 tokens
//! ```
//! Source: a stated rule; checked only through whole steps of one model family (Qwen3.5). No kernel measurement stands
//! behind it.

use super::{Basis, Bound, KernelCost, Provenance};
use crate::kernel::{MathType, RecurrentScan};
use crate::machine::Machine;
use crate::quantity::Seconds;
use crate::spec::{CostingClass, Peaks};

const BANDWIDTH_SHARE: f64 = 0.6;
const COMPUTE_SHARE: f64 = 0.15;

struct Parts {
    fixed: f64,
    memory: f64,
    compute: f64,
}

fn parts(k: &RecurrentScan, peaks: &Peaks) -> Parts {
    let rate = peaks.bandwidth_gb_s * 1e3 * BANDWIDTH_SHARE;
    if k.prefill {
        Parts {
            fixed: 40.0,
            memory: 12.0 * k.tokens * k.inner_width / rate,
            compute: k.flop().get() / (peaks.bf16_tflops * 1e6 * COMPUTE_SHARE),
        }
    } else {
        Parts { fixed: 14.0, memory: 8.0 * k.sequences * k.state / rate, compute: 0.0 }
    }
}

/// Time of a scan.
#[must_use]
pub fn time(k: &RecurrentScan, peaks: &Peaks) -> Seconds {
    let p = parts(k, peaks);
    Seconds::from_us(p.fixed + p.compute + p.memory)
}

pub(super) fn explain(k: &RecurrentScan, machine: &Machine) -> KernelCost {
    let p = parts(k, &machine.costs.base);
    let bounds = [(p.fixed, Bound::Latency), (p.memory, Bound::Memory), (p.compute, Bound::Compute)];
    let bound = bounds.into_iter().max_by(|a, b| a.0.total_cmp(&b.0)).map_or(Bound::Memory, |(_, bound)| bound);
    let provenance = Provenance { class: CostingClass::Datasheet, basis: Basis::Rule };
    KernelCost {
        flop: k.flop(),
        dram_bytes: k.bytes(),
        math: Some(MathType::Bf16),
        ..KernelCost::bare(time(k, &machine.costs.base), bound, provenance)
    }
}
