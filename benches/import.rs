//! Imports per second over the corpus of real configurations, their own check that the profile reads back included.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use simllm::import::import_config;
use std::hint::black_box;

/// A configuration: name, text, and the text of the quantisation file beside it.
type Config = (String, String, Option<String>);

fn corpus() -> Vec<Config> {
    let lines = include_str!("../tests/data/models/configs.jsonl").lines();
    let parsed = lines.map(|line| serde_json::from_str::<serde_json::Value>(line).expect("a line of JSON"));
    let text = |value: &serde_json::Value| serde_json::to_string_pretty(value).expect("JSON");
    let name = |line: &serde_json::Value| line["file"].as_str().unwrap_or("config.json").to_owned();
    parsed.map(|line| (name(&line), text(&line["config"]), line.get("quantisation").map(text))).collect()
}

fn import(c: &mut Criterion) {
    let corpus = corpus();
    let mut group = c.benchmark_group("import");
    group.throughput(Throughput::Elements(corpus.len() as u64));
    group.bench_function("corpus", |b| {
        b.iter(|| {
            for (name, text, beside) in &corpus {
                let companion = beside.as_deref().map(|text| ("hf_quant_config.json", text));
                let _ = black_box(import_config(name, text, companion));
            }
        });
    });
    group.finish();
}

criterion_group!(benches, import);
criterion_main!(benches);
