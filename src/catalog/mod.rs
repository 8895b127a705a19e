//! Models, machines and engines by name: embedded in the binary, or files given by the user.
//!
//! An exact name, id or alias finds an entry; anything else lists the nearest names. Parsed descriptions are kept, so
//! that a sweep reads each file once.

mod embedded;
mod engines;

use std::sync::OnceLock;

use crate::spec::{BandsSpec, CalibrationSpec, DefaultsSpec, Document, HardwareSpec, ModelSpec, SpecError, nearest};

pub use engines::{engine, engine_name, engine_on, engines, local_engine, local_engines, platform, stored};

/// A name the catalogue does not have.
#[derive(Debug, thiserror::Error)]
#[error("unknown {kind} `{name}`\nhelp: {help}")]
pub struct UnknownName {
    kind: &'static str,
    name: String,
    help: String,
}

impl UnknownName {
    /// `names` holds every id and alias with the id it means.
    fn new(kind: &'static str, name: &str, names: &[(&str, &str)], listing: &str) -> Self {
        let mut near: Vec<&str> = Vec::new();
        for found in nearest(name, names.iter().map(|(name, _)| *name), 12) {
            let id = names.iter().find(|(name, _)| *name == found).map_or(found, |(_, id)| id);
            if !near.contains(&id) {
                near.push(id);
            }
        }
        near.truncate(4);
        let help = if near.is_empty() {
            format!("`{listing}` lists what is built in")
        } else {
            format!("nearest names: {}; `{listing}` lists all", near.join(", "))
        };
        Self { kind, name: name.to_owned(), help }
    }
}

/// The models built in, in order of id.
#[must_use]
pub fn models() -> &'static [ModelSpec] {
    static MODELS: OnceLock<Vec<ModelSpec>> = OnceLock::new();
    MODELS.get_or_init(|| embedded::PROFILES.iter().map(|(id, text)| read(id, text, ModelSpec::read)).collect())
}

/// Shapes of further models that public measurements name: enough for a time, too little for a profile.
#[must_use]
pub fn measured_models() -> &'static [ModelSpec] {
    static MODELS: OnceLock<Vec<ModelSpec>> = OnceLock::new();
    MODELS.get_or_init(|| read("validation/shapes", embedded::SHAPES, ModelSpec::read_list))
}

/// The machines built in, in order of id.
#[must_use]
pub fn machines() -> &'static [HardwareSpec] {
    static MACHINES: OnceLock<Vec<HardwareSpec>> = OnceLock::new();
    MACHINES.get_or_init(|| embedded::HARDWARE.iter().map(|(id, text)| read(id, text, HardwareSpec::read)).collect())
}

/// The class defaults.
#[must_use]
pub fn defaults() -> &'static DefaultsSpec {
    static DEFAULTS: OnceLock<DefaultsSpec> = OnceLock::new();
    DEFAULTS.get_or_init(|| read("defaults", embedded::DEFAULTS, DefaultsSpec::read))
}

/// Error bands by kind of measurement.
#[must_use]
pub fn bands() -> &'static BandsSpec {
    static BANDS: OnceLock<BandsSpec> = OnceLock::new();
    BANDS.get_or_init(|| read("validation/bands", embedded::BANDS, BandsSpec::read))
}

/// A calibration set by id.
#[must_use]
pub fn calibration(id: &str) -> Option<&'static CalibrationSpec> {
    static SETS: [OnceLock<CalibrationSpec>; embedded::CALIBRATION.len()] =
        [const { OnceLock::new() }; embedded::CALIBRATION.len()];
    let index = embedded::CALIBRATION.iter().position(|(name, _)| *name == id)?;
    let (name, text) = embedded::CALIBRATION[index];
    Some(SETS[index].get_or_init(|| read(name, text, CalibrationSpec::read)))
}

/// Ids of the calibration sets.
pub fn calibration_ids() -> impl Iterator<Item = &'static str> {
    embedded::CALIBRATION.iter().map(|(id, _)| *id)
}

