//! A report as the index lists it, read from the JSON beside its page.

use std::io::Read;

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Map, Value};

use super::{Build, Changes, Status, Times};
use crate::diagnose::{Budgets, Metric};

/// A report in the index.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Its place below the folder, without extension.
    pub stem: String,
    /// What it is about.
    pub title: String,
    /// What it is.
    pub kind: EntryKind,
    /// How it stands.
    pub status: Status,
    /// The scenario whose figures stand for it.
    pub point: EntryPoint,
    /// What changed since the baseline, where there is one.
    pub changes: Option<Changes>,
    /// Earlier runs and this one, oldest first.
    pub history: Vec<Build>,
}

/// What a report is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EntryKind {
    /// One scenario.
    Single,
    /// A declared report.
    Sweep {
        /// Points in all.
        points: u64,
        /// Points that run.
        ran: u64,
        /// Points that run and miss a target.
        missed: u64,
        /// Page of the point in focus, beside the report.
        focus_page: Option<String>,
        /// Page of the best point, beside the report.
        best_page: Option<String>,
    },
}

/// The scenario whose figures stand for a report.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EntryPoint {
    /// Its model.
    pub model: String,
    /// Its machine.
    pub hardware: String,
    /// Its other fields, as `batch_size 4`.
    pub fields: Vec<String>,
    /// TTFT, ms.
    pub ttft_ms: Option<f64>,
    /// TPOT, ms.
    pub tpot_ms: Option<f64>,
    /// Device memory needed and usable, bytes.
    pub memory: Option<(f64, f64)>,
    /// Targets.
    pub budgets: Budgets,
}

impl Entry {
    /// Headline times.
    #[must_use]
    pub const fn times(&self) -> Times {
        Times { ttft_ms: self.point.ttft_ms, tpot_ms: self.point.tpot_ms }
    }
}

/// What of a file the index needs: points of a declared report are passed over.
#[derive(Deserialize)]
struct File {
    schema_version: u32,
    kind: Option<String>,
    title: Option<String>,
    inputs: Value,
    #[serde(default)]
    feasible: bool,
    #[serde(default)]
    metrics: Value,
    #[serde(default)]
    bands: Value,
    #[serde(default)]
    memory: Value,
    summary: Option<Summary>,
    #[serde(default, rename = "points")]
    _points: Option<IgnoredAny>,
}

#[derive(Deserialize)]
struct Summary {
    total: u64,
    ran: u64,
    missed: u64,
    status: String,
    headline: Option<Headline>,
    focus_page: Option<String>,
    best_page: Option<String>,
}

#[derive(Deserialize)]
struct Headline {
    inputs: Map<String, Value>,
    metrics: Value,
    memory: Option<Value>,
}

/// Reads the JSON of a report; none for JSON that is something else.
///
/// # Errors
/// What is wrong with a file that ought to be a report.
pub fn read_entry(stem: &str, json: impl Read) -> Result<Option<Entry>, String> {
    let Ok(file) = serde_json::from_reader::<_, File>(json) else { return Ok(None) };
    if file.schema_version != crate::report::SCHEMA_VERSION {
        return Err(format!("schema_version {} is not {}", file.schema_version, crate::report::SCHEMA_VERSION));
    }
    match (&file.kind, &file.summary) {
        (Some(kind), Some(summary)) if kind == "sweep" => sweep(stem, &file, summary).map(Some),
        (None, None) => Ok(Some(single(stem, &file))),
        _ => Ok(None),
    }
}

fn sweep(stem: &str, file: &File, summary: &Summary) -> Result<Entry, String> {
    let status = Status::ALL.iter().find(|(_, name)| *name == summary.status);
    let (status, _) = status.ok_or_else(|| format!("unknown status `{}`", summary.status))?;
    let headline = summary.headline.as_ref();
    let point = headline.map(|headline| EntryPoint {
        memory: headline.memory.as_ref().and_then(|memory| pair(memory, "needed_bytes", "usable_bytes")),
        ttft_ms: number(&headline.metrics, "ttft_ms"),
        tpot_ms: number(&headline.metrics, "tpot_ms"),
        budgets: budgets(&file.inputs),
        ..fields(&headline.inputs)
    });
    Ok(Entry {
        stem: stem.to_owned(),
        title: file.title.clone().unwrap_or_else(|| stem.to_owned()),
        kind: EntryKind::Sweep {
            points: summary.total,
            ran: summary.ran,
            missed: summary.missed,
            focus_page: summary.focus_page.clone(),
            best_page: summary.best_page.clone(),
        },
        status: *status,
        point: point.unwrap_or_default(),
        changes: None,
        history: Vec::new(),
    })
}

fn single(stem: &str, file: &File) -> Entry {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let (workload, deployment, switches) =
        (&file.inputs["workload"], &file.inputs["deployment"], &file.inputs["switches"]);
    let mut fields = Vec::new();
    for (section, key) in [
        (workload, "batch_size"),
        (workload, "prompt_len"),
        (workload, "gen_len"),
        (deployment, "tensor_parallel"),
        (deployment, "engine"),
        (switches, "weights_dtype"),
        (switches, "kv_dtype"),
    ] {
        if !section[key].is_null() {
            fields.push(format!("{key} {}", plain(&section[key])));
        }
    }
    let budgets = budgets(&file.inputs);
    let value = |metric: Metric| number(&file.metrics, metric.key());
    let high = |metric: Metric| number(&file.bands[metric.key()], "high");
    Entry {
        stem: stem.to_owned(),
        title: format!("{}, {}", plain(&file.inputs["model"]), plain(&file.inputs["hardware"])),
        kind: EntryKind::Single,
        status: if file.feasible { Status::of(&budgets, value, high) } else { Status::DoesNotFit },
        point: EntryPoint {
            model: text(&file.inputs["model"]),
            hardware: text(&file.inputs["hardware"]),
            fields,
            ttft_ms: value(Metric::Ttft),
            tpot_ms: value(Metric::Tpot),
            memory: single_memory(&file.memory),
            budgets,
        },
        changes: None,
        history: Vec::new(),
    }
}

/// Needed (all parts) and usable bytes.
fn single_memory(memory: &Value) -> Option<(f64, f64)> {
    let parts = ["weights_bytes", "kv_cache_bytes", "activation_bytes", "runtime_bytes"];
    let needed = parts.iter().map(|key| number(memory, key)).sum::<Option<f64>>()?;
    Some((needed, number(memory, "usable_bytes")?))
}

fn fields(inputs: &Map<String, Value>) -> EntryPoint {
    let named = |name: &str| inputs.get(name).map(plain).unwrap_or_default();
    let others = inputs.iter().filter(|(path, _)| *path != "model" && *path != "hardware");
    EntryPoint {
        model: named("model"),
        hardware: named("hardware"),
        fields: others.map(|(path, value)| format!("{path} {}", plain(value))).collect(),
        ..EntryPoint::default()
    }
}

fn budgets(inputs: &Value) -> Budgets {
    let mut budgets = Budgets::default();
    for metric in Metric::ALL {
        if let Some(limit) = number(&inputs["budgets"], metric.key()) {
            budgets.set(metric, limit);
        }
    }
    budgets
}

fn pair(value: &Value, first: &str, second: &str) -> Option<(f64, f64)> {
    Some((number(value, first)?, number(value, second)?))
}

fn number(value: &Value, key: &str) -> Option<f64> {
    value.get(key)?.as_f64().filter(|number| number.is_finite())
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
