//! Latent-attention coefficients; meaning in `cost::mla`.

use super::{ANY, SOME};
use crate::spec::fields::Fields;

/// Latent attention, by kernel family.
#[derive(Clone, Debug, Default)]
pub struct MlaSet {
    /// Decode in the absorbed form.
    pub decode: Vec<(String, MlaDecodeSpec)>,
    /// Prefill in the expanded form.
    pub prefill: Vec<(String, MlaPrefillSpec)>,
}

/// Latent decode attention.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs, reason = "names of the formula, documented in cost::mla")]
pub struct MlaDecodeSpec {
    pub t0_us: f64,
    pub e_m: f64,
    pub e_m8: f64,
    pub e_c: f64,
    pub e_c8: f64,
    pub lam_ns: f64,
    pub c_seq_us: f64,
    pub q: f64,
    pub r_l2: f64,
    pub pad: f64,
}

/// Latent prefill attention.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs, reason = "names of the formula, documented in cost::mla")]
pub struct MlaPrefillSpec {
    pub t0_us: f64,
    pub e_c: f64,
    pub delta: f64,
    pub crit: f64,
    pub e_io: f64,
    pub q: f64,
}

/// Heads are padded to this where a set does not say.
const DEFAULT_PAD: f64 = 16.0;

pub(super) fn read_set(mut fields: Fields<'_>) -> MlaSet {
    let set = MlaSet {
        decode: fields.sections("decode").into_iter().map(|(name, f)| (name.to_owned(), read_decode(f))).collect(),
        prefill: fields.sections("prefill").into_iter().map(|(name, f)| (name.to_owned(), read_prefill(f))).collect(),
    };
    fields.finish();
    set
}

pub(super) fn read_decode(mut fields: Fields<'_>) -> MlaDecodeSpec {
    let _ = fields.text("kernel");
    let spec = MlaDecodeSpec {
        t0_us: fields.need_number("t0_us", ANY),
        e_m: fields.need_number("e_m", SOME),
        e_m8: fields.need_number("e_m8", SOME),
        e_c: fields.need_number("e_c", SOME),
        e_c8: fields.need_number("e_c8", SOME),
        lam_ns: fields.need_number("lam_ns", ANY),
        c_seq_us: fields.need_number("c_seq_us", ANY),
        q: fields.need_number("q", SOME),
        r_l2: fields.need_number("r_l2", SOME),
        pad: fields.number("pad", SOME).unwrap_or(DEFAULT_PAD),
    };
    fields.finish();
    spec
}

pub(super) fn read_prefill(mut fields: Fields<'_>) -> MlaPrefillSpec {
    let _ = (fields.text("kernel"), fields.number("pad", SOME));
    let spec = MlaPrefillSpec {
        t0_us: fields.need_number("t0_us", ANY),
        e_c: fields.need_number("e_c", SOME),
        delta: fields.need_number("delta", ANY),
        crit: fields.need_number("crit", ANY),
        e_io: fields.need_number("e_io", SOME),
        q: fields.need_number("q", SOME),
    };
    fields.finish();
    spec
}
