//! What is asked: deployment, workload and switches.

use super::document::Document;
use super::fault::SpecError;
use super::fields::{Fields, Findings, Range};

/// Deployment, workload and switches as written; absent means the default of the rooms above.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RequestSpec {
    /// How the model is deployed.
    pub deployment: DeploymentSpec,
    /// The requests.
    pub workload: WorkloadSpec,
    /// What is switched on or off.
    pub switches: SwitchesSpec,
}

/// How the model is deployed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DeploymentSpec {
    /// GPUs that share each layer.
    pub tensor_parallel: Option<u64>,
    /// Stages that the layers are spread over.
    pub pipeline_parallel: Option<u64>,
    /// Replicas of the attention part that share the experts.
    pub data_parallel: Option<u64>,
    /// GPUs that whole experts are spread over.
    pub expert_parallel: Option<u64>,
    /// Serving engine and era, as `vllm@v1`.
    pub engine: Option<String>,
    /// Share of device memory the engine may use.
    pub memory_utilization: Option<f64>,
    /// Tokens per block of the paged KV cache.
    pub kv_block_tokens: Option<u64>,
    /// Memory kept for activations and the runtime together.
    pub runtime_reserve_gib: Option<f64>,
    /// KV capacity as the engine reports it, in place of the computed one.
    pub kv_tokens: Option<u64>,
}

/// One static batch of equal requests.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WorkloadSpec {
    /// Requests that arrive together.
    pub batch_size: Option<u64>,
    /// Prompt tokens of each.
    pub prompt_len: Option<u64>,
    /// Output tokens of each.
    pub gen_len: Option<u64>,
    /// Which phases are reported.
    pub scenario: Option<ScenarioKind>,
}

/// What is switched on or off.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SwitchesSpec {
    /// Decode steps are captured as CUDA graphs.
    pub cuda_graphs: Option<bool>,
    /// How the next token is drawn.
    pub sampler: SamplerSpec,
    /// Host time of a request before the engine, in place of the engine's figure.
    pub cpu_overhead_ms: Option<f64>,
    /// Where the clock starts.
    pub boundary: Option<Boundary>,
    /// Embedding and first norm are one kernel.
    pub fuse_embedding_norm: Option<bool>,
    /// Kernels that the profile requires and the machine lacks are replaced by the machine's own.
    pub allow_fallback: Option<bool>,
}

/// How the next token is drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SamplerSpec {
    /// The rule.
    pub kind: Option<SamplerKind>,
    /// How the engine carries it out.
    pub method: Option<SamplerMethod>,
    /// Kept candidates of top-k.
    pub top_k: Option<u64>,
    /// Kept probability of top-p.
    pub top_p: Option<f64>,
}

/// Which phases are reported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ScenarioKind {
    /// Prefill and decode.
    #[default]
    FullInference,
    /// Prefill only.
    Prefill,
    /// Decode only.
    Decode,
}

/// The rule by which the next token is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SamplerKind {
    /// The most likely token.
    #[default]
    Greedy,
    /// Among the k most likely.
    TopK,
    /// Among the most likely that hold probability p.
    TopP,
}

/// How top-k and top-p are carried out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SamplerMethod {
    /// Framework operators: a full sort of the vocabulary per row.
    #[default]
    Sort,
    /// One fused rejection-sampling kernel.
    Fused,
}

/// Where the clock of TTFT starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Boundary {
    /// At the client: tokenising, HTTP and queueing are included.
    #[default]
    Client,
    /// At the engine's first step.
    Engine,
}

