//! The engine in its era and on its platform, from the name and version that a measurement carries.

use std::sync::OnceLock;

use super::sources::{Sources, sources};
use crate::catalog;
use crate::spec::{EngineSpec, LocalEngineSpec};

/// The engine of a measurement.
#[derive(Clone, Copy, Debug)]
pub enum Found {
    /// A serving engine; known where its own constants exist on this platform.
    Serving {
        /// Its constants.
        spec: &'static EngineSpec,
        /// Whether they are its own.
        known: bool,
    },
    /// A local engine.
    Local(&'static LocalEngineSpec),
}

/// What stands in for an engine that nothing is known of.
const UNKNOWN: &str = "vllm@v1";

/// The engine that a measurement names, on an architecture. `source` is the part of the row's id that names where it was
/// published; an id with an era (`vllm@old`) is taken as it stands.
#[must_use]
pub fn find(engine: &str, version: &str, source: &str, arch: &str) -> Found {
    let name = catalog::engine_name(engine);
    let engine = name.as_str();
    if let Some(local) = catalog::local_engine(engine, arch) {
        return Found::Local(local);
    }
    let platform = catalog::platform(arch);
    if engine.contains('@')
        && let Ok(spec) = catalog::engine_on(engine, arch)
    {
        return Found::Serving { spec, known: spec.platform == platform };
    }
    let named = |spec: &&'static EngineSpec| spec.engine == engine || spec.aliases.iter().any(|alias| alias == engine);
    let own: Vec<&EngineSpec> = catalog::engines().iter().filter(named).collect();
    let era = era(&own, engine, version, source);
    let of_era = |spec: &&&EngineSpec| era.is_none_or(|era| spec.era == era);
    let here = own.iter().filter(of_era).find(|spec| spec.platform == platform);
    match here.or_else(|| own.iter().find(of_era)).or(own.first()) {
        Some(spec) => Found::Serving { spec, known: spec.platform == platform && spec.engine == engine },
        None => Found::Serving { spec: unknown(), known: false },
    }
}

fn unknown() -> &'static EngineSpec {
    static SPEC: OnceLock<&'static EngineSpec> = OnceLock::new();
    SPEC.get_or_init(|| catalog::engines().iter().find(|spec| spec.id == UNKNOWN).unwrap_or(&catalog::engines()[0]))
}

fn era<'a>(own: &[&'a EngineSpec], engine: &str, version: &str, source: &str) -> Option<&'a str> {
    if own.iter().all(|spec| spec.era.is_empty()) {
        return None;
    }
    let Sources { eras, .. } = sources();
    let rule = eras.iter().find(|rule| rule.engine == engine && rule.sources.iter().any(|known| known == source));
    let by_rule = || rule.and_then(|rule| own.iter().find(|spec| spec.era == rule.era));
    let spec = if rule.is_some_and(|rule| rule.always) {
        by_rule()
    } else {
        by_version(own, version).or_else(by_rule).or(own.first())
    };
    spec.map(|spec| spec.era.as_str())
}

fn by_version<'a, 'b>(own: &'b [&'a EngineSpec], version: &str) -> Option<&'b &'a EngineSpec> {
    let version = number(version)?;
    let bound = |text: &Option<String>| text.as_deref().and_then(number);
    own.iter().find(|spec| {
        let (from, below) = (bound(&spec.from_version), bound(&spec.below_version));
        (from.is_some() || below.is_some())
            && from.is_none_or(|from| version >= from)
            && below.is_none_or(|below| version < below)
    })
}

/// Major and minor of a version; a year is none.
fn number(version: &str) -> Option<(u64, u64)> {
    let start = version.find(|c: char| c.is_ascii_digit())?;
    let mut parts = version[start..].split(['.', '-']).map(|part| {
        let digits = part.len() - part.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        part[..digits].parse::<u64>().ok()
    });
    let major = parts.next()??;
    (major < 1900).then(|| (major, parts.next().flatten().unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(engine: &str, version: &str, source: &str, arch: &str) -> String {
        match find(engine, version, source, arch) {
            Found::Serving { spec, known } => format!("{}{}", spec.id, if known { "" } else { "?" }),
            Found::Local(spec) => spec.id.clone(),
        }
    }

    #[test]
    fn versions_and_sources_give_the_era() {
        assert_eq!(id("vllm", "0.6.3", "", "sm_80"), "vllm@old");
        assert_eq!(id("vllm", "0.10.0", "", "sm_90"), "vllm@v1");
        assert_eq!(id("vllm", "", "arg", "sm_80"), "vllm@old");
        assert_eq!(id("vllm", "", "", "sm_80"), "vllm@v1");
        assert_eq!(id("vllm", "2023-11", "mlc", "sm_89"), "vllm@old");
        assert_eq!(id("vllm", "0.6.1", "arg", "cdna3"), "vllm@old-rocm");
        assert_eq!(id("trtllm", "0.12.0", "arg", "sm_90"), "trtllm@runpy");
        assert_eq!(id("trtllm", "0.6.1", "trt", "sm_90"), "trtllm@cpp05");
        assert_eq!(id("trtllm", "0.8.1.post1", "aicd", "sm_100"), "trtllm@v1");
        assert_eq!(id("trtllm", "NIM 1.8.0", "nim", "sm_90"), "trtllm@v1");
        assert_eq!(id("trtllm", "2024-04", "prem", "sm_80"), "trtllm@cpp");
        assert_eq!(id("sglang", "0.5.9", "", "cdna3"), "sglang?");
        assert_eq!(id("lmdeploy-turbomind", "0.1.0a1", "lmd", "sm_80"), "lmdeploy-turbomind");
        assert_eq!(id("lmdeploy", "", "", "sm_80"), "lmdeploy-turbomind?");
        assert_eq!(id("TensorRT-LLM", "", "", "sm_90"), "trtllm@v1");
        assert_eq!(id("something", "", "", "sm_80"), "vllm@v1?");
        assert_eq!(id("tgi", "", "", "sm_89"), "vllm@old?");
        assert_eq!(id("llama.cpp", "b6918", "spark", "sm_120"), "llama.cpp@cuda-2025");
    }
}
