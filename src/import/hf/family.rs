//! What sets one model family apart from another: a row of plain values, and which functions read its layers.

use super::moe::MoeRule;
use super::reader::Reader;
use super::shapes::Shapes;
use crate::spec::{AttentionSpec, FfnSpec};

/// Whether projections of a kind have biases.
#[derive(Clone, Copy, Debug)]
pub(super) enum Bias {
    No,
    Yes,
    /// As the key says, with the class's default.
    Key(&'static str, bool),
}

/// Norms on queries and keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum QkNorm {
    No,
    /// One weight per element of a head, shared by the heads.
    PerHead,
    /// One weight per element of all heads.
    AllHeads,
}

/// Which layers slide over a window, where no `layer_types` says so.
#[derive(Clone, Copy, Debug)]
pub(super) enum SpanRule {
    Full,
    /// Chunks of `attention_chunk_size` in the layers with rotary positions, all but every fourth.
    Chunked,
    /// The first layer and every n-th are full, the rest slide.
    FirstAndEvery {
        every: u64,
        window: Option<u64>,
    },
    /// All layers, if `sliding_window` is set; the class's default where the key is absent.
    All(Option<u64>),
    /// Layers from `max_window_layers` on, if `use_sliding_window`.
    FromLayer,
    /// All but every n-th (`sliding_window_pattern`), with the default window.
    Pattern {
        every: u64,
        window: Option<u64>,
    },
}

/// One layer's token mixer with what it holds besides matrices.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Mixer {
    pub attention: AttentionSpec,
    /// Biases, head norms, sinks, convolutions.
    pub other: u64,
    /// The matrices as the checkpoint holds them (name, rows, columns), where they are more than the spec's.
    pub parts: Vec<(&'static str, u64, u64)>,
}

/// One layer's feed-forward network with what it holds besides matrices.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Network {
    pub ffn: FfnSpec,
    pub other: u64,
    /// Elements of 32-bit buffers in the checkpoint that are no parameters (router bias).
    pub buffers: u64,
}

/// A row of the table.
#[derive(Clone, Copy)]
pub(super) struct Family {
    /// The `model_type`s of the text model.
    pub model_types: &'static [&'static str],
    /// Whether the head is the embedding where the file does not say.
    pub tied: bool,
    /// Gated feed-forward networks.
    pub gated: bool,
    pub qkv_bias: Bias,
    pub output_bias: Bias,
    pub ffn_bias: Bias,
    pub head_bias: Bias,
    /// Norms of the residual stream's width per layer.
    pub norms: u64,
    /// And outside the layers.
    pub last_norms: u64,
    /// These norms have biases.
    pub norm_bias: bool,
    pub qk_norm: QkNorm,
    /// Rows of a learned position table beyond the context; absent for rotary or relative positions.
    pub positions: Option<u64>,
    pub span: SpanRule,
    /// Width of a head where the file does not say; absent for hidden_size / heads.
    pub head_dim: Option<u64>,
    /// Bytes of a scale of a block-wise FP8 checkpoint.
    pub fp8_scale_bits: u64,
    /// A sink per query head.
    pub sinks: bool,
    /// The experts, if the file has any.
    pub moe: MoeRule,
    /// One layer of full attention, where recurrent layers stand beside it.
    pub attention: fn(&mut Reader<'_>, &Family, &Shapes) -> Mixer,
    /// One recurrent layer.
    pub recurrent: fn(&mut Reader<'_>, &Family, &Shapes) -> Mixer,
    /// Layers attend, with heads that are stated once for all.
    pub attends: bool,
    /// What the model class takes for keys that a nested text section leaves out.
    pub class_defaults: &'static [(&'static str, u64)],
    /// Last word on the row and the shapes, from flags that only this family has.
    pub adjust: fn(&mut Reader<'_>, &mut Family, &mut Shapes),
    /// The token mixers of all layers.
    pub mixers: fn(&mut Reader<'_>, &Family, &Shapes) -> Vec<Mixer>,
    /// The feed-forward networks of all layers.
    pub networks: fn(&mut Reader<'_>, &Family, &Shapes) -> Vec<Network>,
}

impl Mixer {
    /// A mixer whose matrices are those of its spec.
    pub fn new(attention: AttentionSpec, other: u64) -> Self {
        Self { attention, other, parts: Vec::new() }
    }
}

impl Bias {
    pub fn read(self, reader: &mut Reader<'_>) -> bool {
        match self {
            Self::No => false,
            Self::Yes => true,
            Self::Key(key, default) => reader.flag_or(key, default),
        }
    }
}

impl Family {
    /// Elements of one norm.
    pub fn norm(&self, width: u64) -> u64 {
        if self.norm_bias { 2 * width } else { width }
    }
}
