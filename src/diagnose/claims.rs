//! Claims of a profile beside the simulation. They are explained, never used.

use std::sync::Arc;

use crate::kernel::Stage;
use crate::scenario::Scenario;
use crate::simulate::{PhaseKind, Run, simulate};
use crate::spec::{ModelSpec, ScenarioKind};

/// A claim, the simulated figure, and what lies between them.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    /// What was claimed.
    pub kind: ClaimKind,
    /// The claimed value.
    pub claimed: f64,
    /// The simulated value in the same unit.
    pub simulated: f64,
    /// Why they differ.
    pub explanation: Explanation,
}

/// What a profile may claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimKind {
    /// `latency_profile.prefill_latency_ms`.
    PrefillLatency,
    /// `latency_profile.decode_latency_ms_per_token`.
    DecodeLatency,
    /// `latency_profile.token_generation_overhead_ms`.
    TokenOverhead,
    /// `io_profile.prefill_input_bandwidth_gb_s`.
    InputBandwidth,
    /// `memory_profile.kv_cache_bytes_per_layer`.
    KvBytes,
}

impl ClaimKind {
    /// The key in the profile.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::PrefillLatency => "prefill_latency_ms",
            Self::DecodeLatency => "decode_latency_ms_per_token",
            Self::TokenOverhead => "token_generation_overhead_ms",
            Self::InputBandwidth => "prefill_input_bandwidth_gb_s",
            Self::KvBytes => "kv_cache_bytes_per_layer",
        }
    }

    /// The unit of both values.
    #[must_use]
    pub const fn unit(self) -> &'static str {
        match self {
            Self::PrefillLatency | Self::DecodeLatency | Self::TokenOverhead => "ms",
            Self::InputBandwidth => "gb_s",
            Self::KvBytes => "bytes",
        }
    }
}

/// Why a claim and the simulation differ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Explanation {
    /// Prefill between its floor and its total.
    Prefill {
        /// The prompt it was simulated with.
        prompt_len: u64,
        /// FLOP over the data sheet's peak, ms.
        floor_ms: f64,
        /// Kernels, ms.
        gpu_ms: f64,
        /// Host time around them, ms.
        host_ms: f64,
        /// The longest prompt whose kernels stay within the claim, and what they take, ms: time rises in steps.
        within: Option<(u64, f64)>,
    },
    /// A decode step between its floors and its total.
    Decode {
        /// Context of the mean step.
        context: u64,
        /// All weights over the data sheet's bandwidth, ms.
        weights_floor_ms: f64,
        /// KV cache over the data sheet's bandwidth, ms.
        kv_floor_ms: f64,
        /// Kernels, ms.
        gpu_ms: f64,
        /// Host time and waiting, ms.
        host_ms: f64,
    },
    /// Sampling of a step.
    Sampling,
    /// The link's effective rate; the claim is not used.
    Link {
        /// On paper after encoding, GB/s.
        raw: f64,
    },
    /// KV bytes in the unit that fits best.
    Kv(KvReading),
}

/// The unit in which a KV figure was probably meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KvReading {
    /// Bytes of one token over all layers.
    TokenAllLayers,
    /// Bytes of one token in one layer.
    TokenOneLayer,
    /// Bytes of the whole context in one layer.
    ContextOneLayer,
    /// None within one percent.
    None,
}

/// Compares every claim of the profile.
#[must_use]
pub fn claims(scenario: &Scenario, profile: &ModelSpec, run: &Run) -> Vec<Claim> {
    let latency = &profile.latency;
    let list = [
        latency.prefill_latency_ms.and_then(|claimed| prefill(scenario, claimed, latency.prompt_len, run)),
        latency.decode_latency_ms_per_token.and_then(|claimed| decode(scenario, claimed, run)),
        latency.token_generation_overhead_ms.and_then(|claimed| sampling(claimed, run)),
        profile.io.prefill_input_bandwidth_gb_s.map(|claimed| link(scenario, claimed)),
        profile.kv_cache_bytes_per_layer.map(|claimed| kv(scenario, claimed)),
    ];
    list.into_iter().flatten().collect()
}

fn phase_ms(run: &Run, phase: PhaseKind, host: bool) -> f64 {
    let rows = run.kernels.iter().filter(|row| row.phase == phase && (row.call.stage == Stage::Host) == host);
    rows.fold(0.0, |sum, row| sum + row.time.ms())
}

