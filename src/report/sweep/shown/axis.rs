//! The fields that tell points apart, with their values in the order a reader expects.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::quantity::format::{ABSENT, integer};
use crate::report::text::{Label, Text};
use crate::scenario::InputDocuments;

/// What a field is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::report::sweep) enum AxisKind {
    Model,
    Hardware,
    Weights,
    Kv,
    Ranks,
    Engine,
    Batch,
    Prompt,
    Gen,
    /// A target of single points.
    Target,
    Other,
}

impl AxisKind {
    fn of(path: &str) -> Self {
        match InputDocuments::full_path(path).as_str() {
            "model" => Self::Model,
            "hardware" => Self::Hardware,
            "model.weights.dtype" => Self::Weights,
            "model.kv_cache.dtype" => Self::Kv,
            "deployment.tensor_parallel" => Self::Ranks,
            "deployment.engine" => Self::Engine,
            "workload.batch_size" => Self::Batch,
            "workload.prompt_len" => Self::Prompt,
            "workload.gen_len" => Self::Gen,
            full if full.starts_with("budgets.") => Self::Target,
            _ => Self::Other,
        }
    }

    /// Whether it is part of what is asked, and no choice of whoever deploys.
    pub(in crate::report::sweep) const fn is_workload(self) -> bool {
        matches!(self, Self::Prompt | Self::Gen)
    }
}

/// A field with the values that the points shown have.
#[derive(Clone, Debug)]
pub(in crate::report::sweep) struct Axis {
    /// The field's path, as declared.
    pub path: Arc<str>,
    /// What it is about.
    pub kind: AxisKind,
    /// Its values: numbers by size, others as declared, what has none last.
    pub values: Vec<AxisValue>,
    /// Whether all of them are numbers.
    pub numeric: bool,
}

/// A value of a field.
#[derive(Clone, Debug)]
pub(in crate::report::sweep) struct AxisValue {
    /// As declared; none where a point lacks the field.
    pub raw: Option<Arc<str>>,
    /// As a reader knows it.
    pub name: String,
    /// As a number, where it is one.
    pub number: Option<f64>,
}

impl Axis {
    /// A field over the values of points. `declared` has the values of the axis, in order.
    pub(super) fn new<'a>(
        path: &Arc<str>,
        declared: &[Arc<str>],
        found: impl Iterator<Item = &'a Option<Arc<str>>>,
        names: &BTreeMap<String, String>,
    ) -> Self {
        let kind = AxisKind::of(path);
        let mut places: BTreeMap<Arc<str>, usize> = BTreeMap::new();
        let mut absent = false;
        for value in found {
            match value {
                None => absent = true,
                Some(value) if !places.contains_key(value) => {
                    let place = declared.iter().position(|other| other == value);
                    places.insert(Arc::clone(value), place.unwrap_or(declared.len() + places.len()));
                }
                Some(_) => {}
            }
        }
        let mut values: Vec<(usize, AxisValue)> =
            places.into_iter().map(|(raw, place)| (place, AxisValue::new(kind, raw, names))).collect();
        values.sort_by_key(|(place, _)| *place);
        let mut values: Vec<AxisValue> = values.into_iter().map(|(_, value)| value).collect();
        let numeric = !values.is_empty() && values.iter().all(|value| value.number.is_some());
        if numeric {
            values.sort_by(|a, b| a.number.unwrap_or(0.0).total_cmp(&b.number.unwrap_or(0.0)));
        }
        if absent {
            values.push(AxisValue { raw: None, name: ABSENT.to_owned(), number: None });
        }
        Self { path: Arc::clone(path), kind, values, numeric }
    }

    /// Where each value stands among the others.
    pub(super) fn places(&self) -> BTreeMap<Option<&str>, usize> {
        self.values.iter().enumerate().map(|(place, value)| (value.raw.as_deref(), place)).collect()
    }

    /// What it is called.
    pub(in crate::report::sweep) fn label(&self, text: &Text) -> String {
        self.known(text).map_or_else(|| self.path.to_string(), str::to_owned)
    }

    /// What it is called inside a sentence: `batch`, `KV cache`.
    pub(in crate::report::sweep) fn label_within(&self, text: &Text) -> String {
        let label = self.label(text);
        let mut letters = label.chars();
        match (letters.next(), letters.next()) {
            (Some(first), Some(second)) if second.is_lowercase() => {
                first.to_lowercase().chain(label.chars().skip(1)).collect()
            }
            _ => label,
        }
    }

    fn known(&self, text: &Text) -> Option<Label> {
        let words = &text.sweep.axis;
        Some(match self.kind {
            AxisKind::Model => words.model,
            AxisKind::Hardware => words.hardware,
            AxisKind::Weights => words.weights,
            AxisKind::Kv => words.kv,
            AxisKind::Ranks => words.ranks,
            AxisKind::Engine => words.engine,
            AxisKind::Batch => words.batch,
            AxisKind::Prompt => words.prompt,
            AxisKind::Gen => words.gen_len,
            AxisKind::Target | AxisKind::Other => return None,
        })
    }

    /// One of its values in a sentence: `batch 16`, `FP8 KV cache`.
    pub(in crate::report::sweep) fn told(&self, value: &AxisValue, text: &Text) -> String {
        let name = &value.name;
        let words = &text.sweep.axis;
        match self.kind {
            AxisKind::Model | AxisKind::Hardware | AxisKind::Engine | AxisKind::Weights => name.clone(),
            AxisKind::Kv => text.way.kv.fill(&[("kv", name)]),
            AxisKind::Batch => text.verdict.batch.fill(&[("n", name)]),
            AxisKind::Ranks if name == "1" => words.told_rank.fill(&[("n", name)]),
            AxisKind::Ranks => words.told_ranks.fill(&[("n", name)]),
            AxisKind::Prompt => words.told_prompt.fill(&[("n", name)]),
            AxisKind::Gen => words.told_gen.fill(&[("n", name)]),
            AxisKind::Target | AxisKind::Other => format!("{} {name}", self.path),
        }
    }
}

impl AxisValue {
    fn new(kind: AxisKind, raw: Arc<str>, names: &BTreeMap<String, String>) -> Self {
        let number = raw.parse::<f64>().ok().filter(|number| number.is_finite());
        let name = match kind {
            AxisKind::Model | AxisKind::Hardware => names.get(&*raw).cloned(),
            AxisKind::Weights | AxisKind::Kv => Some(raw.to_uppercase().replace('_', " ")),
            _ => raw.parse::<u64>().ok().map(integer),
        };
        Self { name: name.unwrap_or_else(|| raw.to_string()), number, raw: Some(raw) }
    }
}
