//! The coefficients one engine's kernels are costed with on one machine.
//!
//! Chosen by device, then kernel family, then class. Peaks come from the calibration set where this very device was
//! measured, from the machine's own costing figures otherwise.

use super::gemm::GemmCoefficients;
use super::{Calibrations, ExpertCoefficients, LatentCoefficients, Scale};
use crate::spec::{AllReduceSpec, CostingClass, DecodeSpec, HardwareSpec, LinkModel, NcclSpec, Peaks, PrefillSpec};

/// Whose attention and collective kernels an engine runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KernelFamily {
    /// vLLM's: FlashAttention, custom all-reduce.
    Vllm,
    /// SGLang's.
    Sglang,
    /// TensorRT-LLM's.
    Trtllm,
}

impl KernelFamily {
    /// The family of a name in an engine file; vLLM's for anything else.
    #[must_use]
    pub fn named(name: &str) -> Self {
        match name {
            "sglang" => Self::Sglang,
            "trtllm" => Self::Trtllm,
            _ => Self::Vllm,
        }
    }

    /// The name in calibration files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Vllm => "vllm",
            Self::Sglang => "sglang",
            Self::Trtllm => "trtllm",
        }
    }
}

/// Everything the cost models need to know of a machine.
#[derive(Clone, Debug)]
pub struct Coefficients {
    /// Peaks for passes and whatever no set brings.
    pub base: Peaks,
    /// Linear layers.
    pub gemm: GemmCoefficients,
    /// Attention.
    pub attention: AttentionCoefficients,
    /// Mixtures of experts.
    pub moe: ExpertCoefficients,
    /// Latent attention.
    pub mla: LatentCoefficients,
    /// Collectives.
    pub collective: CollectiveCoefficients,
}

/// Attention coefficients.
#[derive(Clone, Debug)]
pub struct AttentionCoefficients {
    /// Peaks of the fit.
    pub peaks: Peaks,
    /// Calibration set, for provenance.
    pub set: Option<String>,
    /// How close the measurements are.
    pub class: CostingClass,
    /// Prompt tokens.
    pub prefill: PrefillSpec,
    /// One token per sequence.
    pub decode: DecodeSpec,
}

/// Collective coefficients.
#[derive(Clone, Debug)]
pub struct CollectiveCoefficients {
    /// The formula and its figures.
    pub cost: LinkCost,
    /// Rate of the link per direction, GB/s.
    pub link_gb_s: f64,
    /// What lies between boxes.
    pub network: Network,
    /// Calibration set, for provenance.
    pub set: Option<String>,
    /// How close the measurements are.
    pub class: CostingClass,
}

/// What lies between boxes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Network {
    /// GPUs of one box.
    pub node_gpus: f64,
    /// Rate per GPU and direction, GB/s.
    pub rate: f64,
}

/// How an all-reduce is priced.
#[derive(Clone, Copy, Debug)]
pub enum LinkCost {
    /// Measured NVLink collectives: the framework's kernels and NCCL, whichever is faster.
    Nvlink(AllReduceSpec, NcclSpec),
    /// A ring.
    Ring {
        /// What it reaches, GB/s.
        rate: f64,
        /// Start-up per rank, µs.
        per_rank_us: f64,
        /// Whether it runs over PCIe, so that a faster host link speeds it up.
        over_pcie: bool,
    },
}

/// Share of PCIe that a ring reaches.
const PCIE_EFFICIENCY: f64 = 0.8;
/// Start-up of a ring over PCIe, µs per rank.
const PCIE_RANK_US: f64 = 3.0;
/// Share of a fabric that nothing more is known of.
const FABRIC_EFFICIENCY: f64 = 0.6;
/// Start-up of a ring over such a fabric, µs per rank.
const FABRIC_RANK_US: f64 = 1.5;
/// What a ring reaches in a PCIe box, GB/s.
const PCIE_BOX_GB_S: f64 = 18.0;

