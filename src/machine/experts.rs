//! Coefficients of mixtures of experts and latent attention, chosen by device, kernel family, format, class.

use super::coefficients::first;
use super::{Calibrations, KernelFamily};
use crate::kernel::ExpertFormat;
use crate::spec::{
    CalibrationSpec, CostingClass, DefaultsSpec, GroupedGemmSpec, HardwareSpec, MlaDecodeSpec, MlaPrefillSpec,
};

/// Grouped-product coefficients of every expert format.
#[derive(Clone, Debug)]
pub struct ExpertCoefficients {
    formats: [(GroupedGemmSpec, CostingClass); 5],
}

/// Latent-attention coefficients.
#[derive(Clone, Debug)]
pub struct LatentCoefficients {
    /// Decode.
    pub decode: MlaDecodeSpec,
    /// Prefill.
    pub prefill: MlaPrefillSpec,
    /// How close the measurements are.
    pub class: CostingClass,
}

const FORMATS: [ExpertFormat; 5] =
    [ExpertFormat::Bf16, ExpertFormat::Fp8, ExpertFormat::Fp8Block, ExpertFormat::Nvfp4, ExpertFormat::WeightOnlyInt4];

/// Bandwidth of weight-only experts against 16-bit ones.
const WEIGHT_ONLY_BANDWIDTH: f64 = 0.65;

/// The set whose experts and latent attention describe this machine; a set borrowed for softmax attention does not.
fn own_set<'a>(spec: &HardwareSpec, sets: &Calibrations<'a>) -> Option<&'a CalibrationSpec> {
    sets.attention.filter(|_| spec.costing.attention_family.is_none())
}

impl ExpertCoefficients {
    pub(super) fn build(spec: &HardwareSpec, sets: &Calibrations<'_>, family: KernelFamily) -> Self {
        Self { formats: FORMATS.map(|format| choose(spec, sets, family, format)) }
    }

    /// Coefficients and class of a format.
    #[must_use]
    pub fn of(&self, format: ExpertFormat) -> (&GroupedGemmSpec, CostingClass) {
        let (spec, class) = &self.formats[format as usize];
        (spec, *class)
    }
}

fn choose(
    spec: &HardwareSpec,
    sets: &Calibrations<'_>,
    family: KernelFamily,
    format: ExpertFormat,
) -> (GroupedGemmSpec, CostingClass) {
    // Weight-only experts run the 16-bit kernel on narrow weights.
    let weight_only = format == ExpertFormat::WeightOnlyInt4;
    let name = if weight_only { ExpertFormat::Bf16.name() } else { format.name() };
    let order = order(spec, family, format);
    let measured = own_set(spec, sets).and_then(|set| {
        order.iter().find_map(|family| {
            let (_, formats) = set.moe.iter().find(|(name, _)| name == family)?;
            first(formats, &[name])
        })
    });
    let class = if measured.is_some() { spec.costing.class } else { CostingClass::Datasheet };
    let mut chosen = measured.unwrap_or_else(|| default(sets.defaults, name));
    if sets.attention.is_none() {
        let (compute, memory) = spec.costing.attention_scale;
        chosen.e_c *= compute;
        chosen.e_w *= memory;
        chosen.e_a *= memory;
    }
    if weight_only {
        chosen.e_w *= WEIGHT_ONLY_BANDWIDTH;
    }
    (chosen, class)
}

/// Whose kernels are taken. vLLM's 8-bit experts on Hopper are a slow path nobody serves with; TensorRT-LLM serves
/// 4-bit experts with the kernels FlashInfer ships, not with the ones in its own table.
fn order(spec: &HardwareSpec, family: KernelFamily, format: ExpertFormat) -> &'static [&'static str] {
    match (format, family) {
        (ExpertFormat::Fp8, KernelFamily::Vllm) if spec.kernel_arch() == "sm_90" => &["trtllm"],
        (ExpertFormat::Nvfp4, KernelFamily::Trtllm) => &["vllm", "sglang"],
        (_, KernelFamily::Vllm) => &["vllm", "sglang", "trtllm"],
        (_, KernelFamily::Sglang) => &["sglang", "trtllm", "vllm"],
        (_, KernelFamily::Trtllm) => &["trtllm", "sglang", "vllm"],
    }
}

fn default(defaults: &DefaultsSpec, format: &str) -> GroupedGemmSpec {
    let zero = GroupedGemmSpec { t0_us: 0.0, e_w: 1.0, e_c: 1.0, e_a: 1.0, q: 1.0, c_e_ns: 0.0, x_sat: 1.0, r_l2: 1.0 };
    first(&defaults.moe, &[format, "bf16"]).unwrap_or(zero)
}

impl LatentCoefficients {
    pub(super) fn build(spec: &HardwareSpec, sets: &Calibrations<'_>, family: KernelFamily) -> Self {
        let set = own_set(spec, sets).map(|set| &set.mla);
        let decode = set.and_then(|set| first(&set.decode, &[family.name(), "trtllm"]));
        let prefill = set.and_then(|set| first(&set.prefill, &["trtllm"]));
        let class = if decode.is_some() { spec.costing.class } else { CostingClass::Datasheet };
        Self {
            decode: decode.unwrap_or(sets.defaults.mla_decode),
            prefill: prefill.unwrap_or(sets.defaults.mla_prefill),
            class,
        }
    }
}
