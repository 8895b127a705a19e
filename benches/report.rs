//! Rendering: from a gathered report to its artifacts.

use criterion::{Criterion, criterion_group, criterion_main};
use simllm::diagnose::Budgets;
use simllm::emit::FORMATS;
use simllm::report::text::Lang;
use simllm::report::{Report, ReportOrigin};
use simllm::scenario::{InputDocuments, resolve};
use std::hint::black_box;

fn report() -> Report {
    let mut documents = InputDocuments::from_catalogue("llama-3-8b", "a100_80gb_pcie").expect("built in");
    documents.set("prompt_len", "2048", "prompt_len").expect("a length");
    let resolved = resolve(&documents.read().expect("good inputs")).expect("a scenario");
    let budgets = "ttft_ms=200".parse::<Budgets>().expect("a target");
    Report::new(resolved, budgets, ReportOrigin::default())
}

fn render(c: &mut Criterion) {
    let report = report();
    for format in FORMATS {
        let size = (format.render)(&report, Lang::En).len();
        c.bench_function(&format!("render {} ({size} bytes)", format.name), |b| {
            b.iter(|| (format.render)(black_box(&report), Lang::En));
        });
    }
    c.bench_function("gather: simulate, diagnose, curves, checks", |b| {
        b.iter(self::report);
    });
}

criterion_group!(benches, render);
criterion_main!(benches);
