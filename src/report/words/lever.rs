//! Remedies in words: as an instruction, as a change in a list, how to do it, what it takes.

use super::facts::Facts;
use super::names;
use crate::diagnose::{Effect, Effort, LeverId, Metric};
use crate::kernel::MathType;
use crate::machine::KernelFamily;
use crate::quantity::Bytes;
use crate::quantity::format::{data_size, gib, integer, ms, with_unit};
use crate::report::text::{Holes, Label, Lever, Levers, Text};
use crate::scenario::Scenario;

/// A remedy, ready to be said.
pub(in crate::report) struct Remedy<'a> {
    lever: LeverId,
    facts: Facts<'a>,
    text: &'a Text,
}

impl<'a> Remedy<'a> {
    pub(in crate::report) fn new(lever: LeverId, facts: Facts<'a>, text: &'a Text) -> Self {
        Self { lever, facts, text }
    }

    /// As an instruction.
    pub(in crate::report) fn title(&self) -> String {
        self.words().title.fill_from(&self.holes())
    }

    /// As a change in a list.
    pub(in crate::report) fn change(&self) -> String {
        self.words().change.fill_from(&self.holes())
    }

    /// How it is done, with the engine's option where there is one.
    pub(in crate::report) fn how(&self) -> String {
        let how = self.words().how.fill_from(&self.holes());
        let option = option(self.lever, self.facts.scenario).map(|flag| {
            let engine = family_name(self.facts.scenario);
            self.text.advice.lever.with_engine.fill(&[("engine", &engine), ("flag", &flag)])
        });
        names::sentences(&[how, option.unwrap_or_default()], self.text)
    }

    fn words(&self) -> &'a Lever {
        let levers = &self.text.advice.lever;
        let stored_only = !self.facts.scenario.machine.has_fp8_math();
        let local = self.facts.scenario.deployment.engine.local.is_some();
        match self.lever {
            LeverId::WeightsInt4 if local => &levers.weights_int4_file,
            LeverId::HostOverhead if local => &levers.host_overhead_local,
            LeverId::WeightsFp8 if stored_only => &levers.weights_fp8_stored,
            lever => of(levers, lever),
        }
    }

    fn holes(&self) -> Holes {
        let (scenario, machine) = (self.facts.scenario, &self.facts.scenario.machine);
        let now = scenario.deployment.tensor_parallel;
        vec![
            ("table", data_size(scenario.model.embedding_bytes() / scenario.ranks())),
            ("free", gib(self.facts.run.memory.free().get())),
            ("rate", with_unit(machine.sheet.pcie.effective.gb_s(), "GB/s")),
            ("launches", integer(self.facts.launches().round() as u64)),
            ("bf16", names::rate(machine, MathType::Bf16)),
            ("fp8", names::rate(machine, MathType::Fp8)),
            ("int8", names::rate(machine, MathType::Int8)),
            ("kv", data_size(self.facts.run.memory.kv_bytes_per_token.get())),
            ("vocab", integer(scenario.model.vocab_size)),
            ("now", integer(now)),
            ("ranks", integer(ranks_after(self.lever, now))),
            ("link", names::link(machine).to_owned()),
            ("bandwidth", with_unit(machine.sheet.bandwidth.gb_s(), "GB/s")),
        ]
    }
}

const fn of(levers: &Levers, lever: LeverId) -> &Lever {
    match lever {
        LeverId::EmbeddingDevice => &levers.embedding_device,
        LeverId::EmbeddingPinned => &levers.embedding_pinned,
        LeverId::PcieGeneration => &levers.pcie_generation,
        LeverId::CudaGraphs => &levers.cuda_graphs,
        LeverId::HostOverhead => &levers.host_overhead,
        LeverId::WeightsFp8 => &levers.weights_fp8,
        LeverId::WeightsInt8W8A8 => &levers.weights_int8_w8a8,
        LeverId::WeightsInt8 => &levers.weights_int8_file,
        LeverId::WeightsInt4 => &levers.weights_int4,
        LeverId::KvFp8 => &levers.kv_fp8,
        LeverId::KvInt8 => &levers.kv_int8,
        LeverId::FusedEmbeddingNorm => &levers.fused_embedding_norm,
        LeverId::FusedSampler => &levers.fused_sampler,
        LeverId::TensorParallel2 | LeverId::TensorParallel4 => &levers.more_ranks,
        LeverId::TensorParallelHalf => &levers.fewer_ranks,
        LeverId::MemoryBandwidth => &levers.memory_bandwidth,
        LeverId::Compute => &levers.compute,
    }
}

const fn ranks_after(lever: LeverId, now: u64) -> u64 {
    match lever {
        LeverId::TensorParallel2 => now * 2,
        LeverId::TensorParallel4 => now * 4,
        LeverId::TensorParallelHalf => now / 2,
        _ => now,
    }
}

