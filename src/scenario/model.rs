//! A decoder-only transformer, complete and consistent: groups of layers of one shape, and what stands around them.

use crate::quantity::{KvDtype, StorageDtype, WeightDtype};
use crate::spec::{AttentionSpec, FfnSpec, LayerGroupSpec, SoftmaxSpec, StorageSpec};

/// Shapes and storage of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// Name as the user gave it.
    pub name: String,
    /// Width of the residual stream.
    pub hidden_size: u64,
    /// Rows of the embedding table.
    pub vocab_size: u64,
    /// The LM head is the embedding table.
    pub tied_embeddings: bool,
    /// Context the model was trained for.
    pub max_positions: Option<u64>,
    /// Layers by shape; their order does not change a latency.
    pub groups: Vec<LayerGroupSpec>,
    /// Parameters outside the layers: final norm, biases of the head.
    pub other_parameters: u64,
    /// Elements of further lookup tables: held in memory, only rows of the tokens at hand are read.
    pub table_parameters: u64,
    /// Parameters of vision and audio towers: held in memory, idle for text.
    pub vision_parameters: u64,
    /// Storage of the layers' matrices, unless a group says otherwise.
    pub weights: WeightDtype,
    /// Bits per element of those matrices, scales included, where the checkpoint's are known.
    pub weight_bits: Option<f64>,
    /// FP8 checkpoints carry a scale per 128 × 128 block.
    pub fp8_block_scales: bool,
    /// Bits per element of embedding, LM head, small tensors and vision towers.
    pub outer_bits: OuterBits,
    /// Storage of the KV cache.
    pub kv: KvDtype,
}

/// Bits per element of what stands around the layers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OuterBits {
    /// Embedding and other tables.
    pub embedding: f64,
    /// LM head.
    pub lm_head: f64,
    /// Norms, biases.
    pub other: f64,
    /// Vision and audio towers.
    pub vision: f64,
}

/// How a group's matrices are stored.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Storage {
    /// Type of the elements; decides the kernel.
    pub dtype: StorageDtype,
    /// Bits per element, scales included; decides the bytes.
    pub bits: f64,
}

impl Model {
    /// Layers of all groups.
    #[must_use]
    pub fn layers(&self) -> u64 {
        self.groups.iter().map(|group| group.count).sum()
    }

    /// The first group with softmax attention over all tokens, else with any softmax attention: what "heads" means in a
    /// sentence about the model.
    #[must_use]
    pub fn softmax(&self) -> Option<&SoftmaxSpec> {
        let all = self.groups.iter().filter_map(|group| match &group.attention {
            AttentionSpec::Softmax(spec) => Some(spec),
            _ => None,
        });
        all.clone().find(|spec| spec.span == crate::spec::Span::Full).or_else(|| all.clone().next())
    }

    /// Query heads that ranks share: of the first softmax or latent group.
    #[must_use]
    pub fn heads(&self) -> Option<u64> {
        self.softmax().map(|spec| spec.heads).or_else(|| {
            self.groups.iter().find_map(|group| match &group.attention {
                AttentionSpec::Mla(spec) => Some(spec.heads),
                AttentionSpec::Recurrent(spec) => Some(spec.heads),
                AttentionSpec::Softmax(_) | AttentionSpec::None => None,
            })
        })
    }

    /// Whether every group's heads can be split over this many ranks; key/value heads are split or replicated evenly.
    #[must_use]
    pub fn splits_over(&self, ranks: u64) -> bool {
        self.groups.iter().all(|group| match &group.attention {
            AttentionSpec::Softmax(spec) => {
                spec.heads.is_multiple_of(ranks)
                    && (spec.kv_heads.is_multiple_of(ranks) || ranks.is_multiple_of(spec.kv_heads))
            }
            AttentionSpec::Mla(spec) => spec.heads.is_multiple_of(ranks),
            AttentionSpec::Recurrent(spec) => spec.heads.is_multiple_of(ranks),
            AttentionSpec::None => true,
        })
    }

