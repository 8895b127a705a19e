//! What a run says.

use super::decode::Decode;
use super::prefill::Prefill;
use super::{Breakdown, Memory, transfers};
use crate::cost::KernelCost;
use crate::kernel::{KernelCall, MathType, Stage};
use crate::quantity::{Bytes, BytesPerSecond, Seconds};
use crate::scenario::Scenario;

/// A run, or why there is none.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// It fits and runs.
    Feasible(Box<Run>),
    /// It does not fit.
    Infeasible(Shortfall),
}

impl Outcome {
    /// The run, if there is one.
    #[must_use]
    pub fn run(&self) -> Option<&Run> {
        match self {
            Self::Feasible(run) => Some(run),
            Self::Infeasible(_) => None,
        }
    }
}

/// What is missing and what would fit.
#[derive(Clone, Debug, PartialEq)]
pub struct Shortfall {
    /// What runs out.
    pub resource: Resource,
    /// What the workload needs of it.
    pub needed: Bytes,
    /// What there is.
    pub available: Bytes,
    /// The largest batch that fits at this length; none if not even one request does.
    pub largest_batch: Option<u64>,
    /// The longest context (prompt and output) that fits at this batch; none if not even one block does.
    pub largest_context: Option<u64>,
    /// The parts.
    pub memory: Memory,
}

/// What can run out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resource {
    /// Device memory.
    DeviceMemory,
    /// KV tokens, where the engine's figure was given.
    KvTokens,
}

impl Resource {
    /// The name in results.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::DeviceMemory => "device_memory",
            Self::KvTokens => "kv_tokens",
        }
    }
}

/// A finished simulation.
#[derive(Clone, Debug)]
pub struct Run {
    /// Headline figures.
    pub metrics: Metrics,
    /// Time to first token, by stage and kernel; none for a decode scenario.
    pub ttft: Option<Breakdown>,
    /// Mean decode step, by stage and kernel; none for a prefill scenario or a single output token.
    pub tpot: Option<Breakdown>,
    /// Decode steps over contexts.
    pub series: Vec<SeriesPoint>,
    /// Every kernel, copy and task of both phases.
    pub kernels: Vec<KernelRow>,
    /// Copies.
    pub transfers: Vec<TransferRow>,
    /// Use of the machine while prefilling.
    pub prefill_utilization: Option<PhaseUtilization>,
    /// Use of the machine while decoding.
    pub decode_utilization: Option<PhaseUtilization>,
    /// Device memory of one rank.
    pub memory: Memory,
}

/// Headline figures; absent where the scenario leaves the phase out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Metrics {
    /// Time to first token: until the whole batch is prefilled.
    pub ttft_ms: Option<f64>,
    /// Mean time per output token after the first.
    pub tpot_ms: Option<f64>,
    /// Whole time over all output tokens.
    pub tpot_inclusive_ms: Option<f64>,
    /// Standard deviation of the steps over positions.
    pub tpot_stddev_ms: Option<f64>,
    /// 99th percentile of the steps over positions.
    pub tpot_p99_ms: Option<f64>,
    /// Whole time.
    pub e2e_ms: Option<f64>,
    /// Output tokens of the whole batch per second.
    pub output_tokens_per_s: Option<f64>,
    /// Requests per second.
    pub requests_per_s: Option<f64>,
}

/// A decode step at a context.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SeriesPoint {
    /// Tokens attended to, the new one included.
    pub context: u64,
    /// The step.
    pub ms: f64,
    /// By stage, in the order of [`Stage::ALL`].
    pub stages_ms: [f64; 8],
}

/// Which phase a row belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PhaseKind {
    /// Until the first token.
    Prefill,
    /// The tokens after it.
    Decode,
}

impl PhaseKind {
    /// The name in results.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Prefill => "prefill",
            Self::Decode => "decode",
        }
    }
}

/// A kernel, copy or task with its price. Prefill rows hold the whole phase, decode rows the mean step.
#[derive(Clone, Copy, Debug)]
pub struct KernelRow {
    /// The phase.
    pub phase: PhaseKind,
    /// What runs and how often.
    pub call: KernelCall,
    /// One call, the engine's factor included.
    pub cost: KernelCost,
    /// All calls.
    pub time: Seconds,
}

