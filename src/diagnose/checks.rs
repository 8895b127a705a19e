//! The checklist: each requirement of the model and the workload against the hardware, with its arithmetic.

use super::{Budgets, Metric};
use crate::kernel::LinearFormat;
use crate::machine::arch_number;
use crate::quantity::WeightDtype;
use crate::scenario::Scenario;
use crate::simulate::Memory;
use crate::spec::{ConstraintSpec, EmbeddingPlacement};

/// A requirement and how it stands. `needed` and `available` are in the unit of the kind.
#[derive(Clone, Debug, PartialEq)]
pub struct Check {
    /// What is asked.
    pub kind: CheckKind,
    /// How it stands.
    pub status: Status,
}

/// Pass, warn or fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// Met.
    Pass,
    /// Met in a way the user should know of.
    Warn,
    /// Not met.
    Fail,
}

impl Status {
    /// The name in results.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Warn => "warn",
            Self::Fail => "fail",
        }
    }
}

/// What is asked, with the figures it is decided by.
#[derive(Clone, Debug, PartialEq)]
pub enum CheckKind {
    /// Weights, KV cache, activations and runtime fit the engine's share, bytes.
    Memory {
        /// Needed.
        needed: f64,
        /// Available.
        available: f64,
    },
    /// The longest request fits alone, tokens.
    LongestRequest {
        /// Tokens the model was trained for.
        tokens: u64,
        /// Tokens the KV cache holds.
        capacity: u64,
    },
    /// The tensor cores multiply the type the weights are stored in.
    WeightMath {
        /// Storage.
        stored: WeightDtype,
        /// How it is computed.
        computed: LinearFormat,
    },
    /// Tensor cores are there, as the profile requires.
    TensorCores {
        /// Dense 16-bit rate, TFLOPS.
        tflops: f64,
    },
    /// The architecture is at least what the profile requires.
    SmArch {
        /// Required, as `sm_80`.
        required: String,
        /// There is.
        found: String,
    },
    /// Prompt and output stay within what the model was trained for, tokens.
    ContextWindow {
        /// Asked for.
        asked: u64,
        /// Trained for.
        trained: u64,
    },
    /// The bandwidth that the TPOT target needs for weights and KV cache alone, GB/s.
    BandwidthForTpot {
        /// Bytes of a step on one rank.
        step_bytes: f64,
        /// The target.
        target_ms: f64,
        /// Needed.
        needed: f64,
        /// On the data sheet.
        available: f64,
    },
    /// The tensor rate that the TTFT target needs for the prompt alone, TFLOPS.
    ComputeForTtft {
        /// Operations of the prompt on one rank.
        flop: f64,
        /// The target.
        target_ms: f64,
        /// Needed.
        needed: f64,
        /// On the data sheet.
        available: f64,
    },
    /// The host link carries the embedding table within the TTFT target, or nothing but token ids crosses.
    HostLink {
        /// Where the table lives.
        placement: EmbeddingPlacement,
        /// Bytes that cross at a prefill.
        bytes: f64,
        /// Time they take, ms.
        ms: f64,
    },
    /// KV rows start on memory-sector boundaries.
    KvAlignment {
        /// Bytes of one head's row.
        row_bytes: f64,
        /// Alignment.
        alignment: u64,
    },
}

impl CheckKind {
    /// The id in results.
    #[must_use]
    pub const fn id(&self) -> &'static str {
        match self {
            Self::Memory { .. } => "memory",
            Self::LongestRequest { .. } => "longest_request",
            Self::WeightMath { .. } => "weight_math",
            Self::TensorCores { .. } => "tensor_cores",
            Self::SmArch { .. } => "sm_arch",
            Self::ContextWindow { .. } => "context_window",
            Self::BandwidthForTpot { .. } => "bandwidth_for_tpot",
            Self::ComputeForTtft { .. } => "compute_for_ttft",
            Self::HostLink { .. } => "host_link",
            Self::KvAlignment { .. } => "kv_alignment",
        }
    }
}

/// Bytes of a device-memory sector.
const SECTOR: f64 = 32.0;

/// Runs the checklist.
#[must_use]
pub fn checks(
    scenario: &Scenario,
    memory: &Memory,
    constraint: &ConstraintSpec,
    alignment: Option<u64>,
    budgets: &Budgets,
) -> Vec<Check> {
    let mut list = vec![memory_check(memory)];
    list.extend(longest_request(scenario, memory));
    list.push(weight_math(scenario));
    list.extend(constraints(scenario, constraint));
    list.extend(context_window(scenario));
    list.extend(bandwidth_for_tpot(scenario, budgets));
    list.extend(compute_for_ttft(scenario, budgets));
    list.push(host_link(scenario, budgets));
    list.push(kv_alignment(scenario, alignment));
    list
}

fn pass_if(ok: bool, otherwise: Status) -> Status {
    if ok { Status::Pass } else { otherwise }
}

fn memory_check(memory: &Memory) -> Check {
    let (needed, available) = (memory.needed().get(), memory.usable.get());
    Check { kind: CheckKind::Memory { needed, available }, status: pass_if(needed <= available, Status::Fail) }
}