    /// The same model with all layers' matrices in another type.
    #[must_use]
    pub fn requantised(&self, weights: WeightDtype) -> Self {
        let mut model = Self { weights, weight_bits: None, ..self.clone() };
        for group in &mut model.groups {
            group.clear_storage();
        }
        model
    }

    /// The same model with its KV cache in another type.
    #[must_use]
    pub fn with_kv(&self, kv: KvDtype) -> Self {
        Self { kv, ..self.clone() }
    }

    /// Storage of a group of matrices.
    #[must_use]
    pub fn storage(&self, stated: &StorageSpec) -> Storage {
        let dtype = stated.dtype.unwrap_or_else(|| StorageDtype::from(self.weights));
        let block_scales = if self.weights == WeightDtype::Fp8 && self.fp8_block_scales { 32.0 / 16384.0 } else { 0.0 };
        let nominal = self.weight_bits.unwrap_or(self.weights.bytes() * 8.0 + block_scales);
        Storage { dtype, bits: stated.stated_bits().unwrap_or(nominal) }
    }

    /// Storage of a token mixer's matrices; latent attention stays in 16 bit where a 4-bit type is asked of the model.
    #[must_use]
    pub fn attention_storage(&self, attention: &AttentionSpec) -> Storage {
        let stated = attention.weights();
        let storage = self.storage(&stated);
        let narrow = matches!(storage.dtype, StorageDtype::Int4 | StorageDtype::Fp4) && stated.is_empty();
        if matches!(attention, AttentionSpec::Mla(_)) && narrow {
            return Storage { dtype: StorageDtype::Bf16, bits: 16.0 };
        }
        storage
    }

    /// Whether the layers' matrices are stored in clearly less than 16 bit on average.
    #[must_use]
    pub fn is_quantised(&self) -> bool {
        let elements = |group: &LayerGroupSpec| {
            let count = group.count_layer(self.hidden_size);
            (group.count * (count.attention + count.dense + count.experts + count.shared)) as f64
        };
        let elements: f64 = self.groups.iter().map(elements).sum();
        self.matrix_bytes() * 8.0 < QUANTISED_BELOW_BITS * elements
    }

    /// Whether any layer has routed experts.
    #[must_use]
    pub fn has_experts(&self) -> bool {
        self.groups.iter().any(|group| matches!(group.ffn, FfnSpec::Moe(_)))
    }

    /// Rows of the embedding table times its width.
    #[must_use]
    pub fn embedding_parameters(&self) -> u64 {
        self.vocab_size * self.hidden_size
    }

    /// All parameters; a tied LM head counts once.
    #[must_use]
    pub fn parameters(&self) -> u64 {
        self.count(|group| group.count_layer(self.hidden_size).total()) + self.vision_parameters
    }

    /// Parameters that take part in one token: text parameters less the experts that it leaves idle.
    #[must_use]
    pub fn active_parameters(&self) -> u64 {
        self.count(|group| group.count_layer(self.hidden_size).total() - group.idle_parameters(self.hidden_size))
    }

    fn count(&self, per_layer: impl Fn(&LayerGroupSpec) -> u64) -> u64 {
        let tables = if self.tied_embeddings { 1 } else { 2 };
        let layers: u64 = self.groups.iter().map(|group| group.count * per_layer(group)).sum();
        tables * self.embedding_parameters() + layers + self.other_parameters + self.table_parameters
    }

    /// Multiply-adds of a token in the layers: weights of its token mixers, networks and the experts it uses.
    #[must_use]
    pub fn matrix_parameters_per_token(&self) -> f64 {
        let active = |group: &LayerGroupSpec| {
            let layer = group.count_layer(self.hidden_size);
            (group.count * (layer.total() - layer.other - group.idle_parameters(self.hidden_size))) as f64
        };
        self.groups.iter().map(active).sum()
    }

