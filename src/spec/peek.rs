//! Looking at a section before it is read: files of other tools spell a fact in many ways.
//!
//! A key that is only looked at stays unknown to [`Fields::finish`].

use super::document::Value;
use super::fields::Fields;

impl Fields<'_> {
    /// Whether the section has a value for the key; asking does not make the key known.
    #[must_use]
    pub fn has(&self, key: &str) -> bool {
        self.value(key).is_some_and(|value| !matches!(value, Value::Null))
    }

    /// Whether the key is written, if only as null.
    #[must_use]
    pub fn is_written(&self, key: &str) -> bool {
        self.value(key).is_some()
    }

    /// Whether the key holds a list.
    #[must_use]
    pub fn is_list(&self, key: &str) -> bool {
        matches!(self.value(key), Some(Value::List(_)))
    }

    /// Entries of a list; 0 for anything else.
    #[must_use]
    pub fn list_len(&self, key: &str) -> u64 {
        match self.value(key) {
            Some(Value::List(items)) => items.len() as u64,
            _ => 0,
        }
    }

    /// Whether the key holds a text.
    #[must_use]
    pub fn is_text(&self, key: &str) -> bool {
        matches!(self.value(key), Some(Value::Text(_)))
    }

    /// A number as it stands, finite or not, for fields that may be left out when they make no sense.
    #[must_use]
    pub fn loose_number(&self, key: &str) -> Option<f64> {
        match self.value(key)? {
            Value::Number(number) => Some(*number),
            _ => None,
        }
    }
}
