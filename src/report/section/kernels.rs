//! How close each kernel is to the hardware limit.

use super::phase::{MINOR, Phase};
use super::{inputs, roofline};
use crate::kernel::MathType;
use crate::machine::Machine;
use crate::quantity::format::{number, percent};
use crate::report::chart::bars;
use crate::report::figures::KernelFigures;
use crate::report::text::Text;
use crate::report::view::{Headroom, Kernels, Key, PhaseKernel, Swatch};
use crate::report::words::facts::Facts;
use crate::report::words::names;
use crate::report::{Report, Told};
use crate::simulate::{KernelRow, PhaseKind};

/// Kernels that the list of limits shows at most.
const MOST: usize = 7;

/// The section.
pub(super) fn build(report: &Report, told: &Told, text: &Text) -> Kernels {
    let facts = Facts { scenario: &report.scenario, run: &told.run };
    let phases: Vec<Phase<'_>> =
        [PhaseKind::Prefill, PhaseKind::Decode].into_iter().filter_map(|kind| Phase::new(kind, facts, text)).collect();
    let mut rows: Vec<(&Phase<'_>, &KernelRow)> =
        phases.iter().flat_map(|phase| phase.rows.iter().map(move |row| (phase, row))).collect();
    rows.sort_by(|a, b| b.1.time.get().total_cmp(&a.1.time.get()));
    let both = if phases.len() > 1 { text.kernels.lede_both } else { "" };
    Kernels {
        lede: names::sentences(&[text.kernels.lede.to_owned(), both.to_owned()], text),
        roofline: roofline::build(report, &rows, text),
        headroom: headroom(&rows, text),
        rows: rows.iter().map(|(phase, row)| phase_kernel(phase, row)).collect(),
        inputs: inputs::build(&rows, text),
    }
}

fn phase_kernel(phase: &Phase<'_>, row: &KernelRow) -> PhaseKernel {
    let stage = row.call.stage;
    let share = phase.share(row.time.ms());
    PhaseKernel {
        kernel: phase.kernel(row),
        distinction: phase.distinction(row),
        stage: Key { swatch: Swatch::of(stage), text: phase.text.stage.of(stage).to_owned() },
        phase: phase.name().to_owned(),
        share: percent(share),
        share_sort: bars::sort(Some(share)),
        minor: share < MINOR,
    }
}

/// The share of the attainable limit: the roof above the kernel's own intensity; for an all-reduce, the link on paper.
pub(super) fn attained(row: &KernelRow, machine: &Machine) -> Option<f64> {
    let figures = KernelFigures::new(row, machine);
    if row.call.kernel.is_collective() {
        return figures.peak_share.map(|share| share.min(1.0));
    }
    let (rate, intensity) = (figures.achieved_tflops?, figures.arithmetic_intensity?);
    let roof = machine.peak(row.cost.math.unwrap_or(MathType::Bf16)).tflops();
    let slope = intensity * machine.sheet.bandwidth.get() / 1e12;
    Some((rate / roof.min(slope)).min(1.0))
}

/// The kernels that take the largest shares of their phases, against their limit.
fn headroom(rows: &[(&Phase<'_>, &KernelRow)], text: &Text) -> Vec<Headroom> {
    let mut list: Vec<(f64, Headroom)> = rows
        .iter()
        .filter_map(|(phase, row)| {
            let share = attained(row, &phase.facts.scenario.machine)?;
            let room = text.kernels.headroom.fill(&[("factor", &number(1.0 / share.max(1e-3)))]);
            let line = Headroom {
                key: phase.key(row),
                name: row.call.name.to_owned(),
                note: format!("{} · {room}", phase.name()),
                swatch: Swatch::of(row.call.stage),
                share: bars::meter(percent(share), Some(share), 1.0),
            };
            Some((phase.share(row.time.ms()), line))
        })
        .collect();
    list.sort_by(|a, b| b.0.total_cmp(&a.0));
    list.into_iter().take(MOST).map(|(_, line)| line).collect()
}
