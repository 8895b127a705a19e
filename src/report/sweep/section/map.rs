//! The heat map: every point of a slice as a coloured cell, on the slice of the point that the page starts from.

use super::{choose, why};
use crate::quantity::format::{integer, number};
use crate::report::chart::bars;
use crate::report::sweep::shown::{Axis, AxisKind, Figure, Shown, ShownPoint, Standing};
use crate::report::text::Text;
use crate::report::view::{HeatCell, HeatRow, Map, MapSelect};

/// Rows and columns at most: more are thinned evenly.
const MOST_ROWS: usize = 48;
const MOST_COLUMNS: usize = 32;

/// Fields and values of the map.
pub(in crate::report::sweep) struct Plan {
    /// The field of the rows, with the values shown.
    pub rows: Option<Side>,
    /// The field of the columns, with the values shown.
    pub columns: Side,
    /// The fields to select.
    pub selects: Vec<usize>,
    /// The figures to choose from; the first is shown.
    pub figures: Vec<Figure>,
}

/// A side of the map.
pub(in crate::report::sweep) struct Side {
    /// The field.
    pub axis: usize,
    /// Indexes of the values shown.
    pub values: Vec<usize>,
}

impl Plan {
    /// Batch against prompt where they vary, else the longest fields; none where nothing varies.
    pub(in crate::report::sweep) fn new(shown: &Shown<'_>) -> Option<Self> {
        let columns = choose::first_of(shown, &[AxisKind::Batch], &[]).or_else(|| column_field(shown))?;
        let taken = [columns];
        let rows = choose::first_of(shown, &[AxisKind::Prompt, AxisKind::Gen], &taken);
        let rows = rows.or_else(|| choose::longest(shown, &taken));
        let has = |figure: &Figure| {
            (*figure != Figure::SpeedPerGpu || shown.several_gpus)
                && shown.points.iter().any(|point| point.figure(*figure).is_some())
        };
        let taken = [Some(columns), rows];
        Some(Self {
            rows: rows.map(|axis| Side::new(shown, axis, MOST_ROWS)),
            columns: Side::new(shown, columns, MOST_COLUMNS),
            selects: (0..shown.axes.len()).filter(|axis| !taken.contains(&Some(*axis))).collect(),
            figures: Figure::ALL.into_iter().filter(has).collect(),
        })
    }
}

/// The longest field of numbers, else the longest of all.
fn column_field(shown: &Shown<'_>) -> Option<usize> {
    let words: Vec<usize> = (0..shown.axes.len()).filter(|axis| !shown.axes[*axis].numeric).collect();
    choose::longest(shown, &words).or_else(|| choose::longest(shown, &[]))
}

impl Side {
    fn new(shown: &Shown<'_>, axis: usize, most: usize) -> Self {
        let count = shown.axes[axis].values.len();
        let step = count.div_ceil(most);
        let here = shown.anchor().map_or(0, |point| point.at[axis]);
        // Even steps through the value of the point that the page starts from.
        let values = (0..count).filter(|value| value % step == here % step).collect();
        Self { axis, values }
    }
}

/// The section; none where nothing varies or nothing runs.
pub(super) fn build(shown: &Shown<'_>, text: &Text) -> Option<Map> {
    let words = &text.sweep.map;
    let plan = Plan::new(shown)?;
    let figure = *plan.figures.first()?;
    let anchor = shown.anchor()?;
    let field = |side: &Side| &shown.axes[side.axis];
    Some(Map {
        title: if shown.is_judged() { words.title } else { words.title_untargeted }.to_owned(),
        lede: lede(shown, &plan, text),
        caption: caption(shown, &plan, anchor, figure, text),
        selects: plan
            .selects
            .iter()
            .map(|axis| MapSelect { axis: axis.to_string(), label: shown.axes[*axis].label(text) })
            .collect(),
        figures: plan.figures.iter().map(|figure| [figure.key().to_owned(), figure.title(text)]).collect(),
        corner: plan.rows.as_ref().map_or_else(|| words.corner.to_owned(), |side| field(side).label(text)),
        columns: plan.columns.values.iter().map(|value| field(&plan.columns).values[*value].name.clone()).collect(),
        rows: rows(shown, &plan, figure, text),
        why: why::build(shown, text),
        needs: text.sweep.map.needs.source(),
    })
}

