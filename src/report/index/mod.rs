//! An index over a folder of reports: what each says, how it stands, and what changed since a baseline.

mod broken;
mod changes;
mod entry;
mod history;
mod page;
mod read;

pub use broken::{Broken, BrokenKind};
pub use changes::{Change, ChangeKind, Changes, Times, of_point};
pub use entry::{Entry, EntryAxis, EntryKind, EntryPoint, Headline, Pages};
pub use history::{Build, History};
pub use page::page;
pub use read::read_entry;

use std::collections::BTreeMap;

use crate::diagnose::{Budgets, Metric};

use super::notes::Note;

/// An index.
#[derive(Clone, Debug)]
pub struct Index {
    /// What this run is called, as `main, build 1844`; empty where nobody said.
    pub label: String,
    /// What the baseline is called, where there is one.
    pub baseline: Option<String>,
    /// The reports, by stem.
    pub entries: Vec<Entry>,
    /// Reports that only the baseline has, by stem.
    pub gone: Vec<Gone>,
    /// Files that are left out because something is wrong with them.
    pub broken: Vec<Broken>,
    /// Earlier runs of reports that failed this time, by stem: the next index goes on from them.
    pub past_of_broken: BTreeMap<String, Vec<Build>>,
    /// The knowledge base, newest first.
    pub notes: Vec<Note>,
    /// Relative changes below this are none (0.02 is 2 %).
    pub threshold: f64,
    /// The command that builds the index again, typed in its folder.
    pub command: String,
    /// Time of creation in UTC, only where the environment fixes it.
    pub created: Option<String>,
}

/// More reports than this make a page long: history is then kept to what changed.
const LONG: usize = 500;

impl Index {
    /// The threshold in percent, as it was given.
    #[must_use]
    pub fn threshold_percent(&self) -> f64 {
        (self.threshold * 1e6).round() / 1e4
    }

    /// Whether the page shows how the figures of a report went.
    #[must_use]
    pub fn shows_history(&self, entry: &Entry) -> bool {
        let changed = entry.changes.as_ref().is_some_and(|changes| changes.slower + changes.faster > 0);
        entry.history.len() > 1 && (changed || self.entries.len() <= LONG)
    }
}

/// A report that is no longer there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gone {
    /// Its place below the folder, without extension.
    pub stem: String,
    /// What it was about.
    pub title: String,
}

/// How a report stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// A point estimate is over its target.
    NotReady,
    /// It does not fit in memory.
    DoesNotFit,
    /// Every target is met, but an error band crosses one.
    AtRisk,
    /// Every target is met, error bands included.
    Ready,
    /// No target was set.
    NoTarget,
}

impl Status {
    /// Every status with its name, what needs attention first.
    pub const ALL: [(Self, &'static str); 5] = [
        (Self::NotReady, "not_ready"),
        (Self::DoesNotFit, "does_not_fit"),
        (Self::AtRisk, "at_risk"),
        (Self::Ready, "ready"),
        (Self::NoTarget, "no_target"),
    ];

    /// The name in results.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(status, _)| *status == self).map_or("", |(_, name)| name)
    }

    /// From targets, values and high ends of the bands.
    #[must_use]
    pub fn of(budgets: &Budgets, value: impl Fn(Metric) -> Option<f64>, high: impl Fn(Metric) -> Option<f64>) -> Self {
        if budgets.is_empty() {
            Self::NoTarget
        } else if budgets.iter().any(|(metric, limit)| value(metric).is_none_or(|value| value > limit)) {
            Self::NotReady
        } else if budgets.iter().any(|(metric, limit)| high(metric).is_some_and(|high| high > limit)) {
            Self::AtRisk
        } else {
            Self::Ready
        }
    }
}
