//! `simllm report` and `simllm merge`: declared reports in, pages and a verdict out.

mod declared;
mod outcome;
mod package;
mod press;
mod progress;
mod shard;

use std::fs;
use std::path::{Path, PathBuf};

use super::args::{MergeArgs, PublishArgs, ReportArgs};
use super::exit::{Exit, Failure};
use super::index;
use super::interrupt;
use super::walk::{self, Found};
use crate::report::sweep::SweepReport;
use crate::sweep::Runner;
use declared::Declared;
use package::Package;
use press::Press;

/// Runs every declared report under some paths.
pub(super) fn run(args: &ReportArgs) -> Result<Exit, Failure> {
    interrupt::watch();
    let found = walk::find(&args.paths, &["yaml", "yml"])?;
    if found.is_empty() {
        let what = "no declared report (*.yaml) under these paths\nhelp: name a file, or a folder that holds one";
        return Err(Failure::Input(what.to_owned()));
    }
    free(&found)?;
    let folder = Path::new(&args.publish.output);
    index::check(folder, &args.publish.index)?;
    let mut reports = Vec::new();
    for Found { path, stem } in found {
        let package = Package::read(&path, &stem, args.max_points);
        let run = package.and_then(|package| match args.shard {
            Some(part) => shard::write(package, part, args.max_points, folder).map(|()| None),
            None => one(package, args.max_points, folder, &args.publish).map(Some),
        });
        reports.push(outcome::Ran { stem, result: announced(run)? });
    }
    if let Some(part) = args.shard {
        // The notes of the knowledge base travel with the first part.
        let notes = if part.index == 1 { notes(&args.paths, folder)? } else { Vec::new() };
        let (_, brought) = index::bring(&notes, folder, &[])?;
        return Ok(outcome::exit_of_shards(&reports).worst(brought));
    }
    let roots = roots(&args.paths);
    outcome::conclude(&reports, folder, &args.publish.index, &notes(&args.paths, folder)?, &roots)
}

/// Refuses reports whose pages would overwrite the index, or pages of another report.
fn free(found: &[Found]) -> Result<(), Failure> {
    let taken = |stem: &str| {
        let page_of = |suffix| found.iter().find(|other| stem.strip_suffix(suffix) == Some(other.stem.as_str()));
        press::SUFFIXES.into_iter().find_map(page_of)
    };
    for Found { path, stem } in found {
        if let Some(other) = taken(stem) {
            return Err(Failure::Input(format!(
                "{} would overwrite a page of {}\nhelp: rename one",
                path.display(),
                other.path.display()
            )));
        }
        if stem == "index" {
            return Err(Failure::Input(format!(
                "{}: index.html is the index\nhelp: rename the report",
                path.display()
            )));
        }
    }
    Ok(())
}

/// Joins the parts of declared reports.
pub(super) fn merge(args: &MergeArgs) -> Result<Exit, Failure> {
    interrupt::watch();
    let folder = Path::new(&args.publish.output);
    index::check(folder, &args.publish.index)?;
    let mut reports = Vec::new();
    for parts in shard::find(&args.folders)? {
        let stem = parts.stem.clone();
        let run = parts.merge(folder, &args.publish).map(Some);
        reports.push(outcome::Ran { stem, result: announced(run)? });
    }
    let roots = roots(&args.folders);
    outcome::conclude(&reports, folder, &args.publish.index, &notes(&args.folders, folder)?, &roots)
}

/// Simulates a declared report and writes its files.
fn one(package: Package, most: u64, folder: &Path, publish: &PublishArgs) -> Result<SweepReport, Failure> {
    let declared = Declared::new(package, most)?;
    let mut press = Press::new(&declared, folder, publish.index.lang.lang(), publish.base_url.clone())?;
    let question = &declared.question;
    let mut runner = Runner::new(&question.matrix, &question.settings, question.budgets, &declared.library);
    let told = |failure: Failure| failure.within(&declared.question.stem);
    runner.run(|_| true, |points| press.take(points)).map_err(told)?;
    press.finish()
}

/// Says a failure at once; Ctrl-C ends everything.
fn announced<T>(run: Result<T, Failure>) -> Result<Result<T, (Exit, String)>, Failure> {
    match run {
        Ok(done) => Ok(Ok(done)),
        Err(Failure::Interrupted) => Err(Failure::Interrupted),
        Err(failure) => {
            failure.print();
            Ok(Err((failure.exit(), failure.to_string())))
        }
    }
}

/// Markdown files under the paths, for the knowledge base. Those that are in the folder of pages already stay there.
fn notes(paths: &[PathBuf], pages: &Path) -> Result<Vec<Found>, Failure> {
    let folders: Vec<PathBuf> = paths.iter().filter(|path| path.is_dir()).cloned().collect();
    let pages = fs::canonicalize(pages).ok();
    let inside = |found: &Found| {
        let path = fs::canonicalize(&found.path);
        pages.as_ref().is_some_and(|pages| path.is_ok_and(|path| path.starts_with(pages)))
    };
    Ok(walk::find(&folders, &["md"])?.into_iter().filter(|found| !inside(found)).collect())
}

/// Folders that messages on a page do not name: those that were given, and those of the files that were.
fn roots(paths: &[PathBuf]) -> Vec<String> {
    let folder = |path: &PathBuf| match path.is_dir() {
        true => path.display().to_string(),
        false => path.parent().map_or_else(String::new, |parent| parent.display().to_string()),
    };
    paths.iter().map(folder).collect()
}
