//! What each choice buys: curves around the point of the verdict.

use super::choose;
use super::{front, knee};
use crate::diagnose::Metric;
use crate::quantity::format::ms;
use crate::report::chart::{Series, SeriesChart, SeriesPoint};
use crate::report::sweep::shown::{Axis, AxisKind, Figure, Shown, ShownPoint};
use crate::report::text::Text;
use crate::report::view::{Column, Curves, Figure as FigureView, Key, Swatch, Table};
use crate::report::words::names::target;

/// Lines in a chart.
const MOST_LINES: usize = 6;
/// Charts around the point of the verdict.
const MOST_CHARTS: usize = 3;
/// Letters of a name in a chart.
const MOST_LETTERS: usize = 26;
/// Their ids.
const IDS: [&str; MOST_CHARTS] = ["c-lines", "c-lines-2", "c-lines-3"];
/// A batch axis of fewer values is no curve.
const LEAST_BATCHES: usize = 3;
/// Colours of lines, told apart under every colour vision; dashes differ as well.
const COLOURS: [Swatch; MOST_LINES] =
    [Swatch::ATTN, Swatch::FFN, Swatch::PCIE, Swatch::NORM, Swatch::LOGITS, Swatch::SAMPLE];

/// The section; none where there is nothing to draw.
pub(super) fn build(shown: &Shown<'_>, text: &Text) -> Option<Curves> {
    let words = &text.sweep.curves;
    let anchor = shown.anchor().filter(|anchor| anchor.result.outcome.figures().is_some())?;
    let knee = knee::build(shown, anchor, text);
    let mut charts = lines(shown, anchor, MOST_CHARTS - usize::from(knee.is_some()), text);
    charts.extend(knee);
    let around = !charts.is_empty();
    charts.extend(front::build(shown, text));
    let lede =
        if around { words.lede.fill(&[("point", &shown.point(anchor, text))]) } else { words.lede_free.to_owned() };
    (!charts.is_empty()).then_some(Curves { lede, charts })
}

/// A name that a chart has room for.
pub(super) fn short(name: &str) -> String {
    if name.chars().count() <= MOST_LETTERS {
        return name.to_owned();
    }
    name.chars().take(MOST_LETTERS - 1).chain(['…']).collect()
}

/// The figure that has a target, else TTFT, else TPOT.
fn figure(shown: &Shown<'_>, anchor: &ShownPoint<'_>) -> Option<(Figure, Metric)> {
    let pairs = [(Figure::Ttft, Metric::Ttft), (Figure::Tpot, Metric::Tpot)];
    let has = |(figure, _): &(Figure, Metric)| anchor.figure(*figure).is_some();
    let limited = |(_, metric): &(Figure, Metric)| shown.report.question.budgets.limit(*metric).is_some();
    pairs.into_iter().filter(has).find(limited).or_else(|| pairs.into_iter().find(has))
}

/// The input along the horizontal axis: batch where it has a curve, else the field of most numbers.
fn along(shown: &Shown<'_>) -> Option<usize> {
    let numeric = |axis: &usize| shown.axes[*axis].numeric && shown.axes[*axis].kind != AxisKind::Target;
    let count = |axis: usize| shown.axes[axis].values.len();
    let batch = shown.axis(AxisKind::Batch).filter(|axis| numeric(axis) && count(*axis) >= LEAST_BATCHES);
    let most = (0..shown.axes.len()).filter(numeric).max_by(|a, b| count(*a).cmp(&count(*b)).then(b.cmp(a)));
    batch.or(most)
}

/// A chart for each of the fields that move the figure most.
fn lines(shown: &Shown<'_>, anchor: &ShownPoint<'_>, most: usize, text: &Text) -> Vec<FigureView> {
    let (Some((figure, metric)), Some(along)) = (figure(shown, anchor), along(shown)) else { return Vec::new() };
    let fields = choose::telling(shown, anchor, figure, &[along]);
    let chart = |(index, field): (usize, Option<usize>)| {
        let lines = Lines::new(shown, anchor, along, field, figure)?;
        Some(lines.view(IDS.get(index)?, metric, text))
    };
    let fields: Vec<Option<usize>> = match fields[..] {
        [] => vec![None],
        _ => fields.into_iter().take(most).map(Some).collect(),
    };
    fields.into_iter().enumerate().filter_map(chart).collect()
}

