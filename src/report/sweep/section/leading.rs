//! The field that a reader chooses first, and the best point of each of its values.

use crate::report::sweep::shown::{AxisKind, Shown, ShownPoint};

/// Fields that a reader chooses between, most telling first.
const ORDER: [AxisKind; 8] = [
    AxisKind::Hardware,
    AxisKind::Weights,
    AxisKind::Model,
    AxisKind::Kv,
    AxisKind::Ranks,
    AxisKind::Engine,
    AxisKind::Other,
    AxisKind::Batch,
];

/// The first field of that order that varies.
pub(super) fn axis(shown: &Shown<'_>) -> Option<usize> {
    ORDER.into_iter().find_map(|kind| shown.axis(kind))
}

/// The best point of each value of a field at the conditions of a point, best first; none where nothing good has it.
pub(super) fn bests<'s, 'a>(
    shown: &'s Shown<'a>,
    axis: usize,
    like: &ShownPoint<'_>,
) -> Vec<(usize, Option<&'s ShownPoint<'a>>)> {
    let workload: Vec<usize> = (0..shown.axes.len()).filter(|a| shown.axes[*a].kind.is_workload()).collect();
    let comparable = |point: &&ShownPoint<'_>| workload.iter().all(|a| point.at[*a] == like.at[*a]);
    let mut bests: Vec<(usize, Option<&ShownPoint<'a>>)> =
        (0..shown.axes[axis].values.len()).map(|value| (value, None)).collect();
    for point in shown.points.iter().filter(|point| point.standing.is_good()).filter(comparable) {
        let best = &mut bests[point.at[axis]].1;
        if best.is_none_or(|best| point.worth() > best.worth()) {
            *best = Some(point);
        }
    }
    let worth = |best: &Option<&ShownPoint<'a>>| best.map_or(-1.0, ShownPoint::worth);
    bests.sort_by(|a, b| worth(&b.1).total_cmp(&worth(&a.1)));
    bests
}
