//! What changes with load: TTFT over batch, TPOT over context, TTFT over both.

use super::table;
use crate::diagnose::Metric;
use crate::kernel::Stage;
use crate::quantity::format::{ABSENT, integer, ms, number, percent, with_unit};
use crate::report::chart::{Layer, LineChart, Sample, StackedArea, bars};
use crate::report::text::Text;
use crate::report::view::{Figure, Heat, HeatCell, HeatRow, Key, Scaling, Swatch};
use crate::report::words::load;
use crate::report::words::names::{self, target};
use crate::report::{Report, Told};
use crate::spec::ScenarioKind;
use crate::sweep::{BatchCurve, ContextPoint, Grid, GridCell};

/// A curve needs this many points.
const LEAST_POINTS: usize = 2;

/// The section; none where there is nothing to draw.
pub(super) fn build(report: &Report, told: &Told, text: &Text) -> Option<Scaling> {
    let curves = &told.curves;
    let kind = report.scenario.workload.scenario;
    let prefills = kind != ScenarioKind::Decode;
    let decodes = told.run.tpot.is_some();
    let batch = prefills.then(|| by_batch(report, told, text)).flatten();
    let context = decodes.then(|| by_context(report, &curves.context, text)).flatten();
    let heat = prefills.then(|| by_both(report, &curves.grid, text));
    let charts: Vec<Figure> = batch.into_iter().chain(context).collect();
    (!charts.is_empty() || heat.is_some()).then_some(Scaling { charts, heat })
}

/// A batch size with its TTFT and its throughput.
struct Load {
    batch: u64,
    ttft: f64,
    speed: Option<f64>,
}

fn by_batch(report: &Report, told: &Told, text: &Text) -> Option<Figure> {
    let words = &text.scaling;
    let curve = &told.curves.batch;
    let loads: Vec<Load> = curve
        .points
        .iter()
        .filter_map(|p| {
            let metrics = p.metrics?;
            Some(Load { batch: p.batch, ttft: metrics.ttft_ms?, speed: metrics.output_tokens_per_s })
        })
        .collect();
    let (first, last) = (loads.first()?, loads.last()?);
    if loads.len() < LEAST_POINTS {
        return None;
    }
    let limit = report.budgets.limit(Metric::Ttft);
    let ends: [(&str, &dyn std::fmt::Display); 4] = [
        ("first", &ms(first.ttft)),
        ("first_batch", &first.batch),
        ("last", &ms(last.ttft)),
        ("last_batch", &last.batch),
    ];
    let factor = told.bands.ttft.map_or(1.0, |band| band.error.factor);
    let knee = curve.knee.and_then(|knee| {
        let index = loads.iter().position(|load| load.batch == knee.batch)?;
        Some((index, words.sweet_spot.fill(&[("batch", &knee.batch)])))
    });
    let chart = LineChart {
        label: words.by_batch_aria.fill(&ends),
        x_title: words.batch_axis.to_owned(),
        y_title: words.ttft_axis.to_owned(),
        samples: loads.iter().map(|load| sample(load, factor, text)).collect(),
        target: limit.map(|limit| (limit, words.target.fill(&[("value", &target(limit))]))),
        knee,
    };
    let mut finding =
        vec![limit.map_or_else(|| words.by_batch_grows.fill(&ends), |limit| against(&loads, limit, text))];
    finding.extend(curve.knee.filter(|knee| knee.batch < last.batch).map(|knee| load::knee(&knee, text)));
    Some(Figure {
        id: "c-batch",
        title: words.by_batch.to_owned(),
        finding: names::sentences(&finding, text),
        chart: chart.draw(),
        legend: Vec::new(),
        numbers: table(
            text.frame.numbers_of.fill(&[("chart", &words.by_batch)]),
            &[words.batch, "TTFT", words.throughput],
            batch_lines(curve, text),
        ),
    })
}

