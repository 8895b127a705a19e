//! The reading to expect from the tools where a cause is right. Counters of `dcgmi` are named for NVIDIA's machines only.

use super::cause::memory_share;
use super::facts::Facts;
use super::names;
use crate::diagnose::Cause;
use crate::kernel::Stage;
use crate::machine::Maker;
use crate::quantity::format::{data_size, integer, ms, percent, with_unit};
use crate::report::text::Text;
use crate::simulate::{PhaseKind, TransferRow};
use crate::spec::EmbeddingPlacement;

/// An activity as the tool prints it: a fraction with two decimals.
fn activity(share: f64) -> String {
    format!("{:.2}", share.clamp(0.0, 1.0))
}

/// The reading to expect for a cause told in a phase: of the profile, and of the counters where they are named.
pub(in crate::report) fn reading(cause: Cause, phase: PhaseKind, facts: &Facts<'_>, text: &Text) -> String {
    let counters = match facts.scenario.machine.maker() {
        Maker::Nvidia => counters(cause, phase, facts, text),
        Maker::Amd | Maker::Apple | Maker::Other => String::new(),
    };
    names::sentences(&[profile(cause, phase, facts, text), counters], text)
}

fn counters(cause: Cause, phase: PhaseKind, facts: &Facts<'_>, text: &Text) -> String {
    let words = &text.advice.confirm;
    match (cause, phase) {
        (Cause::LinearLayers | Cause::Hardware, PhaseKind::Prefill) => {
            let tensor = super::cause::compute_share(&facts.linear(PhaseKind::Prefill), facts);
            words.tensor_activity.fill(&[("tensor", &activity(tensor))])
        }
        (Cause::LinearLayers | Cause::Hardware, PhaseKind::Decode) => {
            let share = || memory_share(&facts.linear(PhaseKind::Decode), facts);
            let memory = facts.run.decode_utilization.map_or_else(share, |used| used.memory_bandwidth);
            words.memory_activity.fill(&[("memory", &activity(memory))])
        }
        (Cause::EmbeddingTransfer, _) => longest_copy(facts)
            .map_or_else(String::new, |copy| words.pcie_receive.fill(&[("burst", &percent(copy.burst_utilization))])),
        _ => String::new(),
    }
}

fn profile(cause: Cause, phase: PhaseKind, facts: &Facts<'_>, text: &Text) -> String {
    let words = &text.advice.confirm;
    let (prefill, decode) = (PhaseKind::Prefill, PhaseKind::Decode);
    match (cause, phase) {
        (Cause::LinearLayers | Cause::Hardware, PhaseKind::Prefill) => {
            words.linear_prefill.fill(&[("time", &ms(facts.linear(prefill).ms))])
        }
        (Cause::LinearLayers | Cause::Hardware, PhaseKind::Decode) => {
            words.linear_decode.fill(&[("time", &ms(facts.linear(decode).ms))])
        }
        (Cause::KvTraffic, _) => {
            let (work, calls) = (facts.attention(decode), facts.attention_calls());
            words.kv_traffic.fill(&[
                ("calls", &integer(calls.round() as u64)),
                ("each", &with_unit(work.ms * 1e3 / calls.max(1.0), "µs")),
                ("time", &ms(work.ms)),
                ("share", &percent(memory_share(&work, facts))),
            ])
        }
        (Cause::HostOverhead, _) => host(facts, text),
        (Cause::LaunchGaps, _) => words.launch_gaps.fill(&[
            ("launches", &integer(facts.launches().round() as u64)),
            ("gpu", &ms(facts.gpu(decode).ms)),
            ("total", &ms(facts.total(decode).unwrap_or(0.0))),
        ]),
        (Cause::EmbeddingTransfer, _) => transfer(facts, text),
        (Cause::Collectives, _) => words
            .collectives
            .fill(&[("prefill", &ms(facts.collectives(prefill).ms)), ("decode", &ms(facts.collectives(decode).ms))]),
        (Cause::EmbeddingPass, _) => {
            words.embedding_pass.fill(&[("time", &ms(facts.named(prefill, "embedding_gather").ms))])
        }
        (Cause::Sampling, _) => words.sampling.fill(&[("time", &ms(facts.stage(phase, Stage::Sampling).ms))]),
    }
}

/// How long the GPU idles, for the phases that run.
fn host(facts: &Facts<'_>, text: &Text) -> String {
    let words = &text.advice.confirm;
    let idle = |phase| ms(facts.serial_host(phase).ms);
    let (prefill, decode) = (PhaseKind::Prefill, PhaseKind::Decode);
    match (facts.total(prefill), facts.total(decode)) {
        (_, None) => words.host_prefill.fill(&[("prefill", &idle(prefill))]),
        (None, _) => words.host_decode.fill(&[("decode", &idle(decode))]),
        _ => words.host.fill(&[("prefill", &idle(prefill)), ("decode", &idle(decode))]),
    }
}

/// The longest copy over PCIe.
fn longest_copy<'a>(facts: &Facts<'a>) -> Option<&'a TransferRow> {
    let over_pcie = facts.run.transfers.iter().filter(|row| row.path.contains(&"pcie"));
    over_pcie.max_by(|a, b| a.time.get().total_cmp(&b.time.get()))
}

fn transfer(facts: &Facts<'_>, text: &Text) -> String {
    let words = &text.advice.confirm;
    let Some(copy) = longest_copy(facts) else { return String::new() };
    let pageable = facts.scenario.switches.embedding_placement == EmbeddingPlacement::HostPageable;
    let phrase = if pageable { &words.transfer_pageable } else { &words.transfer };
    phrase.fill(&[("bytes", &data_size(copy.bytes.get())), ("time", &ms(copy.time.ms()))])
}
