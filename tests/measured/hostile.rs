//! Nothing that a file holds may panic, hang or eat memory.

use std::path::Path;
use std::time::{Duration, Instant};

use proptest::prelude::*;
use simllm::import::measured::{Status, read};

use crate::samples;

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_bytes(bytes in prop::collection::vec(any::<u8>(), 0..2000)) {
        check(&bytes);
    }

    #[test]
    fn random_words(words in prop::collection::vec(prop::sample::select(WORDS.to_vec()), 0..60)) {
        check(words.concat().as_bytes());
    }

    #[test]
    fn cut_samples(index in any::<prop::sample::Index>(), cut in any::<prop::sample::Index>()) {
        let files = files();
        let bytes = &files[index.index(files.len())];
        check(&bytes[..cut.index(bytes.len() + 1)]);
    }

    #[test]
    fn mutated_samples(
        index in any::<prop::sample::Index>(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..12),
    ) {
        let files = files();
        let mut bytes = files[index.index(files.len())].clone();
        for (at, value) in changes {
            let at = at.index(bytes.len());
            bytes[at] = value;
        }
        check(&bytes);
    }

    #[test]
    fn samples_with_other_numbers(
        index in any::<prop::sample::Index>(),
        number in prop::sample::select(vec!["-1", "0", "1e308", "-1e308", "NaN", "null", "\"x\"", "1e400", "[]", "{}"]),
        step in 1_usize..20,
    ) {
        let files = files();
        let text = String::from_utf8_lossy(&files[index.index(files.len())]).into_owned();
        check(with_numbers(&text, number, step).as_bytes());
    }
}

/// Reads bytes; whatever they are, what comes out makes sense.
fn check(bytes: &[u8]) {
    let reading = read("x", bytes);
    assert!(reading.status < Status::Refuse || !reading.messages.is_empty());
    assert!(reading.messages.len() <= 25 && reading.messages.iter().all(|message| message.len() < 4000));
    for run in &reading.runs {
        for spread in [run.ttft_ms, run.tpot_ms, run.itl_ms, run.e2e_ms] {
            let values = [spread.mean, spread.p50, spread.p90, spread.p99];
            let usable = reading.status < Status::Refuse;
            assert!(values.into_iter().flatten().all(|ms| ms.is_finite() && (ms > 0.0 || !usable)), "{spread:?}");
        }
    }
    serde_json::to_string(&reading).expect("a reading serialises");
}

/// Pieces of the formats, to be put together at random.
const WORDS: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "\n",
    " ",
    "\\u",
    "NaN",
    "-",
    "1",
    "e9",
    "|",
    ";",
    "\t",
    "\u{1b}[",
    "\r",
    "Metric",
    "avg",
    "p99",
    "\"model_id\"",
    "\"completed\"",
    "\"total_output_tokens\"",
    "\"output_throughput\"",
    "\"benchmarks\"",
    "\"metrics\"",
    "\"experiments\"",
    "\"requests\"",
    "[BENCHMARK] ",
    "batch_size",
    "num_samples",
    "INSERT INTO",
    "n_prompt",
    "avg_ns",
    "(",
    ")",
    "'",
    "VALUES",
    "vllm:",
    "model_name=",
    "_count",
    "_bucket{le=\"",
    "+Inf\"} ",
    "MLPerf Results Summary",
    "Scenario : ",
    "Serving Benchmark Result",
    "Successful requests:",
    "| Step | Batch Size | Average | p50 | p90 | p99 |",
    "DCGM_FI_X{gpu=\"",
    "ID,Kernel Name\n",
    "é",
    "±",
    "\u{0}",
];

/// A run on which there is something to say.
const UNCAPPED: &str =
    r#"{"model_id": "m", "completed": 1, "total_output_tokens": 9, "output_throughput": 1, "request_rate": "inf"}"#;

fn with_numbers(text: &str, number: &str, step: usize) -> String {
    let mut out = String::new();
    let mut rest = text;
    let mut seen = 0;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let length = rest[start..].find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(rest.len() - start);
        seen += 1;
        out.push_str(&rest[..start]);
        out.push_str(if seen % step == 0 { number } else { &rest[start..start + length] });
        rest = &rest[start + length..];
    }
    out + rest
}

fn files() -> &'static Vec<Vec<u8>> {
    static FILES: std::sync::OnceLock<Vec<Vec<u8>>> = std::sync::OnceLock::new();
    FILES.get_or_init(|| {
        let root = samples();
        ["samples", "broken"].iter().flat_map(|folder| contents(&root.join(folder))).collect()
    })
}

fn contents(folder: &Path) -> Vec<Vec<u8>> {
    let mut paths: Vec<_> = std::fs::read_dir(folder).expect("samples").flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths.iter().map(|path| std::fs::read(path).expect("a sample")).filter(|bytes| !bytes.is_empty()).collect()
}

/// Large and twisted files are read or refused in bounded time.
#[test]
fn size_and_depth_are_bounded() {
    let mega = 1 << 18;
    let cases = [
        "[".repeat(4 * mega),
        "{\"a\":".repeat(mega),
        "[\n".repeat(mega),
        "{}\n".repeat(mega),
        "{\"a\":[\n".repeat(mega / 2),
        "[[],".repeat(mega),
        "\"".repeat(4 * mega),
        "a,b\n".repeat(mega),
        "|".repeat(4 * mega),
        "[BENCHMARK] batch_size\n".repeat(mega / 16),
        "vllm:x_count{model_name=\"m\"} 1\n".repeat(mega / 16),
        "Serving Benchmark Result Successful requests:\n".repeat(mega / 64),
        format!("{UNCAPPED}\n").repeat(mega / 64),
        format!("{{\"model_id\": \"{}\"", "\\u0041".repeat(mega)),
        format!("[{}1]", "1,".repeat(4 * mega)),
        format!("Metric,avg,p99\n{}", "\"x".repeat(mega)),
    ];
    for text in cases {
        let start = Instant::now();
        check(text.as_bytes());
        let took = start.elapsed();
        println!("{:20} {:5.1} MB {took:?}", text[..20].escape_debug().to_string(), text.len() as f64 / 1e6);
        assert!(took < Duration::from_secs(10), "{} took {took:?}", &text[..20]);
    }
    let reading = read("x", &vec![b' '; 65 << 20]);
    assert!(reading.messages[0].contains("at most"));
}
