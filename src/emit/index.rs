//! JSON of an index: what the next one goes on from, and what a script asks.

use serde_json::{Map, Value, json};

use crate::report::SCHEMA_VERSION;
use crate::report::index::{Broken, Build, Change, ChangeKind, Changes, Entry, EntryKind, Index};
use crate::report::notes::Note;

/// Changes of each report that the data of a page lists.
const LISTED: usize = 1;

/// The index as text, with the whole history.
#[must_use]
pub fn json(index: &Index) -> String {
    let history = index.entries.iter().map(|entry| (&entry.stem, &entry.history)).chain(&index.past_of_broken);
    let history = history.map(|(stem, builds)| (stem.clone(), json!(builds)));
    let mut value = head(index, usize::MAX, |_| Value::Null);
    value.insert("reports".to_owned(), Value::Object(history.collect()));
    // Serialising a value to memory cannot fail.
    serde_json::to_string_pretty(&value).unwrap_or_default() + "\n"
}

/// The index as its page carries it: on one line, without what is not there, and the history as rows `[run, TTFT, TPOT]`
/// over a list of runs, each of which holds until the next row; of a long index only where something changed.
#[must_use]
pub fn data(index: &Index) -> String {
    let mut builds: Vec<&str> = Vec::new();
    for build in index.entries.iter().filter(|entry| index.shows_history(entry)).flat_map(|entry| &entry.history) {
        if !builds.contains(&build.label.as_str()) {
            builds.push(&build.label);
        }
    }
    let history = |entry: &Entry| match index.shows_history(entry) {
        true => steps(&entry.history, &builds),
        false => Value::Null,
    };
    let mut value = head(index, LISTED, history);
    value.insert("builds".to_owned(), json!(builds));
    value.values_mut().for_each(slim);
    serde_json::to_string(&value).unwrap_or_default()
}

/// The runs in which a time differs from the run before.
fn steps(history: &[Build], builds: &[&str]) -> Value {
    let figures = |build: &Build| (build.ttft_ms, build.tpot_ms);
    let mut steps: Vec<&Build> = Vec::new();
    for build in history {
        if steps.last().is_none_or(|last| figures(last) != figures(build)) {
            steps.push(build);
        }
    }
    let row = |build: &&Build| {
        let run = builds.iter().position(|label| *label == build.label);
        let (ttft, tpot) = figures(build);
        json!([run, ttft, tpot])
    };
    steps.iter().map(row).collect()
}

/// Milliseconds to the microsecond.
fn microseconds(ms: f64) -> f64 {
    (ms * 1e3).round() / 1e3
}

/// Takes out of objects what is not there, and of numbers what no one reads.
fn slim(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|_, field| !field.is_null() && *field != json!(false) && *field != json!([]));
            fields.iter_mut().for_each(|(_, field)| slim(field));
        }
        Value::Array(items) => items.iter_mut().for_each(slim),
        Value::Number(number) if number.is_f64() => *value = json!(microseconds(number.as_f64().unwrap_or_default())),
        _ => {}
    }
}

fn head(index: &Index, most_changes: usize, history: impl Fn(&Entry) -> Value) -> Map<String, Value> {
    let entries = index.entries.iter().map(|one| entry(one, most_changes, history(one)));
    let gone = index.gone.iter().map(|gone| json!({"stem": gone.stem, "title": gone.title}));
    let fields = [
        ("schema_version", json!(SCHEMA_VERSION)),
        ("kind", json!("index")),
        ("label", json!(index.label)),
        ("baseline", json!(index.baseline)),
        ("threshold", json!(index.threshold)),
        ("entries", entries.collect()),
        ("gone", gone.collect()),
        ("broken", index.broken.iter().map(broken).collect()),
        ("notes", index.notes.iter().map(note).collect()),
    ];
    fields.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}

fn entry(entry: &Entry, most_changes: usize, history: Value) -> Value {
    let (kind, points) = match &entry.kind {
        EntryKind::Single => ("single", Value::Null),
        EntryKind::Sweep { points, ran, missed, does_not_fit, invalid, .. } => {
            let counts = json!({"total": points, "ran": ran, "missed": missed, "does_not_fit": does_not_fit, "invalid": invalid});
            ("sweep", counts)
        }
    };
    let mut value = json!({
        "stem": entry.stem,
        "kind": kind,
        "title": entry.title,
        "page": entry.pages.report,
        "status": entry.status.name(),
        "model": entry.point.model,
        "hardware": entry.point.hardware,
        "ttft_ms": entry.point.ttft_ms,
        "tpot_ms": entry.point.tpot_ms,
        "points": points,
        "appeared": entry.appeared,
        "changes": entry.changes.as_ref().map(|found| changes(found, most_changes)),
    });
    if !history.is_null() {
        value["history"] = history;
    }
    value
}

fn note(note: &Note) -> Value {
    let facts = &note.facts;
    json!({"stem": note.stem, "title": facts.title, "model": facts.model, "hardware": facts.hardware, "date": facts.date})
}

fn broken(broken: &Broken) -> Value {
    json!({"kind": broken.name(), "stem": broken.stem, "why": broken.why})
}

fn changes(changes: &Changes, most: usize) -> Value {
    json!({
        "compared": changes.compared,
        "slower": changes.slower,
        "faster": changes.faster,
        "appeared": changes.appeared,
        "gone": changes.gone,
        "largest": changes.largest.iter().take(most).map(change).collect::<Vec<_>>(),
    })
}

fn change(change: &Change) -> Value {
    let (what, from, to) = match change.kind {
        ChangeKind::Time { metric, from, to } => (metric.key(), Some(from), Some(to)),
        ChangeKind::Stopped => ("stopped", None, None),
        ChangeKind::Started => ("started", None, None),
    };
    json!({"point": change.subject, "what": what, "from_ms": from, "to_ms": to})
}
