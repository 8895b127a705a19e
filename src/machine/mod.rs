//! A validated machine: what the data sheet says, and what the cost models use.
//!
//! The two differ on purpose. The sheet answers "how close to the limit"; the coefficients carry the peaks they were
//! fitted with and only make sense together with them.

mod coefficients;
mod experts;
mod gemm;
mod local;
mod maker;
mod scale;
mod sheet;

pub use coefficients::{AttentionCoefficients, Coefficients, CollectiveCoefficients, KernelFamily, LinkCost, Network};
pub use experts::{ExpertCoefficients, LatentCoefficients};
pub use gemm::{GemmCoefficients, TileSet};
pub use local::LocalCoefficients;
pub use maker::Maker;
pub use scale::Scale;
pub use sheet::{DataSheet, PcieSheet, SmLimits};

use crate::kernel::{ExpertFormat, LinearFormat, MathType};
use crate::quantity::{FlopPerSecond, StorageDtype};
use crate::spec::{CalibrationSpec, CostingClass, DefaultsSpec, HardwareSpec};

/// A machine as one engine's kernels see it.
#[derive(Clone, Debug)]
pub struct Machine {
    /// Id in the catalogue.
    pub id: String,
    /// Name on the box.
    pub name: String,
    /// Compute architecture, as `sm_80`.
    pub sm_arch: String,
    /// The architecture whose kernels it is costed with, as `sm_120` for an `sm_121`.
    pub kernel_arch: String,
    /// Data sheet.
    pub sheet: DataSheet,
    /// What costs are computed with.
    pub costs: Coefficients,
    /// How close the measurements behind the costs are.
    pub class: CostingClass,
}

/// The calibration sets a machine names.
#[derive(Clone, Copy, Debug)]
pub struct Calibrations<'a> {
    /// Set of the linear layers.
    pub gemm: Option<&'a CalibrationSpec>,
    /// Set of attention.
    pub attention: Option<&'a CalibrationSpec>,
    /// Set of the collectives.
    pub link: Option<&'a CalibrationSpec>,
    /// What holds without one.
    pub defaults: &'a DefaultsSpec,
}

/// `80` of `sm_80` or `sm_80a`; none for other makers' names.
#[must_use]
pub fn arch_number(arch: &str) -> Option<u64> {
    arch.strip_prefix("sm_")?.trim_end_matches(char::is_alphabetic).parse().ok()
}

impl Machine {
    /// Builds a machine. `original` is the description before overrides: where a sheet figure was overridden, the
    /// matching coefficient is scaled by new over old.
    #[must_use]
    pub fn build(spec: &HardwareSpec, original: &HardwareSpec, sets: &Calibrations<'_>, family: KernelFamily) -> Self {
        let mut costs = Coefficients::build(original, sets, family);
        costs.apply(&Scale::between(original, spec));
        Self {
            id: spec.id.clone(),
            name: spec.name.clone(),
            sm_arch: spec.sm_arch.clone(),
            kernel_arch: spec.kernel_arch().to_owned(),
            sheet: DataSheet::from_spec(spec),
            costs,
            class: spec.costing.class,
        }
    }

    /// The same machine with rates multiplied, sheet and coefficients alike.
    #[must_use]
    pub fn scaled(&self, scale: &Scale) -> Self {
        let mut machine = self.clone();
        machine.sheet.apply(scale);
        machine.costs.apply(scale);
        machine
    }

    /// Whether the tensor cores multiply 8-bit floats.
    #[must_use]
    pub fn has_fp8_math(&self) -> bool {
        self.sheet.fp8.is_some()
    }

    /// Whether the tensor cores multiply 8-bit integers.
    #[must_use]
    pub fn has_int8_math(&self) -> bool {
        self.sheet.int8.is_some()
    }

    /// How a linear layer with weights stored as `stored` is computed here: storage and arithmetic part ways where the
    /// tensor cores lack the type.
    #[must_use]
    pub fn linear_format(&self, stored: StorageDtype, fp8_block_scales: bool) -> LinearFormat {
        match stored {
            StorageDtype::Fp32 | StorageDtype::Bf16 | StorageDtype::Fp16 => LinearFormat::Bf16,
            StorageDtype::Fp8 if !self.has_fp8_math() => LinearFormat::WeightOnlyFp8,
            StorageDtype::Fp8 if fp8_block_scales => LinearFormat::Fp8Block,
            StorageDtype::Fp8 => LinearFormat::Fp8,
            StorageDtype::Int8W8A8 if self.has_int8_math() => LinearFormat::Int8W8A8,
            StorageDtype::Int8 | StorageDtype::Int8W8A8 => LinearFormat::WeightOnlyInt8,
            StorageDtype::Int4 => LinearFormat::WeightOnlyInt4,
            StorageDtype::Fp4 if self.has_fp4_math() => LinearFormat::Nvfp4,
            StorageDtype::Fp4 => LinearFormat::WeightOnlyFp4,
        }
    }

    /// How routed experts with weights stored as `stored` are computed here.
    #[must_use]
    pub fn expert_format(&self, stored: StorageDtype, fp8_block_scales: bool) -> ExpertFormat {
        match stored {
            StorageDtype::Fp32 | StorageDtype::Bf16 | StorageDtype::Fp16 => ExpertFormat::Bf16,
            StorageDtype::Fp8 if fp8_block_scales => ExpertFormat::Fp8Block,
            StorageDtype::Fp8 | StorageDtype::Int8 | StorageDtype::Int8W8A8 => ExpertFormat::Fp8,
            StorageDtype::Fp4 if self.has_fp4_experts() => ExpertFormat::Nvfp4,
            StorageDtype::Fp4 | StorageDtype::Int4 => ExpertFormat::WeightOnlyInt4,
        }
    }

    /// Whether the tensor cores multiply 4-bit floats.
    #[must_use]
    pub fn has_fp4_math(&self) -> bool {
        self.sheet.fp4.is_some()
    }

    /// Whether grouped 4-bit float kernels exist for the architecture.
    fn has_fp4_experts(&self) -> bool {
        matches!(self.kernel_arch.as_str(), "sm_100" | "sm_103" | "sm_120")
    }

    /// The data sheet's dense rate of a tensor path; 16-bit where the path does not exist.
    #[must_use]
    pub fn peak(&self, math: MathType) -> FlopPerSecond {
        match math {
            MathType::Bf16 => self.sheet.bf16,
            MathType::Fp8 => self.sheet.fp8.unwrap_or(self.sheet.bf16),
            MathType::Fp4 => self.sheet.fp4.or(self.sheet.fp8).unwrap_or(self.sheet.bf16),
            MathType::Int8 => self.sheet.int8.unwrap_or(self.sheet.bf16),
        }
    }
}
