//! Declared reports under paths: files as given, folders walked, in an order that does not depend on the disk.

use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use super::exit::Failure;
use crate::publish::slug;

/// A declared report, and its place below the folder that was given.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub path: PathBuf,
    pub stem: String,
}

/// Files with one of these endings under some paths, sorted by stem; no two of one stem.
pub(super) fn find(paths: &[PathBuf], endings: &[&str]) -> Result<Vec<Found>, Failure> {
    let found = find_all(paths, endings)?;
    if let Some(pair) = found.windows(2).find(|pair| pair[0].stem == pair[1].stem) {
        let (a, b) = (pair[0].path.display(), pair[1].path.display());
        return Err(Failure::Input(format!("{a} and {b} would both be {}\nhelp: rename one", pair[0].stem)));
    }
    Ok(found)
}

/// Files with one of these endings under some paths, sorted by stem.
pub(super) fn find_all(paths: &[PathBuf], endings: &[&str]) -> Result<Vec<Found>, Failure> {
    let mut found: Vec<Found> = Vec::new();
    for path in paths {
        if path.is_dir() {
            found.extend(walk(path, endings)?);
        } else if path.exists() {
            let name = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
            found.push(Found { path: path.clone(), stem: slug(&name) });
        } else {
            let what = format!(
                "{}: no such file or folder\nhelp: give a declared report (YAML) or a folder of them",
                path.display()
            );
            return Err(Failure::Input(what));
        }
    }
    found.sort_by(|a, b| a.stem.cmp(&b.stem).then_with(|| a.path.cmp(&b.path)));
    Ok(found)
}

/// Files with one of these endings below a folder, sorted; their stems are their places below it, letter for letter.
pub(super) fn below(folder: &Path, endings: &[&str]) -> Result<Vec<Found>, Failure> {
    let place = |path: &Path| {
        let parts = path.components().map(|part| part.as_os_str().to_string_lossy().into_owned());
        parts.collect::<Vec<_>>().join("/")
    };
    let mut found = visit(folder, endings, place)?;
    found.sort_by(|a, b| a.stem.cmp(&b.stem).then_with(|| a.path.cmp(&b.path)));
    Ok(found)
}

fn walk(folder: &Path, endings: &[&str]) -> Result<Vec<Found>, Failure> {
    let place = |path: &Path| {
        let parts = path.components().map(|part| slug(&part.as_os_str().to_string_lossy()));
        parts.collect::<Vec<_>>().join("/")
    };
    visit(folder, endings, place)
}

/// Files with one of these endings below a folder; `place` names each by its path there, without extension.
fn visit(folder: &Path, endings: &[&str], place: impl Fn(&Path) -> String) -> Result<Vec<Found>, Failure> {
    let hidden = |name: &std::ffi::OsStr| name.to_string_lossy().starts_with('.');
    let entries =
        WalkDir::new(folder).max_depth(8).into_iter().filter_entry(|e| e.depth() == 0 || !hidden(e.file_name()));
    let mut found = Vec::new();
    for entry in entries {
        let entry = entry.map_err(|error| Failure::Io(format!("cannot walk {}: {error}", folder.display())))?;
        let path = entry.path();
        let ending = path.extension().map(|e| e.to_string_lossy().to_lowercase());
        if entry.file_type().is_file() && ending.is_some_and(|ending| endings.contains(&ending.as_str())) {
            let below = path.strip_prefix(folder).unwrap_or(path).with_extension("");
            found.push(Found { path: path.to_owned(), stem: place(&below) });
        }
    }
    Ok(found)
}
