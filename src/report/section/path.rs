//! The memory path of a stage: what happens at each hop, and which one limits.

use super::phase::Phase;
use crate::cost::Bound;
use crate::kernel::{Kernel, MathType, Stage, TransferKind};
use crate::machine::Maker;
use crate::quantity::format::{ABSENT, data_size, ms, percent, with_unit};
use crate::report::view::Hop;
use crate::report::words::names;
use crate::simulate::KernelRow;

/// A station of the path.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Station {
    Host,
    Pcie,
    Hbm,
    L2,
    Sm,
    Link,
}

/// The station that a limit belongs to.
const fn station(bound: Bound) -> Station {
    match bound {
        Bound::Host | Bound::HostMemory => Station::Host,
        Bound::Pcie => Station::Pcie,
        Bound::Memory => Station::Hbm,
        Bound::OperandFeed => Station::L2,
        Bound::Compute | Bound::Latency => Station::Sm,
        Bound::Link => Station::Link,
    }
}

/// Nothing moves there.
const NOTHING: f64 = 0.0;

/// The hops of a stage with these kernels; `limit` is what limits it, if anything does.
pub(super) fn hops(phase: &Phase<'_>, stage: Stage, rows: &[&KernelRow], limit: Option<Bound>) -> Vec<Hop> {
    let words = &phase.text.waterfall;
    let limiting = limit.map(station);
    let machine = &phase.facts.scenario.machine;
    let cores = match machine.maker() {
        Maker::Nvidia => "SM",
        Maker::Amd => "CU",
        Maker::Apple | Maker::Other => words.cores,
    };
    let hop =
        |at: Station, name: &str, text: String| Hop { name: name.to_owned(), text, limiting: limiting == Some(at) };
    let mut path = vec![
        hop(Station::Host, words.host, host(phase, stage, rows)),
        hop(Station::Pcie, "PCIe", pcie(phase, rows)),
        hop(Station::Hbm, if names::has_hbm(machine) { "HBM" } else { words.memory }, hbm(phase, rows)),
        hop(Station::L2, "L2", l2(phase, rows)),
        hop(Station::Sm, cores, sm(phase, rows)),
    ];
    if let Some(exchanged) = link(rows) {
        path.push(hop(Station::Link, words.link, exchanged));
    }
    path
}

/// Bytes and time of the copies of a kind.
fn copies(rows: &[&KernelRow], wanted: impl Fn(TransferKind) -> bool) -> (f64, f64) {
    let copies = rows.iter().filter_map(|row| match row.call.kernel {
        Kernel::Transfer(copy) if wanted(copy.kind) => Some((copy.bytes * row.call.calls, row.time.get())),
        _ => None,
    });
    copies.fold((0.0, 0.0), |sum, copy| (sum.0 + copy.0, sum.1 + copy.1))
}

fn gb_s(bytes: f64, seconds: f64) -> String {
    with_unit(bytes / seconds / 1e9, "GB/s")
}

fn host(phase: &Phase<'_>, stage: Stage, rows: &[&KernelRow]) -> String {
    let words = &phase.text.reason;
    let (staged, time) = copies(rows, |kind| kind == TransferKind::Staging);
    let (sent, _) = copies(rows, |kind| kind != TransferKind::Staging);
    if stage == Stage::Host {
        ms(rows.iter().map(|row| row.time.ms()).sum())
    } else if staged > 0.0 {
        words.staged.fill(&[("bytes", &data_size(staged)), ("rate", &gb_s(staged, time))])
    } else {
        data_size(sent)
    }
}

fn pcie(phase: &Phase<'_>, rows: &[&KernelRow]) -> String {
    let (bytes, time) = copies(rows, |kind| kind != TransferKind::Staging);
    match time > 0.0 {
        true => phase.text.reason.at_rate.fill(&[("bytes", &data_size(bytes)), ("rate", &gb_s(bytes, time))]),
        false => data_size(NOTHING),
    }
}

/// Bytes, mean rate and share of the peak; only bytes where the time is not the stage's own.
fn hbm(phase: &Phase<'_>, rows: &[&KernelRow]) -> String {
    let bytes: f64 = rows.iter().map(|row| row.cost.dram_bytes.get() * row.call.calls).sum();
    let seconds: f64 = rows.iter().filter(|row| row.cost.dram_bytes.get() > 0.0).map(|row| row.time.get()).sum();
    let share = bytes / seconds / phase.facts.scenario.machine.sheet.bandwidth.get();
    if bytes == 0.0 || !share.is_finite() || share > 1.0 {
        return data_size(bytes);
    }
    phase.text.reason.at_share.fill(&[
        ("bytes", &data_size(bytes)),
        ("rate", &gb_s(bytes, seconds)),
        ("share", &percent(share)),
    ])
}

fn l2(phase: &Phase<'_>, rows: &[&KernelRow]) -> String {
    let cached = rows.iter().filter_map(|row| Some((row.cost.l2_bytes?.get() * row.call.calls, row)));
    let (requests, missed) = cached.fold((0.0, 0.0), |sum, (requests, row)| {
        (sum.0 + requests, sum.1 + row.cost.dram_bytes.get() * row.call.calls)
    });
    if requests == 0.0 {
        return ABSENT.to_owned();
    }
    let hit = (1.0 - missed / requests).clamp(0.0, 1.0);
    phase.text.reason.hit_rate.fill(&[("share", &percent(hit)), ("bytes", &data_size(requests))])
}

/// Share of the arithmetic peak where a type of products is known or limits, else how full the multiprocessors are.
fn sm(phase: &Phase<'_>, rows: &[&KernelRow]) -> String {
    let machine = &phase.facts.scenario.machine;
    let words = &phase.text.reason;
    let tensor: Vec<&&KernelRow> =
        rows.iter().filter(|row| row.cost.math.is_some() || row.cost.bound == Bound::Compute).collect();
    if let Some(first) = tensor.first() {
        let math = first.cost.math.unwrap_or(MathType::Bf16);
        let busy: f64 = tensor
            .iter()
            .map(|row| row.cost.flop / machine.peak(row.cost.math.unwrap_or(math)) * row.call.calls)
            .map(|time| time.get())
            .sum();
        let time: f64 = tensor.iter().map(|row| row.time.get()).sum();
        return words.of_peak.fill(&[("share", &percent(busy / time)), ("math", &names::math(math))]);
    }
    let resident = rows.iter().filter_map(|row| Some((row.cost.occupancy?.achieved, row.time.get())));
    let (weighted, time) = resident.fold((0.0, 0.0), |sum, (share, time)| (sum.0 + share * time, sum.1 + time));
    if time > 0.0 { words.occupied.fill(&[("share", &percent(weighted / time))]) } else { words.idle.to_owned() }
}

/// Bytes that a GPU puts on the link.
fn link(rows: &[&KernelRow]) -> Option<String> {
    let bytes: f64 = rows.iter().filter_map(|row| Some(row.call.kernel.wire_bytes()? * row.call.calls)).sum();
    (bytes > 0.0).then(|| data_size(bytes))
}
