//! A figure over past runs, with the target: when did it change, and by how much of what there is room for?

use super::canvas::{Anchor, Canvas, Frame, Point, Scale};
use super::ink::Ink;
use super::labels::{Area, Layout, width};
use super::scale;
use crate::report::view::Markup;

const FRAME: Frame = Frame { size: (440, 220), left: 50.0, top: 26.0, right: 426.0, bottom: 184.0 };
/// Part of the range that stays free above and below the curve.
const MARGIN: f64 = 0.15;
/// Least part of the value that the axis spans, so that a tremor does not look like an earthquake.
const LEAST_SPAN: f64 = 0.1;
/// A target further off than this many ranges is said in words only.
const REACH: f64 = 2.0;

/// A run.
#[derive(Clone, Debug)]
pub struct TrendRun {
    /// What it is called on the axis.
    pub label: String,
    /// The figure.
    pub value: f64,
    /// Words of the tooltip.
    pub tip: String,
}

/// TTFT or TPOT of a report over its runs.
#[derive(Clone, Debug)]
pub struct TrendChart {
    /// The finding, for screen readers.
    pub label: String,
    /// Title of the horizontal axis.
    pub x_title: String,
    /// Title of the vertical axis.
    pub y_title: String,
    /// The runs, oldest first.
    pub runs: Vec<TrendRun>,
    /// The target and its words.
    pub target: Option<(f64, String)>,
    /// Words at the last run.
    pub last: String,
}

impl TrendChart {
    /// Draws the chart.
    #[must_use]
    pub fn draw(&self) -> Markup {
        let (low, high) = self.range();
        let ticks = scale::around(low, high, 4.0);
        let (bottom, top) = (ticks.first().copied().unwrap_or(low), ticks.last().copied().unwrap_or(high));
        let end = (self.runs.len().max(2) - 1) as f64;
        let mut canvas = Canvas::new(FRAME, Scale::Linear(-0.02 * end..end * 1.02), Scale::Linear(bottom..top));
        canvas.rows(&ticks, scale::label);
        canvas.columns(&self.columns(&canvas));
        canvas.titles(&self.x_title, &self.y_title);
        let curve: Vec<Point> = self.runs.iter().enumerate().map(|(i, run)| (i as f64, run.value)).collect();
        canvas.line(Ink::Line, curve.clone());
        self.labels(&mut canvas, &curve, bottom..top);
        canvas.finish(&self.label)
    }

    /// What the vertical axis must hold.
    fn range(&self) -> (f64, f64) {
        let values = || self.runs.iter().map(|run| run.value);
        let (mut low, mut high) = (values().fold(f64::INFINITY, f64::min), values().fold(0.0, f64::max));
        let span = (high - low).max(high * LEAST_SPAN);
        if let Some((target, _)) = &self.target
            && (low - REACH * span..=high + REACH * span).contains(target)
        {
            (low, high) = (low.min(*target), high.max(*target));
        }
        let margin = MARGIN * (high - low).max(high * LEAST_SPAN);
        ((low - margin).max(0.0), high + margin)
    }

    /// Names of the runs that leave room for each other; the first and the last always stand.
    fn columns(&self, canvas: &Canvas) -> Vec<(f64, String)> {
        let mut out: Vec<(f64, String)> = Vec::new();
        let first = self.runs.first().map_or(0.0, |run| FRAME.left + width(&run.label));
        let mut edge = f64::INFINITY;
        for (i, run) in self.runs.iter().enumerate().rev() {
            let (x, _) = canvas.place((i as f64, 1.0));
            let half = width(&run.label) / 2.0;
            if i == 0 || (x + half + 8.0 < edge && (x - half - 8.0 > first || edge == f64::INFINITY)) {
                edge = x - half;
                out.push((i as f64, run.label.clone()));
            }
        }
        out
    }

    fn labels(&self, canvas: &mut Canvas, curve: &[Point], shown: std::ops::Range<f64>) {
        let points: Vec<Point> = curve.iter().map(|at| canvas.place(*at)).collect();
        let mut layout = Layout::new(&FRAME);
        layout.take_line(&points);
        points.iter().for_each(|point| layout.take(Area::of_disc(*point, 5.0)));
        if let Some((value, words)) = self.target.as_ref().filter(|(value, _)| shown.contains(value)) {
            let (_, y) = canvas.place((0.0, *value));
            let line = [(FRAME.left, y), (FRAME.right, y)];
            canvas.plain(Ink::Target, line.to_vec());
            let places = [(FRAME.left + 4.0, y - 6.0), (FRAME.left + 4.0, y + 15.0), (FRAME.left + 130.0, y - 6.0)];
            let free = |at: &&Point| layout.is_clear(&Area::of_text(words, **at, Anchor::Start));
            let at = *places.iter().find(free).unwrap_or(&places[0]);
            layout.take(Area::of_text(words, at, Anchor::Start));
            layout.take_line(&line);
            canvas.text(Ink::TargetText, words, at, Anchor::Start);
        }
        for (at, run) in curve.iter().zip(&self.runs) {
            canvas.disc(Ink::Dot, *at, 4.0, Some(run.tip.clone()), None);
        }
        if let Some(spot) = points.last().and_then(|last| layout.place(&self.last, *last, 5.0)) {
            canvas.text(Ink::Label, &self.last, spot.at, spot.anchor);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(values: &[f64], target: Option<f64>) -> String {
        let run = |(i, value): (usize, &f64)| TrendRun {
            label: format!("{}", 1833 + i),
            value: *value,
            tip: format!("build {}\nTTFT {value} ms", 1833 + i),
        };
        let chart = TrendChart {
            label: "TTFT over runs".to_owned(),
            x_title: "build".to_owned(),
            y_title: "TTFT, ms".to_owned(),
            runs: values.iter().enumerate().map(run).collect(),
            target: target.map(|value| (value, format!("target {value} ms"))),
            last: "857 ms".to_owned(),
        };
        chart.draw().to_string()
    }

    #[test]
    fn the_target_stands_where_it_is_near() {
        let values = [766.0, 766.0, 766.0, 857.0];
        let near = chart(&values, Some(800.0));
        assert!(near.contains("target 800 ms") && near.contains("class=\"slo\""), "{near}");
        assert_eq!(near.matches("<circle").count(), 4);
        assert!(!chart(&values, Some(5000.0)).contains("class=\"slo\""));
    }

    #[test]
    fn odd_histories_are_drawn_and_small() {
        for values in [&[5.0, 5.0][..], &[0.001, 0.002], &[1e9, 1e-3], &[120.0; 24]] {
            let svg = chart(values, Some(values[0]));
            assert!(!svg.contains("NaN") && !svg.contains("inf") && svg.len() < 8 * 1024, "{}: {svg}", svg.len());
        }
    }
}
