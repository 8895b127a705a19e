//! A comparison in words and tables.

use super::parts::{FigureChange, StageChange};
use super::points::PointChanges;
use super::side::Range;
use super::{Comparison, InputChange, KernelChange, plain};
use crate::diagnose::Metric;
use crate::quantity::format::{ABSENT, gib, integer, ms, number, percent, signed, signed_percent};
use crate::report::index::ChangeKind;
use crate::report::sheet::Block;
use crate::report::text::{Lang, Text};

/// Kernels told of; the rest is in the JSON.
const KERNELS: usize = 15;
/// Stages named in a sentence.
const NAMED: usize = 3;

/// The difference of two scenarios, with what explains it.
#[must_use]
pub fn tell(comparison: &Comparison, text: &Text) -> Vec<Block> {
    let words = &text.compare;
    let (before, after) = (&comparison.before, &comparison.after);
    let mut out = vec![Block::Title(words.title.fill(&[("before", &before.file), ("after", &after.file)]))];
    out.push(Block::Text(verdict(comparison, text)));
    if before.version != after.version {
        out.push(Block::Text(words.versions.fill(&[("before", &before.version), ("after", &after.version)])));
    }
    out.extend(inputs(comparison, text));
    if before.feasible && after.feasible {
        out.extend(times(comparison, text));
    }
    out.push(Block::Heading(words.memory.to_owned()));
    out.push(figures(&comparison.memory, text));
    out
}

/// Figures, stages, kernels and causes of two scenarios that both run.
fn times(comparison: &Comparison, text: &Text) -> Vec<Block> {
    let mut out = vec![Block::Heading(text.compare.figures.to_owned()), figures(&comparison.figures, text)];
    for (metric, stages) in [(Metric::Ttft, &comparison.ttft), (Metric::Tpot, &comparison.tpot)] {
        out.extend(stage_table(metric, stages, text).into_iter().flatten());
    }
    out.extend(kernels(&comparison.kernels, text));
    out.extend(causes(comparison, text));
    out
}

/// What became of TTFT and TPOT, which stages carry it, and whether it is more than the error.
fn verdict(comparison: &Comparison, text: &Text) -> String {
    let words = &text.compare;
    let (before, after) = (&comparison.before, &comparison.after);
    let names: [(&str, &dyn std::fmt::Display); 2] = [("before", &before.file), ("after", &after.file)];
    match (before.feasible, after.feasible) {
        (true, true) => {}
        (true, false) => return words.stopped.fill(&names),
        (false, true) => return words.started.fill(&names),
        (false, false) => return words.neither.to_owned(),
    }
    let mut sentences = Vec::new();
    for (metric, stages) in [(Metric::Ttft, &comparison.ttft), (Metric::Tpot, &comparison.tpot)] {
        let figure = comparison.figures.iter().find(|figure| figure.key == metric.key());
        if let Some((figure, from, to)) = figure.and_then(|f| Some((f, f.before?, f.after?))) {
            sentences.extend(metric_sentences(metric, figure, (from, to), stages, text));
        }
    }
    sentences.join(if text.lang == Lang::Zh { "" } else { " " })
}

fn metric_sentences(
    metric: Metric,
    figure: &FigureChange,
    (from, to): (f64, f64),
    stages: &[StageChange],
    text: &Text,
) -> Vec<String> {
    let words = &text.compare;
    if from == to {
        return vec![words.same.fill(&[("metric", &metric.name()), ("before", &ms(from))])];
    }
    let mut out = vec![words.changed.fill(&[
        ("metric", &metric.name()),
        ("before", &ms(from)),
        ("after", &ms(to)),
        ("change", &format!("{}\u{a0}ms", signed(to - from))),
        ("share", &signed_percent(to / from - 1.0)),
    ])];
    let mut carrying: Vec<&StageChange> = stages.iter().filter(|s| s.is_stage() && s.change_ms != 0.0).collect();
    carrying.sort_by(|a, b| b.change_ms.abs().total_cmp(&a.change_ms.abs()));
    let named = carrying.iter().take(NAMED).map(|s| format!("{} {}\u{a0}ms", s.path, signed(s.change_ms)));
    out.push(words.mostly.fill(&[("stages", &named.collect::<Vec<_>>().join(text.frame.comma))]));
    if let Some((before, after)) = figure.overlapping() {
        let range = |band: Range| format!("{}–{}", number(band.low), ms(band.high));
        out.push(words.overlap.fill(&[("before", &range(before)), ("after", &range(after))]));
    }
    out
}