    /// Bytes of the embedding table.
    #[must_use]
    pub fn embedding_bytes(&self) -> f64 {
        self.embedding_parameters() as f64 * self.outer_bits.embedding / 8.0
    }

    /// Bytes of the LM head where it is a matrix of its own.
    #[must_use]
    pub fn head_bytes(&self) -> f64 {
        if self.tied_embeddings { 0.0 } else { self.embedding_parameters() as f64 * self.outer_bits.lm_head / 8.0 }
    }

    /// Bytes of the layers' matrices: split over ranks.
    #[must_use]
    pub fn matrix_bytes(&self) -> f64 {
        self.groups.iter().map(|group| group.count as f64 * self.layer_bytes(group, |_| 1.0)).sum()
    }

    /// Bytes of the routed experts: split over ranks in a way of their own.
    #[must_use]
    pub fn expert_bytes(&self) -> f64 {
        let of = |group: &LayerGroupSpec| match &group.ffn {
            FfnSpec::Moe(moe) => {
                let experts = group.count_layer(self.hidden_size).experts;
                (group.count * experts) as f64 * self.storage(&moe.weights).bits / 8.0
            }
            FfnSpec::Dense(_) | FfnSpec::None => 0.0,
        };
        self.groups.iter().map(of).sum()
    }

    /// Bytes of one layer's matrices; `share` is the share of the experts that counts.
    fn layer_bytes(&self, group: &LayerGroupSpec, share: impl Fn(u64) -> f64) -> f64 {
        let count = group.count_layer(self.hidden_size);
        let bytes = |elements: u64, storage: Storage| elements as f64 * storage.bits / 8.0;
        let ffn = match &group.ffn {
            FfnSpec::Dense(dense) => bytes(count.dense, self.storage(&dense.weights)),
            FfnSpec::Moe(moe) => {
                bytes(count.experts, self.storage(&moe.weights)) * share(moe.experts)
                    + bytes(count.shared, self.storage(&moe.shared_weights))
                    + count.router as f64 * moe.router_weights.stated_bits().unwrap_or(16.0) / 8.0
            }
            FfnSpec::None => 0.0,
        };
        bytes(count.attention, self.attention_storage(&group.attention)) + ffn
    }

    /// Bytes of norms, biases and further tables: on every rank.
    #[must_use]
    pub fn small_bytes(&self) -> f64 {
        let layers: u64 = self.groups.iter().map(|group| group.count * group.other_parameters).sum();
        ((layers + self.other_parameters) as f64 * self.outer_bits.other
            + self.table_parameters as f64 * self.outer_bits.embedding
            + self.vision_parameters as f64 * self.outer_bits.vision)
            / 8.0
    }

    /// Bytes of the whole checkpoint.
    #[must_use]
    pub fn weight_bytes(&self) -> f64 {
        self.embedding_bytes() + self.head_bytes() + self.matrix_bytes() + self.small_bytes()
    }

    /// Bytes of weights that a step of `tokens` tokens reads on all ranks: the matrices, of the experts those touched
    /// under uniform routing, and the LM head.
    #[must_use]
    pub fn step_weight_bytes(&self, tokens: f64) -> f64 {
        let layers: f64 = self
            .groups
            .iter()
            .map(|group| {
                let touched = match &group.ffn {
                    FfnSpec::Moe(moe) => 1.0 - (1.0 - moe.top_k as f64 / moe.experts as f64).powf(tokens),
                    FfnSpec::Dense(_) | FfnSpec::None => 1.0,
                };
                group.count as f64 * self.layer_bytes(group, |_| touched)
            })
            .sum();
        layers + self.embedding_parameters() as f64 * self.outer_bits.lm_head / 8.0
    }
}

/// Mean bits of a matrix element below which a model counts as quantised.
const QUANTISED_BELOW_BITS: f64 = 15.0;

impl Default for OuterBits {
    fn default() -> Self {
        Self { embedding: 16.0, lm_head: 16.0, other: 16.0, vision: 16.0 }
    }
}
