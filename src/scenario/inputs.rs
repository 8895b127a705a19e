//! The documents a scenario is read from, and how options and overrides write into them.

use super::Inputs;
use crate::catalog::{self, UnknownName};
use crate::spec::{Document, Fault, HardwareSpec, ModelSpec, Place, RequestSpec, SpecError, nearest};

/// A model, a machine and a request, still editable by path.
#[derive(Clone, Debug)]
pub struct InputDocuments {
    model: Document,
    model_original: Document,
    hardware: Document,
    hardware_original: Document,
    request: Document,
}

/// Short names of the fields people set most, with the path each stands for.
pub const SHORT_PATHS: [(&str, &str); 26] = [
    ("batch_size", "workload.batch_size"),
    ("prompt_len", "workload.prompt_len"),
    ("gen_len", "workload.gen_len"),
    ("scenario", "workload.scenario"),
    ("tensor_parallel", "deployment.tensor_parallel"),
    ("pipeline_parallel", "deployment.pipeline_parallel"),
    ("data_parallel", "deployment.data_parallel"),
    ("expert_parallel", "deployment.expert_parallel"),
    ("engine", "deployment.engine"),
    ("memory_utilization", "deployment.memory_utilization"),
    ("kv_block_tokens", "deployment.kv_block_tokens"),
    ("runtime_reserve_gib", "deployment.runtime_reserve_gib"),
    ("kv_tokens", "deployment.kv_tokens"),
    ("cuda_graphs", "switches.cuda_graphs"),
    ("sampler", "switches.sampler.kind"),
    ("sampler_method", "switches.sampler.method"),
    ("top_k", "switches.sampler.top_k"),
    ("top_p", "switches.sampler.top_p"),
    ("cpu_overhead_ms", "switches.cpu_overhead_ms"),
    ("boundary", "switches.boundary"),
    ("fuse_embedding_norm", "switches.fuse_embedding_norm"),
    ("allow_fallback", "switches.allow_fallback"),
    ("weights_dtype", "model.weights.dtype"),
    ("kv_dtype", "model.kv_cache.dtype"),
    ("embedding_placement", "model.io_profile.embedding_placement"),
    ("pcie_bandwidth_gb_s", "hardware.pcie.bandwidth_gb_s"),
];

const SECTIONS: [&str; 5] = ["model", "hardware", "deployment", "workload", "switches"];

impl InputDocuments {
    /// From a model profile and a machine.
    #[must_use]
    pub fn new(model: Document, hardware: Document) -> Self {
        let (model_original, hardware_original) = (model.clone(), hardware.clone());
        Self { model, model_original, hardware, hardware_original, request: Document::empty() }
    }

    /// From names of the catalogue.
    ///
    /// # Errors
    /// If a name is unknown.
    pub fn from_catalogue(model: &str, hardware: &str) -> Result<Self, UnknownName> {
        let (model_id, model) = catalog::model_text(model)?;
        let (hardware_id, hardware) = catalog::hardware_text(hardware)?;
        let embedded = |folder, id, text| {
            Document::parse(&format!("embedded:{folder}/{id}.yaml"), text).unwrap_or_else(|_| Document::empty())
        };
        Ok(Self::new(embedded("profiles", model_id, model), embedded("hardware", hardware_id, hardware)))
    }

    /// The dotted path that a short one stands for; others are returned as they are.
    #[must_use]
    pub fn full_path(path: &str) -> String {
        SHORT_PATHS.iter().find(|(short, _)| *short == path).map_or(path, |(_, full)| full).to_owned()
    }

    /// Whether a path, bare or dotted, starts with a section that exists.
    ///
    /// # Errors
    /// The nearest paths.
    pub fn check_path(path: &str) -> Result<(), SpecError> {
        let full = Self::full_path(path);
        let known = full.split_once('.').is_some_and(|(section, rest)| SECTIONS.contains(&section) && !rest.is_empty());
        if known { Ok(()) } else { Err(unknown_path(path, path).into()) }
    }

    /// Sets a field by path, bare or dotted. `origin` is how the user wrote it, for messages.
    ///
    /// # Errors
    /// If the path starts with no known section, or the value is not one.
    pub fn set(&mut self, path: &str, value: &str, origin: &str) -> Result<(), SpecError> {
        let path = Self::full_path(path);
        let path = path.as_str();
        let (section, rest) = path.split_once('.').unwrap_or((path, ""));
        match section {
            "model" if !rest.is_empty() => self.model.set(rest, value, origin),
            "hardware" if !rest.is_empty() => self.hardware.set(rest, value, origin),
            "deployment" | "workload" | "switches" if !rest.is_empty() => self.request.set(path, value, origin),
            _ => Err(unknown_path(path, origin).into()),
        }
    }

    /// Reads all documents.
    ///
    /// # Errors
    /// All faults of the first document that has any.
    pub fn read(&self) -> Result<Inputs, SpecError> {
        let mut model = ModelSpec::read(&self.model)?;
        if let Ok(original) = ModelSpec::read(&self.model_original) {
            model.follow_dtype(&original);
        }
        Ok(Inputs {
            model,
            hardware: HardwareSpec::read(&self.hardware)?,
            hardware_original: HardwareSpec::read(&self.hardware_original)?,
            request: RequestSpec::read(&self.request)?,
        })
    }
}

fn unknown_path(path: &str, origin: &str) -> Fault {
    let names = SHORT_PATHS.iter().flat_map(|(short, full)| [*short, *full]).chain(SECTIONS);
    let near = nearest(path, names, 3);
    let help = if near.is_empty() {
        format!("paths start with {}", SECTIONS.join(", "))
    } else {
        format!("did you mean {}?", near.join(", "))
    };
    Fault::new(Place::Option(origin.to_owned()), format!("unknown path `{path}`")).help(help)
}
