//! Token mixers: softmax attention over a KV cache, latent attention, recurrent state, or none.

use super::super::fields::Fields;
use super::count::Matrix;
use super::{MAX_HEAD_DIM, MAX_WIDTH, StorageSpec, need_count};

/// How a layer mixes tokens.
#[derive(Clone, Debug, PartialEq)]
pub enum AttentionSpec {
    /// Softmax attention over cached keys and values: kinds `full`, `sliding`, `chunked`, `cross`.
    Softmax(SoftmaxSpec),
    /// Multi-head latent attention: kind `mla`.
    Mla(MlaSpec),
    /// A fixed state in place of a cache: kinds `linear`, `mamba`, `rwkv`.
    Recurrent(RecurrentSpec),
    /// No token mixer in this layer: kind `none`.
    None,
}

/// Which cached tokens a query sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Span {
    /// All of them.
    Full,
    /// The last `window`.
    Sliding(u64),
    /// Those of its own chunk of `window` tokens.
    Chunked(u64),
    /// Tokens of another modality: no text is cached.
    Cross,
}

/// Softmax attention: multi-head, grouped-query or multi-query.
#[derive(Clone, Debug, PartialEq)]
pub struct SoftmaxSpec {
    /// Which tokens a query sees.
    pub span: Span,
    /// Query heads.
    pub heads: u64,
    /// Key/value heads.
    pub kv_heads: u64,
    /// Width of a query or key head.
    pub head_dim: u64,
    /// Width of a value head, where it differs.
    pub value_head_dim: Option<u64>,
    /// Norms on queries and keys: an extra kernel. Their parameters are in `other_parameters`.
    pub qk_norm: Option<bool>,
    /// Those norms run over all heads together: ranks that share the heads exchange one sum of squares a token.
    pub qk_norm_over_heads: bool,
    /// The query projection also yields a gate of the output, doubling its width.
    pub output_gate: bool,
    /// Values are the keys: no value projection, but both are cached.
    pub values_from_keys: bool,
    /// The layer reads another layer's cache: no key or value projection and no cache of its own.
    pub kv_shared: bool,
    /// Selects the tokens attended to.
    pub index: Option<IndexSpec>,
    /// Storage of its matrices.
    pub weights: StorageSpec,
}

/// Multi-head latent attention: one compressed vector per token and layer is cached.
#[derive(Clone, Debug, PartialEq)]
pub struct MlaSpec {
    /// Query heads.
    pub heads: u64,
    /// Rank of the compressed query; absent for a full query projection.
    pub q_lora_rank: Option<u64>,
    /// Width of the compressed key/value vector; cached.
    pub kv_lora_rank: u64,
    /// Width of the rotary part of a head; one shared key of this width is cached.
    pub rope_head_dim: u64,
    /// Width of the other part of a query or key head.
    pub nope_head_dim: u64,
    /// Width of a value head.
    pub v_head_dim: u64,
    /// Selects the tokens attended to.
    pub index: Option<IndexSpec>,
    /// Storage of its matrices.
    pub weights: StorageSpec,
}

/// The indexer of sparse attention: cheap scores that choose the tokens to attend to.
#[derive(Clone, Debug, PartialEq)]
pub struct IndexSpec {
    /// Heads of the indexer.
    pub heads: u64,
    /// Width of a head; one key of this width per token is cached.
    pub head_dim: u64,
    /// Tokens attended to.
    pub top_k: Option<u64>,
    /// Input width of its query projection; absent means the residual stream's.
    pub query_input: Option<u64>,
    /// It has a projection that weighs its heads.
    pub head_weights: bool,
}

/// Which recurrence a layer without a cache computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecurrentKind {
    /// Linear attention: gated delta net, lightning attention, KDA.
    Linear,
    /// Selective state space: Mamba 1 and 2.
    Mamba,
    /// RWKV time mix.
    Rwkv,
}

