//! From arguments to a resolved scenario: names or files, options, overrides.

use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::args::ScenarioArgs;
use super::exit::Failure;
use crate::catalog;
use crate::import::{self, Imported, Loaded};
use crate::report::ReportOrigin;
use crate::scenario::{InputDocuments, Inputs, Note, Resolved, resolve};
use crate::spec::{Document, SpecError};

/// A resolved scenario and where it came from.
pub(super) struct Question {
    pub resolved: Resolved,
    pub origin: ReportOrigin,
}

/// A description as YAML, and where it was read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Described {
    pub text: String,
    pub source: String,
    /// What the reader of a foreign format noticed or assumed.
    pub remarks: Vec<String>,
}

impl Described {
    /// Parsed.
    pub(super) fn document(&self) -> Result<Document, SpecError> {
        Document::parse(&self.source, &self.text)
    }

    fn of(document: &Document, source: String) -> Self {
        Self { text: document.text().to_owned(), source, remarks: Vec::new() }
    }
}

/// Reads everything a scenario is made of.
pub(super) fn question(args: &ScenarioArgs) -> Result<Question, Failure> {
    let mut fields = Vec::new();
    for (option, path, value) in args.fields() {
        fields.push(Field::new(path, value, format!("{option} {value}")));
    }
    for text in &args.overrides {
        let (path, value) = assignment(text)?;
        fields.push(Field::new(path, value, format!("--set {text}")));
    }
    let here = Path::new("");
    let mut question = ask(&model(&args.model, here)?, &hardware(&args.hardware, here)?, &fields)?;
    question.origin.overrides.clone_from(&args.overrides);
    Ok(question)
}

/// Path and value of an override.
pub(super) fn assignment(text: &str) -> Result<(&str, &str), Failure> {
    let parts = text.split_once('=');
    let (path, value) =
        parts.ok_or_else(|| Failure::Usage(format!("`--set {text}`: write PATH=VALUE, as workload.batch_size=4")))?;
    Ok((path.trim(), value.trim()))
}

/// A field that is set: its path, its value, and how the user wrote it.
pub(super) struct Field {
    path: String,
    value: String,
    written: String,
}

impl Field {
    pub(super) fn new(path: &str, value: &str, written: String) -> Self {
        Self { path: path.to_owned(), value: value.to_owned(), written }
    }
}

/// Resolves a model on a machine with fields set.
pub(super) fn ask(model: &Described, hardware: &Described, fields: &[Field]) -> Result<Question, Failure> {
    let mut documents = InputDocuments::new(model.document()?, hardware.document()?);
    for field in fields {
        documents.set(&field.path, &field.value, &field.written)?;
    }
    let inputs = documents.read()?;
    let origin = ReportOrigin {
        input_hash: hash(&inputs),
        model_source: model.source.clone(),
        hardware_source: hardware.source.clone(),
        hardware_provenance: inputs.hardware.provenance.sources.join("; "),
        calibration: calibration(&inputs),
        created: created(),
        ..ReportOrigin::default()
    };
    let mut resolved = resolve(&inputs)?;
    resolved.notes.extend(model.remarks.iter().cloned().map(Note::Remark));
    Ok(Question { resolved, origin })
}

/// A model by name, or by path below a folder.
pub(super) fn model(given: &str, folder: &Path) -> Result<Described, Failure> {
    let unknown = match catalog::model_text(given) {
        Ok((id, text)) => return Ok(built_in("profiles", id, text)),
        Err(unknown) => unknown,
    };
    let path = &folder.join(given);
    if !path.exists() {
        return Err(unknown.into());
    }
    let source = file_name(path);
    match import::load(path)? {
        Loaded::Profile(document) if document.has("tensor") => Err(Failure::Input(format!(
            "{given}: this is a machine, not a model\n\
             help: give it to --hardware; `simllm models` lists the models"
        ))),
        Loaded::Profile(document) => Ok(Described::of(&document, source)),
        Loaded::Model(imported) => {
            let remarks = remarks(&imported);
            Ok(Described { text: import::profile_yaml(&imported), source, remarks })
        }
    }
}

