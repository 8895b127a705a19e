//! What is kept of a point: the figures that a sweep compares, and no kernels.

use std::sync::Arc;

use crate::diagnose::{Bands, Budgets, Metric};
use crate::kernel::Stage;
use crate::scenario::Scenario;
use crate::simulate::{Breakdown, Metrics, Outcome};
use crate::spec::CostingClass;

/// A point and what became of it.
#[derive(Clone, Debug, PartialEq)]
pub struct PointResult {
    /// Place in the order of the matrix, from 0.
    pub ordinal: u64,
    /// Values by column of the matrix.
    pub values: Vec<Option<Arc<str>>>,
    /// Its targets: the report's, with its own in their place.
    pub budgets: Budgets,
    /// What became of it.
    pub outcome: PointOutcome,
}

/// What became of a point.
#[derive(Clone, Debug, PartialEq)]
pub enum PointOutcome {
    /// It runs.
    Ran(Box<PointFigures>),
    /// It does not fit.
    DoesNotFit(PointShortfall),
    /// It is no scenario: why.
    Invalid(String),
}

/// The figures of a point that runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointFigures {
    /// Headline figures.
    pub metrics: Metrics,
    /// How close the measurements behind it are.
    pub class: CostingClass,
    /// Error band of TTFT as a factor, where there is a TTFT.
    pub ttft_factor: Option<f64>,
    /// Error band of TPOT as a factor, where there is a TPOT.
    pub tpot_factor: Option<f64>,
    /// GPUs of one replica.
    pub gpus: u64,
    /// Share of the tensor peak that prefill reaches, where there is a prefill.
    pub prefill_compute: Option<f64>,
    /// TTFT by stage, ms.
    pub ttft_stages: [f64; 8],
    /// Mean step by stage, ms.
    pub tpot_stages: [f64; 8],
    /// Bytes needed on each rank.
    pub memory_needed: f64,
    /// Bytes the engine may use on each rank.
    pub memory_usable: f64,
    /// Tokens the KV cache can hold.
    pub kv_capacity_tokens: u64,
}

/// What a point lacks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointShortfall {
    /// Bytes needed.
    pub needed: f64,
    /// Bytes available.
    pub available: f64,
    /// The largest batch that fits at this length.
    pub largest_batch: Option<u64>,
    /// The longest context that fits at this batch.
    pub largest_context: Option<u64>,
}

impl PointOutcome {
    pub(super) fn of(scenario: &Scenario, outcome: &Outcome) -> Self {
        match outcome {
            Outcome::Infeasible(shortfall) => Self::DoesNotFit(PointShortfall {
                needed: shortfall.needed.get(),
                available: shortfall.available.get(),
                largest_batch: shortfall.largest_batch,
                largest_context: shortfall.largest_context,
            }),
            Outcome::Feasible(run) => {
                let bands = Bands::new(scenario, &run.metrics);
                Self::Ran(Box::new(PointFigures {
                    metrics: run.metrics,
                    class: bands.class,
                    ttft_factor: bands.ttft.map(|band| band.error.factor),
                    tpot_factor: bands.tpot.map(|band| band.error.factor),
                    gpus: scenario.gpus(),
                    prefill_compute: run.prefill_utilization.map(|utilization| utilization.compute),
                    ttft_stages: stages(run.ttft.as_ref()),
                    tpot_stages: stages(run.tpot.as_ref()),
                    memory_needed: run.memory.needed().get(),
                    memory_usable: run.memory.usable.get(),
                    kv_capacity_tokens: run.memory.kv_capacity_tokens,
                }))
            }
        }
    }

    /// The figures, if it runs.
    #[must_use]
    pub fn figures(&self) -> Option<&PointFigures> {
        match self {
            Self::Ran(figures) => Some(figures),
            Self::DoesNotFit(_) | Self::Invalid(_) => None,
        }
    }
}

fn stages(tree: Option<&Breakdown>) -> [f64; 8] {
    Stage::ALL.map(|stage| tree.and_then(|tree| tree.child(stage.name())).map_or(0.0, |child| child.ms))
}

impl PointFigures {
    /// Output tokens per second that one user sees.
    #[must_use]
    pub fn tokens_per_user(&self) -> Option<f64> {
        self.metrics.tpot_ms.map(|ms| 1e3 / ms)
    }

    /// Output tokens per second that one GPU yields.
    #[must_use]
    pub fn tokens_per_gpu(&self) -> Option<f64> {
        self.metrics.output_tokens_per_s.map(|rate| rate / self.gpus as f64)
    }

    /// What makes one point better than another: output tokens per second and GPU; where a scenario has one phase only,
    /// the faster the better.
    #[must_use]
    pub fn worth(&self) -> f64 {
        let phase = self.metrics.ttft_ms.or(self.metrics.tpot_ms);
        self.tokens_per_gpu().or_else(|| phase.map(|ms| 1.0 / ms)).unwrap_or(0.0)
    }

    /// The largest share of a target that a metric takes: above 1 where one is missed, infinite where one cannot be
    /// judged.
    #[must_use]
    pub fn strain(&self, budgets: &Budgets) -> f64 {
        let share = |(metric, limit): (Metric, f64)| metric.of(&self.metrics).map_or(f64::INFINITY, |ms| ms / limit);
        budgets.iter().map(share).fold(0.0, f64::max)
    }

    /// Metrics over their target; a target on a metric that the scenario leaves out counts as missed.
    pub fn over<'a>(&'a self, budgets: &'a Budgets) -> impl Iterator<Item = Metric> + 'a {
        let over = |(metric, limit): &(Metric, f64)| metric.of(&self.metrics).is_none_or(|value| value > *limit);
        budgets.iter().filter(over).map(|(metric, _)| metric)
    }

    /// Whether every target is met.
    #[must_use]
    pub fn meets(&self, budgets: &Budgets) -> bool {
        !budgets.missed(&self.metrics)
    }

    /// Both ends of a metric's band.
    #[must_use]
    pub fn band(&self, metric: Metric) -> Option<(f64, f64)> {
        let factor = match metric {
            Metric::Ttft => self.ttft_factor,
            Metric::Tpot => self.tpot_factor,
            Metric::E2e => None,
        }?;
        let value = metric.of(&self.metrics)?;
        Some((value / factor, value * factor))
    }
}