impl Coefficients {
    pub(super) fn build(spec: &HardwareSpec, sets: &Calibrations<'_>, family: KernelFamily) -> Self {
        Self {
            base: spec.costing.peaks,
            gemm: GemmCoefficients::build(spec, sets),
            attention: AttentionCoefficients::build(spec, sets, family),
            moe: ExpertCoefficients::build(spec, sets, family),
            mla: LatentCoefficients::build(spec, sets, family),
            collective: CollectiveCoefficients::build(spec, sets, family),
        }
    }

    pub(super) fn apply(&mut self, scale: &Scale) {
        for peaks in [&mut self.base, &mut self.gemm.peaks, &mut self.attention.peaks] {
            peaks.sm_count *= scale.sm_count;
            peaks.bf16_tflops *= scale.bf16;
            peaks.fp8_tflops = peaks.fp8_tflops.map(|rate| rate * scale.fp8);
            peaks.fp4_tflops = peaks.fp4_tflops.map(|rate| rate * scale.fp4);
            peaks.int8_tflops = peaks.int8_tflops.map(|rate| rate * scale.int8);
            peaks.bandwidth_gb_s *= scale.bandwidth;
            peaks.l2_mb *= scale.l2;
        }
        self.collective.network.rate *= scale.network;
        self.collective.network.node_gpus *= scale.node_gpus;
        match &mut self.collective.cost {
            LinkCost::Ring { rate, over_pcie, .. } => {
                let link = if *over_pcie { scale.pcie } else { scale.link };
                *rate *= link * scale.collective;
                self.collective.link_gb_s *= link * scale.collective;
            }
            LinkCost::Nvlink(own, nccl) => {
                let rates =
                    [&mut own.one_shot, &mut own.two_shot, &mut nccl.ll, &mut nccl.n2, &mut nccl.n4, &mut nccl.n8];
                rates.into_iter().for_each(|rate| *rate *= scale.link * scale.collective);
                self.collective.link_gb_s *= scale.link * scale.collective;
            }
        }
    }
}

/// The architecture families whose default coefficients differ.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum ArchKind {
    BlackwellDc,
    Hopper,
    Other,
}

pub(super) fn arch_kind(arch: &str) -> ArchKind {
    match arch {
        "sm_100" | "sm_103" => ArchKind::BlackwellDc,
        "sm_90" => ArchKind::Hopper,
        _ => ArchKind::Other,
    }
}

impl AttentionCoefficients {
    fn build(spec: &HardwareSpec, sets: &Calibrations<'_>, family: KernelFamily) -> Self {
        let own = spec.costing.peaks;
        let set = sets.attention.and_then(|set| set.attention.as_ref());
        let family = spec.costing.attention_family.as_deref().unwrap_or(family.name());
        let order = [family, "vllm", "sglang", "trtllm"];
        let defaults = if spec.memory_type.contains("HBM") { &sets.defaults.hbm } else { &sets.defaults.gddr };
        let prefill = set.and_then(|set| first(&set.prefill, &order));
        let decode = set.and_then(|set| first(&set.decode, &order));
        let class = if prefill.is_some() { spec.costing.class } else { CostingClass::Datasheet };
        let mut prefill = prefill.unwrap_or_else(|| scaled_prefill(defaults.0, spec.costing.attention_scale));
        let decode = decode.unwrap_or_else(|| scaled_decode(defaults.1, spec.costing.attention_scale));
        for (name, value) in &spec.costing.attention_overrides {
            match name.as_str() {
                "e64" => prefill.e64 = *value,
                "e128" => prefill.e128 = *value,
                "e256" => prefill.e256 = *value,
                _ => {}
            }
        }
        let peaks = match set {
            Some(set) if spec.costing.class == CostingClass::Calibrated => set.peaks,
            _ => own,
        };
        let id = sets.attention.map(|set| set.id.clone());
        Self { peaks, set: id, class, prefill, decode }
    }
}

/// Class defaults where only end-to-end measurements describe the architecture: efficiencies times what those show.
fn scaled_prefill(base: PrefillSpec, (compute, memory): (f64, f64)) -> PrefillSpec {
    PrefillSpec {
        e64: base.e64 * compute,
        e128: base.e128 * compute,
        e192: base.e192 * compute,
        e256: base.e256 * compute,
        e512: base.e512 * compute,
        e_io: base.e_io * memory,
        ..base
    }
}

