//! The numbers of a report as they are written to JSON: keys end in their unit, absent is null, numbers are finite.
//!
//! Domain types are never serialised themselves, so that a change inside does not change the format.

use serde::Serialize;

use super::figures::{self, KernelFigures};
use super::words::{self, facts::Facts};
use super::{Answer, Report, Told};
use crate::diagnose::{Band, Bands, Bottleneck, ClassError};
use crate::kernel::Stage;
use crate::simulate::{self, KernelRow, PhaseKind, TransferRow};

/// Version of the format; raised when a key changes its meaning or goes.
pub const SCHEMA_VERSION: u32 = 1;

/// A whole result.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs, reason = "keys say what they are; the command-line guide documents the format")]
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

impl Record {
    /// The numbers of a report.
    #[must_use]
    pub fn new(report: &Report) -> Self {
        let told = report.told();
        let run = told.map(|told| &told.run);
        let utilization = |u: simulate::PhaseUtilization| PhaseUtilization {
            compute: u.compute,
            memory_bandwidth: u.memory_bandwidth,
        };
        Self {
            schema_version: SCHEMA_VERSION,
            tool: Tool { name: env!("CARGO_PKG_NAME"), version: env!("CARGO_PKG_VERSION") },
            inputs: inputs(report),
            feasible: told.is_some(),
            shortfall: shortfall(report),
            metrics: metrics(run.map(|run| &run.metrics)),
            bands: told.map_or(BandsRecord { ttft_ms: None, tpot_ms: None }, |told| bands(&told.bands)),
            ttft: run.and_then(|run| run.ttft.as_ref()).map(|tree| breakdown(tree, tree.ms)),
            tpot: run.and_then(|run| run.tpot.as_ref()).map(|tree| breakdown(tree, tree.ms)),
            tpot_series: run.map_or_else(Vec::new, |run| run.series.iter().map(series_point).collect()),
            kernels: run.map_or_else(Vec::new, |run| run.kernels.iter().map(|row| kernel(report, run, row)).collect()),
            utilization: Utilization {
                prefill: run.and_then(|run| run.prefill_utilization).map(utilization),
                decode: run.and_then(|run| run.decode_utilization).map(utilization),
            },
            transfers: run.map_or_else(Vec::new, |run| run.transfers.iter().map(transfer).collect()),
            memory: memory(report),
            model: model(report),
            bottlenecks: told.map_or_else(Vec::new, |told| bottlenecks(report, told)),
            checks: report.checks.iter().map(|check| words::check(report, check)).collect(),
            claims: told
                .map_or_else(Vec::new, |told| told.claims.iter().map(|claim| words::claim(report, claim)).collect()),
            warnings: words::warnings(report),
        }
    }
}

fn inputs(report: &Report) -> Inputs {
    let (scenario, origin) = (&report.scenario, &report.origin_of_report);
    let (deployment, workload, switches) = (&scenario.deployment, &scenario.workload, &scenario.switches);
    use crate::diagnose::Metric::{E2e, Tpot, Ttft};
    Inputs {
        model: scenario.model.name.clone(),
        hardware: scenario.machine.id.clone(),
        deployment: Deployment {
            tensor_parallel: deployment.tensor_parallel,
            pipeline_parallel: 1,
            engine: deployment.engine.id.clone(),
            memory_utilization: deployment.memory_utilization,
            kv_block_tokens: deployment.kv_block_tokens,
            runtime_reserve_gib: deployment.runtime_reserve.map(|bytes| bytes.gib()),
            kv_tokens: deployment.kv_tokens,
        },
        workload: Workload {
            batch_size: workload.batch_size,
            prompt_len: workload.prompt_len,
            gen_len: workload.gen_len,
            scenario: workload.scenario.name(),
        },
        switches: Switches {
            weights_dtype: scenario.model.weights.name(),
            kv_dtype: scenario.model.kv.name(),
            cuda_graphs: switches.cuda_graphs,
            embedding_placement: switches.embedding_placement.name(),
            sampler: Sampler {
                kind: switches.sampler.kind.name(),
                method: switches.sampler.method.name(),
                top_k: switches.sampler.top_k,
                top_p: switches.sampler.top_p,
            },
            cpu_overhead_ms: switches.cpu_overhead.map(|time| time.ms()),
            boundary: switches.boundary.name(),
            fuse_embedding_norm: switches.fuse_embedding_norm,
        },
        overrides: origin.overrides.clone(),
        budgets: Budgets {
            ttft_ms: report.budgets.limit(Ttft),
            tpot_ms: report.budgets.limit(Tpot),
            e2e_ms: report.budgets.limit(E2e),
        },
        hash: origin.input_hash.clone(),
    }
}

