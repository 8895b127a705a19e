//! JSON of an index: what the next one goes on from, and what a script asks.

use serde_json::{Value, json};

use crate::report::SCHEMA_VERSION;
use crate::report::index::{Change, ChangeKind, Changes, Entry, EntryKind, Index};

/// The index as text.
#[must_use]
pub fn json(index: &Index) -> String {
    let history = index.entries.iter().map(|entry| (entry.stem.clone(), json!(entry.history)));
    let value = json!({
        "schema_version": SCHEMA_VERSION,
        "kind": "index",
        "label": index.label,
        "baseline": index.baseline,
        "threshold": index.threshold,
        "entries": index.entries.iter().map(entry).collect::<Vec<_>>(),
        "notes": index.notes.iter().map(|note| json!({"stem": note.stem, "title": note.facts.title})).collect::<Vec<_>>(),
        "reports": history.collect::<serde_json::Map<_, _>>(),
    });
    // Serialising a value to memory cannot fail.
    serde_json::to_string_pretty(&value).unwrap_or_default() + "\n"
}

fn entry(entry: &Entry) -> Value {
    let (kind, points) = match &entry.kind {
        EntryKind::Single => ("single", Value::Null),
        EntryKind::Sweep { points, ran, missed, .. } => {
            ("sweep", json!({"total": points, "ran": ran, "missed": missed}))
        }
    };
    json!({
        "stem": entry.stem,
        "kind": kind,
        "title": entry.title,
        "status": entry.status.name(),
        "model": entry.point.model,
        "hardware": entry.point.hardware,
        "ttft_ms": entry.point.ttft_ms,
        "tpot_ms": entry.point.tpot_ms,
        "points": points,
        "changes": entry.changes.as_ref().map(changes),
    })
}

fn changes(changes: &Changes) -> Value {
    json!({
        "compared": changes.compared,
        "slower": changes.slower,
        "faster": changes.faster,
        "appeared": changes.appeared,
        "gone": changes.gone,
        "largest": changes.largest.iter().map(change).collect::<Vec<_>>(),
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