fn scaled_decode(base: DecodeSpec, (compute, memory): (f64, f64)) -> DecodeSpec {
    DecodeSpec { e_c: base.e_c * compute, e_m: base.e_m * memory, e_m8: base.e_m8 * memory, ..base }
}

pub(super) fn first<T: Copy>(table: &[(String, T)], order: &[&str]) -> Option<T> {
    order.iter().find_map(|name| table.iter().find(|(key, _)| key == name)).map(|(_, value)| *value)
}

fn network(spec: &HardwareSpec) -> Network {
    Network { node_gpus: spec.node_gpus as f64, rate: spec.network_gb_s }
}

impl CollectiveCoefficients {
    fn build(spec: &HardwareSpec, sets: &Calibrations<'_>, family: KernelFamily) -> Self {
        let link = spec.costing.link_gb_s;
        let ring = |rate, per_rank_us, over_pcie| Self {
            cost: LinkCost::Ring { rate, per_rank_us, over_pcie },
            link_gb_s: link,
            network: network(spec),
            set: None,
            class: CostingClass::Datasheet,
        };
        match spec.costing.link_model {
            LinkModel::Pcie => ring(link * PCIE_EFFICIENCY, PCIE_RANK_US, true),
            LinkModel::PcieBox => ring(PCIE_BOX_GB_S, PCIE_RANK_US, true),
            LinkModel::Generic => ring(link * FABRIC_EFFICIENCY, FABRIC_RANK_US, false),
            LinkModel::Nvlink => Self::nvlink(spec, sets, family, link),
        }
    }

    fn nvlink(spec: &HardwareSpec, sets: &Calibrations<'_>, family: KernelFamily, link: f64) -> Self {
        let order = [family.name(), "vllm"];
        let set = sets.link.map(|set| &set.collective);
        let measured = set.and_then(|set| first(&set.all_reduce, &order));
        // What was measured over a wider or narrower link scales with it.
        let set_link = sets.link.and_then(|set| set.attention.as_ref()).and_then(|attention| attention.peaks.link_gb_s);
        let ratio = set_link.map_or(1.0, |measured| link / measured);
        let own = measured.map(|(own, _)| AllReduceSpec {
            one_shot: own.one_shot * ratio,
            two_shot: own.two_shot * ratio,
            ..own
        });
        let beside = measured.and_then(|(_, nccl)| nccl);
        let nccl = beside.or_else(|| set.and_then(|set| first(&set.nccl, &["all_reduce"])));
        let nccl = nccl.map(|nccl| NcclSpec {
            ll: nccl.ll * ratio,
            n2: nccl.n2 * ratio,
            n4: nccl.n4 * ratio,
            n8: nccl.n8 * ratio,
            ..nccl
        });
        let class = if own.is_some() && nccl.is_some() { spec.costing.class } else { CostingClass::Datasheet };
        let defaults = sets.defaults;
        let own = own.unwrap_or_else(|| {
            let d = defaults.nvlink_all_reduce;
            AllReduceSpec { one_shot: d.one_shot * link, two_shot: d.two_shot * link, ..d }
        });
        let nccl = nccl.unwrap_or_else(|| {
            let d = first(&defaults.nvlink_nccl, &["all_reduce"]).unwrap_or(NcclSpec {
                a0_us: 0.0,
                a1_us: 0.0,
                d_s_us: 0.0,
                ll: 1.0,
                n2: 1.0,
                n4: 1.0,
                n8: 1.0,
            });
            NcclSpec { ll: d.ll * link, n2: d.n2 * link, n4: d.n4 * link, n8: d.n8 * link, ..d }
        });
        Self {
            cost: LinkCost::Nvlink(own, nccl),
            link_gb_s: link,
            network: network(spec),
            set: sets.link.map(|set| set.id.clone()),
            class,
        }
    }
}
