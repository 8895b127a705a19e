//! Declared reports from the command line: the same bytes however they are run, gates, baselines, broken declarations.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const DECLARED: &str = "\
title: A small matrix
matrix:
  model: [llama-3-8b, model.yaml]
  hardware: [a100_80gb_pcie, h100_80gb_sxm]
  batch_size: [1, 4, 64, 4096]
  prompt_len: [128, 2048]
  exclude:
    - {model: model.yaml, batch_size: 64}
  include:
    - {model: llama-3-8b, hardware: l40s, batch_size: 2, prompt_len: 64, budgets.tpot_ms: 1000}
budgets: {ttft_ms: 400, tpot_ms: 20}
focus: {hardware: h100_80gb_sxm, batch_size: 1, prompt_len: 2048}
notes: words.md
";

/// A folder of declared reports.
fn declared(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    fs::create_dir(folder.path().join("in")).expect("a folder");
    fs::copy(root.join("profiles/qwen2.5-7b.yaml"), folder.path().join("in/model.yaml.txt")).expect("copied");
    for (name, text) in files {
        fs::write(folder.path().join("in").join(name), text).expect("written");
    }
    folder
}

fn good() -> tempfile::TempDir {
    let model = include_str!("../profiles/qwen2.5-7b.yaml");
    let words = "# Why\n\n<script>alert(1)</script> [x](javascript:alert(1))\n";
    let note = "---\nsymptom: slow\ndate: 2026-11-30\n---\nText.\n";
    let folder = declared(&[("matrix.yaml", DECLARED), ("words.md", words), ("note.md", note)]);
    fs::create_dir(folder.path().join("models")).expect("a folder");
    fs::write(folder.path().join("in/matrix.yaml"), DECLARED.replace("model.yaml", "../models/model.yaml"))
        .expect("written");
    fs::write(folder.path().join("models/model.yaml"), model).expect("written");
    folder
}

fn simllm(folder: &Path, args: &[&str], environment: &[(&str, &str)]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_simllm"));
    command.args(args).current_dir(folder).envs(environment.iter().copied()).output().expect("the program starts")
}

fn code(run: &Output) -> i32 {
    run.status.code().expect("an exit code")
}

fn said(run: &Output) -> String {
    String::from_utf8_lossy(&run.stderr).into_owned()
}

/// Every file below a folder.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(&next).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
            } else {
                let name = path.strip_prefix(folder).expect("inside").to_string_lossy().into_owned();
                files.insert(name, fs::read(&path).expect("readable"));
            }
        }
    }
    files
}

#[test]
fn one_run_many_threads_and_joined_parts_give_the_same_bytes() {
    let folder = good();
    let run = simllm(folder.path(), &["report", "in", "-o", "one"], &[("RAYON_NUM_THREADS", "1"), ("TZ", "UTC")]);
    assert_eq!(code(&run), 0, "{}", said(&run));
    let one = files(&folder.path().join("one"));
    for name in [
        "matrix.html",
        "matrix.json",
        "matrix.csv",
        "matrix-focus.html",
        "index.html",
        "junit.xml",
        "summary.md",
        "note.md",
    ] {
        assert!(one.contains_key(name), "{name} is missing: {:?}", one.keys());
    }
    let elsewhere = tempfile::tempdir().expect("a temporary folder");
    let from = folder.path().join("in");
    let from = from.to_str().expect("a plain path");
    let run =
        simllm(elsewhere.path(), &["report", from, "-o", "two"], &[("RAYON_NUM_THREADS", "6"), ("TZ", "Asia/Tokyo")]);
    assert_eq!(code(&run), 0, "{}", said(&run));
    assert_eq!(files(&elsewhere.path().join("two")), one);
    for part in ["2/3", "3/3", "1/3"] {
        let output = format!("parts/{}", &part[..1]);
        let run = simllm(folder.path(), &["report", "in", "--shard", part, "-o", &output], &[]);
        assert_eq!(code(&run), 0, "{}", said(&run));
    }
    for order in [["parts/3", "parts/1", "parts/2"], ["parts/2", "parts/3", "parts/1"]] {
        let run = simllm(folder.path(), &[&["merge"], &order[..], &["-o", "joined"]].concat(), &[]);
        assert_eq!(code(&run), 0, "{}", said(&run));
        assert_eq!(files(&folder.path().join("joined")), one);
    }
}

