//! A dense decoder-only transformer, complete and consistent.

use crate::quantity::{KvDtype, WeightDtype};

/// Shapes and storage of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// Name as the user gave it.
    pub name: String,
    /// Transformer layers.
    pub layers: u64,
    /// Width of the residual stream.
    pub hidden_size: u64,
    /// Width of the feed-forward layer.
    pub intermediate_size: u64,
    /// Rows of the embedding table.
    pub vocab_size: u64,
    /// Query heads.
    pub heads: u64,
    /// Key/value heads.
    pub kv_heads: u64,
    /// Width of a head.
    pub head_dim: u64,
    /// Gate and up projections, not a single up projection.
    pub gated_ffn: bool,
    /// The LM head is the embedding table.
    pub tied_embeddings: bool,
    /// Biases on the QKV projection.
    pub qkv_bias: bool,
    /// RMS norms on query and key heads.
    pub qk_norm: bool,
    /// Context the model was trained for.
    pub max_positions: Option<u64>,
    /// Storage of the linear weights.
    pub weights: WeightDtype,
    /// FP8 checkpoints carry a scale per 128 × 128 block.
    pub fp8_block_scales: bool,
    /// Storage of the KV cache.
    pub kv: KvDtype,
}

/// Embeddings, LM head, norms and biases stay in 16 bit.
const UNQUANTISED_BYTES: f64 = 2.0;

impl Model {
    /// Whether heads can be split over this many ranks; key/value heads are split or replicated evenly.
    #[must_use]
    pub const fn splits_over(&self, ranks: u64) -> bool {
        self.heads.is_multiple_of(ranks) && (self.kv_heads.is_multiple_of(ranks) || ranks.is_multiple_of(self.kv_heads))
    }

    /// Products of the feed-forward layer: gate, up, down or up, down.
    #[must_use]
    pub fn ffn_matrices(&self) -> u64 {
        if self.gated_ffn { 3 } else { 2 }
    }

    /// Weights of the linear layers, all layers.
    #[must_use]
    pub fn linear_parameters(&self) -> u64 {
        let (h, d) = (self.hidden_size, self.head_dim);
        let attention = h * d * (self.heads + 2 * self.kv_heads) + self.heads * d * h;
        self.layers * (attention + self.ffn_matrices() * h * self.intermediate_size)
    }

    /// Norms and biases, all layers and the final norm.
    #[must_use]
    pub fn vector_parameters(&self) -> u64 {
        let bias = if self.qkv_bias { (self.heads + 2 * self.kv_heads) * self.head_dim } else { 0 };
        let qk_norm = if self.qk_norm { 2 * self.head_dim } else { 0 };
        self.layers * (2 * self.hidden_size + bias + qk_norm) + self.hidden_size
    }

    /// Rows of the embedding table times its width.
    #[must_use]
    pub fn embedding_parameters(&self) -> u64 {
        self.vocab_size * self.hidden_size
    }

    /// All parameters; a tied LM head counts once.
    #[must_use]
    pub fn parameters(&self) -> u64 {
        let tables = if self.tied_embeddings { 1 } else { 2 };
        tables * self.embedding_parameters() + self.linear_parameters() + self.vector_parameters()
    }

    /// Bytes of one weight of a linear layer, scales included.
    #[must_use]
    pub fn bytes_per_weight(&self) -> f64 {
        let block_scales = if self.weights == WeightDtype::Fp8 && self.fp8_block_scales { 4.0 / 16384.0 } else { 0.0 };
        self.weights.bytes() + block_scales
    }

    /// Bytes of the embedding table.
    #[must_use]
    pub fn embedding_bytes(&self) -> f64 {
        self.embedding_parameters() as f64 * UNQUANTISED_BYTES
    }

    /// Bytes of the LM head where it is a matrix of its own.
    #[must_use]
    pub fn head_bytes(&self) -> f64 {
        if self.tied_embeddings { 0.0 } else { self.embedding_bytes() }
    }

    /// Bytes of the linear layers.
    #[must_use]
    pub fn linear_bytes(&self) -> f64 {
        self.linear_parameters() as f64 * self.bytes_per_weight()
    }

    /// Bytes of the whole checkpoint.
    #[must_use]
    pub fn weight_bytes(&self) -> f64 {
        self.embedding_bytes() + self.head_bytes() + self.linear_bytes() + self.vector_bytes()
    }

    /// Bytes of norms and biases.
    #[must_use]
    pub fn vector_bytes(&self) -> f64 {
        self.vector_parameters() as f64 * UNQUANTISED_BYTES
    }

    /// Bytes of weights that one decode step reads: everything but the embedding table, whose rows are gathered.
    #[must_use]
    pub fn step_weight_bytes(&self) -> f64 {
        self.linear_bytes() + self.vector_bytes() + self.embedding_bytes()
    }
}
