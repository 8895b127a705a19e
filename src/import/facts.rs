//! Counts and sizes that follow from a profile.

use crate::quantity::{StorageDtype, WeightDtype};
use crate::spec::{ArchitectureSpec, FfnSpec, LayerGroupSpec, ModelSpec, StorageSpec, WeightsSpec};

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
    /// The facts of a profile, under the architecture's name in its source.
    #[must_use]
    pub fn of(architecture_name: &str, profile: &ModelSpec) -> Self {
        let architecture = &profile.architecture;
        let parameters = architecture.parameters();
        let groups = architecture.groups();
        Self {
            architecture: architecture_name.to_owned(),
            parameters_total: parameters.map(|p| p.total),
            parameters_text: parameters.map(|p| p.text),
            parameters_active: parameters.map(|p| p.active),
            weights_bytes: weights_bytes(architecture, &profile.storage, profile.weights_dtype),
            kv_bytes_per_token: architecture.kv_sequence_elements(1).and_then(|e| e.checked_mul(2)),
            kv_layers: architecture.kv_layers(),
            state_bytes_per_sequence: architecture.state_bytes(),
            layers: groups.map(|g| g.iter().map(|g| g.count).sum()),
        }
    }
}

/// Bytes of all tensors; `None` where a storage or a shape is unknown.
fn weights_bytes(architecture: &ArchitectureSpec, storage: &WeightsSpec, dtype: Option<WeightDtype>) -> Option<u64> {
    let nominal = dtype.map(|dtype| StorageDtype::from(dtype).bits());
    let linear = storage.linear.stated_bits().or(nominal);
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
        sum += layer_bytes(&group, hidden, linear, &storage.other)? * u128::from(group.count);
    }
    u64::try_from(sum).ok()
}

fn layer_bytes(group: &LayerGroupSpec, hidden: u64, linear: Option<f64>, other: &StorageSpec) -> Option<u128> {
    let count = group.count_layer(hidden);
    let part = |elements: u64, spec: &StorageSpec| match spec.stated_bits().or(linear) {
        Some(bits) => Some(bytes(elements, bits)),
        None => (elements == 0).then_some(0),
    };
    let mut sum = bytes(count.other, other.stated_bits().unwrap_or(StorageDtype::Bf16.bits()));
    sum += part(count.attention, &group.attention.weights())?;
    match &group.ffn {
        FfnSpec::Dense(dense) => sum += part(count.dense, &dense.weights)?,
        FfnSpec::Moe(moe) => {
            sum += part(count.experts, &moe.weights)?;
            sum += part(count.shared, &moe.shared_weights)?;
            sum += part(count.router, &moe.router_weights)?;
        }
        FfnSpec::None => {}
    }
    Some(sum)
}

/// Exact below 2^53 bytes: the bits were made from the bytes.
fn bytes(elements: u64, bits: f64) -> u128 {
    (elements as f64 * bits / 8.0).round() as u128
}
