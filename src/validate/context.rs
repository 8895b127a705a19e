//! What the user says of measurements beside the files: a model, a machine, options and overrides.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use super::models;
use crate::catalog;
use crate::quantity::KvDtype;
use crate::scenario::{InputDocuments, Model, PreparedMachine, ResolveError, prepare_machine, prepare_model};
use crate::spec::{Document, HardwareSpec, SpecError};

/// A field that the user sets: path, value, and how it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// Bare or dotted path.
    pub path: String,
    /// Value.
    pub value: String,
    /// As written, for messages.
    pub written: String,
}

/// Fills what files leave open, and keeps machines once built.
#[derive(Debug, Default)]
pub struct Context {
    model: Option<Arc<Model>>,
    hardware: Option<(HardwareSpec, HardwareSpec)>,
    settings: Vec<Setting>,
    /// Values of the load and the deployment, where set.
    pub given: Given,
    machines: RefCell<HashMap<(String, String), PreparedMachine>>,
}

/// What options say of every run that does not say it itself; `engine` counts even where it does.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Given {
    /// Serving engine, as `vllm@v1`.
    pub engine: Option<String>,
    /// Storage of the weights.
    pub weights_dtype: Option<String>,
    /// Storage of the cache.
    pub kv_dtype: Option<KvDtype>,
    /// Devices that share each layer.
    pub tensor_parallel: Option<u64>,
    /// Attention replicas.
    pub data_parallel: Option<u64>,
    /// Devices that experts are spread over.
    pub expert_parallel: Option<u64>,
    /// Requests in flight.
    pub batch_size: Option<f64>,
    /// Prompt tokens.
    pub prompt_len: Option<f64>,
    /// Output tokens.
    pub gen_len: Option<f64>,
}

