//! Shapes of a decoder: what must be known to count parameters, FLOP and bytes.
//!
//! Two forms. The short one describes a model whose layers are all alike: softmax attention over the whole context and
//! a dense feed-forward network. Anything else lists its layers in `layer_groups`; the order of layers does not change
//! a latency, so a group is one shape and how many layers have it.
//!
//! Counting: in the short form norms and QKV biases follow from the flags. In a layer group only matrices follow from
//! the shapes; norms, biases and other small tensors are one number, `other_parameters`.

mod attention;
mod count;
mod ffn;
mod storage;
#[cfg(test)]
mod tests;

pub use attention::{AttentionSpec, IndexSpec, MlaSpec, RecurrentKind, RecurrentSpec, SoftmaxSpec, Span};
pub use count::{LayerCount, Matrix, ParameterCount};
pub use ffn::{DenseSpec, FfnSpec, MoeSpec};
pub use storage::{StorageSpec, WeightsSpec};

use super::fields::Fields;

/// Far above any real model: products of three of these stay under 2^64, sums over layers are taken in 128 bits.
pub(super) const MAX_LAYERS: u64 = 10_000;
pub(super) const MAX_WIDTH: u64 = 1 << 20;
pub(super) const MAX_VOCAB: u64 = 1 << 26;
pub(super) const MAX_HEAD_DIM: u64 = 1 << 14;
const MAX_PARAMETERS: u64 = 10_000_000_000_000_000;

/// Shapes of a decoder-only language model. Widths are in elements, counts are plain numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ArchitectureSpec {
    /// Transformer layers. With `layer_groups` their counts must add up to it.
    pub layers: Option<u64>,
    /// Width of the residual stream.
    pub hidden_size: Option<u64>,
    /// Width of the feed-forward layer (short form).
    pub intermediate_size: Option<u64>,
    /// Rows of the embedding table.
    pub vocab_size: Option<u64>,
    /// Query heads (short form).
    pub heads: Option<u64>,
    /// Key/value heads (short form); absent means one per query head.
    pub kv_heads: Option<u64>,
    /// Width of a head (short form); absent means hidden_size / heads.
    pub head_dim: Option<u64>,
    /// Gate and up projections (SwiGLU), not a single up projection (short form).
    pub gated_ffn: Option<bool>,
    /// The LM head is the embedding table.
    pub tied_embeddings: Option<bool>,
    /// Biases on the QKV projection (short form).
    pub qkv_bias: Option<bool>,
    /// RMS norms on query and key heads (short form).
    pub qk_norm: Option<bool>,
    /// Context the model was trained for, in tokens.
    pub max_position_embeddings: Option<u64>,
    /// Parameters outside the layers that no other field describes (final norm, biases of the head, projections shared
    /// by layers); in the short form whatever its formula leaves out.
    pub other_parameters: Option<u64>,
    /// Elements of further lookup tables (positions, per-layer embeddings): held in memory, but only the rows of the
    /// tokens at hand are read.
    pub table_parameters: Option<u64>,
    /// Parameters of vision and audio towers and their projections: held in memory, idle for text.
    pub vision_parameters: Option<u64>,
    /// Layers by shape; empty in the short form.
    pub layer_groups: Vec<LayerGroupSpec>,
}

/// Layers of one shape.
#[derive(Clone, Debug, PartialEq)]
pub struct LayerGroupSpec {
    /// How many layers have this shape.
    pub count: u64,
    /// How they mix tokens.
    pub attention: AttentionSpec,
    /// How they mix channels.
    pub ffn: FfnSpec,
    /// Parameters per layer besides the matrices of `attention` and `ffn`: norms, biases, sinks, convolutions.
    pub other_parameters: u64,
}

impl LayerGroupSpec {
    /// Forgets how the group's matrices are stored: they follow the model again. The router keeps its type.
    pub fn clear_storage(&mut self) {
        match &mut self.attention {
            AttentionSpec::Softmax(spec) => spec.weights = StorageSpec::default(),
            AttentionSpec::Mla(spec) => spec.weights = StorageSpec::default(),
            AttentionSpec::Recurrent(spec) => spec.weights = StorageSpec::default(),
            AttentionSpec::None => {}
        }
        match &mut self.ffn {
            FfnSpec::Dense(spec) => spec.weights = StorageSpec::default(),
            FfnSpec::Moe(spec) => {
                spec.weights = StorageSpec::default();
                spec.shared_weights = StorageSpec::default();
            }
            FfnSpec::None => {}
        }
    }
}