fn family_name(scenario: &Scenario) -> &'static str {
    match scenario.kernel_family() {
        _ if scenario.deployment.engine.local.is_some() => "llama.cpp",
        KernelFamily::Vllm => "vLLM",
        KernelFamily::Sglang => "SGLang",
        KernelFamily::Trtllm => "TensorRT-LLM",
    }
}

/// The engine's own option for a remedy, for the engines whose options are known.
fn option(lever: LeverId, scenario: &Scenario) -> Option<String> {
    let engine = scenario.deployment.engine.id.as_str();
    let ranks = ranks_after(lever, scenario.deployment.tensor_parallel);
    let known = match (engine, lever) {
        ("vllm@v1" | "vllm@v1-rocm" | "vllm@old", LeverId::WeightsFp8) => "--quantization fp8".to_owned(),
        ("vllm@v1" | "vllm@v1-rocm" | "vllm@old" | "vllm@old-rocm", LeverId::KvFp8) => {
            "--kv-cache-dtype fp8".to_owned()
        }
        ("vllm@v1", LeverId::CudaGraphs) => "--no-enforce-eager".to_owned(),
        ("vllm@v1", LeverId::FusedSampler) => "VLLM_USE_FLASHINFER_SAMPLER=1".to_owned(),
        ("vllm@v1" | "vllm@old", LeverId::TensorParallel2 | LeverId::TensorParallel4 | LeverId::TensorParallelHalf) => {
            format!("--tensor-parallel-size {ranks}")
        }
        ("sglang", LeverId::WeightsFp8) => "--quantization fp8".to_owned(),
        ("sglang", LeverId::WeightsInt8W8A8) => "--quantization w8a8_int8".to_owned(),
        ("sglang", LeverId::KvFp8) => "--kv-cache-dtype fp8_e4m3".to_owned(),
        ("sglang", LeverId::FusedSampler) => "--sampling-backend flashinfer".to_owned(),
        ("sglang", LeverId::TensorParallel2 | LeverId::TensorParallel4 | LeverId::TensorParallelHalf) => {
            format!("--tp-size {ranks}")
        }
        (id, LeverId::KvInt8) if id.starts_with("llama.cpp") => "-ctk q8_0 -ctv q8_0 -fa on".to_owned(),
        ("trtllm@v1", LeverId::KvFp8) => "kv_cache_config.dtype: fp8".to_owned(),
        ("trtllm@v1", LeverId::TensorParallel2 | LeverId::TensorParallel4 | LeverId::TensorParallelHalf) => {
            format!("--tp_size {ranks}")
        }
        _ => return None,
    };
    Some(known)
}

/// What a remedy takes, in two words.
pub(in crate::report) const fn effort(lever: LeverId, text: &Text) -> Label {
    let words = &text.advice.effort;
    match lever.effort() {
        Effort::Setting => words.setting,
        Effort::Checkpoint => words.checkpoint,
        Effort::Engineering => words.engineering,
        Effort::Hardware => words.hardware,
    }
}

/// Who can do it.
pub(in crate::report) const fn owner(lever: LeverId, text: &Text) -> Label {
    let words = &text.advice.owner;
    match lever.effort() {
        Effort::Setting => words.setting,
        Effort::Checkpoint => words.checkpoint,
        Effort::Engineering => words.engineering,
        Effort::Hardware => words.hardware,
    }
}

/// Memory below this is not worth a word.
const LEAST_MEMORY: f64 = 0.05 * (1u64 << 30) as f64;
/// A metric that rises by less than this share is not worth a word.
const LEAST_RISE: f64 = 0.005;

/// What a remedy takes, and what else it changes.
pub(in crate::report) fn takes(effect: &Effect, text: &Text) -> String {
    let words = &text.advice.effort;
    let effort = match effect.lever.effort() {
        Effort::Setting => words.setting_takes,
        Effort::Checkpoint => words.checkpoint_takes,
        Effort::Engineering => words.engineering_takes,
        Effort::Hardware => words.hardware_takes,
    };
    let mut parts = vec![effort.to_owned()];
    let saved = Bytes::new(effect.memory_saved_bytes.abs());
    if effect.memory_saved_bytes > LEAST_MEMORY {
        parts.push(words.frees.fill(&[("size", &gib(saved.get()))]));
    } else if effect.memory_saved_bytes < -LEAST_MEMORY {
        parts.push(words.needs.fill(&[("size", &gib(saved.get()))]));
    }
    for metric in [Metric::Ttft, Metric::Tpot] {
        let rises = effect.saved_share(metric).is_some_and(|share| share < -LEAST_RISE);
        if let (true, Some(from), Some(to)) = (rises, metric.of(&effect.before), metric.of(&effect.after)) {
            let name = metric.name();
            parts.push(words.raises.fill(&[("metric", &name), ("from", &ms(from)), ("to", &ms(to))]));
        }
    }
    names::sentences(&parts, text)
}