#[test]
fn parts_that_do_not_fit_together_are_refused() {
    let folder = good();
    for part in ["1/3", "2/3"] {
        simllm(folder.path(), &["report", "in", "--shard", part, "-o", "parts"], &[]);
    }
    let run = simllm(folder.path(), &["merge", "parts", "-o", "joined"], &[]);
    assert_eq!(code(&run), 3);
    assert!(said(&run).contains("of 3 parts these are missing: 3"), "{}", said(&run));
    let cut = folder.path().join("parts/matrix.2-of-3.shard");
    let text = fs::read_to_string(&cut).expect("a part");
    let (whole, _) = text.trim_end().rsplit_once('\n').expect("lines");
    simllm(folder.path(), &["report", "in", "--shard", "3/3", "-o", "parts"], &[]);
    fs::write(&cut, whole).expect("written");
    let run = simllm(folder.path(), &["merge", "parts", "-o", "joined"], &[]);
    assert_eq!(code(&run), 3);
    assert!(said(&run).contains("was it cut short?"), "{}", said(&run));
    assert!(!folder.path().join("joined/matrix.json").exists(), "nothing half-written");
    fs::write(&cut, "not json\n").expect("written");
    let run = simllm(folder.path(), &["merge", "parts", "-o", "joined"], &[]);
    assert_eq!(code(&run), 3);
    assert!(said(&run).contains("not a part of a report"), "{}", said(&run));
}

#[test]
fn gates_decide_the_exit_code() {
    let matrix = "matrix: {model: [llama-3-8b], hardware: [a100_80gb_pcie], batch_size: [1, 16]}\n";
    let cases = [
        ("budgets: {ttft_ms: 100}\n", 0),
        ("budgets: {ttft_ms: 100}\ngate: all\n", 1),
        ("budgets: {ttft_ms: 100}\nfocus: {batch_size: 16}\n", 1),
        ("budgets: {ttft_ms: 1}\n", 1),
        ("", 0),
    ];
    for (rest, expected) in cases {
        let folder = declared(&[("r.yaml", &format!("{matrix}{rest}"))]);
        let run = simllm(folder.path(), &["report", "in/r.yaml"], &[]);
        assert_eq!(code(&run), expected, "{rest}: {}", said(&run));
        let junit = fs::read_to_string(folder.path().join("public/junit.xml")).expect("a JUnit file");
        assert_eq!(junit.contains("<failure"), expected == 1, "{junit}");
    }
    let own = "matrix:\n  model: [llama-3-8b]\n  hardware: [a100_80gb_pcie]\n  batch_size: [1, 16]\n  \
        include:\n    - {batch_size: 16, budgets.ttft_ms: 50}\n";
    let folder = declared(&[("r.yaml", own)]);
    let run = simllm(folder.path(), &["report", "in/r.yaml"], &[]);
    assert_eq!(code(&run), 1, "a point's own target: {}", said(&run));
    let never = "matrix: {model: [llama-3-70b], hardware: [rtx_4090], batch_size: [1, 2]}\n";
    let folder = declared(&[("r.yaml", never)]);
    assert_eq!(code(&simllm(folder.path(), &["report", "in/r.yaml"], &[])), 4, "nothing fits");
}

#[test]
fn a_point_that_got_slower_than_the_baseline_fails() {
    let slow = "matrix: {model: [llama-3-8b], hardware: [a100_80gb_pcie], batch_size: [1, 4]}\n";
    let folder = declared(&[("r.yaml", &format!("{slow}hardware: {{memory.bandwidth_gb_s: 2000}}\n"))]);
    assert_eq!(code(&simllm(folder.path(), &["report", "in/r.yaml", "-o", "old", "--label", "build 1"], &[])), 0);
    fs::write(folder.path().join("in/r.yaml"), format!("{slow}hardware: {{memory.bandwidth_gb_s: 1900}}\n"))
        .expect("written");
    let args = ["report", "in/r.yaml", "-o", "new", "--baseline", "old", "--label", "build 2"];
    let run = simllm(folder.path(), &args, &[]);
    assert_eq!(code(&run), 1, "{}", said(&run));
    let summary = fs::read_to_string(folder.path().join("new/summary.md")).expect("a summary");
    assert!(summary.contains("Since build 1") && summary.contains("slower"), "{summary}");
    let index = fs::read_to_string(folder.path().join("new/index.json")).expect("an index");
    assert!(index.contains("\"label\": \"build 1\"") && index.contains("\"slower\": 2"), "{index}");
    let tolerant = [&args[..], &["--threshold", "20"]].concat();
    assert_eq!(code(&simllm(folder.path(), &tolerant, &[])), 0, "within the threshold");
}

