//! Which modules a name in an ignore list or a target means.
//!
//! Names come as `lm_head`, `model.layers.3.mlp.gate`, `gate`, `model.layers.*.self_attn`, `*router*` or
//! `re:.*\.self_attn\..*`, under prefixes and module names that differ from one exporter to the next.

use regex_lite::Regex;

/// Longest regular expression that is compiled.
const MAX_REGEX: usize = 512;

/// A name, understood.
#[derive(Debug)]
pub(super) enum Pattern {
    /// Words of a module path, in one layer or any.
    Words { layer: Option<u64>, words: Vec<String> },
    /// A regular expression over whole names.
    Regex { regex: Regex, per_layer: bool },
}

/// A matrix of a layer by all the paths it may have (`self_attn.q_proj`, `mixer.q_proj`, …).
pub(super) struct Module<'a> {
    pub layer: u64,
    pub paths: &'a [String],
}

/// What comes before `layers.N.` in whole names.
const PREFIXES: &[&str] = &["model.", "language_model.model.", "model.language_model.", "backbone."];

impl Pattern {
    /// `None` for what cannot be a name of a matrix (an invalid or endless regular expression).
    pub fn parse(text: &str) -> Option<Self> {
        if let Some(regex) = text.strip_prefix("re:") {
            return Self::regex(&format!("^(?:{regex})"), regex);
        }
        if text.contains('*') || text.contains('?') {
            let glob: String = text
                .chars()
                .map(|c| match c {
                    '*' => ".*".to_owned(),
                    '?' => ".".to_owned(),
                    c if c.is_alphanumeric() || c == '_' => c.to_string(),
                    c => format!("\\{c}"),
                })
                .collect();
            // A pattern of a module means what is inside it, too.
            return Self::regex(&format!("^(?:{glob})(?:\\..*)?$"), text);
        }
        let mut words: Vec<String> = text.split('.').map(str::to_owned).collect();
        let at = words.iter().position(|word| matches!(word.as_str(), "layers" | "h" | "blocks" | "block"));
        let index = at.and_then(|at| words.get(at + 1)?.parse().ok().map(|layer: u64| (at, layer)));
        let layer = index.map(|(at, layer)| {
            words.drain(..at + 2);
            layer
        });
        if layer.is_some() && words.iter().any(|word| word.bytes().all(|b| b.is_ascii_digit())) {
            return None;
        }
        Some(Self::Words { layer, words })
    }

    fn regex(source: &str, written: &str) -> Option<Self> {
        if source.len() > MAX_REGEX {
            return None;
        }
        let per_layer = written.bytes().any(|b| b.is_ascii_digit()) || written.contains("\\d");
        Some(Self::Regex { regex: Regex::new(source).ok()?, per_layer })
    }

    /// Whether this module, or one that holds it, is meant.
    pub fn matches(&self, module: &Module<'_>) -> bool {
        match self {
            Self::Words { layer: Some(layer), words } => {
                *layer == module.layer && module.paths.iter().any(|path| begins(path, words))
            }
            Self::Words { layer: None, words } => module.paths.iter().any(|path| contains(path, words)),
            Self::Regex { regex, per_layer } => {
                let layer = if *per_layer { module.layer } else { 0 };
                module
                    .paths
                    .iter()
                    .any(|path| PREFIXES.iter().any(|prefix| regex.is_match(&format!("{prefix}layers.{layer}.{path}"))))
            }
        }
    }

    /// Whether a module outside the layers is meant, by its last word (`lm_head`).
    pub fn names(&self, module: &str) -> bool {
        match self {
            Self::Words { layer: None, words } => words.last().is_some_and(|word| word == module),
            Self::Words { .. } => false,
            Self::Regex { regex, .. } => {
                regex.is_match(module) || PREFIXES.iter().any(|prefix| regex.is_match(&format!("{prefix}{module}")))
            }
        }
    }
}

/// The path starts with these words.
fn begins(path: &str, words: &[String]) -> bool {
    let mut parts = path.split('.');
    words.iter().all(|word| parts.next() == Some(word))
}

/// The path has these words in a row.
fn contains(path: &str, words: &[String]) -> bool {
    let parts: Vec<&str> = path.split('.').collect();
    !words.is_empty() && parts.windows(words.len()).any(|window| window.iter().zip(words).all(|(a, b)| a == b))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(pattern: &str, layer: u64, path: &str) -> bool {
        let paths = [path.to_owned()];
        Pattern::parse(pattern).is_some_and(|p| p.matches(&Module { layer, paths: &paths }))
    }

    #[test]
    fn names_mean_modules_and_nothing_that_only_looks_like_them() {
        assert!(matches("model.layers.3.mlp.gate", 3, "mlp.gate"));
        assert!(!matches("model.layers.3.mlp.gate", 4, "mlp.gate"));
        assert!(!matches("model.layers.3.mlp.gate", 3, "mlp.gate_proj"));
        assert!(matches("gate", 7, "mlp.gate"));
        assert!(!matches("gate", 7, "mlp.gate_proj"));
        assert!(matches("backbone.layers.5.mixer", 5, "mixer.q_proj"));
        assert!(matches("self_attn", 0, "self_attn.o_proj"));
        assert!(matches("model.layers.*.self_attn", 11, "self_attn.q_proj"));
        assert!(matches("*router*", 2, "feed_forward.router"));
        assert!(matches("re:.*self_attn.*", 2, "self_attn.q_proj"));
        assert!(matches("re:.*\\.layers\\.(0|1)\\..*", 1, "mlp.up_proj"));
        assert!(!matches("re:.*\\.layers\\.(0|1)\\..*", 2, "mlp.up_proj"));
        assert!(!matches("re:vision_model.*", 2, "mlp.up_proj"));
        assert!(!matches("re:(", 2, "mlp.up_proj"));
    }

    #[test]
    fn a_pattern_without_end_is_refused() {
        assert!(Pattern::parse(&format!("re:{}", "(a*)*".repeat(1000))).is_none());
    }
}
