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
