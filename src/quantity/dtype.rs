//! How weights and the KV cache are stored. What a machine computes in is another matter: see `machine`.

use std::fmt;
use std::str::FromStr;

/// Storage of the linear-layer weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WeightDtype {
    /// bfloat16, 2 bytes.
    Bf16,
    /// IEEE half precision, 2 bytes.
    Fp16,
    /// 8-bit float weights; activations are FP8 too where the machine has FP8 tensor cores.
    Fp8,
    /// 8-bit integer weights only, dequantised inside a 16-bit kernel.
    Int8,
    /// 8-bit integer weights and activations (SmoothQuant style).
    Int8W8A8,
    /// 4-bit integer weights only, group scales included in the bytes.
    Int4,
}

/// Storage of a group of tensors in a checkpoint. Which kernel it takes is a matter of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StorageDtype {
    /// IEEE single precision, 4 bytes.
    Fp32,
    /// bfloat16, 2 bytes.
    Bf16,
    /// IEEE half precision, 2 bytes.
    Fp16,
    /// 8-bit float.
    Fp8,
    /// 8-bit integer weights only.
    Int8,
    /// 8-bit integer weights and activations.
    Int8W8A8,
    /// Integers of about 4 bits (AWQ, GPTQ, NF4, GGUF K-quants), with group scales.
    Int4,
    /// 4-bit float with group scales (MXFP4, NVFP4).
    Fp4,
}

/// Storage of the KV cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum KvDtype {
    /// 16-bit, bfloat16 or half.
    Bf16,
    /// 8-bit float.
    Fp8,
    /// 8-bit integer.
    Int8,
    /// 4-bit integer with a 16-bit scale and zero point per head and token.
    Int4,
}

/// A name that no storage type has, with those that exist.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("unknown data type `{given}`: use one of {known}")]
pub struct UnknownDtype {
    given: String,
    known: String,
}

macro_rules! names {
    ($type:ident { $($variant:ident = $name:literal),+ $(,)? }) => {
        impl $type {
            /// Every storage type, in the order the help lists them.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The name used in files, options and results.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),+ }
            }
        }
        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.name())
            }
        }
        impl FromStr for $type {
            type Err = UnknownDtype;
            fn from_str(text: &str) -> Result<Self, UnknownDtype> {
                Self::ALL.iter().copied().find(|d| d.name().eq_ignore_ascii_case(text)).ok_or_else(|| UnknownDtype {
                    given: text.to_owned(),
                    known: Self::ALL.iter().map(|d| d.name()).collect::<Vec<_>>().join(", "),
                })
            }
        }
    };
}

names!(WeightDtype { Bf16 = "bf16", Fp16 = "fp16", Fp8 = "fp8", Int8 = "int8", Int8W8A8 = "int8_w8a8", Int4 = "int4" });
names!(StorageDtype {
    Fp32 = "fp32",
    Bf16 = "bf16",
    Fp16 = "fp16",
    Fp8 = "fp8",
    Int8 = "int8",
    Int8W8A8 = "int8_w8a8",
    Int4 = "int4",
    Fp4 = "fp4",
});
names!(KvDtype { Bf16 = "bf16", Fp8 = "fp8", Int8 = "int8", Int4 = "int4" });

impl WeightDtype {
    /// Bytes per weight element, scales included (0.53 for 4-bit groups of 128 with a 16-bit scale and a 4-bit zero).
    #[must_use]
    pub const fn bytes(self) -> f64 {
        match self {
            Self::Bf16 | Self::Fp16 => 2.0,
            Self::Fp8 | Self::Int8 | Self::Int8W8A8 => 1.0,
            Self::Int4 => 0.53,
        }
    }
}

impl StorageDtype {
    /// Bits per element where nothing more exact is stated; group scales included for the 4-bit types.
    #[must_use]
    pub const fn bits(self) -> f64 {
        match self {
            Self::Fp32 => 32.0,
            Self::Bf16 | Self::Fp16 => 16.0,
            Self::Fp8 | Self::Int8 | Self::Int8W8A8 => 8.0,
            Self::Int4 => 4.24,
            Self::Fp4 => 4.5,
        }
    }

    /// The storage of linear layers that costs most alike: single precision is loaded as 16-bit, 4-bit floats take the
    /// path of 4-bit integers.
    #[must_use]
    pub const fn weight_dtype(self) -> WeightDtype {
        match self {
            Self::Fp32 | Self::Bf16 => WeightDtype::Bf16,
            Self::Fp16 => WeightDtype::Fp16,
            Self::Fp8 => WeightDtype::Fp8,
            Self::Int8 => WeightDtype::Int8,
            Self::Int8W8A8 => WeightDtype::Int8W8A8,
            Self::Int4 | Self::Fp4 => WeightDtype::Int4,
        }
    }
}

impl From<WeightDtype> for StorageDtype {
    fn from(dtype: WeightDtype) -> Self {
        match dtype {
            WeightDtype::Bf16 => Self::Bf16,
            WeightDtype::Fp16 => Self::Fp16,
            WeightDtype::Fp8 => Self::Fp8,
            WeightDtype::Int8 => Self::Int8,
            WeightDtype::Int8W8A8 => Self::Int8W8A8,
            WeightDtype::Int4 => Self::Int4,
        }
    }
}

impl KvDtype {
    /// Bytes per cached element of a head with `head_dim` elements. 4-bit adds a scale and a zero point (2 × 2 bytes)
    /// per head and token; the 8-bit caches use one static scale per tensor.
    #[must_use]
    pub fn bytes(self, head_dim: f64) -> f64 {
        match self {
            Self::Bf16 => 2.0,
            Self::Fp8 | Self::Int8 => 1.0,
            Self::Int4 => 0.5 + 4.0 / head_dim,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_parse_back_and_unknown_ones_list_the_rest() {
        for dtype in WeightDtype::ALL {
            assert_eq!(dtype.name().parse(), Ok(*dtype));
        }
        for dtype in StorageDtype::ALL {
            assert_eq!(dtype.name().parse(), Ok(*dtype));
        }
        for dtype in KvDtype::ALL {
            assert_eq!(dtype.to_string().to_uppercase().parse(), Ok(*dtype));
        }
        let message = "fp4".parse::<KvDtype>().unwrap_err().to_string();
        assert_eq!(message, "unknown data type `fp4`: use one of bf16, fp8, int8, int4");
    }

    #[test]
    fn fewer_bits_are_never_more_bytes() {
        let weights = WeightDtype::ALL.iter().map(|d| d.bytes()).collect::<Vec<_>>();
        assert!(weights.windows(2).all(|w| w[1] <= w[0]));
        for head_dim in [32.0, 64.0, 128.0, 256.0] {
            let kv = KvDtype::ALL.iter().map(|d| d.bytes(head_dim)).collect::<Vec<_>>();
            assert!(kv.windows(2).all(|w| w[1] <= w[0]), "{head_dim}: {kv:?}");
        }
        assert_eq!(KvDtype::Int4.bytes(128.0), 0.53125);
    }
}
