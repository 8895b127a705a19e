//! Passes over activations: bound by memory or by their launch.

/// What a pass does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ElementwiseOp {
    /// Gather of embedding rows.
    Embedding,
    /// RMS norm with residual.
    Norm,
    /// Rotary embedding.
    Rope,
    /// Activation, gated or not.
    Activation,
    /// Scores and choice of experts.
    SelectExperts,
    /// Scores of an indexer that chooses the tokens attended to.
    IndexScores,
    /// Passes over the logits: to 32 bit, softmax, argmax.
    Logits,
    /// Sort, cumulative sum and masking of the vocabulary.
    Sort,
    /// Fused rejection sampling.
    RejectionSampling,
}

/// A pass over `bytes` of activations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elementwise {
    /// What it does.
    pub op: ElementwiseOp,
    /// Rows: tokens or sequences, one thread block each.
    pub rows: f64,
    /// Bytes read and written.
    pub bytes: f64,
    /// Share of the bytes that is read.
    pub read_share: f64,
    /// Operations.
    pub flop: f64,
}
