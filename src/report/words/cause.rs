//! Causes in a sentence, with the figures of the run.

use super::facts::{Facts, Work};
use super::names;
use crate::diagnose::{Bottleneck, Cause, Metric};
use crate::kernel::{HostTask, Kernel, MathType, Stage};
use crate::quantity::format::{data_size, integer, ms, percent, with_unit};
use crate::report::text::{Causes, Text};
use crate::simulate::{KernelRow, PhaseKind};
use crate::spec::EmbeddingPlacement;

/// The phase in which a bottleneck is told: the one its metric belongs to, or for a whole request the one in which its
/// best remedy saves more of it.
pub(in crate::report) fn phase(bottleneck: &Bottleneck, facts: &Facts<'_>) -> PhaseKind {
    let has = |phase| facts.total(phase).is_some();
    let effect = &bottleneck.effect;
    let saved = |metric| effect.saved(metric).unwrap_or_default();
    match bottleneck.metric {
        _ if !has(PhaseKind::Decode) => PhaseKind::Prefill,
        _ if !has(PhaseKind::Prefill) => PhaseKind::Decode,
        Metric::Ttft => PhaseKind::Prefill,
        Metric::Tpot => PhaseKind::Decode,
        Metric::E2e if saved(Metric::Ttft) > saved(Metric::E2e) - saved(Metric::Ttft) => PhaseKind::Prefill,
        Metric::E2e => PhaseKind::Decode,
    }
}

/// The stage that shows a cause.
pub(in crate::report) const fn stage(cause: Cause) -> Stage {
    match cause {
        Cause::LinearLayers | Cause::Hardware => Stage::Ffn,
        Cause::KvTraffic | Cause::Collectives => Stage::Attention,
        Cause::HostOverhead | Cause::LaunchGaps => Stage::Host,
        Cause::EmbeddingTransfer | Cause::EmbeddingPass => Stage::InputEmbeddingLoad,
        Cause::Sampling => Stage::Sampling,
    }
}

/// The tensor path of the layers.
fn layer_math(facts: &Facts<'_>) -> MathType {
    let (model, machine) = (&facts.scenario.model, &facts.scenario.machine);
    machine.linear_format(model.weights.into(), model.fp8_block_scales).math()
}

/// The share of the tensor peak that some work reaches while it runs.
pub(in crate::report) fn compute_share(work: &Work, facts: &Facts<'_>) -> f64 {
    work.flop / (work.ms * 1e-3) / facts.scenario.machine.peak(layer_math(facts)).get()
}

/// The share of the bandwidth on the data sheet that some work reaches while it runs.
pub(in crate::report) fn memory_share(work: &Work, facts: &Facts<'_>) -> f64 {
    work.bytes / (work.ms * 1e-3) / facts.scenario.machine.sheet.bandwidth.get()
}

/// The cause in a sentence.
pub(in crate::report) fn sentence(bottleneck: &Bottleneck, facts: &Facts<'_>, text: &Text) -> String {
    let words = &text.advice.cause;
    let phase = phase(bottleneck, facts);
    let total = facts.total(phase).map_or(String::new(), ms);
    match bottleneck.cause {
        Cause::LinearLayers => linear(words, facts, phase, &total),
        Cause::KvTraffic => {
            let work = facts.attention(PhaseKind::Decode);
            words.kv_traffic.fill(&[
                ("bytes", &data_size(work.bytes)),
                ("dtype", &facts.scenario.model.kv),
                ("time", &ms(work.ms)),
                ("total", &total),
            ])
        }
        Cause::HostOverhead => host(facts, text),
        Cause::LaunchGaps => words.launch_gaps.fill(&[
            ("launches", &integer(facts.launches().round() as u64)),
            ("gpu", &ms(facts.gpu(PhaseKind::Decode).ms)),
            ("wait", &ms(facts.named(PhaseKind::Decode, "launch_wait").ms)),
        ]),
        Cause::EmbeddingTransfer => transfer(words, facts, &total),
        Cause::Collectives => collectives(words, facts),
        Cause::EmbeddingPass => {
            let time = facts.named(PhaseKind::Prefill, "embedding_gather").ms;
            words.embedding_pass.fill(&[("time", &ms(time))])
        }
        Cause::Sampling => words.sampling.fill(&[
            ("kind", &facts.scenario.switches.sampler.kind.name()),
            ("vocab", &integer(facts.scenario.model.vocab_size)),
            ("time", &ms(facts.stage(phase, Stage::Sampling).ms)),
            ("total", &total),
        ]),
        Cause::Hardware => words.hardware.to_owned(),
    }
}

