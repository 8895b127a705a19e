//! Sums over the ranks of a tensor-parallel group.

/// An all-reduce of `bytes` on each of `ranks` devices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AllReduce {
    /// Devices.
    pub ranks: f64,
    /// Bytes on each.
    pub bytes: f64,
}

impl AllReduce {
    /// Bytes that each device sends at least: a ring passes 2·(n−1)/n of the data.
    #[must_use]
    pub fn wire_bytes(&self) -> f64 {
        2.0 * (self.ranks - 1.0) / self.ranks * self.bytes
    }
}
