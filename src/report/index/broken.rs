//! Files that an index leaves out because something is wrong with them.

/// Letters kept of what is wrong with a file: the rest is on the terminal.
const LONGEST: usize = 1_000;

/// A report or a note that is not in an index because something is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// What it would have been.
    pub kind: BrokenKind,
    /// Its place below the folder, without extension.
    pub stem: String,
    /// Where, what, and what to do about it.
    pub why: String,
}

/// What a broken file would have been.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BrokenKind {
    /// A report.
    Report,
    /// A note.
    Note,
    /// The index of the baseline.
    History,
}

impl Broken {
    /// A broken file. Folders named in the message are cut from it, so that a page says the same wherever it is built.
    #[must_use]
    pub fn new(kind: BrokenKind, stem: &str, why: &str, folders: &[String]) -> Self {
        let mut why = why.to_owned();
        for folder in folders.iter().filter(|folder| !folder.is_empty()) {
            why = why.replace(&format!("{}/", folder.trim_end_matches('/')), "");
        }
        if why.chars().count() > LONGEST {
            why = why.chars().take(LONGEST).chain(['…']).collect();
        }
        Self { kind, stem: stem.to_owned(), why }
    }

    /// The name in results.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self.kind {
            BrokenKind::Report => "report",
            BrokenKind::Note => "note",
            BrokenKind::History => "history",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_says_the_same_wherever_it_is_built() {
        let of = |folder: &str| {
            Broken::new(
                BrokenKind::Report,
                "a",
                &format!("{folder}/a.yaml:2: no\n --> {folder}/a.yaml:2"),
                &[String::new(), folder.to_owned()],
            )
        };
        assert_eq!(of("/home/someone/in"), of("in"));
        assert_eq!(of("in").why, "a.yaml:2: no\n --> a.yaml:2");
    }

    #[test]
    fn a_message_has_an_end() {
        let long = Broken::new(BrokenKind::Note, "a", &"模".repeat(5_000), &[]);
        assert_eq!(long.why.chars().count(), LONGEST + 1);
    }
}
