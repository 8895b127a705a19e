//! Mixture of experts: a grouped product over the experts that the tokens of a step touch.
//!
//! ```text
//! N = T·k pairs;  h = distinct experts;  tile = clamp(2^⌈log2(N/h)⌉, 16, 128);  R = max(h·tile, N + h·tile/2) padded rows
//! sat = 1 − exp(−h·⌈2I/128⌉/(SM·x_sat));  tw = weights touched/(BW·e_w·sat);  tc = 2·R·matrices·hidden·I/(peak·e_c)
//! act = 2·N·(3·hidden + 2·matrices·I)/(BW·e_a);  t = t0 + c_e·h + act + pm(q, tw, tc)
//! ```
//! Source: fitted to public kernel timings (ai-dynamo/aiconfigurator@095f58a), 30 % of the expert shapes kept out; median
//! 3–13 %. Left out: imbalance beyond uniform routing, all-to-all (see `collective`).

use super::math::power_mean;
use super::{Basis, Bound, KernelCost, Provenance};
use crate::kernel::{ExpertFormat, GroupedGemm};
use crate::machine::Machine;
use crate::quantity::{Bytes, Seconds};
use crate::spec::{GroupedGemmSpec, Peaks};

/// What a timing loop's hits, padded rows and cache state are, where they are known; serving knows none of them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Measured {
    /// Distinct experts.
    pub hits: Option<f64>,
    /// Padded rows.
    pub rows: Option<f64>,
    /// Weights may still lie in the second-level cache.
    pub warm: bool,
}

/// Dense rate of the experts' tensor path in TFLOPS.
#[must_use]
pub fn tflops(format: ExpertFormat, peaks: &Peaks) -> f64 {
    match format {
        ExpertFormat::Bf16 | ExpertFormat::WeightOnlyInt4 => peaks.bf16_tflops,
        ExpertFormat::Fp8 | ExpertFormat::Fp8Block => peaks.fp8_tflops.unwrap_or(peaks.bf16_tflops),
        ExpertFormat::Nvfp4 => peaks.fp4_tflops.or(peaks.fp8_tflops).unwrap_or(peaks.bf16_tflops),
    }
}

struct Parts {
    fixed: f64,
    weights: f64,
    compute: f64,
    activations: f64,
}

fn parts(k: &GroupedGemm, c: &GroupedGemmSpec, peaks: &Peaks, measured: Measured) -> Parts {
    let bandwidth = peaks.bandwidth_gb_s * 1e3;
    let pairs = k.pairs();
    let hits = measured.hits.unwrap_or_else(|| k.hits());
    let per_expert = (pairs / hits).max(1.0);
    let tile = per_expert.log2().ceil().exp2().clamp(16.0, 128.0);
    let rows = measured.rows.unwrap_or_else(|| (hits * tile).max(pairs + 0.5 * hits * tile));
    let saturation = 1.0 - (-hits * (2.0 * k.intermediate / 128.0).ceil() / peaks.sm_count / c.x_sat).exp();
    let weights = hits * k.matrices * k.hidden * k.intermediate * k.format.weight_bytes();
    let miss = if measured.warm { 1.0 / (1.0 + (0.7 * peaks.l2_mb * 1e6 / weights.max(1.0)).powi(8)) } else { 1.0 };
    Parts {
        fixed: c.t0_us + c.c_e_ns * 1e-3 * hits,
        weights: weights / (bandwidth * c.e_w * saturation) * (miss + (1.0 - miss) / c.r_l2),
        compute: 2.0 * rows * k.matrices * k.hidden * k.intermediate / (tflops(k.format, peaks) * 1e6 * c.e_c),
        activations: 2.0 * pairs * (3.0 * k.hidden + 2.0 * k.matrices * k.intermediate) / (bandwidth * c.e_a),
    }
}

/// Time of a grouped product.
#[must_use]
pub fn grouped_gemm(k: &GroupedGemm, c: &GroupedGemmSpec, peaks: &Peaks, measured: Measured) -> Seconds {
    let p = parts(k, c, peaks, measured);
    Seconds::from_us(p.fixed + p.activations + power_mean(c.q, &[p.weights, p.compute]))
}

pub(super) fn time(k: &GroupedGemm, machine: &Machine) -> Seconds {
    let (coefficients, _) = machine.costs.moe.of(k.format);
    grouped_gemm(k, coefficients, &machine.costs.attention.peaks, Measured::default())
}

pub(super) fn explain(k: &GroupedGemm, machine: &Machine) -> KernelCost {
    let (coefficients, class) = machine.costs.moe.of(k.format);
    let p = parts(k, coefficients, &machine.costs.attention.peaks, Measured::default());
    let bounds = [
        (p.fixed, Bound::Latency),
        (p.weights, Bound::Memory),
        (p.compute, Bound::Compute),
        (p.activations, Bound::Memory),
    ];
    let bound = bounds.into_iter().max_by(|a, b| a.0.total_cmp(&b.0)).map_or(Bound::Memory, |(_, bound)| bound);
    let activations = 2.0 * k.pairs() * (3.0 * k.hidden + 2.0 * k.matrices * k.intermediate);
    let time = time(k, machine);
    let room = (time.get() * machine.sheet.bandwidth.get() - k.bytes().get()).max(0.0);
    KernelCost {
        flop: k.flop(),
        dram_bytes: k.bytes() + Bytes::new(activations.min(room)),
        math: Some(k.format.math()),
        ..KernelCost::bare(time, bound, Provenance { class, basis: Basis::Experts })
    }
}
