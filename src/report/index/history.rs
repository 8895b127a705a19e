//! How headline figures went over past runs. An index keeps them, so that the next one can go on.

use std::collections::{BTreeMap, HashSet};

use serde::{Deserialize, Serialize};

use super::{Broken, BrokenKind, Entry};

/// Runs kept for each report.
const KEPT: usize = 24;

/// Past runs of every report, by stem, oldest first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct History {
    /// What the last run is called.
    #[serde(default)]
    pub label: String,
    /// Runs by report.
    #[serde(default)]
    pub reports: BTreeMap<String, Vec<Build>>,
}

/// One run of a report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Build {
    /// What the run is called.
    pub label: String,
    /// Its TTFT, ms.
    pub ttft_ms: Option<f64>,
    /// Its TPOT, ms.
    pub tpot_ms: Option<f64>,
}

impl History {
    /// With another run added. A report that failed keeps its past: it may be whole again in the next run.
    #[must_use]
    pub fn with(mut self, label: &str, entries: &[Entry], broken: &[Broken]) -> Self {
        label.clone_into(&mut self.label);
        for entry in entries {
            let builds = self.reports.entry(entry.stem.clone()).or_default();
            let (ttft_ms, tpot_ms) = (entry.times().ttft_ms, entry.times().tpot_ms);
            builds.push(Build { label: label.to_owned(), ttft_ms, tpot_ms });
            let over = builds.len().saturating_sub(KEPT);
            builds.drain(..over);
        }
        let failed =
            broken.iter().filter(|broken| broken.kind == BrokenKind::Report).map(|broken| broken.stem.as_str());
        let there: HashSet<&str> = entries.iter().map(|entry| entry.stem.as_str()).chain(failed).collect();
        self.reports.retain(|stem, _| there.contains(stem.as_str()));
        self
    }
}
