//! What a value is made of, over one input: bands on top of each other.

use super::canvas::{Anchor, Canvas, Frame, Point, Scale};
use super::ink::Ink;
use super::scale;
use crate::report::view::{Markup, Swatch};

const FRAME: Frame = Frame { size: (440, 268), left: 46.0, top: 26.0, right: 428.0, bottom: 228.0 };

/// One band, from the bottom up.
#[derive(Clone, Debug)]
pub struct Layer {
    /// Colour.
    pub swatch: Swatch,
    /// One value for each position.
    pub values: Vec<f64>,
}

/// TPOT over context length, by component.
#[derive(Clone, Debug)]
pub struct StackedArea {
    /// The finding, for screen readers.
    pub label: String,
    /// Title of the horizontal axis.
    pub x_title: String,
    /// Title of the vertical axis.
    pub y_title: String,
    /// Positions, in order.
    pub xs: Vec<f64>,
    /// The bands.
    pub layers: Vec<Layer>,
    /// Words of the tooltip at each position.
    pub tips: Vec<String>,
    /// The target and its words.
    pub target: Option<(f64, String)>,
}

impl StackedArea {
    /// Draws the chart.
    #[must_use]
    pub fn draw(&self) -> Markup {
        let sums = self.sums();
        let top = sums.last().into_iter().flatten().copied().fold(0.0, f64::max);
        let target = self.target.as_ref().filter(|(value, _)| *value <= top * 1.6);
        let ticks = scale::closed(target.map_or(top, |(value, _)| top.max(value * 1.05)), 5.0);
        let (first, last) = (self.xs.first().copied().unwrap_or(0.0), self.xs.last().copied().unwrap_or(1.0));
        let mut canvas = Canvas::new(
            FRAME,
            Scale::Linear(first..last.max(first + 1.0)),
            Scale::Linear(0.0..ticks.last().copied().unwrap_or(1.0)),
        );
        canvas.rows(&ticks, scale::label);
        canvas.columns(&positions(first, last));
        canvas.titles(&self.x_title, &self.y_title);
        self.bands(&mut canvas, &sums);
        if let Some((value, words)) = target {
            let (_, y) = canvas.place((0.0, *value));
            let line = vec![(FRAME.left, y), (FRAME.right, y)];
            canvas.plain(Ink::TargetHalo, line.clone());
            canvas.plain(Ink::Target, line);
            canvas.text(Ink::TargetText, words, (FRAME.left + 6.0, y - 6.0), Anchor::Start);
        }
        self.pointers(&mut canvas);
        canvas.finish(&self.label)
    }

    /// Upper edges of the bands.
    fn sums(&self) -> Vec<Vec<f64>> {
        let mut edge = vec![0.0; self.xs.len()];
        let mut add = |layer: &Layer| {
            for (sum, value) in edge.iter_mut().zip(&layer.values) {
                *sum += value;
            }
            edge.clone()
        };
        self.layers.iter().map(&mut add).collect()
    }

    fn bands(&self, canvas: &mut Canvas, sums: &[Vec<f64>]) {
        let ground = vec![0.0; self.xs.len()];
        for (i, layer) in self.layers.iter().enumerate() {
            let below = if i == 0 { &ground } else { &sums[i - 1] };
            let upper = self.xs.iter().copied().zip(sums[i].iter().copied());
            let lower = self.xs.iter().copied().zip(below.iter().copied()).rev();
            canvas.area(Ink::Area(layer.swatch), upper.chain(lower).collect::<Vec<Point>>());
        }
    }

    /// Invisible columns that carry the tooltips, each reaching half way to its neighbours.
    fn pointers(&self, canvas: &mut Canvas) {
        let xs: Vec<f64> = self.xs.iter().map(|x| canvas.place((*x, 0.0)).0).collect();
        for (i, tip) in self.tips.iter().enumerate().take(xs.len()) {
            let left = if i == 0 { FRAME.left } else { (xs[i - 1] + xs[i]) / 2.0 };
            let right = if i + 1 == xs.len() { FRAME.right } else { (xs[i] + xs[i + 1]) / 2.0 };
            canvas.hit((left, FRAME.top), (right, FRAME.bottom), tip.clone());
        }
    }
}

/// Five even positions, rounded to a step of 1,024 tokens where the range allows it.
fn positions(first: f64, last: f64) -> Vec<(f64, String)> {
    let span = last - first;
    let grain = if span >= 8192.0 { 1024.0 } else { scale::ticks(span, 4.0).get(1).copied().unwrap_or(1.0) };
    let step = (span / 4.0 / grain).round().max(1.0) * grain;
    let start = (first / step).ceil();
    (0..=8)
        .map(|i| (start + f64::from(i)) * step)
        .take_while(|x| *x <= last * 1.0001)
        .map(|x| (x, if grain == 1024.0 { scale::tokens(x) } else { scale::label(x) }))
        .collect()
}
