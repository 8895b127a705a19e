//! Mixture-of-experts coefficients; meaning in `cost::moe`.

use super::{ANY, SOME};
use crate::spec::fields::Fields;

/// Coefficients of the grouped product over routed experts.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs, reason = "names of the formula, documented there")]
pub struct GroupedGemmSpec {
    pub t0_us: f64,
    pub e_w: f64,
    pub e_c: f64,
    pub e_a: f64,
    pub q: f64,
    pub c_e_ns: f64,
    pub x_sat: f64,
    pub r_l2: f64,
}

/// Reads the coefficients of every kernel family and format.
pub(super) fn read_families(fields: Fields<'_>) -> Vec<(String, Vec<(String, GroupedGemmSpec)>)> {
    fields.into_sections().map(|(family, formats)| (family.to_owned(), read_formats(formats))).collect()
}

/// Reads the coefficients of every format.
pub(super) fn read_formats(fields: Fields<'_>) -> Vec<(String, GroupedGemmSpec)> {
    fields.into_sections().map(|(format, fields)| (format.to_owned(), read_moe(fields))).collect()
}

fn read_moe(mut fields: Fields<'_>) -> GroupedGemmSpec {
    let _ = fields.text("kernel");
    let spec = GroupedGemmSpec {
        t0_us: fields.need_number("t0_us", ANY),
        e_w: fields.need_number("e_w", SOME),
        e_c: fields.need_number("e_c", SOME),
        e_a: fields.need_number("e_a", SOME),
        q: fields.need_number("q", SOME),
        c_e_ns: fields.need_number("c_e_ns", ANY),
        x_sat: fields.need_number("x_sat", SOME),
        r_l2: fields.need_number("r_l2", SOME),
    };
    fields.finish();
    spec
}
