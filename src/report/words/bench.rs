//! Commands that show a cause on the machine: the engine's own benchmark under a profiler.

use crate::diagnose::Cause;
use crate::machine::KernelFamily;
use crate::quantity::{KvDtype, WeightDtype};
use crate::report::Report;
use crate::report::figures;
use crate::simulate::PhaseKind;

/// A command as units that stay together in a line: `--batch-size 1`.
#[derive(Clone, Debug)]
pub(in crate::report) struct Command(Vec<String>);

/// Width of a line on a page.
const WIDTH: usize = 38;

impl Command {
    fn of<'a>(units: impl IntoIterator<Item = &'a str>) -> Self {
        Self(units.into_iter().map(str::to_owned).collect())
    }

    fn with(mut self, units: impl IntoIterator<Item = String>) -> Self {
        self.0.extend(units);
        self
    }

    /// In one line.
    pub(in crate::report) fn in_one_line(&self) -> String {
        self.0.join(" ")
    }

    /// Continued over lines of a readable width.
    pub(in crate::report) fn in_lines(&self) -> String {
        let mut lines: Vec<String> = Vec::new();
        for unit in &self.0 {
            match lines.last_mut() {
                Some(line) if line.chars().count() + 1 + unit.chars().count() <= WIDTH => {
                    line.push(' ');
                    line.push_str(unit);
                }
                Some(_) => lines.push(format!("  {unit}")),
                None => lines.push(unit.clone()),
            }
        }
        lines.join(" \\\n")
    }
}

/// Quotes a word for a shell, where it needs it.
pub(in crate::report) fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._/@:+-=,".contains(c);
    if !word.is_empty() && word.chars().all(plain) && !word.starts_with('-') {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// The commands that confirm a cause, told in a phase.
pub(in crate::report) fn commands(report: &Report, cause: Cause, phase: PhaseKind) -> Vec<Command> {
    let name = match cause {
        Cause::LinearLayers | Cause::Hardware => "linear",
        Cause::KvTraffic => "attention",
        Cause::HostOverhead | Cause::LaunchGaps => "gaps",
        Cause::EmbeddingTransfer | Cause::EmbeddingPass => "input",
        Cause::Collectives => "collectives",
        Cause::Sampling => "sampling",
    };
    let bench = bench(report, phase);
    let mut out: Vec<Command> = bench.prepare.into_iter().collect();
    let traces = if matches!(cause, Cause::HostOverhead | Cause::LaunchGaps) { "cuda,nvtx,osrt" } else { "cuda,nvtx" };
    let profile = ["nsys profile", &format!("-t {traces}"), "--trace-fork-before-exec=true", "--cuda-graph-trace=node"];
    let profile = Command::of(profile).with([format!("-o {name}")]).with(bench.run.clone());
    let stats = |reports: &str| Command::of(["nsys stats", &format!("-r {reports}"), &format!("{name}.nsys-rep")]);
    let kernels = |pattern: &str| stats("cuda_gpu_kern_sum").with([format!("| grep -iE '{pattern}'")]);
    let watch = |fields: &str| Command::of([format!("dcgmi dmon -e {fields} -d 100").as_str()]);
    out.extend(match cause {
        Cause::LinearLayers | Cause::Hardware => vec![profile, kernels(linear_pattern(report)), watch("1004,1005")],
        Cause::KvTraffic => vec![counters(report).with(bench.run), watch("1005")],
        Cause::HostOverhead => vec![profile, stats("nvtx_sum,cuda_api_sum")],
        Cause::LaunchGaps => vec![profile, stats("cuda_api_sum,cuda_gpu_kern_sum")],
        Cause::EmbeddingTransfer => vec![profile, stats("cuda_gpu_mem_time_sum"), watch("1009,1010")],
        Cause::EmbeddingPass => vec![profile, kernels("index|embedding|gather|rms_?norm")],
        Cause::Collectives => vec![profile, kernels("all_?reduce|cross_device_reduce"), watch(link_fields(report))],
        Cause::Sampling => vec![profile, kernels("sort|softmax|sampl|top_?k|scan")],
    });
    out
}

/// Hardware counters of the decode attention kernel. Each layer launches it once a step; skipping two rounds of layers
/// passes the prefill and the first decode step.
fn counters(report: &Report) -> Command {
    let pattern = format!("-k regex:'{}'", attention_pattern(report.scenario.kernel_family()));
    let skip = format!("--launch-skip {}", report.scenario.model.layers() * 2);
    Command::of(["ncu --set full", "--graph-profiling node", "--kernel-name-base demangled", &pattern, &skip, "-c 4"])
}

/// Bytes sent and received over NVLink, or over PCIe.
fn link_fields(report: &Report) -> &'static str {
    match figures::link(&report.scenario.machine) {
        Some((name, _)) if name != "PCIe" => "1011,1012",
        _ => "1009,1010",
    }
}

fn linear_pattern(report: &Report) -> &'static str {
    let model = &report.scenario.model;
    if report.scenario.machine.linear_format(model.weights.into(), model.fp8_block_scales).is_weight_only() {
        "marlin|machete|gemm|gemv"
    } else {
        "gemm|gemv|nvjet|splitk"
    }
}

const fn attention_pattern(family: KernelFamily) -> &'static str {
    match family {
        KernelFamily::Vllm => "flash_fwd|FlashAttnFwd",
        KernelFamily::Sglang => "BatchDecode|FlashAttnFwd",
        KernelFamily::Trtllm => "masked_multihead|kernel_mha|fmha",
    }
}

struct Bench {
    prepare: Option<Command>,
    run: Vec<String>,
}

/// The engine's benchmark on this workload; for a cause in prefill it stops at the first token.
fn bench(report: &Report, phase: PhaseKind) -> Bench {
    let (deployment, workload) = (&report.scenario.deployment, &report.scenario.workload);
    let model = quoted(checkpoint(report));
    let (batch, input) = (workload.batch_size, workload.prompt_len);
    let output = if phase == PhaseKind::Prefill { 1 } else { workload.gen_len };
    let units = |units: &[String]| units.to_vec();
    let run = match deployment.engine.id.as_str() {
        "vllm@v1" | "ideal" => vllm("vllm bench latency", report, &model, output),
        "vllm@old" => vllm("python benchmarks/benchmark_latency.py", report, &model, output),
        "sglang" => sglang(report, &model, output),
        "trtllm@v1" => units(&[
            "trtllm-bench".to_owned(),
            format!("--model {model}"),
            "throughput --dataset requests.jsonl".to_owned(),
            format!("--concurrency {batch}"),
            format!("--tp {}", deployment.tensor_parallel),
        ]),
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

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn hostile_words_are_quoted_and_plain_ones_are_not() {
        assert_eq!(quoted("meta-llama/Meta-Llama-3-8B"), "meta-llama/Meta-Llama-3-8B");
        assert_eq!(quoted("a b"), "'a b'");
        assert_eq!(quoted("$(rm -rf ~)"), "'$(rm -rf ~)'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted("--help"), "'--help'");
        assert_eq!(quoted(""), "''");
        assert_eq!(quoted("Jalapeño"), "'Jalapeño'");
    }
}
