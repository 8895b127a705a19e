//! What a page keeps of a sweep, however many points it has: counts, the best points, the front, a cloud.
//!
//! Points are handed over one by one and most are forgotten. Up to [`KEPT_POINTS`] are kept whole for tables and maps;
//! beyond that the page says so and the files beside it hold them all.

use super::point::{PointFigures, PointOutcome, PointResult};
use crate::diagnose::{Budgets, Metric};

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
    /// Points that run and miss the target of each metric, in the order of [`Metric::ALL`].
    pub missed_by: [u64; 3],
    /// Points with targets of their own, whole.
    pub with_own_targets: Vec<PointResult>,
    /// The first points, whole.
    pub kept: Vec<PointResult>,
    /// The best point: within all targets, most output tokens per second and GPU; ties go to the earlier point.
    pub best: Option<PointResult>,
    /// The point that runs and misses a target by the smallest share.
    pub nearest: Option<PointResult>,
    /// The point that lacks the least memory, of those that do not fit.
    pub least_short: Option<PointResult>,
    /// Most output tokens per second and GPU of all points, whatever the targets say.
    pub highest: Option<PointResult>,
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
            missed_by: [0; 3],
            with_own_targets: Vec::new(),
            kept: Vec::new(),
            best: None,
            nearest: None,
            least_short: None,
            highest: None,
            fastest: None,
            front: Vec::new(),
        }
    }

    /// The targets.
    #[must_use]
    pub fn budgets(&self) -> &Budgets {
        &self.budgets
    }

    /// Metrics whose targets some point misses, with how many do.
    pub fn missed_by(&self) -> impl Iterator<Item = (Metric, u64)> + '_ {
        Metric::ALL.into_iter().zip(self.missed_by).filter(|(_, count)| *count > 0)
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
            PointOutcome::DoesNotFit(short) => {
                self.does_not_fit += 1;
                let missing = short.needed - short.available;
                if self.least_short.as_ref().and_then(missing_of).is_none_or(|least| missing < least) {
                    self.least_short = Some(point.clone());
                }
            }
            PointOutcome::Invalid(_) => self.invalid += 1,
            PointOutcome::Ran(figures) => {
                self.ran += 1;
                let figures = **figures;
                self.rank(&point, &figures);
                self.extend_front(&point, &figures);
            }
        }
        if point.budgets != self.budgets && self.with_own_targets.len() < KEPT_POINTS {
            self.with_own_targets.push(point.clone());
        }
        if self.kept.len() < KEPT_POINTS {
            self.kept.push(point);
        }
    }

    fn rank(&mut self, point: &PointResult, figures: &PointFigures) {
        let better = |old: &PointResult| figures.worth() > old.outcome.figures().map_or(0.0, PointFigures::worth);
        if self.highest.as_ref().is_none_or(better) {
            self.highest = Some(point.clone());
        }
        if !figures.meets(&point.budgets) {
            self.missed += 1;
            for metric in figures.over(&point.budgets) {
                self.missed_by[metric as usize] += 1;
            }
            let strain = |of: &PointResult| of.outcome.figures().map_or(f64::INFINITY, |f| f.strain(&of.budgets));
            if self.nearest.as_ref().is_none_or(|old| strain(point) < strain(old)) {
                self.nearest = Some(point.clone());
            }
        } else if self.best.as_ref().is_none_or(better) {
            self.best = Some(point.clone());
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
        // Along the front users get faster and GPUs yield less, so neighbours decide.
        let place = self.front.partition_point(|other| of(other).0 < own.0);
        if self.front.get(place).is_some_and(|other| of(other).1 >= own.1) {
            return;
        }
        let start = self.front[..place].partition_point(|other| of(other).1 > own.1);
        let end = place + self.front[place..].partition_point(|other| of(other).0 <= own.0);
        self.front.splice(start..end, [point.clone()]);
    }
}

fn coordinates(figures: &PointFigures) -> Option<(f64, f64)> {
    Some((figures.tokens_per_user()?, figures.tokens_per_gpu()?))
}

/// The memory that a point lacks.
fn missing_of(point: &PointResult) -> Option<f64> {
    match &point.outcome {
        PointOutcome::DoesNotFit(short) => Some(short.needed - short.available),
        PointOutcome::Ran(_) | PointOutcome::Invalid(_) => None,
    }
}
