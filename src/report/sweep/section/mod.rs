//! From the points of a sweep to the views of its page: one file a section.

mod best;
mod choose;
mod curves;
mod front;
mod heroes;
mod knee;
mod leading;
mod list;
mod map;
mod others;
mod repro;
mod trust;
mod verdict;
mod why;

pub(super) use map::{Plan, Side};

use super::shown::Shown;
use crate::report::text::Text;
use crate::report::view::{Notes, Sweep};

/// The sections, in reading order.
pub(super) fn build(shown: &Shown<'_>, text: &Text) -> Sweep {
    let report = shown.report;
    Sweep {
        verdict: verdict::build(shown, text),
        best: best::build(shown, text),
        map: map::build(shown, text),
        curves: curves::build(shown, text),
        list: list::build(shown, text),
        notes: report.notes.as_ref().map(|body| Notes { title: report.question.title.clone(), body: body.clone() }),
        trust: trust::build(shown, text),
        repro: repro::build(shown, text),
    }
}
