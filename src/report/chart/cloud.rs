//! Many points in a plane, and the front of those that no other beats.
//!
//! The many are one path of dashes on a grid, so that ten thousand of them take no more room than a few hundred.

use super::budget;
use super::canvas::{Canvas, Frame, Point, Scale};
use super::ink::Ink;
use super::labels::{Area, Layout};
use super::scale;
use crate::report::view::Markup;
use std::collections::BTreeSet;

const FRAME: Frame = Frame { size: (440, 280), left: 50.0, top: 26.0, right: 430.0, bottom: 240.0 };
/// Dashes at most: at most ten bytes each.
const DASHES: usize = 340;
/// Size of a dash where there is room for all.
const FINEST: u32 = 3;
/// Points of the front that have a disc, at most; fewer where their words are long.
const DISCS: [usize; 4] = [18, 12, 8, 4];
/// Corners of the front's line at most.
const CORNERS: usize = 120;

/// A point of the front.
#[derive(Clone, Debug)]
pub struct FrontPoint {
    /// Position.
    pub at: (f64, f64),
    /// Words of the tooltip.
    pub tip: String,
}

/// The cloud of a sweep, both axes logarithmic.
#[derive(Clone, Debug)]
pub struct Cloud {
    /// The finding, for screen readers.
    pub label: String,
    /// Title of the horizontal axis.
    pub x_title: String,
    /// Title of the vertical axis.
    pub y_title: String,
    /// The points that another one beats.
    pub points: Vec<(f64, f64)>,
    /// The front, from left to right.
    pub front: Vec<FrontPoint>,
    /// Words at the front.
    pub front_label: String,
    /// The point of the verdict and its words.
    pub mark: Option<((f64, f64), String)>,
}

impl Cloud {
    /// Draws the chart.
    #[must_use]
    pub fn draw(&self) -> Markup {
        budget::within(&DISCS, |discs| self.drawn(discs))
    }

    fn drawn(&self, discs: usize) -> Markup {
        let axis = |of: fn(&(f64, f64)) -> f64| {
            let all = self.points.iter().copied().chain(self.front.iter().map(|p| p.at));
            let (low, high) = all.fold((f64::INFINITY, 0.0f64), |(l, h), p| (l.min(of(&p)), h.max(of(&p))));
            if low < high { (low / 1.12, high * 1.12) } else { (high / 2.0, high * 2.0) }
        };
        let (x, y) = (axis(|p| p.0), axis(|p| p.1));
        let mut canvas = Canvas::new(FRAME, Scale::Log(x.0..x.1), Scale::Log(y.0..y.1));
        canvas.rows(&scale::log_ticks(y.0, y.1), scale::label);
        let columns = scale::log_ticks(x.0, x.1);
        canvas.columns(&columns.into_iter().map(|tick| (tick, scale::label(tick))).collect::<Vec<_>>());
        canvas.titles(&self.x_title, &self.y_title);
        let placed: Vec<Point> = self.points.iter().map(|p| canvas.place(*p)).collect();
        let (size, dashes) = dashes(&placed);
        canvas.plain(Ink::Cloud(size), dashes);
        self.front(&mut canvas, discs);
        canvas.finish(&self.label)
    }

    fn front(&self, canvas: &mut Canvas, discs: usize) {
        let corners: Vec<(f64, f64)> = thinned(&self.front, CORNERS).map(|p| p.at).collect();
        let placed: Vec<Point> = corners.iter().map(|at| canvas.place(*at)).collect();
        canvas.line(Ink::Line, corners);
        let mut layout = Layout::new(&FRAME);
        layout.take_line(&placed);
        for point in thinned(&self.front, discs) {
            canvas.disc(Ink::Dot, point.at, 4.0, Some(point.tip.clone()), None);
            layout.take(Area::of_disc(canvas.place(point.at), 5.0));
        }
        let mut put = |canvas: &mut Canvas, ink: Ink, words: &str, at: (f64, f64), radius: f64| {
            let Some(spot) = layout.place(words, canvas.place(at), radius) else { return };
            if let Some(leader) = spot.leader {
                canvas.plain(Ink::Lead, leader.to_vec());
            }
            canvas.text(ink, words, spot.at, spot.anchor);
        };
        if let Some((at, words)) = &self.mark {
            canvas.disc(Ink::Ring, *at, 8.0, None, None);
            put(canvas, Ink::RingText, words, *at, 8.0);
        }
        // Words of the mark keep their place: the other end of the front has its name.
        let is_marked = |point: &&FrontPoint| self.mark.as_ref().is_some_and(|(at, _)| *at == point.at);
        let end = self.front.first().filter(|first| !is_marked(first)).or(self.front.last());
        if let Some(end) = end {
            put(canvas, Ink::Label, &self.front_label, end.at, 5.0);
        }
    }
}

