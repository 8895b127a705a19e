//! Passes over activations.
//!
//! `t = (t0³ + (bytes/(BW·0.70·l))³)^⅓`, t0 = 2.5 µs; l = 2.5 while the bytes fit half the second-level cache, else 1.
//! Source: fitted together with the composition of whole steps on public end-to-end measurements; plain kernels of the
//! 2024 generation reach 0.35–0.9 of the bandwidth (microsoft/vidur tables).

use super::{Basis, Bound, KernelCost, Provenance, cache, footprint, gemm, occupancy};
use crate::kernel::{Elementwise, ElementwiseOp, MathType};
use crate::machine::Machine;
use crate::quantity::{Flop, Seconds};
use crate::spec::{CostingClass, Peaks};

const LAUNCH_US: f64 = 2.5;
const BANDWIDTH_SHARE: f64 = 0.70;
const CACHE_SPEEDUP: f64 = 2.5;

fn stream_us(bytes: f64, peaks: &Peaks) -> f64 {
    let speedup = if bytes < 0.5 * peaks.l2_mb * 1e6 { CACHE_SPEEDUP } else { 1.0 };
    bytes / (peaks.bandwidth_gb_s * 1e3 * BANDWIDTH_SHARE * speedup)
}

/// Selecting the experts of each token runs beside the pass over the router's scores.
const SELECT_EXPERTS_US: f64 = 2.0;

/// What operations of passes are held at: the fastest unit that could do them.
pub const MATH: MathType = MathType::Fp8;

/// Time of a pass.
#[must_use]
pub fn time(k: &Elementwise, peaks: &Peaks) -> Seconds {
    let extra = if k.op == ElementwiseOp::SelectExperts { SELECT_EXPERTS_US } else { 0.0 };
    Seconds::from_us((LAUNCH_US.powi(3) + stream_us(k.bytes, peaks).powi(3)).cbrt() + extra)
}

pub(super) fn explain(k: &Elementwise, machine: &Machine) -> KernelCost {
    let peaks = &machine.costs.base;
    let (modelled, arithmetic) = (time(k, peaks), Flop::new(k.flop) / machine.peak(MATH));
    let time = Seconds::new(modelled.get().max(arithmetic.get()));
    let bound = match stream_us(k.bytes, peaks) {
        _ if arithmetic.get() > modelled.get() => Bound::Compute,
        stream if stream > LAUNCH_US => Bound::Memory,
        _ => Bound::Latency,
    };
    let traffic = cache::elementwise(k, machine);
    KernelCost {
        flop: Flop::new(k.flop),
        dram_bytes: traffic.dram(time, machine.sheet.bandwidth),
        l2_bytes: Some(traffic.requests),
        l2_hit: Some(traffic.hit(time, machine.sheet.bandwidth)),
        math: Some(MATH).filter(|_| k.op == ElementwiseOp::IndexScores),
        occupancy: occupancy::achieved(footprint::elementwise(&machine.kernel_arch), k.rows, machine),
        wave_efficiency: Some(gemm::wave_efficiency(k.rows / peaks.sm_count)),
        ..KernelCost::bare(time, bound, Provenance { class: CostingClass::Datasheet, basis: Basis::Rule })
    }
}