fn sample(load: &Load, factor: f64, text: &Text) -> Sample {
    let batch = text.verdict.batch.fill(&[("n", &load.batch)]);
    let speed = load.speed.map_or_else(String::new, |rate| format!("\n{}", with_unit(rate, "tok/s")));
    Sample {
        x: load.batch as f64,
        label: load.batch.to_string(),
        y: load.ttft,
        low: load.ttft / factor,
        high: load.ttft * factor,
        tip: format!("{batch}\nTTFT {}{speed}", ms(load.ttft)),
    }
}

fn batch_lines(curve: &BatchCurve, text: &Text) -> Vec<Vec<String>> {
    let line = |p: &crate::sweep::BatchPoint| {
        let ttft = match p.metrics {
            Some(metrics) => metrics.ttft_ms.map_or_else(|| ABSENT.to_owned(), ms),
            None => text.scaling.out_of_memory.to_owned(),
        };
        let speed = p.metrics.and_then(|metrics| metrics.output_tokens_per_s);
        vec![integer(p.batch), ttft, speed.map_or_else(|| ABSENT.to_owned(), number)]
    };
    curve.points.iter().map(line).collect()
}

fn against(loads: &[Load], limit: f64, text: &Text) -> String {
    let words = &text.scaling;
    let largest = loads.iter().filter(|load| load.ttft <= limit).map(|load| load.batch).max();
    let last = loads.last().map(|load| load.batch);
    match (largest, loads.first()) {
        (Some(batch), _) if Some(batch) == last => words.by_batch_all.fill(&[("batch", &batch)]),
        (Some(batch), _) => words.by_batch_largest.fill(&[("batch", &batch)]),
        (None, Some(first)) => words.by_batch_none.fill(&[("batch", &first.batch), ("ttft", &ms(first.ttft))]),
        (None, None) => String::new(),
    }
}

/// Stages from the bottom of the stack up: attention, which grows with the context, on top.
const STACK: [Stage; 8] = [
    Stage::Ffn,
    Stage::OutputLogitsRead,
    Stage::Norm,
    Stage::Sampling,
    Stage::InputEmbeddingLoad,
    Stage::Host,
    Stage::KvCacheWrite,
    Stage::Attention,
];
/// A stage below this share everywhere is left out of the stack's colours and joins none.
const LEAST_SHARE: f64 = 0.001;

fn by_context(report: &Report, points: &[ContextPoint], text: &Text) -> Option<Figure> {
    let words = &text.scaling;
    let (first, last) = (points.first()?, points.last()?);
    if points.len() < LEAST_POINTS {
        return None;
    }
    let shown = |stage: &Stage| points.iter().any(|p| p.stages_ms[*stage as usize] / p.ms >= LEAST_SHARE);
    let stages: Vec<Stage> = STACK.into_iter().filter(shown).collect();
    let of = |stage: Stage| move |p: &ContextPoint| p.stages_ms[stage as usize];
    let limit = report.budgets.limit(Metric::Tpot);
    let chart = StackedArea {
        label: words.by_context_aria.fill(&[
            ("first", &ms(first.ms)),
            ("first_context", &integer(first.context)),
            ("last", &ms(last.ms)),
            ("last_context", &integer(last.context)),
        ]),
        x_title: words.context_axis.to_owned(),
        y_title: words.tpot_axis.to_owned(),
        xs: points.iter().map(|p| p.context as f64).collect(),
        layers: stages
            .iter()
            .map(|stage| Layer { swatch: Swatch::of(*stage), values: points.iter().map(of(*stage)).collect() })
            .collect(),
        tips: points.iter().map(|p| tip(p, &stages, text)).collect(),
        target: limit.map(|limit| (limit, words.target.fill(&[("value", &target(limit))]))),
    };
    let mut titles = vec![words.context];
    titles.extend(stages.iter().map(|stage| text.stage.of(*stage)));
    titles.push("TPOT");
    let line = |p: &ContextPoint| {
        let parts = stages.iter().map(|stage| ms(of(*stage)(p)));
        [integer(p.context)].into_iter().chain(parts).chain([ms(p.ms)]).collect()
    };
    Some(Figure {
        id: "c-context",
        title: words.by_context.to_owned(),
        finding: context_finding(points, limit, text),
        chart: chart.draw(),
        legend: stages
            .iter()
            .map(|stage| Key { swatch: Swatch::of(*stage), text: text.stage.of(*stage).to_owned() })
            .collect(),
        numbers: table(
            text.frame.numbers_of.fill(&[("chart", &words.by_context)]),
            &titles,
            points.iter().map(line).collect(),
        ),
    })
}

