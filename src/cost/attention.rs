//! Attention over a KV cache: tiled prefill and split-KV decode.
//!
//! Prefill (B sequences of S tokens on prefix P, window W, tiles of Bm query rows):
//! ```text
//! n = ⌈S/Bm⌉ tiles; m of them not clipped by the window; A = Bm·(n·δ + m·P + Bm·m(m+1)/2 + (n−m)(W+Bm))
//! τ = 4D/(peak·e_D)·[8-bit KV] f8;  tot = B·H·A·τ;  lg = crit·Bm·(kmax+δ)·τ·SM;  comp = (tot³+lg³)^⅓
//! io = B·S·D·(4H + m_kv·2K(2+kvb)) + B·P·D·2K·kvb over BW·e_io, faster where it fits the cache
//! t = t0 + pm(q, comp, io)
//! ```
//! Decode (context L, G = H/K, s splits): `t = t0 + c_split·log2(s)/3 + c_tok·B·H·D/4096 + pm(q, tm, tl, tc, ovh)` with
//! memory time tm, one split's serial sweep tl, tensor work on padded query groups tc, block start cost ovh.
//!
//! Source: closed forms fitted to public kernel timings (ai-dynamo/aiconfigurator@095f58a) with 30 % of the head shapes
//! kept out; median 4–12 % on those. Left out: ragged batches, logit caps, page-size effects.

use super::math::power_mean;
use super::{Basis, Bound, KernelCost, Provenance, cache, footprint, gemm, occupancy};
use crate::kernel::{DecodeAttention, PrefillAttention};
use crate::machine::{AttentionCoefficients, Machine};
use crate::quantity::Seconds;
use crate::spec::{Peaks, PrefillSpec};

/// Time of prefill attention with the cache write.
#[must_use]
pub fn prefill(k: &PrefillAttention, costs: &AttentionCoefficients) -> Seconds {
    Seconds::from_us(prefill_us(k, &costs.prefill, &costs.peaks))
}

/// Time of prefill attention as if new keys and values were not written.
pub(super) fn prefill_without_cache_write(k: &PrefillAttention, costs: &AttentionCoefficients) -> Seconds {
    let coefficients = PrefillSpec { m_kv: 0.0, ..costs.prefill };
    Seconds::from_us(prefill_us(k, &coefficients, &costs.peaks))
}

/// Query tiles of one head: score elements with padding, tiles, longest sweep.
pub(super) struct Area {
    pub elements: f64,
    pub tiles: f64,
    pub longest: f64,
}

/// Tiles of a whole causal prompt of `tokens`.
pub(super) fn tile_area(tokens: f64, tile_rows: f64, delta: f64) -> Area {
    let tiles = (tokens / tile_rows).ceil();
    let triangle = tile_rows * tiles * (tiles + 1.0) / 2.0;
    Area { elements: tile_rows * (tiles * delta + triangle), tiles, longest: tiles * tile_rows }
}

fn area(k: &PrefillAttention, c: &PrefillSpec) -> Area {
    let tiles = (k.tokens / c.bm).ceil();
    let whole = if k.window > 0.0 { (((k.window - k.prefix) / c.bm).floor() + 1.0).max(0.0).min(tiles) } else { tiles };
    let triangle = c.bm * whole * (whole + 1.0) / 2.0;
    let clipped = (tiles - whole) * (k.window + c.bm);
    Area {
        elements: c.bm * (tiles * c.delta + whole * k.prefix + triangle + clipped),
        tiles,
        longest: if whole < tiles { k.window + c.bm } else { k.prefix + tiles * c.bm },
    }
}

/// Tensor-core efficiency at a head width: fitted widths, straight lines between.
fn efficiency(c: &PrefillSpec, head_dim: f64) -> f64 {
    let line = |d0: f64, e0: f64, d1: f64, e1: f64| e0 + (e1 - e0) * (head_dim - d0) / (d1 - d0);
    match head_dim {
        192.0 => c.e192,
        512.0 => c.e512,
        d if d <= 64.0 => c.e64 * d / 64.0,
        d if d <= 128.0 => line(64.0, c.e64, 128.0, c.e128),
        d if d <= 256.0 => line(128.0, c.e128, 256.0, c.e256),
        _ => c.e256,
    }
}