impl ArchitectureSpec {
    /// Reads the section.
    pub(super) fn read(mut fields: Fields<'_>) -> Self {
        let mut spec = Self {
            layers: fields.count("layers", MAX_LAYERS),
            hidden_size: fields.count("hidden_size", MAX_WIDTH),
            intermediate_size: fields.count("intermediate_size", MAX_WIDTH * 4),
            vocab_size: fields.count("vocab_size", MAX_VOCAB),
            heads: fields.count("heads", MAX_WIDTH),
            kv_heads: fields.count("kv_heads", MAX_WIDTH),
            head_dim: fields.count("head_dim", MAX_HEAD_DIM),
            gated_ffn: fields.flag("gated_ffn"),
            tied_embeddings: fields.flag("tied_embeddings"),
            qkv_bias: fields.flag("qkv_bias"),
            qk_norm: fields.flag("qk_norm"),
            max_position_embeddings: fields.count("max_position_embeddings", 1 << 40),
            other_parameters: fields.whole("other_parameters", MAX_PARAMETERS),
            table_parameters: fields.whole("table_parameters", MAX_PARAMETERS),
            vision_parameters: fields.whole("vision_parameters", MAX_PARAMETERS),
            layer_groups: Vec::new(),
        };
        spec.layer_groups = fields.section_list("layer_groups").into_iter().filter_map(LayerGroupSpec::read).collect();
        check_heads(&fields, &spec);
        check_groups(&fields, &spec);
        fields.finish();
        spec
    }

    /// The layers by shape, whichever form they are written in; `None` where the short form is incomplete.
    #[must_use]
    pub fn groups(&self) -> Option<Vec<LayerGroupSpec>> {
        if !self.layer_groups.is_empty() {
            return Some(self.layer_groups.clone());
        }
        let hidden = self.hidden_size?;
        let heads = self.heads?;
        let kv_heads = self.kv_heads.unwrap_or(heads);
        let head_dim = match self.head_dim {
            Some(head_dim) => head_dim,
            None => hidden / heads,
        };
        let bias = if self.qkv_bias == Some(true) { (heads + 2 * kv_heads) * head_dim } else { 0 };
        let norms = 2 * hidden + if self.qk_norm == Some(true) { 2 * head_dim } else { 0 };
        let attention = SoftmaxSpec { qk_norm: self.qk_norm, ..SoftmaxSpec::full(heads, kv_heads, head_dim) };
        let ffn = DenseSpec::new(self.intermediate_size?, self.gated_ffn.unwrap_or(true));
        Some(vec![LayerGroupSpec {
            count: self.layers?,
            attention: AttentionSpec::Softmax(attention),
            ffn: FfnSpec::Dense(ffn),
            other_parameters: norms + bias,
        }])
    }

    /// Whether the short form describes the model.
    #[must_use]
    pub fn is_short_form(&self) -> bool {
        self.layer_groups.is_empty()
    }
}

impl LayerGroupSpec {
    fn read(mut fields: Fields<'_>) -> Option<Self> {
        let count = need_count(&mut fields, "count", MAX_LAYERS);
        let attention = AttentionSpec::read(fields.section("attention"));
        let ffn = FfnSpec::read(fields.section("ffn"));
        let other_parameters = fields.whole("other_parameters", MAX_PARAMETERS).unwrap_or(0);
        fields.finish();
        Some(Self { count: count?, attention: attention?, ffn: ffn?, other_parameters })
    }
}

/// A whole number that has to be there.
pub(super) fn need_count(fields: &mut Fields<'_>, key: &'static str, high: u64) -> Option<u64> {
    if !fields.has(key) {
        fields.missing(key);
    }
    fields.count(key, high)
}

fn check_heads(fields: &Fields<'_>, spec: &ArchitectureSpec) {
    if let (Some(heads), Some(kv_heads)) = (spec.heads, spec.kv_heads)
        && heads % kv_heads != 0
    {
        fields.fault("kv_heads", format!("{heads} heads cannot be shared by {kv_heads} KV heads"));
    }
    if let (Some(hidden), Some(heads), None) = (spec.hidden_size, spec.heads, spec.head_dim)
        && hidden % heads != 0
    {
        let what = format!("hidden_size {hidden} is not divisible by {heads} heads and there is no head_dim");
        fields.fault_with_help("hidden_size", what, "state head_dim");
    }
}

fn check_groups(fields: &Fields<'_>, spec: &ArchitectureSpec) {
    if spec.layer_groups.is_empty() {
        return;
    }
    for key in ["intermediate_size", "heads", "kv_heads", "head_dim", "gated_ffn", "qkv_bias", "qk_norm"] {
        if fields.has(key) {
            fields.fault_with_help(key, format!("`{key}` and `layer_groups` exclude each other"), "state it per group");
        }
    }
    let sum: u64 = spec.layer_groups.iter().map(|g| g.count).sum();
    match spec.layers {
        Some(layers) if layers != sum => {
            fields.fault("layers", format!("layers is {layers}, the layer_groups hold {sum}"));
        }
        _ => {}
    }
    if spec.hidden_size.is_none() {
        fields.missing("hidden_size");
    }
    if spec.vocab_size.is_none() {
        fields.missing("vocab_size");
    }
    if spec.parameters().is_none() && spec.hidden_size.is_some() && spec.vocab_size.is_some() {
        fields.fault("layer_groups", "the parameter count is beyond 2^63");
    }
}