/// Dashes over the occupied cells of the finest grid that needs few enough, as start and end of each; and the cell's
/// size.
fn dashes(points: &[Point]) -> (u32, Vec<Point>) {
    let mut size = FINEST;
    loop {
        let cell = f64::from(size);
        let cells: BTreeSet<(i64, i64)> =
            points.iter().map(|(x, y)| ((y / cell).floor() as i64, (x / cell).floor() as i64)).collect();
        let mut runs: Vec<(i64, i64, i64)> = Vec::new();
        for (row, column) in cells {
            match runs.last_mut() {
                Some((last, _, end)) if *last == row && *end == column => *end += 1,
                _ => runs.push((row, column, column + 1)),
            }
        }
        if runs.len() <= DASHES || size >= 16 {
            let y = |row: i64| (row as f64 + 0.5) * cell;
            let run = |(row, from, to): (i64, i64, i64)| [(from as f64 * cell, y(row)), (to as f64 * cell, y(row))];
            return (size, runs.into_iter().flat_map(run).collect());
        }
        size += 1;
    }
}

/// At most so many points, evenly spaced, the first and the last among them.
fn thinned(points: &[FrontPoint], most: usize) -> impl Iterator<Item = &FrontPoint> {
    let last = points.len().saturating_sub(1);
    let count = points.len().min(most);
    (0..count).filter_map(move |i| points.get(if count > 1 { i * last / (count - 1) } else { 0 }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_thousand_points_take_no_more_room_than_a_few_hundred() {
        let spread = |i: u32, by: u32| 1.0 + f64::from((i * by) % 10_007) / 10.0;
        let points: Vec<(f64, f64)> = (0..10_000).map(|i| (spread(i, 7919), spread(i, 6101))).collect();
        let tip = "H100 SXM 80GB, INT8 W8A8, batch 16\n195 tok/s, 4,616 tok/s per GPU".to_owned();
        let front = (0..500).map(|i| FrontPoint { at: (1.0 + f64::from(i), 1500.0 - f64::from(i)), tip: tip.clone() });
        let cloud = Cloud {
            label: "finding".into(),
            x_title: "user".into(),
            y_title: "GPU".into(),
            points,
            front: front.collect(),
            front_label: "front".into(),
            mark: Some(((20.0, 1480.0), "batch 16".into())),
        };
        let drawn = cloud.draw();
        assert!(drawn.as_str().len() < 8 * 1024, "{}", drawn.as_str().len());
        assert_eq!(drawn.as_str().matches("<path").count(), 1, "the cloud is one path");
    }

    #[test]
    fn neighbours_share_a_dash() {
        let (size, dashes) = dashes(&[(1.0, 1.0), (4.0, 1.0), (13.0, 1.0)]);
        assert_eq!((size, dashes), (3, vec![(0.0, 1.5), (6.0, 1.5), (12.0, 1.5), (15.0, 1.5)]));
    }

    #[test]
    fn a_single_point_has_a_plane_around_it() {
        let front = vec![FrontPoint { at: (10.0, 10.0), tip: String::new() }];
        let cloud = Cloud {
            label: String::new(),
            x_title: String::new(),
            y_title: String::new(),
            points: Vec::new(),
            front,
            front_label: String::new(),
            mark: None,
        };
        assert!(!cloud.draw().as_str().contains("NaN"));
    }
}
