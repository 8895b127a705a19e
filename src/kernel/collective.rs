//! Sums over the ranks of a tensor-parallel group, and exchanges between experts.

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
    pub const fn wire_bytes(&self) -> f64 {
        2.0 * (self.ranks - 1.0) / self.ranks * self.bytes
    }
}

/// Activations passed from one pipeline stage to the next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Send {
    /// Bytes that one device sends.
    pub bytes: f64,
    /// Whether the next stage is in another box.
    pub crosses_nodes: bool,
}

/// Tokens travelling to experts on other ranks, one way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AllToAll {
    /// Devices.
    pub ranks: f64,
    /// Replicas of the attention part.
    pub replicas: f64,
    /// Elements of the residual stream that travel, of all tokens.
    pub elements: f64,
}

impl AllToAll {
    /// Bytes one way: 8 bit out, 16 bit back, on average; what stays on its replica does not travel.
    #[must_use]
    pub const fn wire_bytes(&self) -> f64 {
        1.5 * self.elements * (self.replicas - 1.0) / self.replicas
    }
}
