//! From points to files: each point is written as it comes, what the page needs is kept, pages follow at the end.

use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::declared::Declared;
use super::progress::Progress;
use crate::cli::exit::Failure;
use crate::cli::interrupt;
use crate::emit::{self, sweep};
use crate::publish::{self, Draft};
use crate::report::Report;
use crate::report::sweep::{PointPages, SweepReport};
use crate::report::text::Lang;
use crate::sweep::{PointResult, Summary};

const FOCUS: &str = "-focus";
const BEST: &str = "-best";
/// What the names of pages of single points add to that of their report.
pub(super) const SUFFIXES: [&str; 2] = [FOCUS, BEST];

/// Takes the points of a declared report in order and writes its files.
pub(super) struct Press<'a> {
    declared: &'a Declared,
    folder: &'a Path,
    lang: Lang,
    base_url: Option<String>,
    csv: Draft,
    json: Draft,
    summary: Summary,
    focus: Option<PointResult>,
    progress: Progress,
}

impl<'a> Press<'a> {
    pub(super) fn new(
        declared: &'a Declared,
        folder: &'a Path,
        lang: Lang,
        base_url: Option<String>,
    ) -> Result<Self, Failure> {
        let question = &declared.question;
        let mut csv = Draft::new(&file(folder, &question.stem, "csv"))?;
        let mut json = Draft::new(&file(folder, &question.stem, "json"))?;
        csv.add(sweep::csv::head(question).as_bytes())?;
        json.add(sweep::json::head(question).as_bytes())?;
        let summary = Summary::new(question.budgets);
        let progress = Progress::new(&question.stem, question.matrix.upper_bound());
        Ok(Self { declared, folder, lang, base_url, csv, json, summary, focus: None, progress })
    }

    /// Writes the next points.
    pub(super) fn take(&mut self, points: Vec<PointResult>) -> Result<(), Failure> {
        interrupt::check()?;
        let question = &self.declared.question;
        let first = self.summary.total == 0;
        let rows: Vec<(String, String)> = points
            .par_iter()
            .enumerate()
            .map(|(i, point)| (sweep::csv::row(point), sweep::json::row(question, point, first && i == 0)))
            .collect();
        for (csv, json) in &rows {
            self.csv.add(csv.as_bytes())?;
            self.json.add(json.as_bytes())?;
        }
        self.progress.done(points.len() as u64);
        for point in points {
            if Some(point.ordinal) == question.focus {
                self.focus = Some(point.clone());
            }
            self.summary.add(point);
        }
        Ok(())
    }

    /// Writes what stands after the points, and the pages.
    pub(super) fn finish(mut self) -> Result<SweepReport, Failure> {
        let question = &self.declared.question;
        let name = question.file_stem();
        let best = self.summary.best.clone().filter(|best| Some(best.ordinal) != question.focus);
        let pages = PointPages {
            focus: self.focus.as_ref().map(|_| format!("{name}{FOCUS}.html")),
            best: best.as_ref().map(|_| format!("{name}{BEST}.html")),
        };
        for (point, suffix) in [(&self.focus, FOCUS), (&best, BEST)] {
            if let Some(point) = point {
                self.publish_point(point, suffix)?;
            }
        }
        let report = SweepReport {
            question: question.clone(),
            summary: self.summary,
            focus: self.focus,
            pages,
            notes: self.declared.notes().map(crate::report::notes::markup),
        };
        let page = emit::html::sweep_page(&report, self.lang);
        publish::write(&file(self.folder, &question.stem, "html"), page.as_bytes())?;
        self.json.add(sweep::json::tail(&report).as_bytes())?;
        self.csv.finish()?;
        self.json.finish()?;
        Ok(report)
    }

    /// The full page of one point, and its numbers.
    fn publish_point(&self, point: &PointResult, suffix: &str) -> Result<(), Failure> {
        let mut question = self.declared.ask(point)?;
        let stem = format!("{}{suffix}", self.declared.question.stem);
        question.origin.base_url.clone_from(&self.base_url);
        question.origin.page = Some(stem.clone());
        let report = Report::new(question.resolved, point.budgets, question.origin);
        for format in emit::FORMATS.iter().filter(|format| ["html", "json"].contains(&format.name)) {
            let text = (format.render)(&report, self.lang);
            publish::write(&file(self.folder, &stem, format.extension), text.as_bytes())?;
        }
        Ok(())
    }
}

/// A file of a report: its stem may name folders.
pub(super) fn file(folder: &Path, stem: &str, extension: &str) -> PathBuf {
    folder.join(format!("{stem}.{extension}"))
}
