//! Factors on a machine's rates: what an override or a counterfactual changes.

use crate::spec::HardwareSpec;

/// Factors by which rates are multiplied; 1 leaves them alone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    /// Memory bandwidth.
    pub bandwidth: f64,
    /// 16-bit tensor rate.
    pub bf16: f64,
    /// 8-bit float tensor rate.
    pub fp8: f64,
    /// 4-bit float tensor rate.
    pub fp4: f64,
    /// 8-bit integer tensor rate.
    pub int8: f64,
    /// Multiprocessors.
    pub sm_count: f64,
    /// Second-level cache.
    pub l2: f64,
    /// Host link.
    pub pcie: f64,
    /// GPU-to-GPU link.
    pub link: f64,
    /// The rate collectives are costed with, whatever it runs over.
    pub collective: f64,
    /// The network between boxes.
    pub network: f64,
    /// GPUs of a box.
    pub node_gpus: f64,
}

impl Scale {
    /// Changes nothing.
    pub const NONE: Self = Self {
        bandwidth: 1.0,
        bf16: 1.0,
        fp8: 1.0,
        fp4: 1.0,
        int8: 1.0,
        sm_count: 1.0,
        l2: 1.0,
        pcie: 1.0,
        link: 1.0,
        collective: 1.0,
        network: 1.0,
        node_gpus: 1.0,
    };

    /// All tensor rates.
    #[must_use]
    pub const fn compute(factor: f64) -> Self {
        Self { bf16: factor, fp8: factor, fp4: factor, int8: factor, ..Self::NONE }
    }

    /// Memory bandwidth.
    #[must_use]
    pub const fn bandwidth(factor: f64) -> Self {
        Self { bandwidth: factor, ..Self::NONE }
    }

    /// Host link.
    #[must_use]
    pub const fn pcie(factor: f64) -> Self {
        Self { pcie: factor, ..Self::NONE }
    }

    pub(super) fn between(old: &HardwareSpec, new: &HardwareSpec) -> Self {
        let ratio = |old: Option<f64>, new: Option<f64>| match (old, new) {
            (Some(old), Some(new)) => new / old,
            _ => 1.0,
        };
        Self {
            bandwidth: new.bandwidth_gb_s / old.bandwidth_gb_s,
            bf16: new.tensor.bf16_tflops / old.tensor.bf16_tflops,
            fp8: ratio(old.tensor.fp8_tflops, new.tensor.fp8_tflops),
            fp4: ratio(old.tensor.fp4_tflops, new.tensor.fp4_tflops),
            int8: ratio(old.tensor.int8_tops, new.tensor.int8_tops),
            sm_count: new.sm.count as f64 / old.sm.count as f64,
            l2: ratio(old.l2_mib, new.l2_mib),
            pcie: new.pcie_bandwidth_gb_s / old.pcie_bandwidth_gb_s,
            link: ratio(old.link_gb_s, new.link_gb_s),
            collective: new.costing.link_gb_s / old.costing.link_gb_s,
            network: new.network_gb_s / old.network_gb_s,
            node_gpus: new.node_gpus as f64 / old.node_gpus as f64,
        }
    }
}
