//! A declared report ready to run: its question, and the descriptions its points are made of.

use std::collections::BTreeMap;

use super::package::Package;
use crate::catalog;
use crate::cli::command::{quote, wrapped};
use crate::cli::exit::Failure;
use crate::cli::input::{self, Described, Field, Question};
use crate::diagnose::Budgets;
use crate::report::sweep::SweepQuestion;
use crate::scenario::{InputDocuments, SHORT_PATHS};
use crate::spec::{DeclaredSpec, Document, Gate, HardwareSpec, ModelSpec};
use crate::sweep::{Library, Matrix, PointResult, describe, names};

/// A declared report ready to run.
pub(super) struct Declared {
    pub question: SweepQuestion,
    pub library: Library,
    package: Package,
}

impl Declared {
    /// From a package.
    pub(super) fn new(package: Package, most: u64) -> Result<Self, Failure> {
        let spec = DeclaredSpec::read(&Document::parse(&package.file, &package.text)?)?;
        let at = |what: String| Failure::Input(format!("{}: {what}", package.file));
        let matrix = Matrix::new(&spec, most).map_err(|error| at(error.to_string()))?;
        let focus = match &spec.focus {
            none if none.is_empty() => None,
            wanted => Some(matrix.find(wanted).ok_or_else(|| {
                let told = wanted.iter().map(|(path, value)| format!("{path} {value}")).collect::<Vec<_>>().join(", ");
                at(format!(
                    "no point of the matrix is the focus: {told}\nhelp: `focus` takes values that the axes have"
                ))
            })?),
        };
        let mut budgets = Budgets::default();
        for (key, limit) in &spec.budgets {
            budgets.extend(format!("{key}={limit}").parse::<Budgets>());
        }
        if spec.gate == Some(Gate::Focus) && focus.is_none() {
            return Err(at("`gate: focus` needs a `focus`\nhelp: name the point, or use `gate: best`".to_owned()));
        }
        let gate = spec.gate.unwrap_or(if focus.is_some() { Gate::Focus } else { Gate::Best });
        let library = library(&package, &matrix)?;
        let title = spec.title.filter(|title| !title.trim().is_empty()).unwrap_or_else(|| package.stem.clone());
        let question = SweepQuestion {
            title,
            stem: package.stem.clone(),
            input_hash: input::hash(&(&package.text, &package.models, &package.machines, &library)),
            command: format!("simllm report {}", quote(&format!("{}.yaml", package.stem))),
            created: input::created(),
            names: display_names(&library),
            settings: spec.settings,
            focus: focus.map(|point| point.ordinal),
            matrix,
            budgets,
            gate,
        };
        Ok(Self { question, library, package })
    }

    /// The notes beside it, as Markdown.
    pub(super) fn notes(&self) -> Option<&str> {
        self.package.notes.as_deref()
    }

    /// A point as a question of its own, with the command that asks it.
    pub(super) fn ask(&self, point: &PointResult) -> Result<Question, Failure> {
        let fields = self.fields(point);
        let named = |wanted: &str| fields.iter().rev().find(|(path, _)| path == wanted).map(|(_, value)| value.clone());
        let (model_name, hardware_name) = (named("model").unwrap_or_default(), named("hardware").unwrap_or_default());
        let model = describe_input(&self.package.models, &model_name, |name| catalog::model_text(name).ok())?;
        let hardware =
            describe_input(&self.package.machines, &hardware_name, |name| catalog::hardware_text(name).ok())?;
        let set: Vec<Field> = fields
            .iter()
            .filter(|(path, _)| !["model", "hardware"].contains(&path.as_str()) && !path.starts_with("budgets."))
            .map(|(path, value)| Field::new(path, value, format!("{path}: {value}")))
            .collect();
        let told = describe(self.question.columns(), &point.values);
        let mut question = input::ask(&model, &hardware, &set).map_err(|failure| failure.within(&told))?;
        question.origin.command = command(&fields, &point.budgets);
        Ok(question)
    }

