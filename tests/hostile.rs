//! The program in clumsy and in hostile hands: nothing that is read is written over, nothing leaves its folder, nobody who
//! stops listening makes it panic.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

const DECLARED: &str = "title: One\nmatrix: {model: [llama-3-8b], hardware: [a100_80gb_pcie]}\n";
const ROWS: &str = "id,hardware,engine,model,weight_dtype,kind,batch,prompt_len,gen_len,metric,value\n\
                    one,a100_80gb_sxm,vllm,llama-2-7b,fp16,static_batch,1,512,512,e2e_ms,6400\n";

fn simllm(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_simllm")).args(args).current_dir(folder).output().expect("the program starts")
}

fn ends(run: &Output, code: i32, says: &str) {
    let said = String::from_utf8_lossy(&run.stderr);
    assert_eq!(run.status.code(), Some(code), "{said}");
    assert!(said.contains(says), "{said}");
}

/// A folder with files by name.
fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("written");
    }
    folder
}

#[test]
fn notes_from_outside_the_folder_of_a_report_are_not_published() {
    for outside in ["../secret.md", "sub/../../secret.md", "/etc/passwd", "link.md"] {
        let folder = folder(&[("in/a.yaml", &format!("{DECLARED}notes: {outside}\n")), ("secret.md", "the secret\n")]);
        #[cfg(unix)]
        std::os::unix::fs::symlink("../secret.md", folder.path().join("in/link.md")).expect("a link");
        let run = simllm(folder.path(), &["report", "in/a.yaml", "-o", "out"]);
        ends(&run, 3, "is outside the folder of the report");
        assert!(!folder.path().join("out/a.html").exists(), "{outside}");
    }
    let folder = folder(&[("a.yaml", &format!("{DECLARED}notes: ./more/a.md\n")), ("more/a.md", "what we saw\n")]);
    ends(&simllm(folder.path(), &["report", "a.yaml", "-o", "out"]), 0, "");
    assert!(fs::read_to_string(folder.path().join("out/a.html")).expect("a page").contains("what we saw"));
}

#[test]
fn no_report_takes_the_name_of_the_index_or_of_a_page_of_another() {
    let folder = folder(&[("index.yaml", DECLARED), ("in/a.yaml", DECLARED), ("in/a-best.yml", DECLARED)]);
    ends(&simllm(folder.path(), &["report", "index.yaml", "-o", "out"]), 3, "index.html is the index\nhelp: rename");
    ends(&simllm(folder.path(), &["report", "in", "-o", "out"]), 3, "a-best.yml would overwrite a page of in/a.yaml");
    assert!(!folder.path().join("out").exists());
    ends(&simllm(folder.path(), &["report", "in/a.yaml", "-o", "out"]), 0, "");
}

#[test]
fn what_is_read_is_not_written_over() {
    let folder = folder(&[("rows.csv", ROWS)]);
    let profile = ["profile", "--model", "llama-3-8b", "--hardware", "a100_80gb_pcie", "--output-format", "json"];
    ends(&simllm(folder.path(), &[&profile[..], &["-o", "a.json"]].concat()), 0, "");
    let config = r#"{"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 64, "vocab_size": 100,
        "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 128, "torch_dtype": "bfloat16"}"#;
    fs::write(folder.path().join("config.json"), config).expect("written");
    let before = |name: &str| fs::read(folder.path().join(name)).expect("there");
    let kept = ["rows.csv", "a.json", "config.json"].map(|name| (name, before(name)));
    for command in [
        &["validate", "rows.csv", "--rows", "./rows.csv"][..],
        &["validate", "rows.csv", "-o", "rows.csv"],
        &["validate", "rows.csv", "--measured-only", "--output-format", "json", "-o", "rows.csv"],
        &["validate", "rows.csv", "--rows", "new.csv", "-o", "new.csv"],
        &["compare", "a.json", "a.json", "-o", "a.json"],
        &["note", "a.json", "-o", "a.json"],
        &["convert", "config.json", "-o", "config.json"],
        &["profile", "--model", "config.json", "--hardware", "a100_80gb_pcie", "-o", "config.json"],
    ] {
        ends(&simllm(folder.path(), command), 2, "would be overwritten\nhelp: name another file");
    }
    for (name, bytes) in kept {
        assert_eq!(before(name), bytes, "{name}");
    }
}

#[test]
fn a_reader_that_goes_away_is_no_panic() {
    let folder = folder(&[("empty.json", "")]);
    let mut program = Command::new(env!("CARGO_BIN_EXE_simllm"));
    program.args(["compare", "empty.json", "empty.json"]).current_dir(folder.path());
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let status = program.stdout(Stdio::null()).stderr(writer).status().expect("the program starts");
    assert_eq!(status.code(), Some(3));
}

#[test]
fn names_of_strangers_give_a_terminal_no_commands() {
    let folder = folder(&[]);
    let profile = ["profile", "--model", "llama-3-8b", "--hardware", "a100_80gb_pcie", "--output-format", "json"];
    ends(&simllm(folder.path(), &[&profile[..], &["-o", "a.json"]].concat()), 0, "");
    let text = fs::read_to_string(folder.path().join("a.json")).expect("there");
    let evil = text.replace("\"model\": \"llama-3-8b\"", "\"model\": \"llama\\u001b[31m\\nx\"");
    assert_ne!(evil, text);
    fs::write(folder.path().join("b.json"), evil).expect("written");
    let run = simllm(folder.path(), &["compare", "a.json", "b.json"]);
    ends(&run, 0, "");
    assert!(!run.stdout.contains(&0x1b) && String::from_utf8_lossy(&run.stdout).contains("llama\\u{1b}[31m x"));
}

#[test]
fn a_note_has_a_day_of_the_calendar() {
    let folder = folder(&[]);
    for day in ["2026-13-45", "2026-02-30", "today", "2026-1-1", "\"; evil: x"] {
        ends(&simllm(folder.path(), &["note", "a.json", "--date", day]), 2, "is no day: write YYYY-MM-DD");
    }
}
