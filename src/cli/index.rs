//! `simllm index`: an index over a folder of reports and notes.

use std::collections::HashSet;
use std::fs;
use std::io::BufReader;
use std::path::Path;

use super::args::{IndexArgs, IndexOptions, Language};
use super::command::{quote, wrapped};
use super::exit::{Exit, Failure};
use super::input;
use super::walk::{self, Found};
use crate::emit;
use crate::publish;
use crate::report::index::{Changes, Entry, EntryKind, Gone, History, Index, Pages, read_entry};
use crate::report::notes::{MAX_NOTE_BYTES, Note, read_note};

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
    let (index, exit) = build(folder, &args.index)?;
    write(&index, folder, &args.index)?;
    publish::to_stdout(&format!("{}\n", folder.join("index.html").display()))?;
    let slower = index.entries.iter().filter_map(|entry| entry.changes.as_ref()).any(|changes| changes.slower > 0);
    Ok(if slower { exit.worst(Exit::Gate) } else { exit })
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

/// Reads every report and note below a folder. Broken ones are told and left out; the exit code says so.
pub(super) fn build(folder: &Path, args: &IndexOptions) -> Result<(Index, Exit), Failure> {
    let mut reader = Reader { exit: Exit::Done };
    let baseline = args.baseline.as_deref().map(Path::new);
    let threshold = args.threshold / 100.0;
    let files = reader.files(folder, baseline, "json")?;
    let mut entries: Vec<Entry> = files.iter().filter_map(|found| reader.keep(entry(found))).collect();
    for entry in &mut entries {
        entry.pages = pages(entry, folder);
    }
    drop_pages_of_sweeps(&mut entries);
    let mut history = History::default();
    let mut gone = Vec::new();
    if let Some(base) = baseline {
        history = reader.keep(past(base)).unwrap_or_default();
        gone = reader.gone(base, &files, &entries)?;
        for entry in &mut entries {
            entry.appeared = !base.join(format!("{}.json", entry.stem)).exists();
            entry.changes = reader.keep(changes(entry, folder, base, threshold));
        }
    }
    let named = baseline.map(|base| if history.label.is_empty() { name(base) } else { history.label.clone() });
    let history = history.with(&args.label, &entries);
    for entry in &mut entries {
        entry.history = history.of(&entry.stem).to_vec();
    }
    let notes = reader.files(folder, baseline, "md")?;
    let mut notes: Vec<Note> = notes.iter().filter_map(|found| reader.keep(note(found))).collect();
    notes.sort_by(|a, b| b.facts.date.cmp(&a.facts.date).then_with(|| a.stem.cmp(&b.stem)));
    let index = Index {
        label: args.label.clone(),
        baseline: named,
        entries,
        gone,
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

/// Reads on when a file is broken: it is told and left out, and the exit code remembers it.
struct Reader {
    exit: Exit,
}

impl Reader {
    /// What could be read, or nothing once it has been told why.
    fn keep<T>(&mut self, read: Result<Option<T>, Failure>) -> Option<T> {
        read.unwrap_or_else(|failure| {
            failure.print();
            self.exit = self.exit.worst(failure.exit());
            None
        })
    }

    /// Files of a kind below a folder, without those of a baseline that lies inside it.
    fn files(&mut self, folder: &Path, baseline: Option<&Path>, ending: &str) -> Result<Vec<Found>, Failure> {
        let inside = baseline.and_then(|base| fs::canonicalize(base).ok());
        let belongs = |found: &Found| {
            let path = fs::canonicalize(&found.path);
            !inside.as_ref().is_some_and(|base| path.is_ok_and(|path| path.starts_with(base)))
        };
        let mut files: Vec<Found> = walk::below(folder, &[ending])?.into_iter().filter(belongs).collect();
        files.dedup_by(|second, first| {
            let twice = second.stem == first.stem;
            if twice {
                let (a, b) = (first.path.display(), second.path.display());
                self.keep::<()>(Err(Failure::Input(format!("{b}: only {a} is read\nhelp: rename one"))));
            }
            twice
        });
        Ok(files)
    }

    /// Reports that only the baseline has. Pages of points come and go with their declared report.
    fn gone(&mut self, baseline: &Path, now: &[Found], entries: &[Entry]) -> Result<Vec<Gone>, Failure> {
        let there: HashSet<&str> = now.iter().map(|found| found.stem.as_str()).collect();
        let owned: HashSet<String> =
            entries.iter().flat_map(|entry| ["focus", "best"].map(|page| format!("{}-{page}", entry.stem))).collect();
        let mut old: Vec<Entry> = Vec::new();
        for found in self.files(baseline, None, "json")? {
            if !there.contains(found.stem.as_str()) && !owned.contains(&found.stem) {
                old.extend(self.keep(entry(&found)));
            }
        }
        drop_pages_of_sweeps(&mut old);
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

/// The pages of a report that are there.
fn pages(entry: &Entry, folder: &Path) -> Pages {
    let there = |path: String| folder.join(&path).is_file().then_some(path);
    let report = there(format!("{}.html", entry.stem));
    let beside = |name: &Option<String>| name.as_ref().and_then(|name| there(beside(&entry.stem, name)?));
    match &entry.kind {
        EntryKind::Single => Pages { report, ..Pages::default() },
        EntryKind::Sweep { focus_page, best_page, .. } => {
            Pages { report, focus: beside(focus_page), best: beside(best_page) }
        }
    }
}

/// A file in the folder of a report; none where the name leads out of it.
fn beside(stem: &str, name: &str) -> Option<String> {
    let plain = !name.contains(['/', '\\']) && !name.starts_with('.');
    let folder = stem.rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"));
    plain.then(|| folder + name)
}

/// The pages of single points that belong to a declared report are listed with it.
fn drop_pages_of_sweeps(entries: &mut Vec<Entry>) {
    let mut owned = HashSet::new();
    for entry in entries.iter() {
        if let EntryKind::Sweep { focus_page, best_page, .. } = &entry.kind {
            let pages = focus_page.iter().chain(best_page).filter_map(|name| beside(&entry.stem, name));
            owned.extend(pages.filter_map(|page| Some(page.strip_suffix(".html")?.to_owned())));
        }
    }
    entries.retain(|entry| !owned.contains(&entry.stem));
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
fn changes(entry: &Entry, folder: &Path, baseline: &Path, threshold: f64) -> Result<Option<Changes>, Failure> {
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

fn note(found: &Found) -> Result<Option<Note>, Failure> {
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

/// Copies the notes beside declared reports into the folder of pages, so that the index holds them.
pub(super) fn bring_notes(notes: &[Found], folder: &Path) -> Result<Exit, Failure> {
    let mut exit = Exit::Done;
    for found in notes {
        match note(found) {
            Ok(None) => {}
            Ok(Some(_)) => {
                let text = fs::read(&found.path).map_err(|e| Failure::unreadable(&found.path, &e))?;
                publish::write(&folder.join(format!("{}.md", found.stem)), &text)?;
            }
            Err(failure) => {
                failure.print();
                exit = exit.worst(failure.exit());
            }
        }
    }
    Ok(exit)
}