fn longest_request(scenario: &Scenario, memory: &Memory) -> Option<Check> {
    let tokens = scenario.model.max_positions?;
    let kind = CheckKind::LongestRequest { tokens, capacity: memory.kv_capacity_tokens };
    Some(Check { kind, status: pass_if(tokens <= memory.kv_capacity_tokens, Status::Warn) })
}

fn weight_math(scenario: &Scenario) -> Check {
    let stored = scenario.model.weights;
    let computed = scenario.machine.linear_format(stored.into(), scenario.model.fp8_block_scales);
    let native = !computed.is_weight_only() || matches!(stored, WeightDtype::Int8 | WeightDtype::Int4);
    Check { kind: CheckKind::WeightMath { stored, computed }, status: pass_if(native, Status::Warn) }
}

fn constraints(scenario: &Scenario, constraint: &ConstraintSpec) -> Vec<Check> {
    let tensor = constraint.tensor_core_support.filter(|required| *required).map(|_| Check {
        kind: CheckKind::TensorCores { tflops: scenario.machine.sheet.bf16.tflops() },
        status: pass_if(arch_number(&scenario.machine.sm_arch).is_none_or(|n| n >= 70), Status::Fail),
    });
    let arch = constraint.min_sm_arch.as_ref().map(|required| {
        let found = scenario.machine.sm_arch.clone();
        let enough = arch_number(&found) >= arch_number(required) && arch_number(required).is_some();
        Check { kind: CheckKind::SmArch { required: required.clone(), found }, status: pass_if(enough, Status::Fail) }
    });
    tensor.into_iter().chain(arch).collect()
}

fn context_window(scenario: &Scenario) -> Option<Check> {
    let trained = scenario.model.max_positions?;
    let asked = scenario.workload.prompt_len + scenario.workload.gen_len;
    let status = pass_if(asked <= trained, Status::Warn);
    Some(Check { kind: CheckKind::ContextWindow { asked, trained }, status })
}

fn bandwidth_for_tpot(scenario: &Scenario, budgets: &Budgets) -> Option<Check> {
    let target_ms = budgets.limit(Metric::Tpot)?;
    let tokens = scenario.workload.prompt_len as f64 + scenario.workload.gen_len as f64 / 2.0;
    let batch = scenario.workload.batch_size as f64;
    let kv = scenario.kv_cache().sequence_bytes(tokens) * batch;
    let step_bytes = scenario.model.step_weight_bytes(batch) / scenario.ranks() + kv;
    let (needed, available) = (step_bytes / (target_ms * 1e-3) / 1e9, scenario.machine.sheet.bandwidth.gb_s());
    let kind = CheckKind::BandwidthForTpot { step_bytes, target_ms, needed, available };
    Some(Check { kind, status: pass_if(needed <= available, Status::Fail) })
}

fn compute_for_ttft(scenario: &Scenario, budgets: &Budgets) -> Option<Check> {
    let target_ms = budgets.limit(Metric::Ttft)?;
    let tokens = (scenario.workload.prompt_len * scenario.workload.batch_size) as f64;
    let flop = 2.0 * scenario.model.matrix_parameters_per_token() * tokens / scenario.ranks();
    let format = scenario.machine.linear_format(scenario.model.weights.into(), scenario.model.fp8_block_scales);
    let (needed, available) = (flop / (target_ms * 1e-3) / 1e12, scenario.machine.peak(format.math()).tflops());
    let kind = CheckKind::ComputeForTtft { flop, target_ms, needed, available };
    Some(Check { kind, status: pass_if(needed <= available, Status::Fail) })
}

fn host_link(scenario: &Scenario, budgets: &Budgets) -> Check {
    let placement = scenario.switches.embedding_placement;
    let tokens = (scenario.workload.prompt_len * scenario.workload.batch_size) as f64;
    let bytes = match placement {
        EmbeddingPlacement::Device => 4.0 * tokens,
        EmbeddingPlacement::HostMapped => 2.0 * tokens * scenario.model.hidden_size as f64,
        EmbeddingPlacement::HostPinned | EmbeddingPlacement::HostPageable => {
            scenario.model.embedding_bytes() / scenario.ranks()
        }
    };
    let ms = bytes / scenario.machine.sheet.pcie.effective.get() * 1e3;
    let status = match budgets.limit(Metric::Ttft) {
        Some(limit) if ms > limit => Status::Fail,
        _ => pass_if(placement == EmbeddingPlacement::Device, Status::Warn),
    };
    Check { kind: CheckKind::HostLink { placement, bytes, ms }, status }
}

fn kv_alignment(scenario: &Scenario, alignment: Option<u64>) -> Check {
    let head_dim = scenario.model.softmax().map_or(128.0, |spec| spec.head_dim as f64);
    let row_bytes = head_dim * scenario.model.kv.bytes(head_dim);
    let alignment = alignment.unwrap_or(64);
    let aligned = row_bytes % SECTOR == 0.0 && alignment as f64 % SECTOR == 0.0;
    Check { kind: CheckKind::KvAlignment { row_bytes, alignment }, status: pass_if(aligned, Status::Warn) }
}
