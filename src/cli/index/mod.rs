//! `simllm index`: an index over a folder of reports and notes.

mod notes;
mod pages;
mod reader;
mod regression;

use std::fs;
use std::path::Path;

use super::args::{IndexArgs, IndexOptions, Language};
use super::command::{quote, wrapped};
use super::exit::{Exit, Failure};
use super::input;
use crate::emit;
use crate::emit::junit::Case;
use crate::publish;
use crate::report::index::{Broken, BrokenKind, History, Index};
pub(super) use notes::bring;
use reader::{Reader, changes};
pub(super) use regression::{regression, say};

/// Builds the index of a folder again.
pub(super) fn run(args: &IndexArgs) -> Result<Exit, Failure> {
    let folder = Path::new(&args.folder);
    if !folder.is_dir() {
        return Err(Failure::Input(format!(
            "{}: no such folder\nhelp: give a folder that `simllm report` wrote",
            folder.display()
        )));
    }
    check(folder, &args.index)?;
    let (index, exit) = build(folder, &args.index, Vec::new())?;
    write(&index, folder, &args.index)?;
    publish::to_stdout(&format!("{}\n", folder.join("index.html").display()))?;
    let slower: Vec<(&str, Case)> =
        index.entries.iter().filter_map(|entry| Some((entry.stem.as_str(), regression(entry, &index)?))).collect();
    let failed = say(slower.iter().map(|(stem, case)| (*stem, case)));
    Ok(if failed { exit.worst(Exit::Gate) } else { exit })
}

/// Refuses a baseline that would compare nothing, before any work is done.
pub(super) fn check(folder: &Path, args: &IndexOptions) -> Result<(), Failure> {
    let Some(given) = &args.baseline else { return Ok(()) };
    let baseline = Path::new(given);
    if !baseline.is_dir() {
        return Err(Failure::Input(format!(
            "--baseline {given}: no such folder\nhelp: give the folder of an earlier run; a first run has no baseline"
        )));
    }
    let same = fs::canonicalize(folder).is_ok_and(|folder| fs::canonicalize(baseline).is_ok_and(|base| base == folder));
    if same {
        return Err(Failure::Usage(format!(
            "--baseline {given}: this is the folder that is written\nhelp: keep the earlier run in a folder of its own"
        )));
    }
    Ok(())
}

/// Reads every report and note below a folder. Broken ones are told and left out, as are those that failed before; the
/// exit code says so.
pub(super) fn build(folder: &Path, args: &IndexOptions, failed: Vec<Broken>) -> Result<(Index, Exit), Failure> {
    let baseline = args.baseline.as_deref().map(Path::new);
    let mut reader = Reader::new(folder, baseline, failed);
    let threshold = args.threshold / 100.0;
    let files = reader.files(folder, baseline, "json")?;
    let mut entries = reader.entries(&files);
    for entry in &mut entries {
        entry.pages = pages::of(entry, folder);
    }
    let mut history = History::default();
    let mut gone = Vec::new();
    if let Some(base) = baseline {
        history = reader.history(base);
        gone = reader.gone(base, &files, &entries)?;
        for entry in &mut entries {
            entry.appeared = !base.join(format!("{}.json", entry.stem)).exists();
            let found = changes(entry, folder, base, threshold);
            entry.changes = reader.keep(BrokenKind::Report, &entry.stem, found);
        }
    }
    let named = baseline.map(|base| if history.label.is_empty() { name(base) } else { history.label.clone() });
    let notes = reader.files(folder, baseline, "md")?;
    let notes = reader.notes(&notes);
    let history = history.with(&args.label, &entries, &reader.broken);
    let mut past = history.reports;
    for entry in &mut entries {
        entry.history = past.remove(&entry.stem).unwrap_or_default();
    }
    let index = Index {
        label: args.label.clone(),
        baseline: named,
        entries,
        gone,
        broken: reader.broken,
        past_of_broken: past,
        notes,
        threshold,
        command: command(args),
        created: input::created(),
    };
    Ok((index, reader.exit))
}

/// Writes the page and what the next index goes on from.
pub(super) fn write(index: &Index, folder: &Path, args: &IndexOptions) -> Result<(), Failure> {
    let page = emit::html::index_page(index, args.lang.lang());
    publish::write(&folder.join("index.html"), page.as_bytes())?;
    Ok(publish::write(&folder.join("index.json"), emit::index::json(index).as_bytes())?)
}

/// The last part of a path.
fn name(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}

/// The command that builds the index again, typed in its folder. Where the earlier run lies is no part of the page.
fn command(args: &IndexOptions) -> String {
    let mut words = vec!["simllm".to_owned(), "index".to_owned(), ".".to_owned()];
    let mut option = |name: &str, value: String| words.extend([name.to_owned(), value]);
    if args.baseline.is_some() {
        option("--baseline", "EARLIER".to_owned());
    }
    if args.threshold != IndexOptions::USUAL_THRESHOLD {
        option("--threshold", args.threshold.to_string());
    }
    if !args.label.is_empty() {
        option("--label", quote(&args.label));
    }
    if args.lang == Language::Zh {
        option("--lang", "zh".to_owned());
    }
    wrapped(&words)
}
