//! The peaks that coefficients were fitted with.

use super::SOME;
use crate::spec::fields::Fields;

/// The peaks a set was fitted with. Rates in TFLOPS and GB/s, cache in MB of 1e6 bytes.
#[derive(Clone, Copy, Debug)]
pub struct Peaks {
    /// Multiprocessors.
    pub sm_count: f64,
    /// Dense bfloat16 rate.
    pub bf16_tflops: f64,
    /// Dense 8-bit float rate.
    pub fp8_tflops: Option<f64>,
    /// Dense 4-bit float rate.
    pub fp4_tflops: Option<f64>,
    /// Dense 8-bit integer rate.
    pub int8_tflops: Option<f64>,
    /// Memory bandwidth.
    pub bandwidth_gb_s: f64,
    /// Second-level cache.
    pub l2_mb: f64,
    /// GPU-to-GPU link per direction.
    pub link_gb_s: Option<f64>,
}

impl Peaks {
    pub(in crate::spec) fn read(mut fields: Fields<'_>) -> Self {
        let peaks = Self {
            sm_count: fields.need_number("sm_count", SOME),
            bf16_tflops: fields.need_number("bf16_tflops", SOME),
            fp8_tflops: fields.number("fp8_tflops", SOME),
            fp4_tflops: fields.number("fp4_tflops", SOME),
            int8_tflops: fields.number("int8_tflops", SOME),
            bandwidth_gb_s: fields.need_number("bandwidth_gb_s", SOME),
            l2_mb: fields.need_number("l2_mb", SOME),
            link_gb_s: fields.number("link_gb_s", SOME),
        };
        fields.finish();
        peaks
    }
}
