//! Why a stage takes its time: one sentence with the figures that decide.

use super::phase::Phase;
use crate::cost::Bound;
use crate::kernel::{Kernel, MathType, Stage, TransferKind};
use crate::quantity::format::{data_size, integer, ms, percent, with_unit};
use crate::report::figures::KernelFigures;
use crate::report::text::Phrase;
use crate::report::words::{cause, names};
use crate::simulate::{KernelRow, PhaseKind};
use crate::spec::EmbeddingPlacement;

/// Why a stage takes its time; `rows` are its kernels, longest first.
pub(super) fn sentence(phase: &Phase<'_>, stage: Stage, rows: &[&KernelRow]) -> String {
    let words = &phase.text.reason;
    let Some(lead) = rows.first() else { return words.empty.to_owned() };
    let local = phase.facts.scenario.deployment.engine.local.is_some();
    match stage {
        Stage::KvCacheWrite => {
            let bytes = rows.iter().map(|row| row.call.kernel.unique_bytes().get() * row.call.calls).sum();
            let phrase = match lead.time.get() > 0.0 {
                true => &words.kv_added,
                false if local => &words.kv_inside_layer_time,
                false => &words.kv_inside,
            };
            phrase.fill(&[("bytes", &data_size(bytes))])
        }
        _ if lead.time.get() == 0.0 && local => words.inside_layer_time.to_owned(),
        _ if lead.time.get() == 0.0 => words.empty.to_owned(),
        Stage::Host => {
            let phrase = if local { &words.host_local } else { &words.host };
            phrase.fill(&[("what", &cause::host_tasks(&phase.facts, phase.kind, phase.text, |_| true))])
        }
        Stage::InputEmbeddingLoad => input(phase, rows),
        _ => kernel(phase, lead),
    }
}

/// What crosses PCIe, which depends on where the embedding table lives.
fn input(phase: &Phase<'_>, rows: &[&KernelRow]) -> String {
    let words = &phase.text.reason;
    let copy = |wanted: fn(TransferKind) -> bool| {
        rows.iter().find(|row| matches!(row.call.kernel, Kernel::Transfer(copy) if wanted(copy.kind)))
    };
    let rate = with_unit(phase.facts.scenario.machine.sheet.pcie.effective.gb_s(), "GB/s");
    let Some(pcie) = copy(|kind| matches!(kind, TransferKind::Pcie(..))) else { return words.empty.to_owned() };
    let bytes = match pcie.call.kernel {
        Kernel::Transfer(copy) => data_size(copy.bytes * pcie.call.calls),
        _ => data_size(0.0),
    };
    let placement = phase.facts.scenario.switches.embedding_placement;
    let (prefill, device) = (phase.kind == PhaseKind::Prefill, placement == EmbeddingPlacement::Device);
    let phrase: &Phrase = match placement {
        _ if device => &words.ids,
        EmbeddingPlacement::HostMapped => &words.rows_mapped,
        EmbeddingPlacement::HostPageable if prefill => &words.table_pageable,
        EmbeddingPlacement::HostPinned if prefill => &words.table_pinned,
        _ => &words.ids,
    };
    let staging = copy(|kind| kind == TransferKind::Staging).map_or(0.0, |row| row.time.ms());
    phrase.fill(&[("bytes", &bytes), ("rate", &rate), ("staging", &ms(staging)), ("transfer", &ms(pcie.time.ms()))])
}

/// The longest kernel, what it reaches, and what would shorten it.
fn kernel(phase: &Phase<'_>, row: &KernelRow) -> String {
    let words = &phase.text.reason;
    let machine = &phase.facts.scenario.machine;
    let share = KernelFigures::new(row, machine).peak_share.unwrap_or(0.0);
    let phrase = match row.cost.bound {
        Bound::Compute => &words.compute,
        Bound::OperandFeed => &words.feed,
        Bound::Memory => &words.memory,
        Bound::Link => &words.link,
        Bound::Pcie => &words.copy,
        _ if row.call.calls <= 1.0 => &words.latency_once,
        Bound::Latency | Bound::HostMemory | Bound::Host => &words.latency,
    };
    let bytes = match row.call.kernel {
        Kernel::Transfer(copy) => copy.bytes,
        _ => row.call.kernel.wire_bytes().unwrap_or(row.cost.dram_bytes.get()),
    };
    phrase.fill(&[
        ("kernel", &row.call.name),
        ("time", &ms(row.time.ms())),
        ("share", &percent(share)),
        ("peak", &names::peak(machine, row.cost.math.unwrap_or(MathType::Bf16))),
        ("bytes", &data_size(bytes * row.call.calls)),
        ("calls", &integer(row.call.calls.round() as u64)),
        ("each", &with_unit(row.cost.time.us(), "µs")),
    ])
}
