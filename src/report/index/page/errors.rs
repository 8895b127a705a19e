//! What is wrong with the files that are left out.

use crate::quantity::format::integer;
use crate::report::index::Index;
use crate::report::text::Text;
use crate::report::view::IndexErrors;

/// Files told.
const LISTED: usize = 40;

/// The section; none where nothing is left out.
pub(super) fn build(index: &Index, text: &Text) -> Option<IndexErrors> {
    let more = index.broken.len().saturating_sub(LISTED);
    let beyond = if more == 0 { String::new() } else { text.index.errors.beyond.fill(&[("n", &integer(more as u64))]) };
    let lines = index.broken.iter().take(LISTED).map(|broken| broken.why.clone()).collect();
    (!index.broken.is_empty()).then_some(IndexErrors { lines, beyond })
}
