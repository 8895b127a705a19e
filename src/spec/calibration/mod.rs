//! Calibration sets: fitted coefficients with the peaks they were fitted with. A set travels as a unit.

mod attention;
mod collective;
mod defaults;
mod gemm;
mod mla;
mod moe;
mod peaks;

pub use attention::{AttentionSet, DecodeSpec, PrefillSpec};
pub use collective::{AllReduceSpec, CollectiveSet, NcclSpec};
pub use defaults::DefaultsSpec;
pub use gemm::{FormatSpec, GemmSet};
pub use mla::{MlaDecodeSpec, MlaPrefillSpec, MlaSet};
pub use moe::GroupedGemmSpec;
pub use peaks::Peaks;

use super::document::Document;
use super::fault::SpecError;
use super::fields::{Fields, Findings, Range};

const ANY: Range = Range { low: 0.0, high: 1e9 };
const SOME: Range = Range::positive(1e9);

/// One device's calibration set.
#[derive(Clone, Debug)]
pub struct CalibrationSpec {
    /// Id, as `a100_sxm`.
    pub id: String,
    /// Where the measurements came from.
    pub source: String,
    /// Date of the fit.
    pub date: String,
    /// Software that was measured.
    pub stack: String,
    /// Linear layers.
    pub gemm: Option<GemmSet>,
    /// Attention.
    pub attention: Option<AttentionSet>,
    /// Collectives.
    pub collective: CollectiveSet,
    /// Mixtures of experts, by kernel family and format.
    pub moe: Vec<(String, Vec<(String, GroupedGemmSpec)>)>,
    /// Latent attention.
    pub mla: MlaSet,
}

impl CalibrationSpec {
    /// Reads a set.
    ///
    /// # Errors
    /// All faults of the file at once.
    pub fn read(document: &Document) -> Result<Self, SpecError> {
        let findings = Findings::default();
        let mut fields = Fields::top(document, "", &findings);
        let spec = Self {
            id: fields.text("id").unwrap_or_default(),
            source: fields.text("source").unwrap_or_default(),
            date: fields.text("date").unwrap_or_default(),
            stack: fields.text("stack").unwrap_or_default(),
            gemm: gemm::read_gemm(fields.section("gemm")),
            attention: attention::read_attention(fields.section("attention")),
            collective: collective::read_collective(fields.section("collective")),
            moe: moe::read_families(fields.section("moe")),
            mla: mla::read_set(fields.section("mla")),
        };
        fields.finish();
        findings.conclude(spec).map(|(spec, _)| spec)
    }
}
