//! A report as the index lists it.

use super::{Build, Changes, Status, Times};
use crate::diagnose::Budgets;

/// A report in the index.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Its place below the folder, without extension.
    pub stem: String,
    /// What it is about.
    pub title: String,
    /// What it is.
    pub kind: EntryKind,
    /// How it stands.
    pub status: Status,
    /// The scenario whose figures stand for it.
    pub point: EntryPoint,
    /// Fields that its points differ in, with the values they take.
    pub axes: Vec<EntryAxis>,
    /// Its pages.
    pub pages: Pages,
    /// What changed since the baseline, where it has the report.
    pub changes: Option<Changes>,
    /// There is a baseline, and it does not have the report.
    pub appeared: bool,
    /// Earlier runs and this one, oldest first.
    pub history: Vec<Build>,
}

/// What a report is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EntryKind {
    /// One scenario.
    Single,
    /// A declared report.
    Sweep {
        /// Points in all.
        points: u64,
        /// Points that run.
        ran: u64,
        /// Points that run and miss a target.
        missed: u64,
        /// Points that do not fit in memory.
        does_not_fit: u64,
        /// Points that make no sense.
        invalid: u64,
        /// Which point stands for the report.
        headline: Option<Headline>,
        /// File name of the page of the point in focus, as the report says.
        focus_page: Option<String>,
        /// File name of the page of the best point, as the report says.
        best_page: Option<String>,
    },
}

/// The point of a declared report whose figures stand for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Headline {
    /// The one in focus.
    Focus,
    /// The best one.
    Best,
    /// The one of highest throughput; none meets the targets.
    HighestThroughput,
}

impl Headline {
    pub(super) fn named(name: &str) -> Option<Self> {
        match name {
            "focus" => Some(Self::Focus),
            "best" => Some(Self::Best),
            "highest_throughput" => Some(Self::HighestThroughput),
            _ => None,
        }
    }
}

/// A field of a declared report with the values that its points take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryAxis {
    /// Its path, as `batch_size`.
    pub path: String,
    /// The values, in order.
    pub values: Vec<String>,
}

/// Pages that exist, as paths below the folder of the index with `/` between their parts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pages {
    /// Of the report.
    pub report: Option<String>,
    /// Of the point in focus.
    pub focus: Option<String>,
    /// Of the best point.
    pub best: Option<String>,
}

/// The scenario whose figures stand for a report.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EntryPoint {
    /// Its model.
    pub model: String,
    /// Its machine.
    pub hardware: String,
    /// Its other fields, as `batch_size 4`.
    pub fields: Vec<String>,
    /// TTFT, ms.
    pub ttft_ms: Option<f64>,
    /// TPOT, ms.
    pub tpot_ms: Option<f64>,
    /// Device memory needed and usable, bytes.
    pub memory: Option<(f64, f64)>,
    /// Targets.
    pub budgets: Budgets,
}

impl Entry {
    /// Headline times.
    #[must_use]
    pub const fn times(&self) -> Times {
        Times { ttft_ms: self.point.ttft_ms, tpot_ms: self.point.tpot_ms }
    }

    /// The values of a field: those of the points, else the one of the headline.
    #[must_use]
    pub fn values(&self, path: &str) -> Vec<&str> {
        let own = match path {
            "model" => &self.point.model,
            "hardware" => &self.point.hardware,
            _ => "",
        };
        let axis = self.axes.iter().find(|axis| axis.path == path).map_or(&[][..], |axis| &axis.values);
        let mut values: Vec<&str> = axis.iter().map(String::as_str).collect();
        if !own.is_empty() && !values.contains(&own) {
            values.push(own);
        }
        values
    }

    /// Fields that are the same on every point, as `gen_len 128`: a point needs no words for them.
    #[must_use]
    pub fn common(&self) -> Vec<String> {
        let single = self.axes.iter().filter(|axis| axis.values.len() == 1);
        single.map(|axis| format!("{} {}", axis.path, axis.values[0])).collect()
    }
}
