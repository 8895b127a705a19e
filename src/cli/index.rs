//! `simllm index`: an index over a folder of reports and notes.

use std::fs;
use std::io::BufReader;
use std::path::Path;

use super::args::{IndexArgs, IndexOptions};
use super::exit::{Exit, Failure};
use super::walk::{self, Found};
use crate::emit;
use crate::publish;
use crate::report::index::{Changes, Entry, EntryKind, History, Index, read_entry};
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
    let (index, exit) = build(folder, &args.index)?;
    write(&index, folder, &args.index)?;
    publish::to_stdout(&format!("{}\n", folder.join("index.html").display()))?;
    let slower = index.entries.iter().filter_map(|entry| entry.changes.as_ref()).any(|changes| changes.slower > 0);
    Ok(if slower { exit.worst(Exit::Gate) } else { exit })
}

/// Reads every report and note below a folder. Broken ones are told and left out; the exit code says so.
pub(super) fn build(folder: &Path, args: &IndexOptions) -> Result<(Index, Exit), Failure> {
    let mut exit = Exit::Done;
    let mut tell = |failure: Failure| {
        failure.print();
        exit = exit.worst(failure.exit());
    };
    let baseline = args.baseline.as_deref().map(Path::new);
    let threshold = args.threshold / 100.0;
    let mut entries = Vec::new();
    for found in walk::find(&[folder.to_owned()], &["json"])? {
        match entry(&found) {
            Ok(entry) => entries.extend(entry),
            Err(failure) => tell(failure),
        }
    }
    drop_pages_of_sweeps(&mut entries);
    let mut history = History::default();
    if let Some(base) = baseline {
        history = past(base);
        for entry in &mut entries {
            entry.changes = changes(entry, folder, base, threshold).unwrap_or_else(|failure| {
                tell(failure);
                None
            });
        }
    }
    let named = baseline.map(|base| if history.label.is_empty() { name(base) } else { history.label.clone() });
    let history = history.with(&args.label, &entries);
    for entry in &mut entries {
        entry.history = history.of(&entry.stem).to_vec();
    }
    let mut notes = Vec::new();
    for found in walk::find(&[folder.to_owned()], &["md"])? {
        match note(&found) {
            Ok(note) => notes.extend(note),
            Err(failure) => tell(failure),
        }
    }
    notes.sort_by(|a, b| b.facts.date.cmp(&a.facts.date).then_with(|| a.stem.cmp(&b.stem)));
    Ok((Index { label: args.label.clone(), baseline: named, entries, notes, threshold }, exit))
}

/// Writes the page and what the next index goes on from.
pub(super) fn write(index: &Index, folder: &Path, args: &IndexOptions) -> Result<(), Failure> {
    let page = emit::html::index_page(index, args.lang.lang());
    publish::write(&folder.join("index.html"), page.as_bytes())?;
    Ok(publish::write(&folder.join("index.json"), emit::index::json(index).as_bytes())?)
}

fn entry(found: &Found) -> Result<Option<Entry>, Failure> {
    let file = fs::File::open(&found.path).map_err(|e| Failure::unreadable(&found.path, &e))?;
    let read = read_entry(&found.stem, BufReader::with_capacity(1 << 16, file));
    read.map_err(|what| Failure::Input(format!("{}: {what}\nhelp: simulate the report again", found.path.display())))
}

/// The pages of single points that belong to a declared report are listed with it.
fn drop_pages_of_sweeps(entries: &mut Vec<Entry>) {
    let mut owned = Vec::new();
    for entry in entries.iter() {
        if let EntryKind::Sweep { focus_page, best_page, .. } = &entry.kind {
            let folder = entry.stem.rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"));
            for page in focus_page.iter().chain(best_page) {
                owned.push(format!("{folder}{}", page.trim_end_matches(".html")));
            }
        }
    }
    entries.retain(|entry| !owned.contains(&entry.stem));
}

/// What earlier runs left for the next one; nothing where there is none.
fn past(baseline: &Path) -> History {
    let file = fs::File::open(baseline.join("index.json")).ok();
    file.and_then(|file| serde_json::from_reader(BufReader::new(file)).ok()).unwrap_or_default()
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
