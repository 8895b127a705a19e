//! A drawing surface with two axes: plotters behind words of our own.

use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::{
    Cartesian2d, Circle, DrawingArea, IntoDrawingArea, IntoFont, PathElement, Polygon, RGBColor, Rectangle, SVGBackend,
    ShapeStyle, Text, TextStyle,
};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::ops::Range;

use super::ink::Ink;
use super::svg::{Mark, ZOOM, rewrite};
use crate::report::view::Markup;

/// A point in units of the chart, from the upper left.
pub(super) type Point = (f64, f64);

/// How an axis maps values.
#[derive(Clone, Debug)]
pub(super) enum Scale {
    Linear(Range<f64>),
    Log(Range<f64>),
}

impl Scale {
    fn map(&self, value: f64) -> f64 {
        match self {
            Self::Linear(_) => value,
            Self::Log(range) => value.max(range.start * 1e-3).log10(),
        }
    }

    fn range(&self) -> Range<f64> {
        let (Self::Linear(range) | Self::Log(range)) = self;
        self.map(range.start)..self.map(range.end)
    }
}

/// Size of a chart and the rectangle of its plot.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) size: (u32, u32),
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) right: f64,
    pub(super) bottom: f64,
}

/// Where a text hangs on its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// A chart while it is drawn: the marks so far, in drawing order.
pub(super) struct Canvas {
    pub(super) frame: Frame,
    x: Scale,
    y: Scale,
    shapes: Vec<(Shape, Mark)>,
}

/// What plotters will be asked to draw. Data shapes are in data units, the others in units of the chart.
enum Shape {
    Line(Vec<Point>),
    Area(Vec<Point>),
    Disc(Point, f64),
    Plain(Vec<Point>),
    Box(Point, Point),
    Text(String, Point, Anchor),
}

impl Canvas {
    pub(super) fn new(frame: Frame, x: Scale, y: Scale) -> Self {
        Self { frame, x, y, shapes: Vec::new() }
    }

    /// A line through data points.
    pub(super) fn line(&mut self, ink: Ink, points: Vec<Point>) {
        self.push(Shape::Line(points), ink);
    }

    /// A filled polygon through data points.
    pub(super) fn area(&mut self, ink: Ink, points: Vec<Point>) {
        self.push(Shape::Area(points), ink);
    }

    /// A disc on a data point, with its tooltip.
    pub(super) fn disc(&mut self, ink: Ink, at: Point, radius: f64, tip: Option<String>, href: Option<String>) {
        self.shapes.push((Shape::Disc(at, radius), Mark { ink, tip, href, turn: 0.0 }));
    }

    /// A line in units of the chart.
    pub(super) fn plain(&mut self, ink: Ink, points: Vec<Point>) {
        self.push(Shape::Plain(points), ink);
    }

    /// A rectangle in units of the chart, with its tooltip.
    pub(super) fn hit(&mut self, from: Point, to: Point, tip: String) {
        self.shapes.push((Shape::Box(from, to), Mark { ink: Ink::Hit, tip: Some(tip), href: None, turn: 0.0 }));
    }

    /// A text with its baseline at a point of the chart.
    pub(super) fn text(&mut self, ink: Ink, text: &str, at: Point, anchor: Anchor) {
        self.turned(ink, text, at, anchor, 0.0);
    }

    /// A text turned by some degrees.
    pub(super) fn turned(&mut self, ink: Ink, text: &str, at: Point, anchor: Anchor, turn: f64) {
        let mark = Mark { ink, tip: None, href: None, turn };
        self.shapes.push((Shape::Text(text.to_owned(), at, anchor), mark));
    }

    /// A data point in units of the chart.
    pub(super) fn place(&self, at: Point) -> Point {
        let along = |scale: &Scale, value: f64| {
            let Range { start, end } = scale.range();
            (scale.map(value) - start) / (end - start)
        };
        let Frame { left, top, right, bottom, .. } = self.frame;
        (left + along(&self.x, at.0) * (right - left), bottom - along(&self.y, at.1) * (bottom - top))
    }

    /// Grid lines across the plot with their labels at the left.
    pub(super) fn rows(&mut self, ticks: &[f64], label: impl Fn(f64) -> String) {
        let Frame { left, right, .. } = self.frame;
        for tick in ticks {
            let (_, y) = self.place((self.x.range().start, *tick));
            self.plain(Ink::Grid, vec![(left, y), (right, y)]);
            self.text(Ink::Text, &label(*tick), (left - 6.0, y + 4.0), Anchor::End);
        }
    }

