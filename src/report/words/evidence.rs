//! Figures that show a cause: what was looked at, the figure, and what it is compared with.

use super::facts::Facts;
use super::names;
use crate::diagnose::{Evidence, EvidenceKind as Kind, Unit};
use crate::kernel::{MathType, Stage};
use crate::quantity::format::{data_size, gib, integer, ms, number, percent, with_unit};
use crate::report::text::{Label, Text};
use crate::report::view;
use crate::simulate::PhaseKind;

/// A figure as a card shows it.
pub(in crate::report) fn figure(evidence: &Evidence, facts: &Facts<'_>, text: &Text) -> view::Evidence {
    view::Evidence {
        label: label(evidence.kind, text).to_owned(),
        value: value(evidence),
        note: note(evidence.kind, facts, text),
    }
}

fn value(evidence: &Evidence) -> String {
    match evidence.unit {
        Unit::Fraction => percent(evidence.value),
        Unit::Milliseconds => ms(evidence.value),
        Unit::Bytes => data_size(evidence.value),
        Unit::GigabytesPerSecond => with_unit(evidence.value, "GB/s"),
        Unit::Count => integer(evidence.value.round() as u64),
    }
}

const fn label(kind: Kind, text: &Text) -> Label {
    let words = &text.advice.evidence;
    match kind {
        Kind::LinearShareOfTtft => words.linear_share_of_ttft,
        Kind::LinearShareOfTpot => words.linear_share_of_tpot,
        Kind::PrefillComputeUse => words.prefill_compute_use,
        Kind::DecodeBandwidthUse => words.decode_bandwidth_use,
        Kind::KvBytesPerStep => words.kv_bytes_per_step,
        Kind::AttentionShareOfTpot => words.attention_share_of_tpot,
        Kind::KvShareOfMemory => words.kv_share_of_memory,
        Kind::HostShareOfTtft => words.host_share_of_ttft,
        Kind::HostTime => words.host_time,
        Kind::HostTimePerStep => words.host_time_per_step,
        Kind::LaunchesPerStep => words.launches_per_step,
        Kind::LaunchWaitPerStep => words.launch_wait_per_step,
        Kind::GpuTimePerStep => words.gpu_time_per_step,
        Kind::TableBytes => words.table_bytes,
        Kind::TransferTime => words.transfer_time,
        Kind::LinkRate => words.link_rate,
        Kind::CollectiveTimePrefill => words.collective_time_prefill,
        Kind::CollectiveTimePerStep => words.collective_time_per_step,
        Kind::Ranks => words.ranks,
        Kind::SamplingTimePerStep => words.sampling_time_per_step,
        Kind::VocabularySize => words.vocabulary_size,
        Kind::SamplingShareOfTpot => words.sampling_share_of_tpot,
        Kind::EmbeddingTime => words.embedding_time,
    }
}

fn note(kind: Kind, facts: &Facts<'_>, text: &Text) -> String {
    let words = &text.advice.evidence;
    let (scenario, run) = (facts.scenario, facts.run);
    let (prefill, decode) = (PhaseKind::Prefill, PhaseKind::Decode);
    let total = |phase| facts.total(phase).unwrap_or(0.0);
    let part = |part: f64, phase| words.of_time.fill(&[("part", &number(part)), ("whole", &ms(total(phase)))]);
    let of_ttft = || words.of_ttft.fill(&[("whole", &ms(total(prefill)))]);
    let of_tpot = || words.of_tpot.fill(&[("whole", &ms(total(decode)))]);
    match kind {
        Kind::LinearShareOfTtft => part(facts.linear(prefill).ms, prefill),
        Kind::LinearShareOfTpot => part(facts.linear(decode).ms, decode),
        Kind::AttentionShareOfTpot => part(facts.attention(decode).ms, decode),
        Kind::HostShareOfTtft => part(facts.serial_host(prefill).ms, prefill),
        Kind::SamplingShareOfTpot => part(facts.stage(decode, Stage::Sampling).ms, decode),
        Kind::PrefillComputeUse => words.of_peak.fill(&[("peak", &names::peak(&scenario.machine, MathType::Bf16))]),
        Kind::DecodeBandwidthUse => {
            words.of_peak.fill(&[("peak", &with_unit(scenario.machine.sheet.bandwidth.gb_s(), "GB/s"))])
        }
        Kind::KvBytesPerStep => words.of_tokens.fill(&[
            ("sequences", &scenario.workload.batch_size),
            ("tokens", &integer(scenario.workload.prompt_len + scenario.workload.gen_len / 2)),
        ]),
        Kind::KvShareOfMemory => {
            let (part, whole) = (run.memory.kv_cache.gib(), run.memory.needed().get());
            words.of_size.fill(&[("part", &number(part)), ("whole", &gib(whole))])
        }
        Kind::HostTime | Kind::TransferTime | Kind::CollectiveTimePrefill | Kind::EmbeddingTime => of_ttft(),
        Kind::HostTimePerStep
        | Kind::LaunchWaitPerStep
        | Kind::GpuTimePerStep
        | Kind::CollectiveTimePerStep
        | Kind::SamplingTimePerStep => of_tpot(),
        Kind::LaunchesPerStep => words.per_launch.fill(&[]),
        Kind::TableBytes => words
            .shape
            .fill(&[("rows", &integer(scenario.model.vocab_size)), ("width", &integer(scenario.model.hidden_size))]),
        Kind::LinkRate => words.on_paper.fill(&[("raw", &with_unit(scenario.machine.sheet.pcie.raw.gb_s(), "GB/s"))]),
        Kind::Ranks => words.over_link.fill(&[("link", &names::link(&scenario.machine))]),
        Kind::VocabularySize => words.per_token.fill(&[]),
    }
}