fn prefill(scenario: &Scenario, claimed: f64, stated_len: Option<u64>, run: &Run) -> Option<Claim> {
    run.ttft.as_ref()?;
    let at_length = |prompt_len: u64| gpu_prefill_ms(scenario, prompt_len);
    let prompt_len = stated_len.unwrap_or(scenario.workload.prompt_len);
    let gpu_ms = at_length(prompt_len)?;
    let flop: f64 = run
        .kernels
        .iter()
        .filter(|row| row.phase == PhaseKind::Prefill)
        .map(|row| row.cost.flop.get() * row.call.calls)
        .sum();
    let peak = scenario.machine.sheet.bf16.get();
    let explanation = Explanation::Prefill {
        prompt_len,
        floor_ms: flop / peak * 1e3 * prompt_len as f64 / scenario.workload.prompt_len as f64,
        gpu_ms,
        host_ms: phase_ms(run, PhaseKind::Prefill, true),
        within: longest_within(claimed, &at_length),
    };
    Some(Claim { kind: ClaimKind::PrefillLatency, claimed, simulated: gpu_ms, explanation })
}

fn gpu_prefill_ms(scenario: &Scenario, prompt_len: u64) -> Option<f64> {
    let mut changed = scenario.clone();
    changed.workload.prompt_len = prompt_len;
    changed.workload.gen_len = 1;
    changed.workload.scenario = ScenarioKind::Prefill;
    changed.deployment.engine = Arc::clone(&scenario.deployment.engine);
    simulate(&changed).run().map(|run| phase_ms(run, PhaseKind::Prefill, false))
}

/// Longest prompt tried when looking for a length that fits a claim.
const LONGEST: u64 = 1 << 17;

/// The longest prompt whose kernels take at most `claimed`, and their time, by bisection: time never falls with length.
fn longest_within(claimed: f64, at_length: &impl Fn(u64) -> Option<f64>) -> Option<(u64, f64)> {
    if at_length(1)? > claimed {
        return None;
    }
    let (mut low, mut high) = (1, LONGEST);
    while high - low > 1 {
        let middle = low.midpoint(high);
        match at_length(middle) {
            Some(ms) if ms <= claimed => low = middle,
            _ => high = middle,
        }
    }
    if high < LONGEST { Some((low, at_length(low)?)) } else { None }
}

fn decode(scenario: &Scenario, claimed: f64, run: &Run) -> Option<Claim> {
    let simulated = run.metrics.tpot_ms?;
    let context = scenario.workload.prompt_len + scenario.workload.gen_len / 2;
    let bandwidth = scenario.machine.sheet.bandwidth.get();
    let kv_bytes = scenario.kv_cache().sequence_bytes(context as f64) * scenario.workload.batch_size as f64;
    let explanation = Explanation::Decode {
        context,
        weights_floor_ms: run.memory.weights.get() / bandwidth * 1e3,
        kv_floor_ms: kv_bytes / bandwidth * 1e3,
        gpu_ms: phase_ms(run, PhaseKind::Decode, false),
        host_ms: phase_ms(run, PhaseKind::Decode, true),
    };
    Some(Claim { kind: ClaimKind::DecodeLatency, claimed, simulated, explanation })
}

fn sampling(claimed: f64, run: &Run) -> Option<Claim> {
    let simulated = run.tpot.as_ref()?.child(Stage::Sampling.name())?.ms;
    Some(Claim { kind: ClaimKind::TokenOverhead, claimed, simulated, explanation: Explanation::Sampling })
}

fn link(scenario: &Scenario, claimed: f64) -> Claim {
    let pcie = scenario.machine.sheet.pcie;
    let explanation = Explanation::Link { raw: pcie.raw.gb_s() };
    Claim { kind: ClaimKind::InputBandwidth, claimed, simulated: pcie.effective.gb_s(), explanation }
}

fn kv(scenario: &Scenario, claimed: f64) -> Claim {
    let token = scenario.kv_cache().bytes_per_token();
    let one_layer = token / scenario.model.layers() as f64;
    let context = (scenario.workload.prompt_len + scenario.workload.gen_len) as f64;
    let readings = [
        (KvReading::TokenAllLayers, token),
        (KvReading::TokenOneLayer, one_layer),
        (KvReading::ContextOneLayer, one_layer * context),
    ];
    let fits = |value: f64| (claimed / value - 1.0).abs() < 0.01;
    let (reading, simulated) =
        readings.into_iter().find(|(_, value)| fits(*value)).unwrap_or((KvReading::None, one_layer));
    Claim { kind: ClaimKind::KvBytes, claimed, simulated, explanation: Explanation::Kv(reading) }
}
