//! A linear layer: `Y[m,n] = X[m,k] · W[n,k]ᵀ`.

use crate::quantity::{Bytes, Flop};

/// Storage of weights and activations, and the arithmetic, of a linear layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LinearFormat {
    /// 16-bit throughout.
    Bf16,
    /// 8-bit float weights and activations, one scale per tensor or channel.
    Fp8,
    /// 8-bit float weights with a scale per 128 × 128 block, activations quantised per 128 values.
    Fp8Block,
    /// 4-bit float weights and activations with a scale per 16 values.
    Nvfp4,
    /// 8-bit integer weights and activations.
    Int8W8A8,
    /// 8-bit float weights, dequantised inside a 16-bit kernel.
    WeightOnlyFp8,
    /// 8-bit integer weights, dequantised inside a 16-bit kernel.
    WeightOnlyInt8,
    /// 4-bit integer weights, dequantised inside a 16-bit kernel.
    WeightOnlyInt4,
    /// 4-bit float weights, dequantised inside a 16-bit kernel.
    WeightOnlyFp4,
}

/// The tensor-core path a layer uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MathType {
    /// 16-bit float.
    Bf16,
    /// 8-bit float.
    Fp8,
    /// 4-bit float.
    Fp4,
    /// 8-bit integer.
    Int8,
}

impl LinearFormat {
    /// Bytes per element of weights (scales included), activations and output.
    #[must_use]
    pub const fn element_bytes(self) -> (f64, f64, f64) {
        match self {
            Self::Bf16 => (2.0, 2.0, 2.0),
            Self::Fp8 | Self::Int8W8A8 => (1.0, 1.0, 2.0),
            Self::Fp8Block => (1.0 + 4.0 / 16384.0, 1.0 + 4.0 / 128.0, 2.0),
            Self::WeightOnlyFp8 | Self::WeightOnlyInt8 => (1.0, 2.0, 2.0),
            Self::WeightOnlyInt4 => (0.53, 2.0, 2.0),
            Self::Nvfp4 => (0.5625, 0.5625, 2.0),
            Self::WeightOnlyFp4 => (0.5625, 2.0, 2.0),
        }
    }

    /// The arithmetic.
    #[must_use]
    pub const fn math(self) -> MathType {
        match self {
            Self::Fp8 | Self::Fp8Block => MathType::Fp8,
            Self::Nvfp4 => MathType::Fp4,
            Self::Int8W8A8 => MathType::Int8,
            Self::Bf16 | Self::WeightOnlyFp8 | Self::WeightOnlyInt8 | Self::WeightOnlyInt4 | Self::WeightOnlyFp4 => {
                MathType::Bf16
            }
        }
    }

    /// Whether weights are dequantised inside a 16-bit kernel.
    #[must_use]
    pub const fn is_weight_only(self) -> bool {
        matches!(self, Self::WeightOnlyFp8 | Self::WeightOnlyInt8 | Self::WeightOnlyInt4 | Self::WeightOnlyFp4)
    }

    /// Name in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bf16 => "bf16",
            Self::Fp8 => "fp8",
            Self::Fp8Block => "fp8_block",
            Self::Int8W8A8 => "int8_w8a8",
            Self::WeightOnlyFp8 => "fp8_weight_only",
            Self::WeightOnlyInt8 => "int8_weight_only",
            Self::WeightOnlyInt4 => "int4_weight_only",
            Self::Nvfp4 => "nvfp4",
            Self::WeightOnlyFp4 => "fp4_weight_only",
        }
    }
}

/// A linear layer of whole rows and columns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Linear {
    /// Tokens.
    pub m: f64,
    /// Output width on this rank.
    pub n: f64,
    /// Input width on this rank.
    pub k: f64,
    /// Storage and arithmetic.
    pub format: LinearFormat,
}

impl Linear {
    /// A layer from possibly fractional shapes: tokens are cut to whole ones, widths rounded half to even.
    #[must_use]
    pub fn new(m: f64, n: f64, k: f64, format: LinearFormat) -> Self {
        Self { m: m.trunc().max(1.0), n: n.round_ties_even().max(1.0), k: k.round_ties_even().max(1.0), format }
    }

    /// Multiply-adds, two operations each.
    #[must_use]
    pub fn flop(&self) -> Flop {
        Flop::new(2.0 * self.m * self.n * self.k)
    }

    /// Weights, input and output once.
    #[must_use]
    pub fn bytes(&self) -> Bytes {
        let (w, a, o) = self.format.element_bytes();
        Bytes::new(self.n * self.k * w + self.m * self.k * a + self.m * self.n * o)
    }
}
