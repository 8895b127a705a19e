//! `RESULTS.md` names every key of what the program writes.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

const DECLARED: &str = "title: Few\nmatrix: {model: [llama-3-8b, llama-3-70b], hardware: [a100_80gb_pcie], \
                        batch_size: [1, 2]}\nbudgets: {ttft_ms: 400}\nfocus: {batch_size: 1}\n";
const ROWS: &str = "id,hardware,engine,model,weight_dtype,kind,batch,prompt_len,gen_len,metric,value\n\
                    one,a100_80gb_sxm,vllm,llama-2-7b,fp16,static_batch,1,512,512,e2e_ms,3400\n\
                    two,a100_80gb_sxm,vllm,unknown,fp16,static_batch,1,512,512,e2e_ms,6400\n";
const BENCH: &str = include_str!("cli/validate.in/vllm.json");
const CONFIG: &str = r#"{"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 64,
    "vocab_size": 100, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 128}"#;
const POINT: [&str; 7] =
    ["profile", "--hardware", "a100_80gb_pcie", "--budget", "ttft_ms=100", "--output-format", "json"];

/// Maps whose keys are data: fields of a matrix, and names of reports.
const OF_DATA: [&str; 3] = ["settings", "inputs", "reports"];

fn keys(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| keys(item, found)),
        Value::Object(map) => {
            for (key, value) in map {
                found.insert(key.clone());
                match value {
                    Value::Object(data) if OF_DATA.contains(&key.as_str()) && !data.contains_key("hash") => {
                        data.values().filter(|value| !value.is_string()).for_each(|value| keys(value, found));
                    }
                    _ => keys(value, found),
                }
            }
        }
        _ => {}
    }
}

/// The words between back-quotes of a chapter, split at everything that no key holds.
fn named<'a>(guide: &'a str, chapter: &str) -> BTreeSet<&'a str> {
    let chapter = guide.split("\n## ").find(|text| text.starts_with(chapter)).expect("the chapter");
    let code = chapter.split('`').skip(1).step_by(2);
    code.flat_map(|span| span.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')).collect()
}

fn simllm(folder: &Path, args: &[&str]) -> String {
    let run = Command::new(env!("CARGO_BIN_EXE_simllm")).args(args).current_dir(folder).output().expect("it starts");
    String::from_utf8(run.stdout).expect("text")
}

#[test]
fn every_key_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    for (name, text) in [("few.yaml", DECLARED), ("rows.csv", ROWS), ("config.json", CONFIG), ("bench.json", BENCH)] {
        fs::write(at.join(name), text).expect("written");
    }
    for (model, file) in [("llama-3-8b", "a.json"), ("llama-3-70b", "b.json"), ("qwen3-8b", "c.json")] {
        simllm(at, &[&POINT[..], &["--model", model, "-o", file]].concat());
    }
    simllm(at, &["report", "few.yaml", "-o", "out"]);
    let file = |name: &str| fs::read_to_string(at.join(name)).expect("written");
    let guide = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("RESULTS.md")).expect("the guide");
    let compare = |a: &str, b: &str| simllm(at, &["compare", a, b, "--output-format", "json"]);
    for (chapters, text) in [
        (&["One scenario"][..], file("a.json")),
        (&["One scenario"], file("b.json")),
        (&["One scenario", "A declared report"], file("out/few.json")),
        (&["An index"], file("out/index.json")),
        (&["A comparison"], compare("a.json", "c.json")),
        (&["A comparison"], compare("out/few.json", "out/few.json")),
        (&["One scenario", "A validation"], simllm(at, &["validate", "rows.csv", "--output-format", "json"])),
        (&["A validation"], simllm(at, &["validate", "bench.json", "--measured-only", "--output-format", "json"])),
        (&["Facts of a model"], simllm(at, &["convert", "config.json", "--output-format", "json"])),
    ] {
        let mut found = BTreeSet::new();
        keys(&serde_json::from_str(&text).unwrap_or_else(|error| panic!("{chapters:?}: {error}: {text}")), &mut found);
        let named: BTreeSet<&str> = chapters.iter().flat_map(|chapter| named(&guide, chapter)).collect();
        let missing: Vec<&String> = found.iter().filter(|key| !named.contains(key.as_str())).collect();
        assert!(found.len() > 8 && missing.is_empty(), "{chapters:?}: {missing:?}");
    }
}