fn figures(figures: &[FigureChange], text: &Text) -> Block {
    let words = &text.compare;
    let row = |figure: &FigureChange| {
        let value = |value: Option<f64>| value.map_or_else(|| ABSENT.to_owned(), |value| amount(&figure.key, value));
        let change = figure.change.map_or_else(|| ABSENT.to_owned(), signed_percent);
        vec![figure.key.clone(), value(figure.before), value(figure.after), change]
    };
    let known = figures.iter().filter(|figure| figure.before.is_some() || figure.after.is_some());
    table(&[words.figure, words.before, words.after, words.change], known.map(row).collect())
}

/// A figure in the unit that its key ends in.
fn amount(key: &str, value: f64) -> String {
    match key {
        key if key.ends_with("_ms") => ms(value),
        "kv_bytes_per_token" => format!("{}\u{a0}B", number(value)),
        key if key.ends_with("_bytes") => gib(value),
        _ => number(value),
    }
}

fn inputs(comparison: &Comparison, text: &Text) -> Vec<Block> {
    let words = &text.compare;
    let mut out = vec![Block::Heading(words.inputs.to_owned())];
    if comparison.inputs.is_empty() {
        out.push(Block::Text(words.inputs_none.to_owned()));
        return out;
    }
    let alone = comparison.inputs.iter().any(|input| input.alone.is_some());
    let metrics = [Metric::Ttft, Metric::Tpot].map(|metric| words.alone.fill(&[("metric", &metric.name())]));
    let mut heads = vec![words.input, words.before, words.after];
    if alone {
        heads.extend(metrics.iter().map(String::as_str));
    }
    let row = |input: &InputChange| {
        let value =
            |value| Some(plain(value)).filter(|t| !t.is_empty()).unwrap_or_else(|| words.default_value.to_owned());
        let mut cells = vec![input.path.clone(), value(&input.before), value(&input.after)];
        if alone {
            let change =
                |value: Option<f64>| value.map_or_else(|| ABSENT.to_owned(), |v| format!("{}\u{a0}ms", signed(v)));
            let of = input.alone;
            cells.extend([change(of.and_then(|a| a.ttft_ms)), change(of.and_then(|a| a.tpot_ms))]);
        }
        cells
    };
    out.push(table(&heads, comparison.inputs.iter().map(row).collect()));
    out.push(Block::Text(match &comparison.inputs_note {
        None => words.inputs_alone.to_owned(),
        Some(why) => words.inputs_listed.fill(&[("why", why)]),
    }));
    out
}

/// The whole, its stages and their parts, which stand below them with an indent.
fn stage_table(metric: Metric, stages: &[StageChange], text: &Text) -> Option<[Block; 2]> {
    let words = &text.compare;
    let moved = stages.iter().filter(|stage| stage.path.is_empty() || stage.before_ms != stage.after_ms);
    let row = |stage: &StageChange| {
        let depth = stage.path.matches('/').count();
        let name = if stage.path.is_empty() { words.whole } else { stage.path.rsplit('/').next().unwrap_or_default() };
        let share =
            if stage.before_ms > 0.0 { signed_percent(stage.change_ms / stage.before_ms) } else { ABSENT.to_owned() };
        vec![
            format!("{}{name}", "\u{a0}\u{a0}".repeat(depth)),
            ms(stage.before_ms),
            ms(stage.after_ms),
            format!("{}\u{a0}ms", signed(stage.change_ms)),
            share,
        ]
    };
    let rows: Vec<_> = moved.map(row).collect();
    let heads = [words.stage, words.before, words.after, words.change, ""];
    let title = words.stages.fill(&[("metric", &metric.name())]);
    (rows.len() > 1).then(|| [Block::Heading(title), table(&heads, rows)])
}

