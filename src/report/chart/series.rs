//! Several curves over one input, with the target, a marked point, and words at the ends of the curves.

use super::budget;
use super::canvas::{Anchor, Canvas, Frame, Point, Scale};
use super::ink::Ink;
use super::labels::{Area, Layout};
use super::scale;
use crate::report::view::{Markup, Swatch};

const FRAME: Frame = Frame { size: (440, 280), left: 50.0, top: 26.0, right: 430.0, bottom: 240.0 };
/// Values that span more than this are drawn on a logarithmic axis.
const WIDE: f64 = 8.0;
/// Discs at most; fewer where their words are long.
const DISCS: [usize; 4] = [40, 28, 18, 10];
/// Points of a curve at most.
const POINTS: usize = 40;
/// Radius of a disc.
const RADIUS: f64 = 3.2;

/// A point of a curve.
#[derive(Clone, Debug)]
pub struct SeriesPoint {
    /// Position on the horizontal axis.
    pub x: f64,
    /// Its label on that axis, or beside the point where the axis has round steps.
    pub label: String,
    /// Value.
    pub y: f64,
    /// Words of the tooltip.
    pub tip: String,
}

/// A curve.
#[derive(Clone, Debug)]
pub struct Series {
    /// Words at its end; empty where it needs none.
    pub name: String,
    /// Its colour.
    pub swatch: Swatch,
    /// Its points, in drawing order.
    pub points: Vec<SeriesPoint>,
}

/// TTFT over batch, a line for each format, and charts like it.
#[derive(Clone, Debug)]
pub struct SeriesChart {
    /// The finding, for screen readers.
    pub label: String,
    /// Title of the horizontal axis.
    pub x_title: String,
    /// Title of the vertical axis.
    pub y_title: String,
    /// The curves.
    pub series: Vec<Series>,
    /// The target and its words.
    pub target: Option<(f64, String)>,
    /// A marked point, as curve and index, with its words.
    pub mark: Option<(usize, usize, String)>,
    /// Round steps on the horizontal axis instead of the points' own labels.
    pub round: bool,
}

impl SeriesChart {
    /// Whether the vertical axis is logarithmic.
    #[must_use]
    pub fn is_log(&self) -> bool {
        let (low, high) = self.range(|p| p.y);
        low > 0.0 && high / low > WIDE
    }

    /// Draws the chart.
    #[must_use]
    pub fn draw(&self) -> Markup {
        budget::within(&DISCS, |discs| self.drawn(discs))
    }

    fn drawn(&self, discs: usize) -> Markup {
        let x = self.range(|p| p.x);
        let x_log = !self.round && x.0 > 0.0 && x.1 / x.0 > WIDE;
        let (low, high) = self.range(|p| p.y);
        let target = self.target.as_ref().filter(|(value, _)| *value <= high * 1.5 && *value >= low * 0.5);
        let (low, high) = target.map_or((low, high), |(value, _)| (low.min(value * 0.95), high.max(value * 1.05)));
        let (y_scale, ticks) = if self.is_log() {
            (Scale::Log(low / 1.15..high * 1.15), scale::log_ticks(low / 1.15, high * 1.15))
        } else {
            let ticks = scale::closed(high, 5.0);
            (Scale::Linear(0.0..ticks.last().copied().unwrap_or(1.0)), ticks)
        };
        let mut canvas = Canvas::new(FRAME, horizontal(x, x_log), y_scale);
        canvas.rows(&ticks, scale::label);
        let columns = if self.round { round_columns(x) } else { spaced(&canvas, self.labels()) };
        canvas.columns(&columns);
        canvas.titles(&self.x_title, &self.y_title);
        for (index, series) in self.series.iter().enumerate() {
            canvas
                .line(Ink::Series(series.swatch, index), thinned(&series.points, POINTS).map(|p| (p.x, p.y)).collect());
        }
        self.words(&mut canvas, target, discs);
        canvas.finish(&self.label)
    }

