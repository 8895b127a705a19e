//! Where the time goes: the stages of a phase on one clock.

use super::phase::Phase;
use super::{path, reason};
use crate::cost::{Basis, Bound};
use crate::diagnose::Metric;
use crate::kernel::Stage;
use crate::quantity::format::{integer, ms, number, percent};
use crate::report::chart::{bars, scale};
use crate::report::text::{Label, Text};
use crate::report::view::{Bar, Stage as StageView, Swatch, TextRow, Waterfall};
use crate::report::words::facts::Facts;
use crate::report::{Report, Told};
use crate::simulate::{KernelRow, PhaseKind};

/// Stages with at least this share open on paper.
const ON_PAPER: f64 = 0.05;

/// The waterfall of a phase; none where the scenario leaves it out.
pub(super) fn build(report: &Report, told: &Told, kind: PhaseKind, text: &Text) -> Option<Waterfall> {
    let facts = Facts { scenario: &report.scenario, run: &told.run };
    let phase = Phase::new(kind, facts, text)?;
    let words = &text.waterfall;
    let metric = if kind == PhaseKind::Prefill { Metric::Ttft } else { Metric::Tpot };
    let target = report.budgets.limit(metric);
    let target_text = target.map_or_else(String::new, |limit| words.target.fill(&[("value", &scale::label(limit))]));
    let stages: Vec<(Stage, Vec<&KernelRow>)> = Stage::ALL.map(|stage| (stage, phase.stage(stage))).into();
    let times: Vec<f64> = stages.iter().map(|(_, rows)| rows.iter().map(|row| row.time.ms()).sum()).collect();
    let lanes = bars::lanes(&times, phase.total, target);
    let views = stages.iter().zip(&times).zip(lanes);
    let (title, lede, total) = match kind {
        PhaseKind::Prefill => (words.ttft, words.ttft_lede.to_owned(), words.total_ttft),
        PhaseKind::Decode => (words.tpot, decode_lede(report, text), words.total_tpot),
    };
    let range = told
        .bands
        .of(metric)
        .map(|band| text.verdict.range.fill(&[("low", &number(band.low)), ("high", &ms(band.high))]));
    let local = report.scenario.deployment.engine.local.is_some();
    let modelled = if local { words.modelled_local } else { words.modelled };
    Some(Waterfall {
        id: if kind == PhaseKind::Prefill { "ttft" } else { "tpot" },
        title: title.to_owned(),
        lede,
        axis: bars::axis(phase.total, target, &target_text),
        stages: views.map(|(((stage, rows), time), bar)| view(&phase, *stage, rows, *time, bar)).collect(),
        total: TextRow {
            name: total.to_owned(),
            note: range.unwrap_or_default(),
            time: ms(phase.total),
            share: percent(1.0),
        },
        note: if kind == PhaseKind::Decode && told.run.ttft.is_some() { "" } else { modelled }.to_owned(),
    })
}

fn decode_lede(report: &Report, text: &Text) -> String {
    let workload = &report.scenario.workload;
    text.waterfall.tpot_lede.fill(&[
        ("steps", &integer(workload.gen_len - 1)),
        ("from", &integer(workload.prompt_len + 1)),
        ("to", &integer(workload.prompt_len + workload.gen_len - 1)),
    ])
}

fn view(phase: &Phase<'_>, stage: Stage, rows: &[&KernelRow], time: f64, bar: Bar) -> StageView {
    let (text, words) = (phase.text, &phase.text.waterfall);
    let name = text.stage.of(stage);
    let (limit, limiter) = limit(phase, rows);
    let share = phase.share(time);
    let unique = phase.unique(name);
    StageView {
        key: format!("{}{}", phase.prefix(), stage.id()),
        swatch: Swatch::of(stage),
        name: name.to_owned(),
        limiter: limiter.to_owned(),
        time: ms(time),
        share: percent(share),
        bar,
        print: share >= ON_PAPER,
        reason: reason::sentence(phase, stage, rows),
        path_label: words.path.fill(&[("stage", &unique)]),
        path: path::hops(phase, stage, rows, limit),
        kernels_label: words.kernels_in.fill(&[("stage", &unique)]),
        kernels: rows.iter().map(|row| phase.kernel(row)).collect(),
    }
}

/// What limits a stage: what limits its longest kernel.
fn limit(phase: &Phase<'_>, rows: &[&KernelRow]) -> (Option<Bound>, Label) {
    let words = &phase.text.bound;
    let machine = &phase.facts.scenario.machine;
    match rows.first() {
        Some(lead) if lead.time.get() > 0.0 => (Some(lead.cost.bound), words.limited(lead.cost.bound, machine)),
        Some(lead) if lead.cost.dram_bytes.get() > 0.0 => {
            let local = lead.cost.provenance.basis == Basis::Engine;
            (None, if local { words.inside_layer_time } else { words.inside_attention })
        }
        _ => (None, words.nothing),
    }
}
