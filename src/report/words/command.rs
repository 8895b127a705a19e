//! A shell command: in one line, or over lines that a page can show.

/// A command as units that stay together in a line: `--batch-size 1`.
#[derive(Clone, Debug)]
pub(in crate::report) struct Command(Vec<String>);

/// Width of a line on a page.
const WIDTH: usize = 38;

impl Command {
    pub(super) fn of<'a>(units: impl IntoIterator<Item = &'a str>) -> Self {
        Self(units.into_iter().map(str::to_owned).collect())
    }

    pub(super) fn with(mut self, units: impl IntoIterator<Item = String>) -> Self {
        self.0.extend(units);
        self
    }

    /// In one line.
    pub(in crate::report) fn in_one_line(&self) -> String {
        self.0.join(" ")
    }

    /// Continued over lines of a readable width.
    pub(in crate::report) fn in_lines(&self) -> String {
        let mut lines: Vec<String> = Vec::new();
        for unit in &self.0 {
            match lines.last_mut() {
                Some(line) if line.chars().count() + 1 + unit.chars().count() <= WIDTH => {
                    line.push(' ');
                    line.push_str(unit);
                }
                Some(_) => lines.push(format!("  {unit}")),
                None => lines.push(unit.clone()),
            }
        }
        lines.join(" \\\n")
    }
}

/// Quotes a word for a shell, where it needs it.
pub(in crate::report) fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._/@:+-=,".contains(c);
    if !word.is_empty() && word.chars().all(plain) && !word.starts_with('-') {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn hostile_words_are_quoted_and_plain_ones_are_not() {
        assert_eq!(quoted("meta-llama/Meta-Llama-3-8B"), "meta-llama/Meta-Llama-3-8B");
        assert_eq!(quoted("a b"), "'a b'");
        assert_eq!(quoted("$(rm -rf ~)"), "'$(rm -rf ~)'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted("--help"), "'--help'");
        assert_eq!(quoted(""), "''");
        assert_eq!(quoted("Jalapeño"), "'Jalapeño'");
    }
}
