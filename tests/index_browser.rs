//! An index page in a real browser: search, filters, sorting, deep links, reading without script.
//!
//! Needs what `tests/browser.rs` needs; without it, says that it was skipped. `SIMLLM_SHOTS=DIR` keeps pictures.

mod support;

use std::fs;
use std::path::Path;
use std::process::Command;

/// Runs the program in a folder; a gate that fails is a page all the same.
fn simllm(folder: &Path, args: &[&str]) {
    let run = Command::new(env!("CARGO_BIN_EXE_simllm")).args(args).current_dir(folder).output().expect("it starts");
    let code = run.status.code();
    assert!(code == Some(0) || code == Some(1), "{args:?}: {}", String::from_utf8_lossy(&run.stderr));
}

const LLAMA: &str = "title: 'Llama-3-8B: A100 or H100?'\nmatrix: {model: [llama-3-8b], hardware: [a100_80gb_pcie, h100_80gb_sxm], \
    weights_dtype: [bf16, int8_w8a8], batch_size: [1, 8], prompt_len: [2048]}\nbudgets: {ttft_ms: 400}\n\
    focus: {hardware: a100_80gb_pcie, weights_dtype: bf16, batch_size: 1}\n";
const QWEN: &str = "title: Qwen2.5-7B on one card\nmatrix: {model: [qwen2.5-7b], hardware: [rtx_4090, l40s], batch_size: [1, 4]}\n\
    budgets: {ttft_ms: 50}\nfocus: {hardware: rtx_4090, batch_size: 4}\n";
const MISTRAL: &str =
    "title: Mistral without a target\nmatrix: {model: [mistral-7b], hardware: [h200_sxm], batch_size: [1, 8]}\n";
const NOTE: &str = "---\ntitle: A slow first token\nsymptom: TTFT grew by 76 ms\nmodel: llama-3-8b\ndate: 2026-11-30\n---\n\
    The table lay in pageable memory.\n";

/// A folder with the pages of two builds; the second is slower.
fn two_builds(lang: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("written");
    };
    write("in/serving/llama.yaml", LLAMA);
    write("in/serving/qwen.yaml", QWEN);
    write("in/mistral.yaml", MISTRAL);
    write("in/table.md", NOTE);
    simllm(folder.path(), &["report", "in", "-o", "one", "--label", "main, build 1", "--lang", lang]);
    write("in/serving/llama.yaml", &format!("{LLAMA}hardware: {{memory.bandwidth_gb_s: 1400}}\n"));
    let second = ["report", "in", "-o", "two", "--label", "main, build 2", "--baseline", "one", "--lang", lang];
    simllm(folder.path(), &second);
    folder
}

#[test]
fn an_index_is_searched_filtered_sorted_and_read() {
    let Some((modules, chromium)) = support::browser::found() else { return };
    let folder = two_builds("en");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let run = Command::new("node")
        .arg(root.join("tests/browser/index.mjs"))
        .arg(folder.path().join("two/index.html"))
        .env("UI_NODE_MODULES", modules)
        .env("CHROMIUM", chromium)
        .output()
        .expect("node starts");
    let said = String::from_utf8_lossy(&run.stdout);
    assert!(said.contains("all checks passed"), "{said}\n{}", String::from_utf8_lossy(&run.stderr));
}

#[test]
fn index_pages_pass_the_acceptance() {
    let Some((modules, chromium)) = support::browser::found() else { return };
    let folders = ["en", "zh"].map(two_builds);
    let empty = tempfile::tempdir().expect("a temporary folder");
    simllm(empty.path(), &["index", "."]);
    let pages = folders.iter().enumerate().map(|(i, folder)| {
        let named = folder.path().join(format!("two/index-{i}.html"));
        fs::copy(folder.path().join("two/index.html"), &named).expect("copied");
        named
    });
    let pages: Vec<_> = pages.chain([empty.path().join("index.html")]).collect();
    support::browser::accept(&pages, modules, chromium);
}
