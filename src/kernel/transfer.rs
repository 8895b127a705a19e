//! Copies over PCIe and inside the host.

use crate::quantity::Bytes;

/// Which way a copy goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Host to device.
    ToDevice,
    /// Device to host.
    ToHost,
}

/// The host memory a copy uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HostMemory {
    /// Page-locked.
    Pinned,
    /// Ordinary.
    Pageable,
    /// Page-locked and mapped into the device.
    Mapped,
}

/// What moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TransferKind {
    /// Over PCIe.
    Pcie(Direction, HostMemory),
    /// From pageable memory into a staging buffer, by the CPU.
    Staging,
}

/// A copy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transfer {
    /// What moves where.
    pub kind: TransferKind,
    /// Bytes moved.
    pub bytes: f64,
}

impl Transfer {
    /// Bytes that reach or leave device memory.
    #[must_use]
    pub fn device_bytes(&self) -> Bytes {
        match self.kind {
            TransferKind::Pcie(..) => Bytes::new(self.bytes),
            TransferKind::Staging => Bytes::ZERO,
        }
    }
}
