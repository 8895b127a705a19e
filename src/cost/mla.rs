//! Latent attention (512 + 64 wide in every model measured).
//!
//! ```text
//! decode   tm = B·L·576·kvb/(BW·e_m);  tc = 2·1088·B·L·pad·⌈H/pad⌉/(peak·e_c);  s = splits of the context
//!          t = t0 + c_seq·B + pm(q, tm, tc, λ·L/s)
//!          in a scenario λ·max(L/s, min(L, 256)): a split reads whole blocks of 256 tokens
//! prefill  as softmax attention with tiles of 64 rows, τ = 640/(peak·e_c), io = B·S·H·1280/(BW·e_io)
//! absorb   two per-head products: 6 µs + weights·2/(BW·0.8) + 2·T·weights/(peak·0.5)
//! ```
//! Source: fitted to public kernel timings (ai-dynamo/aiconfigurator@095f58a); decode median 9–19 % on head counts kept
//! out, prefill 8–13 %. The absorbed products are a stated rule.

use super::attention::tile_area;
use super::math::power_mean;
use super::{Basis, Bound, KernelCost, Provenance};
use crate::kernel::{LatentAbsorb, LatentDecode, LatentPrefill, MathType};
use crate::machine::Machine;
use crate::quantity::Seconds;
use crate::spec::{CostingClass, MlaDecodeSpec, MlaPrefillSpec, Peaks};

const TILE_ROWS: f64 = 64.0;

/// Least tokens of a split of the context in decode.
const BLOCK_TOKENS: f64 = 256.0;

struct DecodeParts {
    fixed: f64,
    memory: f64,
    compute: f64,
    latency: f64,
}

fn decode_parts(k: &LatentDecode, c: &MlaDecodeSpec, peaks: &Peaks, cold: bool) -> DecodeParts {
    let cache = k.cache_bytes().get();
    let miss = if cold { 1.0 } else { 1.0 / (1.0 + (0.8 / (cache / (peaks.l2_mb * 1e6)).max(1e-9)).powi(8)) };
    let (e_m, e_c) = if k.kv_bytes < 2.0 { (c.e_m8, c.e_c8) } else { (c.e_m, c.e_c) };
    let padded = (k.heads / c.pad).ceil() * c.pad;
    let width = 2.0 * k.latent + k.rope;
    let ctas = k.sequences * (k.heads / 64.0).ceil();
    let splits = (peaks.sm_count / ctas).floor().max(1.0).min((k.span() / BLOCK_TOKENS).ceil()).min(64.0);
    DecodeParts {
        fixed: c.t0_us + c.c_seq_us * k.sequences,
        memory: cache / (peaks.bandwidth_gb_s * 1e3 * e_m) * (miss + (1.0 - miss) / c.r_l2),
        compute: 2.0 * width * k.sequences * k.span() * padded / (peaks.bf16_tflops * 1e6 * e_c),
        latency: c.lam_ns * 1e-3 * k.span() / splits,
    }
}

/// Time of a decode call; `cold` in serving.
#[must_use]
pub fn decode(k: &LatentDecode, c: &MlaDecodeSpec, peaks: &Peaks, cold: bool) -> Seconds {
    let p = decode_parts(k, c, peaks, cold);
    Seconds::from_us(p.fixed + power_mean(c.q, &[p.memory, p.compute, p.latency]))
}

/// Time of a decode call in a scenario. A further split shortens the others only by what they read less, and they read
/// whole blocks: the one token that opens a split must not make the call faster, as it does between the lengths that were
/// measured.
pub(super) fn decode_in_step(k: &LatentDecode, c: &MlaDecodeSpec, peaks: &Peaks) -> Seconds {
    let p = decode_parts(k, c, peaks, true);
    let latency = p.latency.max(c.lam_ns * 1e-3 * k.span().min(BLOCK_TOKENS));
    Seconds::from_us(p.fixed + power_mean(c.q, &[p.memory, p.compute, latency]))
}

/// Time of a prefill call.
#[must_use]
pub fn prefill(k: &LatentPrefill, c: &MlaPrefillSpec, peaks: &Peaks) -> Seconds {
    let area = tile_area(k.tokens, TILE_ROWS, c.delta);
    let tau = 2.0 * (k.key_dim + k.value_dim) / (peaks.bf16_tflops * 1e6 * c.e_c);
    let total = k.sequences * k.heads * area.elements * tau;
    let longest = c.crit * TILE_ROWS * (area.longest + c.delta) * tau * peaks.sm_count;
    let compute = power_mean(3.0, &[total, longest]);
    let io = k.bytes().get() / (peaks.bandwidth_gb_s * 1e3 * c.e_io);
    Seconds::from_us(c.t0_us + power_mean(c.q, &[compute, io]))
}

/// Time of the absorbed products.
#[must_use]
pub fn absorb(k: &LatentAbsorb, peaks: &Peaks) -> Seconds {
    let memory = k.weights * 2.0 / (peaks.bandwidth_gb_s * 1e3 * 0.8);
    let compute = 2.0 * k.tokens * k.weights / (peaks.bf16_tflops * 1e6 * 0.5);
    Seconds::from_us(6.0 + memory + compute)
}

fn largest(parts: &[(f64, Bound)]) -> Bound {
    parts.iter().max_by(|a, b| a.0.total_cmp(&b.0)).map_or(Bound::Memory, |(_, bound)| *bound)
}

pub(super) fn explain_decode(k: &LatentDecode, machine: &Machine) -> KernelCost {
    let costs = &machine.costs.mla;
    let peaks = &machine.costs.attention.peaks;
    let p = decode_parts(k, &costs.decode, peaks, true);
    let bound = largest(&[
        (p.fixed, Bound::Latency),
        (p.memory, Bound::Memory),
        (p.compute, Bound::Compute),
        (p.latency, Bound::Latency),
    ]);
    KernelCost {
        flop: k.flop(),
        dram_bytes: k.bytes(),
        math: Some(MathType::Bf16),
        ..KernelCost::bare(
            decode_in_step(k, &costs.decode, peaks),
            bound,
            Provenance { class: costs.class, basis: Basis::Latent },
        )
    }
}

pub(super) fn explain_prefill(k: &LatentPrefill, machine: &Machine) -> KernelCost {
    let costs = &machine.costs.mla;
    let peaks = &machine.costs.attention.peaks;
    let compute = k.flop().get() / (peaks.bf16_tflops * 1e12);
    let bound = if compute >= k.bytes().get() / (peaks.bandwidth_gb_s * 1e9) { Bound::Compute } else { Bound::Memory };
    KernelCost {
        flop: k.flop(),
        dram_bytes: k.bytes(),
        math: Some(MathType::Bf16),
        ..KernelCost::bare(
            prefill(k, &costs.prefill, peaks),
            bound,
            Provenance { class: costs.class, basis: Basis::Latent },
        )
    }
}

pub(super) fn explain_absorb(k: &LatentAbsorb, machine: &Machine) -> KernelCost {
    let time = absorb(k, &machine.costs.base);
    let memory = k.bytes().get() / machine.sheet.bandwidth.get();
    let bound = largest(&[(6e-6, Bound::Latency), (memory, Bound::Memory)]);
    KernelCost {
        flop: k.flop(),
        dram_bytes: k.bytes(),
        math: Some(MathType::Bf16),
        ..KernelCost::bare(time, bound, Provenance { class: CostingClass::Datasheet, basis: Basis::Rule })
    }
}