fn prefill_us(k: &PrefillAttention, c: &PrefillSpec, peaks: &Peaks) -> f64 {
    let area = area(k, c);
    let quantised = if k.kv_bytes < 2.0 { c.f8 } else { 1.0 };
    let tau = 4.0 * k.head_dim / (peaks.bf16_tflops * 1e6 * efficiency(c, k.head_dim)) * quantised;
    let mut total = k.sequences * k.heads * area.elements * tau;
    let mut longest = c.crit * c.bm * (area.longest + c.delta) * tau * peaks.sm_count;
    if k.prefix > 0.0 && k.window == 0.0 {
        // Blocks of equal length finish together: waves are quantised.
        let u = k.prefix / (k.prefix + k.tokens / 2.0);
        let waves = k.sequences * k.heads * area.tiles / peaks.sm_count;
        total *= 1.0 - u + u * waves.ceil() / waves;
        if waves >= 1.0 {
            longest *= 1.0 - u;
        }
    }
    let compute = power_mean(3.0, &[total, longest]);
    c.t0_us + power_mean(c.q, &[compute, prefill_io_us(k, c, peaks)])
}

fn prefill_io_us(k: &PrefillAttention, c: &PrefillSpec, peaks: &Peaks) -> f64 {
    let per_token = 4.0 * k.heads + c.m_kv * 2.0 * k.kv_heads * (2.0 + k.kv_bytes);
    let bytes = k.sequences * k.tokens * k.head_dim * per_token
        + k.sequences * k.prefix * k.head_dim * 2.0 * k.kv_heads * k.kv_bytes;
    let miss = ((bytes / (peaks.l2_mb * 1e6) - 0.4) / 0.6).clamp(0.0, 1.0);
    bytes / (peaks.bandwidth_gb_s * 1e3 * c.e_io) * (miss + (1.0 - miss) / c.r_l2)
}

/// The parts of a decode call, in microseconds.
struct DecodeParts {
    fixed: f64,
    memory: f64,
    latency: f64,
    compute: f64,
    blocks: f64,
    ctas: f64,
}

/// Time of decode attention; `cold` in serving, where the cache does not fit the second-level cache.
#[must_use]
pub fn decode(k: &DecodeAttention, costs: &AttentionCoefficients, cold: bool) -> Seconds {
    let parts = decode_parts(k, costs, cold);
    Seconds::from_us(decode_us(&parts, costs.decode.q))
}

fn decode_us(parts: &DecodeParts, q: f64) -> f64 {
    parts.fixed + power_mean(q, &[parts.memory, parts.latency, parts.compute, parts.blocks])
}

/// Tokens beyond the window that a windowed kernel still reads: one tile.
const WINDOW_SLACK: f64 = 64.0;

fn decode_parts(k: &DecodeAttention, costs: &AttentionCoefficients, cold: bool) -> DecodeParts {
    let (c, peaks) = (&costs.decode, &costs.peaks);
    let (sm, group) = (peaks.sm_count, k.heads / k.kv_heads);
    let seen = k.context.min(k.selected);
    let span = if k.window > 0.0 { seen.min(k.window + WINDOW_SLACK) } else { seen };
    let cache = 2.0 * k.sequences * k.kv_heads * span * k.head_dim * k.kv_bytes;
    let miss = if cold { 1.0 } else { 1.0 / (1.0 + (c.x_l2 / (cache / (peaks.l2_mb * 1e6)).max(1e-9)).powi(8)) };
    let share = if k.kv_bytes < 2.0 { c.e_m8 } else { c.e_m };
    let memory = cache / (peaks.bandwidth_gb_s * 1e3 * share) * (miss + (1.0 - miss) / c.r_l2);
    // FlashAttention-2 packs the query group and splits KV only without a window and with more than one query a head.
    let unpacked = !c.mha_split && k.window > 0.0;
    let ctas = k.sequences * if unpacked { k.heads } else { k.kv_heads * (group / 64.0).ceil() };
    let mut splits = (2.0 * sm / ctas).floor().max(1.0).min((span / 128.0).ceil()).min(64.0);
    if !c.mha_split && (group == 1.0 || k.window > 0.0) {
        splits = 1.0;
    }
    let rows = 16.0 * if unpacked { k.heads } else { k.kv_heads * (group / 16.0).ceil() };
    let waves = ctas / sm;
    DecodeParts {
        fixed: c.t0_us
            + c.c_split_us * splits.log2() / 3.0
            + c.c_tok_ns * 1e-3 * k.sequences * k.heads * k.head_dim / 4096.0,
        memory,
        latency: c.lam_ns * 1e-3 * span / splits * k.head_dim / 128.0,
        compute: 4.0 * k.head_dim * k.sequences * rows * span / (peaks.bf16_tflops * 1e6 * c.e_c),
        blocks: c.c_cta_us * (k.head_dim / 128.0).powf(c.gam) * waves * waves / (0.7 + waves),
        ctas: ctas * splits,
    }
}

