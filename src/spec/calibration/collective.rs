//! Collective coefficients; meaning in `cost::collective`.

use super::{ANY, SOME};
use crate::spec::fields::Fields;

/// Collective coefficients.
#[derive(Clone, Debug, Default)]
pub struct CollectiveSet {
    /// NCCL, by operation.
    pub nccl: Vec<(String, NcclSpec)>,
    /// The framework's own all-reduce, by family, with the NCCL it was measured beside where that differs.
    pub all_reduce: Vec<(String, (AllReduceSpec, Option<NcclSpec>))>,
}

/// NCCL coefficients: times in µs, rates in GB/s (or, in the defaults, shares of the link rate).
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs, reason = "names of the formula, documented in cost::collective")]
pub struct NcclSpec {
    pub a0_us: f64,
    pub a1_us: f64,
    pub d_s_us: f64,
    pub ll: f64,
    pub n2: f64,
    pub n4: f64,
    pub n8: f64,
}

/// One-shot and two-shot all-reduce coefficients.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs, reason = "names of the formula, documented in cost::collective")]
pub struct AllReduceSpec {
    pub a0_us: f64,
    pub a1_us: f64,
    pub a2_us: f64,
    pub one_shot: f64,
    pub two_shot: f64,
}

pub(super) fn read_collective(mut fields: Fields<'_>) -> CollectiveSet {
    let set = CollectiveSet {
        nccl: fields.sections("nccl").into_iter().map(|(op, f)| (op.to_owned(), read_nccl(f, &NCCL_RATES))).collect(),
        all_reduce: fields
            .sections("all_reduce")
            .into_iter()
            .map(|(family, f)| (family.to_owned(), read_measured_all_reduce(f)))
            .collect(),
    };
    fields.finish();
    set
}

pub(super) const NCCL_RATES: [&str; 4] = ["ll_gb_s", "n2_gb_s", "n4_gb_s", "n8_gb_s"];
pub(super) const NCCL_SHARES: [&str; 4] = ["eta_ll", "eta_n2", "eta_n4", "eta_n8"];

pub(super) fn read_nccl(mut fields: Fields<'_>, rates: &[&'static str; 4]) -> NcclSpec {
    let [ll, n2, n4, n8] = rates.map(|key| fields.need_number(key, SOME));
    let spec = NcclSpec {
        a0_us: fields.need_number("a0_us", ANY),
        a1_us: fields.need_number("a1_us", ANY),
        d_s_us: fields.need_number("d_s_us", ANY),
        ll,
        n2,
        n4,
        n8,
    };
    fields.finish();
    spec
}

pub(super) fn read_measured_all_reduce(mut fields: Fields<'_>) -> (AllReduceSpec, Option<NcclSpec>) {
    let nccl = fields.section("nccl");
    let nccl = if nccl.is_empty() { None } else { Some(read_nccl(nccl, &NCCL_RATES)) };
    let spec = read_all_reduce(&mut fields, "one_shot_gb_s", "two_shot_gb_s");
    fields.finish();
    (spec, nccl)
}

pub(super) fn read_all_reduce(
    fields: &mut Fields<'_>,
    one_shot: &'static str,
    two_shot: &'static str,
) -> AllReduceSpec {
    AllReduceSpec {
        a0_us: fields.need_number("a0_us", ANY),
        a1_us: fields.need_number("a1_us", ANY),
        a2_us: fields.need_number("a2_us", ANY),
        one_shot: fields.need_number(one_shot, SOME),
        two_shot: fields.need_number(two_shot, SOME),
    }
}