fn tip(p: &ContextPoint, stages: &[Stage], text: &Text) -> String {
    let parts = stages.iter().map(|stage| format!("\n{} {}", text.stage.of(*stage), ms(p.stages_ms[*stage as usize])));
    let tokens = text.scaling.tip_tokens.fill(&[("n", &integer(p.context))]);
    format!("{tokens}\nTPOT {}{}", ms(p.ms), parts.collect::<String>())
}

/// Where the step passes the target, or how attention grows.
fn context_finding(points: &[ContextPoint], limit: Option<f64>, text: &Text) -> String {
    let words = &text.scaling;
    let (Some(first), Some(last)) = (points.first(), points.last()) else { return String::new() };
    let Some(limit) = limit else {
        let share = |p: &ContextPoint| percent(p.stages_ms[Stage::Attention as usize] / p.ms);
        return words.by_context_grows.fill(&[
            ("first", &share(first)),
            ("last", &share(last)),
            ("from", &integer(first.context)),
            ("to", &integer(last.context)),
        ]);
    };
    if first.ms > limit {
        return words.by_context_over.fill(&[("context", &integer(first.context)), ("tpot", &ms(first.ms))]);
    }
    let crossing = points.windows(2).find(|pair| pair[0].ms <= limit && pair[1].ms > limit);
    match crossing {
        Some([a, b]) => {
            let part = (limit - a.ms) / (b.ms - a.ms);
            let context = a.context as f64 + part * (b.context - a.context) as f64;
            words.by_context_crosses.fill(&[("context", &integer(rounded(context)))])
        }
        _ => words.by_context_under.fill(&[("context", &integer(last.context))]),
    }
}

/// Two significant digits: the crossing lies between two simulated points.
fn rounded(value: f64) -> u64 {
    let unit = 10f64.powf(value.max(1.0).log10().floor() - 1.0).max(1.0);
    ((value / unit).round() * unit) as u64
}

fn by_both(report: &Report, grid: &Grid, text: &Text) -> Heat {
    let words = &text.scaling;
    let limit = report.budgets.limit(Metric::Ttft);
    let values: Vec<f64> = grid.cells.iter().flatten().filter_map(ttft).collect();
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(0.0, f64::max);
    let asked = (report.scenario.workload.prompt_len, report.scenario.workload.batch_size);
    let cell = |prompt: u64, batch: u64, cell: &GridCell| match ttft(cell) {
        Some(value) => HeatCell {
            text: number(value),
            class: bars::heat_class(value, low, high),
            over: limit.is_some_and(|limit| value > limit),
            here: (prompt, batch) == asked,
        },
        None => HeatCell {
            text: words.out_of_memory.to_owned(),
            class: "none",
            over: false,
            here: (prompt, batch) == asked,
        },
    };
    let rows = grid.prompts.iter().zip(&grid.cells).map(|(prompt, cells)| HeatRow {
        label: integer(*prompt),
        cells: grid.batches.iter().zip(cells).map(|(batch, value)| cell(*prompt, *batch, value)).collect(),
    });
    Heat {
        id: "c-heat",
        title: words.by_both.to_owned(),
        lede: if limit.is_some() { words.by_both_lede } else { words.by_both_untargeted }.to_owned(),
        columns: grid.batches.iter().map(|batch| integer(*batch)).collect(),
        rows: rows.collect(),
    }
}

const fn ttft(cell: &GridCell) -> Option<f64> {
    match cell {
        GridCell::Ttft(ms) => Some(*ms),
        GridCell::OutOfMemory => None,
    }
}
