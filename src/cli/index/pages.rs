//! Which pages there are, and to which report they belong.

use std::collections::HashSet;
use std::path::Path;

use crate::report::index::{Entry, EntryKind, Pages};

/// The pages of a report that are there.
pub(super) fn of(entry: &Entry, folder: &Path) -> Pages {
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
pub(super) fn drop_pages_of_sweeps(entries: &mut Vec<Entry>) {
    let mut owned = HashSet::new();
    for entry in entries.iter() {
        if let EntryKind::Sweep { focus_page, best_page, .. } = &entry.kind {
            let pages = focus_page.iter().chain(best_page).filter_map(|name| beside(&entry.stem, name));
            owned.extend(pages.filter_map(|page| Some(page.strip_suffix(".html")?.to_owned())));
        }
    }
    entries.retain(|entry| !owned.contains(&entry.stem));
}
