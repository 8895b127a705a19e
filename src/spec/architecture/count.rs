//! Counting: parameters, cached bytes and state bytes that follow from the shapes, exactly and without overflow.

use super::{ArchitectureSpec, AttentionSpec, FfnSpec, LayerGroupSpec};

/// A weight matrix of a layer, `rows` outputs by `columns` inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Matrix {
    /// Which one, in the field's usual words: `q_proj`, `experts.down_proj`.
    pub name: &'static str,
    /// Outputs.
    pub rows: u64,
    /// Inputs.
    pub columns: u64,
    /// How many of them: experts.
    pub copies: u64,
    /// It has a bias, counted with it.
    pub bias: bool,
}

/// Parameters of a model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ParameterCount {
    /// All, tied tables once, vision towers included.
    pub total: u64,
    /// Without vision and audio towers.
    pub text: u64,
    /// Text parameters less the routed experts that a token does not use.
    pub active: u64,
    /// The input embedding.
    pub embedding: u64,
    /// The LM head where it is a matrix of its own.
    pub lm_head: u64,
}

/// Parameters of one layer by what they are stored as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LayerCount {
    /// Matrices of the token mixer.
    pub attention: u64,
    /// Dense feed-forward network.
    pub dense: u64,
    /// Routed experts, all of them.
    pub experts: u64,
    /// Shared experts and latent projections.
    pub shared: u64,
    /// Router.
    pub router: u64,
    /// Norms, biases and the rest.
    pub other: u64,
}

impl Matrix {
    pub(super) const fn new(name: &'static str, rows: u64, columns: u64) -> Self {
        Self { name, rows, columns, copies: 1, bias: false }
    }

    /// Elements of all copies, biases included.
    #[must_use]
    pub const fn elements(&self) -> u64 {
        let bias = if self.bias { self.rows } else { 0 };
        (self.rows * self.columns + bias) * self.copies
    }
}

impl LayerCount {
    /// All parameters of the layer.
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.attention + self.dense + self.experts + self.shared + self.router + self.other
    }
}

impl LayerGroupSpec {
    /// Parameters of one layer of the group.
    #[must_use]
    pub fn count_layer(&self, hidden: u64) -> LayerCount {
        let mut count = LayerCount { other: self.other_parameters, ..LayerCount::default() };
        count.attention = self.attention.matrices(hidden).iter().map(Matrix::elements).sum();
        for matrix in self.ffn.matrices(hidden) {
            let part = match (&self.ffn, matrix.name) {
                (FfnSpec::Dense(_) | FfnSpec::None, _) => &mut count.dense,
                (FfnSpec::Moe(_), "router") => &mut count.router,
                (FfnSpec::Moe(_), name) if name.starts_with("experts.") => &mut count.experts,
                (FfnSpec::Moe(_), _) => &mut count.shared,
            };
            *part += matrix.elements();
        }
        count
    }

    /// Parameters of one layer that a token leaves idle: `experts` × (1 − top_k/experts).
    #[must_use]
    pub fn idle_parameters(&self, hidden: u64) -> u64 {
        match &self.ffn {
            FfnSpec::Moe(moe) => {
                let per_expert = self.count_layer(hidden).experts / moe.experts;
                per_expert * moe.experts.saturating_sub(moe.top_k)
            }
            FfnSpec::Dense(_) | FfnSpec::None => 0,
        }
    }
}

impl ArchitectureSpec {
    /// Parameters, where the shapes are complete and the count fits 63 bits.
    #[must_use]
    pub fn parameters(&self) -> Option<ParameterCount> {
        let hidden = self.hidden_size?;
        let embedding = self.vocab_size? * hidden;
        let lm_head = if self.tied_embeddings == Some(true) { 0 } else { embedding };
        let mut text = u128::from(embedding) + u128::from(lm_head);
        text += u128::from(self.other_parameters.unwrap_or(0)) + u128::from(self.table_parameters.unwrap_or(0));
        if self.is_short_form() {
            text += u128::from(hidden);
        }
        let mut idle = 0u128;
        for group in self.groups()? {
            text += u128::from(group.count) * u128::from(group.count_layer(hidden).total());
            idle += u128::from(group.count) * u128::from(group.idle_parameters(hidden));
        }
        let total = text + u128::from(self.vision_parameters.unwrap_or(0));
        let fits = |n: u128| i64::try_from(n).ok().map(i64::cast_unsigned);
        Some(ParameterCount { total: fits(total)?, text: fits(text)?, active: fits(text - idle)?, embedding, lm_head })
    }

    /// Elements cached for a sequence of `context` tokens over all layers, sliding layers capped at their window.
    #[must_use]
    pub fn kv_sequence_elements(&self, context: u64) -> Option<u64> {
        let mut sum = 0u128;
        for group in self.groups()? {
            let tokens = group.attention.window().map_or(context, |window| window.min(context));
            sum += u128::from(group.count) * u128::from(group.attention.kv_elements()) * u128::from(tokens);
        }
        u64::try_from(sum).ok()
    }

    /// Layers that own a KV cache.
    #[must_use]
    pub fn kv_layers(&self) -> Option<u64> {
        Some(self.groups()?.iter().filter(|g| g.attention.kv_elements() > 0).map(|g| g.count).sum())
    }

    /// Bytes of recurrent and convolution state per sequence over all layers.
    #[must_use]
    pub fn state_bytes(&self) -> Option<u64> {
        let mut sum = 0u128;
        for group in self.groups()? {
            sum += u128::from(group.count) * u128::from(group.attention.state_bytes());
        }
        u64::try_from(sum).ok()
    }

    /// Layers whose token mixer satisfies a condition.
    #[must_use]
    pub fn layers_where(&self, test: impl Fn(&AttentionSpec) -> bool) -> u64 {
        self.groups().unwrap_or_default().iter().filter(|g| test(&g.attention)).map(|g| g.count).sum()
    }
}
