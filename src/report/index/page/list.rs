//! All reports as rows, what needs attention first, and what they can be filtered by.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use super::{href, place, point, spark, status};
use crate::diagnose::Metric;
use crate::quantity::format::{ABSENT, gib, integer, ms};
use crate::report::chart::bars;
use crate::report::index::{ChangeKind, Entry, EntryKind, Index, Status};
use crate::report::text::Text;
use crate::report::view::{Amount, Delta, Filters, IndexList, Place, ReportRow, RowChange};
use crate::report::words::names::target;

/// Choices of a filter: more do not help anyone to choose.
const MOST_CHOICES: usize = 200;
/// Length of what the search finds beside the words of a row.
const MOST_WORDS: usize = 400;

pub(super) fn build(index: &Index, text: &Text) -> IndexList {
    let mut entries: Vec<&Entry> = index.entries.iter().collect();
    entries.sort_by(|a, b| attention(a, b));
    let rows: Vec<ReportRow> = entries.iter().enumerate().map(|(rank, entry)| row(index, rank, entry, text)).collect();
    let longest = index.entries.iter().map(|entry| entry.history.len()).max().unwrap_or(0);
    let runs = match rows.iter().any(|row| row.runs.is_some()) {
        true => text.index.list.runs.fill(&[("n", &longest)]),
        false => String::new(),
    };
    IndexList { filters: filters(index, text), compared: index.baseline.is_some(), runs, rows }
}

/// What misses a target before what meets it, what got slower before what did not.
fn attention(a: &Entry, b: &Entry) -> Ordering {
    let growth = |entry: &Entry| {
        let first = entry.changes.as_ref().and_then(|changes| changes.largest.first());
        first.map_or(0.0, |change| change.kind.share()).max(0.0)
    };
    let by_growth = growth(b).total_cmp(&growth(a));
    a.status.cmp(&b.status).then(by_growth).then_with(|| a.title.cmp(&b.title)).then_with(|| a.stem.cmp(&b.stem))
}

fn filters(index: &Index, text: &Text) -> Filters {
    let named = |path: &'static str| {
        let values: BTreeSet<&str> = index.entries.iter().flat_map(|entry| entry.values(path)).collect();
        values.into_iter().take(MOST_CHOICES).map(str::to_owned).collect()
    };
    let there = |wanted: Status| index.entries.iter().any(|entry| entry.status == wanted);
    let statuses = Status::ALL.iter().filter(|(status, _)| there(*status));
    let total = integer(index.entries.len() as u64);
    Filters {
        statuses: statuses.map(|(status, _)| (status::key(*status), status::label(*status, text))).collect(),
        models: named("model"),
        machines: named("hardware"),
        of_total: text.index.summary.of_total.fill(&[("n", &total)]),
        total,
    }
}

fn row(index: &Index, rank: usize, entry: &Entry, text: &Text) -> ReportRow {
    ReportRow {
        report: place(entry),
        point: point::of_entry(entry, text),
        pages: pages(entry, text),
        words: words(entry),
        models: entry.values("model").join("|"),
        machines: entry.values("hardware").join("|"),
        status: status::key(entry.status),
        mark: status::mark(entry.status, text),
        rank: rank.to_string(),
        points: points(entry, text),
        ttft: time(entry, Metric::Ttft, entry.point.ttft_ms, text),
        tpot: time(entry, Metric::Tpot, entry.point.tpot_ms, text),
        memory: memory(entry, text),
        change: change(entry, text),
        runs: spark::build(index, entry),
    }
}

fn pages(entry: &Entry, text: &Text) -> Vec<Place> {
    let words = &text.index.list;
    let named = [(words.focus_page, &entry.pages.focus), (words.best_page, &entry.pages.best)];
    let link = |(name, path): (&str, &Option<String>)| {
        Some(Place { text: name.to_owned(), href: Some(href(path.as_deref()?)?) })
    };
    named.into_iter().filter_map(link).collect()
}

/// Values that the points of a report take: who searches `fp8` means these too.
fn words(entry: &Entry) -> String {
    let values = entry.axes.iter().flat_map(|axis| &axis.values);
    let mut out = String::new();
    for value in values.chain([&entry.stem]) {
        if out.len() + value.len() > MOST_WORDS {
            break;
        }
        out.push_str(value);
        out.push(' ');
    }
    out.trim_end().to_owned()
}

/// `126 points, 62 miss a target`.
fn points(entry: &Entry, text: &Text) -> String {
    let words = &text.index.list;
    let EntryKind::Sweep { points, missed, does_not_fit, invalid, .. } = &entry.kind else { return String::new() };
    let counts = [
        (&words.points, *points),
        (&words.points_missed, *missed),
        (&words.points_short, *does_not_fit),
        (&words.points_invalid, *invalid),
    ];
    let told = counts.iter().filter(|(_, n)| *n > 0).map(|(phrase, n)| phrase.fill(&[("n", &integer(*n))]));
    told.collect::<Vec<_>>().join(text.frame.comma)
}

fn time(entry: &Entry, metric: Metric, value: Option<f64>, text: &Text) -> Amount {
    let limit = entry.point.budgets.limit(metric);
    let against = limit.map(|limit| text.index.list.target.fill(&[("value", &target(limit))]));
    Amount {
        text: value.map_or_else(|| ABSENT.to_owned(), ms),
        sort: bars::sort(value),
        against: against.unwrap_or_default(),
    }
}

fn memory(entry: &Entry, text: &Text) -> Amount {
    let of = |usable: f64| text.index.list.of_value.fill(&[("value", &gib(usable))]);
    let (needed, usable) = entry.point.memory.unzip();
    Amount {
        text: needed.map_or_else(|| ABSENT.to_owned(), gib),
        sort: bars::sort(needed.map(|bytes| bytes / f64::from(1 << 30))),
        against: usable.map_or_else(String::new, of),
    }
}

fn change(entry: &Entry, text: &Text) -> RowChange {
    let words = &text.index.list;
    let none = |note: &str| RowChange { delta: None, note: note.to_owned(), sort: "0".to_owned() };
    let Some(changes) = &entry.changes else {
        return none(if entry.appeared { words.new } else { words.not_compared });
    };
    let Some(first) = changes.largest.first() else { return none(words.no_change) };
    let (tone, word) = status::word(&first.kind, text);
    let delta = status::delta(&first.kind, text).unwrap_or(Delta { tone, word: "", text: word.to_owned() });
    let (phrase, n) = match changes.slower {
        0 => (&words.faster_of, changes.faster),
        slower => (&words.slower_of, slower),
    };
    let note = match (&entry.kind, &first.kind) {
        (EntryKind::Sweep { .. }, _) => phrase.fill(&[("n", &integer(n)), ("all", &integer(changes.compared))]),
        (EntryKind::Single, ChangeKind::Time { metric, .. }) => metric.name().to_owned(),
        (EntryKind::Single, _) => String::new(),
    };
    let share = (first.kind.share() * 100.0).clamp(-1e9, 1e9);
    RowChange { delta: Some(delta), note, sort: format!("{share:.2}") }
}
