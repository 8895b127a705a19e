//! From descriptions to a scenario: fills gaps from the catalogue, applies defaults, checks what must agree.

use std::sync::Arc;

use super::notice::{check_claims, check_context, note_rope};
use super::prepared::{PreparedMachine, PreparedModel};
use super::{Deployment, Engine, Model, OuterBits, Sampler, Scenario, Switches, Workload};
use crate::catalog;
use crate::machine::{Calibrations, LocalCoefficients, Machine};
use crate::quantity::{Bytes, KvDtype, Seconds, WeightDtype};
use crate::spec::{ArchitectureSpec, HardwareSpec, ModelSpec, RequestSpec, StorageSpec};

/// Everything a scenario is made of.
#[derive(Clone, Debug)]
pub struct Inputs {
    /// The model profile.
    pub model: ModelSpec,
    /// The machine with overrides.
    pub hardware: HardwareSpec,
    /// The machine before overrides: coefficients scale with what was changed.
    pub hardware_original: HardwareSpec,
    /// Deployment, workload and switches.
    pub request: RequestSpec,
}

/// A scenario and what was decided on the way.
#[derive(Clone, Debug)]
pub struct Resolved {
    /// The question.
    pub scenario: Scenario,
    /// The profile, for its claims and constraints.
    pub profile: Arc<ModelSpec>,
    /// Where the architecture came from.
    pub origin: ModelOrigin,
    /// What the user should know.
    pub notes: Vec<Note>,
}

/// Where the architecture came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModelOrigin {
    /// The profile states it.
    Profile,
    /// The catalogue entry of this id fills what the profile leaves out.
    Catalogue(String),
}

/// Something the user should know about the inputs.
#[derive(Clone, Debug, PartialEq)]
pub enum Note {
    /// The profile's rotary base is not the catalogue's; the catalogue's is used.
    RopeThetaDiffers {
        /// In the profile.
        profile: f64,
        /// In the catalogue.
        catalogue: f64,
    },
    /// `rope_base` is not a parameter of rotary embeddings.
    RopeBaseIgnored(f64),
    /// A stated total does not follow from the architecture.
    ClaimDiffers {
        /// Which.
        claim: &'static str,
        /// As stated.
        stated: f64,
        /// From the architecture.
        computed: f64,
    },
    /// Prompt and output exceed the context the model was trained for.
    BeyondMaxPositions {
        /// Tokens asked for.
        context: u64,
        /// Tokens trained for.
        trained: u64,
    },
    /// The machine lacks what the profile requires; its own kernels are modelled.
    Fallback {
        /// By the profile.
        required: String,
        /// The machine.
        found: String,
    },
    /// A remark of the reader.
    Remark(String),
}

/// Why a scenario cannot be built.
#[derive(Debug, thiserror::Error)]
pub enum ResolveError {
    /// The profile says too little and nothing matches its name.
    #[error(
        "the profile of `{name}` does not state {missing}, and no built-in model matches the name\n\
         help: add an `architecture:` section with them, or name a built-in model (`simllm models` lists them)"
    )]
    NoArchitecture {
        /// The model.
        name: String,
        /// The fields.
        missing: String,
    },
    /// Heads, widths and ranks do not agree.
    #[error("{what}\nhelp: {help}")]
    Inconsistent {
        /// What.
        what: String,
        /// The next step.
        help: String,
    },
    /// The machine lacks what the profile requires.
    #[error(
        "the profile requires {required}; this is {found}\n\
         help: choose another machine, or model its own kernels in their place with --allow-fallback"
    )]
    Constraint {
        /// By the profile.
        required: String,
        /// The machine.
        found: String,
    },
    /// An unknown name.
    #[error(transparent)]
    Unknown(#[from] catalog::UnknownName),
}

/// Defaults of a request.
mod default {
    pub const BATCH: u64 = 1;
    pub const PROMPT: u64 = 512;
    pub const OUTPUT: u64 = 128;
    pub const ENGINE: &str = "vllm@v1";
    pub const UTILIZATION: f64 = 0.9;
    pub const KV_BLOCK: u64 = 16;
    pub const TOP_K: u64 = 50;
    pub const TOP_P: f64 = 0.9;
}

