//! Figures that show a cause: at most three, each from the run that is told.

use super::Cause;
use crate::kernel::{HostTask, Kernel, Stage};
use crate::scenario::Scenario;
use crate::simulate::{Breakdown, KernelRow, PhaseKind, Run};

/// A figure that shows a cause.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Evidence {
    /// What was looked at.
    pub kind: EvidenceKind,
    /// The figure, in the unit's base.
    pub value: f64,
    /// Its unit.
    pub unit: Unit,
}

/// What was looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EvidenceKind {
    /// Share of TTFT in linear layers.
    LinearShareOfTtft,
    /// Share of TPOT in linear layers.
    LinearShareOfTpot,
    /// Share of the tensor peak in prefill.
    PrefillComputeUse,
    /// Share of the memory bandwidth in decode.
    DecodeBandwidthUse,
    /// KV bytes read in a step.
    KvBytesPerStep,
    /// Share of TPOT in the attention kernel.
    AttentionShareOfTpot,
    /// Share of the KV cache in what the workload needs of memory.
    KvShareOfMemory,
    /// Share of TTFT on the host.
    HostShareOfTtft,
    /// Host time of a request and its prefill.
    HostTime,
    /// Host time of a decode step.
    HostTimePerStep,
    /// Kernel launches of a step.
    LaunchesPerStep,
    /// Time a step waits for launches.
    LaunchWaitPerStep,
    /// GPU time of a step.
    GpuTimePerStep,
    /// Bytes of the embedding table.
    TableBytes,
    /// Time of its transfer.
    TransferTime,
    /// Effective rate of the link.
    LinkRate,
    /// Time of all-reduces in prefill.
    CollectiveTimePrefill,
    /// Time of all-reduces in a step.
    CollectiveTimePerStep,
    /// Ranks.
    Ranks,
    /// Time of sampling in a step.
    SamplingTimePerStep,
    /// Rows of the vocabulary.
    VocabularySize,
    /// Share of TPOT in sampling.
    SamplingShareOfTpot,
    /// Time of the embedding gather.
    EmbeddingTime,
}

/// Unit of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A fraction of one.
    Fraction,
    /// Milliseconds.
    Milliseconds,
    /// Bytes.
    Bytes,
    /// GB/s.
    GigabytesPerSecond,
    /// A count.
    Count,
}

impl Unit {
    /// The name in results.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fraction => "fraction",
            Self::Milliseconds => "ms",
            Self::Bytes => "bytes",
            Self::GigabytesPerSecond => "gb_s",
            Self::Count => "count",
        }
    }
}

impl EvidenceKind {
    /// The name in results.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::LinearShareOfTtft => "linear_share_of_ttft",
            Self::LinearShareOfTpot => "linear_share_of_tpot",
            Self::PrefillComputeUse => "prefill_compute_use",
            Self::DecodeBandwidthUse => "decode_bandwidth_use",
            Self::KvBytesPerStep => "kv_bytes_per_step",
            Self::AttentionShareOfTpot => "attention_share_of_tpot",
            Self::KvShareOfMemory => "kv_share_of_memory",
            Self::HostShareOfTtft => "host_share_of_ttft",
            Self::HostTime => "host_time",
            Self::HostTimePerStep => "host_time_per_step",
            Self::LaunchesPerStep => "launches_per_step",
            Self::LaunchWaitPerStep => "launch_wait_per_step",
            Self::GpuTimePerStep => "gpu_time_per_step",
            Self::TableBytes => "table_bytes",
            Self::TransferTime => "transfer_time",
            Self::LinkRate => "link_rate",
            Self::CollectiveTimePrefill => "collective_time_prefill",
            Self::CollectiveTimePerStep => "collective_time_per_step",
            Self::Ranks => "ranks",
            Self::SamplingTimePerStep => "sampling_time_per_step",
            Self::VocabularySize => "vocabulary_size",
            Self::SamplingShareOfTpot => "sampling_share_of_tpot",
            Self::EmbeddingTime => "embedding_time",
        }
    }
}

struct Facts<'a> {
    scenario: &'a Scenario,
    run: &'a Run,
}

impl Facts<'_> {
    fn time(&self, phase: PhaseKind, wanted: impl Fn(&KernelRow) -> bool) -> f64 {
        self.run
            .kernels
            .iter()
            .filter(|row| row.phase == phase && wanted(row))
            .fold(0.0, |sum, row| sum + row.time.ms())
    }

    fn share(tree: Option<&Breakdown>, ms: f64) -> Option<f64> {
        Some(ms / tree?.ms)
    }

    fn linear(&self, phase: PhaseKind) -> f64 {
        self.time(phase, |row| row.call.kernel.is_weight_product() && row.call.stage != Stage::OutputLogitsRead)
    }

    fn stage(&self, phase: PhaseKind, stage: Stage) -> f64 {
        self.time(phase, |row| row.call.stage == stage)
    }

    fn collectives(&self, phase: PhaseKind) -> f64 {
        self.time(phase, |row| row.call.kernel.is_collective())
    }

    fn decode_attention(&self) -> Vec<&KernelRow> {
        let decode = self.run.kernels.iter().filter(|row| row.phase == PhaseKind::Decode);
        decode.filter(|row| row.call.kernel.is_attention()).collect()
    }
}