/// How to read it.
fn lede(shown: &Shown<'_>, plan: &Plan, text: &Text) -> String {
    let words = &text.sweep.map;
    let field = |side: &Side| &shown.axes[side.axis];
    let columns = field(&plan.columns).label(text);
    let axes = match &plan.rows {
        Some(rows) => words.axes.fill(&[("columns", &columns), ("rows", &field(rows).label(text))]),
        None => words.columns_only.fill(&[("columns", &columns)]),
    };
    let marks = match (shown.best(), shown.is_judged()) {
        (None, _) => words.lede_nearest,
        (Some(_), true) => words.lede,
        (Some(_), false) => words.lede_untargeted,
    };
    let sides = [Some(&plan.columns), plan.rows.as_ref()];
    let thinned = sides.into_iter().flatten().filter_map(|side| thinned(field(side), side, text));
    let sentences: Vec<String> = [axes, marks.to_owned()].into_iter().chain(thinned).collect();
    crate::report::words::names::sentences(&sentences, text)
}

/// A row for each value shown; one row where there is one field.
fn rows(shown: &Shown<'_>, plan: &Plan, figure: Figure, text: &Text) -> Vec<HeatRow> {
    let Some(anchor) = shown.anchor() else { return Vec::new() };
    let scale = scale(shown, figure);
    let row = |label: String, at: Vec<usize>| {
        let cells = plan.columns.values.iter().map(|column| {
            let mut at = at.clone();
            at[plan.columns.axis] = *column;
            cell(shown, shown.find(&at), figure, scale, text)
        });
        HeatRow { label, cells: cells.collect() }
    };
    let Some(side) = &plan.rows else { return vec![row(figure.title(text), anchor.at.clone())] };
    let of = |value: &usize| {
        let mut at = anchor.at.clone();
        at[side.axis] = *value;
        row(shown.axes[side.axis].values[*value].name.clone(), at)
    };
    side.values.iter().map(of).collect()
}

/// `12 of 96 values of Batch are shown`, where that is so.
fn thinned(field: &Axis, side: &Side, text: &Text) -> Option<String> {
    let (shown, all) = (side.values.len() as u64, field.values.len() as u64);
    let holes: [(&str, &dyn std::fmt::Display); 3] =
        [("shown", &integer(shown)), ("all", &integer(all)), ("axis", &field.label(text))];
    (shown < all).then(|| text.sweep.map.thinned.fill(&holes))
}

/// What the map shows: `TTFT, ms · A100 PCIe 80GB · BF16`.
fn caption(shown: &Shown<'_>, plan: &Plan, anchor: &ShownPoint<'_>, figure: Figure, text: &Text) -> String {
    let selected = plan.selects.iter().map(|axis| shown.axes[*axis].values[anchor.at[*axis]].name.clone());
    [figure.title(text)].into_iter().chain(selected).collect::<Vec<_>>().join(" · ")
}

/// Smallest and largest value of a figure on the page.
fn scale(shown: &Shown<'_>, figure: Figure) -> (f64, f64) {
    let values = shown.points.iter().filter_map(|point| point.figure(figure));
    values.fold((f64::INFINITY, 0.0), |(low, high), value| (low.min(value), high.max(value)))
}

fn cell(
    shown: &Shown<'_>,
    point: Option<&ShownPoint<'_>>,
    figure: Figure,
    (low, high): (f64, f64),
    text: &Text,
) -> HeatCell {
    let here = point.zip(shown.anchor()).is_some_and(|(point, anchor)| point.result.ordinal == anchor.result.ordinal);
    let word = |words: &str| HeatCell { text: words.to_owned(), class: "none", over: false, here };
    match point {
        None => word(crate::quantity::format::ABSENT),
        Some(point) => match (point.standing, point.figure(figure)) {
            // What it needs, in grey.
            (Standing::DoesNotFit, Some(value)) => word(&number(value)),
            (Standing::DoesNotFit | Standing::Invalid, _) | (_, None) => word(point.why_absent(text)),
            (standing, Some(value)) => HeatCell {
                text: number(value),
                class: bars::heat_class(value, low, high),
                over: standing == Standing::Misses,
                here,
            },
        },
    }
}
