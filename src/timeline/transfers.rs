//! Copies as a list: bytes, path, rate, and how busy the link is in its busiest 100 ms.

use super::{KernelRow, TransferRow};
use crate::kernel::{Direction, Kernel, TransferKind};
use crate::quantity::{Bytes, Seconds};

/// The window in which a link's burst is told.
const WINDOW: Seconds = Seconds::new(0.1);

pub(super) fn list(rows: &[KernelRow]) -> Vec<TransferRow> {
    rows.iter().filter_map(transfer).collect()
}

fn transfer(row: &KernelRow) -> Option<TransferRow> {
    let Kernel::Transfer(copy) = row.call.kernel else { return None };
    let path: &'static [&'static str] = match copy.kind {
        TransferKind::Pcie(Direction::ToDevice, _) => &["host", "pcie", "hbm"],
        TransferKind::Pcie(Direction::ToHost, _) => &["hbm", "pcie", "host"],
        TransferKind::Staging => &["host", "staging"],
    };
    let bytes = Bytes::new(copy.bytes * row.call.calls);
    Some(TransferRow {
        phase: row.phase,
        name: row.call.name,
        stage: row.call.stage,
        path,
        bytes,
        time: row.time,
        rate: bytes / row.time,
        burst_utilization: (row.time / WINDOW).min(1.0),
    })
}
