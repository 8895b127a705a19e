//! A chart stays small: where its words take too much room, fewer points get a disc with a tooltip.

use crate::report::view::Markup;

/// Bytes of a chart at most.
const MOST_BYTES: usize = 8 * 1024 - 1;

/// The chart with the first number of discs that keeps it small, else with the last one.
pub(super) fn within(discs: &[usize], draw: impl Fn(usize) -> Markup) -> Markup {
    let mut drawn = Markup::default();
    for count in discs {
        drawn = draw(*count);
        if drawn.as_str().len() <= MOST_BYTES {
            break;
        }
    }
    drawn
}
