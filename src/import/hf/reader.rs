//! Typed access to a config by all the names a fact goes by.

use crate::import::{Assumed, Warning};
use crate::spec::{Fields, printable};

/// The text model's section while it is read.
pub(super) struct Reader<'a> {
    /// The section; path prefix included in messages.
    pub fields: Fields<'a>,
    /// Filled-in values.
    pub assumed: Vec<Assumed>,
    /// Oddities.
    pub warnings: Vec<Warning>,
    /// What the model class takes for keys that a nested section leaves out.
    pub class_defaults: &'static [(&'static str, u64)],
}

/// Names of one fact, most usual first.
pub(super) type Keys = &'static [&'static str];

pub(super) const LAYERS: Keys = &["num_hidden_layers", "n_layer", "n_layers", "num_layers", "num_transformer_layers"];
const LAYERS_ALSO: &str = "n_layer, n_layers, num_layers, layers_block_type";
pub(super) const HIDDEN: Keys = &["hidden_size", "n_embd", "d_model", "n_embed", "model_dim"];
pub(super) const HEADS: Keys = &["num_attention_heads", "n_head", "n_heads", "num_heads"];
pub(super) const VOCAB: Keys = &["vocab_size", "padded_vocab_size"];
pub(super) const INTERMEDIATE: Keys = &["intermediate_size", "n_inner", "ffn_dim", "ffn_hidden_size", "d_ff"];
pub(super) const CONTEXT: Keys = &[
    "max_position_embeddings",
    "n_positions",
    "max_seq_len",
    "seq_length",
    "model_max_length",
    "n_ctx",
    "max_context_length",
];

pub(super) const MAX_LAYERS: u64 = 10_000;
pub(super) const MAX_WIDTH: u64 = 1 << 20;
pub(super) const MAX_VOCAB: u64 = 1 << 26;
pub(super) const MAX_HEAD_DIM: u64 = 1 << 14;

impl Reader<'_> {
    /// The first of the names that has a value.
    pub fn name_of(&self, keys: Keys) -> &'static str {
        keys.iter().copied().find(|key| self.fields.has(key)).unwrap_or(keys[0])
    }

    /// A whole number from 1.
    pub fn count(&mut self, keys: Keys, high: u64) -> Option<u64> {
        let key = self.name_of(keys);
        self.count_of(key, high)
    }

    /// A whole number from 0; zero is absent.
    pub fn nonzero(&mut self, keys: Keys, high: u64) -> Option<u64> {
        let key = self.name_of(keys);
        let value = if self.fields.is_list(key) { self.same_of_all(key, high) } else { self.fields.whole(key, high) };
        value.filter(|&value| value > 0)
    }

    fn count_of(&mut self, key: &'static str, high: u64) -> Option<u64> {
        if self.fields.is_list(key) {
            self.same_of_all(key, high).filter(|&value| value > 0)
        } else {
            self.fields.count(key, high)
        }
    }

    /// The whole number that every entry of a list is: some files write one for each layer.
    fn same_of_all(&mut self, key: &'static str, high: u64) -> Option<u64> {
        let values = self.fields.numbers(key);
        let is = |&value: &f64| value.fract() == 0.0 && (0.0..=high as f64).contains(&value);
        let first = values.first().copied().filter(is).filter(|first| values.iter().all(|value| value == first));
        if first.is_none() {
            self.fields.fault(key, format!("{key} is a list; it must hold the same whole number for every layer"));
        }
        first.map(|value| value as u64)
    }

    /// A whole number that has to be there; 1 stands in after a fault, so that reading goes on to the next one.
    pub fn need(&mut self, keys: Keys, high: u64) -> u64 {
        let key = self.name_of(keys);
        if !self.fields.has(key)
            && let Some(value) = self.class_default(keys)
        {
            return value;
        }
        if !self.fields.has(key) {
            let others = if keys == LAYERS { LAYERS_ALSO.to_owned() } else { keys[1..].join(", ") };
            let also = if others.is_empty() { String::new() } else { format!(" (also looked for {others})") };
            self.fields.fault_with_help(
                key,
                format!("there is no {}{also}", keys[0]),
                "give the model's own config.json",
            );
            return 1;
        }
        self.count_of(key, high).unwrap_or(1)
    }

    /// What the model class takes for a key that a nested section leaves out; said if used.
    pub fn class_default(&mut self, keys: Keys) -> Option<u64> {
        let (key, value) = self.class_defaults.iter().find(|(known, _)| keys.contains(known))?;
        self.assume(key, value, "not in the file; the default of the model class");
        Some(*value)
    }

    /// A whole number that has to be there, under one name.
    pub fn need_one(&mut self, key: &'static str, high: u64) -> u64 {
        if !self.fields.has(key) {
            self.fields.missing(key);
        }
        self.fields.count(key, high).unwrap_or(1)
    }

    /// A flag with the model class's default.
    pub fn flag_or(&mut self, key: &'static str, default: bool) -> bool {
        self.fields.flag(key).unwrap_or(default)
    }

    /// Records a value that the file does not state.
    pub fn assume(&mut self, field: &str, value: impl ToString, why: &str) {
        let entry = Assumed { field: field.to_owned(), value: printable(&value.to_string()), why: printable(why) };
        if !self.assumed.contains(&entry) {
            self.assumed.push(entry);
        }
    }

    /// Records an oddity.
    pub fn warn(&mut self, id: &'static str, message: impl Into<String>, help: &str) {
        self.warnings.push(Warning::new(id, message, help));
    }
}
