//! Commands that show a cause on the machine: the engine's own benchmark under a profiler.

use crate::diagnose::Cause;
use crate::machine::KernelFamily;
use crate::quantity::{KvDtype, WeightDtype};
use crate::report::Report;
use crate::report::figures;
use crate::simulate::PhaseKind;

/// A command; its parts are joined by a space, or on a page by a continued line.
#[derive(Clone, Debug)]
pub(in crate::report) struct Command(Vec<String>);

impl Command {
    fn line(text: impl Into<String>) -> Self {
        Self(vec![text.into()])
    }

    /// In one line.
    pub(in crate::report) fn in_one_line(&self) -> String {
        self.0.join(" ")
    }

    /// Continued over several lines.
    pub(in crate::report) fn in_lines(&self) -> String {
        self.0.join(" \\\n  ")
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
    let family = report.scenario.kernel_family();
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
    out.push(Command(vec![
        format!("nsys profile -t {traces} --trace-fork-before-exec=true --cuda-graph-trace=node -o {name}"),
        bench.run.clone(),
    ]));
    let kernels = |pattern: &str| {
        Command(vec![format!("nsys stats -r cuda_gpu_kern_sum {name}.nsys-rep"), format!("| grep -iE '{pattern}'")])
    };
    let watch = |fields: &str| Command::line(format!("dcgmi dmon -e {fields} -d 100"));
    match cause {
        Cause::LinearLayers | Cause::Hardware => out.extend([kernels(linear_pattern(report)), watch("1004,1005")]),
        Cause::KvTraffic => out.extend([
            kernels(attention_pattern(family)),
            Command(vec![
                format!(
                    "ncu --set full --graph-profiling node --kernel-name-base demangled -k regex:'{}' -c 4",
                    attention_pattern(family)
                ),
                bench.run,
            ]),
        ]),
        Cause::HostOverhead => out.push(Command::line(format!("nsys stats -r nvtx_sum,cuda_api_sum {name}.nsys-rep"))),
        Cause::LaunchGaps => {
            out.push(Command::line(format!("nsys stats -r cuda_api_sum,cuda_gpu_kern_sum {name}.nsys-rep")))
        }
        Cause::EmbeddingTransfer => out.extend([
            Command::line(format!("nsys stats -r cuda_gpu_mem_time_sum {name}.nsys-rep")),
            watch("1009,1010"),
        ]),
        Cause::EmbeddingPass => out.push(kernels("index|embedding|gather|rms_?norm")),
        Cause::Collectives => out.extend([kernels("all_?reduce|cross_device_reduce"), watch(link_fields(report))]),
        Cause::Sampling => out.push(kernels("sort|softmax|sampl|top_?k|scan")),
    }
    out
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
        KernelFamily::Vllm => "flash_fwd|FlashAttnFwd|paged_attention",
        KernelFamily::Sglang => "BatchDecode|BatchPrefill|PrefillWithKV|flash_fwd|FlashAttnFwd",
        KernelFamily::Trtllm => "fmha|masked_multihead|kernel_mha",
    }
}

struct Bench {
    prepare: Option<Command>,
    run: String,
}

/// The engine's benchmark on this workload; for a cause in prefill it stops at the first token.
fn bench(report: &Report, phase: PhaseKind) -> Bench {
    let (deployment, workload) = (&report.scenario.deployment, &report.scenario.workload);
    let model = quoted(checkpoint(report));
    let (batch, input) = (workload.batch_size, workload.prompt_len);
    let output = if phase == PhaseKind::Prefill { 1 } else { workload.gen_len };
    let plain = |run: String| Bench { prepare: None, run };
    match deployment.engine.id.as_str() {
        "vllm@v1" | "ideal" => plain(vllm("vllm bench latency", report, &model, output)),
        "vllm@old" => plain(vllm("python benchmarks/benchmark_latency.py", report, &model, output)),
        "sglang" => plain(sglang(report, &model, output)),
        "trtllm@v1" => Bench {
            prepare: Some(Command(vec![
                format!("trtllm-bench --model {model} prepare-dataset --output requests.jsonl token-norm-dist"),
                format!(
                    "--num-requests {} --input-mean {input} --input-stdev 0 --output-mean {output} --output-stdev 0",
                    batch * 4
                ),
            ])),
            run: format!(
                "trtllm-bench --model {model} throughput --dataset requests.jsonl --concurrency {batch} --tp {}",
                deployment.tensor_parallel
            ),
        },
        _ => plain(format!("./your-benchmark --model {model} --batch {batch} --input {input} --output {output}")),
    }
}

/// What an engine loads: the first alias that names a repository, or the model's name.
fn checkpoint(report: &Report) -> &str {
    let repository = report.profile.aliases.iter().find(|alias| alias.contains('/'));
    repository.map_or(report.scenario.model.name.as_str(), String::as_str)
}

fn vllm(tool: &str, report: &Report, model: &str, output: u64) -> String {
    let scenario = &report.scenario;
    let workload = &scenario.workload;
    let mut run = format!(
        "{tool} --model {model} --batch-size {} --input-len {} --output-len {output}",
        workload.batch_size, workload.prompt_len
    );
    if scenario.deployment.tensor_parallel > 1 {
        run.push_str(&format!(" --tensor-parallel-size {}", scenario.deployment.tensor_parallel));
    }
    if scenario.model.weights == WeightDtype::Fp8 {
        run.push_str(" --quantization fp8");
    }
    if scenario.model.kv == KvDtype::Fp8 {
        run.push_str(" --kv-cache-dtype fp8");
    }
    if !scenario.switches.cuda_graphs {
        run.push_str(" --enforce-eager");
    }
    run + " --num-iters-warmup 5 --num-iters 1"
}

fn sglang(report: &Report, model: &str, output: u64) -> String {
    let scenario = &report.scenario;
    let workload = &scenario.workload;
    let mut run = format!(
        "python -m sglang.bench_one_batch --model-path {model} --batch-size {} --input-len {} --output-len {output}",
        workload.batch_size, workload.prompt_len
    );
    if scenario.deployment.tensor_parallel > 1 {
        run.push_str(&format!(" --tp-size {}", scenario.deployment.tensor_parallel));
    }
    if scenario.model.weights == WeightDtype::Fp8 {
        run.push_str(" --quantization fp8");
    }
    if scenario.model.kv == KvDtype::Fp8 {
        run.push_str(" --kv-cache-dtype fp8_e4m3");
    }
    if !scenario.switches.cuda_graphs {
        run.push_str(" --disable-cuda-graph");
    }
    run
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
