//! A sentence with named holes, filled with finished text.

use std::fmt::Display;

/// One part of a running sentence on the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Inline {
    /// Plain words.
    Text(String),
    /// The number that decides.
    Strong(String),
    /// An option or a name, as one types it.
    Code(String),
    /// A link inside the page.
    Link {
        /// What the reader sees.
        text: String,
        /// Where it leads: `#fix=1`, `#trust`.
        href: String,
    },
}

/// A sentence with named holes: `Misses the {metric} target by {over}`.
///
/// A language puts its holes in the order that it needs; a test holds that all languages have the same ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Phrase(pub(super) &'static str);

/// What goes into the holes of several phrases.
pub type Holes = Vec<(&'static str, String)>;

/// A stretch of a phrase: words, or the name of a hole.
enum Piece {
    Words(&'static str),
    Hole(&'static str),
}

impl Phrase {
    /// The sentence with its holes filled. A hole without a value is a mistake of the caller and stays visible.
    #[must_use]
    pub fn fill(&self, values: &[(&str, &dyn Display)]) -> String {
        let mut out = String::new();
        for piece in self.pieces() {
            match piece {
                Piece::Words(words) => out.push_str(words),
                Piece::Hole(hole) => match values.iter().find(|(name, _)| *name == hole) {
                    Some((_, value)) => out.push_str(&value.to_string()),
                    None => out.push_str(&format!("{{{hole}}}")),
                },
            }
        }
        out
    }

    /// The sentence with its holes filled from a list that may hold more than it needs.
    #[must_use]
    pub fn fill_from(&self, values: &Holes) -> String {
        let values: Vec<(&str, &dyn Display)> = values.iter().map(|(name, value)| (*name, value as _)).collect();
        self.fill(&values)
    }

    /// The sentence as parts, with links and emphasis in its holes.
    #[must_use]
    pub fn fill_inline(&self, values: &[(&str, Inline)]) -> Vec<Inline> {
        let part = |piece| match piece {
            Piece::Words(words) => Inline::Text(words.to_owned()),
            Piece::Hole(hole) => match values.iter().find(|(name, _)| *name == hole) {
                Some((_, value)) => value.clone(),
                None => Inline::Text(format!("{{{hole}}}")),
            },
        };
        self.pieces().into_iter().map(part).collect()
    }

    /// The sentence as it is written in the table.
    #[must_use]
    pub fn source(&self) -> &'static str {
        self.0
    }

    /// The names of the holes, sorted.
    #[must_use]
    pub fn holes(&self) -> Vec<&'static str> {
        let hole = |piece| match piece {
            Piece::Hole(name) => Some(name),
            Piece::Words(_) => None,
        };
        let mut names: Vec<_> = self.pieces().into_iter().filter_map(hole).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    fn pieces(&self) -> Vec<Piece> {
        let mut pieces = Vec::new();
        let mut rest = self.0;
        while let Some((words, tail)) = rest.split_once('{') {
            let Some((hole, after)) = tail.split_once('}') else { break };
            if !words.is_empty() {
                pieces.push(Piece::Words(words));
            }
            pieces.push(Piece::Hole(hole));
            rest = after;
        }
        if !rest.is_empty() {
            pieces.push(Piece::Words(rest));
        }
        pieces
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holes_are_filled_by_name() {
        let phrase = Phrase("Misses the {metric} target by {over}");
        assert_eq!(phrase.fill(&[("over", &"138 ms"), ("metric", &"TTFT")]), "Misses the TTFT target by 138 ms");
        assert_eq!(phrase.holes(), ["metric", "over"]);
        assert_eq!(Phrase("{a}{b}").fill(&[("b", &2), ("a", &1)]), "12");
        assert_eq!(Phrase("no holes").fill(&[]), "no holes");
    }

    #[test]
    fn an_empty_hole_stays_visible() {
        assert_eq!(Phrase("by {over}.").fill(&[]), "by {over}.");
    }

    #[test]
    fn parts_keep_the_order_of_the_language() {
        let link = Inline::Link { text: "INT8".into(), href: "#fix=1".into() };
        let parts = Phrase("{change} brings {value}.")
            .fill_inline(&[("value", Inline::Strong("466 ms".into())), ("change", link.clone())]);
        assert_eq!(
            parts,
            [link, Inline::Text(" brings ".into()), Inline::Strong("466 ms".into()), Inline::Text(".".into())]
        );
    }
}
