//! Changes between two runs of a declared report.

use std::collections::HashMap;

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::plain;
use super::side::{PointOf, SweepSide};
use crate::report::SCHEMA_VERSION;
use crate::report::index::{ChangeKind, Changes, Times};

/// What became of the points of a declared report.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs, reason = "keys say what they are; RESULTS.md documents the format")]
pub struct PointChanges {
    pub schema_version: u32,
    pub kind: &'static str,
    pub before: SweepName,
    pub after: SweepName,
    /// Relative changes below this are none.
    pub threshold: f64,
    pub compared: u64,
    pub slower: u64,
    pub faster: u64,
    pub appeared: u64,
    pub gone: u64,
    /// The largest changes: slower first, then by share.
    pub changes: Vec<Value>,
    #[serde(skip)]
    pub(super) largest: Changes,
}

/// Which declared report.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs, reason = "keys say what they are")]
pub struct SweepName {
    pub file: String,
    pub title: String,
    pub version: String,
    pub points: u64,
}

impl PointChanges {
    /// Of two runs, each with the name of its file. Points are matched by their inputs.
    #[must_use]
    pub fn new(before: (&str, &SweepSide), after: (&str, &SweepSide), threshold: f64) -> Self {
        let mut changes = Changes::default();
        let mut known: HashMap<String, Times> =
            before.1.points.iter().map(|p| (subject(&p.inputs), times(p))).collect();
        for point in &after.1.points {
            let subject = subject(&point.inputs);
            match known.remove(&subject) {
                Some(old) => changes.add(&subject, old, times(point), threshold),
                None => changes.appeared += 1,
            }
        }
        changes.gone = known.len() as u64;
        changes.rank();
        Self {
            schema_version: SCHEMA_VERSION,
            kind: "point_changes",
            before: SweepName::new(before),
            after: SweepName::new(after),
            threshold,
            compared: changes.compared,
            slower: changes.slower,
            faster: changes.faster,
            appeared: changes.appeared,
            gone: changes.gone,
            changes: changes.largest.iter().map(|change| record(&change.subject, &change.kind)).collect(),
            largest: changes,
        }
    }
}

impl SweepName {
    fn new((file, side): (&str, &SweepSide)) -> Self {
        Self {
            file: file.to_owned(),
            title: side.title.clone(),
            version: side.tool.version.clone(),
            points: side.points.len() as u64,
        }
    }
}

fn subject(inputs: &Map<String, Value>) -> String {
    inputs.iter().map(|(path, value)| format!("{path} {}", plain(value))).collect::<Vec<_>>().join(", ")
}

fn times(point: &PointOf) -> Times {
    Times { ttft_ms: point.metrics.ttft_ms, tpot_ms: point.metrics.tpot_ms }
}

fn record(subject: &str, kind: &ChangeKind) -> Value {
    match kind {
        ChangeKind::Time { metric, from, to } => {
            json!({"point": subject, "metric": metric.key(), "before": from, "after": to, "change": kind.share()})
        }
        ChangeKind::Stopped => json!({"point": subject, "what": "stopped"}),
        ChangeKind::Started => json!({"point": subject, "what": "started"}),
    }
}
