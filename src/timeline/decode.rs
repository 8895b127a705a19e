//! The tokens after the first: one step at each context.

use super::price::Prices;
use super::{Breakdown, KernelRow, PhaseKind, SeriesPoint, host, price};
use crate::kernel::{Kernel, KernelCall, Stage};
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
    /// Share of the phase in which a pipeline stage has work.
    pub occupied: f64,
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

/// What does not change from step to step, and the kernels that do.
struct Steps<'a> {
    prices: Prices<'a>,
    gpu: Seconds,
    launch_floor: Seconds,
    serial: Seconds,
    mean_context: f64,
    /// Row and what it takes over all steps.
    varying: Vec<(usize, KernelCall, Seconds)>,
}

/// Prices the steps at contexts P+1 … P+G−1; none for a single output token.
pub(super) fn run(scenario: &Scenario) -> Option<Decode> {
    let (prompt, count) = (scenario.workload.prompt_len, scenario.workload.gen_len - 1);
    if count == 0 {
        return None;
    }
    let mean_context = prompt as f64 + (count + 1) as f64 / 2.0;
    let plan::PhasePlan { calls, occupied, .. } = plan::decode(scenario, mean_context);
    let prices = Prices::new(scenario, scenario.deployment.engine.decode_factor);
    let mut rows = prices.rows(PhaseKind::Decode, &calls);
    let mut steps = Steps::new(scenario, prices, &rows, mean_context);
    let positions: Vec<Position> = (1..=count).map(|i| steps.at((prompt + i) as f64)).collect();
    for (index, call, total) in &steps.varying {
        rows[*index].time = Seconds::new(total.get() / count as f64);
        rows[*index].cost.time = Seconds::new(rows[*index].time.get() / call.calls);
    }
    let mean = mean(&positions);
    let mut all = host::decode(scenario, mean.wait);
    all.append(&mut rows);
    let tpot = Breakdown::of_rows("tpot", &all);
    let (stddev_ms, p99_ms) = spread(&positions);
    let series = series(scenario, &positions, &tpot, &mean);
    Some(Decode { tpot, rows: all, series, occupied, stddev_ms, p99_ms })
}

impl<'a> Steps<'a> {
    fn new(scenario: &Scenario, prices: Prices<'a>, rows: &[KernelRow], mean_context: f64) -> Self {
        let varies = |row: &KernelRow| row.call.kernel.at_context(mean_context, mean_context).is_some();
        let on_gpu = || rows.iter().filter(|row| price::is_gpu(&row.call));
        let launches =
            on_gpu().filter(|row| !matches!(row.call.kernel, Kernel::CacheAppend(_))).map(|row| row.call.calls);
        let copies: Seconds = rows.iter().filter(|row| !price::is_gpu(&row.call)).map(|row| row.time).sum();
        Self {
            prices,
            gpu: on_gpu().filter(|row| !varies(row)).map(|row| row.time).sum(),
            launch_floor: host::launch_floor(scenario, launches.sum()),
            serial: host::decode_step(scenario) + copies,
            mean_context,
            varying: rows
                .iter()
                .enumerate()
                .filter(|(_, row)| varies(row))
                .map(|(index, row)| (index, row.call, Seconds::ZERO))
                .collect(),
        }
    }

    /// The step at a context.
    fn at(&mut self, context: f64) -> Position {
        let mut attention = Seconds::ZERO;
        for (_, call, total) in &mut self.varying {
            let kernel = call.kernel.at_context(context, self.mean_context).unwrap_or(call.kernel);
            let time = self.prices.time(call, &kernel) * call.calls;
            attention += time;
            *total += time;
        }
        let gpu = self.gpu + attention;
        let busy = smooth_max(gpu, self.launch_floor);
        Position { attention, wait: busy - gpu, total: busy + self.serial }
    }
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
    let mean_stages = Stage::ALL.map(|stage| tpot.child(stage.name()).map_or(0.0, |child| child.ms));
    (0..points)
        .map(|i| {
            let index = if points == 1 { 0 } else { i * (count - 1) / (points - 1) };
            let p = positions[index as usize];
            let mut stages = mean_stages;
            stages[Stage::Host as usize] += (p.wait - mean.wait).ms();
            stages[Stage::Attention as usize] += (p.attention - mean.attention).ms();
            SeriesPoint { context: scenario.workload.prompt_len + 1 + index, ms: p.total.ms(), stages_ms: stages }
        })
        .collect()
}
