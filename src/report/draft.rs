//! A note drafted from a result: facts filled in, a text to go on from.

use std::collections::BTreeMap;

use serde_json::Value;

use super::compare::{CauseOf, SingleSide, flat_inputs};
use super::text::Text;
use crate::diagnose::Metric;
use crate::quantity::format::{ABSENT, gib, integer, ms};

/// The note as Markdown with its facts in front, as [`super::notes::read_note`] reads it. `date` may be empty.
#[must_use]
pub fn draft(side: &SingleSide, date: &str, text: &Text) -> String {
    let words = &text.note;
    let name = |key: &str| side.inputs.get(key).and_then(Value::as_str).unwrap_or_default();
    let first = side.bottlenecks.first();
    let remedy = match first {
        _ if !side.feasible => words.does_not_fit,
        Some(cause) => cause.title.as_str(),
        None => words.nothing,
    };
    let time = |ms_of: fn(&CauseOf) -> f64| {
        first.map_or(String::new(), |cause| {
            let metric = Metric::ALL.iter().find(|metric| metric.key() == cause.metric).map_or("", |m| m.name());
            words.figure.fill(&[("metric", &metric), ("value", &ms(ms_of(cause)))])
        })
    };
    let title = words.title.fill(&[("model", &name("model")), ("hardware", &name("hardware")), ("remedy", &remedy)]);
    let facts = [
        ("title", title.clone()),
        ("symptom", symptom(side, text)),
        ("bottleneck", first.map_or(String::new(), |cause| cause.cause.clone())),
        ("fix", first.map_or(String::new(), |cause| cause.remedy.clone())),
        ("before", time(|cause| cause.baseline_ms)),
        ("after", time(|cause| cause.relaxed_ms)),
        ("model", name("model").to_owned()),
        ("hardware", name("hardware").to_owned()),
        ("date", date.to_owned()),
    ];
    let facts = facts.iter().filter(|(_, value)| !value.is_empty());
    let front: String = facts.map(|(key, value)| format!("{key}: {}\n", quoted(value))).collect();
    let parts = side.bottlenecks.iter().map(|cause| {
        format!("- **{}**: {} {}\n", plain_line(&cause.title), plain_line(&cause.cause), plain_line(&cause.remedy))
    });
    let parts: String = parts.collect();
    let body = if parts.is_empty() { String::new() } else { format!("\n## {}\n\n{parts}", words.remedies) };
    format!("---\n{front}---\n\n{}\n{body}", words.open)
}

fn symptom(side: &SingleSide, text: &Text) -> String {
    let words = &text.note;
    let inputs = flat_inputs(&side.inputs);
    let bytes = |keys: &[&str]| keys.iter().map(|key| side.memory.get(*key).copied().flatten()).sum::<Option<f64>>();
    if !side.feasible {
        let needed = bytes(&["weights_bytes", "kv_cache_bytes", "activation_bytes", "runtime_bytes"]);
        let size = |value: Option<f64>| value.map_or_else(|| ABSENT.to_owned(), gib);
        let (needed, usable) = (size(needed), size(bytes(&["usable_bytes"])));
        return words.symptom_memory.fill(&[("needed", &needed), ("available", &usable)]);
    }
    let time = |metric: Metric| side.metrics.get(metric.key()).copied().flatten().map_or_else(|| ABSENT.to_owned(), ms);
    words.symptom.fill(&[
        ("ttft", &time(Metric::Ttft)),
        ("tpot", &time(Metric::Tpot)),
        ("batch", &count(&inputs, "workload.batch_size")),
        ("prompt", &count(&inputs, "workload.prompt_len")),
        ("gen", &count(&inputs, "workload.gen_len")),
    ])
}

fn count(inputs: &BTreeMap<String, Value>, path: &str) -> String {
    inputs.get(path).and_then(Value::as_u64).map_or_else(|| ABSENT.to_owned(), integer)
}

/// A YAML scalar that is text whatever stands in it. JSON's strings are YAML's.
fn quoted(text: &str) -> String {
    Value::String(plain_line(text)).to_string()
}

/// One line without anything that is no text.
fn plain_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
