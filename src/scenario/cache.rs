//! What a sequence keeps on one rank: keys and values, latent vectors, recurrent state.

use super::Model;
use crate::spec::{AttentionSpec, IndexSpec, Span};

/// Cached bytes by layer type, on one rank.
#[derive(Clone, Debug, PartialEq)]
pub struct KvCache {
    /// Bytes per token of all layers together, with the window beyond which it stops growing.
    layers: Vec<(f64, Option<u64>)>,
    /// Bytes of recurrent and convolution state per sequence.
    pub state_bytes: f64,
}

/// Bytes of an indexer's key per token.
fn index_bytes(model: &Model, index: &Option<IndexSpec>) -> f64 {
    index.as_ref().map_or(0.0, |index| {
        let width = index.head_dim as f64;
        width * model.kv.bytes(width)
    })
}

impl KvCache {
    /// Of a model split over `ranks`, of whose layers a device holds `layer_share`: key/value heads are split, or replicated where there are more ranks; latent
    /// vectors are replicated; states are split.
    #[must_use]
    pub fn new(model: &Model, ranks: u64, layer_share: f64) -> Self {
        let ranks = ranks as f64;
        let mut layers = Vec::new();
        let mut state_bytes = 0.0;
        for group in &model.groups {
            let count = group.count as f64 * layer_share;
            let per_token = match &group.attention {
                AttentionSpec::Softmax(spec) if spec.kv_shared || spec.span == Span::Cross => 0.0,
                AttentionSpec::Softmax(spec) => {
                    let heads = (spec.kv_heads as f64 / ranks).max(1.0);
                    let (key, value) = (spec.head_dim as f64, spec.value_dim() as f64);
                    heads * (key * model.kv.bytes(key) + value * model.kv.bytes(value))
                        + index_bytes(model, &spec.index)
                }
                AttentionSpec::Mla(spec) => {
                    let width = (spec.kv_lora_rank + spec.rope_head_dim) as f64;
                    width * model.kv.bytes(width) + index_bytes(model, &spec.index)
                }
                AttentionSpec::Recurrent(_) | AttentionSpec::None => 0.0,
            };
            state_bytes += count * group.attention.state_bytes() as f64 / ranks;
            if per_token > 0.0 {
                layers.push((count * per_token, group.attention.window()));
            }
        }
        Self { layers, state_bytes }
    }

    /// Bytes of one token below every window.
    #[must_use]
    pub fn bytes_per_token(&self) -> f64 {
        self.layers.iter().map(|(bytes, _)| bytes).sum()
    }

    /// Bytes of a sequence of `tokens`, windows capped, state included.
    #[must_use]
    pub fn sequence_bytes(&self, tokens: f64) -> f64 {
        let held = |window: &Option<u64>| window.map_or(tokens, |w| tokens.min(w as f64));
        self.layers.iter().map(|(bytes, window)| bytes * held(window)).sum::<f64>() + self.state_bytes
    }
}
