//! Whatever a file holds, importing it ends in a description or a message: no panic, no endless work, no memory.

use std::path::Path;
use std::time::{Duration, Instant};

use proptest::prelude::*;
use simllm::import::{
    Facts, GgufPart, Kind, SafetensorsPart, import_config, import_gguf, import_safetensors, profile_yaml, read_index,
    recognise,
};
use simllm::spec::{Document, ModelSpec};

/// Bytes as if they were the file of any kind.
fn import_all(bytes: &[u8]) {
    let size = bytes.len() as u64;
    let _ = recognise("x", bytes).map(|kind| kind == Kind::Gguf);
    if let Ok(imported) = import_gguf(GgufPart { name: "x", bytes, size }, &[]) {
        reads_back(&profile_yaml(&imported));
    }
    if let Ok(imported) = import_safetensors(None, None, &[SafetensorsPart { name: "x", bytes, size }]) {
        reads_back(&profile_yaml(&imported));
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        import_text(text);
    }
}

fn import_text(text: &str) {
    let _ = read_index("x", text);
    if let Ok(imported) = import_config("x", text, None) {
        assert!(imported.facts.parameters_total.is_some_and(|n| n > 0));
        reads_back(&profile_yaml(&imported));
    }
    if let Ok(document) = Document::parse("x", text) {
        let _ = ModelSpec::read(&document);
    }
}

fn reads_back(yaml: &str) {
    let document = Document::parse("written.yaml", yaml).unwrap_or_else(|e| panic!("{e}\n{yaml}"));
    ModelSpec::read(&document).unwrap_or_else(|e| panic!("{e}\n{yaml}"));
}

fn fixture(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/models/fixtures").join(name);
    let mut bytes = std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    bytes.truncate(6000);
    bytes
}

const FIXTURES: &[&str] = &[
    "gguf/tiny-llama-Q4_K_M.gguf",
    "gguf/tiny-gpt-oss-mxfp4.gguf",
    "gguf/tiny-gemma3-sliding.gguf",
    "gguf/tiny-split-00001-of-00002.gguf",
    "safetensors/single/model.safetensors",
    "safetensors/awq/model.safetensors",
    "safetensors/bnb-nf4/model.safetensors",
];

/// Lines of the corpus, as text.
fn configs() -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/models/configs.jsonl");
    let text = std::fs::read_to_string(path).expect("the corpus of the repository");
    let config = |line: &str| serde_json::from_str::<serde_json::Value>(line).expect("JSON")["config"].to_string();
    text.lines().map(config).filter(|text| text.len() < 4000).collect()
}

/// The profiles that come out of them.
fn profiles() -> &'static [String] {
    static PROFILES: std::sync::OnceLock<Vec<String>> = std::sync::OnceLock::new();
    PROFILES.get_or_init(|| {
        let written = |text: String| import_config("x", &text, None).ok().map(|imported| profile_yaml(&imported));
        configs().into_iter().filter_map(written).collect()
    })
}

/// Values that break readers.
const NASTY: &[&str] = &[
    "0",
    "-1",
    "1",
    "3",
    "1e400",
    "-1e400",
    "NaN",
    "Infinity",
    "1.5",
    "9223372036854775808",
    "18446744073709551615",
    "1048576",
    "10000",
    "65536",
    "4194304",
    "1099511627776",
    "true",
    "null",
    "\"4096\"",
    "[]",
    "{}",
    "[0]",
    "[1e9]",
    "\"\"",
    "[\"x\"]",
    "{\"a\": 1}",
    "\"\\ud800\"",
    "1e-320",
    "0.5",
];