fn kernels(kernels: &[KernelChange], text: &Text) -> Vec<Block> {
    let words = &text.compare;
    let moved: Vec<&KernelChange> = kernels.iter().filter(|kernel| kernel.change_ms != 0.0).collect();
    if moved.is_empty() {
        return Vec::new();
    }
    let row = |kernel: &&KernelChange| {
        let time = |sum: Option<f64>| sum.map_or_else(|| ABSENT.to_owned(), ms);
        let times = |value: Option<f64>| value.map_or_else(|| ABSENT.to_owned(), |v| format!("×{}", number(v)));
        let (bytes, flop) = kernel.ratios();
        let bounds = [&kernel.before, &kernel.after].map(|sum| sum.as_ref().map(|sum| sum.bound.clone()));
        let bound = match bounds {
            [Some(before), Some(after)] if before != after => format!("{before} → {after}"),
            [before, after] => after.or(before).unwrap_or_default(),
        };
        vec![
            format!("{} {}", kernel.phase, kernel.name),
            time(kernel.before.as_ref().map(|sum| sum.time_ms)),
            time(kernel.after.as_ref().map(|sum| sum.time_ms)),
            format!("{}\u{a0}ms", signed(kernel.change_ms)),
            times(bytes),
            times(flop),
            bound,
        ]
    };
    let heads = [words.kernel, words.before, words.after, words.change, words.bytes, words.flop, words.bound];
    let rows = moved.iter().take(KERNELS).map(row).collect();
    let mut out = vec![Block::Heading(words.kernels.to_owned()), table(&heads, rows)];
    if let Some(more) = moved.len().checked_sub(KERNELS).filter(|more| *more > 0) {
        out.push(Block::Text(words.kernels_more.fill(&[("n", &more)])));
    }
    out
}

fn causes(comparison: &Comparison, text: &Text) -> Vec<Block> {
    let words = &text.compare;
    let (before, after) = (&comparison.bottlenecks.before, &comparison.bottlenecks.after);
    let at = |list: &[String], rank: usize| list.get(rank).cloned().unwrap_or_else(|| ABSENT.to_owned());
    let ranks = 0..before.len().max(after.len());
    let rows: Vec<_> = ranks.map(|rank| vec![(rank + 1).to_string(), at(before, rank), at(after, rank)]).collect();
    if rows.is_empty() {
        return Vec::new();
    }
    vec![Block::Heading(words.causes.to_owned()), table(&[words.rank, words.before, words.after], rows)]
}

/// What became of the points of a declared report.
#[must_use]
pub fn tell_points(changes: &PointChanges, text: &Text) -> Vec<Block> {
    let words = &text.compare;
    let threshold = percent(changes.threshold);
    let title = words.points_title.fill(&[
        ("before", &changes.before.file),
        ("after", &changes.after.file),
        ("title", &changes.after.title),
    ]);
    let counts = words.points.fill(&[
        ("compared", &integer(changes.compared)),
        ("slower", &integer(changes.slower)),
        ("faster", &integer(changes.faster)),
        ("appeared", &integer(changes.appeared)),
        ("gone", &integer(changes.gone)),
        ("threshold", &threshold),
    ]);
    let mut out = vec![Block::Title(title), Block::Text(counts)];
    let row = |change: &crate::report::index::Change| match change.kind {
        ChangeKind::Time { metric, from, to } => {
            vec![
                change.subject.clone(),
                metric.name().to_owned(),
                ms(from),
                ms(to),
                signed_percent(change.kind.share()),
            ]
        }
        ChangeKind::Stopped => stood(&change.subject, words.stopped_word),
        ChangeKind::Started => stood(&change.subject, words.started_word),
    };
    let rows: Vec<_> = changes.largest.largest.iter().map(row).collect();
    out.push(if rows.is_empty() {
        Block::Text(words.points_none.fill(&[("threshold", &threshold)]))
    } else {
        table(&[words.point, words.metric, words.before, words.after, words.change], rows)
    });
    out
}

fn stood(subject: &str, what: &str) -> Vec<String> {
    vec![subject.to_owned(), String::new(), String::new(), String::new(), what.to_owned()]
}

fn table(heads: &[&str], rows: Vec<Vec<String>>) -> Block {
    Block::Table { heads: heads.iter().map(|head| (*head).to_owned()).collect(), rows }
}
