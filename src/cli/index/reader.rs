//! Reading what an index lists: a broken file is told and left out, the others are read on.

use std::collections::HashSet;
use std::fs;
use std::io::BufReader;
use std::path::Path;

use super::pages::drop_pages_of_sweeps;
use crate::cli::exit::{Exit, Failure};
use crate::cli::walk::{self, Found};
use crate::report::index::{Broken, BrokenKind, Changes, Entry, EntryKind, Gone, History, read_entry};
use crate::report::notes::{MAX_NOTE_BYTES, Note, read_note};

/// Reads on when a file is broken: it is told and left out, and the exit code remembers it.
pub(super) struct Reader {
    pub(super) exit: Exit,
    /// What is wrong with what.
    pub(super) broken: Vec<Broken>,
    /// The folder of the index, which messages do not name.
    folder: [String; 1],
    /// The folder of the baseline, which they call so.
    baseline: Option<String>,
}

impl Reader {
    /// A reader that knows what failed before.
    pub(super) fn new(folder: &Path, baseline: Option<&Path>, broken: Vec<Broken>) -> Self {
        let (folder, baseline) = (folder.display().to_string(), baseline.map(|path| path.display().to_string()));
        Self { exit: Exit::Done, broken, folder: [folder], baseline }
    }

    /// What could be read, or nothing once it has been told why.
    pub(super) fn keep<T>(&mut self, kind: BrokenKind, stem: &str, read: Result<Option<T>, Failure>) -> Option<T> {
        read.unwrap_or_else(|failure| {
            failure.print();
            self.exit = self.exit.worst(failure.exit());
            let mut why = failure.to_string();
            if let Some(baseline) = &self.baseline {
                why = why.replace(&format!("{}/", baseline.trim_end_matches('/')), "baseline/");
            }
            self.broken.push(Broken::new(kind, stem, &why, &self.folder));
            None
        })
    }

    /// The reports among some files, without those that failed before: what is there of them is of an earlier run.
    pub(super) fn entries(&mut self, files: &[Found]) -> Vec<Entry> {
        let mut entries: Vec<Entry> = files.iter().filter_map(|found| self.entry(found)).collect();
        drop_pages_of_sweeps(&mut entries);
        entries.retain(|entry| !self.failed(BrokenKind::Report, &entry.stem));
        entries
    }

    fn entry(&mut self, found: &Found) -> Option<Entry> {
        let read = entry(found);
        // It has been told, and names the pages that go with it.
        let told = self.failed(BrokenKind::Report, &found.stem);
        if told { read.ok().flatten() } else { self.keep(BrokenKind::Report, &found.stem, read) }
    }

    /// Notes, newest first, without those that failed before.
    pub(super) fn notes(&mut self, files: &[Found]) -> Vec<Note> {
        let whole: Vec<&Found> = files.iter().filter(|found| !self.failed(BrokenKind::Note, &found.stem)).collect();
        let read = |found: &Found| self.keep(BrokenKind::Note, &found.stem, note(found));
        let mut notes: Vec<Note> = whole.into_iter().filter_map(read).collect();
        notes.sort_by(|a, b| b.facts.date.cmp(&a.facts.date).then_with(|| a.stem.cmp(&b.stem)));
        notes
    }

    /// What earlier runs left; empty where there is nothing that can be read.
    pub(super) fn history(&mut self, baseline: &Path) -> History {
        self.keep(BrokenKind::History, "index", past(baseline)).unwrap_or_default()
    }

    fn failed(&self, kind: BrokenKind, stem: &str) -> bool {
        self.broken.iter().any(|broken| broken.kind == kind && broken.stem == stem)
    }

