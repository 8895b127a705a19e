//! Linear layers: the fastest of a small menu of tiles and split-K factors.
//!
//! ```text
//! F = peak·1e6/SM·ec   FLOP/µs per SM      D = BW·1e3·em  B/µs      L = peak_bf16·1e6/SM / ib  B/µs per SM
//! dram = (n·k·wB + m·k·aB + m·n·oB) / D
//! x = ⌈m/tm⌉·⌈n/tn⌉·s / SM                 W = 1 if x ≤ 1 else β·x + (1−β)·⌈x⌉
//! core = W·( k/s·max(2·tm·tn/F, (min(tm,m)·aB + tn·wB)/L) + k0·2·tm·tn/F )
//! t = (core⁴ + dram⁴)^¼ + [s > 1] (ts + 8·m·n·s/(3·D))      t* = min over tiles and s
//! T = t0 + t*·(1 + th·t*/(t* + 3000 µs)) + [quantising activations] (tq + m·k·(2+aB)/(BW·1e3·bq))
//! ```
//!
//! Source: a closed form fitted per device and format to public kernel timings (ai-dynamo/aiconfigurator@095f58a,
//! held-out median error 3–9 %). Left out: alignment of odd widths, fused epilogues, thermal limits.

use super::math::fourth_power_mean;
use super::{Basis, Bound, KernelCost, Provenance, cache, footprint, occupancy};
use crate::kernel::{Linear, LinearFormat};
use crate::machine::{Coefficients, Machine};
use crate::quantity::Seconds;
use crate::spec::FormatSpec;

/// Droop reaches half its size at this duration.
const DROOP_TIME_US: f64 = 3000.0;
/// Split-K leaves at least this much K to each part.
const MIN_SPLIT_K: f64 = 256.0;
/// Bytes of the split-K reduction move at this multiple of the memory rate.
const REDUCTION_RATE: f64 = 3.0;
/// Weight copies a timing loop cycles through.
const BENCH_COPIES: f64 = 6.0;

/// The fastest candidate and its parts, in microseconds.
#[derive(Clone, Copy, Debug)]
pub struct GemmTime {
    /// Whole kernel, launch and activation quantisation included.
    pub total_us: f64,
    /// Memory part.
    pub dram_us: f64,
    /// Compute part.
    pub core_us: f64,
    /// Tile rows.
    pub tile_m: f64,
    /// Tile columns.
    pub tile_n: f64,
    /// Split-K factor.
    pub split_k: f64,
    /// Thread blocks.
    pub ctas: f64,
    /// Blocks per multiprocessor.
    pub waves: f64,
    /// Arithmetic, not operand feed, bounds the compute part.
    pub math_bound: bool,
}

/// Time of one call.
#[must_use]
pub fn time(linear: &Linear, costs: &Coefficients) -> Seconds {
    Seconds::from_us(price(linear, costs, Memory::Cold).total_us)
}

/// Whether operands come from memory or, in a timing loop, partly from the cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// Serving: weights come from memory.
    Cold,
    /// A timing loop that cycles a few weight copies.
    BenchLoop,
}

/// Prices every candidate and keeps the fastest.
#[must_use]
pub fn price(linear: &Linear, costs: &Coefficients, memory: Memory) -> GemmTime {
    let gemm = &costs.gemm;
    let (fit, _, tiles) = gemm.format(linear.format);
    let rates = Rates::new(linear, fit, gemm.rate(linear.format.math()), &gemm.peaks);
    let dram_us = rates.dram_us(linear, fit, memory, gemm.peaks.l2_mb);
    let mut best: Option<GemmTime> = None;
    for &(tile_m, tile_n) in tiles {
        for &split in &fit.splits {
            if split > 1.0 && linear.k / split < MIN_SPLIT_K {
                break;
            }
            let candidate = rates.candidate(linear, fit, dram_us, (tile_m, tile_n, split));
            if best.is_none_or(|b| candidate.total_us < b.total_us) {
                best = Some(candidate);
            }
        }
    }
    let mut best = best.unwrap_or_else(|| rates.candidate(linear, fit, dram_us, (128.0, 128.0, 1.0)));
    let t = best.total_us;
    best.total_us = fit.t0_us + t * (1.0 + fit.th * t / (t + DROOP_TIME_US));
    if linear.format == LinearFormat::Fp8Block {
        best.total_us += rates.quantise_us(linear, fit);
    }
    best
}

