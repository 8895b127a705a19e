//! Kernels against the two limits of the hardware: arithmetic and bandwidth.

use super::canvas::{Anchor, Canvas, Frame, Point, Scale};
use super::ink::Ink;
use super::labels::{Area, Layout};
use super::scale;
use crate::report::view::{Markup, Swatch};

const FRAME: Frame = Frame { size: (520, 360), left: 46.0, top: 24.0, right: 512.0, bottom: 318.0 };
/// Direct labels at most, of filled points and of rings.
const LABELS: usize = 4;

/// A kernel in the plane of intensity and rate.
#[derive(Clone, Debug)]
pub struct Dot {
    /// FLOP per byte of HBM traffic, above 0.
    pub intensity: f64,
    /// Achieved TFLOPS, above 0.
    pub tflops: f64,
    /// Time, which the area follows.
    pub ms: f64,
    /// Colour of its stage.
    pub swatch: Swatch,
    /// Drawn as a ring: decode.
    pub hollow: bool,
    /// Direct label.
    pub label: String,
    /// Words of the tooltip.
    pub tip: String,
    /// Where a click leads: `kernel=gate_up`.
    pub href: String,
}

/// The roofline of one machine.
#[derive(Clone, Debug)]
pub struct Roofline {
    /// The finding, for screen readers.
    pub label: String,
    /// Title of the horizontal axis.
    pub x_title: String,
    /// Title of the vertical axis.
    pub y_title: String,
    /// Peak bandwidth in GB/s and its words.
    pub bandwidth: (f64, String),
    /// Peak arithmetic in TFLOPS and its words; the first is the roof, the others are lower lines.
    pub peaks: Vec<(f64, String)>,
    /// The kernels.
    pub dots: Vec<Dot>,
}

/// Radius of the largest disc at most.
const LARGEST: f64 = 15.0;

/// The rectangle of a bold text, whose letters are wider than the estimate for plain ones.
fn bold(words: &str, at: Point, anchor: Anchor) -> Area {
    Area::of_text(&format!("{words}\u{a0}\u{a0}\u{a0}"), at, anchor)
}

/// Where the words of a roof at `y` go: at its right end, at its left, or above or below what is there.
fn roof_label(words: &str, left: f64, y: f64, layout: &Layout) -> (Point, Anchor) {
    let right = FRAME.right;
    let mut places = vec![((right, y - 7.0), Anchor::End), ((left, y - 7.0), Anchor::Start)];
    places.extend((0..20).map(|step| ((right - 20.0 * f64::from(step), y + 16.0), Anchor::End)));
    places.push(((left, y - 22.0), Anchor::Start));
    let free = |(at, anchor): &(Point, Anchor)| layout.is_clear(&bold(words, *at, *anchor));
    let first = places[0];
    places.into_iter().find(free).unwrap_or(first)
}

impl Roofline {
    /// Radius of a kernel that takes `ms`; all shrink alike where one would cover the others.
    fn radius(&self, ms: f64) -> f64 {
        let growth = |ms: f64| 0.42 * ms.max(0.0).sqrt();
        let largest = self.dots.iter().map(|dot| growth(dot.ms)).fold(0.0, f64::max);
        4.0 + growth(ms) * ((LARGEST - 4.0) / largest).min(1.0)
    }

    /// Draws the chart.
    #[must_use]
    pub fn draw(&self) -> Markup {
        let peak = self.peaks.first().map_or(1.0, |(tflops, _)| *tflops);
        let (xs, ys) = self.ranges(peak);
        let mut canvas = Canvas::new(FRAME, Scale::Log(xs.0..xs.1), Scale::Log(ys.0..ys.1));
        let inside = |range: (f64, f64)| move |tick: &f64| *tick >= range.0 * 0.999 && *tick <= range.1 * 1.001;
        let rows: Vec<f64> = scale::decades(ys.0, ys.1).into_iter().filter(inside(ys)).collect();
        canvas.rows(&rows, scale::label);
        let columns: Vec<_> = scale::decades(xs.0, xs.1).into_iter().filter(inside(xs)).collect();
        for tick in &columns {
            let (x, _) = canvas.place((*tick, ys.0));
            canvas.plain(Ink::Grid, vec![(x, FRAME.top), (x, FRAME.bottom)]);
        }
        canvas.columns(&columns.iter().map(|tick| (*tick, scale::label(*tick))).collect::<Vec<_>>());
        canvas.titles(&self.x_title, &self.y_title);
        let mut layout = Layout::new(&FRAME);
        for dot in &self.dots {
            layout.take(Area::of_disc(canvas.place((dot.intensity, dot.tflops)), self.radius(dot.ms)));
        }
        self.ceilings(&mut canvas, &mut layout, xs, peak);
        self.kernels(&mut canvas, &mut layout);
        canvas.finish(&self.label)
    }

