//! Past runs of a report as a curve of a few pixels, drawn by the template.

use crate::quantity::format::coordinate;
use crate::report::index::{Build, Entry, Index};
use crate::report::view::{Sparkline, Tone};

const WIDTH: f64 = 92.0;
const HEIGHT: f64 = 22.0;
const MARGIN: f64 = 4.0;

/// The curve of a report; none of one that has no past, or whose past a long index leaves out.
pub(super) fn build(index: &Index, entry: &Entry) -> Option<Sparkline> {
    if !index.shows_history(entry) {
        return None;
    }
    let metrics: [fn(&Build) -> Option<f64>; 2] = [|build| build.ttft_ms, |build| build.tpot_ms];
    let runs = metrics.into_iter().map(|metric| {
        let values = entry.history.iter().enumerate().filter_map(|(i, build)| Some((i as f64, metric(build)?)));
        values.collect::<Vec<_>>()
    });
    // The figure that moved most tells most.
    let range = |runs: &Vec<(f64, f64)>| {
        let values = || runs.iter().map(|(_, value)| *value);
        values().fold(0.0, f64::max) / values().fold(f64::INFINITY, f64::min)
    };
    let runs = runs.filter(|runs| runs.len() > 1).reduce(|a, b| if range(&b) > range(&a) { b } else { a })?;
    Some(draw(&runs, (entry.history.len() - 1) as f64, index.threshold))
}

fn draw(runs: &[(f64, f64)], end: f64, threshold: f64) -> Sparkline {
    let values = || runs.iter().map(|(_, value)| *value);
    let (low, high) = (values().fold(f64::INFINITY, f64::min), values().fold(0.0, f64::max));
    let flat = high - low <= high * threshold;
    let place = |(run, value): &(f64, f64)| {
        let share = if flat { 0.5 } else { (value - low) / (high - low) };
        let y = HEIGHT - MARGIN - share * (HEIGHT - 2.0 * MARGIN);
        (coordinate(MARGIN + run / end * (WIDTH - 2.0 * MARGIN)), coordinate(y))
    };
    let mut points: Vec<(String, String)> = Vec::new();
    for point in runs.iter().map(place) {
        // On a level stretch its two ends are enough.
        if let [.., (_, before), (_, middle)] = &points[..]
            && *before == point.1
            && *middle == point.1
        {
            points.pop();
        }
        points.push(point);
    }
    let (x, y) = points.last().cloned().unwrap_or_default();
    let tone = match runs {
        [.., (_, before), (_, now)] if *now > before * (1.0 + threshold) => Tone::FAIL,
        [.., (_, before), (_, now)] if *now < before * (1.0 - threshold) => Tone::PASS,
        _ => Tone::NEUTRAL,
    };
    let points: Vec<String> = points.into_iter().map(|(x, y)| format!("{x},{y}")).collect();
    Sparkline { points: points.join(" "), x, y, tone }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_past_is_two_points() {
        let level: Vec<(f64, f64)> = (0..24).map(|i| (f64::from(i), 100.0)).collect();
        let drawn = draw(&level, 23.0, 0.02);
        assert_eq!((drawn.points.as_str(), drawn.tone), ("4,11 88,11", Tone::NEUTRAL));
    }

    #[test]
    fn a_step_up_is_a_step_up() {
        let drawn = draw(&[(0.0, 100.0), (1.0, 100.0), (2.0, 100.0), (3.0, 120.0)], 3.0, 0.02);
        assert_eq!((drawn.points.as_str(), drawn.tone), ("4,18 60,18 88,4", Tone::FAIL));
    }
}
