//! Declared reports of every kind, run through the program, for tests of their pages.
#![allow(dead_code, reason = "each test uses its part")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// Two models on three machines in three formats over one to three GPUs: some points cannot be split, some miss.
pub const FOUR_AXES: &str = "\
title: Four fields and more
matrix:
  model: [llama-3-8b, qwen2.5-7b]
  hardware: [a100_80gb_pcie, rtx_4090]
  weights_dtype: [bf16, int8_w8a8]
  tensor_parallel: [1, 2, 3]
  batch_size: [1, 4, 16, 2048]
  prompt_len: [256, 1024, 8192]
budgets: {ttft_ms: 300, tpot_ms: 20}
focus: {model: llama-3-8b, hardware: a100_80gb_pcie, weights_dtype: bf16, tensor_parallel: 1, batch_size: 1, prompt_len: 1024}
";
/// One field.
pub const ONE_AXIS: &str = "title: One field\n\
    matrix: {model: [llama-3-8b], hardware: [l40s], batch_size: [1, 2, 4, 8, 16, 32, 64]}\nbudgets: {ttft_ms: 400}\n";
/// Nothing fits.
pub const NOTHING_FITS: &str = "title: Nothing fits\n\
    matrix: {model: [llama-3-70b], hardware: [rtx_4090, l40s], batch_size: [1, 2, 4], prompt_len: [512, 4096]}\n\
    budgets: {ttft_ms: 400}\n";
/// Nothing meets the targets.
pub const NONE_MEETS: &str = "title: None meets\n\
    matrix: {model: [llama-3-8b], hardware: [l40s, a100_80gb_pcie], batch_size: [1, 2, 4]}\nbudgets: {ttft_ms: 5}\n";
/// No targets.
pub const NO_TARGETS: &str = "title: No targets\n\
    matrix: {model: [llama-3-8b], hardware: [l40s, h100_80gb_sxm], weights_dtype: [bf16, fp8], batch_size: [1, 8, 16]}\n";
/// A name that would be markup.
pub const HOSTILE: &str = "</script><img src=x onerror=alert(1)>\"'&";
/// The name as a file may have it.
const HOSTILE_FILE: &str = "<img src=x onerror=alert(1)>\"&.yaml";

/// A declaration with strange names in its title and in the values of its fields.
pub fn hostile() -> String {
    let quoted = |text: &str| Value::from(text).to_string();
    let (title, file) = (quoted(HOSTILE), quoted(&format!("../models/{HOSTILE_FILE}")));
    format!(
        "title: {title}\nmatrix: {{model: [{file}, llama-3-8b], hardware: [a100_80gb_pcie], batch_size: [1, 2, 4], \
         prompt_len: [256, 1024]}}\nbudgets: {{ttft_ms: 300}}\n"
    )
}

/// A matrix of so many prompt lengths times a hundred points.
pub fn hundreds(count: u32) -> String {
    let batches: Vec<String> = (1..=20).map(|n| n.to_string()).collect();
    let prompts: Vec<String> = (1..=count).map(|n| (n * 32).to_string()).collect();
    format!(
        "title: Many points\nmatrix: {{model: [llama-3-8b], hardware: [a100_80gb_pcie, h100_80gb_sxm, l40s, rtx_4090, \
         b200_sxm], batch_size: [{}], prompt_len: [{}]}}\nbudgets: {{ttft_ms: 300, tpot_ms: 20}}\n",
        batches.join(","),
        prompts.join(",")
    )
}

/// A report that was run: its page, its file, and the folder that holds both.
pub struct Ran {
    /// The folder, gone with this.
    pub folder: tempfile::TempDir,
    /// The page.
    pub html: String,
    /// The file of all points.
    pub json: Value,
    /// The exit code.
    pub code: i32,
}

/// Runs a declaration as `NAME.yaml`.
pub fn ran(name: &str, declared: &str, args: &[&str]) -> Ran {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (models, reports) = (folder.path().join("models"), folder.path().join("in"));
    fs::create_dir(&models).expect("a folder");
    fs::create_dir(&reports).expect("a folder");
    let profile = include_str!("../../profiles/qwen2.5-7b.yaml");
    let renamed = profile.replacen("model_name: qwen2.5-7b", &format!("model_name: {}", Value::from(HOSTILE)), 1);
    fs::write(models.join(HOSTILE_FILE), renamed).expect("written");
    fs::write(reports.join(format!("{name}.yaml")), declared).expect("written");
    let run = Command::new(env!("CARGO_BIN_EXE_simllm"))
        .args(["report", "in", "-o", "out"])
        .args(args)
        .current_dir(folder.path())
        .output()
        .expect("the program starts");
    let read = |extension: &str| {
        let path = folder.path().join(format!("out/{name}.{extension}"));
        fs::read_to_string(&path).unwrap_or_else(|_| panic!("{name}: {}", String::from_utf8_lossy(&run.stderr)))
    };
    let (html, json) = (read("html"), read("json"));
    let json = serde_json::from_str(&json).expect("JSON");
    Ran { html, json, code: run.status.code().expect("an exit code"), folder }
}

impl Ran {
    /// The data block of the page.
    pub fn data(&self) -> Value {
        let (_, rest) = self.html.split_once("id=\"data\">").expect("a data block");
        let (data, _) = rest.split_once("</script>").expect("its end");
        serde_json::from_str(data).expect("JSON")
    }

    /// The points of the file.
    pub fn points(&self) -> &[Value] {
        self.json["points"].as_array().expect("points")
    }

    /// The page, under a name that tells it from others.
    pub fn page(&self, name: &str) -> PathBuf {
        let path = self.folder.path().join(format!("out/{name}.html"));
        fs::write(&path, &self.html).expect("written");
        path
    }

    /// The folder with what was written.
    pub fn out(&self) -> PathBuf {
        self.folder.path().join("out")
    }
}

/// Runs the declared reports of the repository into a folder; returns their pages.
pub fn declared(folder: &Path, lang: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let out = folder.join(lang);
    let run = Command::new(env!("CARGO_BIN_EXE_simllm"))
        .arg("report")
        .arg(root.join("reports"))
        .args(["--lang", lang, "-o"])
        .arg(&out)
        .output()
        .expect("the program starts");
    let names = fs::read_dir(root.join("reports")).expect("a folder").flatten().map(|entry| entry.path());
    let mut stems: Vec<PathBuf> = names.filter(|path| path.extension().is_some_and(|kind| kind == "yaml")).collect();
    stems.sort();
    let page = |path: PathBuf| {
        let stem = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let page = out.join(format!("{stem}.html"));
        let named = out.join(format!("{stem}-{lang}.html"));
        fs::rename(&page, &named).unwrap_or_else(|_| panic!("{stem}: {}", String::from_utf8_lossy(&run.stderr)));
        named
    };
    stems.into_iter().map(page).collect()
}
