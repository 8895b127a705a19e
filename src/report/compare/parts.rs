//! Changes of figures, inputs and stages.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use serde_json::Value;

use super::plain;
use super::side::{Figures, Range, Tree};

/// A figure on both sides.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FigureChange {
    /// Its key, which ends in its unit.
    pub key: String,
    /// Before; none where it does not exist.
    pub before: Option<f64>,
    /// After; none where it does not exist.
    pub after: Option<f64>,
    /// After over before, less 1.
    pub change: Option<f64>,
    /// Its error band before.
    pub before_band: Option<Range>,
    /// Its error band after.
    pub after_band: Option<Range>,
}

impl FigureChange {
    /// The error bands of both sides where they overlap: their order is not certain.
    #[must_use]
    pub fn overlapping(&self) -> Option<(Range, Range)> {
        let (a, b) = (self.before_band?, self.after_band?);
        (a.low <= b.high && b.low <= a.high).then_some((a, b))
    }
}

/// An input that differs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct InputChange {
    /// Its path, as `deployment.tensor_parallel`.
    pub path: String,
    /// Before; null where it was not given.
    pub before: Value,
    /// After; null where it was not given.
    pub after: Value,
    /// What changing this one alone does to the first result, simulated.
    pub alone: Option<Alone>,
}

/// What one input does alone: differences, ms. None where the scenario does not fit or has no such time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[allow(missing_docs, reason = "keys say what they are")]
pub struct Alone {
    pub ttft_ms: Option<f64>,
    pub tpot_ms: Option<f64>,
}

/// A stage, or a part of one.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StageChange {
    /// Its place in the tree: `ffn/gate_up_proj`; empty for the whole.
    pub path: String,
    /// Before, ms; 0 where it does not exist.
    pub before_ms: f64,
    /// After, ms; 0 where it does not exist.
    pub after_ms: f64,
    /// After less before, ms.
    pub change_ms: f64,
}

impl StageChange {
    /// It is one of the stages whose changes add up to that of the whole.
    #[must_use]
    pub fn is_stage(&self) -> bool {
        !self.path.is_empty() && !self.path.contains('/')
    }
}

pub(super) fn figures(
    before: &Figures,
    after: &Figures,
    bands_before: &BTreeMap<String, Option<Range>>,
    bands_after: &BTreeMap<String, Option<Range>>,
) -> Vec<FigureChange> {
    let keys: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let of = |figures: &Figures, key: &String| figures.get(key).copied().flatten();
    let band = |bands: &BTreeMap<String, Option<Range>>, key: &String| bands.get(key).copied().flatten();
    let one = |key: &String| {
        let (before, after) = (of(before, key), of(after, key));
        FigureChange {
            key: key.clone(),
            before,
            after,
            change: before.zip(after).filter(|(before, _)| *before != 0.0).map(|(before, after)| after / before - 1.0),
            before_band: band(bands_before, key),
            after_band: band(bands_after, key),
        }
    };
    keys.into_iter().map(one).collect()
}

pub(super) fn inputs(before: &BTreeMap<String, Value>, after: &BTreeMap<String, Value>) -> Vec<InputChange> {
    let keys: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let of = |side: &BTreeMap<String, Value>, key: &String| side.get(key).cloned().unwrap_or(Value::Null);
    let changes = keys.into_iter().map(|key| InputChange {
        path: key.clone(),
        before: of(before, key),
        after: of(after, key),
        alone: None,
    });
    changes.filter(|change| plain(&change.before) != plain(&change.after)).collect()
}

/// The whole, then each stage followed by its parts, the largest change first.
pub(super) fn stages(before: Option<&Tree>, after: Option<&Tree>) -> Vec<StageChange> {
    let mut out = Vec::new();
    if before.is_some() || after.is_some() {
        walk("", before, after, &mut out);
    }
    out
}

fn walk(path: &str, before: Option<&Tree>, after: Option<&Tree>, out: &mut Vec<StageChange>) {
    out.push(stage_change(path, before, after));
    let mut names: Vec<&str> = Vec::new();
    for child in before.into_iter().chain(after).flat_map(|tree| &tree.children) {
        if !names.contains(&child.stage.as_str()) {
            names.push(&child.stage);
        }
    }
    let pair = |name: &str| (child(before, name), child(after, name));
    let size = |name: &str| {
        let (before, after) = pair(name);
        stage_change("", before, after).change_ms.abs()
    };
    names.sort_by(|a, b| size(b).total_cmp(&size(a)));
    for name in names {
        let (before, after) = pair(name);
        let below = if path.is_empty() { name.to_owned() } else { format!("{path}/{name}") };
        walk(&below, before, after, out);
    }
}

fn child<'a>(tree: Option<&'a Tree>, name: &str) -> Option<&'a Tree> {
    tree?.children.iter().find(|child| child.stage == name)
}

fn stage_change(path: &str, before: Option<&Tree>, after: Option<&Tree>) -> StageChange {
    let ms = |tree: Option<&Tree>| tree.map_or(0.0, |tree| tree.ms);
    let (before_ms, after_ms) = (ms(before), ms(after));
    StageChange { path: path.to_owned(), before_ms, after_ms, change_ms: after_ms - before_ms }
}
