//! Copies between host and device: bytes over the effective rate of the link.
//!
//! The fixed cost of a small copy (about 10 µs) is not added: the engine constants were fitted to steps that contain it.
//! Staging of pageable memory is a copy inside the host at 30.9 GB/s, before the transfer and not beside it: a framework
//! copies the whole tensor, then sends it.

use super::{Basis, Bound, KernelCost, Provenance};
use crate::kernel::{Transfer, TransferKind};
use crate::machine::Machine;
use crate::quantity::{Bytes, BytesPerSecond, Seconds};
use crate::spec::CostingClass;

/// Rate of a single-threaded host copy into a staging buffer.
const STAGING: BytesPerSecond = BytesPerSecond::from_gb_s(30.9);

/// Time of a copy.
#[must_use]
pub fn time(k: &Transfer, machine: &Machine) -> Seconds {
    Bytes::new(k.bytes) / rate(k, machine)
}

/// The rate a copy runs at.
#[must_use]
pub fn rate(k: &Transfer, machine: &Machine) -> BytesPerSecond {
    match k.kind {
        TransferKind::Pcie(..) => machine.sheet.pcie.effective,
        TransferKind::Staging => STAGING,
    }
}

pub(super) fn explain(k: &Transfer, machine: &Machine) -> KernelCost {
    let bound = match k.kind {
        TransferKind::Pcie(..) => Bound::Pcie,
        TransferKind::Staging => Bound::HostMemory,
    };
    KernelCost {
        dram_bytes: k.device_bytes(),
        ..KernelCost::bare(time(k, machine), bound, Provenance { class: CostingClass::Datasheet, basis: Basis::Rule })
    }
}
