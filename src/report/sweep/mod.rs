//! A declared report that was run: what its page, its files and its gate tell.

mod data;
mod gate;
mod links;
mod page;
mod row;
mod section;
mod shown;
mod tell;

pub use data::data;
pub use gate::{GateCheck, GateKind, Verdict, checks};
pub use page::page;
pub use row::{SweepHead, SweepRow, SweepTail};

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::diagnose::Budgets;
use crate::spec::{Assignments, Gate};
use crate::sweep::{Matrix, PointResult, Summary};

use super::index::Status;
use super::view::Markup;

/// What a declared report says, beside its points.
#[derive(Clone, Debug)]
pub struct SweepQuestion {
    /// What the report is about.
    pub title: String,
    /// Its place below the folder of reports, without extension: `llama-3-8b` or `team/llama-3-8b`.
    pub stem: String,
    /// The points asked for.
    pub matrix: Matrix,
    /// Fields that all points share.
    pub settings: Assignments,
    /// Targets of all points without their own.
    pub budgets: Budgets,
    /// What must meet the targets.
    pub gate: Gate,
    /// The point told in full.
    pub focus: Option<u64>,
    /// Names of models and machines as a reader knows them, by the value that the matrix gives.
    pub names: BTreeMap<String, String>,
    /// The command that gives the report again.
    pub command: String,
    /// Hash of everything the answer depends on, hexadecimal.
    pub input_hash: String,
    /// Time of creation in UTC, only where the environment fixes it.
    pub created: Option<String>,
}

/// A declared report with its answer.
#[derive(Clone, Debug)]
pub struct SweepReport {
    /// What was asked.
    pub question: SweepQuestion,
    /// What is kept of the points.
    pub summary: Summary,
    /// The point told in full.
    pub focus: Option<PointResult>,
    /// Full pages of single points, as file names beside the page.
    pub pages: PointPages,
    /// Notes beside the report, as trusted markup.
    pub notes: Option<Markup>,
}

/// Full pages of single points, as file names beside the page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PointPages {
    /// Of the point in focus.
    pub focus: Option<String>,
    /// Of the best point.
    pub best: Option<String>,
}

impl SweepReport {
    /// The point that stands for the whole report, and what it is: the one in focus, else the best one, else the one of
    /// highest throughput.
    #[must_use]
    pub fn headline(&self) -> Option<(&'static str, &PointResult)> {
        let focus = self.focus.as_ref().map(|point| ("focus", point));
        let best = self.summary.best.as_ref().map(|point| ("best", point));
        focus.or(best).or(self.summary.highest.as_ref().map(|point| ("highest_throughput", point)))
    }

    /// How the headline stands against its targets.
    #[must_use]
    pub fn status(&self) -> Status {
        let figures = self.headline().map(|(_, point)| (&point.outcome, &point.budgets));
        let Some((outcome, budgets)) = figures else { return Status::DoesNotFit };
        let Some(figures) = outcome.figures() else { return Status::DoesNotFit };
        let high = |metric| figures.band(metric).map(|(_, high)| high);
        Status::of(budgets, |metric| metric.of(&figures.metrics), high)
    }
}

impl SweepQuestion {
    /// Paths of the fields that points have, axes first.
    #[must_use]
    pub fn columns(&self) -> &[Arc<str>] {
        self.matrix.columns()
    }

    /// The last part of the stem: the name of files beside the page.
    #[must_use]
    pub fn file_stem(&self) -> &str {
        self.stem.rsplit('/').next().unwrap_or(&self.stem)
    }
}