struct Rates {
    sm: f64,
    flop: f64,
    dram: f64,
    feed: f64,
    bandwidth: f64,
    weight: f64,
    activation: f64,
    output: f64,
}

impl Rates {
    fn new(linear: &Linear, fit: &FormatSpec, tflops: f64, peaks: &crate::spec::Peaks) -> Self {
        let (weight, activation, output) = linear.format.element_bytes();
        let sm = peaks.sm_count;
        Self {
            sm,
            flop: tflops * 1e6 / sm * fit.ec,
            dram: peaks.bandwidth_gb_s * 1e3 * fit.em,
            feed: peaks.bf16_tflops * 1e6 / sm / fit.ib,
            bandwidth: peaks.bandwidth_gb_s * 1e3,
            weight,
            activation,
            output,
        }
    }

    fn dram_us(&self, linear: &Linear, fit: &FormatSpec, memory: Memory, l2_mb: f64) -> f64 {
        let weights = linear.n * linear.k * self.weight;
        let activations = linear.m * linear.k * self.activation + linear.m * linear.n * self.output;
        match memory {
            Memory::Cold => (weights + activations) / self.dram,
            Memory::BenchLoop => {
                let load = (BENCH_COPIES * weights + activations) / (fit.bench_l2_frac * l2_mb * 1e6);
                let hit = 1.0 / (1.0 + load.powi(10));
                (weights * (1.0 - hit) + activations) / self.dram + weights * hit / (fit.bench_l2_gb_s * 1e3)
            }
        }
    }

    fn candidate(&self, linear: &Linear, fit: &FormatSpec, dram_us: f64, shape: (f64, f64, f64)) -> GemmTime {
        let (tile_m, tile_n, split) = shape;
        let ctas = (linear.m / tile_m).ceil() * (linear.n / tile_n).ceil() * split;
        let mma = 2.0 * tile_m * tile_n / self.flop;
        let feed = (tile_m.min(linear.m) * self.activation + tile_n * self.weight) / self.feed;
        let waves = ctas / self.sm;
        let wall = if waves <= 1.0 { 1.0 } else { fit.beta * waves + (1.0 - fit.beta) * waves.ceil() };
        let core_us = wall * (linear.k / split * mma.max(feed) + fit.k0 * mma);
        let mut total_us = fourth_power_mean(core_us, dram_us);
        if split > 1.0 {
            total_us += fit.ts_us + 8.0 * linear.m * linear.n * split / (REDUCTION_RATE * self.dram);
        }
        GemmTime { total_us, dram_us, core_us, tile_m, tile_n, split_k: split, ctas, waves, math_bound: mma >= feed }
    }

    fn quantise_us(&self, linear: &Linear, fit: &FormatSpec) -> f64 {
        fit.tq_us + linear.m * linear.k * (2.0 + self.activation) / (self.bandwidth * fit.bq)
    }
}

pub(super) fn explain(linear: &Linear, machine: &Machine) -> KernelCost {
    let price = price(linear, &machine.costs, Memory::Cold);
    let (_, class, _) = machine.costs.gemm.format(linear.format);
    let time = Seconds::from_us(price.total_us);
    let traffic = cache::gemm(linear, &price, machine);
    let bound = match price {
        p if p.dram_us > p.core_us => Bound::Memory,
        p if p.math_bound => Bound::Compute,
        _ => Bound::OperandFeed,
    };
    let footprint = footprint::gemm(&machine.sm_arch, price.tile_m, price.tile_n, linear.format.math());
    KernelCost {
        time,
        flop: linear.flop(),
        dram_bytes: traffic.dram(time, machine.sheet.bandwidth),
        l2_bytes: Some(traffic.requests),
        l2_hit: Some(traffic.hit(time, machine.sheet.bandwidth)),
        occupancy: occupancy::achieved(footprint, price.ctas, machine),
        wave_efficiency: Some(wave_efficiency(price.waves)),
        bound,
        math: Some(linear.format.math()),
        provenance: Provenance { class, basis: Basis::Gemm },
    }
}

/// Full waves over waves started; below one wave, the share of multiprocessors with a block.
pub(super) fn wave_efficiency(waves: f64) -> f64 {
    if waves <= 1.0 { waves } else { waves / waves.ceil() }
}
