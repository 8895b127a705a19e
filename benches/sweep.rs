//! Full points per second of a declared matrix on all cores, and how the cost of a point behaves as the matrix grows.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use simllm::catalog;
use simllm::diagnose::Budgets;
use simllm::spec::{DeclaredSpec, Document};
use simllm::sweep::{Library, Matrix, Runner, Summary, SweepError};

/// A matrix of `batches` × 100 points.
fn declared(batches: usize) -> DeclaredSpec {
    let list = |values: Vec<usize>| values.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
    let text = "matrix:\n  model: [llama-3-8b, qwen3-8b]\n  hardware: [a100_80gb_pcie, h100_80gb_sxm]\n".to_owned()
        + "  kv_dtype: [bf16, fp8, int8, int4]\n"
        + &format!("  prompt_len: [{}]\n", list((1..=5).map(|i| i * 128).collect()))
        + "  tensor_parallel: [1]\n  gen_len: [128]\n"
        + &format!("  batch_size: [{}]\n", list((1..=batches).collect()));
    let document = Document::parse("bench.yaml", &text).expect("YAML");
    DeclaredSpec::read(&document).expect("a declared report")
}

fn library() -> Library {
    let mut library = Library::default();
    for name in ["llama-3-8b", "qwen3-8b"] {
        let (id, text) = catalog::model_text(name).expect("built in");
        library.models.insert(name.to_owned(), Document::parse(id, text).expect("valid"));
    }
    for name in ["a100_80gb_pcie", "h100_80gb_sxm"] {
        let (id, text) = catalog::hardware_text(name).expect("built in");
        library.machines.insert(name.to_owned(), Document::parse(id, text).expect("valid"));
    }
    library
}

fn sweep(c: &mut Criterion) {
    let library = library();
    let mut group = c.benchmark_group("sweep");
    group.sample_size(10);
    for batches in [2, 125, 1250] {
        let spec = declared(batches);
        let matrix = Matrix::new(&spec, 10_000_000).expect("a matrix");
        group.throughput(Throughput::Elements(matrix.upper_bound()));
        group.bench_with_input(BenchmarkId::from_parameter(matrix.upper_bound()), &matrix, |b, matrix| {
            b.iter(|| {
                let mut summary = Summary::new(Budgets::default());
                let mut runner = Runner::new(matrix, &spec.settings, Budgets::default(), &library);
                let all = runner.run(
                    |_| true,
                    |points| {
                        points.into_iter().for_each(|point| summary.add(point));
                        Ok::<(), SweepError>(())
                    },
                );
                all.expect("runs");
                black_box(summary.ran)
            });
        });
    }
    group.finish();
}

criterion_group!(benches, sweep);
criterion_main!(benches);
