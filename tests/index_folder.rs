//! `simllm index` over real folders: what is found, what is linked, what is told.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn simllm(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_simllm")).args(args).current_dir(folder).output().expect("the program starts")
}

fn code(run: &Output) -> i32 {
    run.status.code().expect("an exit code")
}

fn said(run: &Output) -> String {
    String::from_utf8_lossy(&run.stderr).into_owned()
}

fn write(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    fs::write(path, text).expect("written");
}

fn read(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

const DECLARED: &str = "title: Two loads\nmatrix: {model: [llama-3-8b], hardware: [a100_80gb_pcie], batch_size: [1, 4]}\nbudgets: {ttft_ms: 400}\n";

/// A folder of pages in folders of their own, some with names that no address holds as they are.
fn pages() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    write(folder.path(), "in/team/load.yaml", DECLARED);
    write(folder.path(), "in/other.yaml", &DECLARED.replace("Two loads", "Others"));
    write(folder.path(), "in/team/seen.md", "---\nsymptom: slow\n---\nText.\n");
    let run = simllm(folder.path(), &["report", "in", "-o", "out"]);
    assert_eq!(code(&run), 0, "{}", said(&run));
    let odd = "out/Team A/50% & #1 模型";
    for ending in ["html", "json"] {
        let output = format!("{odd}.{ending}");
        fs::create_dir_all(folder.path().join("out/Team A")).expect("a folder");
        let scenario = ["profile", "--model", "llama-3-8b", "--hardware", "l40s", "--output-format", ending];
        assert_eq!(code(&simllm(folder.path(), &[&scenario[..], &["-o", &output]].concat())), 0);
    }
    folder
}

/// Addresses of pages in markup, decoded.
fn links(page: &str) -> Vec<String> {
    let hrefs = page.split(" href=\"").skip(1).filter_map(|rest| rest.split('"').next());
    let decode = |href: &str| {
        let mut bytes = Vec::new();
        let mut rest = href.bytes();
        while let Some(byte) = rest.next() {
            let hex = |rest: &mut std::str::Bytes<'_>| {
                let digits = [rest.next().unwrap_or(b'0'), rest.next().unwrap_or(b'0')];
                u8::from_str_radix(std::str::from_utf8(&digits).expect("ASCII"), 16).expect("hexadecimal")
            };
            bytes.push(if byte == b'%' { hex(&mut rest) } else { byte });
        }
        String::from_utf8(bytes).expect("UTF-8")
    };
    hrefs.filter(|href| href.ends_with(".html")).map(decode).collect()
}

#[test]
fn links_lead_to_files_that_exist() {
    let folder = pages();
    assert_eq!(code(&simllm(folder.path(), &["index", "out"])), 0);
    let page = read(folder.path(), "out/index.html");
    let links = links(&page);
    for link in &links {
        assert!(folder.path().join("out").join(link).is_file(), "{link}");
    }
    for wanted in ["team/load.html", "team/load-best.html", "other.html", "Team A/50% & #1 模型.html"] {
        assert!(links.iter().any(|link| link == wanted), "{wanted}: {links:?}");
    }
    fs::remove_file(folder.path().join("out/team/load-best.html")).expect("removed");
    fs::remove_file(folder.path().join("out/other.html")).expect("removed");
    assert_eq!(code(&simllm(folder.path(), &["index", "out"])), 0);
    let page = read(folder.path(), "out/index.html");
    assert!(!page.contains("load-best.html\"") && !page.contains("href=\"other.html\"") && page.contains("Others"));
}

#[test]
fn every_link_of_the_reports_of_this_repository_leads_somewhere() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let reports = Path::new(env!("CARGO_MANIFEST_DIR")).join("reports");
    let declared = fs::read_dir(&reports).expect("a folder").flatten().map(|entry| entry.path());
    let declared = declared.filter(|path| path.extension().is_some_and(|ending| ending == "yaml")).count();
    let run = simllm(folder.path(), &["report", reports.to_str().expect("UTF-8"), "-o", "public/a b"]);
    assert_eq!(code(&run), 0, "{}", said(&run));
    let page = read(folder.path(), "public/a b/index.html");
    let links = links(&page);
    assert!(links.len() >= 3 * declared, "each has a page, one of its focus, one of its best point: {links:?}");
    for link in &links {
        assert!(folder.path().join("public/a b").join(link).is_file(), "{link}");
    }
}