fn shortfall(report: &Report) -> Option<Shortfall> {
    let Answer::DoesNotFit(shortfall, _) = &report.answer else { return None };
    Some(Shortfall {
        resource: shortfall.resource.name(),
        needed_bytes: shortfall.needed.get(),
        available_bytes: shortfall.available.get(),
        largest_batch: shortfall.largest_batch,
        largest_context: shortfall.largest_context,
    })
}

fn metrics(metrics: Option<&simulate::Metrics>) -> Metrics {
    let of = |part: fn(&simulate::Metrics) -> Option<f64>| metrics.and_then(part);
    let ttft_ms = of(|m| m.ttft_ms);
    Metrics {
        ttft_ms,
        tpot_ms: of(|m| m.tpot_ms),
        tpot_inclusive_ms: of(|m| m.tpot_inclusive_ms),
        tpot_stddev_ms: of(|m| m.tpot_stddev_ms),
        tpot_p99_ms: of(|m| m.tpot_p99_ms),
        e2e_ms: of(|m| m.e2e_ms),
        // A causal model needs the whole prompt for its first token.
        first_token_pos: ttft_ms.map(|_| 1),
        output_tokens_per_s: of(|m| m.output_tokens_per_s),
        requests_per_s: of(|m| m.requests_per_s),
    }
}

fn bands(bands: &Bands) -> BandsRecord {
    let record = |band: Option<Band>, phase: &str| {
        band.map(|b| BandRecord { low: b.low, high: b.high, basis: basis(bands, &b.error, phase) })
    };
    BandsRecord { ttft_ms: record(bands.ttft, "prefill"), tpot_ms: record(bands.tpot, "decode") }
}

fn basis(bands: &Bands, error: &ClassError, phase: &str) -> String {
    let thin = if error.is_thin() { ", too few to carry a band" } else { "" };
    format!(
        "{} {phase}: 90 % of {} pooled public rows within a factor of {:.2}{thin}",
        bands.class.name(),
        error.rows,
        error.factor
    )
}

fn breakdown(tree: &simulate::Breakdown, root_ms: f64) -> Breakdown {
    Breakdown {
        stage: tree.name,
        ms: tree.ms,
        share: if root_ms > 0.0 { tree.ms / root_ms } else { 0.0 },
        children: tree.children.iter().map(|child| breakdown(child, root_ms)).collect(),
    }
}

fn series_point(point: &simulate::SeriesPoint) -> SeriesPoint {
    let of = |stage: Stage| nanoseconds(point.stages_ms[stage as usize]);
    SeriesPoint {
        context: point.context,
        ms: nanoseconds(point.ms),
        host: of(Stage::Host),
        input_embedding_load: of(Stage::InputEmbeddingLoad),
        attention: of(Stage::Attention),
        ffn: of(Stage::Ffn),
        norm: of(Stage::Norm),
        kv_cache_write: of(Stage::KvCacheWrite),
        output_logits_read: of(Stage::OutputLogitsRead),
        sampling: of(Stage::Sampling),
    }
}

/// Milliseconds to the nanosecond: a series has hundreds of points, and no digit beyond means anything.
fn nanoseconds(ms: f64) -> f64 {
    (ms * 1e6).round() / 1e6
}

