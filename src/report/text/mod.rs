//! Every word of a page, in every language that a page can have: one typed table, one constant a language.
//!
//! A missing translation does not compile. Sentences are whole, with named holes, so that each language can order
//! them as it must. Metric names, kernel names, stage ids, units and JSON keys are not words and stay as they are.

mod en;
mod phrase;
mod table;
mod zh;

pub use en::EN;
pub use phrase::{Holes, Inline, Phrase};
pub use table::*;
pub use zh::ZH;

/// A language that a page can be written in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lang {
    /// English.
    #[default]
    En,
    /// Simplified Chinese.
    Zh,
}

impl Lang {
    /// The table of this language.
    #[must_use]
    pub fn text(self) -> &'static Text {
        match self {
            Self::En => &EN,
            Self::Zh => &ZH,
        }
    }

    /// Sentences one after the other: Latin script puts a space between them.
    #[must_use]
    pub fn join(self, sentences: Vec<Vec<Inline>>) -> Vec<Inline> {
        let mut out = Vec::new();
        for sentence in sentences {
            if self == Self::En && !out.is_empty() {
                out.push(Inline::Text(" ".to_owned()));
            }
            out.extend(sentence);
        }
        out
    }

    /// The value of the `lang` attribute.
    #[must_use]
    pub fn tag(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::Zh => "zh-CN",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(text: &Text) -> Vec<(String, &'static str)> {
        let mut out = Vec::new();
        text.visit("text", &mut |name, words| out.push((name, words)));
        out
    }

    #[test]
    fn both_languages_have_the_same_holes() {
        let (en, zh) = (entries(&EN), entries(&ZH));
        assert!(en.len() > 150, "the iterator covers every field: {}", en.len());
        assert_eq!(en.len(), zh.len());
        for ((name, english), (same, chinese)) in en.into_iter().zip(zh) {
            assert_eq!(name, same);
            assert_eq!(Phrase(english).holes(), Phrase(chinese).holes(), "{name}");
            assert!(!english.is_empty() && !chinese.is_empty(), "{name}");
        }
    }

    #[test]
    fn chinese_uses_full_width_punctuation() {
        let is_han = |c: char| ('\u{4e00}'..='\u{9fff}').contains(&c);
        for (name, words) in entries(&ZH) {
            let chars: Vec<char> = words.chars().collect();
            for pair in chars.windows(2) {
                let mixed = (is_han(pair[0]) && ",.;:!?()".contains(pair[1]))
                    || ("(),;:!?".contains(pair[0]) && is_han(pair[1]));
                assert!(!mixed, "{name}: {words}");
            }
        }
    }

    #[test]
    fn english_has_no_foreign_letters_and_no_curly_quotes() {
        // A Chinese font, first in line on some machines, draws curly quotes a full em wide.
        for (name, words) in entries(&EN) {
            let plain = |c: char| c.is_ascii() || "×−–→·≥±µσ\u{a0}●○".contains(c);
            assert!(words.chars().all(plain), "{name}: {words}");
        }
    }
}
