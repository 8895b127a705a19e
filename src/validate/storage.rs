//! The weights of a measured run as a model of ours: names of storage types in tables and tools.

use crate::catalog;
use crate::quantity::{StorageDtype, WeightDtype};
use crate::scenario::Model;
use crate::spec::{AttentionSpec, FfnSpec, StorageSpec, StoredSpec};

/// How the weights of a run are stored.
#[derive(Clone, Debug, PartialEq)]
pub enum Stored {
    /// One type for all matrices of the layers.
    As(WeightDtype),
    /// 4-bit float for all matrices but those of latent attention.
    Fp4,
    /// 4-bit float for routed experts, 16 bit for the rest.
    Fp4Experts,
    /// A type of ggml, as a local engine reads it.
    Ggml(&'static StoredSpec),
}

/// Other spellings of names that the tables use.
const SPELLINGS: &[(&str, &str)] = &[
    ("float16", "fp16"),
    ("half", "fp16"),
    ("f16", "fp16"),
    ("bfloat16", "bf16"),
    ("f32", "bf16"),
    ("float32", "bf16"),
    ("fp32", "bf16"),
    ("auto", "bf16"),
    ("fp8_e4m3", "fp8"),
    ("float8", "fp8"),
    ("w8a8", "int8_w8a8"),
    ("int8sq", "int8_w8a8"),
    ("awq4", "int4"),
    ("awq", "int4"),
    ("gptq", "int4"),
    ("gptq4", "int4"),
    ("w4a16", "int4"),
    ("q4", "int4"),
    ("fp4", "nvfp4"),
];

impl Stored {
    /// The storage of a name: `fp16`, `nvfp4`, `q4_k_m`, `Q4_K - Medium`; none where it means nothing here.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let plain = name.trim().to_ascii_lowercase().replace([' ', '-'], "_").replace("___", "_");
        let plain = plain.strip_suffix("edium").unwrap_or(&plain);
        let plain = plain.trim_start_matches("mostly_").trim_start_matches("all_");
        let known = SPELLINGS.iter().find(|(other, _)| *other == plain).map_or(plain, |(_, known)| *known);
        match known {
            "nvfp4" => Some(Self::Fp4),
            "mxfp4" => Some(Self::Fp4Experts),
            _ => known.parse().map(Self::As).ok().or_else(|| Self::ggml(known)),
        }
    }

    /// K-quants come as a mix of types; a bare `q4_k` is its medium mix.
    fn ggml(name: &str) -> Option<Self> {
        let medium = format!("{name}_m");
        catalog::stored(name).or_else(|| catalog::stored(&medium)).map(Self::Ggml)
    }

    /// The model with its weights stored so, as `local` engines hold them or as serving engines do.
    #[must_use]
    pub fn of(&self, model: &Model, local: bool) -> Model {
        if local && let Some(spec) = self.bytes_of_local() {
            return ggml(model, spec);
        }
        match self {
            Self::As(dtype) => sixteen_bit_head(model.requantised(*dtype)),
            Self::Fp4 => fp4(sixteen_bit_head(model.requantised(WeightDtype::Bf16))),
            Self::Fp4Experts => fp4_experts(sixteen_bit_head(model.requantised(WeightDtype::Bf16))),
            // Outside a local engine: weights dequantised inside a 16-bit kernel.
            Self::Ggml(spec) => {
                let narrow = if spec.bytes < 0.9 { WeightDtype::Int4 } else { WeightDtype::Int8 };
                sixteen_bit_head(model.requantised(narrow))
            }
        }
    }

    fn bytes_of_local(&self) -> Option<&'static StoredSpec> {
        match self {
            Self::Ggml(spec) => Some(spec),
            Self::As(WeightDtype::Int8W8A8) => catalog::stored("int8"),
            Self::As(dtype) => catalog::stored(dtype.name()),
            Self::Fp4Experts => catalog::stored("mxfp4"),
            Self::Fp4 => catalog::stored("nvfp4"),
        }
    }
}

/// Serving engines keep the LM head in 16 bit.
fn sixteen_bit_head(mut model: Model) -> Model {
    model.outer_bits.lm_head = 16.0;
    model
}

fn stored_as(dtype: StorageDtype) -> StorageSpec {
    StorageSpec { dtype: Some(dtype), ..StorageSpec::default() }
}

fn fp4(mut model: Model) -> Model {
    for group in &mut model.groups {
        let attention = match &group.attention {
            AttentionSpec::Mla(_) => StorageDtype::Bf16,
            _ => StorageDtype::Fp4,
        };
        group.attention = group.attention.clone().stored_as(stored_as(attention));
        match &mut group.ffn {
            FfnSpec::Dense(dense) => dense.weights = stored_as(StorageDtype::Fp4),
            FfnSpec::Moe(moe) => {
                moe.weights = stored_as(StorageDtype::Fp4);
                moe.shared_weights = stored_as(StorageDtype::Fp4);
            }
            FfnSpec::None => {}
        }
    }
    model
}

fn fp4_experts(mut model: Model) -> Model {
    for group in &mut model.groups {
        if let FfnSpec::Moe(moe) = &mut group.ffn {
            moe.weights = stored_as(StorageDtype::Fp4);
        }
    }
    model
}

fn ggml(model: &Model, spec: &StoredSpec) -> Model {
    let others = spec.others.unwrap_or(spec.bytes);
    let narrow = if others < 0.9 { WeightDtype::Int4 } else { WeightDtype::Int8 };
    let mut model = model.requantised(narrow);
    model.weight_bits = Some(8.0 * others);
    model.outer_bits.lm_head = 8.0 * spec.head.unwrap_or(others);
    // A file of ggml holds latent attention in the type of the others, which serving engines keep in 16 bit.
    let latent =
        StorageSpec { dtype: Some(StorageDtype::from(narrow)), bits: Some(8.0 * others), ..Default::default() };
    for group in model.groups.iter_mut().filter(|group| matches!(group.attention, AttentionSpec::Mla(_))) {
        group.attention = group.attention.clone().stored_as(latent);
    }
    if spec.others.is_some() {
        let bits = Some(8.0 * spec.bytes);
        for group in &mut model.groups {
            if let FfnSpec::Moe(moe) = &mut group.ffn {
                moe.weights = StorageSpec { bits, ..stored_as(StorageDtype::Fp4) };
            }
        }
    }
    model
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_tables_and_tools_are_understood() {
        let named = |name| Stored::named(name);
        assert_eq!(named("fp16"), Some(Stored::As(WeightDtype::Fp16)));
        assert_eq!(named("F16"), Some(Stored::As(WeightDtype::Fp16)));
        assert_eq!(named("awq4"), Some(Stored::As(WeightDtype::Int4)));
        assert_eq!(named("nvfp4"), Some(Stored::Fp4));
        assert!(matches!(named("Q4_K - Medium"), Some(Stored::Ggml(spec)) if spec.id == "q4_k_m"));
        assert!(matches!(named("q4_0"), Some(Stored::Ggml(spec)) if spec.bytes == 0.5625));
        assert_eq!(named("banana"), None);
    }
}