fn kernel(report: &Report, run: &simulate::Run, row: &KernelRow) -> Kernel {
    let scenario = &report.scenario;
    let figures = KernelFigures::new(row, &scenario.machine);
    let phase_ms = match row.phase {
        PhaseKind::Prefill => run.metrics.ttft_ms,
        PhaseKind::Decode => run.metrics.tpot_ms,
    };
    Kernel {
        phase: row.phase.name(),
        stage: row.call.stage.name(),
        name: row.call.name,
        shape: figures::shape(&row.call.kernel),
        calls: row.call.calls,
        time_ms: row.time.ms(),
        share: phase_ms.map_or(0.0, |ms| row.time.ms() / ms),
        flop: row.cost.flop.get() * row.call.calls,
        dram_bytes: row.cost.dram_bytes.get() * row.call.calls,
        achieved_tflops: figures.achieved_tflops,
        achieved_gb_s: figures.achieved_gb_s,
        peak_share: figures.peak_share,
        occupancy: row.cost.occupancy.map(|o| o.achieved),
        theoretical_occupancy: row.cost.occupancy.map(|o| o.theoretical),
        wave_efficiency: row.cost.wave_efficiency,
        l2_hit_rate: row.cost.l2_hit,
        arithmetic_intensity: figures.arithmetic_intensity,
        bound: row.cost.bound.name(),
        provenance: figures::provenance(row.cost.provenance, &scenario.machine, &scenario.deployment.engine.id),
    }
}

fn transfer(row: &TransferRow) -> Transfer {
    Transfer {
        phase: row.phase.name(),
        name: row.name,
        stage: row.stage.name(),
        path: row.path,
        bytes: row.bytes.get(),
        time_ms: row.time.ms(),
        effective_gb_s: row.rate.gb_s(),
        burst_utilization: row.burst_utilization,
    }
}

fn memory(report: &Report) -> Memory {
    let m = report.memory();
    Memory {
        capacity_bytes: m.capacity.get(),
        usable_bytes: m.usable.get(),
        weights_bytes: m.weights.get(),
        kv_cache_bytes: m.kv_cache.get(),
        kv_bytes_per_token: m.kv_bytes_per_token.get(),
        activation_bytes: m.activation.get(),
        runtime_bytes: m.runtime.get(),
        free_bytes: m.free().get(),
        kv_capacity_tokens: m.kv_capacity_tokens,
    }
}

fn model(report: &Report) -> Model {
    let model = &report.scenario.model;
    Model {
        parameters_total: model.parameters(),
        parameters_active: model.parameters(),
        weights_bytes: model.weight_bytes(),
    }
}

fn bottlenecks(report: &Report, told: &Told) -> Vec<BottleneckRecord> {
    let facts = Facts { scenario: &report.scenario, run: &told.run };
    let record = |(index, bottleneck): (usize, &Bottleneck)| {
        let (metric, effect) = (bottleneck.metric, &bottleneck.effect);
        let value = |metrics: &simulate::Metrics| metric.of(metrics).unwrap_or(0.0);
        let said = words::bottleneck(report, facts, bottleneck);
        let evidence = bottleneck.evidence.iter();
        let remedies = bottleneck.remedies.iter().zip(said.cost_notes);
        BottleneckRecord {
            rank: index + 1,
            lever: effect.lever.name(),
            title: said.title,
            metric: metric.key(),
            baseline_ms: value(&effect.before),
            relaxed_ms: value(&effect.after),
            saved_ms: effect.saved(metric).unwrap_or(0.0),
            evidence: evidence
                .map(|e| EvidenceRecord { label: e.kind.name(), value: e.value, unit: e.unit.name() })
                .collect(),
            cause: said.cause,
            remedy: said.remedy,
            remedies: remedies
                .map(|(remedy, cost_note)| RemedyRecord {
                    lever: remedy.effect.lever.name(),
                    saved_ms: remedy.saved_ms,
                    cost_note,
                })
                .collect(),
            verify: said.verify,
            owner: said.owner,
        }
    };
    told.diagnosis.bottlenecks.iter().enumerate().map(record).collect()
}
