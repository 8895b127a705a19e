//! Token mixers with a state of fixed size: the scan itself, without its projections.

use crate::quantity::{Bytes, Flop};

/// The recurrent update of a layer on one rank, short convolution and gated norm included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RecurrentScan {
    /// Sequences.
    pub sequences: f64,
    /// New tokens of all sequences.
    pub tokens: f64,
    /// Chunked over a prompt, or one update per sequence.
    pub prefill: bool,
    /// Heads of the state.
    pub heads: f64,
    /// Elements of the state of one sequence, 32-bit.
    pub state: f64,
    /// Width of the output.
    pub inner_width: f64,
}

/// Tokens of a chunk of the parallel form.
const CHUNK: f64 = 64.0;

impl RecurrentScan {
    fn value_dim(&self) -> f64 {
        self.inner_width / self.heads
    }

    fn key_dim(&self) -> f64 {
        self.state / self.inner_width
    }

    /// Per token and head: products within a chunk, update and read of the state.
    #[must_use]
    pub fn flop(&self) -> Flop {
        let (key, value) = (self.key_dim(), self.value_dim());
        let within = if self.prefill { 2.0 * CHUNK * (key + value) } else { 0.0 };
        Flop::new(self.tokens * self.heads * (within + 4.0 * key * value))
    }

    /// The state read and written, and the activations around it.
    #[must_use]
    pub fn bytes(&self) -> Bytes {
        let state = if self.prefill { self.sequences } else { 2.0 * self.sequences } * self.state * 4.0;
        Bytes::new(state + if self.prefill { 12.0 * self.tokens * self.inner_width } else { 0.0 })
    }
}