fn linear(words: &Causes, facts: &Facts<'_>, phase: PhaseKind, total: &str) -> String {
    let work = facts.linear(phase);
    match phase {
        PhaseKind::Prefill => words.linear_prefill.fill(&[
            ("time", &ms(work.ms)),
            ("total", &total),
            ("share", &percent(compute_share(&work, facts))),
            ("peak", &names::peak(&facts.scenario.machine, layer_math(facts))),
        ]),
        PhaseKind::Decode => words.linear_decode.fill(&[
            ("bytes", &data_size(work.bytes)),
            ("dtype", &facts.scenario.model.weights),
            ("time", &ms(work.ms)),
            ("total", &total),
            ("share", &percent(memory_share(&work, facts))),
        ]),
    }
}

/// The host's tasks of a phase that take time, those wanted: `tokenize 4.34 ms, http_queue 15.2 ms`.
pub(in crate::report) fn host_tasks(
    facts: &Facts<'_>,
    phase: PhaseKind,
    text: &Text,
    wanted: fn(HostTask) -> bool,
) -> String {
    let is_wanted = |row: &&KernelRow| matches!(row.call.kernel, Kernel::Host(task) if wanted(task));
    let rows = facts.rows(phase).filter(|row| row.time.get() > 0.0).filter(is_wanted);
    let tasks: Vec<String> = rows.map(|row| format!("{} {}", row.call.name, ms(row.time.ms()))).collect();
    tasks.join(text.frame.comma)
}

/// Below this share of a step its host time goes without saying.
const LEAST_SHARE: f64 = 0.005;

fn host(facts: &Facts<'_>, text: &Text) -> String {
    let words = &text.advice.cause;
    let prefill = facts.serial_host(PhaseKind::Prefill).ms;
    let decode = facts.named(PhaseKind::Decode, "engine_step").ms;
    let what = host_tasks(facts, PhaseKind::Prefill, text, |task| task != HostTask::LayerTime);
    let (ttft, tpot) = (facts.total(PhaseKind::Prefill), facts.total(PhaseKind::Decode));
    let told = |tpot: f64| decode / tpot > LEAST_SHARE;
    match (ttft, tpot) {
        (Some(ttft), Some(tpot)) if told(tpot) => words.host_both.fill(&[
            ("prefill", &ms(prefill)),
            ("ttft", &ms(ttft)),
            ("decode", &ms(decode)),
            ("what", &what),
        ]),
        (Some(ttft), _) => words.host_prefill.fill(&[("prefill", &ms(prefill)), ("ttft", &ms(ttft)), ("what", &what)]),
        (None, tpot) => words.host_decode.fill(&[("decode", &ms(decode)), ("tpot", &ms(tpot.unwrap_or(0.0)))]),
    }
}

fn transfer(words: &Causes, facts: &Facts<'_>, total: &str) -> String {
    let phrase = match facts.scenario.switches.embedding_placement {
        EmbeddingPlacement::HostPageable => &words.table_pageable,
        EmbeddingPlacement::HostPinned => &words.table_pinned,
        EmbeddingPlacement::HostMapped | EmbeddingPlacement::Device => &words.rows_mapped,
    };
    phrase.fill(&[
        ("bytes", &data_size(facts.scenario.model.embedding_bytes() / facts.scenario.ranks())),
        ("rate", &with_unit(facts.scenario.machine.sheet.pcie.effective.gb_s(), "GB/s")),
        ("time", &ms(facts.input_copies().ms)),
        ("total", &total),
    ])
}

fn collectives(words: &Causes, facts: &Facts<'_>) -> String {
    let times = [PhaseKind::Prefill, PhaseKind::Decode].map(|phase| facts.collectives(phase).ms);
    let (ttft, tpot) = (facts.total(PhaseKind::Prefill), facts.total(PhaseKind::Decode));
    let phrase = match (ttft, tpot) {
        (Some(_), Some(_)) => &words.collectives_both,
        (Some(_), None) => &words.collectives_prefill,
        (None, _) => &words.collectives_decode,
    };
    phrase.fill(&[
        ("ranks", &integer(facts.scenario.deployment.tensor_parallel)),
        ("link", &names::link(&facts.scenario.machine)),
        ("prefill", &ms(times[0])),
        ("decode", &ms(times[1])),
        ("ttft", &ttft.map_or(String::new(), ms)),
        ("tpot", &tpot.map_or(String::new(), ms)),
    ])
}