    fn range(&self, of: impl Fn(&SeriesPoint) -> f64) -> (f64, f64) {
        let values = self.series.iter().flat_map(|series| &series.points).map(of);
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)))
    }

    /// Positions with their labels, each once, in order.
    fn labels(&self) -> Vec<(f64, String)> {
        let points = self.series.iter().flat_map(|series| &series.points);
        let mut labels: Vec<(f64, String)> = points.map(|p| (p.x, p.label.clone())).collect();
        labels.sort_by(|a, b| a.0.total_cmp(&b.0));
        labels.dedup_by(|a, b| a.0 == b.0);
        labels
    }

    fn words(&self, canvas: &mut Canvas, target: Option<&(f64, String)>, discs: usize) {
        let mut layout = Layout::new(&FRAME);
        let place = |canvas: &Canvas, p: &SeriesPoint| canvas.place((p.x, p.y));
        for series in &self.series {
            let points: Vec<Point> = series.points.iter().map(|p| place(canvas, p)).collect();
            layout.take_line(&points);
            points.iter().for_each(|point| layout.take(Area::of_disc(*point, RADIUS + 1.0)));
        }
        if let Some((value, words)) = target {
            draw_target(canvas, &mut layout, *value, words);
        }
        let each = (discs / self.series.len().max(1)).max(2);
        for series in &self.series {
            for p in thinned(&series.points, each) {
                canvas.disc(Ink::StageDot(series.swatch), (p.x, p.y), RADIUS, Some(p.tip.clone()), None);
            }
        }
        if let Some((series, index, words)) = &self.mark
            && let Some(p) = self.series.get(*series).and_then(|series| series.points.get(*index))
        {
            canvas.disc(Ink::Ring, (p.x, p.y), 8.0, None, None);
            let at = place(canvas, p);
            layout.take(Area::of_disc(at, 7.0));
            put(canvas, &mut layout, Ink::RingText, words, at, 8.0);
        }
        for series in self.series.iter().filter(|series| !series.name.is_empty()) {
            if let Some(last) = series.points.last() {
                let at = place(canvas, last);
                put_at_end(canvas, &mut layout, &series.name, at);
            }
        }
        if self.round {
            for p in self.series.iter().flat_map(|series| thinned(&series.points, each)) {
                let at = place(canvas, p);
                if let Some(spot) = layout.place(&p.label, at, RADIUS).filter(|spot| spot.leader.is_none()) {
                    canvas.text(Ink::Text, &p.label, spot.at, spot.anchor);
                }
            }
        }
    }
}

/// Words beside a point, where there is room.
fn put(canvas: &mut Canvas, layout: &mut Layout, ink: Ink, words: &str, at: Point, radius: f64) {
    let Some(spot) = layout.place(words, at, radius) else { return };
    if let Some(leader) = spot.leader {
        canvas.plain(Ink::Lead, leader.to_vec());
    }
    canvas.text(ink, words, spot.at, spot.anchor);
}

/// The name of a curve at its end: above or below it where there is room, else beside the point.
fn put_at_end(canvas: &mut Canvas, layout: &mut Layout, name: &str, (x, y): Point) {
    let spots = [(x + 4.0, y - 9.0), (x - 2.0, y + 18.0), (x - 12.0, y - 4.0), (x - 4.0, y + 30.0)];
    // Names are bold: wider than the estimate for plain letters.
    let area = |at: &Point| Area::of_text(&format!("{name}\u{a0}"), *at, Anchor::End);
    match spots.into_iter().find(|at| layout.is_clear(&area(at))) {
        Some(at) => {
            layout.take(area(&at));
            canvas.text(Ink::Label, name, at, Anchor::End);
        }
        None => put(canvas, layout, Ink::Label, name, (x, y), RADIUS),
    }
}

