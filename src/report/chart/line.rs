//! A curve with its error band, the target, and the point where more load stops paying.

use super::canvas::{Anchor, Canvas, Frame, Point, Scale};
use super::ink::Ink;
use super::labels::{Area, Layout};
use super::scale;
use crate::report::view::Markup;

const FRAME: Frame = Frame { size: (440, 268), left: 46.0, top: 26.0, right: 430.0, bottom: 228.0 };

/// A point of the curve.
#[derive(Clone, Debug)]
pub struct Sample {
    /// Position on the horizontal axis, above 0.
    pub x: f64,
    /// Its label there.
    pub label: String,
    /// Value.
    pub y: f64,
    /// Low end of the error band.
    pub low: f64,
    /// High end of the error band.
    pub high: f64,
    /// Words of the tooltip.
    pub tip: String,
}

/// TTFT over batch size, and charts like it.
#[derive(Clone, Debug)]
pub struct LineChart {
    /// The finding, for screen readers.
    pub label: String,
    /// Title of the horizontal axis, which is logarithmic.
    pub x_title: String,
    /// Title of the vertical axis.
    pub y_title: String,
    /// The curve, in order.
    pub samples: Vec<Sample>,
    /// The target and its words.
    pub target: Option<(f64, String)>,
    /// Index of the recommended point and its words.
    pub knee: Option<(usize, String)>,
}

impl LineChart {
    /// Draws the chart.
    #[must_use]
    pub fn draw(&self) -> Markup {
        let top = self.samples.iter().map(|s| s.high).fold(0.0, f64::max);
        let target = self.target.as_ref().filter(|(value, _)| *value <= top * 1.5);
        let ticks = scale::closed(target.map_or(top, |(value, _)| top.max(value * 1.05)), 5.0);
        let (first, last) = (self.samples.first().map_or(1.0, |s| s.x), self.samples.last().map_or(2.0, |s| s.x));
        let margin = (last / first).powf(0.035).max(1.01);
        let mut canvas = Canvas::new(
            FRAME,
            Scale::Log(first / margin..last * margin),
            Scale::Linear(0.0..ticks.last().copied().unwrap_or(1.0)),
        );
        canvas.rows(&ticks, scale::label);
        canvas.columns(&spaced(&canvas, &self.samples));
        canvas.titles(&self.x_title, &self.y_title);
        self.curve(&mut canvas);
        self.labels(&mut canvas, target);
        canvas.finish(&self.label)
    }

    fn curve(&self, canvas: &mut Canvas) {
        let low = self.samples.iter().map(|s| (s.x, s.low));
        let high = self.samples.iter().rev().map(|s| (s.x, s.high));
        if self.samples.iter().any(|s| s.high > s.low) {
            canvas.area(Ink::Band, low.chain(high).collect());
        }
        canvas.line(Ink::Line, self.samples.iter().map(|s| (s.x, s.y)).collect());
    }

    fn labels(&self, canvas: &mut Canvas, target: Option<&(f64, String)>) {
        let points: Vec<Point> = self.samples.iter().map(|s| canvas.place((s.x, s.y))).collect();
        let mut layout = Layout::new(&FRAME);
        layout.take_line(&points);
        for point in &points {
            layout.take(Area::of_disc(*point, 5.0));
        }
        if let Some((value, words)) = target {
            let (_, y) = canvas.place((1.0, *value));
            let line = [(FRAME.left, y), (FRAME.right, y)];
            canvas.plain(Ink::Target, line.to_vec());
            let places = [
                ((FRAME.left + 6.0, y - 6.0), Anchor::Start),
                ((FRAME.right, y - 6.0), Anchor::End),
                ((FRAME.right, y + 15.0), Anchor::End),
            ];
            let free = |(at, anchor): &(Point, Anchor)| layout.is_clear(&Area::of_text(words, *at, *anchor));
            let (at, anchor) = places.into_iter().find(free).unwrap_or(places[0]);
            layout.take(Area::of_text(words, at, anchor));
            layout.take_line(&line);
            canvas.text(Ink::TargetText, words, at, anchor);
        }
        for sample in &self.samples {
            canvas.disc(Ink::Dot, (sample.x, sample.y), 4.0, Some(sample.tip.clone()), None);
        }
        if let Some((index, words)) = &self.knee
            && let Some(sample) = self.samples.get(*index)
        {
            canvas.disc(Ink::Ring, (sample.x, sample.y), 9.0, None, None);
            if let Some(spot) = layout.place(words, points[*index], 9.0) {
                if let Some(leader) = spot.leader {
                    canvas.plain(Ink::Lead, leader.to_vec());
                }
                canvas.text(Ink::RingText, words, spot.at, spot.anchor);
            }
        }
    }
}

/// Labels of the horizontal axis that leave room for each other; the last one always stands.
fn spaced(canvas: &Canvas, samples: &[Sample]) -> Vec<(f64, String)> {
    let mut out: Vec<(f64, String)> = Vec::new();
    let mut edge = f64::INFINITY;
    for sample in samples.iter().rev() {
        let (x, _) = canvas.place((sample.x, 0.0));
        let half = super::labels::width(&sample.label) / 2.0;
        if x + half + 5.0 < edge {
            edge = x - half;
            out.push((sample.x, sample.label.clone()));
        }
    }
    out.reverse();
    out
}
