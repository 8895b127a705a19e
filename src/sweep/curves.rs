//! The curves of a single report: TTFT and throughput over batch, TPOT over context, TTFT over both.

use super::knee::{Knee, LoadPoint, knee};
use crate::scenario::Scenario;
use crate::simulate::{Metrics, Outcome, simulate};
use crate::spec::ScenarioKind;

/// What changes with load.
#[derive(Clone, Debug)]
pub struct Curves {
    /// Over batch size.
    pub batch: BatchCurve,
    /// A decode step over context length, by stage.
    pub context: Vec<ContextPoint>,
    /// TTFT over batch size and prompt length.
    pub grid: Grid,
}

/// TTFT and throughput over batch size.
#[derive(Clone, Debug)]
pub struct BatchCurve {
    /// Points, smallest batch first.
    pub points: Vec<BatchPoint>,
    /// Where more batch stops paying.
    pub knee: Option<Knee>,
}

/// A batch size and its result; none where it does not fit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BatchPoint {
    /// Requests.
    pub batch: u64,
    /// Headline figures.
    pub metrics: Option<Metrics>,
}

/// A decode step at a context.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContextPoint {
    /// Tokens attended to.
    pub context: u64,
    /// The step, ms.
    pub ms: f64,
    /// By stage, in the order of `Stage::ALL`, ms.
    pub stages_ms: [f64; 8],
}

/// TTFT over batch size and prompt length.
#[derive(Clone, Debug)]
pub struct Grid {
    /// Columns.
    pub batches: Vec<u64>,
    /// Rows.
    pub prompts: Vec<u64>,
    /// Row by row.
    pub cells: Vec<Vec<GridCell>>,
}

/// A cell of the grid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GridCell {
    /// TTFT in ms.
    Ttft(f64),
    /// Does not fit.
    OutOfMemory,
}

/// The curves around a scenario, over these batch sizes; none given means the usual ones.
#[must_use]
pub fn curves(scenario: &Scenario, batches: &[u64]) -> Curves {
    let usual = if batches.is_empty() { &[1, 2, 3, 4, 6, 8, 12, 16][..] } else { batches };
    let asked = if batches.is_empty() { scenario.workload.batch_size } else { batches[0] };
    let batches = sizes(usual, asked);
    Curves { batch: batch_curve(scenario, &batches), context: context_curve(scenario), grid: grid(scenario) }
}

/// Sizes around what was asked: the usual ones, the one asked for, and its half and double beyond them.
fn sizes(usual: &[u64], asked: u64) -> Vec<u64> {
    let last = usual.last().copied().unwrap_or(1);
    let beyond = if asked > last { vec![asked / 2, asked * 2] } else { Vec::new() };
    let mut all: Vec<u64> = usual.iter().copied().chain([asked]).chain(beyond).collect();
    all.sort_unstable();
    all.dedup();
    all
}

fn with(scenario: &Scenario, edit: impl FnOnce(&mut Scenario)) -> Outcome {
    let mut changed = scenario.clone();
    edit(&mut changed);
    simulate(&changed)
}

/// The curve over given batch sizes, smallest first.
fn batch_curve(scenario: &Scenario, batches: &[u64]) -> BatchCurve {
    let outcomes: Vec<(u64, Outcome)> =
        batches.iter().map(|batch| (*batch, with(scenario, |s| s.workload.batch_size = *batch))).collect();
    let points = outcomes
        .iter()
        .map(|(batch, outcome)| BatchPoint { batch: *batch, metrics: outcome.run().map(|run| run.metrics) })
        .collect::<Vec<_>>();
    BatchCurve { knee: knee(&outcomes.iter().map(load_point).collect::<Vec<_>>()), points }
}

fn load_point((batch, outcome): &(u64, Outcome)) -> LoadPoint {
    let figures = outcome.run().and_then(|run| {
        let compute = run.prefill_utilization?.compute;
        Some((run.metrics.ttft_ms?, run.metrics.output_tokens_per_s?, compute))
    });
    LoadPoint { batch: *batch, figures }
}

const CONTEXTS: [u64; 10] = [256, 1024, 2048, 4096, 8192, 16_384, 32_768, 65_536, 98_304, 131_072];

fn context_curve(scenario: &Scenario) -> Vec<ContextPoint> {
    let longest =
        scenario.model.max_positions.unwrap_or(32_768).max(scenario.workload.prompt_len + scenario.workload.gen_len);
    let contexts = CONTEXTS.into_iter().filter(|context| *context <= longest);
    contexts.filter_map(|context| step_at(scenario, context)).collect()
}

fn step_at(scenario: &Scenario, context: u64) -> Option<ContextPoint> {
    let outcome = with(scenario, |s| {
        s.workload.prompt_len = context - 1;
        s.workload.gen_len = 2;
        s.workload.scenario = ScenarioKind::Decode;
    });
    let point = *outcome.run()?.series.first()?;
    Some(ContextPoint { context: point.context, ms: point.ms, stages_ms: point.stages_ms })
}

fn grid(scenario: &Scenario) -> Grid {
    let batches = sizes(&[1, 2, 4, 8, 16], scenario.workload.batch_size);
    let prompts = sizes(&[256, 512, 1024, 2048, 4096, 8192], scenario.workload.prompt_len);
    let cell = |prompt: u64, batch: u64| {
        let outcome = with(scenario, |s| {
            s.workload.batch_size = batch;
            s.workload.prompt_len = prompt;
            s.workload.scenario = ScenarioKind::Prefill;
        });
        outcome.run().and_then(|run| run.metrics.ttft_ms).map_or(GridCell::OutOfMemory, GridCell::Ttft)
    };
    let cells = prompts.iter().map(|prompt| batches.iter().map(|batch| cell(*prompt, *batch)).collect()).collect();
    Grid { batches, prompts, cells }
}