    /// Labels below the plot.
    pub(super) fn columns(&mut self, ticks: &[(f64, String)]) {
        let Frame { left, right, bottom, .. } = self.frame;
        for (tick, label) in ticks {
            let (x, _) = self.place((*tick, 1.0));
            let half = super::labels::width(label) / 2.0;
            let x = x.clamp(left + half - 12.0, right + 8.0 - half);
            self.text(Ink::Text, label, (x, bottom + 17.0), Anchor::Middle);
        }
    }

    /// Titles of both axes: above the plot at the left, and centred below it.
    pub(super) fn titles(&mut self, x: &str, y: &str) {
        let Frame { left, right, size, .. } = self.frame;
        self.text(Ink::Text, y, (6.0, 14.0), Anchor::Start);
        self.text(Ink::Text, x, ((left + right) / 2.0, f64::from(size.1) - 4.0), Anchor::Middle);
    }

    /// The chart, with its finding for screen readers.
    pub(super) fn finish(self, label: &str) -> Markup {
        let (width, height) = self.frame.size;
        let mut drawing = String::new();
        {
            let zoomed = (width * ZOOM as u32, height * ZOOM as u32);
            let root = SVGBackend::with_string(&mut drawing, zoomed).into_drawing_area();
            let Frame { left, top, right, bottom, .. } = self.frame;
            let pixels = |from: f64, to: f64| pixel(from)..pixel(to);
            let plot = root.clone().apply_coord_spec(Cartesian2d::<RangedCoordf64, RangedCoordf64>::new(
                self.x.range(),
                self.y.range(),
                (pixels(left, right), pixels(bottom, top)),
            ));
            for (index, (shape, _)) in self.shapes.iter().enumerate() {
                // The string backend never fails, and a mark that could not be drawn is only missing.
                self.draw(&root, &plot, shape, sentinel(index)).ok();
            }
        }
        let marks: Vec<Mark> = self.shapes.into_iter().map(|(_, mark)| mark).collect();
        Markup::trusted(rewrite(&drawing, &marks, (width, height), label))
    }

    fn push(&mut self, shape: Shape, ink: Ink) {
        self.shapes.push((shape, Mark { ink, tip: None, href: None, turn: 0.0 }));
    }

    fn draw<'a>(
        &self,
        root: &DrawingArea<SVGBackend<'a>, Shift>,
        plot: &DrawingArea<SVGBackend<'a>, Cartesian2d<RangedCoordf64, RangedCoordf64>>,
        shape: &Shape,
        colour: RGBColor,
    ) -> Result<(), plotters::drawing::DrawingAreaErrorKind<std::io::Error>> {
        let stroke = ShapeStyle { color: colour.into(), filled: false, stroke_width: 1 };
        let fill = ShapeStyle { filled: true, ..stroke };
        let data = |points: &[Point]| points.iter().map(|p| (self.x.map(p.0), self.y.map(p.1))).collect::<Vec<_>>();
        let zoomed = |p: &Point| (pixel(p.0), pixel(p.1));
        match shape {
            Shape::Line(points) => plot.draw(&PathElement::new(data(points), stroke)),
            Shape::Area(points) => plot.draw(&Polygon::new(data(points), fill)),
            Shape::Disc(at, radius) => {
                plot.draw(&Circle::new((self.x.map(at.0), self.y.map(at.1)), pixel(*radius) as u32, fill))
            }
            Shape::Plain(points) => root.draw(&PathElement::new(points.iter().map(zoomed).collect::<Vec<_>>(), stroke)),
            Shape::Box(from, to) => root.draw(&Rectangle::new([zoomed(from), zoomed(to)], fill)),
            Shape::Text(text, at, anchor) => {
                let h_pos = match anchor {
                    Anchor::Start => HPos::Left,
                    Anchor::Middle => HPos::Center,
                    Anchor::End => HPos::Right,
                };
                let style = TextStyle::from(("sans-serif", 12.0 * ZOOM).into_font()).color(&colour);
                let style = TextStyle { pos: Pos::new(h_pos, VPos::Bottom), ..style };
                root.draw(&Text::new(text.as_str(), zoomed(at), style))
            }
        }
    }
}

/// A length of the chart in pixels of plotters.
fn pixel(value: f64) -> i32 {
    (value * ZOOM).round() as i32
}

/// The colour that stands for a row of the table of marks.
fn sentinel(index: usize) -> RGBColor {
    RGBColor((index >> 16) as u8, (index >> 8) as u8, index as u8)
}