fn draw_target(canvas: &mut Canvas, layout: &mut Layout, value: f64, words: &str) {
    let (_, y) = canvas.place((1.0, value));
    let line = [(FRAME.left, y), (FRAME.right, y)];
    canvas.plain(Ink::Target, line.to_vec());
    let places = [
        ((FRAME.left + 6.0, y - 6.0), Anchor::Start),
        ((FRAME.right, y - 6.0), Anchor::End),
        ((FRAME.right, y + 15.0), Anchor::End),
        ((FRAME.left + 6.0, y + 15.0), Anchor::Start),
    ];
    let free = |(at, anchor): &(Point, Anchor)| layout.is_clear(&Area::of_text(words, *at, *anchor));
    let (at, anchor) = places.into_iter().find(free).unwrap_or(places[0]);
    layout.take(Area::of_text(words, at, anchor));
    layout.take_line(&line);
    canvas.text(Ink::TargetText, words, at, anchor);
}

/// The horizontal axis over a range, with some air at both ends.
fn horizontal((first, last): (f64, f64), log: bool) -> Scale {
    if log {
        let margin = (last / first).powf(0.035).max(1.01);
        Scale::Log(first / margin..last * margin)
    } else {
        let margin = ((last - first) * 0.04).max(last.abs() * 0.01).max(1e-9);
        Scale::Linear(first - margin..last + margin)
    }
}

/// Round steps inside a range.
fn round_columns((first, last): (f64, f64)) -> Vec<(f64, String)> {
    let inside = |tick: &f64| *tick >= first - (last - first) * 0.04 && *tick <= last * 1.04;
    scale::ticks(last * 1.04, 5.0).into_iter().filter(inside).map(|tick| (tick, scale::label(tick))).collect()
}

/// At most so many points, evenly spaced, the first and the last among them.
fn thinned(points: &[SeriesPoint], most: usize) -> impl Iterator<Item = &SeriesPoint> {
    let last = points.len().saturating_sub(1);
    let count = points.len().min(most.max(2));
    (0..count).filter_map(move |i| points.get(if count > 1 { i * last / (count - 1) } else { 0 }))
}

/// Labels of the horizontal axis that leave room for each other; the last one always stands.
fn spaced(canvas: &Canvas, labels: Vec<(f64, String)>) -> Vec<(f64, String)> {
    let mut out: Vec<(f64, String)> = Vec::new();
    let mut edge = f64::INFINITY;
    for (x, label) in labels.into_iter().rev() {
        let (at, _) = canvas.place((x, 1.0));
        let half = super::labels::width(&label) / 2.0;
        if at + half + 5.0 < edge {
            edge = at - half;
            out.push((x, label));
        }
    }
    out.reverse();
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(x: f64, y: f64) -> SeriesPoint {
        SeriesPoint { x, label: format!("{x}"), y, tip: format!("{y} ms") }
    }

    fn chart(lines: usize, points: usize) -> SeriesChart {
        let series = (0..lines).map(|line| Series {
            name: format!("line {line}"),
            swatch: Swatch::ALL[line % 8],
            points: (1..=points).map(|i| point(i as f64, (i * (line + 1)) as f64)).collect(),
        });
        SeriesChart {
            label: "finding".into(),
            x_title: "batch (log)".into(),
            y_title: "TTFT, ms".into(),
            series: series.collect(),
            target: Some((40.0, "target 40".into())),
            mark: Some((0, 1, "batch 2".into())),
            round: false,
        }
    }

    #[test]
    fn charts_stay_small_however_much_is_drawn() {
        for (lines, points) in [(1, 1), (1, 2), (6, 8), (6, 1000), (1, 10_000)] {
            for round in [false, true] {
                let drawn = SeriesChart { round, ..chart(lines, points) }.draw();
                assert!(drawn.as_str().len() < 8 * 1024, "{lines} × {points}: {}", drawn.as_str().len());
                assert!(!drawn.as_str().contains("NaN"));
            }
        }
    }

    #[test]
    fn both_ends_stay_when_points_are_thinned() {
        let points: Vec<SeriesPoint> = (0..100).map(|i| point(f64::from(i), 1.0)).collect();
        let xs: Vec<f64> = thinned(&points, 5).map(|p| p.x).collect();
        assert_eq!(xs, [0.0, 24.0, 49.0, 74.0, 99.0]);
        assert_eq!(thinned(&points[..1], 5).count(), 1);
    }
}
