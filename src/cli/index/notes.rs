//! Notes beside declared reports.

use std::fs;
use std::path::Path;

use super::reader::note;
use crate::cli::exit::{Exit, Failure};
use crate::cli::walk::Found;
use crate::publish;
use crate::report::index::{Broken, BrokenKind};

/// Copies the notes beside declared reports into the folder of pages, so that the index holds them.
///
/// Broken ones are told, and returned with the exit code.
pub(in crate::cli) fn bring(notes: &[Found], folder: &Path, roots: &[String]) -> Result<(Vec<Broken>, Exit), Failure> {
    let (mut broken, mut exit) = (Vec::new(), Exit::Done);
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
                broken.push(Broken::new(BrokenKind::Note, &found.stem, &failure.to_string(), roots));
            }
        }
    }
    Ok((broken, exit))
}
