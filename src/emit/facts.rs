//! JSON of what follows from a model description: counts, bytes, what was assumed, what is odd.

use serde_json::{Value, json};

use crate::import::{Facts, Imported};
use crate::spec::ModelSpec;

/// Of a foreign description.
#[must_use]
pub fn imported(imported: &Imported) -> String {
    let defaults: Vec<Value> =
        imported.defaults.iter().map(|a| json!({"field": a.field, "value": a.value, "why": a.why})).collect();
    let warnings: Vec<Value> =
        imported.warnings.iter().map(|w| json!({"id": w.id, "message": w.message, "help": w.help})).collect();
    text(&imported.facts, &imported.profile.model_name, defaults, warnings)
}

/// Of a profile.
#[must_use]
pub fn profile(spec: &ModelSpec) -> String {
    let warnings = spec.notes.iter().map(|note| json!({"id": "remark", "message": note, "help": null})).collect();
    text(&Facts::of("profile", spec), &spec.model_name, Vec::new(), warnings)
}

fn text(facts: &Facts, model: &str, defaults: Vec<Value>, warnings: Vec<Value>) -> String {
    let value = json!({
        "model": model,
        "architecture": facts.architecture,
        "parameters_total": facts.parameters_total,
        "parameters_text": facts.parameters_text,
        "parameters_active": facts.parameters_active,
        "weights_bytes": facts.weights_bytes,
        "kv_bytes_per_token": facts.kv_bytes_per_token,
        "kv_layers": facts.kv_layers,
        "state_bytes_per_sequence": facts.state_bytes_per_sequence,
        "layers": facts.layers,
        "defaults": defaults,
        "warnings": warnings,
    });
    // Serialising a value to memory cannot fail.
    serde_json::to_string_pretty(&value).unwrap_or_default() + "\n"
}
