//! Names of stages, limits, types and links as a reader knows them.

use crate::cost::Bound;
use crate::kernel::{MathType, Stage};
use crate::machine::{Machine, Maker};
use crate::quantity::format::{NBSP, with_unit};
use crate::report::chart::scale;
use crate::report::figures;
use crate::report::text::{Bounds, Label, Stages, Text};

impl Stages {
    /// The name of a stage.
    #[must_use]
    pub const fn of(&self, stage: Stage) -> Label {
        match stage {
            Stage::Host => self.host,
            Stage::InputEmbeddingLoad => self.pcie,
            Stage::Attention => self.attn,
            Stage::Ffn => self.ffn,
            Stage::Norm => self.norm,
            Stage::KvCacheWrite => self.kv,
            Stage::OutputLogitsRead => self.logits,
            Stage::Sampling => self.sample,
        }
    }
}

impl Bounds {
    /// The resource that limits a kernel, as the maker of the machine calls it.
    #[must_use]
    pub fn resource(&self, bound: Bound, machine: &Machine) -> Label {
        match bound {
            Bound::Compute if machine.maker() != Maker::Nvidia => self.arithmetic,
            Bound::Compute => self.tensor,
            Bound::Memory if !has_hbm(machine) => self.memory,
            Bound::OperandFeed => self.l2,
            Bound::Memory => self.hbm,
            Bound::Latency => self.latency,
            Bound::Link => self.link,
            Bound::Pcie => self.pcie,
            Bound::HostMemory => self.host_memory,
            Bound::Host => self.host,
        }
    }

    /// What a stage is limited by.
    #[must_use]
    pub fn limited(&self, bound: Bound, machine: &Machine) -> Label {
        match bound {
            Bound::Memory if !has_hbm(machine) => self.memory_limited,
            Bound::Compute => self.compute_limited,
            Bound::OperandFeed => self.l2_limited,
            Bound::Memory => self.hbm_limited,
            Bound::Latency => self.latency_limited,
            Bound::Link => self.link_limited,
            Bound::Pcie => self.pcie_limited,
            Bound::HostMemory | Bound::Host => self.host_limited,
        }
    }
}

/// Whether the memory is stacked beside the chip.
pub(in crate::report) fn has_hbm(machine: &Machine) -> bool {
    machine.sheet.memory_type.starts_with("HBM")
}

/// A target as it was given: `15 ms`, not `15.0 ms`.
pub(in crate::report) fn target(limit_ms: f64) -> String {
    format!("{}{NBSP}ms", scale::label(limit_ms))
}

/// `bf16`, `fp8`, `int8`.
pub(in crate::report) const fn math(math: MathType) -> &'static str {
    match math {
        MathType::Bf16 => "bf16",
        MathType::Fp8 => "fp8",
        MathType::Fp4 => "fp4",
        MathType::Int8 => "int8",
    }
}

/// `312 TFLOPS`, or `624 TOPS` for integers.
pub(in crate::report) fn rate(machine: &Machine, math: MathType) -> String {
    let unit = if math == MathType::Int8 { "TOPS" } else { "TFLOPS" };
    with_unit(machine.peak(math).tflops(), unit)
}

/// `312 TFLOPS bf16`.
pub(in crate::report) fn peak(machine: &Machine, path: MathType) -> String {
    format!("{} {}", rate(machine, path), math(path))
}

/// The link that GPUs exchange data over.
pub(in crate::report) fn link(machine: &Machine) -> &str {
    figures::link(machine).map_or("PCIe", |(name, _)| name)
}

/// `1 × A100 PCIe 80GB`.
pub(in crate::report) fn gpus(count: u64, machine: &Machine) -> String {
    format!("{count} × {}", machine.name)
}

/// Sentences one after the other: Latin script puts a space between them.
pub(in crate::report) fn sentences(parts: &[String], text: &Text) -> String {
    let space = if text.lang == crate::report::text::Lang::En { " " } else { "" };
    parts.iter().filter(|part| !part.is_empty()).cloned().collect::<Vec<_>>().join(space)
}
