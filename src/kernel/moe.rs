//! The grouped product over routed experts on one rank.

use super::MathType;
use crate::quantity::{Bytes, Flop};

/// Storage and arithmetic of routed experts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ExpertFormat {
    /// 16-bit.
    Bf16,
    /// 8-bit float, one scale per tensor or channel.
    Fp8,
    /// 8-bit float with a scale per 128 × 128 block.
    Fp8Block,
    /// 4-bit float with a scale per 16 values, multiplied as 4-bit float.
    Nvfp4,
    /// 4-bit weights, dequantised inside a 16-bit kernel.
    WeightOnlyInt4,
}

impl ExpertFormat {
    /// Bytes per weight, scales included.
    #[must_use]
    pub const fn weight_bytes(self) -> f64 {
        match self {
            Self::Bf16 => 2.0,
            Self::Fp8 => 1.0,
            Self::Fp8Block => 1.0003,
            Self::Nvfp4 => 0.5625,
            Self::WeightOnlyInt4 => 0.53,
        }
    }

    /// The arithmetic.
    #[must_use]
    pub const fn math(self) -> MathType {
        match self {
            Self::Bf16 | Self::WeightOnlyInt4 => MathType::Bf16,
            Self::Fp8 | Self::Fp8Block => MathType::Fp8,
            Self::Nvfp4 => MathType::Fp4,
        }
    }

    /// Name in tables and calibration files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bf16 => "bf16",
            Self::Fp8 => "fp8",
            Self::Fp8Block => "fp8_block",
            Self::Nvfp4 => "nvfp4",
            Self::WeightOnlyInt4 => "int4_wo",
        }
    }
}

/// Routed experts of one rank over the tokens of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroupedGemm {
    /// Tokens of the step.
    pub tokens: f64,
    /// Width of the residual stream.
    pub hidden: f64,
    /// Width of an expert on this rank.
    pub intermediate: f64,
    /// Experts on this rank.
    pub experts: f64,
    /// Experts of this rank per token.
    pub top_k: f64,
    /// Matrices of an expert: gate, up, down or up, down.
    pub matrices: f64,
    /// Storage and arithmetic.
    pub format: ExpertFormat,
    /// Distinct experts touched, where it is known; uniform routing otherwise.
    pub touched: Option<f64>,
}

impl GroupedGemm {
    /// Pairs of token and expert.
    #[must_use]
    pub fn pairs(&self) -> f64 {
        self.tokens * self.top_k
    }

    /// Distinct experts touched: `E·(1 − (1 − k/E)^T)` under uniform routing.
    #[must_use]
    pub fn hits(&self) -> f64 {
        self.touched.unwrap_or_else(|| self.experts * (1.0 - (1.0 - self.top_k / self.experts).powf(self.tokens)))
    }

    /// Multiply-adds of the pairs, two operations each.
    #[must_use]
    pub fn flop(&self) -> Flop {
        Flop::new(2.0 * self.pairs() * self.matrices * self.hidden * self.intermediate)
    }

    /// Weights of the experts touched.
    #[must_use]
    pub fn weight_bytes(&self) -> f64 {
        self.hits() * self.matrices * self.hidden * self.intermediate * self.format.weight_bytes()
    }

    /// Weights touched, and the activations in and out once.
    #[must_use]
    pub fn bytes(&self) -> Bytes {
        Bytes::new(self.weight_bytes() + 4.0 * self.tokens * self.hidden)
    }
}
