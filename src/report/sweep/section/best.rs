//! The best point for each value of two fields: what a reader with another question would run.

use std::collections::BTreeMap;

use super::choose;
use crate::quantity::format::integer;
use crate::report::sweep::shown::{Axis, AxisKind, Figure, Shown, ShownPoint};
use crate::report::text::Text;
use crate::report::view::{BestCell, BestRow, BestTable, Mark, Tone};

/// Rows and columns at most.
const MOST_ROWS: usize = 24;
const MOST_COLUMNS: usize = 8;

/// Fields for columns, most telling first.
const COLUMNS: [AxisKind; 6] =
    [AxisKind::Hardware, AxisKind::Model, AxisKind::Weights, AxisKind::Kv, AxisKind::Engine, AxisKind::Ranks];

/// The section; none where no field varies or nothing runs.
pub(super) fn build(shown: &Shown<'_>, text: &Text) -> Option<BestTable> {
    let words = &text.sweep.best;
    let rows = row_field(shown).filter(|_| shown.report.summary.ran > 0)?;
    let columns =
        choose::first_of(shown, &COLUMNS, &[rows]).filter(|axis| shown.axes[*axis].values.len() <= MOST_COLUMNS);
    let bests = bests(shown, rows, columns);
    let (row_field, column_field) = (&shown.axes[rows], columns.map(|axis| &shown.axes[axis]));
    let skip: Vec<usize> = [Some(rows), columns].into_iter().flatten().collect();
    let cell = |row: usize, column: usize| match bests.get(&(row, column)) {
        Some(Best { point: Some(point), .. }) => point_cell(shown, point, &skip, text),
        Some(Best { ran: true, .. }) => BestCell::None(Mark::new(Tone::FAIL, words.none_meets)),
        Some(Best { ran: false, .. }) => BestCell::None(Mark::new(Tone::NEUTRAL, words.nothing_runs)),
        None => BestCell::None(Mark::new(Tone::NEUTRAL, text.sweep.map.absent)),
    };
    let count = row_field.values.len();
    let table_rows = row_field.values.iter().enumerate().take(MOST_ROWS).map(|(row, value)| BestRow {
        label: value.name.clone(),
        cells: (0..column_field.map_or(1, |field| field.values.len())).map(|column| cell(row, column)).collect(),
    });
    Some(BestTable {
        lede: lede(shown, row_field, column_field, text),
        corner: row_field.label(text),
        columns: column_field.map_or_else(
            || vec![words.one_column.to_owned()],
            |field| field.values.iter().map(|value| value.name.clone()).collect(),
        ),
        rows: table_rows.collect(),
        more: if count > MOST_ROWS {
            words.more_rows.fill(&[("n", &integer((count - MOST_ROWS) as u64))])
        } else {
            String::new()
        },
    })
}

/// How to read it.
fn lede(shown: &Shown<'_>, rows: &Axis, columns: Option<&Axis>, text: &Text) -> String {
    let (words, figure) = (&text.sweep.best, shown.ranked_by());
    let ranking = if figure.more_is_better() { &words.ranking } else { &words.ranking_lowest };
    let ranking = ranking.fill(&[("figure", &figure.name(text))]);
    let Some(columns) = columns else {
        return words.lede_single.fill(&[("ranking", &ranking), ("rows", &rows.label(text))]);
    };
    let phrase = if shown.is_judged() { &words.lede } else { &words.lede_untargeted };
    phrase.fill(&[("ranking", &ranking), ("rows", &rows.label(text)), ("columns", &columns.label(text))])
}

/// What is asked where that varies, else the choice that moves the ranking most, else any; the batch last, which is
/// found rather than chosen.
fn row_field(shown: &Shown<'_>) -> Option<usize> {
    let asked = choose::first_of(shown, &[AxisKind::Prompt, AxisKind::Gen], &[]);
    let taken = [AxisKind::Hardware, AxisKind::Batch].map(|kind| shown.axis(kind));
    let taken: Vec<usize> = taken.into_iter().flatten().collect();
    let telling = || {
        let anchor = shown.anchor()?;
        choose::telling(shown, anchor, shown.ranked_by(), &taken).into_iter().next()
    };
    asked.or_else(telling).or_else(|| choose::longest(shown, &taken)).or_else(|| choose::longest(shown, &[]))
}

/// What is known of the points of a cell.
struct Best<'s, 'a> {
    /// The best that no target stands against.
    point: Option<&'s ShownPoint<'a>>,
    /// Whether any runs.
    ran: bool,
}

fn bests<'s, 'a>(shown: &'s Shown<'a>, rows: usize, columns: Option<usize>) -> BTreeMap<(usize, usize), Best<'s, 'a>> {
    let mut bests: BTreeMap<(usize, usize), Best<'s, 'a>> = BTreeMap::new();
    for point in &shown.points {
        let key = (point.at[rows], columns.map_or(0, |axis| point.at[axis]));
        let best = bests.entry(key).or_insert(Best { point: None, ran: false });
        best.ran |= point.result.outcome.figures().is_some();
        if point.standing.is_good() && best.point.is_none_or(|best| point.worth() > best.worth()) {
            best.point = Some(point);
        }
    }
    bests
}

fn point_cell(shown: &Shown<'_>, point: &ShownPoint<'_>, skip: &[usize], text: &Text) -> BestCell {
    let choice = shown.choice(point, skip, text);
    let time = [Figure::Ttft, Figure::Tpot].into_iter().find(|figure| point.figure(*figure).is_some());
    let time = time.filter(|figure| *figure != shown.ranked_by());
    let time = time.map(|figure| format!("{} {}", figure.name(text), shown.figure(point, figure, text)));
    let conditions = shown.conditions(point, skip, text);
    let figures = [shown.score(point, text)].into_iter().chain(time).chain(conditions).collect::<Vec<_>>();
    let (choice, figures) = if choice.is_empty() {
        (figures[0].clone(), figures[1..].join(" · "))
    } else {
        (choice, figures.join(" · "))
    };
    BestCell::Point {
        choice,
        figures,
        here: shown.best().is_some_and(|best| best.result.ordinal == point.result.ordinal),
    }
}