proptest! {
    #[test]
    fn random_bytes(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        import_all(&bytes);
        let mut gguf = b"GGUF\x03\0\0\0".to_vec();
        gguf.extend(&bytes);
        import_all(&gguf);
    }

    #[test]
    fn random_text(text in "[{}\\[\\]:,\"a-z0-9 .eE+\\\\u-]{0,200}") {
        import_text(&text);
    }

    #[test]
    fn mutated_fixtures(
        which in 0..FIXTURES.len(),
        cut in prop::option::of(0..6000usize),
        flips in prop::collection::vec((0..6000usize, any::<u8>()), 0..8),
        words in prop::collection::vec((0..6000usize, any::<u64>()), 0..3),
    ) {
        let mut bytes = fixture(FIXTURES[which]);
        for (at, word) in words {
            let at = at % bytes.len();
            for (byte, value) in bytes[at..].iter_mut().zip(word.to_le_bytes()) {
                *byte = value;
            }
        }
        for (at, value) in flips {
            let at = at % bytes.len();
            bytes[at] = value;
        }
        if let Some(cut) = cut {
            bytes.truncate(cut);
        }
        import_all(&bytes);
    }

    #[test]
    fn mutated_profiles(
        which in any::<prop::sample::Index>(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), 0..NASTY.len()), 1..4),
    ) {
        let profiles = profiles();
        let mut text = which.get(profiles).clone();
        for (place, value) in changes {
            let numbers: Vec<usize> = text.match_indices(": ").map(|(at, _)| at + 2).collect();
            let start = *place.get(&numbers);
            let end = text[start..].find([',', '}', '\n']).map_or(text.len(), |n| start + n);
            text.replace_range(start..end, NASTY[value]);
        }
        if let Ok(document) = Document::parse("x", &text)
            && let Ok(spec) = ModelSpec::read(&document)
        {
            let facts = Facts::of("x", &spec);
            prop_assert!(facts.parameters_active <= facts.parameters_total);
        }
    }

    #[test]
    fn mutated_configs(
        which in any::<prop::sample::Index>(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), 0..NASTY.len()), 1..5),
        cut in prop::option::weighted(0.1, any::<prop::sample::Index>()),
    ) {
        let configs = configs();
        let mut text = which.get(&configs).clone();
        for (place, value) in changes {
            // Values follow colons; the first comma or brace after one ends a scalar.
            let colons: Vec<usize> = text.match_indices(':').map(|(at, _)| at + 1).collect();
            if colons.is_empty() {
                break;
            }
            let start = *place.get(&colons);
            let end = text[start..].find([',', '}', ']']).map_or(text.len(), |n| start + n);
            text.replace_range(start..end, NASTY[value]);
        }
        if let Some(cut) = cut {
            let mut at = cut.index(text.len());
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            text.truncate(at);
        }
        import_text(&text);
    }
}

#[test]
fn every_truncation_ends_in_a_message_or_a_description() {
    for name in FIXTURES {
        let bytes = fixture(name);
        for cut in (0..bytes.len()).step_by(7) {
            import_all(&bytes[..cut]);
        }
    }
}

#[test]
fn large_inputs_are_refused_or_read_in_little_time() {
    let start = Instant::now();
    let base = r#"{"model_type": "llama", "hidden_size": 4096, "intermediate_size": 14336, "num_hidden_layers": 32,
        "num_attention_heads": 32, "vocab_size": 128256, "torch_dtype": "bfloat16""#;
    let padded = |what: &str, times: usize| format!("{base}{}}}", what.repeat(times));
    let too_long = import_config("x", &format!("{base}, \"x\": \"{}\"}}", "A".repeat(11_000_000)), None);
    assert!(too_long.expect_err("above the limit").to_string().contains("at most"));
    let too_many = import_config("x", &format!("{base}, \"layer_types\": [{}1]}}", "1,".repeat(1_000_000)), None);
    assert!(too_many.expect_err("above the limit").to_string().contains("more than"));
    // A table with a row per module, as real mixed-precision checkpoints have.
    let row = r#", "model.layers.0.mlp.experts.0.up_proj": {"quant_algo": "NVFP4", "group_size": 16}"#;
    let table = padded(row, 35_000);
    assert!(table.len() > 2_900_000);
    assert!(import_config("x", &table, None).is_ok());
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

#[test]
fn no_message_carries_control_characters_to_the_terminal() {
    let escape = '\u{1b}';
    let raw = format!("{{\"model_type\": \"llama\", \"hidden_size\": \"{escape}[31m\u{202e}x\"}}");
    let escaped = r#"{"model_type": "llama", "hidden_size": "\u001b[31m\u202e", "x\u001b": 1, "x\u001b": 2,
        "architectures": ["\u001b[2J"], "_name_or_path": "\u0007"}"#;
    for text in [raw.as_str(), escaped, "{\"\u{7f}\": \u{1b}}"] {
        let message = import_config("x", text, None).expect_err("no model").to_string();
        let hidden = |c: char| c.is_control() && c != '\n' || c == '\u{202e}';
        assert!(!message.contains(hidden), "{message:?}");
    }
    let odd = r#"{"model_type": "\u001b[2J", "architectures": ["\u001b[2J\u202e"], "hidden_size": 64, "vocab_size": 8,
        "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 8, "torch_dtype": "\u001b"}"#;
    let imported = import_config("x", odd, None).expect("a guess");
    let said =
        imported.warnings.iter().map(|w| w.message.clone()).chain(imported.defaults.iter().map(|d| d.value.clone()));
    for text in said {
        assert!(!text.contains('\u{1b}') && !text.contains('\u{202e}'), "{text:?}");
    }
}
