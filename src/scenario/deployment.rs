//! Ranks, engine, memory policy, requests and switches.

use std::sync::Arc;

use crate::machine::KernelFamily;
use crate::quantity::{Bytes, Seconds};
use crate::spec::{Boundary, EmbeddingPlacement, EngineSpec, SamplerKind, SamplerMethod, ScenarioKind};

/// How the model is deployed.
#[derive(Clone, Debug)]
pub struct Deployment {
    /// GPUs that share each layer.
    pub tensor_parallel: u64,
    /// Stages that the layers are spread over.
    pub pipeline_parallel: u64,
    /// Replicas of the attention part that share the experts.
    pub data_parallel: u64,
    /// GPUs that whole experts are spread over; 1 where each expert is split over all GPUs.
    pub expert_parallel: u64,
    /// The serving engine.
    pub engine: Arc<Engine>,
    /// Share of device memory the engine may use.
    pub memory_utilization: f64,
    /// Tokens per block of the paged KV cache.
    pub kv_block_tokens: u64,
    /// Memory kept for activations and the runtime together, where set.
    pub runtime_reserve: Option<Bytes>,
    /// KV capacity as the engine reports it, where set.
    pub kv_tokens: Option<u64>,
}

/// Host time and kernel factors of an engine on one architecture.
#[derive(Clone, Debug, PartialEq)]
pub struct Engine {
    /// Id, as `vllm@v1`.
    pub id: String,
    /// Name and versions.
    pub title: String,
    /// Whose kernels it runs.
    pub family: KernelFamily,
    /// Factor on the GPU time of a decode step.
    pub decode_factor: f64,
    /// Factor on the GPU time of a prefill step.
    pub prefill_factor: f64,
    /// Serial host time of a decode step.
    pub step_host: Seconds,
    /// The same, per sequence.
    pub step_host_per_sequence: Seconds,
    /// The same, per doubling of ranks.
    pub step_host_per_doubling: Seconds,
    /// Launch floor of a decode step with CUDA graphs.
    pub launch_floor: Seconds,
    /// The same, per layer.
    pub launch_floor_per_layer: Seconds,
    /// Host time of a prefill step.
    pub prefill_step_host: Seconds,
    /// Host time of a prefill per sequence.
    pub prefill_host_per_sequence: Seconds,
    /// Host time of a request before its first step.
    pub request_host: Seconds,
    /// The same, per prompt token.
    pub request_host_per_token: Seconds,
    /// Measured rows behind the constants.
    pub rows: u64,
    /// What a user of these constants must know.
    pub note: Option<String>,
}

impl Engine {
    /// No engine: GPU kernels alone.
    pub const IDEAL: &'static str = "ideal";

    /// An engine on an architecture. `client` gives the host time of a request, which is told of one engine's
    /// benchmark client for all.
    #[must_use]
    pub fn on(spec: &EngineSpec, client: &EngineSpec, kernel_arch: &str) -> Self {
        let factor = spec.eff_by_arch.iter().find(|(arch, _)| arch == kernel_arch).map_or(1.0, |(_, factor)| *factor);
        Self {
            id: spec.id.clone(),
            title: format!("{} {}", spec.name, spec.versions),
            family: KernelFamily::named(&spec.kernels),
            decode_factor: spec.eff * factor,
            prefill_factor: spec.effp,
            step_host: Seconds::from_us(spec.s0_us),
            step_host_per_sequence: Seconds::from_us(spec.s1_us),
            step_host_per_doubling: Seconds::from_us(spec.stp_us),
            launch_floor: Seconds::from_us(spec.l0_us),
            launch_floor_per_layer: Seconds::from_us(spec.l_layer_us),
            prefill_step_host: Seconds::from_us(spec.p0_us),
            prefill_host_per_sequence: Seconds::from_us(spec.p1_us),
            request_host: Seconds::from_us(client.t0_us),
            request_host_per_token: Seconds::from_us(client.tp_us),
            rows: spec.development_rows as u64,
            note: spec.note.clone(),
        }
    }

    /// Kernels of the vLLM family and nothing else: no host time, no launch floor, factors of one.
    #[must_use]
    pub fn ideal() -> Self {
        Self {
            id: Self::IDEAL.to_owned(),
            title: "no engine, kernels only".to_owned(),
            family: KernelFamily::Vllm,
            decode_factor: 1.0,
            prefill_factor: 1.0,
            step_host: Seconds::ZERO,
            step_host_per_sequence: Seconds::ZERO,
            step_host_per_doubling: Seconds::ZERO,
            launch_floor: Seconds::ZERO,
            launch_floor_per_layer: Seconds::ZERO,
            prefill_step_host: Seconds::ZERO,
            prefill_host_per_sequence: Seconds::ZERO,
            request_host: Seconds::ZERO,
            request_host_per_token: Seconds::ZERO,
            rows: 0,
            note: None,
        }
    }

    /// The same engine with no host time of its own.
    #[must_use]
    pub fn without_host(&self) -> Self {
        Self {
            step_host: Seconds::ZERO,
            step_host_per_sequence: Seconds::ZERO,
            step_host_per_doubling: Seconds::ZERO,
            prefill_step_host: Seconds::ZERO,
            prefill_host_per_sequence: Seconds::ZERO,
            request_host: Seconds::ZERO,
            request_host_per_token: Seconds::ZERO,
            ..self.clone()
        }
    }
}

/// One static batch of equal requests that arrives at an idle server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Workload {
    /// Requests.
    pub batch_size: u64,
    /// Prompt tokens of each.
    pub prompt_len: u64,
    /// Output tokens of each.
    pub gen_len: u64,
    /// Which phases are reported.
    pub scenario: ScenarioKind,
}

/// What is switched on or off.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Switches {
    /// Decode steps are captured as CUDA graphs.
    pub cuda_graphs: bool,
    /// How the next token is drawn.
    pub sampler: Sampler,
    /// Host time of a request before the engine, in place of the engine's figure.
    pub cpu_overhead: Option<Seconds>,
    /// Where the clock starts.
    pub boundary: Boundary,
    /// Embedding and first norm are one kernel.
    pub fuse_embedding_norm: bool,
    /// Where the embedding table lives.
    pub embedding_placement: EmbeddingPlacement,
}

/// How the next token is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sampler {
    /// The rule.
    pub kind: SamplerKind,
    /// How the engine carries it out.
    pub method: SamplerMethod,
    /// Kept candidates of top-k.
    pub top_k: u64,
    /// Kept probability of top-p.
    pub top_p: f64,
}
