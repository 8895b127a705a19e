//! Numbers as short as they can be written and still be shown the same.
//!
//! The script of the page formats them again, so a short form must give the digits that the long one gives here, under
//! the rounding of both languages.

use crate::quantity::format::number;

/// A figure in its short form.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::report::sweep) struct Short(f64);

impl Short {
    /// Of a figure; none for what is no number.
    pub(in crate::report::sweep) fn new(value: f64) -> Option<Self> {
        if !value.is_finite() {
            return None;
        }
        let shown = number(value);
        let fits = |digits: &usize| {
            let short = rounded(value, *digits);
            (number(short) == shown && !is_tie(short)).then_some(Self(short))
        };
        (DIGITS..=17).find_map(|digits| fits(&digits)).or(Some(Self(value)))
    }

    /// The value of the short form.
    pub(in crate::report::sweep) const fn get(self) -> f64 {
        self.0
    }
}

/// Significant digits where they are enough.
const DIGITS: usize = 4;

fn rounded(value: f64, digits: usize) -> f64 {
    format!("{value:.*e}", digits - 1).parse().unwrap_or(value)
}

/// Half way between two shown values: Rust rounds those to even, a browser up.
fn is_tie(value: f64) -> bool {
    let size = value.abs();
    let scale = match size {
        _ if size < 9.995 => 100.0,
        _ if size < 99.95 => 10.0,
        _ => 1.0,
    };
    (size * scale).fract() == 0.5
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_forms_are_shown_like_the_figure() {
        let mut value = 1.234_567_8e-3;
        while value < 1e9 {
            let short = Short::new(value).expect("a number").get();
            assert_eq!(number(short), number(value), "{value}");
            assert!(!is_tie(short), "{value}");
            value *= 1.000_71;
        }
    }

    #[test]
    fn short_forms_are_short() {
        let cases = [(12.388_118, 12.39), (173.505_79, 173.51), (173.44, 173.4), (1454.4321, 1454.0), (0.0, 0.0)];
        for (value, short) in cases {
            assert_eq!(Short::new(value), Some(Short(short)), "{value}");
        }
        assert_eq!(Short::new(173.52), Some(Short(173.52)), "173.5 lies half way");
        assert_eq!(Short::new(15_562.26), Some(Short(15_562.0)));
        assert_eq!(Short::new(100.48), Some(Short(100.48)), "100.5 is shown as 100 here and as 101 in a browser");
        assert_eq!(Short::new(f64::NAN), None);
    }
}
