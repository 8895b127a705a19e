//! Where labels go: beside their point, on nothing else.

use super::canvas::{Anchor, Frame, Point};

/// Height of a line of text.
const HEIGHT: f64 = 13.0;

/// Width of a text of size 12: an estimate, on the generous side.
pub(super) fn width(text: &str) -> f64 {
    text.chars().map(|c| if c.is_ascii() || c == '\u{a0}' { 6.3 } else { 12.0 }).sum()
}

/// A rectangle in units of the chart.
#[derive(Clone, Copy, Debug)]
pub(super) struct Area {
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
}

impl Area {
    pub(super) fn new(left: f64, top: f64, right: f64, bottom: f64) -> Self {
        Self { left, top, right, bottom }
    }

    /// The rectangle of a text with its baseline at a point.
    pub(super) fn of_text(text: &str, at: Point, anchor: Anchor) -> Self {
        let width = width(text);
        let left = match anchor {
            Anchor::Start => at.0,
            Anchor::Middle => at.0 - width / 2.0,
            Anchor::End => at.0 - width,
        };
        Self::new(left, at.1 - HEIGHT + 2.0, left + width, at.1 + 3.0)
    }

    /// The square around a disc.
    pub(super) fn of_disc(at: Point, radius: f64) -> Self {
        Self::new(at.0 - radius, at.1 - radius, at.0 + radius, at.1 + radius)
    }

    fn meets(&self, other: &Self) -> bool {
        self.left < other.right && other.left < self.right && self.top < other.bottom && other.top < self.bottom
    }

    fn holds(&self, other: &Self) -> bool {
        self.left <= other.left && self.top <= other.top && self.right >= other.right && self.bottom >= other.bottom
    }

    /// Whether a stretch of a line passes through, tested at every unit of its length.
    fn crossed_by(&self, from: Point, to: Point) -> bool {
        let steps = (to.0 - from.0).hypot(to.1 - from.1).ceil().max(1.0);
        (0..=steps as u32).any(|i| {
            let t = f64::from(i) / steps;
            let (x, y) = (from.0 + t * (to.0 - from.0), from.1 + t * (to.1 - from.1));
            x > self.left && x < self.right && y > self.top && y < self.bottom
        })
    }
}

/// A place for a label, with a leader to its point where it stands off.
#[derive(Clone, Debug)]
pub(super) struct Spot {
    pub(super) at: Point,
    pub(super) anchor: Anchor,
    pub(super) leader: Option<[Point; 2]>,
}

/// What is taken already: texts, discs, lines.
#[derive(Debug)]
pub(super) struct Layout {
    bounds: Area,
    areas: Vec<Area>,
    lines: Vec<[Point; 2]>,
}

impl Layout {
    /// A free plot; labels stay within the chart.
    pub(super) fn new(frame: &Frame) -> Self {
        let bounds = Area::new(frame.left + 2.0, frame.top - 12.0, f64::from(frame.size.0), frame.bottom - 2.0);
        Self { bounds, areas: Vec::new(), lines: Vec::new() }
    }

    /// Takes a rectangle.
    pub(super) fn take(&mut self, area: Area) {
        self.areas.push(area);
    }

    /// Takes a line through several points.
    pub(super) fn take_line(&mut self, points: &[Point]) {
        self.lines.extend(points.windows(2).map(|pair| [pair[0], pair[1]]));
    }

    /// The first free place around a disc, and takes it; `None` when everything near is taken.
    pub(super) fn place(&mut self, text: &str, at: Point, radius: f64) -> Option<Spot> {
        let own = Area::of_disc(at, radius);
        let spot = candidates(at, radius).into_iter().find(|spot| self.is_free(text, spot, &own))?;
        self.areas.push(Area::of_text(text, spot.at, spot.anchor));
        if let Some(leader) = spot.leader {
            self.lines.push(leader);
        }
        Some(spot)
    }

    /// Whether a rectangle lies in the plot and on nothing.
    pub(super) fn is_clear(&self, area: &Area) -> bool {
        self.bounds.holds(area)
            && !self.areas.iter().any(|taken| taken.meets(area))
            && !self.lines.iter().any(|[from, to]| area.crossed_by(*from, *to))
    }

    fn is_free(&self, text: &str, spot: &Spot, own: &Area) -> bool {
        // A leader starts at the edge of its own disc and may cross what lies on that disc anyway.
        let leader_is_free = |[from, to]: [Point; 2]| {
            let start = (from.0, from.1 + (to.1 - from.1).signum() * 3.0);
            !self.areas.iter().any(|taken| !taken.meets(own) && taken.crossed_by(start, to))
        };
        self.is_clear(&Area::of_text(text, spot.at, spot.anchor)) && spot.leader.is_none_or(leader_is_free)
    }
}

/// Places around a disc, best first: beside it, then below and above on leaders of growing length.
fn candidates(at: Point, radius: f64) -> Vec<Spot> {
    let (x, y) = at;
    let gap = radius + 4.0;
    let beside = |dx: f64, anchor| Spot { at: (x + dx, y + 4.0), anchor, leader: None };
    let mut out = vec![
        beside(gap, Anchor::Start),
        beside(-gap, Anchor::End),
        Spot { at: (x, y - gap), anchor: Anchor::Middle, leader: None },
        Spot { at: (x, y + gap + 9.0), anchor: Anchor::Middle, leader: None },
    ];
    for step in 1..=14 {
        let reach = radius + 8.0 + f64::from(step) * 11.0;
        for sign in [1.0, -1.0] {
            let foot = (x, y + sign * reach);
            let leader = Some([(x, y + sign * (radius + 1.0)), foot]);
            let beneath = if sign > 0.0 { 12.0 } else { -4.0 };
            out.push(Spot { at: (x - 3.0, foot.1 + 3.0), anchor: Anchor::End, leader });
            out.push(Spot { at: (x + 3.0, foot.1 + 3.0), anchor: Anchor::Start, leader });
            out.push(Spot { at: (x, foot.1 + beneath), anchor: Anchor::Middle, leader });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_never_overlap() {
        let frame = Frame { size: (440, 320), left: 44.0, top: 12.0, right: 432.0, bottom: 284.0 };
        let mut layout = Layout::new(&frame);
        let points: Vec<Point> = (0..8).map(|i| (300.0 + f64::from(i) * 9.0, 60.0 + f64::from(i % 3) * 4.0)).collect();
        for point in &points {
            layout.take(Area::of_disc(*point, 6.0));
        }
        let spots: Vec<_> = points.iter().filter_map(|p| layout.place("gemm_gate_up 61 %", *p, 6.0)).collect();
        assert!(spots.len() >= 4, "{}", spots.len());
        for (i, a) in spots.iter().enumerate() {
            let a = Area::of_text("gemm_gate_up 61 %", a.at, a.anchor);
            for b in &spots[..i] {
                assert!(!a.meets(&Area::of_text("gemm_gate_up 61 %", b.at, b.anchor)));
            }
            assert!(points.iter().all(|p| !a.meets(&Area::of_disc(*p, 6.0))));
        }
    }

    #[test]
    fn wide_letters_count_double() {
        assert!(width("注意力") > width("abc"));
    }
}
