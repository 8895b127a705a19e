//! What evaluations of a local engine reach on a class of machines.

use crate::spec::LocalEngineSpec;

/// Shares of a machine's peaks and overheads of a local engine, factors of the machine's class applied.
#[derive(Clone, Debug, PartialEq)]
pub struct LocalCoefficients {
    /// Share of the bandwidth that reading 16-bit weights reaches.
    pub memory_f16: f64,
    /// The same, quantised weights.
    pub memory_quantised: f64,
    /// The same, keys and values.
    pub memory_kv: f64,
    /// Keys and values are read (heads / KV heads) to this power times.
    pub group_exponent: f64,
    /// Share of the 16-bit peak that products with 16-bit weights reach.
    pub compute_f16: f64,
    /// The same, quantised weights.
    pub compute_quantised: f64,
    /// The same, attention.
    pub compute_attention: f64,
    /// Factor on it for mixtures of experts.
    pub compute_experts: f64,
    /// Extra time of a matrix-vector product per further column.
    pub per_column: f64,
    /// Overhead of an evaluation, microseconds.
    pub step_us: f64,
    /// Overhead per layer, microseconds.
    pub layer_us: f64,
    /// Overhead per further device, microseconds.
    pub hop_us: f64,
}

/// No kernel reads faster than this share of the bandwidth.
const MOST_BANDWIDTH: f64 = 0.97;

impl LocalCoefficients {
    /// Of a backend on an architecture; GeForce cards have a class of their own.
    #[must_use]
    pub fn new(spec: &LocalEngineSpec, arch: &str, geforce: bool) -> Self {
        let class = if geforce { format!("{arch}_geforce") } else { arch.to_owned() };
        let factor = |table: &[(String, f64)]| table.iter().find(|(name, _)| *name == class).map_or(1.0, |(_, f)| *f);
        let (memory, compute) = (factor(&spec.memory_by_class), factor(&spec.compute_by_class));
        Self {
            memory_f16: (spec.memory_f16 * memory).min(MOST_BANDWIDTH),
            memory_quantised: (spec.memory_quantised * memory).min(MOST_BANDWIDTH),
            memory_kv: spec.memory_kv,
            group_exponent: spec.group_exponent,
            compute_f16: spec.compute_f16 * compute,
            compute_quantised: spec.compute_quantised * compute,
            compute_attention: spec.compute_attention,
            compute_experts: spec.compute_experts,
            per_column: spec.per_column,
            step_us: spec.step_us,
            layer_us: spec.layer_us,
            hop_us: spec.hop_us,
        }
    }
}