fn provenance(costs: &AttentionCoefficients, kv_bytes: f64) -> Provenance {
    // No measured kernel reads a 4-bit cache.
    let class = if kv_bytes < 1.0 { crate::spec::CostingClass::Datasheet } else { costs.class };
    Provenance { class, basis: Basis::Attention }
}

pub(super) fn explain_prefill(k: &PrefillAttention, machine: &Machine) -> KernelCost {
    let costs = &machine.costs.attention;
    let time = prefill_without_cache_write(k, costs);
    let area = area(k, &costs.prefill);
    let ctas = k.sequences * k.heads * area.tiles;
    let traffic = cache::prefill_attention(k, costs.prefill.bm, machine);
    let compute = k.flop().get() / (costs.peaks.bf16_tflops * 1e12);
    let launch = costs.prefill.t0_us * 1e-6;
    let bound = if launch > 0.5 * time.get() {
        Bound::Latency
    } else if compute >= k.bytes().get() / (costs.peaks.bandwidth_gb_s * 1e9) {
        Bound::Compute
    } else {
        Bound::Memory
    };
    KernelCost {
        time,
        flop: k.flop(),
        dram_bytes: traffic.dram(time, machine.sheet.bandwidth),
        l2_bytes: Some(traffic.requests),
        l2_hit: Some(traffic.hit(time, machine.sheet.bandwidth)),
        occupancy: occupancy::achieved(footprint::prefill_attention(&machine.kernel_arch, k.head_dim), ctas, machine),
        wave_efficiency: Some(gemm::wave_efficiency(ctas / costs.peaks.sm_count)),
        bound,
        math: Some(crate::kernel::MathType::Bf16),
        provenance: provenance(costs, k.kv_bytes),
    }
}

pub(super) fn explain_cache_write(k: &PrefillAttention, time: Seconds, machine: &Machine) -> KernelCost {
    let costs = &machine.costs.attention;
    KernelCost {
        dram_bytes: k.new_kv_bytes(),
        occupancy: occupancy::achieved(footprint::elementwise(&machine.kernel_arch), k.sequences * k.tokens, machine),
        ..KernelCost::bare(time, Bound::Memory, provenance(costs, k.kv_bytes))
    }
}

pub(super) fn explain_decode(k: &DecodeAttention, machine: &Machine) -> KernelCost {
    let costs = &machine.costs.attention;
    let parts = decode_parts(k, costs, true);
    let time = Seconds::from_us(decode_us(&parts, costs.decode.q));
    let traffic = cache::decode_attention(k, !costs.decode.mha_split && k.window > 0.0);
    let bound = [
        (parts.fixed, Bound::Latency),
        (parts.memory, Bound::Memory),
        (parts.latency, Bound::Latency),
        (parts.compute, Bound::Compute),
        (parts.blocks, Bound::Latency),
    ];
    let bound = bound.into_iter().max_by(|a, b| a.0.total_cmp(&b.0)).map_or(Bound::Memory, |(_, bound)| bound);
    KernelCost {
        time,
        flop: k.flop(),
        dram_bytes: traffic.dram(time, machine.sheet.bandwidth),
        l2_bytes: Some(traffic.requests),
        l2_hit: Some(traffic.hit(time, machine.sheet.bandwidth)),
        occupancy: occupancy::achieved(
            footprint::decode_attention(&machine.kernel_arch, k.head_dim),
            parts.ctas,
            machine,
        ),
        wave_efficiency: Some(gemm::wave_efficiency(parts.ctas / costs.peaks.sm_count)),
        bound,
        math: Some(crate::kernel::MathType::Bf16),
        provenance: provenance(costs, k.kv_bytes),
    }
}
