//! Words of commands that a page or a file shows, for people to paste into a shell.

/// Quotes a word for a POSIX shell, where it needs it.
#[must_use]
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._/@:+-=,%".contains(c);
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
        assert_eq!(quoted("llama-3-8b"), "llama-3-8b");
        assert_eq!(quoted("$(rm -rf x)"), "'$(rm -rf x)'");
        assert_eq!(quoted("a b"), "'a b'");
        assert_eq!(quoted("$(rm -rf ~)"), "'$(rm -rf ~)'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted("--help"), "'--help'");
        assert_eq!(quoted(""), "''");
        assert_eq!(quoted("Jalapeño"), "'Jalapeño'");
    }
}
