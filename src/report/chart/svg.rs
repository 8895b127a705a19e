//! The one pass over the drawing: from what plotters writes to what the page needs.
//!
//! Plotters knows literal colours and whole pixels. Charts are therefore drawn ten times too large, and each mark in a
//! colour of its own, a sentinel that stands for its row in a table of marks. This pass puts the class and the
//! attributes of that row in place of the sentinel, divides the coordinates by ten and drops everything else.

use super::ink::Ink;
use crate::quantity::format::coordinate;

/// Pixels of plotters per unit of the chart.
pub(super) const ZOOM: f64 = 10.0;

/// A mark: its look, and what the pointer finds on it.
#[derive(Clone, Debug)]
pub(super) struct Mark {
    pub(super) ink: Ink,
    /// Words of the tooltip, also found in the table beneath the chart.
    pub(super) tip: Option<String>,
    /// Where a click leads, without `#`.
    pub(super) href: Option<String>,
    /// Degrees that a text is turned by.
    pub(super) turn: f64,
}

impl Mark {
    fn attributes(&self) -> String {
        let mut out = self.ink.attributes();
        for (name, value) in [("data-href", &self.href), ("data-tip", &self.tip)] {
            if let Some(value) = value {
                out.push_str(&format!(" {name}=\"{}\"", escape(value)));
            }
        }
        out
    }
}

/// Rewrites the drawing. `size` is the one of the chart, `label` its finding for screen readers.
pub(super) fn rewrite(drawing: &str, marks: &[Mark], size: (u32, u32), label: &str) -> String {
    let (width, height) = size;
    let mut out = format!(
        r#"<svg class="chart" width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img" aria-label="{}" font-size="12" font-family="sans-serif">"#,
        escape(label)
    );
    for element in drawing.split('<').skip(1).filter_map(Element::parse) {
        let Some(mark) = element.sentinel().and_then(|index| marks.get(index)) else { continue };
        out.push_str(&element.write(mark));
    }
    out.push_str("</svg>");
    out
}

/// An element as plotters wrote it.
struct Element<'a> {
    tag: &'a str,
    head: &'a str,
    text: &'a str,
}

impl<'a> Element<'a> {
    /// Parses what follows a `<`: `circle cx="1" …/>`, or `text x="1" …>\nwords\n`.
    fn parse(source: &'a str) -> Option<Self> {
        let (tag, rest) = source.split_at(source.find(' ')?);
        let (head, text) = rest.split_once('>')?;
        Some(Self { tag, head, text: text.trim() })
    }

    fn get(&self, name: &str) -> Option<&'a str> {
        let start = self.head.find(&format!(" {name}=\""))? + name.len() + 3;
        self.head[start..].split('"').next()
    }

    /// The table row that the colour stands for.
    fn sentinel(&self) -> Option<usize> {
        let colour = [self.get("fill"), self.get("stroke")].into_iter().flatten().find(|c| c.starts_with('#'))?;
        usize::from_str_radix(&colour[1..], 16).ok()
    }

    fn number(&self, name: &str) -> String {
        let value = self.get(name).and_then(|text| text.parse::<f64>().ok()).unwrap_or_default();
        coordinate(value / ZOOM)
    }

    fn points(&self) -> String {
        let number = |text: &str| coordinate(text.parse::<f64>().unwrap_or_default() / ZOOM);
        let pair = |point: &str| point.split(',').map(number).collect::<Vec<_>>().join(",");
        let mut points: Vec<String> = self.get("points").unwrap_or_default().split_whitespace().map(pair).collect();
        points.dedup();
        points.join(" ")
    }

    /// Pairs of points as horizontal dashes: `M10 20h4`.
    fn dashes(&self) -> String {
        let number = |text: &str| text.parse::<f64>().unwrap_or_default() / ZOOM;
        let pair = |point: &str| point.split_once(',').map(|(x, y)| (number(x), number(y))).unwrap_or_default();
        let points: Vec<(f64, f64)> = self.get("points").unwrap_or_default().split_whitespace().map(pair).collect();
        let dash = |ends: &[(f64, f64)]| match ends {
            [(x, y), (to, _)] => format!("M{} {}h{}", coordinate(*x), coordinate(*y), coordinate(to - x)),
            _ => String::new(),
        };
        points.chunks(2).map(dash).collect()
    }

    fn write(&self, mark: &Mark) -> String {
        let mut attributes = mark.attributes();
        if !attributes.is_empty() {
            attributes.insert(0, ' ');
        }
        let n = |name| self.number(name);
        match self.tag {
            "polyline" if matches!(mark.ink, Ink::Cloud(_)) => format!(r#"<path d="{}"{attributes}/>"#, self.dashes()),
            "polyline" | "polygon" => {
                let open = if mark.ink.is_stroke() { r#" fill="none""# } else { "" };
                format!(r#"<{} points="{}"{attributes}{open}/>"#, self.tag, self.points())
            }
            "circle" => format!(r#"<circle cx="{}" cy="{}" r="{}"{attributes}/>"#, n("cx"), n("cy"), n("r")),
            "rect" => format!(
                r#"<rect x="{}" y="{}" width="{}" height="{}"{attributes}/>"#,
                n("x"),
                n("y"),
                n("width"),
                n("height")
            ),
            "text" => {
                let (x, y) = (n("x"), n("y"));
                let anchor = match self.get("text-anchor") {
                    Some(anchor @ ("middle" | "end")) => format!(r#" text-anchor="{anchor}""#),
                    _ => String::new(),
                };
                let turn = match mark.turn {
                    0.0 => String::new(),
                    turn => format!(r#" transform="rotate({} {x} {y})""#, coordinate(turn)),
                };
                format!(r#"<text x="{x}" y="{y}"{anchor}{turn}{attributes}>{}</text>"#, self.text)
            }
            _ => String::new(),
        }
    }
}

/// Escapes text for an attribute.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(ink: Ink) -> Mark {
        Mark { ink, tip: None, href: None, turn: 0.0 }
    }

    #[test]
    fn a_sentinel_becomes_class_and_colour() {
        let drawing = concat!(
            "<svg width=\"100\" height=\"100\">\n",
            "<circle cx=\"104\" cy=\"55\" r=\"40\" opacity=\"1\" fill=\"#000001\" stroke=\"none\" stroke-width=\"1\"/>\n",
            "<polyline fill=\"none\" opacity=\"1\" stroke=\"#000000\" stroke-width=\"1\" points=\"0,5 0,5 100,33 \"/>\n",
            "<circle cx=\"1\" cy=\"1\" r=\"1\" fill=\"#00FFFF\" stroke=\"none\"/>\n</svg>\n"
        );
        let dot = Mark { tip: Some("a\"<b".into()), href: Some("kernel=x".into()), ..mark(Ink::Dot) };
        let svg = rewrite(drawing, &[mark(Ink::Grid), dot], (10, 10), "finding");
        assert!(svg.contains(
            r##"<circle cx="10.4" cy="5.5" r="4" class="dot acc" fill="#0a58ca" data-href="kernel=x" data-tip="a&quot;&lt;b"/>"##
        ));
        assert!(svg.contains(r##"<polyline points="0,0.5 10,3.3" class="grid" stroke="#dde2e8" fill="none"/>"##));
        assert!(!svg.contains("#00FFFF") && !svg.contains("opacity=\"1\""));
        assert!(svg.starts_with("<svg class=\"chart\"") && svg.ends_with("</svg>"));
    }
}
