//! Every wording of the table is used: a word that no page says is a word that no one keeps true.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use simllm::report::text::{EN, Wordings};

/// The text of every file below a folder but those of the table itself.
fn sources(folder: &Path, out: &mut String) {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    for path in entries.map(|entry| entry.expect("an entry").path()) {
        if path.is_dir() {
            if !path.ends_with("report/text") {
                sources(&path, out);
            }
        } else {
            out.push_str(&fs::read_to_string(&path).expect("a source file"));
        }
    }
}

/// Names that follow a dot.
fn fields(source: &str) -> BTreeSet<&str> {
    source
        .split('.')
        .skip(1)
        .map(|rest| rest.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or_default())
        .collect()
}

#[test]
fn every_wording_is_used() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut source = String::new();
    for folder in ["src/report", "src/emit", "src/cli", "templates"] {
        sources(&root.join(folder), &mut source);
    }
    let used = fields(&source);
    let mut unused = Vec::new();
    EN.visit("text", &mut |path, _| {
        if path.split('.').skip(1).any(|field| !used.contains(field)) {
            unused.push(path);
        }
    });
    assert!(unused.is_empty(), "{unused:#?}");
}
