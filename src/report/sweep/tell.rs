//! Points in words: what was chosen, and under which conditions.

use super::shown::{Axis, AxisKind, Figure, Shown, ShownPoint};
use crate::quantity::format::with_unit;
use crate::report::text::Text;

/// Fields that have a place of their own in a sentence, or none.
const fn has_own_place(kind: AxisKind) -> bool {
    kind.is_workload() || matches!(kind, AxisKind::Batch | AxisKind::Hardware | AxisKind::Ranks | AxisKind::Target)
}

impl Shown<'_> {
    /// Values of a point on the axes that are wanted.
    fn told(&self, point: &ShownPoint<'_>, wanted: impl Fn(usize, &Axis) -> bool, text: &Text) -> Vec<String> {
        let axes = self.axes.iter().zip(&point.at).enumerate().filter(|(index, (axis, _))| wanted(*index, axis));
        let values = axes.map(|(_, (axis, at))| (axis, &axis.values[*at]));
        values.filter(|(_, value)| value.raw.is_some()).map(|(axis, value)| axis.told(value, text)).collect()
    }

    /// What was chosen but batch and hardware: `INT8 W8A8`, `FP8 KV cache`.
    pub(super) fn things(&self, point: &ShownPoint<'_>, skip: &[usize], text: &Text) -> Vec<String> {
        self.told(point, |index, axis| !has_own_place(axis.kind) && !skip.contains(&index), text)
    }

    /// The batch, where it varies.
    pub(super) fn batch(&self, point: &ShownPoint<'_>) -> Option<String> {
        let axis = self.axis(AxisKind::Batch)?;
        let value = &self.axes[axis].values[point.at[axis]];
        value.raw.as_ref().map(|_| value.name.clone())
    }

    /// The machines, where they or their number vary: `4 × H100 SXM 80GB`.
    pub(super) fn hardware(&self, point: &ShownPoint<'_>, skip: &[usize], text: &Text) -> Option<String> {
        let varies = |kind| self.axis(kind).filter(|axis| !skip.contains(axis));
        let (machine, ranks) = (varies(AxisKind::Hardware), varies(AxisKind::Ranks));
        let name = match machine {
            Some(axis) => Some(&self.axes[axis].values[point.at[axis]].name),
            None => self.fixed.iter().find(|axis| axis.kind == AxisKind::Hardware).map(|axis| &axis.values[0].name),
        };
        let gpus = point.result.outcome.figures().map(|figures| figures.gpus);
        match (machine, ranks, gpus, name) {
            (None, None, ..) => None,
            // The machine is said elsewhere: its number is left.
            (None, Some(axis), ..) if self.axis(AxisKind::Hardware).is_some() => {
                let value = &self.axes[axis].values[point.at[axis]];
                value.raw.as_ref().map(|_| self.axes[axis].told(value, text))
            }
            (_, None, Some(1), Some(name)) if !self.several_gpus => Some(name.clone()),
            (_, _, Some(gpus), Some(name)) => Some(format!("{gpus} × {name}")),
            (_, _, _, name) => name.cloned(),
        }
    }

    /// All that was chosen: `INT8 W8A8, batch 16, 4 × H100 SXM 80GB`.
    pub(super) fn choice(&self, point: &ShownPoint<'_>, skip: &[usize], text: &Text) -> String {
        let batch = self.axis(AxisKind::Batch).filter(|axis| !skip.contains(axis)).and_then(|_| self.batch(point));
        let batch = batch.map(|n| text.verdict.batch.fill(&[("n", &n)]));
        let parts = self.things(point, skip, text).into_iter().chain(batch).chain(self.hardware(point, skip, text));
        let parts: Vec<String> = parts.collect();
        parts.join(text.frame.comma)
    }

    /// What was asked of it, where that varies: `2,048-token prompts`.
    pub(super) fn conditions(&self, point: &ShownPoint<'_>, skip: &[usize], text: &Text) -> Option<String> {
        let told = self.told(point, |index, axis| axis.kind.is_workload() && !skip.contains(&index), text);
        (!told.is_empty()).then(|| told.join(text.frame.comma))
    }

    /// Choice and conditions; the model where there is neither.
    pub(super) fn point(&self, point: &ShownPoint<'_>, text: &Text) -> String {
        let choice = self.choice(point, &[], text);
        match (choice.is_empty(), self.conditions(point, &[], text)) {
            (false, Some(conditions)) => {
                text.sweep.verdict.point_at.fill(&[("point", &choice), ("conditions", &conditions)])
            }
            (true, Some(conditions)) => conditions,
            (false, None) => choice,
            (true, None) => {
                let named = |axis: &&Axis| matches!(axis.kind, AxisKind::Model | AxisKind::Hardware);
                let names = self.fixed.iter().filter(named).map(|axis| axis.values[0].name.clone());
                names.collect::<Vec<_>>().join(text.frame.comma)
            }
        }
    }

    /// What a point is ranked by, with its unit.
    pub(super) fn score(&self, point: &ShownPoint<'_>, text: &Text) -> String {
        let figure = self.ranked_by();
        self.figure(point, figure, text)
    }

    /// A figure of a point with its unit; an en dash where there is none.
    pub(super) fn figure(&self, point: &ShownPoint<'_>, figure: Figure, text: &Text) -> String {
        point.figure(figure).map_or_else(|| point.shown(figure), |value| with_unit(value, figure.unit(text)))
    }
}
