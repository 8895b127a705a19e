//! Traffic of the second-level cache. Modelled, not measured: rules and inputs are stated so that a reader can redo them.
//!
//! `hit = 1 − DRAM bytes / cache requests`. DRAM bytes are the unique bytes plus what is read again because a wave's
//! working set exceeds the cache; a partitioned cache counts one side for data shared across the chip. Re-reads never
//! exceed what the memory can deliver in the kernel's time.

use super::gemm::GemmTime;
use crate::kernel::{DecodeAttention, Elementwise, Linear, PrefillAttention};
use crate::machine::Machine;
use crate::quantity::{Bytes, BytesPerSecond, Seconds};

/// What a kernel asks of the cache, and what that costs in memory traffic.
#[derive(Clone, Copy, Debug)]
pub struct Traffic {
    /// Bytes requested from the cache.
    pub requests: Bytes,
    /// Bytes that come from or go to memory at least once.
    pub unique: Bytes,
    /// Bytes read again for lack of space.
    pub reread: Bytes,
}

impl Traffic {
    /// Memory traffic within `time`.
    #[must_use]
    pub fn dram(&self, time: Seconds, bandwidth: BytesPerSecond) -> Bytes {
        let room = (time.get() * bandwidth.get() - self.unique.get()).max(0.0);
        self.unique + Bytes::new(self.reread.get().min(room))
    }

    /// Share of the requests that the cache answers.
    #[must_use]
    pub fn hit(&self, time: Seconds, bandwidth: BytesPerSecond) -> f64 {
        (1.0 - self.dram(time, bandwidth) / self.requests).clamp(0.0, 1.0)
    }
}

/// Cache available to data shared across the chip.
fn shared_capacity(machine: &Machine) -> f64 {
    machine.sheet.l2.map_or(machine.costs.base.l2_mb * 1e6, Bytes::get) / machine.sheet.l2_partitions
}

/// Share of a working set that does not fit.
fn overflow(working_set: f64, capacity: f64) -> f64 {
    if working_set <= capacity { 0.0 } else { 1.0 - capacity / working_set }
}

/// Each block streams its rows of X and columns of W. Blocks run down the rows first, so a group of columns passes over
/// all of X; the next group reads X again as far as it did not stay.
pub(super) fn gemm(linear: &Linear, price: &GemmTime, machine: &Machine) -> Traffic {
    let (w, a, o) = linear.format.element_bytes();
    let (rows, columns) = ((linear.m / price.tile_m).ceil(), (linear.n / price.tile_n).ceil());
    let output = linear.m * linear.n * o;
    let per_block = (price.tile_m.min(linear.m) * a + price.tile_n.min(linear.n) * w) * linear.k / price.split_k;
    let wave_columns = (machine.costs.gemm.peaks.sm_count / rows).ceil().max(1.0).min(columns);
    let groups = (columns / wave_columns).ceil();
    let input = linear.m * linear.k * a;
    let wave_set = input + wave_columns * price.tile_n * linear.k * w;
    let unique = linear.bytes();
    let requests = (price.ctas * per_block + output).max(unique.get());
    let reread = (groups - 1.0) * input * overflow(wave_set, shared_capacity(machine));
    Traffic { requests: Bytes::new(requests), unique, reread: Bytes::new(reread.min(requests - unique.get())) }
}

/// Each query tile reads its keys and values; heads that run at the same time share the cache.
pub(super) fn prefill_attention(k: &PrefillAttention, tile_rows: f64, machine: &Machine) -> Traffic {
    let tiles = (k.tokens / tile_rows).ceil();
    let mean_span = k.prefix + (k.tokens + tile_rows.min(k.tokens)) / 2.0;
    let mean_span = if k.window > 0.0 { mean_span.min(k.window + tile_rows) } else { mean_span };
    let row = 2.0 * k.head_dim * k.kv_bytes;
    let sweeps = k.sequences * k.heads * tiles * mean_span * row;
    let queries = 4.0 * k.sequences * k.tokens * k.heads * k.head_dim;
    let concurrent = (machine.costs.attention.peaks.sm_count / tiles).ceil().max(1.0).min(k.sequences * k.heads);
    let kv_heads_live = (concurrent * k.kv_heads / k.heads).ceil();
    let live = kv_heads_live * (k.prefix + k.tokens) * row;
    let unique = k.bytes();
    let requests = (sweeps + queries).max(unique.get());
    let spare = requests - unique.get();
    Traffic {
        requests: Bytes::new(requests),
        unique,
        reread: Bytes::new(spare * overflow(live, shared_capacity(machine))),
    }
}

/// Keys and values are streamed once; where the kernel does not pack a query group, its heads read them again.
pub(super) fn decode_attention(k: &DecodeAttention, unpacked: bool) -> Traffic {
    let repeats = if unpacked { k.heads / k.kv_heads } else { 1.0 };
    let unique = k.bytes();
    let requests = unique + k.cache_bytes() * (repeats - 1.0);
    Traffic { requests, unique, reread: Bytes::ZERO }
}

/// The input is the previous kernel's output: found as far as it still fits half the cache.
pub(super) fn elementwise(k: &Elementwise, machine: &Machine) -> Traffic {
    let read = k.bytes * k.read_share;
    let capacity = 0.5 * machine.sheet.l2.map_or(machine.costs.base.l2_mb * 1e6, Bytes::get);
    let found = read * (1.0 - overflow(k.bytes, capacity));
    Traffic { requests: Bytes::new(k.bytes), unique: Bytes::new(k.bytes - found), reread: Bytes::ZERO }
}