/// The text of a built-in model profile.
///
/// # Errors
/// If there is no such model: the nearest names.
pub fn model_text(name: &str) -> Result<(&'static str, &'static str), UnknownName> {
    if let Some(entry) = embedded::PROFILES.iter().find(|(id, _)| id.eq_ignore_ascii_case(name)) {
        return Ok(*entry);
    }
    let index = models().iter().position(|m| m.aliases.iter().any(|alias| alias.eq_ignore_ascii_case(name)));
    index.map(|i| embedded::PROFILES[i]).ok_or_else(|| {
        let names: Vec<(&str, &str)> = models().iter().flat_map(|m| spellings(&m.aliases, &m.model_name)).collect();
        UnknownName::new("model", name, &names, "simllm models")
    })
}

/// The text of a built-in machine.
///
/// # Errors
/// If there is no such machine: the nearest names.
pub fn hardware_text(name: &str) -> Result<(&'static str, &'static str), UnknownName> {
    if let Some(entry) = embedded::HARDWARE.iter().find(|(id, _)| id.eq_ignore_ascii_case(name)) {
        return Ok(*entry);
    }
    let index = machines().iter().position(|m| m.aliases.iter().any(|alias| alias.eq_ignore_ascii_case(name)));
    index.map(|i| embedded::HARDWARE[i]).ok_or_else(|| {
        let names: Vec<(&str, &str)> = machines().iter().flat_map(|m| spellings(&m.aliases, &m.id)).collect();
        UnknownName::new("hardware", name, &names, "simllm hardware")
    })
}

/// An id and its aliases, each with the id.
fn spellings<'a>(aliases: &'a [String], id: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
    [id].into_iter().chain(aliases.iter().map(String::as_str)).map(move |name| (name, id))
}

/// The built-in model a profile's name means: the longest id that the name starts with, ending there or at `-` or `_`.
#[must_use]
pub fn model_matching(model_name: &str) -> Option<&'static ModelSpec> {
    let name = model_name.to_lowercase();
    let ends = |id: &str| matches!(name.as_bytes().get(id.len()), None | Some(b'-' | b'_'));
    let found =
        embedded::PROFILES.iter().filter(|(id, _)| name.starts_with(id) && ends(id)).max_by_key(|(id, _)| id.len());
    found.and_then(|(id, _)| models().iter().find(|m| m.model_name == *id))
}

