//! The eight stages a request's time is told in.

/// A stage of the waterfall.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// Work of the CPU and waiting for it.
    Host,
    /// Token ids or the embedding table over PCIe, and the gather.
    InputEmbeddingLoad,
    /// Projections, rotary embedding, attention and its all-reduce.
    Attention,
    /// Feed-forward layer and its all-reduce.
    Ffn,
    /// Norms with residual.
    Norm,
    /// Writing new keys and values.
    KvCacheWrite,
    /// LM head and its all-reduce.
    OutputLogitsRead,
    /// Drawing the next token.
    Sampling,
}

impl Stage {
    /// All stages in the order in which a request meets them.
    pub const ALL: [Self; 8] = [
        Self::Host,
        Self::InputEmbeddingLoad,
        Self::Attention,
        Self::Ffn,
        Self::Norm,
        Self::KvCacheWrite,
        Self::OutputLogitsRead,
        Self::Sampling,
    ];

    /// The name in results.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Host => "host",
            Self::InputEmbeddingLoad => "input_embedding_load",
            Self::Attention => "attention",
            Self::Ffn => "ffn",
            Self::Norm => "norm",
            Self::KvCacheWrite => "kv_cache_write",
            Self::OutputLogitsRead => "output_logits_read",
            Self::Sampling => "sampling",
        }
    }

    /// The short id in links and styles.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Host => "host",
            Self::InputEmbeddingLoad => "pcie",
            Self::Attention => "attn",
            Self::Ffn => "ffn",
            Self::Norm => "norm",
            Self::KvCacheWrite => "kv",
            Self::OutputLogitsRead => "logits",
            Self::Sampling => "sample",
        }
    }
}
