//! Reading a report from the JSON beside its page.

use std::io::Read;

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Map, Value};

use super::Status;
use super::entry::{Entry, EntryAxis, EntryKind, EntryPoint, Headline, Pages};
use crate::diagnose::{Budgets, Metric};

/// What of a file the index needs: points of a declared report are passed over.
#[derive(Deserialize)]
struct File {
    #[serde(default)]
    schema_version: Value,
    #[serde(default)]
    kind: Value,
    #[serde(default)]
    title: Value,
    #[serde(default)]
    inputs: Value,
    #[serde(default)]
    feasible: Value,
    #[serde(default)]
    metrics: Value,
    #[serde(default)]
    bands: Value,
    #[serde(default)]
    memory: Value,
    #[serde(default)]
    summary: Value,
    #[serde(default, rename = "points")]
    _points: Option<IgnoredAny>,
}

#[derive(Deserialize)]
struct Summary {
    total: u64,
    ran: u64,
    missed: u64,
    #[serde(default)]
    does_not_fit: u64,
    #[serde(default)]
    invalid: u64,
    status: String,
    headline: Option<HeadlinePoint>,
    focus_page: Option<String>,
    best_page: Option<String>,
}

#[derive(Deserialize)]
struct HeadlinePoint {
    #[serde(default)]
    of: String,
    inputs: Map<String, Value>,
    metrics: Value,
    memory: Option<Value>,
}

/// Reads the JSON of a report; none for JSON that is something else.
///
/// # Errors
/// What is wrong with a file that ought to be a report, or that is no JSON at all.
pub fn read_entry(stem: &str, json: impl Read) -> Result<Option<Entry>, String> {
    let file: File = match serde_json::from_reader(json) {
        Ok(file) => file,
        Err(error) if error.is_data() => return Ok(None),
        Err(error) => return Err(format!("broken JSON: {error}")),
    };
    let kind = match &file.kind {
        Value::Null if file.inputs.is_object() && file.metrics.is_object() => "single",
        Value::String(kind) => kind,
        _ => "",
    };
    let known = u64::from(crate::report::SCHEMA_VERSION);
    match (kind, file.schema_version.as_u64()) {
        ("single" | "sweep", Some(version)) if version != known => {
            Err(format!("schema_version {version} is not {known}"))
        }
        ("single", Some(_)) => Ok(Some(single(stem, &file))),
        ("sweep", Some(_)) => {
            let summary = Summary::deserialize(&file.summary).map_err(|error| format!("summary: {error}"))?;
            sweep(stem, &file, &summary).map(Some)
        }
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
        title: file.title.as_str().unwrap_or(stem).to_owned(),
        kind: EntryKind::Sweep {
            points: summary.total,
            ran: summary.ran,
            missed: summary.missed,
            does_not_fit: summary.does_not_fit,
            invalid: summary.invalid,
            headline: headline.and_then(|headline| Headline::named(&headline.of)),
            focus_page: summary.focus_page.clone(),
            best_page: summary.best_page.clone(),
        },
        status: *status,
        point: point.unwrap_or_default(),
        axes: axes(&file.inputs["axes"]),
        pages: Pages::default(),
        changes: None,
        appeared: false,
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
        status: if file.feasible == Value::Bool(true) { Status::of(&budgets, value, high) } else { Status::DoesNotFit },
        point: EntryPoint {
            model: text(&file.inputs["model"]),
            hardware: text(&file.inputs["hardware"]),
            fields,
            ttft_ms: value(Metric::Ttft),
            tpot_ms: value(Metric::Tpot),
            memory: single_memory(&file.memory),
            budgets,
        },
        axes: Vec::new(),
        pages: Pages::default(),
        changes: None,
        appeared: false,
        history: Vec::new(),
    }
}

/// Axes kept of a declared report, and values kept of each: a list is for people to read and search.
const MOST_AXES: usize = 32;
const MOST_VALUES: usize = 256;

fn axes(axes: &Value) -> Vec<EntryAxis> {
    let axis = |axis: &Value| {
        let values = axis["values"].as_array()?.iter().take(MOST_VALUES).map(plain).collect();
        Some(EntryAxis { path: axis["path"].as_str()?.to_owned(), values })
    };
    axes.as_array().into_iter().flatten().take(MOST_AXES).filter_map(axis).collect()
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
