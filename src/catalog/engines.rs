//! Engines by name: serving engines in an era and on a platform, and backends of local engines.

use std::sync::OnceLock;

use super::{UnknownName, embedded, read};
use crate::spec::{EngineFile, EngineSpec, LocalEngineSpec, StoredSpec, nearest, read_engines};

fn file() -> &'static EngineFile {
    static FILE: OnceLock<EngineFile> = OnceLock::new();
    FILE.get_or_init(|| read("engines", embedded::ENGINES, read_engines))
}

/// The serving engines built in.
#[must_use]
pub fn engines() -> &'static [EngineSpec] {
    &file().engines
}

/// The backends of local engines built in.
#[must_use]
pub fn local_engines() -> &'static [LocalEngineSpec] {
    &file().local
}

/// Bytes of a storage type of local engines.
#[must_use]
pub fn stored(id: &str) -> Option<&'static StoredSpec> {
    file().storage.iter().find(|stored| stored.id.eq_ignore_ascii_case(id))
}

/// What runs on an architecture.
#[must_use]
pub fn platform(arch: &str) -> &'static str {
    match arch {
        a if a.starts_with("cdna") || a.starts_with("rdna") => "rocm",
        a if a.starts_with("xe") => "xpu",
        a if a.starts_with("gaudi") => "hpu",
        "apple" => "metal",
        "rdu" => "rdu",
        _ => "cuda",
    }
}

/// Other ways in which people and tools write the name of an engine.
const SPELLINGS: [(&str, &str); 6] = [
    ("tensorrt-llm", "trtllm"),
    ("tensorrt_llm", "trtllm"),
    ("trt-llm", "trtllm"),
    ("llamacpp", "llama.cpp"),
    ("llama-cpp", "llama.cpp"),
    ("llama_cpp", "llama.cpp"),
];

/// An engine's name as the catalogue writes it, its era kept: `TensorRT-LLM@v1` is `trtllm@v1`.
#[must_use]
pub fn engine_name(id: &str) -> String {
    let id = id.to_ascii_lowercase();
    let (name, era) = id.find('@').map_or((id.as_str(), ""), |at| id.split_at(at));
    let own = SPELLINGS.iter().find(|(spelling, _)| *spelling == name).map_or(name, |(_, own)| own);
    format!("{own}{era}")
}

/// A serving engine by id; `vllm` alone means its newest era.
///
/// # Errors
/// If there is no such engine: the nearest names.
pub fn engine(id: &str) -> Result<&'static EngineSpec, UnknownName> {
    let name = engine_name(id);
    let is = |engine: &&EngineSpec| {
        engine.id.eq_ignore_ascii_case(&name) || engine.engine == name || engine.aliases.contains(&name)
    };
    engines().iter().find(is).ok_or_else(|| unknown(id))
}

/// A serving engine by id as it is on an architecture: `vllm@old` on a CDNA card means `vllm@old-rocm`.
///
/// # Errors
/// If there is no such engine: the nearest names.
pub fn engine_on(id: &str, arch: &str) -> Result<&'static EngineSpec, UnknownName> {
    let found = engine(id)?;
    let there = |other: &&EngineSpec| {
        other.engine == found.engine && other.era == found.era && other.platform == platform(arch)
    };
    let named = found.platform != "cuda" && found.id.eq_ignore_ascii_case(&engine_name(id));
    let moved = if named { None } else { engines().iter().find(there) };
    Ok(moved.unwrap_or(found))
}

/// The backend of a local engine on an architecture: by id, or by the engine's name for the one that runs there.
#[must_use]
pub fn local_engine(id: &str, arch: &str) -> Option<&'static LocalEngineSpec> {
    let id = engine_name(id);
    if let Some(exact) = local_engines().iter().find(|local| local.id.eq_ignore_ascii_case(&id)) {
        return Some(exact);
    }
    let own = || {
        let named = |local: &&LocalEngineSpec| local.engine == id || local.aliases.contains(&id);
        local_engines().iter().filter(named)
    };
    own().find(|local| local.archs.iter().any(|own| own == arch)).or_else(|| own().find(|local| local.archs.is_empty()))
}

/// Names shown where none is near.
const SHOWN: usize = 5;

fn unknown(id: &str) -> UnknownName {
    let local = local_engines().iter().flat_map(|local| [local.id.as_str(), local.engine.as_str()]);
    let names: Vec<&str> = engines().iter().map(|e| e.id.as_str()).chain(local).chain(["ideal"]).collect();
    let near = nearest(id, names.iter().copied().filter(|name| !name.is_empty()), 3);
    let shown = if near.is_empty() { &names[..names.len().min(SHOWN)] } else { &near[..] };
    let help = format!("known: {}; `simllm engines` lists all", shown.join(", "));
    UnknownName { kind: "engine", name: id.to_owned(), help }
}
