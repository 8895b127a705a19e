//! Hugging Face `config.json`: the family's row says how to read it; shapes, not weights, give every count.

mod adjust;
mod assemble;
mod dense;
mod family;
mod gemma4;
mod hybrid;
mod mimo;
mod mla;
mod moe;
mod quant;
mod reader;
mod recurrent;
mod rope;
mod shapes;
mod softmax;
mod table;
mod unusual;
mod vision;

use reader::Reader;

use super::recognise::other_json;
use super::{ImportError, Imported, Warning};
use crate::spec::{Document, DuplicateKey, Fields, Findings};

/// Imports the text of a `config.json`; `name` is what messages call it. `companion` is the `hf_quant_config.json`
/// beside it (name and text), where there is one.
///
/// # Errors
/// Not JSON, keys missing, values out of range or at odds with each other: all faults at once, with their places.
pub fn import_config(name: &str, text: &str, companion: Option<(&str, &str)>) -> Result<Imported, ImportError> {
    let (document, duplicates) = Document::from_json(name, text)?;
    let companion = companion.map(|(name, text)| Document::from_json(name, text)).transpose()?;
    let findings = Findings::default();
    let mut top = Fields::top(&document, "", &findings);
    if let Some((what, help)) = other_json(|key| top.has(key)) {
        let base = top.text("base_model_name_or_path").map(|b| format!(" of {b:?}")).unwrap_or_default();
        return Err(ImportError::refused(name, format!("{what}{base}"), help));
    }
    let architecture = top.texts("architectures").into_iter().next();
    let model_type = top.text("model_type");
    let model_name = top.text("_name_or_path").filter(|n| !n.is_empty());
    let text_key = ["text_config", "llm_config", "language_config", "thinker_config"].into_iter().find(|k| top.has(k));
    let nested = text_key.map(|key| top.section(key));
    let is_nested = nested.is_some();
    let mut fields = nested.unwrap_or_else(|| Fields::top(&document, "", &findings));
    let text_type = if is_nested { fields.text("model_type") } else { None };
    let mut reader =
        Reader { fields, assumed: Vec::new(), warnings: duplicates_told(&duplicates), class_defaults: &[] };
    let companion =
        companion.as_ref().map(|(document, _)| Fields::top(document, "", &findings).section("quantization"));
    let source = assemble::Source {
        whole: model_type.unwrap_or_default(),
        text: text_type.unwrap_or_default(),
        is_nested,
        architecture,
        model_name,
    };
    let imported = assemble::assemble(&mut reader, &mut top, companion, &source);
    let Reader { assumed, warnings, .. } = reader;
    let (imported, _) = findings.conclude(imported)?;
    // Without faults a description came out; the other arm only keeps the types honest.
    let Some(mut imported) = imported else {
        return Err(ImportError::refused(name, "no description came out", "give the model's own config.json"));
    };
    imported.defaults = assumed;
    imported.warnings = warnings;
    imported.with_source(name).checked(name)
}

/// Keys written twice that are told one by one.
const MAX_DUPLICATES: usize = 10;

/// A warning for each key that is written twice, up to a limit.
fn duplicates_told(keys: &[DuplicateKey]) -> Vec<Warning> {
    let mut warnings: Vec<Warning> = keys.iter().take(MAX_DUPLICATES).map(duplicate).collect();
    if let Some(more) = keys.len().checked_sub(MAX_DUPLICATES).filter(|&more| more > 0) {
        let message = format!("{more} more keys appear twice; the last counts");
        warnings.push(Warning::new("duplicate_key", message, "write the file again with one value each"));
    }
    warnings
}

fn duplicate(key: &DuplicateKey) -> Warning {
    let message = format!(
        "{} appears twice: {} on line {}, {} on line {}; the last counts",
        key.key, key.first.0, key.first.1, key.last.0, key.last.1
    );
    Warning::new("duplicate_key", message, "remove the one that is wrong")
}
