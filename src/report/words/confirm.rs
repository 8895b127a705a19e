//! The reading to expect from the tools where a cause is right.

use super::cause::memory_share;
use super::facts::Facts;
use crate::diagnose::Cause;
use crate::kernel::Stage;
use crate::quantity::format::{data_size, integer, ms, percent, with_unit};
use crate::report::text::Text;
use crate::simulate::PhaseKind;
use crate::spec::EmbeddingPlacement;

/// An activity as the tool prints it: a fraction with two decimals.
fn activity(share: f64) -> String {
    format!("{:.2}", share.clamp(0.0, 1.0))
}

/// The reading to expect for a cause told in a phase.
pub(in crate::report) fn reading(cause: Cause, phase: PhaseKind, facts: &Facts<'_>, text: &Text) -> String {
    let words = &text.advice.confirm;
    let (prefill, decode) = (PhaseKind::Prefill, PhaseKind::Decode);
    match (cause, phase) {
        (Cause::LinearLayers | Cause::Hardware, PhaseKind::Prefill) => {
            let work = facts.linear(prefill);
            let tensor = super::cause::compute_share(&work, facts);
            words.linear_prefill.fill(&[("time", &ms(work.ms)), ("tensor", &activity(tensor))])
        }
        (Cause::LinearLayers | Cause::Hardware, PhaseKind::Decode) => {
            let work = facts.linear(decode);
            let memory =
                facts.run.decode_utilization.map_or_else(|| memory_share(&work, facts), |u| u.memory_bandwidth);
            words.linear_decode.fill(&[("time", &ms(work.ms)), ("memory", &activity(memory))])
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
        (Cause::HostOverhead, _) => words.host.fill(&[
            ("prefill", &ms(facts.stage(prefill, Stage::Host).ms)),
            ("decode", &ms(facts.stage(decode, Stage::Host).ms)),
        ]),
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

/// The largest copy of the input stage, and how full the link is in its busiest window.
fn transfer(facts: &Facts<'_>, text: &Text) -> String {
    let words = &text.advice.confirm;
    let over_pcie = facts.run.transfers.iter().filter(|row| row.path.contains(&"pcie"));
    let Some(copy) = over_pcie.max_by(|a, b| a.time.get().total_cmp(&b.time.get())) else { return String::new() };
    let pageable = facts.scenario.switches.embedding_placement == EmbeddingPlacement::HostPageable;
    let phrase = if pageable { &words.transfer_pageable } else { &words.transfer };
    phrase.fill(&[
        ("bytes", &data_size(copy.bytes.get())),
        ("time", &ms(copy.time.ms())),
        ("burst", &percent(copy.burst_utilization)),
    ])
}