/// The engine whose benchmark client's host time is told for all engines.
const CLIENT_ENGINE: &str = "vllm@v1";

/// Builds the scenario.
///
/// # Errors
/// Missing architecture, inconsistent shapes, unknown engine.
pub fn resolve(inputs: &Inputs) -> Result<Resolved, ResolveError> {
    let model = prepare_model(&inputs.model)?;
    let engine = inputs.request.deployment.engine.as_deref();
    let machine = prepare_machine(&inputs.hardware, &inputs.hardware_original, engine)?;
    assemble(&model, &machine, &inputs.request)
}

/// Completes a model from its profile and the catalogue.
///
/// # Errors
/// Missing architecture, inconsistent shapes.
pub fn prepare_model(spec: &ModelSpec) -> Result<PreparedModel, ResolveError> {
    let mut notes: Vec<Note> = spec.notes.iter().cloned().map(Note::Remark).collect();
    let (model, origin) = resolve_model(spec, &mut notes)?;
    check_claims(spec, &model, &mut notes);
    Ok(PreparedModel { model: Arc::new(model), profile: Arc::new(spec.clone()), origin, notes })
}

/// Builds a machine as an engine's kernels see it; `engine` none means the default.
///
/// # Errors
/// Unknown engine.
pub fn prepare_machine(
    hardware: &HardwareSpec,
    original: &HardwareSpec,
    engine: Option<&str>,
) -> Result<PreparedMachine, ResolveError> {
    let engine = resolve_engine(engine, hardware)?;
    let machine = resolve_machine(hardware, original, &engine);
    Ok(PreparedMachine { machine: Arc::new(machine), engine: Arc::new(engine) })
}

/// Puts a scenario together.
///
/// # Errors
/// Heads that cannot be split over the ranks.
pub fn assemble(
    model: &PreparedModel,
    machine: &PreparedMachine,
    request: &RequestSpec,
) -> Result<Resolved, ResolveError> {
    let mut notes = model.notes.clone();
    let scenario = Scenario {
        deployment: resolve_deployment(request, Arc::clone(&machine.engine)),
        workload: resolve_workload(request),
        switches: resolve_switches(request, &model.profile),
        model: Arc::clone(&model.model),
        machine: Arc::clone(&machine.machine),
    };
    check_ranks(&scenario)?;
    let allowed = request.switches.allow_fallback.unwrap_or(false);
    notes.extend(super::constraint::check(&model.profile.constraint, &scenario.machine, allowed)?);
    check_context(&scenario, &mut notes);
    Ok(Resolved { scenario, profile: Arc::clone(&model.profile), origin: model.origin.clone(), notes })
}

fn resolve_model(spec: &ModelSpec, notes: &mut Vec<Note>) -> Result<(Model, ModelOrigin), ResolveError> {
    let catalogue = catalog::model_matching(&spec.model_name);
    let complete = missing_fields(&spec.architecture).is_empty();
    let (architecture, origin) = match catalogue {
        Some(entry) if !complete => {
            (merge(&spec.architecture, &entry.architecture), ModelOrigin::Catalogue(entry.model_name.clone()))
        }
        _ => (spec.architecture.clone(), ModelOrigin::Profile),
    };
    note_rope(spec, catalogue, notes);
    let (Some(hidden_size), Some(vocab_size), Some(groups)) =
        (architecture.hidden_size, architecture.vocab_size, architecture.groups())
    else {
        let missing = missing_fields(&architecture).join(", ");
        return Err(ResolveError::NoArchitecture { name: spec.model_name.clone(), missing });
    };
    if architecture.is_short_form() {
        check_heads(&architecture, hidden_size)?;
    }
    let final_norm = if architecture.is_short_form() { hidden_size } else { 0 };
    let stated = |storage: &StorageSpec| storage.stated_bits().unwrap_or(16.0);
    let model = Model {
        name: spec.model_name.clone(),
        hidden_size,
        vocab_size,
        tied_embeddings: architecture.tied_embeddings.unwrap_or(false),
        max_positions: architecture.max_position_embeddings,
        groups,
        other_parameters: architecture.other_parameters.unwrap_or(0) + final_norm,
        table_parameters: architecture.table_parameters.unwrap_or(0),
        vision_parameters: architecture.vision_parameters.unwrap_or(0),
        weights: weights_dtype(spec, catalogue),
        weight_bits: spec.storage.linear.stated_bits(),
        fp8_block_scales: spec.fp8_block_scales.or(catalogue.and_then(|entry| entry.fp8_block_scales)).unwrap_or(false),
        outer_bits: OuterBits {
            embedding: stated(&spec.storage.embedding),
            lm_head: stated(&spec.storage.lm_head),
            other: stated(&spec.storage.other),
            vision: stated(&spec.storage.vision),
        },
        kv: spec.kv_dtype.or(catalogue.and_then(|entry| entry.kv_dtype)).unwrap_or(KvDtype::Bf16),
    };
    Ok((model, origin))
}

