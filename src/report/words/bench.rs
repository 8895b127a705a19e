//! An engine's own benchmark of one scenario.

use super::command::Command;
use crate::quantity::{KvDtype, WeightDtype};
use crate::report::Report;
use crate::report::shell::quoted;
use crate::simulate::PhaseKind;

/// A benchmark: what it needs first, and the run to profile.
pub(super) struct Bench {
    pub(super) prepare: Option<Command>,
    pub(super) run: Vec<String>,
}

/// The engine's benchmark on this workload; for a cause in prefill it stops at the first token.
pub(super) fn bench(report: &Report, phase: PhaseKind) -> Bench {
    let (deployment, workload) = (&report.scenario.deployment, &report.scenario.workload);
    let model = quoted(checkpoint(report));
    let (batch, input) = (workload.batch_size, workload.prompt_len);
    let output = if phase == PhaseKind::Prefill { 1 } else { workload.gen_len };
    let units = |units: &[String]| units.to_vec();
    let run = match deployment.engine.id.as_str() {
        "vllm@v1" | "vllm@v1-rocm" | "ideal" => vllm("vllm bench latency", report, &model, output),
        "vllm@old" | "vllm@old-rocm" | "vllm@old-xpu" => {
            vllm("python benchmarks/benchmark_latency.py", report, &model, output)
        }
        "sglang" => sglang(report, &model, output),
        "trtllm@v1" => units(&[
            "trtllm-bench".to_owned(),
            format!("--model {model}"),
            "throughput --dataset requests.jsonl".to_owned(),
            format!("--concurrency {batch}"),
            format!("--tp {}", deployment.tensor_parallel),
        ]),
        id if id.starts_with("llama.cpp") => llama_cpp(report, output),
        _ => units(&[
            "./your-benchmark".to_owned(),
            format!("--model {model}"),
            format!("--batch {batch}"),
            format!("--input {input}"),
            format!("--output {output}"),
        ]),
    };
    let requests = Command::of(["trtllm-bench"]).with([
        format!("--model {model}"),
        "prepare-dataset --output requests.jsonl".to_owned(),
        "token-norm-dist".to_owned(),
        format!("--num-requests {}", batch * 4),
        format!("--input-mean {input}"),
        "--input-stdev 0".to_owned(),
        format!("--output-mean {output}"),
        "--output-stdev 0".to_owned(),
    ]);
    Bench { prepare: (deployment.engine.id == "trtllm@v1").then_some(requests), run }
}

/// What an engine loads: the first alias that names a repository, or the model's name.
fn checkpoint(report: &Report) -> &str {
    let repository = report.profile.aliases.iter().find(|alias| alias.contains('/'));
    repository.map_or(report.scenario.model.name.as_str(), String::as_str)
}

/// How an engine spells the options that a benchmark needs.
struct Spelling {
    model: &'static str,
    ranks: &'static str,
    kv_fp8: &'static str,
    eager: &'static str,
}

fn common(tool: &str, spelling: &Spelling, report: &Report, model: &str, output: u64) -> Vec<String> {
    let (scenario, workload) = (&report.scenario, &report.scenario.workload);
    let mut run = vec![
        tool.to_owned(),
        format!("{} {model}", spelling.model),
        format!("--batch-size {}", workload.batch_size),
        format!("--input-len {}", workload.prompt_len),
        format!("--output-len {output}"),
    ];
    let ranks = scenario.deployment.tensor_parallel;
    let options = [
        (ranks > 1, format!("{} {ranks}", spelling.ranks)),
        (scenario.model.weights == WeightDtype::Fp8, "--quantization fp8".to_owned()),
        (scenario.model.kv == KvDtype::Fp8, format!("--kv-cache-dtype {}", spelling.kv_fp8)),
        (!scenario.switches.cuda_graphs, spelling.eager.to_owned()),
    ];
    run.extend(options.into_iter().filter_map(|(wanted, option)| wanted.then_some(option)));
    run
}

fn vllm(tool: &str, report: &Report, model: &str, output: u64) -> Vec<String> {
    let spelling =
        Spelling { model: "--model", ranks: "--tensor-parallel-size", kv_fp8: "fp8", eager: "--enforce-eager" };
    let mut run = common(tool, &spelling, report, model, output);
    run.extend(["--num-iters-warmup 5".to_owned(), "--num-iters 1".to_owned()]);
    run
}

fn sglang(report: &Report, model: &str, output: u64) -> Vec<String> {
    let spelling =
        Spelling { model: "--model-path", ranks: "--tp-size", kv_fp8: "fp8_e4m3", eager: "--disable-cuda-graph" };
    common("python -m sglang.bench_one_batch", &spelling, report, model, output)
}

/// The tool for one sequence, and the one for several. Both take a file in its own format.
fn llama_cpp(report: &Report, output: u64) -> Vec<String> {
    let workload = &report.scenario.workload;
    let file = format!("-m {}", quoted(&format!("{}.gguf", report.scenario.model.name)));
    let (batch, input) = (workload.batch_size, workload.prompt_len);
    if batch == 1 {
        return vec!["./llama-bench".to_owned(), file, format!("-p {input}"), format!("-n {output}")];
    }
    let context = batch * (input + output);
    let mut run = vec!["./llama-batched-bench".to_owned(), file, format!("-c {context}"), format!("-npp {input}")];
    run.extend([format!("-ntg {output}"), format!("-npl {batch}")]);
    run
}
