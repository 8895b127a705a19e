//! Models by the names that measurements use.

use std::sync::Arc;

use crate::catalog;
use crate::scenario::{Model, prepare_model};
use crate::spec::ModelSpec;

/// The model a name means: one of the catalogue or of the shapes kept for measurements, by its exact name, else by the
/// longest name that it starts with.
#[must_use]
pub fn named(name: &str) -> Option<Arc<Model>> {
    let spec = exact(name).or_else(|| catalog::model_matching(without_owner(name)))?;
    prepare_model(spec).ok().map(|prepared| Arc::clone(prepared.model()))
}

/// The profile of an exact name.
fn exact(name: &str) -> Option<&'static ModelSpec> {
    let is = |spec: &&ModelSpec| {
        spec.model_name.eq_ignore_ascii_case(name) || spec.aliases.iter().any(|alias| alias.eq_ignore_ascii_case(name))
    };
    catalog::models().iter().chain(catalog::measured_models()).find(is)
}

/// `meta-llama/Llama-3.1-8B` without the account that holds it, or a local path without its folders.
fn without_owner(name: &str) -> &str {
    name.rsplit(['/', '\\']).next().unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_measurements_are_found() {
        assert_eq!(named("openai/gpt-oss-120b").map(|m| m.layers()), Some(36));
        assert_eq!(named("someone/Llama-3-8B-Instruct-GPTQ").map(|m| m.hidden_size), Some(4096));
        assert_eq!(named("deepseek-ai/DeepSeek-V3").map(|m| m.layers()), Some(61));
        assert!(named("demo/Tiny-1B").is_none());
    }

    #[test]
    fn every_shape_makes_a_model() {
        for spec in catalog::measured_models() {
            assert!(named(&spec.model_name).is_some(), "{}", spec.model_name);
            assert!(spec.aliases.iter().all(|alias| exact(alias).is_some()));
        }
    }
}