/// The curves of one chart.
struct Lines<'s, 'a> {
    shown: &'s Shown<'a>,
    figure: Figure,
    along: &'s Axis,
    field: Option<&'s Axis>,
    /// Value of the field, and the points along the axis: index of the value, and the point where there is one.
    lines: Vec<(usize, Vec<Option<&'s ShownPoint<'a>>>)>,
    /// Curves that there are, drawn or not.
    all: usize,
}

impl<'s, 'a> Lines<'s, 'a> {
    fn new(
        shown: &'s Shown<'a>,
        anchor: &ShownPoint<'_>,
        along: usize,
        field: Option<usize>,
        figure: Figure,
    ) -> Option<Self> {
        let values = field.map_or(1, |axis| shown.axes[axis].values.len());
        let line = |value: usize| {
            let mut around = anchor.clone();
            if let Some(axis) = field {
                around.at[axis] = value;
            }
            (value, choose::line(shown, &around, along).collect::<Vec<_>>())
        };
        let has_curve = |(_, points): &(usize, Vec<Option<&ShownPoint<'_>>>)| {
            points.iter().flatten().filter(|point| point.figure(figure).is_some()).count() > 1
        };
        let mut lines: Vec<_> = (0..values).map(line).filter(has_curve).collect();
        let all = lines.len();
        let own = field.map(|axis| anchor.at[axis]);
        // The curve of the anchor is drawn in any case.
        lines.sort_by_key(|(value, _)| (Some(*value) != own, *value));
        lines.truncate(MOST_LINES);
        lines.sort_by_key(|(value, _)| *value);
        let drawn = !lines.is_empty();
        drawn.then(|| Self {
            shown,
            figure,
            along: &shown.axes[along],
            field: field.map(|axis| &shown.axes[axis]),
            lines,
            all,
        })
    }

    fn name(&self, value: usize, text: &Text) -> String {
        self.field.map_or_else(String::new, |field| field.told(&field.values[value], text))
    }

    fn view(&self, id: &'static str, metric: Metric, text: &Text) -> FigureView {
        let words = &text.sweep.curves;
        let limit = self.shown.report.question.budgets.limit(metric);
        let along = self.along.label_within(text);
        let series = self.field.map_or_else(String::new, |field| field.label_within(text));
        let finding = self.finding(limit, text);
        let title = match self.field {
            Some(_) => words.by.fill(&[("metric", &metric.name()), ("axis", &along), ("series", &series)]),
            None => words.by_one.fill(&[("metric", &metric.name()), ("axis", &along)]),
        };
        let mut chart = SeriesChart {
            label: format!("{title}. {finding}"),
            x_title: self.along.label(text),
            y_title: self.figure.title(text),
            series: self.series(text),
            target: limit.map(|limit| (limit, text.scaling.target.fill(&[("value", &target(limit))]))),
            mark: self.mark(text),
            round: false,
        };
        if chart.is_log() {
            chart.y_title = words.log.fill(&[("axis", &chart.y_title)]);
        }
        let left_out = self.all - self.lines.len();
        let left_out =
            (left_out > 0).then(|| words.series_left_out.fill(&[("shown", &self.lines.len()), ("all", &self.all)]));
        let finding: Vec<String> = [finding].into_iter().chain(left_out).collect();
        let keys = self.lines.iter().zip(COLOURS);
        FigureView {
            id,
            finding: crate::report::words::names::sentences(&finding, text),
            chart: chart.draw(),
            legend: match self.field {
                Some(_) => keys.map(|((value, _), swatch)| Key { swatch, text: self.name(*value, text) }).collect(),
                None => Vec::new(),
            },
            numbers: self.table(&title, metric, text),
            title,
        }
    }

    fn series(&self, text: &Text) -> Vec<Series> {
        let point = |name: &str, index: usize, point: &ShownPoint<'_>| {
            let value = &self.along.values[index];
            let tip = [name.to_owned(), self.along.told(value, text)];
            let tip: Vec<String> = tip.into_iter().filter(|part| !part.is_empty()).collect();
            Some(SeriesPoint {
                x: value.number?,
                label: value.name.clone(),
                y: point.figure(self.figure)?,
                tip: format!("{}\n{}", tip.join(text.frame.comma), self.shown.figure(point, self.figure, text)),
            })
        };
        let line = |((value, points), swatch): (&(usize, Vec<Option<&ShownPoint<'_>>>), Swatch)| {
            let name = short(&self.name(*value, text));
            let points = points.iter().enumerate().filter_map(|(index, p)| point(&name, index, (*p)?)).collect();
            Series { name: if self.lines.len() > 1 { name } else { String::new() }, swatch, points }
        };
        self.lines.iter().zip(COLOURS).map(line).collect()
    }

