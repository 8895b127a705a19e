//! Commands that show a cause on the machine: the engine's own benchmark under the maker's profiler.

use super::bench::{Bench, bench};
use super::command::Command;
use crate::diagnose::Cause;
use crate::machine::{KernelFamily, Maker};
use crate::report::{Report, figures};
use crate::simulate::PhaseKind;

/// The commands that confirm a cause, told in a phase. Where no profiler is known, the benchmark alone.
pub(in crate::report) fn commands(report: &Report, cause: Cause, phase: PhaseKind) -> Vec<Command> {
    let Bench { prepare, run } = bench(report, phase);
    let profile = match report.scenario.machine.maker() {
        Maker::Nvidia => nvidia(report, cause, run),
        Maker::Amd => amd(cause, run),
        Maker::Apple => vec![metal(cause, run)],
        Maker::Other => vec![Command::of([]).with(run)],
    };
    prepare.into_iter().chain(profile).collect()
}

/// The name of what is recorded.
const fn name(cause: Cause) -> &'static str {
    match cause {
        Cause::LinearLayers | Cause::Hardware => "linear",
        Cause::KvTraffic => "attention",
        Cause::HostOverhead | Cause::LaunchGaps => "gaps",
        Cause::EmbeddingTransfer | Cause::EmbeddingPass => "input",
        Cause::Collectives => "collectives",
        Cause::Sampling => "sampling",
    }
}

fn nvidia(report: &Report, cause: Cause, run: Vec<String>) -> Vec<Command> {
    let name = name(cause);
    let traces = if matches!(cause, Cause::HostOverhead | Cause::LaunchGaps) { "cuda,nvtx,osrt" } else { "cuda,nvtx" };
    let profile = ["nsys profile", &format!("-t {traces}"), "--trace-fork-before-exec=true", "--cuda-graph-trace=node"];
    let profile = Command::of(profile).with([format!("-o {name}")]).with(run.clone());
    let stats = |reports: &str| Command::of(["nsys stats", &format!("-r {reports}"), &format!("{name}.nsys-rep")]);
    let kernels = |pattern: &str| stats("cuda_gpu_kern_sum").with([format!("| grep -iE '{pattern}'")]);
    let watch = |fields: &str| Command::of([format!("dcgmi dmon -e {fields} -d 100").as_str()]);
    match cause {
        Cause::LinearLayers | Cause::Hardware => vec![profile, kernels(linear_pattern(report)), watch("1004,1005")],
        Cause::KvTraffic => vec![counters(report).with(run), watch("1005")],
        Cause::HostOverhead => vec![profile, stats("nvtx_sum,cuda_api_sum")],
        Cause::LaunchGaps => vec![profile, stats("cuda_api_sum,cuda_gpu_kern_sum")],
        Cause::EmbeddingTransfer => vec![profile, stats("cuda_gpu_mem_time_sum"), watch("1009,1010")],
        Cause::EmbeddingPass => vec![profile, kernels("index|embedding|gather|rms_?norm")],
        Cause::Collectives => vec![profile, kernels("all_?reduce|cross_device_reduce"), watch(link_fields(report))],
        Cause::Sampling => vec![profile, kernels("sort|softmax|sampl|top_?k|scan")],
    }
}

/// Hardware counters of the decode attention kernel. Each layer launches it once a step; skipping two rounds of layers
/// passes the prefill and the first decode step.
fn counters(report: &Report) -> Command {
    let pattern = format!("-k regex:'{}'", attention_pattern(report));
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
    if report.scenario.deployment.engine.local.is_some() {
        "mul_mat|gemm|gemv"
    } else if report.scenario.machine.linear_format(model.weights.into(), model.fp8_block_scales).is_weight_only() {
        "marlin|machete|gemm|gemv"
    } else {
        "gemm|gemv|nvjet|splitk"
    }
}

fn attention_pattern(report: &Report) -> &'static str {
    match report.scenario.kernel_family() {
        _ if report.scenario.deployment.engine.local.is_some() => "flash_attn",
        KernelFamily::Vllm => "flash_fwd|FlashAttnFwd",
        KernelFamily::Sglang => "BatchDecode|FlashAttnFwd",
        KernelFamily::Trtllm => "masked_multihead|kernel_mha|fmha",
    }
}

/// Traces with statistics, one file a process; a timeline where the gaps matter.
fn amd(cause: Cause, run: Vec<String>) -> Vec<Command> {
    let name = name(cause);
    let (traces, format) = match cause {
        Cause::HostOverhead | Cause::LaunchGaps => ("--sys-trace", "pftrace"),
        Cause::EmbeddingTransfer => ("--memory-copy-trace", "csv"),
        _ => ("--kernel-trace", "csv"),
    };
    let output = format!("-o {name}_%pid%");
    let profile = ["rocprofv3", traces, "--stats", &format!("--output-format {format}"), &output, "--"];
    let profile = Command::of(profile).with(run);
    let kernels =
        |pattern: &str| Command::of(["grep -iE", &format!("'{pattern}'"), &format!("{name}_*kernel_stats.csv")]);
    let read = match cause {
        Cause::HostOverhead | Cause::LaunchGaps => None,
        Cause::EmbeddingTransfer => Some(Command::of(["cat", &format!("{name}_*memory_copy_stats.csv")])),
        Cause::LinearLayers | Cause::Hardware => Some(kernels("Cijk|gemm|gemv|wvSplitK|mul_mat")),
        Cause::KvTraffic => Some(kernels("attention|attn|fmha")),
        Cause::EmbeddingPass => Some(kernels("index|embedding|gather|rms_?norm")),
        Cause::Collectives => Some(kernels("nccl|all_?reduce|cross_device_reduce")),
        Cause::Sampling => Some(kernels("sort|softmax|sampl|top_?k|scan")),
    };
    [profile].into_iter().chain(read).collect()
}

fn metal(cause: Cause, run: Vec<String>) -> Command {
    let output = format!("--output {}.trace", name(cause));
    Command::of(["xcrun xctrace record", "--template 'Metal System Trace'", &output, "--launch --"]).with(run)
}
