//! Counts and sizes that follow from a profile.

use crate::quantity::StorageDtype;
use crate::spec::{ArchitectureSpec, AttentionSpec, FfnSpec, LayerGroupSpec, ModelSpec, StorageSpec, WeightsSpec};

/// What `convert` prints. Absent means that the source does not say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// The architecture's name in the source, as `LlamaForCausalLM`.
    pub architecture: String,
    /// Parameters: tied tables once, vision towers included, extra prediction layers not.
    pub parameters_total: Option<u64>,
    /// Parameters without vision and audio towers.
    pub parameters_text: Option<u64>,
    /// Text parameters that take part in one token.
    pub parameters_active: Option<u64>,
    /// Bytes of the checkpoint's tensors.
    pub weights_bytes: Option<u64>,
    /// KV cache per token at 16 bit, below every window.
    pub kv_bytes_per_token: Option<u64>,
    /// Layers that own a cache.
    pub kv_layers: Option<u64>,
    /// Recurrent and convolution state per sequence.
    pub state_bytes_per_sequence: Option<u64>,
    /// Layers.
    pub layers: Option<u64>,
}

impl Facts {
    /// The facts of a profile whose storage is known as far as `weights` says.
    pub(super) fn of(architecture_name: &str, profile: &ModelSpec) -> Self {
        let architecture = &profile.architecture;
        let parameters = architecture.parameters();
        let groups = architecture.groups();
        Self {
            architecture: architecture_name.to_owned(),
            parameters_total: parameters.map(|p| p.total),
            parameters_text: parameters.map(|p| p.text),
            parameters_active: parameters.map(|p| p.active),
            weights_bytes: weights_bytes(architecture, &profile.storage),
            kv_bytes_per_token: architecture.kv_sequence_elements(1).and_then(|e| e.checked_mul(2)),
            kv_layers: architecture.kv_layers(),
            state_bytes_per_sequence: architecture.state_bytes(),
            layers: groups.map(|g| g.iter().map(|g| g.count).sum()),
        }
    }
}

/// Bytes of all tensors; `None` where a storage or a shape is unknown.
fn weights_bytes(architecture: &ArchitectureSpec, storage: &WeightsSpec) -> Option<u64> {
    let parameters = architecture.parameters()?;
    let hidden = architecture.hidden_size?;
    let rest = |spec: &StorageSpec| spec.stated_bits().unwrap_or(StorageDtype::Bf16.bits());
    let final_norm = if architecture.is_short_form() { hidden } else { 0 };
    let mut sum = bytes(parameters.embedding, rest(&storage.embedding))
        + bytes(parameters.lm_head, rest(&storage.lm_head))
        + bytes(architecture.table_parameters.unwrap_or(0), rest(&storage.embedding))
        + bytes(architecture.other_parameters.unwrap_or(0) + final_norm, rest(&storage.other))
        + bytes(architecture.vision_parameters.unwrap_or(0), rest(&storage.vision));
    for group in architecture.groups()? {
        sum += layer_bytes(&group, hidden, storage)? * u128::from(group.count);
    }
    u64::try_from(sum).ok()
}

fn layer_bytes(group: &LayerGroupSpec, hidden: u64, storage: &WeightsSpec) -> Option<u128> {
    let count = group.count_layer(hidden);
    let linear = |spec: &StorageSpec| spec.stated_bits().or(storage.linear.stated_bits());
    let mut sum = bytes(count.other, storage.other.stated_bits().unwrap_or(StorageDtype::Bf16.bits()));
    if !matches!(group.attention, AttentionSpec::None) {
        sum += bytes(count.attention, linear(&group.attention.weights())?);
    }
    match &group.ffn {
        FfnSpec::Dense(dense) => sum += bytes(count.dense, linear(&dense.weights)?),
        FfnSpec::Moe(moe) => {
            sum += bytes(count.experts, linear(&moe.weights)?);
            sum += bytes(count.shared, linear(&moe.shared_weights)?);
            sum += bytes(count.router, linear(&moe.router_weights)?);
        }
        FfnSpec::None => {}
    }
    Some(sum)
}

/// Exact below 2^53 bytes: the bits were made from the bytes.
fn bytes(elements: u64, bits: f64) -> u128 {
    (elements as f64 * bits / 8.0).round() as u128
}