    /// The point that the page starts from.
    fn mark(&self, text: &Text) -> Option<(usize, usize, String)> {
        let anchor = self.shown.anchor()?.result.ordinal;
        self.lines.iter().enumerate().find_map(|(line, (_, points))| {
            let with_figure = |point: &&Option<&ShownPoint<'_>>| point.is_some_and(|p| p.figure(self.figure).is_some());
            let here = |point: &&ShownPoint<'_>| point.result.ordinal == anchor;
            let index = points.iter().filter(with_figure).position(|point| point.as_ref().is_some_and(here))?;
            let value = points.iter().position(|point| point.as_ref().is_some_and(here))?;
            let value = &self.along.values[value];
            let told =
                if self.along.kind == AxisKind::Other { value.name.clone() } else { self.along.told(value, text) };
            Some((line, index, short(&told)))
        })
    }

    /// How far each curve holds the target; without one, how far the curves lie apart.
    fn finding(&self, limit: Option<f64>, text: &Text) -> String {
        let words = &text.sweep.curves;
        let Some(limit) = limit else { return self.spread(text).unwrap_or_default() };
        let holds = |(value, points): &(usize, Vec<Option<&ShownPoint<'_>>>)| {
            let under = |point: &Option<&ShownPoint<'_>>| {
                point.and_then(|point| point.figure(self.figure)).is_some_and(|figure| figure <= limit)
            };
            let name = if self.field.is_some() { self.name(*value, text) } else { self.figure.name(text).to_owned() };
            match points.iter().rposition(under) {
                Some(last) => {
                    let x = self.along.told(&self.along.values[last], text);
                    words.up_to.fill(&[("series", &name), ("x", &x)])
                }
                None => words.nowhere.fill(&[("series", &name)]),
            }
        };
        let list: Vec<String> = self.lines.iter().map(holds).collect();
        words.holds.fill(&[("list", &list.join(text.frame.comma))])
    }

    /// The lowest and the highest curve where all have a point.
    fn spread(&self, text: &Text) -> Option<String> {
        let words = &text.sweep.curves;
        let count = self.along.values.len();
        let all_at = |index: usize| -> Option<Vec<(f64, usize)>> {
            self.lines.iter().map(|(value, points)| Some((points[index]?.figure(self.figure)?, *value))).collect()
        };
        let (index, values) = (0..count).rev().find_map(|index| Some((index, all_at(index)?)))?;
        let low = values.iter().min_by(|a, b| a.0.total_cmp(&b.0))?;
        let high = values.iter().max_by(|a, b| a.0.total_cmp(&b.0))?;
        (values.len() > 1).then(|| {
            words.spread.fill(&[
                ("x", &self.along.told(&self.along.values[index], text)),
                ("low", &ms(low.0)),
                ("low_series", &self.name(low.1, text)),
                ("high", &ms(high.0)),
                ("high_series", &self.name(high.1, text)),
            ])
        })
    }

    fn table(&self, title: &str, metric: Metric, text: &Text) -> Table {
        let names = self.lines.iter().map(|(value, _)| {
            let name = self.name(*value, text);
            Column::numbers(if name.is_empty() { metric.name().to_owned() } else { name })
        });
        let cell = |point: Option<&ShownPoint<'_>>| match point {
            None => crate::quantity::format::ABSENT.to_owned(),
            Some(point) if point.result.outcome.figures().is_none() => point.why_absent(text).to_owned(),
            Some(point) => self.shown.figure(point, self.figure, text),
        };
        let row = |(index, value): (usize, &crate::report::sweep::shown::AxisValue)| {
            let cells = self.lines.iter().map(|(_, points)| cell(points[index]));
            [value.name.clone()].into_iter().chain(cells).collect()
        };
        Table {
            label: text.frame.numbers_of.fill(&[("chart", &title)]),
            columns: [Column::words(self.along.label(text))].into_iter().chain(names).collect(),
            rows: self.along.values.iter().enumerate().take(MOST_ROWS).map(row).collect(),
        }
    }
}

/// Rows of a table of numbers.
const MOST_ROWS: usize = 60;
