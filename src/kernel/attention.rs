//! Softmax attention over a KV cache, grouped queries, optional sliding window.

use crate::quantity::{Bytes, Flop};

/// Causal attention of `tokens` new tokens per sequence on `prefix` cached ones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PrefillAttention {
    /// Sequences.
    pub sequences: f64,
    /// New tokens of each.
    pub tokens: f64,
    /// Query heads on this rank.
    pub heads: f64,
    /// Key/value heads on this rank.
    pub kv_heads: f64,
    /// Width of a head.
    pub head_dim: f64,
    /// Cached tokens of each sequence.
    pub prefix: f64,
    /// Sliding window in tokens; 0 for none.
    pub window: f64,
    /// Bytes per cached element.
    pub kv_bytes: f64,
}

/// Attention of one new token per sequence over `context` tokens, itself included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DecodeAttention {
    /// Sequences.
    pub sequences: f64,
    /// Tokens attended to, the new one included.
    pub context: f64,
    /// Query heads on this rank.
    pub heads: f64,
    /// Key/value heads on this rank.
    pub kv_heads: f64,
    /// Width of a head.
    pub head_dim: f64,
    /// Sliding window in tokens; 0 for none.
    pub window: f64,
    /// Tokens that an indexer selects at most; infinite for none.
    pub selected: f64,
    /// Bytes per cached element.
    pub kv_bytes: f64,
}

/// New keys and values or states that another kernel writes: bytes without time of their own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CacheAppend {
    /// Bytes of one call.
    pub bytes: f64,
}

impl PrefillAttention {
    /// Mean tokens attended to per new token: the causal triangle, the prefix, cut by the window.
    fn mean_span(&self) -> f64 {
        let full = self.prefix + (self.tokens + 1.0) / 2.0;
        if self.window > 0.0 { full.min(self.window) } else { full }
    }

    /// Two products of 2·D operations per pair of tokens and head.
    #[must_use]
    pub fn flop(&self) -> Flop {
        Flop::new(4.0 * self.head_dim * self.heads * self.sequences * self.tokens * self.mean_span())
    }

    /// Queries and outputs, new keys and values, and the cached prefix, once.
    #[must_use]
    pub fn bytes(&self) -> Bytes {
        let per_token = self.head_dim * (4.0 * self.heads + 4.0 * self.kv_heads);
        let cached = self.prefix * self.head_dim * 2.0 * self.kv_heads * self.kv_bytes;
        Bytes::new(self.sequences * (self.tokens * per_token + cached))
    }

    /// New keys and values as stored.
    #[must_use]
    pub fn new_kv_bytes(&self) -> Bytes {
        Bytes::new(self.sequences * self.tokens * 2.0 * self.kv_heads * self.head_dim * self.kv_bytes)
    }
}

impl DecodeAttention {
    /// Tokens read per sequence.
    #[must_use]
    pub fn span(&self) -> f64 {
        let seen = self.context.min(self.selected);
        if self.window > 0.0 { seen.min(self.window) } else { seen }
    }

    /// Two products of 2·D operations per token attended to and head.
    #[must_use]
    pub fn flop(&self) -> Flop {
        Flop::new(4.0 * self.head_dim * self.heads * self.sequences * self.span())
    }

    /// Cached keys and values.
    #[must_use]
    pub fn cache_bytes(&self) -> Bytes {
        Bytes::new(2.0 * self.sequences * self.kv_heads * self.span() * self.head_dim * self.kv_bytes)
    }

    /// Cached keys and values, query and output.
    #[must_use]
    pub fn bytes(&self) -> Bytes {
        self.cache_bytes() + Bytes::new(4.0 * self.sequences * self.heads * self.head_dim)
    }
}
