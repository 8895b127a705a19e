//! Class defaults: what holds for devices that nobody measured.

use super::attention::{read_decode, read_prefill};
use super::collective::{NCCL_SHARES, read_all_reduce, read_nccl};
use super::gemm::read_format;
use super::{
    AllReduceSpec, DecodeSpec, FormatSpec, GroupedGemmSpec, MlaDecodeSpec, MlaPrefillSpec, NcclSpec, PrefillSpec, mla,
    moe,
};
use crate::spec::document::Document;
use crate::spec::fault::SpecError;
use crate::spec::fields::{Fields, Findings};

/// What holds for devices that nobody measured.
#[derive(Clone, Debug)]
pub struct DefaultsSpec {
    /// Linear layers in 16 bit.
    pub bf16: FormatSpec,
    /// Linear layers in 16 bit on data-centre Blackwell.
    pub bf16_blackwell_dc: FormatSpec,
    /// How 8-bit and 4-bit float follow from 16 bit.
    pub fp8_from_bf16: Vec<(String, f64)>,
    /// Tile menus by name: rows × columns.
    pub tile_sets: Vec<(String, Vec<(f64, f64)>)>,
    /// Attention on devices with HBM.
    pub hbm: (PrefillSpec, DecodeSpec),
    /// Attention on devices with GDDR.
    pub gddr: (PrefillSpec, DecodeSpec),
    /// NCCL over NVLink, rates as shares of the link, by operation.
    pub nvlink_nccl: Vec<(String, NcclSpec)>,
    /// The framework's all-reduce over NVLink, rates as shares of the link.
    pub nvlink_all_reduce: AllReduceSpec,
    /// Mixtures of experts, by format.
    pub moe: Vec<(String, GroupedGemmSpec)>,
    /// Latent decode attention.
    pub mla_decode: MlaDecodeSpec,
    /// Latent prefill attention.
    pub mla_prefill: MlaPrefillSpec,
}

impl DefaultsSpec {
    /// Reads the class defaults.
    ///
    /// # Errors
    /// All faults of the file at once.
    pub fn read(document: &Document) -> Result<Self, SpecError> {
        let findings = Findings::default();
        let mut fields = Fields::top(document, "", &findings);
        let mut gemm = fields.section("gemm");
        let mut attention = fields.section("attention");
        let mut collective = fields.section("collective");
        let pair = |mut f: Fields<'_>| {
            let pair = (read_prefill(f.section("prefill")), read_decode(f.section("decode")));
            f.finish();
            pair
        };
        let spec = Self {
            bf16: read_format(gemm.section("bf16")),
            bf16_blackwell_dc: read_format(gemm.section("bf16_blackwell_dc")),
            fp8_from_bf16: gemm.number_table("fp8_from_bf16"),
            tile_sets: read_tile_sets(gemm.section("tile_sets")),
            hbm: pair(attention.section("datacenter_hbm")),
            gddr: pair(attention.section("pcie_gddr")),
            nvlink_nccl: collective
                .sections("nvlink_nccl")
                .into_iter()
                .map(|(op, f)| (op.to_owned(), read_nccl(f, &NCCL_SHARES)))
                .collect(),
            nvlink_all_reduce: {
                let mut shares = collective.section("nvlink_all_reduce");
                let spec = read_all_reduce(&mut shares, "eta_one_shot", "eta_two_shot");
                shares.finish();
                spec
            },
            moe: moe::read_formats(fields.section("moe")),
            mla_decode: mla::read_decode(fields.section("mla_decode")),
            mla_prefill: mla::read_prefill(fields.section("mla_prefill")),
        };
        [gemm, attention, collective].into_iter().for_each(Fields::finish);
        let _ = ["mixed_fa2", "architecture_scale"].map(|key| fields.section(key));
        fields.finish();
        findings.conclude(spec).map(|(spec, _)| spec)
    }
}

fn read_tile_sets(mut fields: Fields<'_>) -> Vec<(String, Vec<(f64, f64)>)> {
    let sets = ["A", "H", "T", "H64"].map(|name| {
        let sizes = fields.pairs(name);
        (name.to_owned(), sizes)
    });
    fields.finish();
    sets.into()
}