/// Embedded files are tested to parse; a fault here is a fault of the build.
fn read<T>(name: &str, text: &str, reader: impl Fn(&Document) -> Result<T, SpecError>) -> T {
    let parsed = Document::parse(name, text).and_then(|document| reader(&document));
    parsed.unwrap_or_else(|error| panic!("embedded file {name}: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_embedded_file_parses() {
        assert!(models().len() >= 16);
        assert!(machines().len() >= 10);
        assert!(engines().iter().any(|e| e.id == "vllm@v1"));
        let _ = defaults();
        assert!(calibration_ids().all(|id| calibration(id).is_some_and(|set| set.id == id)));
    }

    #[test]
    fn ids_and_aliases_are_unique_and_equal_their_file_names() {
        let mut names = std::collections::BTreeSet::new();
        for (model, (id, _)) in models().iter().zip(embedded::PROFILES) {
            assert_eq!(model.model_name, *id);
            for name in model.aliases.iter().chain([&model.model_name]) {
                assert!(names.insert(name.to_lowercase()), "{name} means two models");
            }
        }
        names.clear();
        for (machine, (id, _)) in machines().iter().zip(embedded::HARDWARE) {
            assert_eq!(machine.id, *id);
            for name in machine.aliases.iter().chain([&machine.id]) {
                assert!(names.insert(name.to_lowercase()), "{name} means two machines");
            }
        }
    }

    #[test]
    fn no_file_is_forgotten() {
        let root = env!("CARGO_MANIFEST_DIR");
        let count = |folder: &str| {
            let entries = std::fs::read_dir(format!("{root}/{folder}")).expect("folder of the repository");
            entries.flatten().filter(|e| e.path().extension().is_some_and(|x| x == "yaml")).count()
        };
        assert_eq!(count("profiles"), embedded::PROFILES.len());
        assert_eq!(count("hardware"), embedded::HARDWARE.len() + 1, "machines and engines.yaml");
        assert_eq!(count("hardware/calibration"), embedded::CALIBRATION.len() + 1, "sets and defaults.yaml");
    }

    #[test]
    fn names_match_the_longest_id() {
        assert_eq!(model_matching("Llama-3-8B-Jalapeño-v2.1").map(|m| m.model_name.as_str()), Some("llama-3-8b"));
        assert_eq!(model_matching("llama-3.1-8b_x").map(|m| m.model_name.as_str()), Some("llama-3.1-8b"));
        assert!(model_matching("llama-3-8bx").is_none());
    }

    #[test]
    fn unknown_names_list_the_nearest() {
        let message = model_text("llama3-8b").unwrap_err().to_string();
        assert!(message.contains("llama-3-8b"), "{message}");
        let message = hardware_text("a100_80gb").unwrap_err().to_string();
        assert!(message.contains("a100_80gb_sxm"), "{message}");
        assert!(engine("vlm").unwrap_err().to_string().contains("vllm@v1"));
    }

    #[test]
    fn an_engine_is_known_by_the_names_that_people_write() {
        let id = |name| engine(name).map(|engine| engine.id.as_str()).unwrap_or_default();
        assert_eq!([id("lmdeploy"), id("LMDeploy"), id("turbomind")], ["lmdeploy-turbomind"; 3]);
        assert_eq!([id("tensorrt-llm"), id("TensorRT-LLM@v1"), id("trt-llm")], ["trtllm@v1"; 3]);
        assert_eq!([id("vLLM"), id("SGLang")], ["vllm@v1", "sglang"]);
        let local = |name| local_engine(name, "apple").map(|local| local.id.as_str());
        assert_eq!([local("llama-cpp"), local("llamacpp")], [Some("llama.cpp@metal"); 2]);
    }

    #[test]
    fn an_engine_follows_the_platform_of_the_machine() {
        let on = |id, arch| engine_on(id, arch).map(|engine| engine.id.as_str()).unwrap_or_default();
        assert_eq!(on("vllm", "sm_90"), "vllm@v1");
        assert_eq!(on("vllm@old", "cdna2"), "vllm@old-rocm");
        assert_eq!(on("vllm@old", "xe"), "vllm@old-xpu");
        assert_eq!(on("vllm@v1-rocm", "sm_90"), "vllm@v1-rocm");
        assert_eq!(on("sglang", "cdna3"), "sglang");
        assert_eq!(on("tgi", "sm_80"), "vllm@old");
        let local = |id, arch| local_engine(id, arch).map(|local| local.id.as_str());
        assert_eq!(local("llama.cpp", "sm_89"), Some("llama.cpp@cuda"));
        assert_eq!(local("llama.cpp", "sm_120"), Some("llama.cpp@cuda-2025"));
        assert_eq!(local("llama.cpp", "apple"), Some("llama.cpp@metal"));
        assert_eq!(local("exllama", "sm_86"), Some("local@other"));
        assert_eq!(local("llama.cpp@cuda", "apple"), Some("llama.cpp@cuda"));
        assert_eq!(local("vllm", "sm_86"), None);
    }

    #[test]
    fn every_machine_names_sets_that_exist() {
        for machine in machines() {
            let costing = &machine.costing;
            for id in [&costing.gemm, &costing.attention, &costing.link_set].into_iter().flatten() {
                assert!(calibration(id).is_some(), "{}: no calibration set {id}", machine.id);
            }
        }
    }
}
