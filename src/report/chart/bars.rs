//! Geometry of the bars that templates draw: positions and widths in percent of a track, as text.
//!
//! Percent need no view box, so a rounded corner stays round and a hairline stays one pixel at any width.

use super::scale;
use crate::quantity::format::coordinate;
use crate::report::view::{Axis, Bar, Bullet, Meter, Segment, Swatch, Tick, Tone, Whisker};

/// Least width of a bar in a lane, percent: a microsecond must stay visible; nothing has no bar.
const LEAST: f64 = 0.4;
/// Least width of a part of a memory bar, percent.
const LEAST_SEGMENT: f64 = 0.8;
/// Half the width that the label of a target may take, percent of a lane.
const TARGET_LABEL: f64 = 7.0;
/// Width that the label of a tick may take, percent of a lane.
const TICK_LABEL: f64 = 6.0;

/// A part of a whole as percent.
fn part(value: f64, whole: f64) -> f64 {
    if whole > 0.0 { (value / whole * 100.0).clamp(0.0, 100.0) } else { 0.0 }
}

/// End of the scale that holds a total and, unless it is far off, the target.
fn end(total: f64, target: Option<f64>) -> f64 {
    let reach = target.filter(|target| *target <= 2.0 * total).unwrap_or(0.0);
    total.max(reach) * 1.07
}

/// Scale of a waterfall of `total` ms with the label `target_text` at the target.
#[must_use]
pub fn axis(total: f64, target: Option<f64>, target_text: &str) -> Axis {
    let end = end(total, target);
    let target = target.filter(|target| *target < end).map(|target| part(target, end));
    let tick = |value: f64| {
        let x = part(value, end);
        let touches = target.is_some_and(|t| x > t - TARGET_LABEL - TICK_LABEL && x < t + TARGET_LABEL);
        let text = if touches || x > 100.0 - TICK_LABEL { String::new() } else { scale::label(value) };
        Tick { x: coordinate(x), text }
    };
    Axis {
        ticks: scale::ticks(end, 7.0).into_iter().map(tick).collect(),
        beyond: coordinate(target.map_or(0.0, |t| 100.0 - t)),
        target: target.map(|t| Tick { x: coordinate(t), text: target_text.to_owned() }),
    }
}

/// Bars of stages that follow each other, on the scale of [`axis`].
#[must_use]
pub fn lanes(stages: &[f64], total: f64, target: Option<f64>) -> Vec<Bar> {
    let end = end(total, target);
    let mut start = 0.0;
    let bar = |ms: &f64| {
        let width = if *ms == 0.0 { 0.0 } else { part(*ms, end).max(LEAST) };
        let bar = Bar { x: coordinate(part(start, end).min(100.0 - width)), width: coordinate(width) };
        start += ms.max(0.0);
        bar
    };
    stages.iter().map(bar).collect()
}

/// A value with its error band and its target.
#[must_use]
pub fn bullet(value: f64, band: Option<(f64, f64)>, target: Option<f64>, tone: Tone) -> Bullet {
    let high = band.map_or(0.0, |(_, high)| high);
    let end = value.max(high).max(target.unwrap_or(0.0)) * 1.15;
    let at = |value: f64| coordinate(part(value, end));
    Bullet {
        tone,
        width: at(value),
        band: band.map(|(low, high)| Whisker { low: at(low), high: at(high) }),
        target: target.map(at),
    }
}

/// A bar over a part of a whole, without band and target.
#[must_use]
pub fn share_bullet(value: f64, whole: f64, tone: Tone) -> Bullet {
    Bullet { tone, width: coordinate(part(value, whole)), band: None, target: None }
}

/// A figure with its bar; `None` gives the text alone, sorted last.
#[must_use]
pub fn meter(text: String, value: Option<f64>, whole: f64) -> Meter {
    Meter { text, sort: sort(value), width: value.map(|value| coordinate(part(value, whole))) }
}

/// The value that a table sorts by: three decimals, and below all values where there is none.
#[must_use]
pub fn sort(value: Option<f64>) -> String {
    value.map_or_else(|| "-1".to_owned(), |value| format!("{value:.3}"))
}

/// Parts of a memory bar that follow each other; a small one keeps a least width and pushes the next.
#[must_use]
pub fn segments(parts: &[(Swatch, f64)], whole: f64) -> Vec<Segment> {
    let mut start = 0.0;
    let segment = |(swatch, size): &(Swatch, f64)| {
        let size = size.max(whole * LEAST_SEGMENT / 100.0);
        let bar = Segment { x: position(start, whole), width: position(size, whole), swatch: *swatch };
        start += size;
        bar
    };
    parts.iter().map(segment).collect()
}

/// A position on a track in percent.
#[must_use]
pub fn position(value: f64, whole: f64) -> String {
    coordinate(part(value, whole))
}

/// Class of a heat cell among nine steps between `low` and `high`, logarithmic.
#[must_use]
pub fn heat_class(value: f64, low: f64, high: f64) -> &'static str {
    const CLASSES: [&str; 9] = ["q0", "q1", "q2", "q3", "q4", "q5", "q6", "q7", "q8"];
    let place = if high > low && low > 0.0 { (value / low).ln() / (high / low).ln() } else { 0.0 };
    CLASSES[(place * 8.0).round().clamp(0.0, 8.0) as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_follow_each_other_and_keep_a_least_width() {
        let bars = lanes(&[50.0, 0.001, 50.0], 100.0, None);
        let shown: Vec<_> = bars.iter().map(|bar| (bar.x.as_str(), bar.width.as_str())).collect();
        assert_eq!(shown, [("0", "46.7"), ("46.7", "0.4"), ("46.7", "46.7")]);
    }

    #[test]
    fn a_tick_makes_room_for_the_target() {
        let axis = axis(638.0, Some(500.0), "target 500");
        let labels: Vec<_> = axis.ticks.iter().map(|tick| tick.text.as_str()).collect();
        assert_eq!(labels, ["0", "100", "200", "300", "400", "", "600"]);
        assert_eq!(axis.target.unwrap().x, "73.2");
        assert_eq!(axis.beyond, "26.8");
    }

    #[test]
    fn a_far_target_is_off_the_scale() {
        let axis = axis(100.0, Some(500.0), "target 500");
        assert!(axis.target.is_none());
        assert_eq!(axis.beyond, "0");
    }

    #[test]
    fn heat_steps_cover_the_range() {
        assert_eq!(heat_class(10.0, 10.0, 1000.0), "q0");
        assert_eq!(heat_class(100.0, 10.0, 1000.0), "q4");
        assert_eq!(heat_class(1000.0, 10.0, 1000.0), "q8");
        assert_eq!(heat_class(5.0, 5.0, 5.0), "q0");
    }
}
