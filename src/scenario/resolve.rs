//! From descriptions to a scenario: fills gaps from the catalogue, applies defaults, checks what must agree.

use std::sync::Arc;

use super::{Deployment, Engine, Model, Sampler, Scenario, Switches, Workload};
use crate::catalog;
use crate::machine::{Calibrations, Machine};
use crate::quantity::{Bytes, KvDtype, Seconds, WeightDtype};
use crate::spec::{ArchitectureSpec, HardwareSpec, ModelSpec, RequestSpec};

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

/// A model ready for any number of scenarios.
#[derive(Clone, Debug)]
pub struct PreparedModel {
    model: Arc<Model>,
    profile: Arc<ModelSpec>,
    origin: ModelOrigin,
    notes: Vec<Note>,
}

/// A machine and an engine ready for any number of scenarios.
#[derive(Clone, Debug)]
pub struct PreparedMachine {
    machine: Arc<Machine>,
    engine: Arc<Engine>,
}

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
    let engine = resolve_engine(engine, &hardware.sm_arch)?;
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
    check_context(&scenario, &mut notes);
    Ok(Resolved { scenario, profile: Arc::clone(&model.profile), origin: model.origin.clone(), notes })
}

fn resolve_model(spec: &ModelSpec, notes: &mut Vec<Note>) -> Result<(Model, ModelOrigin), ResolveError> {
    let catalogue = catalog::model_matching(&spec.model_name);
    let own = &spec.architecture;
    if !own.is_short_form() {
        return Err(ResolveError::Inconsistent {
            what: format!("`{}` has layers of several shapes; only dense models are simulated", spec.model_name),
            help: "name a dense model".to_owned(),
        });
    }
    let complete = missing_fields(own).is_empty();
    let base = catalogue.map(|entry| &entry.architecture).filter(|_| !complete);
    let origin = match (catalogue, complete) {
        (Some(entry), false) => ModelOrigin::Catalogue(entry.model_name.clone()),
        _ => ModelOrigin::Profile,
    };
    note_rope(spec, catalogue, notes);
    let empty = ArchitectureSpec::default();
    let merged = merge(own, base.unwrap_or(&empty));
    let missing = missing_fields(&merged);
    let (Some(layers), Some(hidden_size), Some(intermediate_size), Some(vocab_size), Some(heads)) =
        (merged.layers, merged.hidden_size, merged.intermediate_size, merged.vocab_size, merged.heads)
    else {
        return Err(ResolveError::NoArchitecture { name: spec.model_name.clone(), missing: missing.join(", ") });
    };
    let kv_heads = merged.kv_heads.unwrap_or(heads);
    check_heads(heads, kv_heads, hidden_size, merged.head_dim)?;
    let entry_weights = catalogue.and_then(|entry| entry.weights_dtype);
    let entry_kv = catalogue.and_then(|entry| entry.kv_dtype);
    let model = Model {
        name: spec.model_name.clone(),
        layers,
        hidden_size,
        intermediate_size,
        vocab_size,
        heads,
        kv_heads,
        head_dim: merged.head_dim.unwrap_or(hidden_size / heads),
        gated_ffn: merged.gated_ffn.unwrap_or(true),
        tied_embeddings: merged.tied_embeddings.unwrap_or(false),
        qkv_bias: merged.qkv_bias.unwrap_or(false),
        qk_norm: merged.qk_norm.unwrap_or(false),
        max_positions: merged.max_position_embeddings,
        weights: spec.weights_dtype.or(spec.compute.qkv_gemm_dtype).or(entry_weights).unwrap_or(WeightDtype::Bf16),
        fp8_block_scales: spec.fp8_block_scales.or(catalogue.and_then(|entry| entry.fp8_block_scales)).unwrap_or(false),
        kv: spec.kv_dtype.or(entry_kv).unwrap_or(KvDtype::Bf16),
    };
    Ok((model, origin))
}

fn missing_fields(spec: &ArchitectureSpec) -> Vec<&'static str> {
    let fields = [
        ("layers", spec.layers),
        ("hidden_size", spec.hidden_size),
        ("intermediate_size", spec.intermediate_size),
        ("vocab_size", spec.vocab_size),
        ("heads", spec.heads),
    ];
    fields.into_iter().filter(|(_, value)| value.is_none()).map(|(name, _)| name).collect()
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