/// A layer with a state of fixed size per sequence.
#[derive(Clone, Debug, PartialEq)]
pub struct RecurrentSpec {
    /// Which recurrence.
    pub kind: RecurrentKind,
    /// Heads of the state.
    pub heads: u64,
    /// Output width of all projections of the residual stream together.
    pub input_width: u64,
    /// Input width of the projection back to the residual stream.
    pub inner_width: u64,
    /// Width of the small matrices between (decay, step size, low-rank gates): they hold inner_width × this elements.
    pub inner_rank: Option<u64>,
    /// Elements of the recurrent state per sequence and layer, 32-bit; absent for a convolution alone.
    pub state_size: Option<u64>,
    /// Elements of the convolution state per sequence and layer, 16-bit.
    pub conv_state_size: Option<u64>,
    /// Storage of its matrices.
    pub weights: StorageSpec,
}

impl SoftmaxSpec {
    /// Attention to all tokens, without extras.
    #[must_use]
    pub fn full(heads: u64, kv_heads: u64, head_dim: u64) -> Self {
        Self {
            span: Span::Full,
            heads,
            kv_heads,
            head_dim,
            value_head_dim: None,
            qk_norm: None,
            qk_norm_over_heads: false,
            output_gate: false,
            values_from_keys: false,
            kv_shared: false,
            index: None,
            weights: StorageSpec::default(),
        }
    }

    /// Width of a value head.
    #[must_use]
    pub fn value_dim(&self) -> u64 {
        self.value_head_dim.unwrap_or(self.head_dim)
    }

    fn matrices(&self, hidden: u64) -> Vec<Matrix> {
        let gate = if self.output_gate { 2 } else { 1 };
        let mut list = vec![Matrix::new("q_proj", self.heads * self.head_dim * gate, hidden)];
        if !self.kv_shared {
            list.push(Matrix::new("k_proj", self.kv_heads * self.head_dim, hidden));
            if !self.values_from_keys {
                list.push(Matrix::new("v_proj", self.kv_heads * self.value_dim(), hidden));
            }
        }
        list.push(Matrix::new("o_proj", hidden, self.heads * self.value_dim()));
        list.extend(self.index.iter().flat_map(|index| index.matrices(hidden)));
        list
    }
}

impl MlaSpec {
    fn matrices(&self, hidden: u64) -> Vec<Matrix> {
        let query = self.heads * (self.nope_head_dim + self.rope_head_dim);
        let mut list = match self.q_lora_rank {
            Some(rank) => vec![Matrix::new("q_a_proj", rank, hidden), Matrix::new("q_b_proj", query, rank)],
            None => vec![Matrix::new("q_proj", query, hidden)],
        };
        list.push(Matrix::new("kv_a_proj", self.kv_lora_rank + self.rope_head_dim, hidden));
        list.push(Matrix::new("kv_b_proj", self.heads * (self.nope_head_dim + self.v_head_dim), self.kv_lora_rank));
        list.push(Matrix::new("o_proj", hidden, self.heads * self.v_head_dim));
        list.extend(self.index.iter().flat_map(|index| index.matrices(hidden)));
        list
    }
}

impl IndexSpec {
    fn matrices(&self, hidden: u64) -> Vec<Matrix> {
        let mut list = vec![
            Matrix::new("index_q_proj", self.heads * self.head_dim, self.query_input.unwrap_or(hidden)),
            Matrix::new("index_k_proj", self.head_dim, hidden),
        ];
        if self.head_weights {
            list.push(Matrix::new("index_weights_proj", self.heads, hidden));
        }
        list
    }
}

impl RecurrentSpec {
    fn matrices(&self, hidden: u64) -> Vec<Matrix> {
        let mut list = vec![Matrix::new("in_proj", self.input_width, hidden)];
        if let Some(rank) = self.inner_rank {
            list.push(Matrix::new("inner_proj", rank, self.inner_width));
        }
        list.push(Matrix::new("out_proj", hidden, self.inner_width));
        list
    }
}

