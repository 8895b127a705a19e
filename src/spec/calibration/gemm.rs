//! Linear-layer coefficients; meaning in `cost::gemm`.

use super::{ANY, Peaks, SOME};
use crate::spec::fields::Fields;

/// Linear-layer coefficients by storage format.
#[derive(Clone, Debug)]
pub struct GemmSet {
    /// Peaks of the fit.
    pub peaks: Peaks,
    /// Coefficients by format name.
    pub formats: Vec<(String, FormatSpec)>,
}

/// Coefficients of one format; meaning in `cost::gemm`.
#[derive(Clone, Debug, PartialEq)]
pub struct FormatSpec {
    /// Tile menu: A, H or T.
    pub tiles: String,
    /// Split-K candidates.
    pub splits: Vec<f64>,
    /// Launch floor, µs.
    pub t0_us: f64,
    /// Tensor-core efficiency.
    pub ec: f64,
    /// Achievable share of memory bandwidth.
    pub em: f64,
    /// Operand feed balance, FLOP per byte.
    pub ib: f64,
    /// Fill and epilogue, in units of K.
    pub k0: f64,
    /// Wave quantisation: 1 none, 0 full.
    pub beta: f64,
    /// Split-K reduction, µs.
    pub ts_us: f64,
    /// Droop of long kernels.
    pub th: f64,
    /// Activation quantisation, µs.
    pub tq_us: f64,
    /// Activation quantisation, share of bandwidth.
    pub bq: f64,
    /// Share of the cache that repeated weights find (timing loops only).
    pub bench_l2_frac: f64,
    /// Rate of repeated weights from the cache, GB/s (timing loops only).
    pub bench_l2_gb_s: f64,
    /// Median error on shapes kept out of the fit, percent.
    pub held_out_median_percent: Option<f64>,
}

pub(super) fn read_gemm(mut fields: Fields<'_>) -> Option<GemmSet> {
    if fields.is_empty() {
        return None;
    }
    let peaks = Peaks::read(fields.section("peaks"));
    let formats = fields.sections("formats").into_iter().map(|(name, f)| (name.to_owned(), read_format(f))).collect();
    fields.finish();
    Some(GemmSet { peaks, formats })
}

pub(super) fn read_format(mut fields: Fields<'_>) -> FormatSpec {
    let spec = FormatSpec {
        tiles: fields.text("tiles").unwrap_or_default(),
        splits: fields.numbers("splits"),
        t0_us: fields.need_number("t0_us", ANY),
        ec: fields.need_number("ec", SOME),
        em: fields.need_number("em", SOME),
        ib: fields.need_number("ib", SOME),
        k0: fields.need_number("k0", ANY),
        beta: fields.need_number("beta", ANY),
        ts_us: fields.number("ts_us", ANY).unwrap_or(0.0),
        th: fields.need_number("th", ANY),
        tq_us: fields.number("tq_us", ANY).unwrap_or(0.0),
        bq: fields.number("bq", SOME).unwrap_or(1.0),
        bench_l2_frac: fields.number("bench_l2_frac", SOME).unwrap_or(1.0),
        bench_l2_gb_s: fields.number("bench_l2_gb_s", SOME).unwrap_or(1.0),
        held_out_median_percent: fields.number("held_out_median_percent", ANY),
    };
    fields.finish();
    spec
}
