//! One full point (breakdown, kernels, memory) and its diagnosis, on one core.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use simllm::diagnose::{Budgets, diagnose};
use simllm::scenario::{InputDocuments, Scenario, resolve};
use simllm::simulate::simulate;

fn scenario(model: &str, hardware: &str) -> Scenario {
    let documents = InputDocuments::from_catalogue(model, hardware).expect("built in");
    resolve(&documents.read().expect("valid")).expect("consistent").scenario
}

fn point(c: &mut Criterion) {
    let small = scenario("llama-3-8b", "a100_80gb_pcie");
    c.bench_function("point_512_128", |b| b.iter(|| simulate(black_box(&small))));
    let run = simulate(&small).run().expect("fits").clone();
    c.bench_function("diagnosis", |b| b.iter(|| diagnose(black_box(&small), &run, &Budgets::default())));
    let mut long = small.clone();
    long.workload.gen_len = 4096;
    c.bench_function("point_512_4096", |b| b.iter(|| simulate(black_box(&long))));
}

criterion_group!(benches, point);
criterion_main!(benches);