pub(super) fn name_in<T: Copy + PartialEq>(all: &[(T, &'static str)], value: T) -> &'static str {
    all.iter().find(|(v, _)| *v == value).map_or("", |(_, name)| name)
}

pub(super) fn parse_in<T: Copy>(all: &[(T, &'static str)], text: &str) -> Result<T, String> {
    let found = all.iter().find(|(_, name)| name.eq_ignore_ascii_case(text)).map(|(v, _)| *v);
    found.ok_or_else(|| {
        let names = all.iter().map(|(_, name)| *name).collect::<Vec<_>>().join(", ");
        format!("`{text}` is not one of {names}")
    })
}

macro_rules! named {
    ($type:ident, $count:literal, [$(($variant:ident, $name:literal)),+]) => {
        impl $type {
            /// Every value with its name.
            pub const ALL: [(Self, &'static str); $count] = [$((Self::$variant, $name)),+];

            /// The name used in files and options.
            #[must_use]
            pub fn name(self) -> &'static str {
                name_in(&Self::ALL, self)
            }
        }
        impl std::str::FromStr for $type {
            type Err = String;
            fn from_str(text: &str) -> Result<Self, String> {
                parse_in(&Self::ALL, text)
            }
        }
    };
}

named!(ScenarioKind, 3, [(FullInference, "full_inference"), (Prefill, "prefill"), (Decode, "decode")]);
named!(SamplerKind, 3, [(Greedy, "greedy"), (TopK, "top_k"), (TopP, "top_p")]);
named!(SamplerMethod, 2, [(Sort, "sort"), (Fused, "fused")]);
named!(Boundary, 2, [(Client, "client"), (Engine, "engine")]);

impl RequestSpec {
    /// Reads the three sections.
    ///
    /// # Errors
    /// All faults at once.
    pub fn read(document: &Document) -> Result<Self, SpecError> {
        let findings = Findings::default();
        let mut fields = Fields::top(document, "", &findings);
        let spec = Self {
            deployment: read_deployment(fields.section("deployment")),
            workload: read_workload(fields.section("workload")),
            switches: read_switches(fields.section("switches")),
        };
        fields.finish();
        findings.conclude(spec).map(|(spec, _)| spec)
    }
}

fn read_deployment(mut fields: Fields<'_>) -> DeploymentSpec {
    let spec = DeploymentSpec {
        tensor_parallel: fields.count("tensor_parallel", 1024),
        pipeline_parallel: fields.count("pipeline_parallel", 1024),
        data_parallel: fields.count("data_parallel", 1024),
        expert_parallel: fields.count("expert_parallel", 1 << 16),
        engine: fields.text("engine"),
        memory_utilization: fields.number("memory_utilization", Range { low: 0.01, high: 1.0 }),
        kv_block_tokens: fields.count("kv_block_tokens", 1 << 16),
        runtime_reserve_gib: fields.number("runtime_reserve_gib", Range::from_zero(1e5)),
        kv_tokens: fields.count("kv_tokens", 1 << 40),
    };
    fields.finish();
    spec
}

fn read_workload(mut fields: Fields<'_>) -> WorkloadSpec {
    let spec = WorkloadSpec {
        batch_size: fields.count("batch_size", 1 << 20),
        prompt_len: fields.count("prompt_len", 1 << 24),
        gen_len: fields.count("gen_len", 1 << 20),
        scenario: fields.one_of("scenario"),
    };
    fields.finish();
    spec
}

fn read_switches(mut fields: Fields<'_>) -> SwitchesSpec {
    let mut sampler = fields.section("sampler");
    let sampler_spec = SamplerSpec {
        kind: sampler.one_of("kind"),
        method: sampler.one_of("method"),
        top_k: sampler.count("top_k", 1 << 26),
        top_p: sampler.number("top_p", Range { low: f64::MIN_POSITIVE, high: 1.0 }),
    };
    sampler.finish();
    let spec = SwitchesSpec {
        cuda_graphs: fields.flag("cuda_graphs"),
        sampler: sampler_spec,
        cpu_overhead_ms: fields.number("cpu_overhead_ms", Range::from_zero(1e7)),
        boundary: fields.one_of("boundary"),
        fuse_embedding_norm: fields.flag("fuse_embedding_norm"),
        allow_fallback: fields.flag("allow_fallback"),
    };
    fields.finish();
    spec
}