/// The figures of a cause that exist in this run.
pub(super) fn of(cause: Cause, scenario: &Scenario, run: &Run) -> Vec<Evidence> {
    let facts = Facts { scenario, run };
    let figures = match cause {
        Cause::LinearLayers => linear_layers(&facts),
        Cause::KvTraffic => kv_traffic(&facts),
        Cause::HostOverhead => host(&facts),
        Cause::LaunchGaps => launches(&facts),
        Cause::EmbeddingTransfer => transfer(&facts),
        Cause::Collectives => collectives(&facts),
        Cause::Sampling => sampling(&facts),
        Cause::EmbeddingPass => {
            let time = facts.time(PhaseKind::Prefill, |row| row.call.name == "embedding_gather");
            vec![(EvidenceKind::EmbeddingTime, Some(time), Unit::Milliseconds)]
        }
        Cause::Hardware => Vec::new(),
    };
    let present = figures.into_iter().filter_map(|(kind, value, unit)| Some(Evidence { kind, value: value?, unit }));
    present.take(3).collect()
}

type Figure = (EvidenceKind, Option<f64>, Unit);

fn linear_layers(facts: &Facts<'_>) -> Vec<Figure> {
    use EvidenceKind::{DecodeBandwidthUse, LinearShareOfTpot, LinearShareOfTtft, PrefillComputeUse};
    let run = facts.run;
    let ttft = Facts::share(run.ttft.as_ref(), facts.linear(PhaseKind::Prefill));
    let tpot = Facts::share(run.tpot.as_ref(), facts.linear(PhaseKind::Decode));
    vec![
        (LinearShareOfTtft, ttft, Unit::Fraction),
        (LinearShareOfTpot, tpot, Unit::Fraction),
        (DecodeBandwidthUse, run.decode_utilization.map(|u| u.memory_bandwidth), Unit::Fraction),
        (PrefillComputeUse, run.prefill_utilization.map(|u| u.compute), Unit::Fraction),
    ]
}

fn kv_traffic(facts: &Facts<'_>) -> Vec<Figure> {
    let rows = facts.decode_attention();
    let bytes = (!rows.is_empty()).then(|| rows.iter().map(|row| row.cost.dram_bytes.get() * row.call.calls).sum());
    let share = Facts::share(facts.run.tpot.as_ref(), rows.iter().map(|row| row.time.ms()).sum());
    let memory = facts.run.memory;
    vec![
        (EvidenceKind::KvBytesPerStep, bytes, Unit::Bytes),
        (EvidenceKind::AttentionShareOfTpot, share, Unit::Fraction),
        (EvidenceKind::KvShareOfMemory, Some(memory.kv_cache / memory.needed()), Unit::Fraction),
    ]
}

fn host(facts: &Facts<'_>) -> Vec<Figure> {
    let serial =
        |row: &KernelRow| row.call.stage == Stage::Host && row.call.kernel != Kernel::Host(HostTask::LayerTime);
    let prefill = facts.time(PhaseKind::Prefill, serial);
    let decode = facts.time(PhaseKind::Decode, |row| row.call.name == "engine_step");
    let some = |tree: &Option<Breakdown>, value: f64| tree.is_some().then_some(value);
    vec![
        (EvidenceKind::HostTime, some(&facts.run.ttft, prefill), Unit::Milliseconds),
        (EvidenceKind::HostShareOfTtft, Facts::share(facts.run.ttft.as_ref(), prefill), Unit::Fraction),
        (EvidenceKind::HostTimePerStep, some(&facts.run.tpot, decode), Unit::Milliseconds),
    ]
}

fn launches(facts: &Facts<'_>) -> Vec<Figure> {
    // A row without time is done inside another kernel and launches nothing.
    let gpu =
        |row: &KernelRow| row.time.get() > 0.0 && !matches!(row.call.kernel, Kernel::Host(_) | Kernel::Transfer(_));
    let decode = facts.run.kernels.iter().filter(|row| row.phase == PhaseKind::Decode && gpu(row));
    let count = decode.map(|row| row.call.calls).sum();
    let wait = facts.time(PhaseKind::Decode, |row| row.call.name == "launch_wait");
    vec![
        (EvidenceKind::LaunchesPerStep, Some(count), Unit::Count),
        (EvidenceKind::LaunchWaitPerStep, Some(wait), Unit::Milliseconds),
        (EvidenceKind::GpuTimePerStep, Some(facts.time(PhaseKind::Decode, gpu)), Unit::Milliseconds),
    ]
}

fn transfer(facts: &Facts<'_>) -> Vec<Figure> {
    let time = facts.time(PhaseKind::Prefill, |row| {
        row.call.stage == Stage::InputEmbeddingLoad && matches!(row.call.kernel, Kernel::Transfer(_))
    });
    let table = facts.scenario.model.embedding_bytes() / facts.scenario.ranks();
    let rate = facts.scenario.machine.sheet.pcie.effective.gb_s();
    vec![
        (EvidenceKind::TableBytes, Some(table), Unit::Bytes),
        (EvidenceKind::TransferTime, Some(time), Unit::Milliseconds),
        (EvidenceKind::LinkRate, Some(rate), Unit::GigabytesPerSecond),
    ]
}

fn collectives(facts: &Facts<'_>) -> Vec<Figure> {
    vec![
        (EvidenceKind::CollectiveTimePrefill, Some(facts.collectives(PhaseKind::Prefill)), Unit::Milliseconds),
        (EvidenceKind::CollectiveTimePerStep, Some(facts.collectives(PhaseKind::Decode)), Unit::Milliseconds),
        (EvidenceKind::Ranks, Some(facts.scenario.ranks()), Unit::Count),
    ]
}

fn sampling(facts: &Facts<'_>) -> Vec<Figure> {
    let time = facts.stage(PhaseKind::Decode, Stage::Sampling);
    vec![
        (EvidenceKind::SamplingTimePerStep, Some(time), Unit::Milliseconds),
        (EvidenceKind::SamplingShareOfTpot, Facts::share(facts.run.tpot.as_ref(), time), Unit::Fraction),
        (EvidenceKind::VocabularySize, Some(facts.scenario.model.vocab_size as f64), Unit::Count),
    ]
}