/// What the profile states, else the type of its QKV product, else the catalogue's checkpoint, else 16 bit.
fn weights_dtype(spec: &ModelSpec, catalogue: Option<&ModelSpec>) -> WeightDtype {
    let stated = spec.weights_dtype.or(spec.compute.qkv_gemm_dtype);
    stated.or(catalogue.and_then(|entry| entry.weights_dtype)).unwrap_or(WeightDtype::Bf16)
}

fn missing_fields(spec: &ArchitectureSpec) -> Vec<&'static str> {
    let outer = [("hidden_size", spec.hidden_size), ("vocab_size", spec.vocab_size)];
    let layers = [("layers", spec.layers), ("intermediate_size", spec.intermediate_size), ("heads", spec.heads)];
    let layers = if spec.is_short_form() { &layers[..] } else { &[] };
    let fields = outer.into_iter().chain(layers.iter().copied());
    fields.filter(|(_, value)| value.is_none()).map(|(name, _)| name).collect()
}

fn merge(own: &ArchitectureSpec, base: &ArchitectureSpec) -> ArchitectureSpec {
    ArchitectureSpec {
        layers: own.layers.or(base.layers),
        hidden_size: own.hidden_size.or(base.hidden_size),
        intermediate_size: own.intermediate_size.or(base.intermediate_size),
        vocab_size: own.vocab_size.or(base.vocab_size),
        heads: own.heads.or(base.heads),
        kv_heads: own.kv_heads.or(base.kv_heads),
        head_dim: own.head_dim.or(base.head_dim),
        gated_ffn: own.gated_ffn.or(base.gated_ffn),
        tied_embeddings: own.tied_embeddings.or(base.tied_embeddings),
        qkv_bias: own.qkv_bias.or(base.qkv_bias),
        qk_norm: own.qk_norm.or(base.qk_norm),
        max_position_embeddings: own.max_position_embeddings.or(base.max_position_embeddings),
        ..own.clone()
    }
}

fn check_heads(spec: &ArchitectureSpec, hidden: u64) -> Result<(), ResolveError> {
    let heads = spec.heads.unwrap_or(1);
    let kv_heads = spec.kv_heads.unwrap_or(heads);
    if !heads.is_multiple_of(kv_heads) {
        return Err(ResolveError::Inconsistent {
            what: format!("{heads} heads cannot be shared by {kv_heads} KV heads"),
            help: "kv_heads must divide heads".to_owned(),
        });
    }
    if spec.head_dim.is_none() && !hidden.is_multiple_of(heads) {
        return Err(ResolveError::Inconsistent {
            what: format!("hidden_size {hidden} is not divisible by {heads} heads"),
            help: "state head_dim".to_owned(),
        });
    }
    Ok(())
}

fn resolve_engine(id: Option<&str>, hardware: &HardwareSpec) -> Result<Engine, ResolveError> {
    let (id, arch) = (id.unwrap_or(default::ENGINE), hardware.kernel_arch());
    if id.eq_ignore_ascii_case(Engine::IDEAL) {
        return Ok(Engine::ideal());
    }
    let client = catalog::engine(CLIENT_ENGINE)?;
    if let Some(local) = catalog::local_engine(id, arch) {
        let coefficients = LocalCoefficients::new(local, arch, hardware.is_geforce());
        return Ok(Engine::local(local, client, coefficients));
    }
    Ok(Engine::on(catalog::engine_on(id, arch)?, client, arch))
}

