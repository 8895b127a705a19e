//! TTFT against output speed over the batch: where more load stops paying.

use super::choose;
use crate::diagnose::Metric;
use crate::report::chart::{Series, SeriesChart, SeriesPoint};
use crate::report::sweep::shown::{AxisKind, Figure, Shown, ShownPoint, Standing};
use crate::report::text::Text;
use crate::report::view::{Column, Figure as FigureView, Swatch, Table};
use crate::report::words::load;
use crate::report::words::names::target;
use crate::sweep::{Knee, LoadPoint, knee};

/// Fewer points than this have no knee.
const LEAST_POINTS: usize = 3;

/// The chart; none where the batch does not vary enough.
pub(super) fn build(shown: &Shown<'_>, anchor: &ShownPoint<'_>, text: &Text) -> Option<FigureView> {
    let words = &text.sweep.curves;
    let axis = shown.axis(AxisKind::Batch).filter(|axis| shown.axes[*axis].numeric)?;
    let values = &shown.axes[axis].values;
    let line: Vec<(usize, &ShownPoint<'_>)> =
        choose::line(shown, anchor, axis).enumerate().filter_map(|(value, point)| Some((value, point?))).collect();
    let loads: Vec<LoadPoint> =
        line.iter().filter_map(|(value, point)| load_point(values[*value].number?, point)).collect();
    let series: Vec<SeriesPoint> =
        line.iter().filter_map(|(value, point)| sample(shown, &values[*value].name, point, text)).collect();
    if series.len() < LEAST_POINTS {
        return None;
    }
    let found = knee(&loads);
    let finding = finding(found, loads.last().map_or(0, |load| load.batch), text);
    let limit = shown.report.question.budgets.limit(Metric::Ttft);
    let marked = found.and_then(|knee| {
        let name = line.iter().find(|(value, _)| values[*value].number == Some(knee.batch as f64));
        let name = &values[name?.0].name;
        let index = series.iter().position(|point| point.label == *name)?;
        Some((0, index, text.scaling.sweet_spot.fill(&[("batch", &knee.batch)])))
    });
    let (first, last) = (series.first()?.label.clone(), series.last()?.label.clone());
    let mut chart = SeriesChart {
        label: words.knee_aria.fill(&[("first", &first), ("last", &last), ("finding", &finding)]),
        x_title: words.speed_axis.to_owned(),
        y_title: text.scaling.ttft_axis.to_owned(),
        series: vec![Series { name: String::new(), swatch: Swatch::ATTN, points: series }],
        target: limit.map(|limit| (limit, text.scaling.target.fill(&[("value", &target(limit))]))),
        mark: marked,
        round: true,
    };
    if chart.is_log() {
        chart.y_title = words.log.fill(&[("axis", &chart.y_title)]);
    }
    Some(FigureView {
        id: "c-knee",
        title: words.knee.to_owned(),
        finding,
        chart: chart.draw(),
        legend: Vec::new(),
        numbers: table(shown, &line, axis, text),
    })
}

/// A point as the rule of the knee wants it; a point that does not fit has no figures, one that is no scenario says
/// nothing.
fn load_point(batch: f64, point: &ShownPoint<'_>) -> Option<LoadPoint> {
    let known = batch.fract() == 0.0 && batch >= 0.0 && point.standing != Standing::Invalid;
    let batch = known.then_some(batch as u64)?;
    let figures = point.result.outcome.figures().and_then(|figures| {
        Some((figures.metrics.ttft_ms?, figures.metrics.output_tokens_per_s?, figures.prefill_compute?))
    });
    Some(LoadPoint { batch, figures })
}

fn sample(shown: &Shown<'_>, batch: &str, point: &ShownPoint<'_>, text: &Text) -> Option<SeriesPoint> {
    let told = text.verdict.batch.fill(&[("n", &batch)]);
    let figures = [Figure::Ttft, Figure::Speed].map(|figure| shown.figure(point, figure, text));
    Some(SeriesPoint {
        x: point.figure(Figure::Speed)?,
        label: batch.to_owned(),
        y: point.figure(Figure::Ttft)?,
        tip: format!("{told}\nTTFT {}\n{}", figures[0], figures[1]),
    })
}

fn finding(knee: Option<Knee>, last: u64, text: &Text) -> String {
    match knee {
        Some(knee) if knee.batch < last => load::knee(&knee, text),
        Some(knee) => text.sweep.curves.knee_at_end.fill(&[("batch", &knee.batch)]),
        None => text.sweep.curves.knee_none.to_owned(),
    }
}

fn table(shown: &Shown<'_>, line: &[(usize, &ShownPoint<'_>)], axis: usize, text: &Text) -> Table {
    let field = &shown.axes[axis];
    let row = |(value, point): &(usize, &ShownPoint<'_>)| {
        let ttft = match point.result.outcome.figures() {
            Some(_) => shown.figure(point, Figure::Ttft, text),
            None => point.why_absent(text).to_owned(),
        };
        vec![field.values[*value].name.clone(), ttft, point.shown(Figure::Speed)]
    };
    Table {
        label: text.frame.numbers_of.fill(&[("chart", &text.sweep.curves.knee)]),
        columns: vec![
            Column::words(field.label(text)),
            Column::numbers("TTFT"),
            Column::numbers(text.scaling.throughput),
        ],
        rows: line.iter().map(row).collect(),
    }
}
