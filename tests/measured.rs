//! Result files of benchmark tools, read and compared with figures that an independent extractor computed.
//!
//! The files in `tests/data/measured` are read always. The whole corpus is looked for in
//! `$SIMLLM_SHARED_DATA/bench_results` and beside the repository; without it that test says so and passes.
//! `cargo test --test measured -- --nocapture` prints the score and the time.

use std::path::{Path, PathBuf};
use std::time::Instant;

use serde_json::Value;
use simllm::import::measured::{Reading, load};

#[path = "measured/damage.rs"]
mod damage;
#[path = "measured/forms.rs"]
mod forms;
#[path = "measured/hostile.rs"]
mod hostile;
#[path = "measured/tables.rs"]
mod tables;

fn samples() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/measured")
}

fn shared(part: &str) -> Option<PathBuf> {
    let given = std::env::var_os("SIMLLM_SHARED_DATA").map(PathBuf::from);
    let beside = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..").join("shared").join("data");
    [given, Some(beside)].into_iter().flatten().map(|root| root.join(part)).find(|path| path.exists())
}

/// Relative tolerance of figures, and of figures printed with two decimals.
const EXACT: f64 = 1e-4;

/// Compares what was read with an expected value; every difference is a line.
fn compare(path: &str, expected: &Value, found: &Value, lenient: bool, wrong: &mut Vec<String>) {
    let percentile = path.ends_with(".p50") || path.ends_with(".p90") || path.ends_with(".p99");
    match (expected, found) {
        (Value::Object(fields), _) => {
            for (key, value) in fields {
                compare(&format!("{path}.{key}"), value, found.get(key).unwrap_or(&Value::Null), lenient, wrong);
            }
        }
        (Value::Number(a), Value::Number(b)) => {
            let (a, b) = (a.as_f64().expect("a float"), b.as_f64().expect("a float"));
            if (a - b).abs() > EXACT * a.abs() && !(lenient && percentile) {
                wrong.push(format!("{path}: {b}, expected {a}"));
            }
        }
        (_, Value::Null) if lenient && percentile => {}
        (Value::Array(_), Value::Array(_)) if path.ends_with(".missing") => {
            if expected != found {
                wrong.push(format!("{path}: {found}, expected {expected}"));
            }
        }
        _ if expected == found => {}
        _ => wrong.push(format!("{path}: {found}, expected {expected}")),
    }
}

/// Differences between a reading and its entry.
fn differences(entry: &Value, reading: &Reading) -> Vec<String> {
    let found = serde_json::to_value(reading).expect("a reading serialises");
    let mut wrong = Vec::new();
    if entry["status"] != found["status"] {
        wrong.push(format!("status {}, expected {}; {:?}", found["status"], entry["status"], reading.messages));
    }
    let (expected, runs) = (entry["runs"].as_array().expect("a list"), found["runs"].as_array().expect("a list"));
    if expected.len() != runs.len() {
        wrong.push(format!("{} runs, expected {}", runs.len(), expected.len()));
    }
    let lenient = entry.get("percentile_tolerance").is_some();
    for (index, (expected, run)) in expected.iter().zip(runs).enumerate() {
        compare(&format!("runs.{index}"), expected, run, lenient, &mut wrong);
    }
    let said = reading.messages.join("\n").to_lowercase();
    for phrase in entry["must_mention"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        if !conveys(&said, &phrase.to_lowercase()) {
            wrong.push(format!("does not mention `{phrase}`: {said}"));
        }
    }
    wrong
}

/// Whether a message says a phrase word for word.
fn conveys(said: &str, phrase: &str) -> bool {
    let position = |said: &str| said.contains("(line ") && said.contains("byte ");
    said.contains(phrase) || (phrase == "line or byte position" && position(said))
}

/// Reads every file of a corpus and says what differs.
fn score(root: &Path) -> (usize, Vec<String>) {
    let text = std::fs::read_to_string(root.join("expected.json")).expect("expected.json");
    let expected: Value = serde_json::from_str(&text).expect("JSON");
    let files = expected["files"].as_object().expect("files");
    let mut report = Vec::new();
    for (name, entry) in files {
        let reading = load(&root.join(name)).expect("a file of the corpus");
        let wrong = differences(entry, &reading);
        report.extend((!wrong.is_empty()).then(|| format!("{name}\n  {}", wrong.join("\n  "))));
    }
    (files.len(), report)
}

#[test]
fn the_samples_are_met() {
    let (_, report) = score(&samples());
    assert!(report.is_empty(), "{}", report.join("\n"));
}

#[test]
fn the_whole_corpus_is_met() {
    let Some(root) = shared("bench_results") else {
        eprintln!("skipped: no corpus beside the repository");
        return;
    };
    let start = Instant::now();
    let (count, report) = score(&root);
    println!("{} of {count} files met in {:.0} ms", count - report.len(), start.elapsed().as_secs_f64() * 1e3);
    assert!(report.is_empty(), "{}", report.join("\n"));
}