/// Why what the user says cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ContextError {
    /// A document or an override.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// A model or machine that cannot be built.
    #[error(transparent)]
    Resolve(#[from] ResolveError),
    /// A name.
    #[error(transparent)]
    Unknown(#[from] catalog::UnknownName),
}

impl Context {
    /// A model and a machine where they are given, and fields that hold for every run.
    ///
    /// # Errors
    /// If a document, a path or a value is wrong.
    pub fn new(
        model: Option<Document>,
        hardware: Option<Document>,
        settings: Vec<Setting>,
    ) -> Result<Self, ContextError> {
        let mut documents = InputDocuments::new(
            model.clone().unwrap_or_else(placeholder_model),
            hardware.clone().unwrap_or_else(placeholder_machine),
        );
        for setting in settings.iter().filter(|setting| !is_weights_dtype(&setting.path)) {
            documents.set(&setting.path, &setting.value, &setting.written)?;
        }
        let inputs = documents.read()?;
        let (deployment, workload) = (&inputs.request.deployment, &inputs.request.workload);
        let text = |path: &str| {
            let full = InputDocuments::full_path(path);
            let found = settings.iter().rev().find(|setting| InputDocuments::full_path(&setting.path) == full);
            found.map(|setting| setting.value.clone())
        };
        let given = Given {
            engine: deployment.engine.clone(),
            weights_dtype: text("weights_dtype"),
            kv_dtype: text("kv_dtype").and(inputs.model.kv_dtype),
            tensor_parallel: deployment.tensor_parallel,
            data_parallel: deployment.data_parallel,
            expert_parallel: deployment.expert_parallel,
            batch_size: workload.batch_size.map(|n| n as f64),
            prompt_len: workload.prompt_len.map(|n| n as f64),
            gen_len: workload.gen_len.map(|n| n as f64),
        };
        Ok(Self {
            model: match model {
                Some(_) => Some(Arc::clone(prepare_model(&inputs.model)?.model())),
                None => None,
            },
            hardware: hardware.map(|_| (inputs.hardware, inputs.hardware_original)),
            settings,
            given,
            machines: RefCell::default(),
        })
    }

    /// The model: the user's where given, else the one that the run names.
    #[must_use]
    pub fn model(&self, name: Option<&str>) -> Option<Arc<Model>> {
        self.model.clone().or_else(|| models::named(name?))
    }

    /// The machine: the user's where given, else the one that the run names, with overrides.
    ///
    /// # Errors
    /// If an override does not fit the machine.
    pub fn hardware(&self, name: Option<&str>) -> Result<Option<(HardwareSpec, HardwareSpec)>, ContextError> {
        if self.hardware.is_some() {
            return Ok(self.hardware.clone());
        }
        let Some(id) = name.and_then(machine_id) else { return Ok(None) };
        let mut documents = InputDocuments::from_catalogue(PLACEHOLDER_MODEL, id)?;
        let own = self.settings.iter().filter(|s| InputDocuments::full_path(&s.path).starts_with("hardware."));
        for setting in own {
            documents.set(&setting.path, &setting.value, &setting.written)?;
        }
        let inputs = documents.read()?;
        Ok(Some((inputs.hardware, inputs.hardware_original)))
    }

    /// A machine as an engine's kernels see it; built once.
    ///
    /// # Errors
    /// If the engine is unknown.
    pub fn machine(
        &self,
        hardware: &(HardwareSpec, HardwareSpec),
        engine: &str,
    ) -> Result<PreparedMachine, ContextError> {
        let key = (hardware.0.id.clone(), engine.to_owned());
        if let Some(found) = self.machines.borrow().get(&key) {
            return Ok(found.clone());
        }
        let prepared = prepare_machine(&hardware.0, &hardware.1, Some(engine))?;
        self.machines.borrow_mut().insert(key, prepared.clone());
        Ok(prepared)
    }

    /// Whether the user gave a model.
    #[must_use]
    pub fn has_model(&self) -> bool {
        self.model.is_some()
    }

    /// Whether the user gave a machine.
    #[must_use]
    pub fn has_hardware(&self) -> bool {
        self.hardware.is_some()
    }
}

/// Storage types of measurements are more than a profile knows: they are read by name.
fn is_weights_dtype(path: &str) -> bool {
    InputDocuments::full_path(path) == InputDocuments::full_path("weights_dtype")
}

/// What stands for a document that was not given, so that overrides of the other can be read.
const PLACEHOLDER_MODEL: &str = "llama-3-8b";
const PLACEHOLDER_MACHINE: &str = "a100_80gb_sxm";

fn placeholder_model() -> Document {
    let (id, text) = catalog::model_text(PLACEHOLDER_MODEL).unwrap_or(("", ""));
    Document::parse(id, text).unwrap_or_else(|_| Document::empty())
}

fn placeholder_machine() -> Document {
    let (id, text) = catalog::hardware_text(PLACEHOLDER_MACHINE).unwrap_or(("", ""));
    Document::parse(id, text).unwrap_or_else(|_| Document::empty())
}

/// What drivers call devices without naming their form.
const DRIVER_NAMES: &[(&str, &str)] = &[
    ("NVIDIA H100 80GB HBM3", "h100_80gb_sxm"),
    ("NVIDIA H100 PCIe", "h100_80gb_pcie"),
    ("NVIDIA H200", "h200_sxm"),
    ("NVIDIA H20", "h20"),
    ("NVIDIA B200", "b200_sxm"),
    ("NVIDIA GH200 480GB", "gh200_96gb"),
    ("NVIDIA RTX A6000", "a6000"),
    ("Tesla T4", "t4"),
];

/// The catalogue's id of a device as tools write it: an id, an alias, or a driver's name that holds the machine's.
#[must_use]
pub fn machine_id(name: &str) -> Option<&'static str> {
    if let Ok((id, _)) = catalog::hardware_text(name) {
        return Some(id);
    }
    if let Some((_, id)) = DRIVER_NAMES.iter().find(|(known, _)| name.eq_ignore_ascii_case(known)) {
        return Some(id);
    }
    let words = words(name);
    let held = |spec: &&'static HardwareSpec| {
        let own = self::words(&spec.name);
        own.iter().all(|word| words.contains(word))
    };
    let found = catalog::machines().iter().filter(held).max_by_key(|spec| self::words(&spec.name).len());
    found.map(|spec| spec.id.as_str())
}

fn words(name: &str) -> Vec<String> {
    let split = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    split.map(str::to_ascii_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_are_found_by_what_drivers_call_them() {
        assert_eq!(machine_id("h200_sxm"), Some("h200_sxm"));
        assert_eq!(machine_id("NVIDIA GeForce RTX 4090"), Some("rtx_4090"));
        assert_eq!(machine_id("NVIDIA A100-SXM4-80GB"), Some("a100_80gb_sxm"));
        assert_eq!(machine_id("Some Accelerator"), None);
        assert!(DRIVER_NAMES.iter().all(|(name, id)| machine_id(name) == machine_id(id)));
    }
}
