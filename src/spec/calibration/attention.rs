//! Softmax attention coefficients; meaning in `cost::attention`.

use super::{ANY, Peaks, SOME};
use crate::spec::fields::Fields;

/// Attention coefficients by kernel family.
#[derive(Clone, Debug)]
pub struct AttentionSet {
    /// Peaks of the fit.
    pub peaks: Peaks,
    /// Prefill, by family.
    pub prefill: Vec<(String, PrefillSpec)>,
    /// Decode, by family.
    pub decode: Vec<(String, DecodeSpec)>,
}

/// Prefill attention coefficients; meaning in `cost::attention`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs, reason = "names of the formula, documented there")]
pub struct PrefillSpec {
    pub bm: f64,
    pub t0_us: f64,
    pub e64: f64,
    pub e128: f64,
    pub e192: f64,
    pub e256: f64,
    pub e512: f64,
    pub delta: f64,
    pub crit: f64,
    pub e_io: f64,
    pub m_kv: f64,
    pub q: f64,
    pub r_l2: f64,
    pub f8: f64,
}

/// Decode attention coefficients; meaning in `cost::attention`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs, reason = "names of the formula, documented there")]
pub struct DecodeSpec {
    pub mha_split: bool,
    pub t0_us: f64,
    pub c_split_us: f64,
    pub c_cta_us: f64,
    pub lam_ns: f64,
    pub e_m: f64,
    pub e_m8: f64,
    pub e_c: f64,
    pub c_tok_ns: f64,
    pub gam: f64,
    pub q: f64,
    pub x_l2: f64,
    pub r_l2: f64,
}

pub(super) fn read_attention(mut fields: Fields<'_>) -> Option<AttentionSet> {
    if fields.is_empty() {
        return None;
    }
    let peaks = Peaks::read(fields.section("peaks"));
    let prefill = fields.sections("prefill").into_iter().map(|(name, f)| (name.to_owned(), read_prefill(f))).collect();
    let decode = fields.sections("decode").into_iter().map(|(name, f)| (name.to_owned(), read_decode(f))).collect();
    fields.finish();
    Some(AttentionSet { peaks, prefill, decode })
}

pub(super) fn read_prefill(mut fields: Fields<'_>) -> PrefillSpec {
    let _ = fields.texts("imputed");
    let spec = PrefillSpec {
        bm: fields.need_number("bm", SOME),
        t0_us: fields.need_number("t0_us", ANY),
        e64: fields.need_number("e64", SOME),
        e128: fields.need_number("e128", SOME),
        e192: fields.need_number("e192", SOME),
        e256: fields.need_number("e256", SOME),
        e512: fields.need_number("e512", SOME),
        delta: fields.need_number("delta", ANY),
        crit: fields.need_number("crit", ANY),
        e_io: fields.need_number("e_io", SOME),
        m_kv: fields.need_number("m_kv", ANY),
        q: fields.need_number("q", SOME),
        r_l2: fields.need_number("r_l2", SOME),
        f8: fields.number("f8", SOME).unwrap_or(1.0),
    };
    fields.finish();
    spec
}

pub(super) fn read_decode(mut fields: Fields<'_>) -> DecodeSpec {
    let _ = (fields.texts("imputed"), fields.text("kernel"));
    let spec = DecodeSpec {
        mha_split: fields.flag("mha_split").unwrap_or(true),
        t0_us: fields.need_number("t0_us", ANY),
        c_split_us: fields.need_number("c_split_us", ANY),
        c_cta_us: fields.need_number("c_cta_us", ANY),
        lam_ns: fields.need_number("lam_ns", ANY),
        e_m: fields.need_number("e_m", SOME),
        e_m8: fields.need_number("e_m8", SOME),
        e_c: fields.need_number("e_c", SOME),
        c_tok_ns: fields.need_number("c_tok_ns", ANY),
        gam: fields.need_number("gam", ANY),
        q: fields.need_number("q", SOME),
        x_l2: fields.need_number("x_l2", SOME),
        r_l2: fields.need_number("r_l2", SOME),
    };
    fields.finish();
    spec
}
