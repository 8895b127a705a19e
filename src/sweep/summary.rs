//! What a page keeps of a sweep, however many points it has: counts, the best points, the front, a cloud.
//!
//! Points are handed over one by one and most are forgotten. Up to [`KEPT_POINTS`] are kept whole for tables and maps;
//! beyond that the page says so and the files beside it hold them all.

use super::point::{PointFigures, PointOutcome, PointResult};
use crate::diagnose::Budgets;

/// Points kept whole.
pub const KEPT_POINTS: usize = 10_000;

/// What is kept of a sweep.
#[derive(Clone, Debug)]
pub struct Summary {
    budgets: Budgets,
    /// Points handed over.
    pub total: u64,
    /// Points that run.
    pub ran: u64,
    /// Points that do not fit.
    pub does_not_fit: u64,
    /// Points that are no scenario.
    pub invalid: u64,
    /// Points that run and miss a target.
    pub missed: u64,
    /// The first points, whole.
    pub kept: Vec<PointResult>,
    /// The best point: within all targets, most output tokens per second and GPU; ties go to the earlier point.
    pub best: Option<PointResult>,
    /// The fastest point of all by whole-request time, for when none meets the targets.
    pub fastest: Option<PointResult>,
    /// Points that no other beats in both tokens per second of a user and of a GPU, slowest user first.
    pub front: Vec<PointResult>,
}

impl Summary {
    /// An empty summary against targets.
    #[must_use]
    pub fn new(budgets: Budgets) -> Self {
        Self {
            budgets,
            total: 0,
            ran: 0,
            does_not_fit: 0,
            invalid: 0,
            missed: 0,
            kept: Vec::new(),
            best: None,
            fastest: None,
            front: Vec::new(),
        }
    }

    /// The targets.
    #[must_use]
    pub fn budgets(&self) -> &Budgets {
        &self.budgets
    }

    /// Whether points were forgotten.
    #[must_use]
    pub fn is_thinned(&self) -> bool {
        self.total > self.kept.len() as u64
    }

    /// Takes a point, in the order of the matrix.
    pub fn add(&mut self, point: PointResult) {
        self.total += 1;
        match &point.outcome {
            PointOutcome::DoesNotFit(_) => self.does_not_fit += 1,
            PointOutcome::Invalid(_) => self.invalid += 1,
            PointOutcome::Ran(figures) => {
                self.ran += 1;
                let figures = **figures;
                self.rank(&point, &figures);
                self.extend_front(&point, &figures);
            }
        }
        if self.kept.len() < KEPT_POINTS {
            self.kept.push(point);
        }
    }

    fn rank(&mut self, point: &PointResult, figures: &PointFigures) {
        if figures.meets(&self.budgets) {
            let better = |old: &PointResult| worth(figures) > old.outcome.figures().and_then(worth_of).unwrap_or(0.0);
            if self.best.as_ref().is_none_or(better) {
                self.best = Some(point.clone());
            }
        } else {
            self.missed += 1;
        }
        let time = |f: &PointFigures| f.metrics.e2e_ms.or(f.metrics.ttft_ms).or(f.metrics.tpot_ms).unwrap_or(f64::MAX);
        let faster = |old: &PointResult| old.outcome.figures().is_none_or(|old| time(figures) < time(old));
        if self.fastest.as_ref().is_none_or(faster) {
            self.fastest = Some(point.clone());
        }
    }

    fn extend_front(&mut self, point: &PointResult, figures: &PointFigures) {
        let Some(own) = coordinates(figures) else { return };
        let of = |p: &PointResult| p.outcome.figures().and_then(coordinates).unwrap_or((0.0, 0.0));
        let beaten = |by: (f64, f64), who: (f64, f64)| by.0 >= who.0 && by.1 >= who.1;
        if self.front.iter().any(|other| beaten(of(other), own)) {
            return;
        }
        self.front.retain(|other| !beaten(own, of(other)));
        let place = self.front.partition_point(|other| of(other).0 < own.0);
        self.front.insert(place, point.clone());
    }
}

fn coordinates(figures: &PointFigures) -> Option<(f64, f64)> {
    Some((figures.tokens_per_user()?, figures.tokens_per_gpu()?))
}

fn worth_of(figures: &PointFigures) -> Option<f64> {
    figures.tokens_per_gpu().or_else(|| Some(1.0 / figures.metrics.ttft_ms.or(figures.metrics.tpot_ms)?))
}

fn worth(figures: &PointFigures) -> f64 {
    worth_of(figures).unwrap_or(0.0)
}
