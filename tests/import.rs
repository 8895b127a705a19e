//! Foreign model descriptions against figures that were computed elsewhere.

use std::path::{Path, PathBuf};

use simllm::import::{Facts, Imported, Loaded, import_config, load, profile_yaml};
use simllm::spec::{Document, ModelSpec};

/// The folder of the full corpus, which is not part of the repository.
fn corpus() -> Option<PathBuf> {
    let root = std::env::var_os("SIMLLM_SHARED_DATA").filter(|root| !root.is_empty());
    if root.is_none() {
        eprintln!("skipped: SIMLLM_SHARED_DATA does not name a folder with the full corpus");
    }
    root.map(|root| Path::new(&root).join("models"))
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn number(row: &csv::StringRecord, header: &csv::StringRecord, column: &str) -> Option<u64> {
    let index = header.iter().position(|name| name == column)?;
    row.get(index)?.parse().ok()
}

/// A file that is a foreign description.
fn imported(path: &Path) -> Result<Box<Imported>, String> {
    match load(path) {
        Ok(Loaded::Model(model)) => Ok(model),
        Ok(Loaded::Profile(_)) => Err("taken for a profile".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

/// What differs from the row; empty for an exact match.
fn differences(imported: &Imported, row: &csv::StringRecord, header: &csv::StringRecord) -> Vec<String> {
    let facts = &imported.facts;
    let column = |name: &str| number(row, header, name);
    let tolerance: f64 =
        row.get(header.iter().position(|n| n == "tolerance").expect("column")).unwrap_or("0").parse().unwrap_or(0.0);
    let sequence = |context| imported.kv_sequence_bytes(context);
    let pairs = [
        ("params_total", column("params_total"), facts.parameters_total),
        ("params_text", column("params_text"), facts.parameters_text),
        ("params_active", column("params_active"), facts.parameters_active),
        ("kv_bytes_per_token_16bit", column("kv_bytes_per_token_16bit"), facts.kv_bytes_per_token),
        ("weight_bytes", column("weight_bytes"), facts.weights_bytes),
        ("n_layers", column("n_layers"), facts.layers),
        ("n_kv_layers", column("n_kv_layers"), facts.kv_layers),
        ("kv_seq_bytes_8192", column("kv_seq_bytes_8192"), sequence(8192)),
        ("kv_seq_bytes_131072", column("kv_seq_bytes_131072"), sequence(131_072)),
        ("state_bytes_per_seq", column("state_bytes_per_seq"), facts.state_bytes_per_sequence),
    ];
    // The table calls these bytes unverified, within 3 %.
    let source = header.iter().position(|name| name == "weight_bytes_source").and_then(|i| row.get(i));
    let unverified = if source.is_some_and(|source| source.contains("unverified")) { 0.03 } else { 0.0 };
    let near = |name: &str, want: u64, got: u64| {
        let tolerance = if name == "weight_bytes" { tolerance.max(unverified) } else { tolerance };
        (want as f64 - got as f64).abs() <= tolerance * want as f64
    };
    pairs
        .iter()
        .filter(|(name, want, got)| want.is_some_and(|want| got.is_none_or(|got| !near(name, want, got))))
        .map(|(name, want, got)| format!("{name}: want {want:?}, got {got:?}"))
        .collect()
}

/// The configs of the repository: only the numbers that an importer needs, one a line.
fn configs() -> Vec<(String, String, Option<String>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/models");
    let lines = read(&folder.join("configs.jsonl"));
    let parse = |line| -> (String, String, Option<String>) {
        let value: serde_json::Value = serde_json::from_str(line).expect("a line of JSON");
        let file = value["file"].as_str().expect("file").to_owned();
        let quantisation = value.get("quantisation").map(ToString::to_string);
        (file, value["config"].to_string(), quantisation)
    };
    lines.lines().map(parse).collect()
}

/// Faults of one row of a table of expected figures.
fn faults(row: &csv::StringRecord, header: &csv::StringRecord, result: Result<&Imported, String>) -> Vec<String> {
    let want = row.get(header.iter().position(|name| name == "expect").expect("column")).unwrap_or_default();
    match (want, result) {
        ("refuse", Err(_)) => Vec::new(),
        ("refuse", Ok(_)) => vec!["accepted".to_owned()],
        (_, Err(error)) => vec![error],
        (want, Ok(imported)) => {
            let mut faults = differences(imported, row, header);
            same_after_reading(imported);
            if (want == "warn") == imported.warnings.is_empty() {
                faults.push(format!("expected {want}, warnings {:?}", imported.warnings));
            }
            faults
        }
    }
}

fn check_table(table: &Path, import: impl Fn(&str) -> Result<Box<Imported>, String>) {
    let mut reader = csv::Reader::from_path(table).expect("expected.csv");
    let header = reader.headers().expect("header").clone();
    let (mut exact, mut wrong) = (0, Vec::new());
    for row in reader.records() {
        let row = row.expect("row");
        let result = import(&row[0]);
        let faults = faults(&row, &header, result.as_deref().map_err(Clone::clone));
        if faults.is_empty() { exact += 1 } else { wrong.push(format!("{}\n    {}", &row[0], faults.join("\n    "))) }
    }
    assert!(wrong.is_empty(), "{exact} exact, {} not:\n{}", wrong.len(), wrong.join("\n"));
    assert!(exact > 70, "only {exact} rows");
}

#[test]
fn every_config_is_exact() {
    let configs = configs();
    let table = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/models/expected.csv");
    check_table(&table, |file| {
        let (_, config, quantisation) = configs.iter().find(|(name, ..)| name == file).expect("a config of this name");
        let companion = quantisation.as_deref().map(|text| ("hf_quant_config.json", text));
        import_config(file, config, companion).map(Box::new).map_err(|error| error.to_string())
    });
}

#[test]
fn every_config_of_the_corpus_is_exact() {
    let Some(models) = corpus() else { return };
    let folder = models.join("configs");
    check_table(&folder.join("expected.csv"), |file| imported(&folder.join(file)));
}

/// What each broken file must lead to, with a word of the message.
const BAD: &[(&str, &str, &[&str])] = &[
    ("01-missing-num_hidden_layers.json", "refuse", &["no num_hidden_layers", "n_layer, n_layers, num_layers"]),
    ("03-heads-zero.json", "refuse", &["num_attention_heads` is 0", "1 or more"]),
    ("05-string-numbers.json", "refuse", &["hidden_size` is `4096`, not a number", "num_hidden_layers` is `32`"]),
    ("07-float-integral.json", "ok", &[]),
    ("08-hidden-not-divisible-no-head_dim.json", "refuse", &["4100 is not divisible by 32 heads"]),
    ("10-heads-not-multiple-of-kv.json", "refuse", &["32 heads cannot be shared by 7 KV heads"]),
    ("12-kv-null.json", "ok", &[]),
    ("13-nan-literal.json", "ok", &[]),
    ("16-1e400.json", "refuse", &["hidden_size", "out of range"]),
    ("18-overflow-product.json", "refuse", &["hidden_size", "at most"]),
    ("20-nested-10k-deep.json", "refuse", &["nested deeper than", "byte"]),
    ("22-duplicate-keys.json", "warn", &["num_hidden_layers appears twice", "32", "80"]),
    ("23-utf16-bom.json", "refuse", &["UTF-16", "save it as UTF-8"]),
    ("26-empty.json", "refuse", &["file is empty"]),
    ("28-html-error-page.json", "refuse", &["HTML page", "gated"]),
    ("31-git-lfs-pointer.json", "refuse", &["Git LFS pointer", "git lfs pull"]),
    ("32-adapter_config.json", "refuse", &["adapter_config.json", "meta-llama/Meta-Llama-3-8B"]),
    ("35-index-instead-of-config.json", "refuse", &["safetensors index", "config.json"]),
    ("37-script-in-name.json", "ok", &[]),
    ("40-path-in-name.json", "ok", &[]),
    ("41-array-top-level.json", "refuse", &["top level is an array, expected an object"]),
    ("43-truncated.json", "refuse", &["ends early at line 9"]),
    ("45-unknown-architecture.json", "warn", &["FooBarForCausalLM` is unknown", "guess"]),
    ("47-moe-topk-above-experts.json", "refuse", &["num_experts_per_tok 16 exceeds 8 experts"]),
    ("49-layer_types-wrong-length.json", "refuse", &["layer_types has 31 entries, num_hidden_layers is 32"]),
    ("51-quant-unknown-method.json", "warn", &["superquant9", "unknown"]),
    ("54-bool-as-number.json", "refuse", &["num_key_value_heads` is `true`, not a number"]),
    ("56-vocab-missing.json", "refuse", &["no vocab_size"]),
    ("60-profile-alias-bomb.yaml", "refuse", &["alias"]),
    ("62-profile-tabs.yaml", "refuse", &["62-profile-tabs.yaml:3", "tab is used for indentation"]),
    ("63-profile-typo.yaml", "refuse", &["unknown key", "did you mean `model.kv_cache_bytes_per_layer`?"]),
    ("65-profile-duplicate-key.yaml", "refuse", &["key `layers` appears twice (lines 5 and 7)"]),
    ("68-profile-underscore-exp.yaml", "warn", &["16_060_522_496", "16060522496"]),
    ("71-profile-multi-doc.yaml", "refuse", &["document"]),
    ("73-profile-zero-weight.yaml", "refuse", &["weight_bytes` is 0", "more than 0"]),
];

/// Outcome and all that is said.
fn outcome(path: &Path) -> (&'static str, String) {
    let outcome = |warned: &[String]| if warned.is_empty() { "ok" } else { "warn" };
    match load(path) {
        Err(error) => ("refuse", error.to_string()),
        Ok(Loaded::Model(model)) => {
            let said: Vec<String> = model.warnings.iter().map(|w| w.message.clone()).collect();
            (outcome(&said), said.join("\n"))
        }
        Ok(Loaded::Profile(document)) => match ModelSpec::read(&document) {
            Err(error) => ("refuse", error.to_string()),
            Ok(spec) => (outcome(&spec.notes), spec.notes.join("\n")),
        },
    }
}

#[test]
fn broken_files_end_as_a_good_tool_would() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/bad");
    let mut wrong = Vec::new();
    for (file, want, words) in BAD {
        let (got, said) = outcome(&folder.join(file));
        if got != *want || words.iter().any(|word| !said.contains(word)) {
            wrong.push(format!("{file}: want {want} with {words:?}, got {got}: {said}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_profile_reads_back_as_it_was_written_whatever_the_name() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/bad");
    for file in ["37-script-in-name.json", "40-path-in-name.json", "12-kv-null.json"] {
        let imported = import_config(file, &read(&folder.join(file)), None).expect("a good file");
        same_after_reading(&imported);
    }
    let hostile = "a\n# b: \u{1b}[31m\u{2028}\"'\\ é 😀: {x}";
    let text = format!(
        r#"{{"model_type": "llama", "hidden_size": 64, "num_hidden_layers": 2, "vocab_size": 128,
        "num_attention_heads": 4, "intermediate_size": 128, "_name_or_path": {hostile:?}}}"#
    )
    .replace("\\u{1b}", "\\u001b")
    .replace("\\u{2028}", "\\u2028")
    .replace("\\'", "'");
    let imported = import_config("hostile.json", &text, None).expect("a good file");
    assert_eq!(imported.profile.model_name, hostile);
    same_after_reading(&imported);
}

fn same_after_reading(imported: &Imported) {
    let yaml = profile_yaml(imported);
    let document = Document::parse("written.yaml", &yaml).unwrap_or_else(|e| panic!("{e}\n{yaml}"));
    let again = ModelSpec::read(&document).unwrap_or_else(|e| panic!("{e}\n{yaml}"));
    assert_eq!(format!("{:?}", imported.profile), format!("{again:?}"), "{yaml}");
    let mut facts = Facts::of(&imported.facts.architecture, &again);
    if imported.defaults.iter().any(|d| d.why.contains("engines load it as 16 bit")) {
        facts.weights_bytes = imported.facts.weights_bytes;
    }
    assert_eq!(imported.facts, facts, "the profile says what the source said\n{yaml}");
}

/// What a fixture must lead to: outcome, a word of what is said, parameters, bytes, KV bytes per token.
type Fixture = (&'static str, &'static str, &'static str, Option<u64>, Option<u64>, Option<u64>);

const FIXTURES: &[Fixture] = &[
    ("gguf/tiny-llama-Q4_K_M.gguf", "ok", "", Some(279_296), Some(185_024), Some(128)),
    ("gguf/llama-3-8b-Q4_K_M.header-only.gguf", "ok", "", Some(8_030_261_248), Some(4_912_898_048), Some(131_072)),
    ("gguf/qwen3-30b-a3b-Q4_K_M.header-only.gguf", "ok", "", Some(30_532_122_624), Some(18_550_716_416), Some(98_304)),
    ("gguf/tiny-gemma3-sliding.gguf", "warn", "block_count is 6", Some(47_296), Some(94_976), Some(768)),
    ("gguf/tiny-gpt-oss-mxfp4.gguf", "ok", "", Some(66_952), Some(49_184), Some(128)),
    ("gguf/tiny-split-00001-of-00002.gguf", "warn", "one of 2 shards", Some(61_760), Some(124_160), Some(512)),
    ("gguf/tiny-split-00002-of-00002.gguf", "refuse", "open shard 1", None, None, None),
    ("safetensors/single/model.safetensors", "ok", "", Some(90_432), Some(180_864), Some(256)),
    ("safetensors/tied/model.safetensors", "ok", "", Some(82_240), Some(164_480), Some(256)),
    ("safetensors/sharded/model-00001-of-00002.safetensors", "ok", "", Some(90_432), Some(180_864), Some(256)),
    ("safetensors/sharded/model-00002-of-00002.safetensors", "ok", "", Some(90_432), Some(180_864), Some(256)),
    ("safetensors/sharded", "ok", "", Some(90_432), Some(180_864), Some(256)),
    (
        "safetensors/index-wrong-total/model-00001-of-00002.safetensors",
        "warn",
        "total_size 999",
        Some(90_432),
        Some(180_864),
        Some(256),
    ),
    (
        "safetensors/index-wrong-total/model-00001-of-00002.safetensors",
        "warn",
        "model-00002-of-00002.safetensors",
        None,
        None,
        None,
    ),
    ("safetensors/index-total-as-float/model.safetensors.index.json", "ok", "", Some(90_432), Some(180_864), Some(256)),
    ("safetensors/awq/model.safetensors", "ok", "", Some(147_840), Some(125_888), Some(512)),
    ("safetensors/fp8-block/model.safetensors", "ok", "", Some(180_608), Some(197_416), Some(512)),
    ("safetensors/bnb-nf4/model.safetensors", "ok", "", Some(147_840), Some(134_169), Some(512)),
    ("safetensors/zero-sized/model.safetensors", "warn", "does not match config.json", None, None, None),
    ("safetensors/llama-3-8b.header-only.safetensors", "ok", "", Some(8_030_261_248), Some(16_060_522_496), None),
    ("bad/gguf-truncated-in-kv.gguf", "refuse", "at byte 299", None, None, None),
    ("bad/gguf-v1.gguf", "refuse", "GGUF version 1 is not supported (2 and 3 are)", None, None, None),
    ("bad/ggml-old-magic.bin", "refuse", "old GGML file", None, None, None),
    ("bad/gguf-2e60-tensors.gguf", "refuse", "1152921504606846976 cannot fit", None, None, None),
    ("bad/gguf-unknown-type-99.gguf", "refuse", "`token_embd.weight` has the unknown ggml type 99", None, None, None),
    ("bad/gguf-dims-overflow.gguf", "refuse", "overflows 64 bits", None, None, None),
    (
        "bad/st-header-2e60.safetensors",
        "refuse",
        "header would have 1152921504606846976 bytes, the file has 10",
        None,
        None,
        None,
    ),
    ("bad/st-header-not-json.safetensors", "refuse", "header is not JSON", None, None, None),
    ("bad/st-git-lfs-pointer.safetensors", "refuse", "16060556376 bytes", None, None, None),
    ("bad/st-size-mismatch.safetensors", "refuse", "needs 4000 bytes, its offsets give 8", None, None, None),
    ("bad/st-unknown-dtype.safetensors", "warn", "F6_E3M2", None, Some(3), None),
    ("bad/st-empty.safetensors", "refuse", "file is empty", None, None, None),
    ("bad/pytorch_model.bin", "refuse", "PyTorch", None, None, None),
];

#[test]
fn checkpoints_give_exact_counts_or_a_clear_refusal() {
    check_fixtures(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/models/fixtures"));
}

#[test]
fn gguf_tells_active_experts_and_windows() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/models/fixtures/gguf");
    let moe = imported(&folder.join("qwen3-30b-a3b-Q4_K_M.header-only.gguf")).expect("a model");
    assert_eq!(moe.facts.parameters_active, Some(3_353_032_704));
    let sliding = imported(&folder.join("tiny-gemma3-sliding.gguf")).expect("a model");
    let past = sliding.kv_sequence_bytes(1001).zip(sliding.kv_sequence_bytes(1000)).map(|(more, less)| more - less);
    assert_eq!(past, Some(128), "only the full layer grows beyond the window");
}

/// The copies in the repository are partly headers without their data; these are whole.
#[test]
fn whole_checkpoints_do_so_too() {
    if let Some(models) = corpus() {
        check_fixtures(&models.join("fixtures"));
    }
}

fn check_fixtures(folder: &Path) {
    let mut wrong = Vec::new();
    for (file, want, word, parameters, bytes, kv) in FIXTURES {
        let path = folder.join(file);
        let (got, said) = outcome(&path);
        if got != *want || !said.contains(word) {
            wrong.push(format!("{file}: want {want} with {word:?}, got {got}: {said}"));
        }
        let Ok(model) = imported(&path) else { continue };
        let facts = &model.facts;
        let pairs =
            [(parameters, facts.parameters_total), (bytes, facts.weights_bytes), (kv, facts.kv_bytes_per_token)];
        if pairs.iter().any(|(want, got)| want.is_some() && **want != *got) {
            wrong.push(format!("{file}: want {parameters:?} {bytes:?} {kv:?}, got {facts:?}"));
        }
        let yaml = profile_yaml(&model);
        let document = Document::parse("written.yaml", &yaml).unwrap_or_else(|e| panic!("{file}: {e}\n{yaml}"));
        ModelSpec::read(&document).unwrap_or_else(|e| panic!("{file}: {e}\n{yaml}"));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
