//! Evaluations of local engines: a derated roofline in place of the kernel models.
//!
//! ```text
//! products   T ≤ 8: bytes/(BW·eb)·(1 + v·(T−1));  more: sqrt( (bytes/(BW·eb))² + (FLOP/(peak16·ec))² )
//! attention  bytes of keys and values·(heads/KV heads)^γ/(BW·ekv) + FLOP/(peak16·ea)
//! overhead   per evaluation, per layer, per exchange with another device
//! ```
//! Up to eight columns run as matrix-vector products. Passes between the products are a part of the time per layer.
//! Source: `hardware/engines.yaml`, fitted on public end-to-end measurements. No kernel was measured: occupancy and cache
//! traffic are not known.

use crate::machine::{LocalCoefficients, Machine};
use crate::quantity::Seconds;
use crate::spec::Peaks;

/// Columns up to which products run as matrix-vector products.
pub const VECTOR_COLUMNS: f64 = 8.0;

/// Rates of one engine on one machine with one kind of weights, in bytes or FLOP a microsecond.
#[derive(Clone, Copy, Debug)]
pub struct LocalRates {
    weights: f64,
    products: f64,
    per_column: f64,
    cache: f64,
    group_exponent: f64,
    attention: f64,
}

/// Bytes and FLOP of products that run one after the other.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Work {
    /// Bytes of weights.
    pub bytes: f64,
    /// Floating-point operations.
    pub flop: f64,
}

impl LocalRates {
    /// Of an engine on a machine's peaks.
    #[must_use]
    pub fn new(c: &LocalCoefficients, peaks: &Peaks, quantised: bool, experts: bool) -> Self {
        let (bandwidth, peak) = (peaks.bandwidth_gb_s * 1e3, peaks.bf16_tflops * 1e6);
        let memory = if quantised { c.memory_quantised } else { c.memory_f16 };
        let compute = if quantised { c.compute_quantised } else { c.compute_f16 };
        Self {
            weights: bandwidth * memory,
            products: peak * compute * if experts { c.compute_experts } else { 1.0 },
            per_column: c.per_column,
            cache: bandwidth * c.memory_kv,
            group_exponent: c.group_exponent,
            attention: peak * c.compute_attention,
        }
    }

    /// Time of products over `columns` tokens.
    #[must_use]
    pub fn products(&self, work: Work, columns: f64) -> Seconds {
        let read = work.bytes / self.weights;
        Seconds::from_us(if columns > VECTOR_COLUMNS {
            read.hypot(work.flop / self.products)
        } else {
            read * (1.0 + self.per_column * (columns - 1.0))
        })
    }

    /// The same, never below what eight columns take: a wider batch is no faster.
    #[must_use]
    pub fn products_at_least_as_eight(&self, work: Work, columns: f64) -> Seconds {
        let time = self.products(work, columns);
        if columns <= VECTOR_COLUMNS {
            return time;
        }
        Seconds::new(time.get().max(self.products(work, VECTOR_COLUMNS).get()))
    }

    /// Time of attention that reads `cache_bytes` of keys and values, `group` query heads sharing each of them.
    #[must_use]
    pub fn attention(&self, cache_bytes: f64, group: f64, flop: f64) -> Seconds {
        Seconds::from_us(cache_bytes * group.powf(self.group_exponent) / self.cache + flop / self.attention)
    }
}

/// Exchanges with another device cost this much at least where rows of a matrix are split, microseconds.
const ROW_SPLIT_US: f64 = 30.0;
const NO_HOP_US: f64 = 10.0;

/// One exchange of a layer whose rows are split over devices, microseconds.
#[must_use]
pub fn row_split_us(c: &LocalCoefficients) -> f64 {
    if c.hop_us > NO_HOP_US { c.hop_us } else { ROW_SPLIT_US }
}

/// The peaks that local engines are costed with.
#[must_use]
pub fn peaks(machine: &Machine) -> &Peaks {
    &machine.costs.base
}
