//! The same inputs give the same bytes, whatever the folder, the time zone, the language of the system or the threads.

use std::fs;
use std::path::Path;
use std::process::Command;

/// Runs the program in a fresh folder under an environment; returns every file it wrote, by name.
fn files(environment: &[(&str, &str)], args: &[&str]) -> Vec<(String, Vec<u8>)> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("profiles/llama-3-8b.yaml");
    fs::copy(model, folder.path().join("model.yaml")).expect("copied");
    let run = Command::new(env!("CARGO_BIN_EXE_simllm"))
        .args(args)
        .current_dir(folder.path())
        .envs(environment.iter().copied())
        .output()
        .expect("the program starts");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let mut files = Vec::new();
    let mut open = vec![folder.path().join("out")];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(&next).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
            } else {
                let name = path.strip_prefix(folder.path()).expect("inside").to_string_lossy().into_owned();
                files.push((name, fs::read(&path).expect("readable")));
            }
        }
    }
    files.sort();
    assert!(!files.is_empty());
    files
}

const HERE: [(&str, &str); 3] = [("TZ", "UTC"), ("LC_ALL", "C"), ("RAYON_NUM_THREADS", "1")];
const THERE: [(&str, &str); 4] =
    [("TZ", "Asia/Shanghai"), ("LC_ALL", "de_DE.UTF-8"), ("RAYON_NUM_THREADS", "7"), ("USER", "somebody")];

#[test]
fn a_report_is_the_same_everywhere() {
    let args = ["profile", "--model", "model.yaml", "--hardware", "h100_80gb_sxm", "--budget", "tpot_ms=20"];
    let args = [&args[..], &["--output-format", "html,json,csv,markdown", "-o", "out/"]].concat();
    let (here, there) = (files(&HERE, &args), files(&THERE, &args));
    assert_eq!(here.len(), 4);
    assert_eq!(here, there);
    let said = String::from_utf8_lossy(&here[1].1);
    assert!(!said.contains("/tmp/") && !said.contains("somebody"), "a report names nothing of its machine");
}

#[test]
fn a_time_of_creation_is_printed_only_where_it_is_given() {
    let args = ["profile", "--model", "model.yaml", "--hardware", "l40s", "-o", "out/"];
    let without = files(&HERE, &args);
    let with = files(&[("SOURCE_DATE_EPOCH", "0")], &args);
    assert!(!String::from_utf8_lossy(&without[0].1).contains("1970-01-01"));
    assert!(String::from_utf8_lossy(&with[0].1).contains("1970-01-01 00:00 UTC"));
}