fn resolve_machine(hardware: &HardwareSpec, original: &HardwareSpec, engine: &Engine) -> Machine {
    let costing = &original.costing;
    let set = |id: &Option<String>| id.as_deref().and_then(catalog::calibration);
    let sets = Calibrations {
        gemm: set(&costing.gemm),
        attention: set(&costing.attention),
        link: set(&costing.link_set),
        defaults: catalog::defaults(),
    };
    let mut machine = Machine::build(hardware, original, &sets, engine.family);
    if let Some(ec) = engine.gemm_ec {
        machine.costs.gemm.set_compute_efficiency(ec);
    }
    machine
}

pub(super) fn resolve_deployment(request: &RequestSpec, engine: Arc<Engine>) -> Deployment {
    let spec = &request.deployment;
    Deployment {
        tensor_parallel: spec.tensor_parallel.unwrap_or(1),
        pipeline_parallel: spec.pipeline_parallel.unwrap_or(1),
        data_parallel: spec.data_parallel.unwrap_or(1),
        expert_parallel: spec.expert_parallel.unwrap_or(1),
        engine,
        memory_utilization: spec.memory_utilization.unwrap_or(default::UTILIZATION),
        kv_block_tokens: spec.kv_block_tokens.unwrap_or(default::KV_BLOCK),
        runtime_reserve: spec.runtime_reserve_gib.map(Bytes::from_gib),
        kv_tokens: spec.kv_tokens,
    }
}

pub(super) fn resolve_workload(request: &RequestSpec) -> Workload {
    let spec = &request.workload;
    Workload {
        batch_size: spec.batch_size.unwrap_or(default::BATCH),
        prompt_len: spec.prompt_len.unwrap_or(default::PROMPT),
        gen_len: spec.gen_len.unwrap_or(default::OUTPUT),
        scenario: spec.scenario.unwrap_or_default(),
    }
}

pub(super) fn resolve_switches(request: &RequestSpec, model: &ModelSpec) -> Switches {
    let spec = &request.switches;
    Switches {
        cuda_graphs: spec.cuda_graphs.unwrap_or(true),
        sampler: Sampler {
            kind: spec.sampler.kind.unwrap_or_default(),
            method: spec.sampler.method.unwrap_or_default(),
            top_k: spec.sampler.top_k.unwrap_or(default::TOP_K),
            top_p: spec.sampler.top_p.unwrap_or(default::TOP_P),
        },
        cpu_overhead: spec.cpu_overhead_ms.map(|ms| Seconds::new(ms * 1e-3)),
        boundary: spec.boundary.unwrap_or_default(),
        fuse_embedding_norm: spec.fuse_embedding_norm.unwrap_or(false),
        embedding_placement: model.io.embedding_placement.unwrap_or_default(),
    }
}

fn check_ranks(scenario: &Scenario) -> Result<(), ResolveError> {
    let (model, ranks) = (&scenario.model, scenario.deployment.tensor_parallel);
    let (layers, stages) = (model.layers(), scenario.deployment.pipeline_parallel);
    if stages > layers {
        return Err(ResolveError::Inconsistent {
            what: format!("{layers} layers cannot be spread over {stages} pipeline stages"),
            help: format!("pipeline_parallel can be at most {layers}"),
        });
    }
    if model.splits_over(ranks) {
        return Ok(());
    }
    let choices: Vec<String> =
        (1..=64).filter(|ranks| model.splits_over(*ranks)).map(|ranks: u64| ranks.to_string()).collect();
    let heads = model.heads().unwrap_or(0);
    let kv_heads = model.softmax().map_or(heads, |spec| spec.kv_heads);
    Err(ResolveError::Inconsistent {
        what: format!("{heads} heads ({kv_heads} KV heads) cannot be split over {ranks} GPUs"),
        help: format!("tensor_parallel can be {}", choices.join(", ")),
    })
}