    /// Ranges of both axes: what the kernels need, and the ridge with some of the roof.
    fn ranges(&self, peak: f64) -> ((f64, f64), (f64, f64)) {
        let ridge = peak * 1e3 / self.bandwidth.0;
        let low = |seed: f64, value: fn(&Dot) -> f64| self.dots.iter().map(value).fold(seed, f64::min);
        let right = self.dots.iter().map(|dot| dot.intensity * 6.0).fold(ridge * 6.0, f64::max);
        let left = low(ridge / 100.0, |dot| dot.intensity) / 3.0;
        let bottom = (low(peak / 100.0, |dot| dot.tflops) / 1.8).min(left * self.bandwidth.0 / 1e3);
        ((left, right), (bottom, peak * 2.2))
    }

    /// Slope and roof, labelled on the line.
    fn ceilings(&self, canvas: &mut Canvas, layout: &mut Layout, xs: (f64, f64), peak: f64) {
        let slope = self.bandwidth.0 / 1e3;
        let ridge = peak / slope;
        let roof = [(xs.0, xs.0 * slope), (ridge, peak), (xs.1, peak)];
        canvas.line(Ink::Roof, roof.to_vec());
        let placed: Vec<Point> = roof.iter().map(|point| canvas.place(*point)).collect();
        layout.take_line(&placed);
        for (index, (tflops, words)) in self.peaks.iter().enumerate() {
            let (_, y) = canvas.place((ridge, *tflops));
            if index > 0 {
                let line = [(*tflops / slope, *tflops), (xs.1, *tflops)];
                canvas.line(Ink::RoofMinor, line.to_vec());
                layout.take_line(&line.map(|point| canvas.place(point)));
            }
            let (at, anchor) = roof_label(words, canvas.place((ridge.max(*tflops / slope), *tflops)).0, y, layout);
            layout.take(bold(words, at, anchor));
            canvas.text(Ink::Label, words, at, anchor);
        }
        let (from, to) = (placed[0], placed[1]);
        let turn = (to.1 - from.1).atan2(to.0 - from.0);
        // A third up the slope, a little above it.
        let (x, y) = (from.0 + 0.3 * (to.0 - from.0), from.1 + 0.3 * (to.1 - from.1));
        let at = (x + 7.0 * turn.sin(), y - 7.0 * turn.cos());
        canvas.turned(Ink::Label, &self.bandwidth.1, at, Anchor::Start, turn.to_degrees());
        let reach = super::labels::width(&self.bandwidth.1);
        let end = (at.0 + reach * turn.cos(), at.1 + reach * turn.sin());
        layout.take_line(&[at, end]);
        layout.take_line(&[(at.0, at.1 - 10.0), (end.0, end.1 - 10.0)]);
    }

    /// Discs, largest first so that none hides another, then the labels of the longest.
    fn kernels(&self, canvas: &mut Canvas, layout: &mut Layout) {
        let mut order: Vec<&Dot> = self.dots.iter().collect();
        order.sort_by(|a, b| b.ms.total_cmp(&a.ms).then_with(|| a.label.cmp(&b.label)));
        let spot = |dot: &Dot| {
            let spot = layout.place(&dot.label, canvas.place((dot.intensity, dot.tflops)), self.radius(dot.ms));
            spot.map(|spot| (dot.label.clone(), spot))
        };
        let of = |hollow: bool| order.iter().copied().filter(move |dot| dot.hollow == hollow).take(LABELS);
        let words: Vec<_> = of(false).chain(of(true)).filter_map(spot).collect();
        for leader in words.iter().filter_map(|(_, spot)| spot.leader) {
            canvas.plain(Ink::Lead, leader.to_vec());
        }
        for dot in order {
            let ink = if dot.hollow { Ink::StageRing(dot.swatch) } else { Ink::StageDot(dot.swatch) };
            let at = (dot.intensity, dot.tflops);
            canvas.disc(ink, at, self.radius(dot.ms), Some(dot.tip.clone()), Some(dot.href.clone()));
        }
        for (text, spot) in words {
            canvas.text(Ink::Text, &text, spot.at, spot.anchor);
        }
    }
}
