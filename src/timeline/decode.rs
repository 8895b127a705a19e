//! The tokens after the first: one step at each context.

use super::{Breakdown, KernelRow, PhaseKind, SeriesPoint, host, price};
use crate::cost::KernelCost;
use crate::kernel::{DecodeAttention, Kernel, KernelCall, PrefillAttention, Stage};
use crate::plan;
use crate::quantity::Seconds;
use crate::scenario::Scenario;

/// Priced decode.
pub(super) struct Decode {
    /// Mean step, by stage and kernel.
    pub tpot: Breakdown,
    /// Every kernel, copy and task of the mean step.
    pub rows: Vec<KernelRow>,
    /// Steps at up to [`SERIES_POINTS`] contexts.
    pub series: Vec<SeriesPoint>,
    /// Standard deviation over positions.
    pub stddev_ms: f64,
    /// 99th percentile over positions.
    pub p99_ms: f64,
}

/// Points of the series at most.
const SERIES_POINTS: u64 = 257;

/// One step at one context.
#[derive(Clone, Copy)]
struct Position {
    attention: Seconds,
    wait: Seconds,
    total: Seconds,
}

/// What does not change from step to step.
struct Constant {
    gpu: Seconds,
    launch_floor: Seconds,
    serial: Seconds,
    factor: f64,
    attention: KernelCall,
}

/// Prices the steps at contexts P+1 … P+G−1; none for a single output token.
pub(super) fn run(scenario: &Scenario) -> Option<Decode> {
    let (prompt, steps) = (scenario.workload.prompt_len, scenario.workload.gen_len - 1);
    if steps == 0 {
        return None;
    }
    let mean_context = prompt as f64 + (steps + 1) as f64 / 2.0;
    let calls = plan::decode(scenario, mean_context).calls;
    let factor = scenario.deployment.engine.decode_factor;
    let mut rows = price::rows(scenario, PhaseKind::Decode, &calls, factor);
    let constant = constant(scenario, &rows, factor)?;
    let positions: Vec<Position> = (1..=steps).map(|i| position(scenario, &constant, (prompt + i) as f64)).collect();
    let mean = mean(&positions);
    let attention = rows.iter_mut().find(|row| matches!(row.call.kernel, Kernel::DecodeAttention(_)))?;
    attention.time = mean.attention;
    attention.cost.time = Seconds::new(mean.attention.get() / attention.call.calls);
    let mut all = host::decode(scenario, mean.wait);
    all.append(&mut rows);
    all.push(cache_write_row(scenario, constant.attention.calls));
    let tpot = Breakdown::of_rows("tpot", &all);
    let (stddev_ms, p99_ms) = spread(&positions);
    let series = series(scenario, &positions, &tpot, &mean);
    Some(Decode { tpot, rows: all, series, stddev_ms, p99_ms })
}

fn constant(scenario: &Scenario, rows: &[KernelRow], factor: f64) -> Option<Constant> {
    let attention = rows.iter().map(|row| row.call).find(|call| matches!(call.kernel, Kernel::DecodeAttention(_)))?;
    let gpu_rows = || rows.iter().filter(|row| price::is_gpu(&row.call));
    let launches = gpu_rows().map(|row| row.call.calls).sum();
    let others = gpu_rows().filter(|row| !matches!(row.call.kernel, Kernel::DecodeAttention(_)));
    let copies: Seconds = rows.iter().filter(|row| !price::is_gpu(&row.call)).map(|row| row.time).sum();
    Some(Constant {
        gpu: others.map(|row| row.time).sum(),
        launch_floor: host::launch_floor(scenario, launches),
        serial: host::decode_step(scenario) + copies,
        factor,
        attention,
    })
}

fn position(scenario: &Scenario, constant: &Constant, context: f64) -> Position {
    let Kernel::DecodeAttention(kernel) = constant.attention.kernel else {
        return Position { attention: Seconds::ZERO, wait: Seconds::ZERO, total: Seconds::ZERO };
    };
    let kernel = Kernel::DecodeAttention(DecodeAttention { context, ..kernel });
    let attention = price::time(scenario, &kernel, constant.factor) * constant.attention.calls;
    let gpu = constant.gpu + attention;
    let busy = smooth_max(gpu, constant.launch_floor);
    Position { attention, wait: busy - gpu, total: busy + constant.serial }
}

/// `(a⁴ + b⁴)^¼`: the CPU issues while the GPU works, and neither hides the other fully when they are close.
fn smooth_max(gpu: Seconds, floor: Seconds) -> Seconds {
    if floor.get() <= 0.0 {
        return gpu;
    }
    let (a, b) = (gpu.get() * gpu.get(), floor.get() * floor.get());
    Seconds::new((a * a + b * b).sqrt().sqrt())
}

fn mean(positions: &[Position]) -> Position {
    let count = positions.len() as f64;
    let average =
        |part: fn(&Position) -> Seconds| Seconds::new(positions.iter().map(part).sum::<Seconds>().get() / count);
    Position { attention: average(|p| p.attention), wait: average(|p| p.wait), total: average(|p| p.total) }
}

/// New keys and values are written inside the attention kernel; the row shows their bytes.
fn cache_write_row(scenario: &Scenario, layers: f64) -> KernelRow {
    let head_dim = scenario.model.head_dim as f64;
    let kernel = PrefillAttention {
        sequences: scenario.workload.batch_size as f64,
        tokens: 1.0,
        heads: scenario.heads_per_rank(),
        kv_heads: scenario.kv_heads_per_rank(),
        head_dim,
        prefix: 0.0,
        window: 0.0,
        kv_bytes: scenario.model.kv.bytes(head_dim),
    };
    let call = KernelCall {
        name: "kv_cache_write",
        stage: Stage::KvCacheWrite,
        calls: layers,
        kernel: Kernel::KvCacheWrite(kernel),
        in_reference: true,
    };
    KernelRow { phase: PhaseKind::Decode, call, cost: KernelCost::inside(kernel.new_kv_bytes()), time: Seconds::ZERO }
}

fn spread(positions: &[Position]) -> (f64, f64) {
    let mut times: Vec<f64> = positions.iter().map(|p| p.total.ms()).collect();
    let count = times.len() as f64;
    let mean = times.iter().sum::<f64>() / count;
    let variance = times.iter().map(|t| (t - mean) * (t - mean)).sum::<f64>() / count;
    times.sort_by(f64::total_cmp);
    let rank = ((0.99 * count).ceil() as usize).clamp(1, times.len());
    (variance.sqrt(), times[rank - 1])
}

fn series(scenario: &Scenario, positions: &[Position], tpot: &Breakdown, mean: &Position) -> Vec<SeriesPoint> {
    let count = positions.len() as u64;
    let points = count.min(SERIES_POINTS);
    (0..points)
        .map(|i| {
            let index = if points == 1 { 0 } else { i * (count - 1) / (points - 1) };
            let p = positions[index as usize];
            let mut stages = Stage::ALL.map(|stage| tpot.child(stage.name()).map_or(0.0, |child| child.ms));
            stages[Stage::Host as usize] += (p.wait - mean.wait).ms();
            stages[Stage::Attention as usize] += (p.attention - mean.attention).ms();
            SeriesPoint { context: scenario.workload.prompt_len + 1 + index, ms: p.total.ms(), stages_ms: stages }
        })
        .collect()
}
