//! Pages in a real browser: the acceptance script of the design, on reports of different kinds.
//!
//! Needs Node.js with `tests/browser/node_modules` (or `UI_NODE_MODULES`) and Chromium (`CHROMIUM` or
//! `/usr/bin/chromium`); without them it says that it was skipped, and fails if `SIMLLM_BROWSER=required`.
//! `SIMLLM_SHOTS=DIR` keeps pictures.

mod support;

use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs the program, writing one report into a folder; returns the path that it printed.
fn report(folder: &Path, name: &str, args: &[&str]) -> PathBuf {
    let path = folder.join(format!("{name}.html"));
    let run = Command::new(env!("CARGO_BIN_EXE_simllm-profile"))
        .args(args)
        .arg("-o")
        .arg(&path)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("the program starts");
    assert!(path.is_file(), "{args:?}: {}", String::from_utf8_lossy(&run.stderr));
    path
}

/// Pages of predicted against measured: a bench tool's run, a table with rows left out and kernels, in both languages.
fn comparisons(folder: &Path) -> Vec<PathBuf> {
    let files = "tests/cli/validate.in";
    let run = |name: &str, args: &[&str]| {
        let path = folder.join(format!("{name}.html"));
        let run = Command::new(env!("CARGO_BIN_EXE_simllm"))
            .args(["validate", "--output-format", "html", "-o"])
            .arg(&path)
            .args(args)
            .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(files))
            .output()
            .expect("the program starts");
        assert!(path.is_file(), "{args:?}: {}", String::from_utf8_lossy(&run.stderr));
        path
    };
    vec![
        run("validation-run", &["vllm.json", "--hardware", "a100_80gb_sxm", "--model", "llama-3-8b"]),
        run("validation-table", &["measured.csv", "gemm.csv"]),
        run("validation-chinese", &["measured.csv", "--lang", "zh"]),
    ]
}

#[test]
fn pages_pass_the_acceptance_in_a_browser() {
    let Some((modules, chromium)) = support::browser::found() else { return };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let base = |model, hardware| vec!["--model", model, "--hardware", hardware];
    let with = |mut args: Vec<&'static str>, more: &[&'static str]| {
        args.extend(more);
        args
    };
    let scenarios = [
        ("default", with(base("llama-3-8b", "a100_80gb_pcie"), &["--prompt-len", "512", "--gen-len", "128"])),
        (
            "article",
            with(
                base("tests/data/jalapeno_profile.yaml", "a100_80gb_pcie"),
                &["--prompt-len", "2048", "--embedding-placement", "host_pageable", "--budget", "ttft_ms=200"],
            ),
        ),
        ("infeasible", base("llama-3-70b", "rtx_4090")),
        (
            "tensor-parallel",
            with(base("llama-3-70b", "h100_80gb_sxm"), &["--tensor-parallel", "8", "--batch-size", "16"]),
        ),
        ("hostile", base("tests/data/bad/37-script-in-name.json", "l40s")),
        (
            "chinese",
            with(base("qwen2.5-7b", "rtx_4090"), &["--lang", "zh", "--budget", "ttft_ms=60", "--budget", "tpot_ms=30"]),
        ),
        ("prefill", with(base("qwen3-14b", "h200_sxm"), &["--scenario", "prefill", "--prompt-len", "16384"])),
        (
            "decode",
            with(
                base("llama-3.1-8b", "b200_sxm"),
                &["--scenario", "decode", "--kv-dtype", "fp8", "--weights-dtype", "fp8"],
            ),
        ),
    ];
    let mut pages: Vec<PathBuf> = scenarios.iter().map(|(name, args)| report(folder.path(), name, args)).collect();
    pages.extend(comparisons(folder.path()));
    support::browser::accept(&pages, modules, chromium);
}

#[test]
fn combinations_are_ticked_in_the_page() {
    let Some((modules, chromium)) = support::browser::found() else { return };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let args = ["--model", "tests/data/jalapeno_profile.yaml", "--hardware", "a100_80gb_pcie", "--prompt-len", "2048"];
    let more = ["--embedding-placement", "host_pageable", "--budget", "ttft_ms=200"];
    let page = report(folder.path(), "whatif", &[&args[..], &more[..]].concat());
    let run = Command::new("node")
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/browser/whatif.mjs"))
        .arg(page)
        .env("UI_NODE_MODULES", modules)
        .env("CHROMIUM", chromium)
        .output()
        .expect("node starts");
    let said = String::from_utf8_lossy(&run.stdout);
    assert!(said.contains("all checks passed"), "{said}\n{}", String::from_utf8_lossy(&run.stderr));
}
