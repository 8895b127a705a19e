//! Results in words, shapes and keys.

use crate::quantity::format::signed_percent;
use crate::report::index::{ChangeKind, Status};
use crate::report::text::{Label, Text};
use crate::report::view::{Delta, Mark, Tone};

/// The key of a result in addresses: `#status=bad`.
pub(super) const fn key(status: Status) -> &'static str {
    match status {
        Status::NotReady => "bad",
        Status::DoesNotFit => "short",
        Status::AtRisk => "risk",
        Status::Ready => "ok",
        Status::NoTarget => "none",
    }
}

/// The words that the page of a report uses for it.
pub(super) const fn label(status: Status, text: &Text) -> Label {
    let words = &text.verdict;
    match status {
        Status::NotReady => words.not_ready,
        Status::DoesNotFit => words.does_not_fit,
        Status::AtRisk => words.at_risk,
        Status::Ready => words.ready,
        Status::NoTarget => words.no_target,
    }
}

pub(super) const fn tone(status: Status) -> Tone {
    match status {
        Status::NotReady | Status::DoesNotFit => Tone::FAIL,
        Status::AtRisk => Tone::WARN,
        Status::Ready => Tone::PASS,
        Status::NoTarget => Tone::NEUTRAL,
    }
}

pub(super) fn mark(status: Status, text: &Text) -> Mark {
    Mark::new(tone(status), label(status, text))
}

/// Slower, faster, stopped, runs now.
pub(super) const fn word(kind: &ChangeKind, text: &Text) -> (Tone, Label) {
    let words = &text.index.changes;
    match kind {
        ChangeKind::Time { from, to, .. } if *to > *from => (Tone::FAIL, words.slower),
        ChangeKind::Time { .. } => (Tone::PASS, words.faster),
        ChangeKind::Stopped => (Tone::FAIL, words.stopped),
        ChangeKind::Started => (Tone::PASS, words.started),
    }
}

/// `▲ +11.8 %`; none of a point that ran only once.
pub(super) fn delta(kind: &ChangeKind, text: &Text) -> Option<Delta> {
    let ChangeKind::Time { from, to, .. } = kind else { return None };
    let (tone, word) = word(kind, text);
    let arrow = if to > from { '▲' } else { '▼' };
    Some(Delta { tone, word, text: format!("{arrow} {}", signed_percent(kind.share())) })
}
