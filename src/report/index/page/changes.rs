//! What changed since the baseline: points slower first, then what is new and what is gone.

use std::collections::HashMap;

use super::totals::{Totals, configurations};
use super::{place, point, short, status, threshold, times, trend};
use crate::quantity::format::integer;
use crate::report::index::changes::KEPT;
use crate::report::index::{Change, ChangeKind, Entry, Index};
use crate::report::text::{Phrase, Text};
use crate::report::view::{ChangeRow, IndexChanges, Mark};
use crate::report::words::names::sentences;

/// Changes shown at once: slower ones, faster ones, and of one report.
const SHOWN: [usize; 2] = [9, 5];
const SHOWN_OF_ONE: usize = 4;
/// Changes on the page.
const LISTED: usize = 40;
/// New and gone reports that are named, and reports whose new and gone points are told.
const NAMED: usize = 12;

/// The section; none without a baseline.
pub(super) fn build(index: &Index, totals: &Totals<'_>, text: &Text) -> Option<IndexChanges> {
    let words = &text.index.changes;
    let baseline = index.baseline.as_ref()?;
    let (shown, rest) = chosen(&totals.changes);
    let told = |(entry, change): &(&Entry, &Change)| row(entry, change, text);
    let rows: Vec<ChangeRow> = shown.iter().map(told).collect();
    let more: Vec<ChangeRow> = rest.iter().take(LISTED - rows.len()).map(told).collect();
    let threshold = threshold(index);
    let lede = if rows.is_empty() {
        words.none.fill(&[("configurations", &configurations(totals.compared, text)), ("threshold", &threshold)])
    } else {
        sentences(&[words.lede.fill(&[("threshold", &threshold)]), words.cause.to_owned()], text)
    };
    let cut = |entry: &Entry| entry.changes.as_ref().is_some_and(|changes| changes.largest.len() >= KEPT);
    let left_out = totals.changes.len() > LISTED || index.entries.iter().any(cut);
    let mut points = points(index, text);
    let points_more = beyond(points.len() as u64, &words.more_points);
    points.truncate(NAMED);
    let counts = [("slower", integer(totals.slower)), ("faster", integer(totals.faster))];
    Some(IndexChanges {
        title: words.title.fill(&[("baseline", baseline)]),
        lede,
        rows,
        more_label: words.more.fill(&[("n", &more.len())]),
        more,
        beyond: if left_out { words.beyond.fill_from(&counts.to_vec()) } else { String::new() },
        points,
        points_more,
        appeared: index.entries.iter().filter(|entry| entry.appeared).take(NAMED).map(place).collect(),
        appeared_more: beyond(totals.appeared, &words.more_new),
        gone: index.gone.iter().take(NAMED).map(|gone| short(&gone.title)).collect(),
        gone_more: beyond(index.gone.len() as u64, &words.more_gone),
        trends: trend::build(index, baseline, text),
    })
}

/// How many are not named.
fn beyond(all: u64, phrase: &Phrase) -> String {
    let more = all.saturating_sub(NAMED as u64);
    if more == 0 { String::new() } else { phrase.fill(&[("n", &integer(more))]) }
}

type Found<'a> = (&'a Entry, &'a Change);

/// The changes that stand for all, and the others: the largest of either kind, and no report alone.
fn chosen<'a>(changes: &[Found<'a>]) -> (Vec<Found<'a>>, Vec<Found<'a>>) {
    let mut seen: HashMap<(&str, bool), usize> = HashMap::new();
    let mut kinds = [0; 2];
    changes.iter().partition(|(entry, change)| {
        let faster = change.kind.share() < 0.0;
        let (kind, own) = (&mut kinds[usize::from(faster)], seen.entry((&entry.stem, faster)).or_default());
        let stands = *kind < SHOWN[usize::from(faster)] && *own < SHOWN_OF_ONE;
        *kind += usize::from(stands);
        *own += usize::from(stands);
        stands
    })
}

fn row(entry: &Entry, change: &Change, text: &Text) -> ChangeRow {
    let (tone, word) = status::word(&change.kind, text);
    ChangeRow {
        mark: Mark::new(tone, word),
        report: place(entry),
        point: point::of_change(entry, change, text),
        times: match change.kind {
            ChangeKind::Time { metric, from, to } => times(metric, from, to),
            ChangeKind::Stopped | ChangeKind::Started => String::new(),
        },
        delta: status::delta(&change.kind, text),
    }
}

/// Points that only one of the runs has, report by report.
fn points(index: &Index, text: &Text) -> Vec<String> {
    let words = &text.index.changes;
    let told = |phrase: &Phrase, entry: &Entry, n: u64| {
        let points = if n == 1 { words.one_point.to_owned() } else { words.points.fill(&[("n", &integer(n))]) };
        (n > 0).then(|| phrase.fill(&[("report", &short(&entry.title)), ("points", &points)]))
    };
    let changed = index.entries.iter().filter_map(|entry| Some((entry, entry.changes.as_ref()?)));
    let lines = changed.flat_map(|(entry, changes)| {
        [told(&words.new_points, entry, changes.appeared), told(&words.gone_points, entry, changes.gone)]
    });
    lines.flatten().collect()
}
