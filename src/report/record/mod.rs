//! The numbers of a report as they are written to JSON: keys end in their unit, absent is null, numbers are finite.
//!
//! Domain types are never serialised themselves, so that a change inside does not change the format.

mod schema;

pub use schema::*;

use super::figures::{self, KernelFigures};
use super::words::{self, facts::Facts};
use super::{Answer, Report, Told};
use crate::diagnose::{Band, Bands, Bottleneck, ClassError};
use crate::kernel::Stage;
use crate::simulate::{self, KernelRow, PhaseKind, TransferRow};

/// Version of the format; raised when a key changes its meaning or goes.
pub const SCHEMA_VERSION: u32 = 1;

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
            pipeline_parallel: deployment.pipeline_parallel,
            data_parallel: deployment.data_parallel,
            expert_parallel: deployment.expert_parallel,
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
        free_bytes: m.free().get().max(0.0),
        kv_capacity_tokens: m.kv_capacity_tokens,
    }
}

fn model(report: &Report) -> Model {
    let model = &report.scenario.model;
    Model {
        parameters_total: model.parameters(),
        parameters_active: model.active_parameters(),
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
