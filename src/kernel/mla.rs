//! Latent attention: a compressed cache of one vector per token, shared by all heads.

use crate::quantity::{Bytes, Flop};

/// Decode in the absorbed form: every head attends to the latent vector and its rotary part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LatentDecode {
    /// Sequences.
    pub sequences: f64,
    /// Tokens attended to, the new one included.
    pub context: f64,
    /// Tokens that an indexer selects at most; infinite for none.
    pub selected: f64,
    /// Query heads on this rank.
    pub heads: f64,
    /// Width of the latent vector.
    pub latent: f64,
    /// Width of its rotary part.
    pub rope: f64,
    /// Bytes per cached element.
    pub kv_bytes: f64,
}

/// Prefill in the expanded form.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LatentPrefill {
    /// Sequences.
    pub sequences: f64,
    /// New tokens of each.
    pub tokens: f64,
    /// Heads on this rank.
    pub heads: f64,
    /// Width of query and key: the plain and the rotary part.
    pub key_dim: f64,
    /// Width of value.
    pub value_dim: f64,
}

/// The per-head products that absorb the expansion into queries and outputs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LatentAbsorb {
    /// Tokens.
    pub tokens: f64,
    /// Weights on this rank: heads · latent · (plain key + value).
    pub weights: f64,
}

impl LatentDecode {
    /// Tokens read per sequence.
    #[must_use]
    pub fn span(&self) -> f64 {
        self.context.min(self.selected)
    }

    /// Cached bytes read.
    #[must_use]
    pub fn cache_bytes(&self) -> Bytes {
        Bytes::new(self.sequences * self.span() * (self.latent + self.rope) * self.kv_bytes)
    }

    /// Scores over latent and rotary part, values over the latent part.
    #[must_use]
    pub fn flop(&self) -> Flop {
        Flop::new(2.0 * (2.0 * self.latent + self.rope) * self.heads * self.sequences * self.span())
    }

    /// The cache, queries and outputs.
    #[must_use]
    pub fn bytes(&self) -> Bytes {
        self.cache_bytes() + Bytes::new(2.0 * self.sequences * self.heads * (2.0 * self.latent + self.rope))
    }
}

impl LatentPrefill {
    /// Scores and values over the causal triangle.
    #[must_use]
    pub fn flop(&self) -> Flop {
        let pairs = self.sequences * self.tokens * (self.tokens + 1.0) / 2.0;
        Flop::new(2.0 * (self.key_dim + self.value_dim) * self.heads * pairs)
    }

    /// Queries, keys, values and outputs.
    #[must_use]
    pub fn bytes(&self) -> Bytes {
        Bytes::new(4.0 * self.sequences * self.tokens * self.heads * (self.key_dim + self.value_dim))
    }
}

impl LatentAbsorb {
    /// Multiply-adds, two operations each.
    #[must_use]
    pub fn flop(&self) -> Flop {
        Flop::new(2.0 * self.tokens * self.weights)
    }

    /// Weights in 16 bit.
    #[must_use]
    pub fn bytes(&self) -> Bytes {
        Bytes::new(2.0 * self.weights)
    }
}