fn note_rope(spec: &ModelSpec, catalogue: Option<&ModelSpec>, notes: &mut Vec<Note>) {
    let known = catalogue.and_then(|entry| entry.compute.rope_theta);
    if let (Some(profile), Some(catalogue)) = (spec.compute.rope_theta, known)
        && profile != catalogue
    {
        notes.push(Note::RopeThetaDiffers { profile, catalogue });
    }
    if let Some(base) = spec.compute.rope_base {
        notes.push(Note::RopeBaseIgnored(base));
    }
}

fn check_heads(heads: u64, kv_heads: u64, hidden: u64, head_dim: Option<u64>) -> Result<(), ResolveError> {
    if !heads.is_multiple_of(kv_heads) {
        return Err(ResolveError::Inconsistent {
            what: format!("{heads} heads cannot be shared by {kv_heads} KV heads"),
            help: "kv_heads must divide heads".to_owned(),
        });
    }
    if head_dim.is_none() && !hidden.is_multiple_of(heads) {
        return Err(ResolveError::Inconsistent {
            what: format!("hidden_size {hidden} is not divisible by {heads} heads"),
            help: "state head_dim".to_owned(),
        });
    }
    Ok(())
}

fn resolve_engine(id: Option<&str>, sm_arch: &str) -> Result<Engine, ResolveError> {
    let id = id.unwrap_or(default::ENGINE);
    if id == Engine::IDEAL {
        return Ok(Engine::ideal());
    }
    Ok(Engine::on(catalog::engine(id)?, catalog::engine(CLIENT_ENGINE)?, sm_arch))
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
    Machine::build(hardware, original, &sets, engine.family)
}

fn resolve_deployment(request: &RequestSpec, engine: Arc<Engine>) -> Deployment {
    let spec = &request.deployment;
    Deployment {
        tensor_parallel: spec.tensor_parallel.unwrap_or(1),
        engine,
        memory_utilization: spec.memory_utilization.unwrap_or(default::UTILIZATION),
        kv_block_tokens: spec.kv_block_tokens.unwrap_or(default::KV_BLOCK),
        runtime_reserve: spec.runtime_reserve_gib.map(Bytes::from_gib),
        kv_tokens: spec.kv_tokens,
    }
}

fn resolve_workload(request: &RequestSpec) -> Workload {
    let spec = &request.workload;
    Workload {
        batch_size: spec.batch_size.unwrap_or(default::BATCH),
        prompt_len: spec.prompt_len.unwrap_or(default::PROMPT),
        gen_len: spec.gen_len.unwrap_or(default::OUTPUT),
        scenario: spec.scenario.unwrap_or_default(),
    }
}

fn resolve_switches(request: &RequestSpec, model: &ModelSpec) -> Switches {
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
    if model.splits_over(ranks) {
        return Ok(());
    }
    let choices: Vec<String> =
        (1..=model.heads.min(64)).filter(|ranks| model.splits_over(*ranks)).map(|ranks| ranks.to_string()).collect();
    Err(ResolveError::Inconsistent {
        what: format!("{} heads ({} KV heads) cannot be split over {ranks} GPUs", model.heads, model.kv_heads),
        help: format!("tensor_parallel can be {}", choices.join(", ")),
    })
}

/// Stated totals within this share of the computed ones agree.
const CLAIM_TOLERANCE: f64 = 0.005;

fn check_claims(spec: &ModelSpec, model: &Model, notes: &mut Vec<Note>) {
    let parameters = model.parameters() as f64;
    let claims = [
        ("params_total", spec.claims.params_total, parameters),
        ("params_active", spec.claims.params_active, parameters),
        ("weight_bytes", spec.claims.weight_bytes, model.weight_bytes()),
        ("layers", spec.claims.layers, model.layers as f64),
    ];
    for (claim, stated, computed) in claims {
        if let Some(stated) = stated
            && (stated / computed - 1.0).abs() > CLAIM_TOLERANCE
        {
            notes.push(Note::ClaimDiffers { claim, stated, computed });
        }
    }
}

fn check_context(scenario: &Scenario, notes: &mut Vec<Note>) {
    let context = scenario.workload.prompt_len + scenario.workload.gen_len;
    if let Some(trained) = scenario.model.max_positions.filter(|trained| context > *trained) {
        notes.push(Note::BeyondMaxPositions { context, trained });
    }
}
