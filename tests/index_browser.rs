//! An index page in a real browser: search, filters, sorting, deep links, reading without script.
//!
//! Needs what `tests/browser.rs` needs; without it, says that it was skipped. `SIMLLM_SHOTS=DIR` keeps pictures.

mod index_sample;
mod support;

use std::fs;
use std::path::Path;
use std::process::Command;

use simllm::emit;
use simllm::report::text::Lang;

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

/// A folder whose titles and notes want to be markup, and whose other files are broken.
fn hostile() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("written");
    let title = "title: \"</script><img src=x onerror=alert(1)> javascript:alert(1)\"\n";
    write("a.yaml", &format!("{title}{}", LLAMA.split_once('\n').expect("a title").1));
    write("b.yaml", "title: broken\nmatrix: {model: [<script>alert(1)</script>\n");
    write(
        "note.md",
        &format!(
            "---\n{title}fix: '[x](javascript:alert(1))'\n---\n# Big\n<script>alert(1)</script>\n\n[x](javascript:alert(1)) <a href=\"javascript:alert(1)\">y</a>\n\n|a|b|\n|-|-|\n|1|{}|\n",
            "long".repeat(90)
        ),
    );
    write("open.md", "---\nsymptom: never closed\n");
    write("front.md", "---\nsymptom: [unclosed\n---\n");
    write("big.md", &format!("---\nsymptom: big\n---\n{}", "x".repeat(10 << 20)));
    let mut report = Command::new(env!("CARGO_BIN_EXE_simllm"));
    let run = report.args(["report", ".", "-o", "out"]).current_dir(folder.path()).output().expect("it starts");
    assert_eq!(run.status.code(), Some(3), "{}", String::from_utf8_lossy(&run.stderr));
    folder
}

#[test]
fn index_pages_pass_the_acceptance() {
    let Some((modules, chromium)) = support::browser::found() else { return };
    let [english, chinese] = ["en", "zh"].map(two_builds);
    let (empty, hostile, all) = (tempfile::tempdir().expect("a temporary folder"), hostile(), tempfile::tempdir());
    simllm(empty.path(), &["index", "."]);
    let all = all.expect("a temporary folder");
    let pages = [
        ("ordinary", english.path().join("one")),
        ("baseline", english.path().join("two")),
        ("chinese", chinese.path().join("two")),
        ("empty", empty.path().to_owned()),
        ("hostile", hostile.path().join("out")),
    ];
    let named = |name: &str| all.path().join(format!("index-{name}.html"));
    for (name, folder) in &pages {
        fs::copy(folder.join("index.html"), named(name)).expect("copied");
    }
    fs::write(named("long"), emit::html::index_page(&index_sample::index(1000, 24), Lang::En)).expect("written");
    let names = pages.iter().map(|(name, _)| *name).chain(["long"]);
    support::browser::accept(&names.map(named).collect::<Vec<_>>(), modules, chromium);
}
