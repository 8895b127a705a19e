//! Which fields become rows, columns and lines: what a reader would compare first.

use crate::report::sweep::shown::{AxisKind, Figure, Shown, ShownPoint};

/// Fields that may be rows, columns or lines: those that are no target.
pub(super) fn free(shown: &Shown<'_>) -> impl Iterator<Item = usize> {
    (0..shown.axes.len()).filter(|axis| shown.axes[*axis].kind != AxisKind::Target)
}

/// The first field of some kinds that varies and is not taken.
pub(super) fn first_of(shown: &Shown<'_>, kinds: &[AxisKind], taken: &[usize]) -> Option<usize> {
    kinds.iter().find_map(|kind| shown.axis(*kind).filter(|axis| !taken.contains(axis)))
}

/// The field with the most values that is not taken; ties go to the earlier one.
pub(super) fn longest(shown: &Shown<'_>, taken: &[usize]) -> Option<usize> {
    let fields = free(shown).filter(|axis| !taken.contains(axis));
    fields.max_by(|a, b| shown.axes[*a].values.len().cmp(&shown.axes[*b].values.len()).then(b.cmp(a)))
}

/// Fields by how much they move a figure around a point, most first; those that move nothing are left out.
pub(super) fn telling(shown: &Shown<'_>, around: &ShownPoint<'_>, figure: Figure, taken: &[usize]) -> Vec<usize> {
    let spread = |axis: usize| {
        let values: Vec<f64> = line(shown, around, axis).filter_map(|point| point?.figure(figure)).collect();
        let (low, high) = values.iter().fold((f64::INFINITY, 0.0f64), |(l, h), v| (l.min(*v), h.max(*v)));
        if values.len() > 1 && low > 0.0 { high / low } else { 1.0 }
    };
    let fields = free(shown).filter(|axis| !taken.contains(axis) && !shown.axes[*axis].kind.is_workload());
    let mut fields: Vec<(usize, f64)> = fields.map(|axis| (axis, spread(axis))).collect();
    fields.retain(|(_, spread)| *spread > 1.0);
    fields.sort_by(|a, b| b.1.total_cmp(&a.1));
    fields.into_iter().map(|(axis, _)| axis).collect()
}

/// The points that differ from one on a single axis, in the order of its values; none where the matrix has no such point.
pub(super) fn line<'s, 'a>(
    shown: &'s Shown<'a>,
    around: &ShownPoint<'_>,
    axis: usize,
) -> impl Iterator<Item = Option<&'s ShownPoint<'a>>> {
    let at = around.at.clone();
    (0..shown.axes[axis].values.len()).map(move |value| {
        let mut at = at.clone();
        at[axis] = value;
        shown.find(&at)
    })
}