    /// Files of a kind below a folder, without those of a baseline that lies inside it.
    pub(super) fn files(
        &mut self,
        folder: &Path,
        baseline: Option<&Path>,
        ending: &str,
    ) -> Result<Vec<Found>, Failure> {
        // Where every report failed, nothing has been written yet.
        if !folder.is_dir() {
            return Ok(Vec::new());
        }
        let inside = baseline.and_then(|base| fs::canonicalize(base).ok());
        let belongs = |found: &Found| {
            let path = fs::canonicalize(&found.path);
            !inside.as_ref().is_some_and(|base| path.is_ok_and(|path| path.starts_with(base)))
        };
        let kind = if ending == "md" { BrokenKind::Note } else { BrokenKind::Report };
        let mut files: Vec<Found> = walk::below(folder, &[ending])?.into_iter().filter(belongs).collect();
        files.dedup_by(|second, first| {
            let twice = second.stem == first.stem;
            if twice {
                let (a, b) = (first.path.display(), second.path.display());
                self.keep::<()>(
                    kind,
                    &second.stem,
                    Err(Failure::Input(format!("{b}: only {a} is read\nhelp: rename one"))),
                );
            }
            twice
        });
        Ok(files)
    }

    /// Reports that only the baseline has. Pages of points come and go with their declared report.
    pub(super) fn gone(&mut self, baseline: &Path, now: &[Found], entries: &[Entry]) -> Result<Vec<Gone>, Failure> {
        let there: HashSet<&str> = now.iter().map(|found| found.stem.as_str()).collect();
        let owned: HashSet<String> =
            entries.iter().flat_map(|entry| ["focus", "best"].map(|page| format!("{}-{page}", entry.stem))).collect();
        let mut old = self.files(baseline, None, "json")?;
        old.retain(|found| !there.contains(found.stem.as_str()) && !owned.contains(&found.stem));
        let old = self.entries(&old);
        Ok(old.into_iter().map(|entry| Gone { stem: entry.stem, title: entry.title }).collect())
    }
}

fn entry(found: &Found) -> Result<Option<Entry>, Failure> {
    let file = fs::File::open(&found.path).map_err(|e| Failure::unreadable(&found.path, &e))?;
    let read = read_entry(&found.stem, BufReader::with_capacity(1 << 16, file));
    read.map_err(|what| {
        Failure::Input(format!("{}: {what}\nhelp: write it again, or take it out of the folder", found.path.display()))
    })
}

/// What earlier runs left for the next one; nothing where there is none.
fn past(baseline: &Path) -> Result<Option<History>, Failure> {
    let path = baseline.join("index.json");
    let Ok(file) = fs::File::open(&path) else { return Ok(None) };
    serde_json::from_reader(BufReader::new(file)).map(Some).map_err(|error| {
        Failure::Input(format!("{}: {error}\nhelp: the history starts again; build that index again", path.display()))
    })
}

/// What changed of a report; none where the baseline does not have it.
pub(super) fn changes(
    entry: &Entry,
    folder: &Path,
    baseline: &Path,
    threshold: f64,
) -> Result<Option<Changes>, Failure> {
    let [before, now] = [baseline, folder].map(|folder| folder.join(format!("{}.csv", entry.stem)));
    if matches!(entry.kind, EntryKind::Sweep { .. }) {
        let (Ok(old), Ok(new)) = (fs::File::open(&before), fs::File::open(&now)) else { return Ok(None) };
        let found = Changes::between(BufReader::new(old), BufReader::new(new), threshold);
        return found
            .map(Some)
            .map_err(|what| Failure::Input(format!("{} or {}: {what}", before.display(), now.display())));
    }
    let path = baseline.join(format!("{}.json", entry.stem));
    if !path.exists() {
        return Ok(None);
    }
    let Some(old) = self::entry(&Found { path, stem: entry.stem.clone() })? else { return Ok(None) };
    let mut found = Changes::default();
    found.add(&entry.title, old.times(), entry.times(), threshold);
    Ok(Some(found))
}

pub(super) fn note(found: &Found) -> Result<Option<Note>, Failure> {
    let size = fs::metadata(&found.path).map_err(|e| Failure::unreadable(&found.path, &e))?.len();
    let name = found.path.display().to_string();
    if size > MAX_NOTE_BYTES as u64 {
        return Err(Failure::Input(format!(
            "{name}: the note has {size} bytes, more than {MAX_NOTE_BYTES}\nhelp: shorten it"
        )));
    }
    let bytes = fs::read(&found.path).map_err(|e| Failure::unreadable(&found.path, &e))?;
    let text = String::from_utf8(bytes)
        .map_err(|_| Failure::Input(format!("{name}: not UTF-8 text\nhelp: save it as UTF-8")))?;
    Ok(read_note(&found.stem, &name, &text)?)
}
