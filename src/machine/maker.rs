//! Who made a machine, as its tools and kernels tell it.

use super::{Machine, arch_number};

/// Makers whose profilers and kernel names differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Maker {
    /// CUDA.
    Nvidia,
    /// ROCm.
    Amd,
    /// Metal.
    Apple,
    /// Any other.
    Other,
}

impl Machine {
    /// The maker, by the name of the architecture.
    #[must_use]
    pub fn maker(&self) -> Maker {
        let starts = |prefixes: &[&str]| prefixes.iter().any(|prefix| self.sm_arch.starts_with(prefix));
        match self.sm_arch.as_str() {
            arch if arch_number(arch).is_some() => Maker::Nvidia,
            _ if starts(&["cdna", "rdna", "gfx"]) => Maker::Amd,
            _ if starts(&["apple"]) => Maker::Apple,
            _ => Maker::Other,
        }
    }
}