/// A copy.
#[derive(Clone, Copy, Debug)]
pub struct TransferRow {
    /// The phase.
    pub phase: PhaseKind,
    /// Kernel name of the copy.
    pub name: &'static str,
    /// Its stage.
    pub stage: Stage,
    /// Stations.
    pub path: &'static [&'static str],
    /// Bytes moved.
    pub bytes: Bytes,
    /// Time taken.
    pub time: Seconds,
    /// Rate reached.
    pub rate: BytesPerSecond,
    /// Share of the busiest 100 ms in which it moves at that rate.
    pub burst_utilization: f64,
}

/// Use of a machine in a phase, its host time included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PhaseUtilization {
    /// FLOP over what the data sheet's peak does in the phase's time.
    pub compute: f64,
    /// Bytes over what the data sheet's bandwidth moves in the phase's time.
    pub memory_bandwidth: f64,
}

pub(super) fn assemble(scenario: &Scenario, prefill: Option<Prefill>, decode: Option<Decode>, memory: Memory) -> Run {
    let metrics = metrics(scenario, prefill.as_ref(), decode.as_ref());
    let mut kernels = Vec::with_capacity(64);
    let mut run = Run {
        metrics,
        prefill_utilization: prefill.as_ref().map(|p| utilization(scenario, &p.rows, p.ttft.ms, p.occupied)),
        decode_utilization: decode.as_ref().map(|d| utilization(scenario, &d.rows, d.tpot.ms, d.occupied)),
        ttft: None,
        tpot: None,
        series: Vec::new(),
        kernels: Vec::new(),
        transfers: Vec::new(),
        memory,
    };
    if let Some(prefill) = prefill {
        kernels.extend(prefill.rows);
        run.ttft = Some(prefill.ttft);
    }
    if let Some(decode) = decode {
        kernels.extend(decode.rows);
        run.tpot = Some(decode.tpot);
        run.series = decode.series;
    }
    run.transfers = transfers::list(&kernels);
    run.kernels = kernels;
    run
}

fn metrics(scenario: &Scenario, prefill: Option<&Prefill>, decode: Option<&Decode>) -> Metrics {
    let (batch, tokens) = (scenario.workload.batch_size as f64, scenario.workload.gen_len as f64);
    let ttft_ms = prefill.map(|p| p.ttft.ms);
    let tpot_ms = decode.map(|d| d.tpot.ms);
    let single = scenario.workload.gen_len == 1;
    let full = scenario.workload.scenario == crate::spec::ScenarioKind::FullInference;
    let e2e_ms = match (ttft_ms, tpot_ms) {
        (Some(ttft), Some(tpot)) => Some(ttft + (tokens - 1.0) * tpot),
        (Some(ttft), None) if single && full => Some(ttft),
        _ => None,
    };
    Metrics {
        ttft_ms,
        tpot_ms,
        tpot_inclusive_ms: e2e_ms.map(|ms| ms / tokens),
        tpot_stddev_ms: decode.map(|d| d.stddev_ms),
        tpot_p99_ms: decode.map(|d| d.p99_ms),
        e2e_ms,
        output_tokens_per_s: e2e_ms.map(|ms| batch * tokens / ms * 1e3),
        requests_per_s: e2e_ms.map(|ms| batch / ms * 1e3),
    }
}

/// Rows are one pass through all pipeline stages; a stage does so much of the time.
fn utilization(scenario: &Scenario, rows: &[KernelRow], phase_ms: f64, occupied: f64) -> PhaseUtilization {
    let machine = &scenario.machine;
    let phase = Seconds::new(phase_ms * 1e-3);
    let busy: Seconds = rows
        .iter()
        .map(|row| row.cost.flop * row.call.calls / machine.peak(row.cost.math.unwrap_or(MathType::Bf16)))
        .sum();
    let bytes: Bytes = rows.iter().map(|row| row.cost.dram_bytes * row.call.calls).sum();
    PhaseUtilization {
        compute: busy / phase * occupied,
        memory_bandwidth: bytes / machine.sheet.bandwidth / phase * occupied,
    }
}