/// A machine by name, or by path below a folder.
pub(super) fn hardware(given: &str, folder: &Path) -> Result<Described, Failure> {
    let unknown = match catalog::hardware_text(given) {
        Ok((id, text)) => return Ok(built_in("hardware", id, text)),
        Err(unknown) => unknown,
    };
    let path = &folder.join(given);
    if !path.exists() {
        return Err(unknown.into());
    }
    match import::load(path)? {
        Loaded::Profile(document) if !is_model(&document) => Ok(Described::of(&document, file_name(path))),
        Loaded::Profile(_) | Loaded::Model(_) => Err(Failure::Input(format!(
            "{given}: this is a model description, not a machine\n\
             help: give a machine id (`simllm hardware` lists them) or a YAML file"
        ))),
    }
}

fn is_model(document: &Document) -> bool {
    document.has("model_name") || document.has("weights")
}

fn built_in(folder: &str, id: &str, text: &str) -> Described {
    Described { text: text.to_owned(), source: format!("{folder}/{id}.yaml (built in)"), remarks: Vec::new() }
}

/// Warnings and assumptions of an import.
fn remarks(imported: &Imported) -> Vec<String> {
    let warnings = imported.warnings.iter().map(|warning| warning.message.clone());
    let assumed = imported.defaults.iter();
    let assumed = assumed.map(|a| format!("{} is not stated: {} is assumed, {}", a.field, a.value, a.why));
    warnings.chain(assumed).collect()
}

/// The last part of a path: reports name files, never folders of the machine they were made on.
fn file_name(path: &Path) -> String {
    path.file_name().map_or_else(|| "model".to_owned(), |name| name.to_string_lossy().into_owned())
}

fn calibration(inputs: &Inputs) -> String {
    let costing = &inputs.hardware_original.costing;
    let sets = [&costing.gemm, &costing.attention, &costing.link_set];
    let mut ids: Vec<&str> = sets.into_iter().flatten().map(String::as_str).collect();
    ids.dedup();
    let described = ids.into_iter().filter_map(catalog::calibration);
    let parts: Vec<String> = described.map(|set| format!("{} ({}; {})", set.id, set.date, set.stack)).collect();
    if parts.is_empty() { "class defaults".to_owned() } else { parts.join("; ") }
}

/// Hash of everything an answer depends on, the program's version included.
pub(super) fn hash(inputs: &impl std::fmt::Debug) -> String {
    let mut hasher = Sha256::new();
    hasher.update(env!("CARGO_PKG_VERSION"));
    hasher.update(format!("{inputs:?}"));
    hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The time of creation where the environment fixes it, in UTC; a clock would make two runs differ.
pub(super) fn created() -> Option<String> {
    let seconds: u64 = std::env::var("SOURCE_DATE_EPOCH").ok()?.parse().ok()?;
    utc(seconds)
}

/// `2026-11-30 18:00 UTC` of a Unix time.
fn utc(seconds: u64) -> Option<String> {
    const LAST_SECOND_OF_9999: u64 = 253_402_300_799;
    let time = UNIX_EPOCH + Duration::from_secs(Some(seconds).filter(|s| *s <= LAST_SECOND_OF_9999)?);
    let text = humantime::format_rfc3339_seconds(time).to_string();
    Some(format!("{} {} UTC", text.get(..10)?, text.get(11..16)?))
}

#[cfg(test)]
mod tests {
    use super::utc;

    #[test]
    fn unix_times_become_dates() {
        assert_eq!(utc(0).as_deref(), Some("1970-01-01 00:00 UTC"));
        assert_eq!(utc(951_782_400).as_deref(), Some("2000-02-29 00:00 UTC"));
        assert_eq!(utc(1_796_061_840).as_deref(), Some("2026-11-30 18:04 UTC"));
        assert_eq!(utc(u64::MAX), None);
    }
}
