//! What fits: weights, KV cache, activations, runtime against the share of device memory an engine takes.
//!
//! ```text
//! usable = capacity · utilisation        activation = peak of one 8,192-token step
//! KV capacity = ⌊(usable − weights − activation − runtime) / KV bytes per token / block⌋ · block tokens
//! needed = B · ⌈(P+G)/block⌉ · block tokens
//! ```
//! Activation and runtime together default to 1.59 GiB: the gap between the tokens a 24 GiB card should hold and those
//! an engine reports (casys-kaist/LLMServingSim pull request 59).

use super::{Resource, Shortfall};
use crate::plan::STEP_TOKENS;
use crate::quantity::Bytes;
use crate::scenario::Scenario;
use crate::spec::{AttentionSpec, EmbeddingPlacement, FfnSpec, LayerGroupSpec};

const DEFAULT_RESERVE: Bytes = Bytes::from_gib(1.59);
const ACTIVATION_BYTES: f64 = 2.0;

/// Device memory of one rank.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Memory {
    /// Memory the driver shows.
    pub capacity: Bytes,
    /// The engine's share.
    pub usable: Bytes,
    /// Weights.
    pub weights: Bytes,
    /// KV cache of this workload.
    pub kv_cache: Bytes,
    /// KV cache of one token.
    pub kv_bytes_per_token: Bytes,
    /// Activations of the largest step.
    pub activation: Bytes,
    /// Context, graphs, workspaces.
    pub runtime: Bytes,
    /// Tokens the KV cache can hold.
    pub kv_capacity_tokens: u64,
    /// Tokens this workload needs.
    pub kv_needed_tokens: u64,
}

impl Memory {
    /// What the workload needs.
    #[must_use]
    pub fn needed(&self) -> Bytes {
        self.weights + self.kv_cache + self.activation + self.runtime
    }

    /// What stays free of the usable share.
    #[must_use]
    pub fn free(&self) -> Bytes {
        self.usable - self.needed()
    }
}

/// The memory of a scenario, whether it fits or not.
#[must_use]
pub fn memory(scenario: &Scenario) -> Memory {
    let deployment = &scenario.deployment;
    let capacity = scenario.machine.sheet.capacity;
    let usable = capacity * deployment.memory_utilization;
    let weights = weights(scenario);
    let (activation, runtime) = reserve(scenario);
    let cache = scenario.kv_cache();
    let block = deployment.kv_block_tokens;
    let tokens = tokens_per_request(scenario);
    let sequence = cache.sequence_bytes(tokens as f64);
    let room = (usable - weights - activation - runtime).get().max(0.0);
    // Windows and recurrent states make the mean token of a long sequence smaller than its first.
    let per_token = sequence / tokens as f64;
    let computed = (room / per_token / block as f64).floor() as u64 * block;
    let sequences = scenario.workload.batch_size.div_ceil(deployment.data_parallel);
    let kv_needed_tokens = sequences * tokens;
    Memory {
        capacity,
        usable,
        weights,
        kv_cache: Bytes::new(sequence * sequences as f64),
        kv_bytes_per_token: Bytes::new(cache.bytes_per_token()),
        activation,
        runtime,
        kv_capacity_tokens: deployment.kv_tokens.unwrap_or(computed),
        kv_needed_tokens,
    }
}

fn tokens_per_request(scenario: &Scenario) -> u64 {
    let block = scenario.deployment.kv_block_tokens;
    (scenario.workload.prompt_len + scenario.workload.gen_len).div_ceil(block) * block
}

fn weights(scenario: &Scenario) -> Bytes {
    let model = &scenario.model;
    // Mapped into the device, the table stays in host memory; tied, the LM head needs it on the device all the same.
    let on_host = scenario.switches.embedding_placement == EmbeddingPlacement::HostMapped && !model.tied_embeddings;
    let table = if on_host { 0.0 } else { model.embedding_bytes() };
    let experts = model.expert_bytes();
    let spread = scenario.deployment.expert_parallel as f64;
    let expert_ranks = if spread > 1.0 { spread } else { scenario.ranks() * scenario.replicas() };
    // The first stage of a pipeline holds the table, the last one the LM head.
    let tables = if scenario.stages() > 1.0 { table.max(model.head_bytes()) } else { table + model.head_bytes() };
    let layers = (model.matrix_bytes() - experts) / scenario.ranks() + experts / expert_ranks + model.small_bytes();
    Bytes::new(tables / scenario.ranks() + layers * scenario.layer_share())
}