#[test]
fn a_broken_report_is_told_and_the_others_are_written() {
    let good = "matrix: {model: [llama-3-8b], hardware: [a100_80gb_pcie]}\n";
    let broken = [
        ("typo.yaml", "matrx: {model: [llama-3-8b]}\n", "did you mean"),
        ("axis.yaml", "matrix: {model: [llama-3-8b], hardware: [h200_sxm], bach_size: [1]}\n", "bach_size"),
        ("empty.yaml", "matrix: {model: [llama-3-8b], hardware: [h200_sxm], batch_size: []}\n", "no values"),
        ("twice.yaml", "matrix: {model: [llama-3-8b], hardware: [h200_sxm], batch_size: [1, 1]}\n", "twice"),
        ("model.yaml", "matrix: {model: [lama-3-8b], hardware: [h200_sxm]}\n", "llama-3-8b"),
        ("value.yaml", "matrix: {model: [llama-3-8b], hardware: [h200_sxm], batch_size: [0]}\n", "1 or more"),
        ("notes.yaml", "matrix: {model: [llama-3-8b], hardware: [h200_sxm]}\nnotes: gone.md\n", "gone.md"),
        ("focus.yaml", "matrix: {model: [llama-3-8b], hardware: [h200_sxm]}\nfocus: {batch_size: 7}\n", "focus"),
        ("lfs.yaml", "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n", "git lfs pull"),
        ("note.md", "---\nsymptm: x\n---\n", "symptom"),
    ];
    for (name, text, words) in broken {
        let folder = declared(&[("good.yaml", good), (name, text)]);
        let run = simllm(folder.path(), &["report", "in"], &[]);
        let expected = if name == "notes.yaml" { 5 } else { 3 };
        assert_eq!(code(&run), expected, "{name}: {}", said(&run));
        assert!(said(&run).contains(words), "{name}: {}", said(&run));
        let written = files(&folder.path().join("public"));
        assert!(
            written.contains_key("good.html") && written.contains_key("index.html"),
            "{name}: {:?}",
            written.keys()
        );
        assert!(!written.keys().any(|file| file.contains(".simllm-")), "{name}: {:?}", written.keys());
    }
}

#[test]
fn absurd_matrices_and_empty_folders_are_refused_at_once() {
    let axis = (1..=1000).map(|i| i.to_string()).collect::<Vec<_>>().join(",");
    let text =
        format!("matrix: {{model: [llama-3-8b], hardware: [h200_sxm], batch_size: [{axis}], prompt_len: [{axis}]}}\n");
    let folder = declared(&[("big.yaml", &text)]);
    let run = simllm(folder.path(), &["report", "in"], &[]);
    assert_eq!(code(&run), 3);
    assert!(said(&run).contains("1000000 points") && said(&run).contains("--max-points"), "{}", said(&run));
    let empty = tempfile::tempdir().expect("a temporary folder");
    assert_eq!(code(&simllm(empty.path(), &["report", "."], &[])), 3);
    assert_eq!(code(&simllm(empty.path(), &["report", "gone"], &[])), 3);
    assert_eq!(code(&simllm(empty.path(), &["merge", "."], &[])), 3);
    assert_eq!(code(&simllm(empty.path(), &["index", "gone"], &[])), 3);
    assert_eq!(code(&simllm(empty.path(), &["report"], &[])), 2);
    assert_eq!(code(&simllm(empty.path(), &["report", ".", "--shard", "3/2"], &[])), 2);
}

#[test]
fn a_misspelt_axis_and_a_value_that_is_no_number_say_what_to_do() {
    let folder = declared(&[
        ("axis.yaml", "title: t\nmatrix:\n  modle: [llama-3-8b]\n  hardware: [l40s]\n"),
        ("nan.yaml", "title: t\nmatrix:\n  model: [llama-3-8b]\n  hardware: [l40s]\n  batch_size: [1, .nan]\n"),
    ]);
    let run = simllm(folder.path(), &["report", "in", "-o", "out"], &[]);
    assert_eq!(code(&run), 3);
    let said = said(&run);
    for words in ["did you mean `model` where `modle` stands?", "in/nan.yaml:5:", "write a finite number"] {
        assert!(said.contains(words), "{words}: {said}");
    }
    assert!(!said.contains("configured policy"), "{said}");
}

#[test]
fn tickets_link_to_the_page_they_stand_on() {
    let folder = good();
    let args = ["report", "in", "-o", "out", "--base-url", "https://ci.example/pages/"];
    assert_eq!(code(&simllm(folder.path(), &args, &[])), 0);
    let one = ["profile", "--model", "llama-3-8b", "--hardware", "l40s", "--base-url", "https://ci.example/pages"];
    assert_eq!(code(&simllm(folder.path(), &[&one[..], &["-o", "out/one.html"]].concat(), &[])), 0);
    let pages =
        ["matrix-focus", "matrix-best", "one"].map(|stem| (stem, folder.path().join(format!("out/{stem}.html"))));
    for (stem, path) in pages {
        let page = fs::read_to_string(path).expect("a page");
        let links: Vec<&str> = page.split("https://ci.example/pages/").skip(1).collect();
        assert!(links.iter().any(|link| link.contains("#fix=")), "{stem}");
        assert!(
            links.iter().filter(|link| link.contains("#fix=")).all(|link| link.starts_with(&format!("{stem}.html"))),
            "{stem}"
        );
    }
}

#[test]
fn a_huge_note_is_refused_and_named() {
    let folder = declared(&[("r.yaml", "matrix: {model: [llama-3-8b], hardware: [h200_sxm]}\n")]);
    fs::write(folder.path().join("in/huge.md"), format!("---\nsymptom: x\n---\n{}", "y".repeat(10 << 20)))
        .expect("written");
    let run = simllm(folder.path(), &["report", "in"], &[]);
    assert_eq!(code(&run), 3);
    assert!(said(&run).contains("huge.md"), "{}", said(&run));
    assert!(folder.path().join("public/r.html").is_file());
}
