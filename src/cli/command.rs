//! Commands as people type them: quoted for a shell, wrapped for reading, with no folder of this machine in them.

use std::path::Path;

pub(super) use crate::report::shell::quoted as quote;

/// An absolute path names a machine; its last part is enough to find the file again.
pub(super) fn relative(given: &str) -> String {
    let path = Path::new(given);
    if path.is_absolute() {
        path.file_name().map_or_else(|| given.to_owned(), |name| name.to_string_lossy().into_owned())
    } else {
        given.to_owned()
    }
}

/// Joins words into lines of a readable width.
pub(super) fn wrapped(words: &[String]) -> String {
    const WIDTH: usize = 72;
    let mut lines = vec![String::new()];
    let mut index = 0;
    while index < words.len() {
        // An option stays with its value.
        let valued = words.get(index + 1).is_some_and(|next| !next.starts_with("--"));
        let take = if words[index].starts_with("--") && valued { 2 } else { 1 };
        let part = words[index..(index + take).min(words.len())].join(" ");
        index += take;
        match lines.last_mut() {
            Some(line) if line.is_empty() => *line = part,
            Some(line) if line.len() + part.len() < WIDTH => {
                line.push(' ');
                line.push_str(&part);
            }
            _ => lines.push(format!("  {part}")),
        }
    }
    lines.join(" \\\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_name_no_folder_of_this_machine() {
        assert_eq!(relative("/home/someone/config.json"), "config.json");
        assert_eq!(relative("models/config.json"), "models/config.json");
    }
}
