//! Indexes of any size, made of reports as their JSON files tell them.

use serde_json::{Value, json};
use simllm::diagnose::Metric;
use simllm::report::index::{Build, Change, ChangeKind, Changes, Entry, Gone, Index, Pages, read_entry};
use simllm::report::notes::read_note;

/// A title that wants to be markup.
pub const HOSTILE: &str = "x</script><img src=x onerror=alert(1)>\" onclick=\"alert(2)' {hole}";

const MODELS: [&str; 4] = ["llama-3.1-8b", "qwen2.5-14b", "mistral-nemo-12b", "llama-3-70b"];
const MACHINES: [&str; 3] = ["a100_80gb_pcie", "h100_80gb_sxm", "l40s"];
const FORMATS: [&str; 3] = ["bf16", "int8_w8a8", "int4"];

fn metrics(ttft: f64) -> Value {
    json!({"ttft_ms": ttft, "tpot_ms": ttft / 20.0, "e2e_ms": ttft * 7.0})
}

/// The JSON of one scenario: the further on, the slower.
fn single(i: usize) -> Value {
    let ttft = 60.0 + (i * 37 % 700) as f64;
    json!({
        "schema_version": 1,
        "inputs": {
            "model": MODELS[i % 4], "hardware": MACHINES[i % 3],
            "deployment": {"tensor_parallel": 1 + i % 2, "engine": "vllm@v1"},
            "workload": {"batch_size": 1 + i % 8, "prompt_len": 1024 << (i % 3), "gen_len": 128},
            "switches": {"weights_dtype": FORMATS[i % 3], "kv_dtype": "bf16"},
            "budgets": {"ttft_ms": if i.is_multiple_of(7) { Value::Null } else { json!(400) }, "tpot_ms": null, "e2e_ms": null},
        },
        "feasible": i % 11 != 10,
        "metrics": if i % 11 == 10 { json!({}) } else { metrics(ttft) },
        "bands": {"ttft_ms": {"low": ttft / 1.5, "high": ttft * 1.5}, "tpot_ms": null},
        "memory": {"weights_bytes": 16e9, "kv_cache_bytes": 1e9, "activation_bytes": 1e9, "runtime_bytes": 1e9, "usable_bytes": 7.6e10},
    })
}

/// The JSON of a declared report.
fn sweep(i: usize, title: &str) -> Value {
    let ttft = 60.0 + (i * 37 % 700) as f64;
    json!({
        "schema_version": 1, "kind": "sweep", "title": title,
        "inputs": {
            "axes": [
                {"path": "model", "values": [MODELS[i % 4]]}, {"path": "hardware", "values": MACHINES},
                {"path": "batch_size", "values": [1, 4, 16]}, {"path": "gen_len", "values": [128]},
            ],
            "budgets": {"ttft_ms": 500, "tpot_ms": null, "e2e_ms": null},
        },
        "points": [],
        "summary": {
            "total": 126, "ran": 120, "missed": 14, "does_not_fit": 5, "invalid": 1,
            "status": if ttft > 500.0 { "not_ready" } else { "ready" },
            "headline": {
                "of": "focus", "inputs": {"model": MODELS[i % 4], "hardware": MACHINES[0], "batch_size": 4, "gen_len": 128},
                "metrics": metrics(ttft), "memory": {"needed_bytes": 1.9e10, "usable_bytes": 7.6e10},
            },
            "focus_page": format!("r{i}-focus.html"), "best_page": format!("r{i}-best.html"),
        },
    })
}

fn read(stem: &str, value: &Value) -> Entry {
    read_entry(stem, value.to_string().as_bytes()).expect("a good file").expect("a report")
}

/// What changed of every fifth report; the others have nothing to tell.
fn changes(i: usize) -> Changes {
    let mut changes = Changes { compared: 126, appeared: i.is_multiple_of(10) as u64, ..Changes::default() };
    if i % 5 == 1 {
        let (from, to) = if i.is_multiple_of(2) { (200.0, 180.0) } else { (200.0, 223.6) };
        (changes.slower, changes.faster) = if to > from { (2, 0) } else { (0, 1) };
        let kind = ChangeKind::Time { metric: Metric::Ttft, from, to };
        let subject = format!("model {}, hardware h100_80gb_sxm, batch_size 16, gen_len 128", MODELS[i % 4]);
        changes.largest.push(Change { subject, kind });
    }
    changes
}

/// An index of `n` reports after some runs, every third one declared.
pub fn index(n: usize, runs: usize) -> Index {
    let mut entries: Vec<Entry> = (0..n)
        .map(|i| {
            let stem = format!("team-{}/r{i}", i % 7);
            let title = if i == 3 { HOSTILE.to_owned() } else { format!("{}: format and load {i}", MODELS[i % 4]) };
            let mut entry = read(&stem, &if i % 3 == 0 { sweep(i, &title) } else { single(i) });
            let page = |suffix: &str| Some(format!("{stem}{suffix}.html"));
            let declared = i % 3 == 0;
            entry.pages = Pages {
                report: page(""),
                focus: page("-focus").filter(|_| declared),
                best: page("-best").filter(|_| declared),
            };
            entry.changes = (i % 13 != 12).then(|| changes(i));
            entry.appeared = i % 13 == 12;
            let last = entry.point.ttft_ms;
            let build = |run: usize| Build {
                label: format!("main, build {}", 1800 + run),
                ttft_ms: last.map(|ms| if run + 1 == runs { ms } else { ms * 0.9 }),
                tpot_ms: last.map(|ms| ms / 20.0),
            };
            entry.history = (0..runs).map(build).collect();
            entry
        })
        .collect();
    entries.sort_by(|a, b| a.stem.cmp(&b.stem));
    let hostile = format!(
        "---\nsymptom: '{}'\nmodel: \"<b>m</b>\"\ndate: 2026-11-30\n---\n{HOSTILE}\n",
        HOSTILE.replace('\'', "''")
    );
    let plain = "---\ntitle: Slow first token\nsymptom: TTFT doubled\nbottleneck: The table crosses PCIe\nfix: Pin it\nbefore: 249 ms\nafter: 174 ms\nmodel: llama-3-8b\n---\nIt was in pageable memory.\n";
    let note = |stem: &str, text: &str| read_note(stem, "n.md", text).expect("good facts").expect("a note");
    Index {
        label: format!("main, build {}", 1799 + runs),
        baseline: (runs > 1).then(|| format!("main, build {}", 1798 + runs)),
        broken: Vec::new(),
        past_of_broken: Default::default(),
        gone: vec![Gone { stem: "old".to_owned(), title: format!("Old {HOSTILE}") }],
        notes: vec![note("a", &hostile), note("b", plain)],
        entries,
        threshold: 0.02,
        command: "simllm index . --baseline EARLIER".to_owned(),
        created: None,
    }
}