    /// Every field of a point: what all share first, so that its own win.
    fn fields(&self, point: &PointResult) -> Vec<(String, String)> {
        let own = self.question.columns().iter().zip(&point.values);
        let own = own.filter_map(|(path, value)| Some((path.to_string(), value.as_ref()?.to_string())));
        let mut fields: Vec<(String, String)> = Vec::new();
        for (path, value) in self.question.settings.iter().cloned().chain(own) {
            let full = InputDocuments::full_path(&path);
            fields.retain(|(earlier, _)| InputDocuments::full_path(earlier) != full);
            fields.push((path, value));
        }
        fields
    }
}

fn library(package: &Package, matrix: &Matrix) -> Result<Library, Failure> {
    let mut library = Library::default();
    for name in names(matrix, "model") {
        let found = describe_input(&package.models, &name, |name| catalog::model_text(name).ok())?;
        library.models.insert(name.to_string(), found.document()?);
    }
    for name in names(matrix, "hardware") {
        let found = describe_input(&package.machines, &name, |name| catalog::hardware_text(name).ok())?;
        library.machines.insert(name.to_string(), found.document()?);
    }
    Ok(library)
}

/// What models and machines call themselves, by the value that the matrix gives; values that share a name keep their own
/// beside it.
fn display_names(library: &Library) -> BTreeMap<String, String> {
    let models =
        library.models.iter().map(|(value, document)| (value, ModelSpec::read(document).map(|m| m.model_name)));
    let machines =
        library.machines.iter().map(|(value, document)| (value, HardwareSpec::read(document).map(|m| m.name)));
    let named: Vec<(&String, String)> =
        models.chain(machines).filter_map(|(value, name)| Some((value, name.ok()?))).collect();
    let shared = |name: &String| named.iter().filter(|(_, other)| other == name).count() > 1;
    let told = |(value, name): &(&String, String)| {
        ((*value).clone(), if shared(name) { format!("{name} ({value})") } else { name.clone() })
    };
    named.iter().map(told).collect()
}

type BuiltIn = Option<(&'static str, &'static str)>;

fn describe_input(
    packed: &BTreeMap<String, Described>,
    name: &str,
    built_in: impl Fn(&str) -> BuiltIn,
) -> Result<Described, Failure> {
    if let Some(found) = packed.get(name) {
        return Ok(found.clone());
    }
    let (id, text) = built_in(name).ok_or_else(|| {
        Failure::Input(format!("`{name}` is neither built in nor packed\nhelp: simulate the parts with this version"))
    })?;
    Ok(Described { text: text.to_owned(), source: format!("{id} (built in)"), remarks: Vec::new() })
}

/// `simllm-profile` for a point.
fn command(fields: &[(String, String)], budgets: &Budgets) -> String {
    let mut words = vec!["simllm-profile".to_owned()];
    for (path, value) in fields.iter().filter(|(path, _)| !path.starts_with("budgets.")) {
        let full = InputDocuments::full_path(path);
        let short = SHORT_PATHS.iter().find(|(_, known)| *known == full).map(|(short, _)| *short);
        match short.or((path == "model" || path == "hardware").then_some(path.as_str())) {
            Some(short) if OPTIONS.contains(&short) => {
                words.extend([format!("--{}", short.replace('_', "-")), quote(value)]);
            }
            _ => words.extend(["--set".to_owned(), quote(&format!("{full}={value}"))]),
        }
    }
    for (metric, limit) in budgets.iter() {
        words.extend(["--budget".to_owned(), format!("{}={limit}", metric.key())]);
    }
    wrapped(&words)
}

/// Fields that have an option of their own.
const OPTIONS: [&str; 16] = [
    "model",
    "hardware",
    "scenario",
    "batch_size",
    "prompt_len",
    "gen_len",
    "engine",
    "tensor_parallel",
    "pipeline_parallel",
    "weights_dtype",
    "kv_dtype",
    "embedding_placement",
    "sampler",
    "memory_utilization",
    "cpu_overhead_ms",
    "boundary",
];