impl AttentionSpec {
    /// The matrices of one layer, `hidden` being the width of the residual stream.
    #[must_use]
    pub fn matrices(&self, hidden: u64) -> Vec<Matrix> {
        match self {
            Self::Softmax(spec) => spec.matrices(hidden),
            Self::Mla(spec) => spec.matrices(hidden),
            Self::Recurrent(spec) => spec.matrices(hidden),
            Self::None => Vec::new(),
        }
    }

    /// Elements cached per token: keys, values and index keys.
    #[must_use]
    pub fn kv_elements(&self) -> u64 {
        match self {
            Self::Softmax(spec) if spec.kv_shared || spec.span == Span::Cross => 0,
            Self::Softmax(spec) => {
                spec.kv_heads * (spec.head_dim + spec.value_dim()) + spec.index.as_ref().map_or(0, |i| i.head_dim)
            }
            Self::Mla(spec) => spec.kv_lora_rank + spec.rope_head_dim + spec.index.as_ref().map_or(0, |i| i.head_dim),
            Self::Recurrent(_) | Self::None => 0,
        }
    }

    /// The most tokens of a sequence that stay cached, where that is bounded.
    #[must_use]
    pub fn window(&self) -> Option<u64> {
        match self {
            Self::Softmax(SoftmaxSpec { span: Span::Sliding(window) | Span::Chunked(window), .. }) => Some(*window),
            _ => None,
        }
    }

    /// Bytes of recurrent (32-bit) and convolution (16-bit) state per sequence.
    #[must_use]
    pub fn state_bytes(&self) -> u64 {
        match self {
            Self::Recurrent(spec) => 4 * spec.state_size.unwrap_or(0) + 2 * spec.conv_state_size.unwrap_or(0),
            _ => 0,
        }
    }

    /// The same mixer with its matrices stored so.
    #[must_use]
    pub fn stored_as(mut self, storage: StorageSpec) -> Self {
        match &mut self {
            Self::Softmax(spec) => spec.weights = storage,
            Self::Mla(spec) => spec.weights = storage,
            Self::Recurrent(spec) => spec.weights = storage,
            Self::None => {}
        }
        self
    }

    /// Storage of its matrices.
    #[must_use]
    pub fn weights(&self) -> StorageSpec {
        match self {
            Self::Softmax(spec) => spec.weights,
            Self::Mla(spec) => spec.weights,
            Self::Recurrent(spec) => spec.weights,
            Self::None => StorageSpec::default(),
        }
    }

    pub(super) fn read(mut fields: Fields<'_>) -> Option<Self> {
        let Some(kind) = fields.text("kind") else {
            fields.missing("kind");
            return None;
        };
        let spec = match kind.as_str() {
            "full" => read_softmax(&mut fields, Span::Full),
            "cross" => read_softmax(&mut fields, Span::Cross),
            "sliding" => need_window(&mut fields).and_then(|w| read_softmax(&mut fields, Span::Sliding(w))),
            "chunked" => need_window(&mut fields).and_then(|w| read_softmax(&mut fields, Span::Chunked(w))),
            "mla" => read_mla(&mut fields),
            "linear" => read_recurrent(&mut fields, RecurrentKind::Linear),
            "mamba" => read_recurrent(&mut fields, RecurrentKind::Mamba),
            "rwkv" => read_recurrent(&mut fields, RecurrentKind::Rwkv),
            "none" => Some(Self::None),
            other => {
                let kinds = "full, sliding, chunked, cross, mla, linear, mamba, rwkv or none";
                fields.fault("kind", format!("`{other}` is no kind of attention: {kinds}"));
                return None;
            }
        };
        fields.finish();
        spec
    }
}

fn need_window(fields: &mut Fields<'_>) -> Option<u64> {
    need_count(fields, "window", 1 << 40)
}

