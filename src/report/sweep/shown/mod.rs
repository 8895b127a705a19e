//! What of a sweep its page shows: the points kept, and the fields that tell them apart.

mod axis;
mod point;
mod round;

pub(super) use axis::{Axis, AxisKind, AxisValue};
pub(super) use point::{Figure, ShownPoint, Standing};

use std::collections::BTreeMap;

use super::SweepReport;
use crate::sweep::PointResult;

/// The points of a page with their axes.
pub(super) struct Shown<'a> {
    /// The report.
    pub report: &'a SweepReport,
    /// Fields with more than one value, in the order declared.
    pub axes: Vec<Axis>,
    /// Fields with one value.
    pub fixed: Vec<Axis>,
    /// The points: the first ones of the matrix, and those that the page names.
    pub points: Vec<ShownPoint<'a>>,
    /// Index of the point that the page starts from: the recommended one, else the one in focus, else what comes
    /// nearest.
    pub anchor: usize,
    /// Whether any point shares its layers between GPUs.
    pub several_gpus: bool,
    places: BTreeMap<Vec<usize>, usize>,
}

impl<'a> Shown<'a> {
    /// Of a report.
    pub(super) fn new(report: &'a SweepReport) -> Self {
        let results = results(report);
        let question = &report.question;
        let columns = question.columns().iter().enumerate();
        let all: Vec<(usize, Axis)> = columns
            .map(|(column, path)| {
                let declared = question.matrix.axes().iter().find(|(axis, _)| axis == path);
                let declared = declared.map_or(&[][..], |(_, values)| values);
                let found = results.iter().map(|point| &point.values[column]);
                (column, Axis::new(path, declared, found, &question.names))
            })
            .collect();
        let (axes, fixed): (Vec<_>, Vec<_>) = all.into_iter().partition(|(_, axis)| axis.values.len() > 1);
        let indexes: Vec<_> = axes.iter().map(|(column, axis)| (*column, axis.places())).collect();
        let at = |point: &PointResult| -> Vec<usize> {
            indexes.iter().map(|(column, index)| index[&point.values[*column].as_deref()]).collect()
        };
        let points: Vec<ShownPoint> = results.iter().map(|point| ShownPoint::new(point, at(point))).collect();
        let mut places = BTreeMap::new();
        for (i, point) in points.iter().enumerate() {
            places.entry(point.at.clone()).or_insert(i);
        }
        let start = anchor(report);
        Self {
            anchor: start.and_then(|start| points.iter().position(|p| p.result.ordinal == start)).unwrap_or(0),
            several_gpus: points.iter().any(|p| p.result.outcome.figures().is_some_and(|f| f.gpus > 1)),
            report,
            axes: axes.into_iter().map(|(_, axis)| axis).collect(),
            fixed: fixed.into_iter().map(|(_, axis)| axis).filter(|axis| axis.values[0].raw.is_some()).collect(),
            points,
            places,
        }
    }

    /// The point at a place on the axes.
    pub(super) fn find(&self, at: &[usize]) -> Option<&ShownPoint<'a>> {
        self.places.get(at).map(|index| &self.points[*index])
    }

    /// The point that the page starts from.
    pub(super) fn anchor(&self) -> Option<&ShownPoint<'a>> {
        self.points.get(self.anchor)
    }

    /// The recommended point.
    pub(super) fn best(&self) -> Option<&ShownPoint<'a>> {
        self.report.summary.best.as_ref().and_then(|best| self.of(best))
    }

    /// Whether the best point is recommended: without targets it is only the first.
    pub(super) fn recommends(&self) -> bool {
        self.best().is_some_and(|best| best.standing != Standing::Runs)
    }

    /// A point of the summary, as shown.
    pub(super) fn of(&self, result: &PointResult) -> Option<&ShownPoint<'a>> {
        // The points stand in the order of the matrix.
        let place = self.points.binary_search_by_key(&result.ordinal, |point| point.result.ordinal);
        place.ok().map(|index| &self.points[index])
    }

    /// The first axis of a kind.
    pub(super) fn axis(&self, kind: AxisKind) -> Option<usize> {
        self.axes.iter().position(|axis| axis.kind == kind)
    }

    /// Whether any point has a target.
    pub(super) fn is_judged(&self) -> bool {
        self.points.iter().any(|point| !point.result.budgets.is_empty())
    }

    /// The figure that points are ranked by.
    pub(super) fn ranked_by(&self) -> Figure {
        let has = |figure: &Figure| self.points.iter().any(|point| point.figure(*figure).is_some());
        let speed = if self.several_gpus { Figure::SpeedPerGpu } else { Figure::Speed };
        [speed, Figure::Ttft, Figure::Tpot, Figure::Memory].into_iter().find(has).unwrap_or(speed)
    }
}

/// The points kept, and after them those that the page names.
fn results(report: &SweepReport) -> Vec<&PointResult> {
    let summary = &report.summary;
    let mut results: Vec<&PointResult> = summary.kept.iter().collect();
    let named =
        [&summary.best, &summary.nearest, &summary.least_short, &summary.highest, &summary.fastest, &report.focus];
    let last = results.last().map(|point| point.ordinal);
    let mut beyond: Vec<&PointResult> =
        named.into_iter().flatten().chain(&summary.front).filter(|point| Some(point.ordinal) > last).collect();
    beyond.sort_by_key(|point| point.ordinal);
    beyond.dedup_by_key(|point| point.ordinal);
    results.extend(beyond);
    results
}

/// The point that a page starts from.
fn anchor(report: &SweepReport) -> Option<u64> {
    let summary = &report.summary;
    let candidates = [&summary.best, &report.focus, &summary.nearest, &summary.highest, &summary.least_short];
    candidates.into_iter().flatten().next().map(|point| point.ordinal)
}
