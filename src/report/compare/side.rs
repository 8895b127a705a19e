//! A result read back from its JSON: one scenario, or the points of a declared report.

use std::collections::BTreeMap;
use std::io::Read;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::report::SCHEMA_VERSION;
use crate::scenario::InputDocuments;

/// One of two results that are compared.
#[derive(Clone, Debug)]
pub enum Side {
    /// One scenario.
    Single(Box<SingleSide>),
    /// A declared report.
    Sweep(SweepSide),
}

/// Figures by key; none that do not exist.
pub type Figures = BTreeMap<String, Option<f64>>;

/// One scenario.
#[derive(Clone, Debug, Deserialize)]
pub struct SingleSide {
    /// Which program predicted it.
    pub tool: ToolOf,
    /// What it was given.
    pub inputs: Map<String, Value>,
    /// It fits in memory.
    pub feasible: bool,
    /// Times and rates.
    pub metrics: Figures,
    /// Error bands by metric.
    pub bands: BTreeMap<String, Option<Range>>,
    /// Where the time to the first token goes.
    pub ttft: Option<Tree>,
    /// Where the time of a later token goes.
    pub tpot: Option<Tree>,
    /// The kernels.
    pub kernels: Vec<KernelOf>,
    /// Memory of one device, bytes and tokens.
    pub memory: Figures,
    /// What holds it back, the largest first.
    pub bottlenecks: Vec<CauseOf>,
}

/// Which program.
#[derive(Clone, Debug, Deserialize)]
pub struct ToolOf {
    /// Its version.
    pub version: String,
}

/// An error band, ms.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[allow(missing_docs, reason = "keys of the format")]
pub struct Range {
    pub low: f64,
    pub high: f64,
}

/// A stage with its parts.
#[derive(Clone, Debug, Deserialize)]
#[allow(missing_docs, reason = "keys of the format")]
pub struct Tree {
    pub stage: String,
    pub ms: f64,
    pub children: Vec<Tree>,
}

/// A kernel.
#[derive(Clone, Debug, Deserialize)]
#[allow(missing_docs, reason = "keys of the format")]
pub struct KernelOf {
    pub phase: String,
    pub stage: String,
    pub name: String,
    pub calls: f64,
    pub time_ms: f64,
    pub flop: f64,
    pub dram_bytes: f64,
    pub bound: String,
}

/// A bottleneck.
#[derive(Clone, Debug, Deserialize)]
#[allow(missing_docs, reason = "keys of the format")]
pub struct CauseOf {
    pub lever: String,
    pub title: String,
    pub metric: String,
    pub baseline_ms: f64,
    pub relaxed_ms: f64,
    pub cause: String,
    pub remedy: String,
}

/// A declared report.
#[derive(Clone, Debug, Deserialize)]
pub struct SweepSide {
    /// Which program predicted it.
    pub tool: ToolOf,
    /// What it is about.
    pub title: String,
    /// Its points in order.
    pub points: Vec<PointOf>,
}

/// A point.
#[derive(Clone, Debug, Deserialize)]
#[allow(missing_docs, reason = "keys of the format")]
pub struct PointOf {
    pub inputs: Map<String, Value>,
    pub metrics: PointTimes,
}

/// Times of a point; none where it does not run.
#[derive(Clone, Copy, Debug, Deserialize)]
#[allow(missing_docs, reason = "keys of the format")]
pub struct PointTimes {
    pub ttft_ms: Option<f64>,
    pub tpot_ms: Option<f64>,
}

/// What tells the two kinds apart, and whether this program can read them.
#[derive(Deserialize)]
struct Head {
    schema_version: u32,
    kind: Option<String>,
}

/// Reads a result.
///
/// # Errors
/// That it is none, or of another version of the format, and what is wrong with it.
pub fn read_side(mut json: impl Read) -> Result<Side, String> {
    let mut text = String::new();
    json.read_to_string(&mut text).map_err(|e| e.to_string())?;
    let head: Head = serde_json::from_str(&text).map_err(|e| format!("not a result of this program: {e}"))?;
    if head.schema_version != SCHEMA_VERSION {
        return Err(format!("schema_version {} is not {SCHEMA_VERSION}", head.schema_version));
    }
    let wrong = |e: serde_json::Error| format!("not a whole result: {e}");
    match head.kind.as_deref() {
        None => serde_json::from_str(&text).map(|single| Side::Single(Box::new(single))).map_err(wrong),
        Some("sweep") => serde_json::from_str(&text).map(Side::Sweep).map_err(wrong),
        Some(other) => Err(format!("it holds `{other}`, neither one scenario nor a declared report")),
    }
}

/// What was given, flat: `deployment.tensor_parallel` and its value. Overrides stand as the paths they set; targets and
/// the hash are no inputs of the prediction.
#[must_use]
pub fn flat_inputs(inputs: &Map<String, Value>) -> BTreeMap<String, Value> {
    let mut flat = BTreeMap::new();
    for (key, value) in inputs.iter().filter(|(key, _)| !matches!(key.as_str(), "hash" | "budgets" | "overrides")) {
        flatten(key, value, &mut flat);
    }
    let overrides = inputs.get("overrides").and_then(Value::as_array);
    for (path, value) in overrides.into_iter().flatten().filter_map(|text| text.as_str()?.split_once('=')) {
        let path = InputDocuments::full_path(path.trim());
        if !AMONG_SWITCHES.contains(&path.as_str()) {
            flat.entry(path).or_insert_with(|| Value::String(value.trim().to_owned()));
        }
    }
    flat
}

/// Fields of the model that a result holds among its switches, whoever set them.
const AMONG_SWITCHES: [&str; 3] =
    ["model.weights.dtype", "model.kv_cache.dtype", "model.io_profile.embedding_placement"];

fn flatten(path: &str, value: &Value, flat: &mut BTreeMap<String, Value>) {
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                flatten(&format!("{path}.{key}"), value, flat);
            }
        }
        _ => {
            flat.insert(path.to_owned(), value.clone());
        }
    }
}
