//! The house: a room may use lower floors only, and every room is in the table.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

const FLOORS: &[(&str, u32)] = &[
    ("quantity", 0),
    ("spec", 1),
    ("kernel", 1),
    ("import", 2),
    ("machine", 2),
    ("catalog", 2),
    ("cost", 3),
    ("scenario", 3),
    ("plan", 4),
    ("timeline", 5),
    ("simulate", 6),
    ("diagnose", 7),
    ("sweep", 8),
    ("validate", 8),
    ("report", 9),
    ("emit", 10),
    ("publish", 11),
    ("cli", 12),
];

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder of the repository").flatten() {
        let path = entry.path();
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|e| e == "rs") {
            files.push(path);
        }
    }
    files
}

/// The rooms a file mentions as `crate::ROOM`.
fn rooms_used(text: &str) -> Vec<String> {
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    let text = code.collect::<Vec<_>>().join("\n");
    let names = text
        .split("crate::")
        .skip(1)
        .map(|rest| rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>());
    names.filter(|name| !name.is_empty()).collect()
}

#[test]
fn rooms_use_lower_floors_only() {
    let floors: BTreeMap<&str, u32> = FLOORS.iter().copied().collect();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut wrong = Vec::new();
    for path in sources(&root) {
        let relative = path.strip_prefix(&root).expect("below src");
        let first = relative.components().next().expect("a part").as_os_str().to_string_lossy().into_owned();
        let room = first.trim_end_matches(".rs").to_owned();
        if matches!(room.as_str(), "lib" | "main" | "bin") {
            continue;
        }
        let Some(floor) = floors.get(room.as_str()) else {
            wrong.push(format!("src/{first}: the table of floors lacks it"));
            continue;
        };
        let text = fs::read_to_string(&path).expect("readable");
        for used in rooms_used(&text) {
            match floors.get(used.as_str()) {
                _ if used == room => {}
                Some(below) if below < floor => {}
                Some(_) => wrong.push(format!("src/{}: `{room}` uses `{used}`", relative.display())),
                None => {}
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn files_hold_one_idea() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let long: Vec<String> = sources(&root)
        .into_iter()
        .filter_map(|path| {
            let lines = fs::read_to_string(&path).expect("readable").lines().count();
            (lines > 460).then(|| format!("{} has {lines} lines", path.display()))
        })
        .collect();
    assert!(long.is_empty(), "{}", long.join("\n"));
}
