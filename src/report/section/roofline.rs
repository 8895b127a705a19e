//! The roofline: kernels of both phases under the two limits of the data sheet.

use super::kernels::attained;
use super::phase::Phase;
use super::table;
use crate::kernel::{MathType, Stage};
use crate::quantity::format::{ABSENT, ms, number, percent, with_unit};
use crate::report::Report;
use crate::report::chart::{Dot, Roofline};
use crate::report::figures::KernelFigures;
use crate::report::text::Text;
use crate::report::view::{Figure, Key, Swatch};
use crate::report::words::names;
use crate::simulate::{KernelRow, PhaseKind};

/// Kernels below this share of their phase are left to the table.
const LEAST_SHARE: f64 = 0.01;

/// Kernels further below the roof than this factor are all launch and no work; they would flatten the rest.
const DEEPEST: f64 = 1e4;

/// A kernel that has a place in the plane.
struct Placed<'a> {
    phase: &'a Phase<'a>,
    row: &'a KernelRow,
    intensity: f64,
    tflops: f64,
    attained: f64,
}

impl Placed<'_> {
    /// Time over the whole request: a decode step counts as often as it runs.
    fn whole_ms(&self) -> f64 {
        let steps = self.phase.facts.scenario.workload.gen_len.saturating_sub(1) as f64;
        self.row.time.ms() * if self.phase.kind == PhaseKind::Decode { steps } else { 1.0 }
    }
}

/// The figure over all kernels of both phases.
pub(super) fn build(report: &Report, rows: &[(&Phase<'_>, &KernelRow)], text: &Text) -> Figure {
    let machine = &report.scenario.machine;
    let placed: Vec<Placed<'_>> = rows
        .iter()
        .filter_map(|(phase, row)| {
            let figures = KernelFigures::new(row, machine);
            let (intensity, tflops) = (figures.arithmetic_intensity?, figures.achieved_tflops?);
            Some(Placed { phase, row, intensity, tflops, attained: attained(row, machine)? })
        })
        .collect();
    let words = &text.kernels;
    let floor = machine.peak(MathType::Bf16).tflops() / DEEPEST;
    let shows = |p: &&Placed<'_>| p.phase.share(p.row.time.ms()) >= LEAST_SHARE && p.tflops >= floor;
    let shown: Vec<&Placed<'_>> = placed.iter().filter(shows).collect();
    let longest = shown.iter().max_by(|a, b| a.whole_ms().total_cmp(&b.whole_ms()));
    let kernel = longest.map_or_else(String::new, |p| p.phase.kernel_name(p.row));
    let share = longest.map_or_else(String::new, |p| percent(p.attained));
    let math = longest.and_then(|p| p.row.cost.math).unwrap_or(MathType::Bf16);
    let ridge = machine.peak(math).get() / machine.sheet.bandwidth.get();
    let bandwidth = with_unit(machine.sheet.bandwidth.gb_s(), "GB/s");
    let ceiling = match longest {
        Some(p) if p.intensity < ridge => bandwidth.clone(),
        _ => names::peak(machine, math),
    };
    let chart = Roofline {
        label: words.roofline_aria.fill(&[("kernel", &kernel), ("share", &share), ("ceiling", &ceiling)]),
        x_title: words.intensity.to_owned(),
        y_title: words.rate.to_owned(),
        bandwidth: (machine.sheet.bandwidth.gb_s(), bandwidth),
        peaks: peaks(report, &shown),
        dots: shown.iter().map(|p| dot(p)).collect(),
    };
    let title = words.roofline.to_owned();
    let titles = [text.kernel.kernel, words.intensity, words.rate, words.attained, text.kernel.time];
    Figure {
        id: "c-roofline",
        finding: words.roofline_finding.fill(&[("kernel", &kernel), ("share", &share)]),
        chart: chart.draw(),
        legend: legend(&shown, text),
        numbers: table(
            text.frame.numbers_of.fill(&[("chart", &title)]),
            &titles,
            shown.iter().map(|p| line(p)).collect(),
        ),
        title,
    }
}

/// The tensor peaks in use, highest first.
fn peaks(report: &Report, shown: &[&Placed<'_>]) -> Vec<(f64, String)> {
    let machine = &report.scenario.machine;
    let used = |math: &MathType| shown.iter().any(|p| p.row.cost.math == Some(*math));
    let mut peaks: Vec<(f64, String)> = [MathType::Bf16, MathType::Fp8, MathType::Fp4, MathType::Int8]
        .into_iter()
        .filter(|math| *math == MathType::Bf16 || used(math))
        .map(|math| (machine.peak(math).tflops(), names::peak(machine, math)))
        .collect();
    peaks.sort_by(|a, b| b.0.total_cmp(&a.0));
    peaks
}

fn dot(p: &Placed<'_>) -> Dot {
    let (name, time) = (p.phase.kernel_name(p.row), p.row.time.ms());
    let share = percent(p.attained);
    Dot {
        intensity: p.intensity,
        tflops: p.tflops,
        ms: time,
        swatch: Swatch::of(p.row.call.stage),
        hollow: p.phase.kind == PhaseKind::Decode,
        label: format!("{} {share}", p.row.call.name),
        tip: format!("{name}\n{} · {} · {} FLOP/B", ms(time), with_unit(p.tflops, "TFLOPS"), number(p.intensity)),
        href: format!("kernel={}", p.phase.key(p.row)),
    }
}

fn line(p: &Placed<'_>) -> Vec<String> {
    let share = if p.attained.is_finite() { percent(p.attained) } else { ABSENT.to_owned() };
    vec![p.phase.kernel_name(p.row), number(p.intensity), number(p.tflops), share, ms(p.row.time.ms())]
}

fn legend(shown: &[&Placed<'_>], text: &Text) -> Vec<Key> {
    let used = |stage: &Stage| shown.iter().any(|p| p.row.call.stage == *stage);
    let key = |stage: Stage| Key { swatch: Swatch::of(stage), text: text.stage.of(stage).to_owned() };
    Stage::ALL.into_iter().filter(used).map(key).collect()
}
