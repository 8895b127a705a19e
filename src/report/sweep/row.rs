//! A declared report as numbers: what stands before its points, each point, what stands after them.
//!
//! The three are written one after the other, so that a million points need no memory.

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::{SweepQuestion, SweepReport};
use crate::diagnose::Metric;
use crate::kernel::Stage;
use crate::report::SCHEMA_VERSION;
use crate::sweep::{PointFigures, PointOutcome, PointResult};

/// What stands before the points.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs, reason = "keys say what they are; RESULTS.md documents the format")]
pub struct SweepHead {
    pub schema_version: u32,
    pub kind: &'static str,
    pub tool: Value,
    pub title: String,
    pub inputs: Value,
}

/// A point.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs, reason = "keys say what they are; RESULTS.md documents the format")]
pub struct SweepRow {
    pub ordinal: u64,
    pub inputs: Map<String, Value>,
    pub feasible: bool,
    pub status: &'static str,
    pub reason: Option<String>,
    pub meets_targets: Option<bool>,
    pub shortfall: Option<Value>,
    pub metrics: Value,
    pub bands: Value,
    pub memory: Option<Value>,
    pub stages: Option<Value>,
}

/// The point that stands for the whole report in an index.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs, reason = "keys say what they are; RESULTS.md documents the format")]
pub struct Headline {
    pub of: &'static str,
    #[serde(flatten)]
    pub point: SweepRow,
}

/// What stands after the points.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs, reason = "keys say what they are; RESULTS.md documents the format")]
pub struct SweepTail {
    pub total: u64,
    pub ran: u64,
    pub does_not_fit: u64,
    pub invalid: u64,
    pub missed: u64,
    pub best: Option<u64>,
    pub highest_throughput: Option<u64>,
    pub fastest: Option<u64>,
    pub focus: Option<u64>,
    pub status: &'static str,
    pub headline: Option<Headline>,
    pub front: Vec<u64>,
    pub focus_page: Option<String>,
    pub best_page: Option<String>,
}

impl SweepHead {
    /// Of a declared report.
    #[must_use]
    pub fn new(question: &SweepQuestion) -> Self {
        let axes = question.matrix.axes().iter();
        let axes: Vec<Value> = axes
            .map(|(path, values)| json!({"path": &**path, "values": values.iter().map(|v| field(v)).collect::<Vec<_>>()}))
            .collect();
        let settings: Map<String, Value> =
            question.settings.iter().map(|(path, value)| (path.clone(), field(value))).collect();
        let budgets: Map<String, Value> = Metric::ALL
            .iter()
            .map(|metric| (metric.key().to_owned(), json!(question.budgets.limit(*metric))))
            .collect();
        Self {
            schema_version: SCHEMA_VERSION,
            kind: "sweep",
            tool: json!({"name": env!("CARGO_PKG_NAME"), "version": env!("CARGO_PKG_VERSION")}),
            title: question.title.clone(),
            inputs: json!({
                "axes": axes,
                "settings": settings,
                "budgets": budgets,
                "gate": question.gate.name(),
                "hash": question.input_hash,
            }),
        }
    }
}

impl SweepRow {
    /// Of a point.
    #[must_use]
    pub fn new(question: &SweepQuestion, point: &PointResult) -> Self {
        let values = question.columns().iter().zip(&point.values);
        let inputs = values.filter_map(|(path, value)| Some((path.to_string(), field(value.as_ref()?)))).collect();
        let figures = point.outcome.figures();
        let (status, reason, shortfall) = match &point.outcome {
            PointOutcome::Ran(_) => ("ran", None, None),
            PointOutcome::DoesNotFit(short) => {
                let shortfall = json!({
                    "resource": "device_memory",
                    "needed_bytes": short.needed,
                    "available_bytes": short.available,
                    "largest_batch": short.largest_batch,
                    "largest_context": short.largest_context,
                });
                ("does_not_fit", None, Some(shortfall))
            }
            PointOutcome::Invalid(why) => ("invalid", Some(why.clone()), None),
        };
        Self {
            ordinal: point.ordinal,
            inputs,
            feasible: figures.is_some(),
            status,
            reason,
            meets_targets: figures.filter(|_| !point.budgets.is_empty()).map(|f| f.meets(&point.budgets)),
            shortfall,
            metrics: metrics(figures),
            bands: bands(figures),
            memory: figures.map(|f| {
                json!({
                    "needed_bytes": f.memory_needed,
                    "usable_bytes": f.memory_usable,
                    "kv_capacity_tokens": f.kv_capacity_tokens,
                })
            }),
            stages: figures.map(|f| json!({"ttft_ms": stages(&f.ttft_stages), "tpot_ms": stages(&f.tpot_stages)})),
        }
    }
}

impl SweepTail {
    /// Of a report whose points are all known.
    #[must_use]
    pub fn new(report: &SweepReport) -> Self {
        let summary = &report.summary;
        let ordinal = |point: &Option<PointResult>| point.as_ref().map(|point| point.ordinal);
        Self {
            total: summary.total,
            ran: summary.ran,
            does_not_fit: summary.does_not_fit,
            invalid: summary.invalid,
            missed: summary.missed,
            best: ordinal(&summary.best),
            highest_throughput: ordinal(&summary.highest),
            fastest: ordinal(&summary.fastest),
            focus: ordinal(&report.focus),
            status: report.status().name(),
            headline: report
                .headline()
                .map(|(of, point)| Headline { of, point: SweepRow::new(&report.question, point) }),
            front: summary.front.iter().map(|point| point.ordinal).collect(),
            focus_page: report.pages.focus.clone(),
            best_page: report.pages.best.clone(),
        }
    }
}

/// A value as it was meant: a number or a flag where the text is one.
fn field(text: &str) -> Value {
    match text {
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        _ => match text.parse::<f64>() {
            Ok(number) if number.is_finite() => {
                text.parse::<u64>().map_or_else(|_| json!(number), |whole| json!(whole))
            }
            _ => Value::String(text.to_owned()),
        },
    }
}

fn metrics(figures: Option<&PointFigures>) -> Value {
    let m = figures.map(|f| &f.metrics);
    json!({
        "ttft_ms": m.and_then(|m| m.ttft_ms),
        "tpot_ms": m.and_then(|m| m.tpot_ms),
        "tpot_inclusive_ms": m.and_then(|m| m.tpot_inclusive_ms),
        "tpot_stddev_ms": m.and_then(|m| m.tpot_stddev_ms),
        "tpot_p99_ms": m.and_then(|m| m.tpot_p99_ms),
        "e2e_ms": m.and_then(|m| m.e2e_ms),
        "output_tokens_per_s": m.and_then(|m| m.output_tokens_per_s),
        "output_tokens_per_s_per_gpu": figures.and_then(PointFigures::tokens_per_gpu),
        "output_tokens_per_s_per_user": figures.and_then(PointFigures::tokens_per_user),
        "requests_per_s": m.and_then(|m| m.requests_per_s),
    })
}

fn bands(figures: Option<&PointFigures>) -> Value {
    let band = |metric| {
        figures
            .and_then(|f| Some((f.band(metric)?, f.class)))
            .map(|((low, high), class)| json!({"low": low, "high": high, "basis": class.name()}))
    };
    json!({"ttft_ms": band(Metric::Ttft), "tpot_ms": band(Metric::Tpot)})
}

fn stages(values: &[f64; 8]) -> Map<String, Value> {
    Stage::ALL.iter().zip(values).map(|(stage, ms)| (stage.name().to_owned(), json!(ms))).collect()
}