/// Activation and runtime.
fn reserve(scenario: &Scenario) -> (Bytes, Bytes) {
    let peak = activation_peak(scenario);
    match scenario.deployment.runtime_reserve {
        Some(total) => {
            let activation = Bytes::new(peak.get().min(total.get()));
            (activation, total - activation)
        }
        None => (peak, Bytes::new((DEFAULT_RESERVE - peak).get().max(0.0))),
    }
}

/// Residual and normed input, with either QKV and attention output or gate, up and activation beside them: of the
/// widest layer group.
fn activation_peak(scenario: &Scenario) -> Bytes {
    let model = &scenario.model;
    let widest = model.groups.iter().map(|group| group_width(scenario, group)).fold(0.0, f64::max);
    Bytes::new(STEP_TOKENS * ACTIVATION_BYTES * (2.0 * model.hidden_size as f64 + widest))
}

fn group_width(scenario: &Scenario, group: &LayerGroupSpec) -> f64 {
    let ranks = scenario.ranks();
    let attention = match &group.attention {
        AttentionSpec::Softmax(spec) => {
            let (heads, kv) = ((spec.heads as f64 / ranks).max(1.0), (spec.kv_heads as f64 / ranks).max(1.0));
            (2.0 * heads + 2.0 * kv) * spec.head_dim as f64
        }
        AttentionSpec::Mla(spec) => {
            let head = spec.nope_head_dim + spec.rope_head_dim + 2 * spec.v_head_dim;
            (spec.heads * head) as f64 / ranks + (spec.kv_lora_rank + spec.rope_head_dim) as f64
        }
        AttentionSpec::Recurrent(spec) => (spec.input_width + spec.inner_width) as f64 / ranks,
        AttentionSpec::None => 0.0,
    };
    let ffn = match &group.ffn {
        FfnSpec::Dense(spec) => {
            let matrices = if spec.gated { 3.0 } else { 2.0 };
            matrices * spec.intermediate_size as f64 / ranks
        }
        FfnSpec::Moe(spec) => {
            let routed = (spec.top_k * spec.expert_intermediate_size) as f64;
            let shared = spec.shared_intermediate_size.unwrap_or(0) as f64;
            let matrices = if spec.gated { 3.0 } else { 2.0 };
            matrices * (routed / (ranks * scenario.replicas()) + shared / ranks)
        }
        FfnSpec::None => 0.0,
    };
    attention.max(ffn)
}

/// By how much a scenario does not fit, and what would.
pub(super) fn shortfall(scenario: &Scenario, memory: &Memory) -> Option<Shortfall> {
    if memory.kv_needed_tokens <= memory.kv_capacity_tokens && memory.free().get() >= 0.0 {
        return None;
    }
    let workload = &scenario.workload;
    let block = scenario.deployment.kv_block_tokens;
    let above_zero = |count: u64| (count > 0).then_some(count);
    let limited_by_tokens = scenario.deployment.kv_tokens.is_some() && memory.free().get() >= 0.0;
    let (resource, needed, available) = if limited_by_tokens {
        let capacity = memory.kv_cache * (memory.kv_capacity_tokens as f64 / memory.kv_needed_tokens as f64);
        (Resource::KvTokens, memory.kv_cache, capacity)
    } else {
        (Resource::DeviceMemory, memory.needed(), memory.usable)
    };
    Some(Shortfall {
        resource,
        needed,
        available,
        largest_batch: above_zero(
            memory.kv_capacity_tokens / tokens_per_request(scenario) * scenario.deployment.data_parallel,
        ),
        largest_context: above_zero(
            memory.kv_capacity_tokens / workload.batch_size.div_ceil(scenario.deployment.data_parallel) / block * block,
        ),
        memory: *memory,
    })
}
