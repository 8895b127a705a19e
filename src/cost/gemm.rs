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
use crate::spec::{FormatSpec, Peaks};

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
    Seconds::from_us(price(&Request::serving(linear, costs)).total_us)
}

/// Whether operands come from memory or, in a timing loop, partly from the cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// Serving: weights come from memory.
    Cold,
    /// A timing loop that cycles a few weight copies.
    BenchLoop,
}

/// A shape with everything its price depends on.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// Rows, columns and depth.
    pub shape: (f64, f64, f64),
    /// Bytes per element of weights, activations and output.
    pub element_bytes: (f64, f64, f64),
    /// Dense rate of the tensor path, TFLOPS.
    pub tflops: f64,
    /// Peaks of the fit.
    pub peaks: &'a Peaks,
    /// Coefficients.
    pub fit: &'a FormatSpec,
    /// Tile menu.
    pub tiles: &'a [(f64, f64)],
    /// Where operands come from.
    pub memory: Memory,
    /// A kernel that quantises activations runs before.
    pub quantises_activations: bool,
}

impl<'a> Request<'a> {
    /// A layer as it runs in serving.
    #[must_use]
    pub fn serving(linear: &Linear, costs: &'a Coefficients) -> Self {
        let (fit, _, tiles) = costs.gemm.format(linear.format);
        Self {
            shape: (linear.m, linear.n, linear.k),
            element_bytes: linear.format.element_bytes(),
            tflops: costs.gemm.rate(linear.format.math()),
            peaks: &costs.gemm.peaks,
            fit,
            tiles,
            memory: Memory::Cold,
            // Other formats quantise statically or inside the producing kernel.
            quantises_activations: linear.format == LinearFormat::Fp8Block,
        }
    }

    fn bandwidth(&self) -> f64 {
        self.peaks.bandwidth_gb_s * 1e3
    }

    fn dram_us(&self) -> f64 {
        let ((m, n, k), (w, a, o)) = (self.shape, self.element_bytes);
        let (weights, activations) = (n * k * w, m * k * a + m * n * o);
        let rate = self.bandwidth() * self.fit.em;
        match self.memory {
            Memory::Cold => (weights + activations) / rate,
            Memory::BenchLoop => {
                let cache = self.fit.bench_l2_frac * self.peaks.l2_mb * 1e6;
                let hit = 1.0 / (1.0 + ((BENCH_COPIES * weights + activations) / cache).powi(10));
                (weights * (1.0 - hit) + activations) / rate + weights * hit / (self.fit.bench_l2_gb_s * 1e3)
            }
        }
    }

    fn candidate(&self, dram_us: f64, tile_m: f64, tile_n: f64, split: f64) -> GemmTime {
        let ((m, n, k), (w, a, _)) = (self.shape, self.element_bytes);
        let (fit, sm) = (self.fit, self.peaks.sm_count);
        let flop = self.tflops * 1e6 / sm * fit.ec;
        let feed_rate = self.peaks.bf16_tflops * 1e6 / sm / fit.ib;
        let ctas = (m / tile_m).ceil() * (n / tile_n).ceil() * split;
        let mma = 2.0 * tile_m * tile_n / flop;
        let feed = (tile_m.min(m) * a + tile_n * w) / feed_rate;
        let waves = ctas / sm;
        let wall = if waves <= 1.0 { 1.0 } else { fit.beta * waves + (1.0 - fit.beta) * waves.ceil() };
        let core_us = wall * (k / split * mma.max(feed) + fit.k0 * mma);
        let mut total_us = fourth_power_mean(core_us, dram_us);
        if split > 1.0 {
            total_us += fit.ts_us + 8.0 * m * n * split / (REDUCTION_RATE * self.bandwidth() * fit.em);
        }
        GemmTime { total_us, dram_us, core_us, tile_m, tile_n, split_k: split, ctas, waves, math_bound: mma >= feed }
    }

    fn quantise_us(&self) -> f64 {
        let ((m, _, k), (_, a, _)) = (self.shape, self.element_bytes);
        self.fit.tq_us + m * k * (2.0 + a) / (self.bandwidth() * self.fit.bq)
    }
}

/// Prices every candidate and keeps the fastest.
#[must_use]
pub fn price(request: &Request<'_>) -> GemmTime {
    let dram_us = request.dram_us();
    let mut best: Option<GemmTime> = None;
    for &(tile_m, tile_n) in request.tiles {
        for &split in &request.fit.splits {
            if split > 1.0 && request.shape.2 / split < MIN_SPLIT_K {
                break;
            }
            let candidate = request.candidate(dram_us, tile_m, tile_n, split);
            if best.is_none_or(|b| candidate.total_us < b.total_us) {
                best = Some(candidate);
            }
        }
    }
    let mut best = best.unwrap_or_else(|| request.candidate(dram_us, 128.0, 128.0, 1.0));
    let t = best.total_us;
    best.total_us = request.fit.t0_us + t * (1.0 + request.fit.th * t / (t + DROOP_TIME_US));
    if request.quantises_activations {
        best.total_us += request.quantise_us();
    }
    best
}

pub(super) fn explain(linear: &Linear, machine: &Machine) -> KernelCost {
    let price = price(&Request::serving(linear, &machine.costs));
    let (_, class, _) = machine.costs.gemm.format(linear.format);
    let time = Seconds::from_us(price.total_us);
    let traffic = cache::gemm(linear, &price, machine);
    let bound = match price {
        p if p.dram_us > p.core_us => Bound::Memory,
        p if p.math_bound => Bound::Compute,
        _ => Bound::OperandFeed,
    };
    let footprint = footprint::gemm(&machine.kernel_arch, price.tile_m, price.tile_n, linear.format.math());
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
