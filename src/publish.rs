//! Artifacts to disk: written beside their place, synced, then renamed. A file is whole or not there.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Writing failed.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {target}: {error}\nhelp: check that the folder exists, is writable and has space")]
pub struct PublishError {
    target: String,
    error: io::Error,
}

impl PublishError {
    fn new(target: &Path, error: io::Error) -> Self {
        Self { target: target.display().to_string(), error }
    }

    /// Whether the reader of standard output went away, which is no error of ours.
    #[must_use]
    pub fn is_closed_pipe(&self) -> bool {
        self.error.kind() == io::ErrorKind::BrokenPipe
    }
}

/// Writes a file whole or not at all, making its folder where needed.
///
/// # Errors
/// What the system said; nothing half-written stays behind.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), PublishError> {
    let mut draft = Draft::new(path)?;
    draft.add(bytes)?;
    draft.finish()
}

/// A file in the making: it appears under its name when it is finished, and not at all otherwise.
#[derive(Debug)]
pub struct Draft {
    path: PathBuf,
    file: io::BufWriter<tempfile::NamedTempFile>,
}

impl Draft {
    /// Starts a file, making its folder where needed.
    ///
    /// # Errors
    /// What the system said.
    pub fn new(path: &Path) -> Result<Self, PublishError> {
        let fail = |error| PublishError::new(path, error);
        let folder = path.parent().filter(|p| !p.as_os_str().is_empty());
        let folder = folder.map_or_else(|| PathBuf::from("."), Path::to_owned);
        fs::create_dir_all(&folder).map_err(fail)?;
        let file = tempfile::Builder::new().prefix(".simllm-").tempfile_in(&folder).map_err(fail)?;
        Ok(Self { path: path.to_owned(), file: io::BufWriter::with_capacity(1 << 16, file) })
    }

    /// Adds to the end.
    ///
    /// # Errors
    /// What the system said; the file is given up.
    pub fn add(&mut self, bytes: &[u8]) -> Result<(), PublishError> {
        self.file.write_all(bytes).map_err(|error| PublishError::new(&self.path, error))
    }

    /// Puts the file in its place.
    ///
    /// # Errors
    /// What the system said; nothing half-written stays behind.
    pub fn finish(self) -> Result<(), PublishError> {
        let fail = |error| PublishError::new(&self.path, error);
        let file = self.file.into_inner().map_err(|error| fail(error.into_error()))?;
        file.as_file().sync_all().map_err(fail)?;
        readable_by_all(file.as_file()).map_err(fail)?;
        file.persist(&self.path).map_err(|error| fail(error.error))?;
        Ok(())
    }
}

/// Temporary files are private; a published page is not.
#[cfg(unix)]
fn readable_by_all(file: &fs::File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn readable_by_all(_: &fs::File) -> io::Result<()> {
    Ok(())
}

/// Writes to standard output.
///
/// # Errors
/// What the system said; ask [`PublishError::is_closed_pipe`] before telling anyone.
pub fn to_stdout(text: &str) -> Result<(), PublishError> {
    let mut out = io::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    written.map_err(|error| PublishError::new(Path::new("standard output"), error))
}

/// Says a line to the person at the terminal. Where nobody listens any more, nothing is lost: the exit code says it too.
pub fn to_stderr(line: &str) {
    let _ = writeln!(io::stderr().lock(), "{}", printable(line));
}

/// Text for people at a terminal: control characters and marks that turn the direction of text, which a stranger's
/// file may hold, are shown as their codes.
#[must_use]
pub fn printable(text: &str) -> String {
    let turns = |c: char| matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if (c.is_control() && c != '\n') || turns(c) {
            out.extend(c.escape_unicode());
        } else {
            out.push(c);
        }
    }
    out
}

/// Longest file name stem.
const SLUG_LENGTH: usize = 80;

/// A file name stem of `[a-z0-9._-]`: no separators, no leading dot, at most 80 characters.
#[must_use]
pub fn slug(text: &str) -> String {
    let mut out = String::new();
    for c in text.to_lowercase().chars() {
        let c = if c.is_ascii_alphanumeric() || c == '.' || c == '_' { c } else { '-' };
        if !(c == '-' && (out.is_empty() || out.ends_with('-'))) && !(c == '.' && out.is_empty()) {
            out.push(c);
        }
        if out.len() == SLUG_LENGTH {
            break;
        }
    }
    let trimmed = out.trim_end_matches(['-', '.']);
    if trimmed.is_empty() { "report".to_owned() } else { trimmed.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_stems_that_stay_in_their_folder() {
        let cases = [
            ("llama-3-8b-a100_80gb_pcie-full_inference", "llama-3-8b-a100_80gb_pcie-full_inference"),
            ("Llama-3-8B-Jalapeño-v2.1", "llama-3-8b-jalape-o-v2.1"),
            ("../../etc/passwd", "etc-passwd"),
            ("</script><img src=x>", "script-img-src-x"),
            ("...", "report"),
            ("", "report"),
        ];
        for (given, expected) in cases {
            assert_eq!(slug(given), expected, "{given}");
        }
        assert_eq!(slug(&"x".repeat(300)).len(), SLUG_LENGTH);
    }

    #[test]
    fn a_terminal_obeys_no_strangers_file() {
        assert_eq!(printable("a\u{1b}[31mb\nc\u{202e}d é 模"), "a\\u{1b}[31mb\nc\\u{202e}d é 模");
    }

    #[test]
    fn a_file_is_whole_and_nothing_else_stays_behind() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("new/page.html");
        write(&path, b"one").expect("written");
        write(&path, b"two").expect("replaced");
        assert_eq!(fs::read(&path).expect("there"), b"two");
        assert_eq!(fs::read_dir(path.parent().expect("a folder")).expect("a folder").count(), 1);
    }
}