fn read_softmax(fields: &mut Fields<'_>, span: Span) -> Option<AttentionSpec> {
    let heads = need_count(fields, "heads", MAX_WIDTH);
    let kv_heads = fields.count("kv_heads", MAX_WIDTH).or(heads);
    let head_dim = need_count(fields, "head_dim", MAX_HEAD_DIM);
    if let (Some(heads), Some(kv_heads)) = (heads, kv_heads)
        && heads % kv_heads != 0
    {
        fields.fault("kv_heads", format!("{heads} heads cannot be shared by {kv_heads} KV heads"));
    }
    let value_head_dim = fields.count("value_head_dim", MAX_HEAD_DIM);
    let qk_norm = fields.flag("qk_norm");
    let qk_norm_over_heads = fields.flag("qk_norm_over_heads").unwrap_or(false);
    let output_gate = fields.flag("output_gate").unwrap_or(false);
    let values_from_keys = fields.flag("values_from_keys").unwrap_or(false);
    let kv_shared = fields.flag("kv_shared").unwrap_or(false);
    let index = read_index(fields);
    let weights = StorageSpec::read(fields.section("weights"));
    Some(AttentionSpec::Softmax(SoftmaxSpec {
        span,
        heads: heads?,
        kv_heads: kv_heads?,
        head_dim: head_dim?,
        value_head_dim,
        qk_norm,
        qk_norm_over_heads,
        output_gate,
        values_from_keys,
        kv_shared,
        index,
        weights,
    }))
}

fn read_mla(fields: &mut Fields<'_>) -> Option<AttentionSpec> {
    let heads = need_count(fields, "heads", MAX_WIDTH);
    let q_lora_rank = fields.count("q_lora_rank", MAX_WIDTH);
    let kv_lora_rank = need_count(fields, "kv_lora_rank", MAX_WIDTH);
    let rope_head_dim = need_count(fields, "rope_head_dim", MAX_HEAD_DIM);
    let nope_head_dim = need_count(fields, "nope_head_dim", MAX_HEAD_DIM);
    let v_head_dim = need_count(fields, "v_head_dim", MAX_HEAD_DIM);
    let index = read_index(fields);
    let weights = StorageSpec::read(fields.section("weights"));
    Some(AttentionSpec::Mla(MlaSpec {
        heads: heads?,
        q_lora_rank,
        kv_lora_rank: kv_lora_rank?,
        rope_head_dim: rope_head_dim?,
        nope_head_dim: nope_head_dim?,
        v_head_dim: v_head_dim?,
        index,
        weights,
    }))
}

fn read_index(fields: &mut Fields<'_>) -> Option<IndexSpec> {
    let mut index = fields.section("index");
    if index.is_empty() {
        return None;
    }
    let heads = need_count(&mut index, "heads", MAX_WIDTH);
    let head_dim = need_count(&mut index, "head_dim", MAX_HEAD_DIM);
    let top_k = index.count("top_k", 1 << 40);
    let query_input = index.count("query_input", MAX_WIDTH);
    let head_weights = index.flag("head_weights").unwrap_or(false);
    index.finish();
    Some(IndexSpec { heads: heads?, head_dim: head_dim?, top_k, query_input, head_weights })
}

fn read_recurrent(fields: &mut Fields<'_>, kind: RecurrentKind) -> Option<AttentionSpec> {
    let heads = need_count(fields, "heads", MAX_WIDTH);
    let input_width = need_count(fields, "input_width", MAX_WIDTH * 8);
    let inner_width = need_count(fields, "inner_width", MAX_WIDTH * 4);
    let inner_rank = fields.count("inner_rank", MAX_WIDTH);
    let state_size = fields.count("state_size", 1 << 40);
    let conv_state_size = fields.count("conv_state_size", 1 << 40);
    let weights = StorageSpec::read(fields.section("weights"));
    Some(AttentionSpec::Recurrent(RecurrentSpec {
        kind,
        heads: heads?,
        input_width: input_width?,
        inner_width: inner_width?,
        inner_rank,
        state_size,
        conv_state_size,
        weights,
    }))
}
