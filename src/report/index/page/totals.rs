//! An index in numbers: how many reports stand how, how many points changed, and the changes in order.

use crate::quantity::format::integer;
use crate::report::index::changes::rank;
use crate::report::index::{Change, Entry, EntryKind, Index, Status};
use crate::report::text::Text;

/// Sums over an index.
pub(super) struct Totals<'a> {
    /// Reports.
    pub(super) entries: u64,
    /// Files that are left out because something is wrong with them.
    pub(super) broken: u64,
    /// Points of all reports.
    pub(super) configurations: u64,
    /// Points that both runs have.
    pub(super) compared: u64,
    /// Points that got slower.
    pub(super) slower: u64,
    /// Points that got faster.
    pub(super) faster: u64,
    /// Reports that the baseline does not have.
    pub(super) appeared: u64,
    /// Changes of all reports, slower first, then by share.
    pub(super) changes: Vec<(&'a Entry, &'a Change)>,
    statuses: [u64; Status::ALL.len()],
}

impl<'a> Totals<'a> {
    pub(super) fn new(index: &'a Index) -> Self {
        let entries = &index.entries;
        let points = |entry: &Entry| match entry.kind {
            EntryKind::Single => 1,
            EntryKind::Sweep { points, .. } => points,
        };
        let found = || entries.iter().filter_map(|entry| Some((entry, entry.changes.as_ref()?)));
        let mut changes: Vec<_> =
            found().flat_map(|(entry, found)| found.largest.iter().map(move |change| (entry, change))).collect();
        changes.sort_by(|(a, left), (b, right)| rank(left, right).then_with(|| a.stem.cmp(&b.stem)));
        let count = |wanted| entries.iter().filter(|entry| entry.status == wanted).count() as u64;
        Self {
            entries: entries.len() as u64,
            broken: index.broken.len() as u64,
            // A stranger's counts may be absurd.
            configurations: entries.iter().map(points).fold(0, u64::saturating_add),
            compared: found().map(|(_, found)| found.compared).sum(),
            slower: found().map(|(_, found)| found.slower).sum(),
            faster: found().map(|(_, found)| found.faster).sum(),
            appeared: entries.iter().filter(|entry| entry.appeared).count() as u64,
            changes,
            statuses: Status::ALL.map(|(status, _)| count(status)),
        }
    }

    /// Reports of a status.
    pub(super) fn of(&self, status: Status) -> u64 {
        let place = Status::ALL.iter().position(|(known, _)| *known == status);
        place.map_or(0, |place| self.statuses[place])
    }

    /// `36 reports`.
    pub(super) fn reports(&self, text: &Text) -> String {
        reports(self.entries, text)
    }
}

/// `36 reports`.
pub(super) fn reports(n: u64, text: &Text) -> String {
    let words = &text.index.summary;
    if n == 1 { words.one_report.to_owned() } else { words.reports.fill(&[("n", &integer(n))]) }
}

/// `126 configurations`.
pub(super) fn configurations(n: u64, text: &Text) -> String {
    let words = &text.index.summary;
    if n == 1 { words.one_configuration.to_owned() } else { words.configurations.fill(&[("n", &integer(n))]) }
}
