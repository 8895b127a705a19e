//! The shape of the format: keys and types.

use serde::Serialize;

/// A whole result.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs, reason = "keys say what they are; RESULTS.md documents the format")]
pub struct Record {
    pub schema_version: u32,
    pub tool: Tool,
    pub inputs: Inputs,
    pub feasible: bool,
    pub shortfall: Option<Shortfall>,
    pub metrics: Metrics,
    pub bands: BandsRecord,
    pub ttft: Option<Breakdown>,
    pub tpot: Option<Breakdown>,
    pub tpot_series: Vec<SeriesPoint>,
    pub kernels: Vec<Kernel>,
    pub utilization: Utilization,
    pub transfers: Vec<Transfer>,
    pub memory: Memory,
    pub model: Model,
    pub bottlenecks: Vec<BottleneckRecord>,
    pub checks: Vec<CheckRecord>,
    pub claims: Vec<ClaimRecord>,
    pub warnings: Vec<Warning>,
}

macro_rules! records {
    ($(struct $name:ident { $($field:ident: $type:ty,)* })*) => {$(
        #[derive(Clone, Debug, Serialize)]
        #[allow(missing_docs, reason = "keys say what they are")]
        pub struct $name { $(pub $field: $type,)* }
    )*};
}

records! {
    struct Tool { name: &'static str, version: &'static str, }

    struct Inputs {
        model: String,
        hardware: String,
        deployment: Deployment,
        workload: Workload,
        switches: Switches,
        overrides: Vec<String>,
        budgets: Budgets,
        hash: String,
    }

    struct Deployment {
        tensor_parallel: u64,
        pipeline_parallel: u64,
        data_parallel: u64,
        expert_parallel: u64,
        engine: String,
        memory_utilization: f64,
        kv_block_tokens: u64,
        runtime_reserve_gib: Option<f64>,
        kv_tokens: Option<u64>,
    }

    struct Workload { batch_size: u64, prompt_len: u64, gen_len: u64, scenario: &'static str, }

    struct Switches {
        weights_dtype: &'static str,
        kv_dtype: &'static str,
        cuda_graphs: bool,
        embedding_placement: &'static str,
        sampler: Sampler,
        cpu_overhead_ms: Option<f64>,
        boundary: &'static str,
        fuse_embedding_norm: bool,
    }

    struct Sampler { kind: &'static str, method: &'static str, top_k: u64, top_p: f64, }

    struct Budgets { ttft_ms: Option<f64>, tpot_ms: Option<f64>, e2e_ms: Option<f64>, }

    struct Shortfall {
        resource: &'static str,
        needed_bytes: f64,
        available_bytes: f64,
        largest_batch: Option<u64>,
        largest_context: Option<u64>,
    }

    struct Metrics {
        ttft_ms: Option<f64>,
        tpot_ms: Option<f64>,
        tpot_inclusive_ms: Option<f64>,
        tpot_stddev_ms: Option<f64>,
        tpot_p99_ms: Option<f64>,
        e2e_ms: Option<f64>,
        first_token_pos: Option<u64>,
        output_tokens_per_s: Option<f64>,
        requests_per_s: Option<f64>,
    }

    struct BandsRecord { ttft_ms: Option<BandRecord>, tpot_ms: Option<BandRecord>, }

    struct BandRecord { low: f64, high: f64, basis: String, }

    struct Breakdown { stage: &'static str, ms: f64, share: f64, children: Vec<Breakdown>, }

    struct SeriesPoint {
        context: u64,
        ms: f64,
        host: f64,
        input_embedding_load: f64,
        attention: f64,
        ffn: f64,
        norm: f64,
        kv_cache_write: f64,
        output_logits_read: f64,
        sampling: f64,
    }

    struct Kernel {
        phase: &'static str,
        stage: &'static str,
        name: &'static str,
        shape: String,
        calls: f64,
        time_ms: f64,
        share: f64,
        flop: f64,
        dram_bytes: f64,
        achieved_tflops: Option<f64>,
        achieved_gb_s: Option<f64>,
        peak_share: Option<f64>,
        occupancy: Option<f64>,
        theoretical_occupancy: Option<f64>,
        wave_efficiency: Option<f64>,
        l2_hit_rate: Option<f64>,
        arithmetic_intensity: Option<f64>,
        bound: &'static str,
        provenance: String,
    }

    struct Utilization { prefill: Option<PhaseUtilization>, decode: Option<PhaseUtilization>, }

    struct PhaseUtilization { compute: f64, memory_bandwidth: f64, }

    struct Transfer {
        phase: &'static str,
        name: &'static str,
        stage: &'static str,
        path: &'static [&'static str],
        bytes: f64,
        time_ms: f64,
        effective_gb_s: f64,
        burst_utilization: f64,
    }

    struct Memory {
        capacity_bytes: f64,
        usable_bytes: f64,
        weights_bytes: f64,
        kv_cache_bytes: f64,
        kv_bytes_per_token: f64,
        activation_bytes: f64,
        runtime_bytes: f64,
        free_bytes: f64,
        kv_capacity_tokens: u64,
    }

    struct Model { parameters_total: u64, parameters_active: u64, weights_bytes: f64, }

    struct BottleneckRecord {
        rank: usize,
        lever: &'static str,
        title: String,
        metric: &'static str,
        baseline_ms: f64,
        relaxed_ms: f64,
        saved_ms: f64,
        evidence: Vec<EvidenceRecord>,
        cause: String,
        remedy: String,
        remedies: Vec<RemedyRecord>,
        verify: Vec<String>,
        owner: String,
    }

    struct EvidenceRecord { label: &'static str, value: f64, unit: &'static str, }

    struct RemedyRecord { lever: &'static str, saved_ms: f64, cost_note: String, }

    struct CheckRecord { id: &'static str, status: &'static str, message: String, arithmetic: String, }

    struct ClaimRecord { claim: &'static str, claimed: f64, simulated: f64, unit: &'static str, explanation: String, }

    struct Warning { id: &'static str, message: String, help: String, }
}
