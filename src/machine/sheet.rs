//! The data sheet in SI units.

use super::Scale;
use crate::quantity::{Bytes, BytesPerSecond, FlopPerSecond};
use crate::spec::HardwareSpec;

/// What the maker says of a device, and what the driver shows.
#[derive(Clone, Debug)]
pub struct DataSheet {
    /// Multiprocessors.
    pub sm_count: f64,
    /// Limits of one multiprocessor, where known.
    pub sm_limits: Option<SmLimits>,
    /// Dense bfloat16 rate with 32-bit accumulation.
    pub bf16: FlopPerSecond,
    /// Dense 8-bit float rate, where the path exists.
    pub fp8: Option<FlopPerSecond>,
    /// Dense 4-bit float rate, where the path exists.
    pub fp4: Option<FlopPerSecond>,
    /// Dense 8-bit integer rate, where the path exists.
    pub int8: Option<FlopPerSecond>,
    /// Memory technology.
    pub memory_type: String,
    /// Memory the driver shows.
    pub capacity: Bytes,
    /// Memory bandwidth on paper.
    pub bandwidth: BytesPerSecond,
    /// Second-level cache.
    pub l2: Option<Bytes>,
    /// Parts the cache is split into.
    pub l2_partitions: f64,
    /// Host link.
    pub pcie: PcieSheet,
    /// GPU-to-GPU link per direction, where there is one.
    pub link: Option<(String, BytesPerSecond)>,
    /// Power limit in watts.
    pub power_w: Option<f64>,
    /// Fine print.
    pub conditions: Vec<String>,
}

/// What one multiprocessor holds at most.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SmLimits {
    /// Resident warps.
    pub warps: f64,
    /// Resident blocks.
    pub blocks: f64,
    /// 32-bit registers.
    pub registers: f64,
    /// Shared memory.
    pub shared_memory: Bytes,
}

/// The host link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PcieSheet {
    /// Generation.
    pub generation: u64,
    /// Lanes.
    pub lanes: u64,
    /// One way after encoding.
    pub raw: BytesPerSecond,
    /// One way as copies reach it.
    pub effective: BytesPerSecond,
}

impl DataSheet {
    pub(super) fn from_spec(spec: &HardwareSpec) -> Self {
        Self {
            sm_count: spec.sm.count as f64,
            sm_limits: sm_limits(spec),
            bf16: FlopPerSecond::from_tflops(spec.tensor.bf16_tflops),
            fp8: spec.tensor.fp8_tflops.map(FlopPerSecond::from_tflops),
            fp4: spec.tensor.fp4_tflops.map(FlopPerSecond::from_tflops),
            int8: spec.tensor.int8_tops.map(FlopPerSecond::from_tflops),
            memory_type: spec.memory_type.clone(),
            capacity: Bytes::from_gib(spec.capacity_gib),
            bandwidth: BytesPerSecond::from_gb_s(spec.bandwidth_gb_s),
            l2: spec.l2_mib.map(|mib| Bytes::from_gib(mib / 1024.0)),
            l2_partitions: spec.l2_partitions as f64,
            pcie: PcieSheet {
                generation: spec.pcie_generation,
                lanes: spec.pcie_lanes,
                raw: BytesPerSecond::from_gb_s(spec.pcie_raw_gb_s),
                effective: BytesPerSecond::from_gb_s(spec.pcie_bandwidth_gb_s),
            },
            link: spec.link_gb_s.map(|rate| {
                let name = spec.link_name.clone().unwrap_or_else(|| "link".to_owned());
                (name, BytesPerSecond::from_gb_s(rate))
            }),
            power_w: spec.power_w,
            conditions: spec.conditions.clone(),
        }
    }

    pub(super) fn apply(&mut self, scale: &Scale) {
        self.sm_count *= scale.sm_count;
        self.bf16 = self.bf16 * scale.bf16;
        self.fp8 = self.fp8.map(|rate| rate * scale.fp8);
        self.fp4 = self.fp4.map(|rate| rate * scale.fp4);
        self.int8 = self.int8.map(|rate| rate * scale.int8);
        self.bandwidth = self.bandwidth * scale.bandwidth;
        self.l2 = self.l2.map(|size| size * scale.l2);
        self.pcie.raw = self.pcie.raw * scale.pcie;
        self.pcie.effective = self.pcie.effective * scale.pcie;
        if let Some((_, rate)) = &mut self.link {
            *rate = *rate * scale.link;
        }
    }
}

fn sm_limits(spec: &HardwareSpec) -> Option<SmLimits> {
    Some(SmLimits {
        warps: spec.sm.max_warps? as f64,
        blocks: spec.sm.max_blocks? as f64,
        registers: spec.sm.registers? as f64,
        shared_memory: Bytes::new(spec.sm.shared_memory_kib? * 1024.0),
    })
}