#[test]
fn broken_files_are_told_and_the_others_listed() {
    let folder = pages();
    let cut = read(folder.path(), "out/team/load.json");
    write(folder.path(), "out/cut.json", &cut[..cut.len() / 2]);
    write(folder.path(), "out/deep.json", &"[".repeat(100_000));
    write(
        folder.path(),
        "out/odd.json",
        r#"{"schema_version": 1, "kind": "sweep", "inputs": {}, "summary": {"total": -1}}"#,
    );
    write(folder.path(), "out/new.json", r#"{"schema_version": 99, "inputs": {}, "metrics": {}}"#);
    write(folder.path(), "out/other-tool.json", r#"{"model_type": "llama"}"#);
    write(folder.path(), "out/note.md", "---\nsymptm: x\n---\n");
    let run = simllm(folder.path(), &["index", "out"]);
    assert_eq!(code(&run), 3);
    let said = said(&run);
    for broken in
        ["cut.json: broken JSON", "deep.json: broken JSON", "odd.json: summary", "schema_version 99", "symptom"]
    {
        assert!(said.contains(broken), "{broken}: {said}");
    }
    assert!(!said.contains("other-tool"), "{said}");
    let page = read(folder.path(), "out/index.html");
    assert_eq!(page.matches("<tr data-item=").count(), 3);
}

#[test]
fn what_is_new_and_what_is_gone_is_told() {
    let folder = pages();
    fs::rename(folder.path().join("out"), folder.path().join("old")).expect("renamed");
    fs::remove_file(folder.path().join("in/other.yaml")).expect("removed");
    write(folder.path(), "in/fresh.yaml", &DECLARED.replace("Two loads", "Fresh"));
    let run = simllm(folder.path(), &["report", "in", "-o", "out", "--baseline", "old"]);
    assert_eq!(code(&run), 0, "{}", said(&run));
    let index: serde_json::Value = serde_json::from_str(&read(folder.path(), "out/index.json")).expect("JSON");
    let gone: Vec<_> = index["gone"].as_array().into_iter().flatten().map(|gone| gone["title"].as_str()).collect();
    assert_eq!(gone, [Some("llama-3-8b, l40s"), Some("Others")]);
    let fresh = index["entries"].as_array().into_iter().flatten().filter(|entry| entry["appeared"] == true);
    assert_eq!(fresh.map(|entry| entry["title"].as_str()).collect::<Vec<_>>(), [Some("Fresh")]);
    let summary = read(folder.path(), "out/summary.md");
    assert!(summary.contains("New: Fresh") && summary.contains("Gone: llama-3-8b, l40s, Others"), "{summary}");
}

#[test]
fn a_baseline_that_compares_nothing_is_refused() {
    let folder = pages();
    let missing = simllm(folder.path(), &["report", "in", "-o", "out", "--baseline", "gone"]);
    assert_eq!((code(&missing), said(&missing).contains("no such folder")), (3, true), "{}", said(&missing));
    let same = simllm(folder.path(), &["index", "out", "--baseline", "./out"]);
    assert_eq!((code(&same), said(&same).contains("folder that is written")), (2, true), "{}", said(&same));
    fs::create_dir(folder.path().join("empty")).expect("a folder");
    assert_eq!(
        code(&simllm(folder.path(), &["index", "out", "--baseline", "empty"])),
        0,
        "an empty one is a first run"
    );
    assert!(read(folder.path(), "out/index.html").contains("there is nothing to compare"));
}

#[test]
fn a_baseline_inside_the_folder_is_no_part_of_it() {
    let folder = pages();
    let run = simllm(folder.path(), &["report", "in", "-o", "out/last"]);
    assert_eq!(code(&run), 0, "{}", said(&run));
    assert_eq!(code(&simllm(folder.path(), &["index", "out", "--baseline", "out/last"])), 0);
    assert_eq!(read(folder.path(), "out/index.html").matches("<tr data-item=").count(), 3);
}

#[test]
fn the_past_is_carried_from_run_to_run() {
    let folder = pages();
    for run in 1..=30 {
        let (output, label) = (format!("run-{run}"), format!("build {run}"));
        let mut args = vec!["report", "in", "-o", &output, "--label", &label];
        let before = format!("run-{}", run - 1);
        if run > 1 {
            args.extend(["--baseline", &before]);
        }
        assert_eq!(code(&simllm(folder.path(), &args)), 0);
    }
    let index: serde_json::Value = serde_json::from_str(&read(folder.path(), "run-30/index.json")).expect("JSON");
    let runs = index["reports"]["team/load"].as_array().expect("a list");
    let labels: Vec<_> = runs.iter().filter_map(|run| run["label"].as_str()).collect();
    assert_eq!(
        (labels.len(), labels.first().copied(), labels.last().copied()),
        (24, Some("build 7"), Some("build 30"))
    );
    write(folder.path(), "run-30/index.json", "{broken");
    let run = simllm(folder.path(), &["report", "in", "-o", "run-31", "--baseline", "run-30"]);
    assert_eq!((code(&run), said(&run).contains("history starts again")), (3, true), "{}", said(&run));
    assert!(folder.path().join("run-31/index.html").is_file());
}

/// Labels of the past of a report.
fn past(folder: &Path, index: &str, stem: &str) -> Vec<String> {
    let index: serde_json::Value = serde_json::from_str(&read(folder, index)).expect("JSON");
    let runs = index["reports"][stem].as_array().cloned().unwrap_or_default();
    runs.iter().filter_map(|run| run["label"].as_str().map(str::to_owned)).collect()
}

#[test]
fn what_failed_is_on_the_page_and_what_an_earlier_run_made_of_it_is_not() {
    let folder = pages();
    let root = folder.path();
    let inputs = root.join("in").display().to_string();
    let report = |output: &str, label: &str, more: &[&str]| {
        simllm(root, &[&["report", &inputs, "-o", output, "--label", label], more].concat())
    };
    assert_eq!(code(&report("one", "build 1", &[])), 0);
    assert_eq!(code(&report("two", "build 2", &["--baseline", "one"])), 0);
    write(root, "in/other.yaml", "title: [\n");
    write(root, "in/team/seen.md", "---\nsymptom: never closed\n");
    write(root, "in/big.md", &format!("---\nsymptom: big\n---\n{}", "x".repeat(10 << 20)));
    let run = report("two", "build 2", &["--baseline", "one"]);
    assert_eq!(code(&run), 3, "{}", said(&run));
    let page = read(root, "two/index.html");
    assert!(page.contains("<h1>3 files have errors</h1>") && page.contains("<section id=\"errors\">"));
    for told in ["other.yaml:1", "team/seen.md: the facts", "big.md: the note has"] {
        assert!(page.contains(told), "{told}");
    }
    assert!(!page.contains(&root.display().to_string()), "where it was built is nobody's business");
    assert_eq!(page.matches("<tr data-item=").count(), 1, "the stale page of the broken report is not listed");
    assert!(!page.contains("data-note>"), "nor the stale note");
    let index: serde_json::Value = serde_json::from_str(&read(root, "two/index.json")).expect("JSON");
    assert_eq!(index["gone"], serde_json::json!([]), "it failed, it is not gone");
    assert_eq!(past(root, "two/index.json", "other"), ["build 1"]);
    let (summary, junit) = (read(root, "two/summary.md"), read(root, "two/junit.xml"));
    assert!(summary.starts_with("## 3 files with errors\n"), "{summary}");
    assert!(junit.contains("errors=\"3\"") && junit.contains("note big"), "{junit}");
    write(root, "in/other.yaml", DECLARED);
    fs::remove_file(root.join("in/big.md")).expect("removed");
    write(root, "in/team/seen.md", "---\nsymptom: slow\n---\n");
    assert_eq!(code(&report("three", "build 3", &["--baseline", "two"])), 0);
    assert_eq!(past(root, "three/index.json", "other"), ["build 1", "build 3"], "it goes on where it was");
}

#[test]
fn failed_gates_are_said() {
    let folder = pages();
    let root = folder.path();
    write(root, "in/other.yaml", &DECLARED.replace("ttft_ms: 400", "ttft_ms: 1"));
    let run = simllm(root, &["report", "in", "-o", "missed"]);
    assert_eq!(code(&run), 1);
    let line = "gate failed: other: a point meets all targets: none of 2 that run";
    assert_eq!(said(&run).lines().filter(|line| line.starts_with("gate failed")).collect::<Vec<_>>(), [line]);
    write(root, "in/other.yaml", &format!("{DECLARED}hardware: {{memory.bandwidth_gb_s: 900}}\n"));
    let run = simllm(root, &["report", "in", "-o", "slower", "--baseline", "out"]);
    let slower =
        |run: &Output| said(run).contains("gate failed: other: no point slower by more than 2 %: 2 of 2 slower");
    assert!(code(&run) == 1 && slower(&run), "{}", said(&run));
    let again = simllm(root, &["index", "slower", "--baseline", "out"]);
    assert!(code(&again) == 1 && slower(&again), "{}", said(&again));
    let calm = simllm(root, &["index", "slower", "--baseline", "out", "--threshold", "900"]);
    assert_eq!((code(&calm), said(&calm)), (0, String::new()));
}

#[test]
fn a_folder_where_everything_fails_has_an_index_that_says_so() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    write(folder.path(), "in/x.yaml", "title: [\n");
    let run = simllm(folder.path(), &["report", "in", "-o", "out"]);
    assert_eq!(code(&run), 3, "{}", said(&run));
    assert!(read(folder.path(), "out/index.html").contains("<h1>1 file has an error</h1>"));
}

#[test]
fn pages_inside_the_folder_of_reports_do_not_multiply() {
    let folder = pages();
    let inputs = folder.path().join("in");
    let trees = [1, 2, 3].map(|_| {
        let run = simllm(&inputs, &["report", ".", "-o", "public"]);
        assert_eq!(code(&run), 0, "{}", said(&run));
        assert_eq!(read(&inputs, "public/index.html").matches(" data-note>").count(), 1);
        let mut files: Vec<_> = fs::read_dir(inputs.join("public")).expect("a folder").flatten().collect();
        files.sort_by_key(fs::DirEntry::file_name);
        files.iter().map(fs::DirEntry::file_name).collect::<Vec<_>>()
    });
    assert!(trees.iter().all(|tree| *tree == trees[0]), "{trees:?}");
}
