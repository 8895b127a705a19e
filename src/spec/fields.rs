//! Reads the fields of a section, collecting every fault instead of stopping at the first.
//!
//! A section is read by asking for its keys; what was not asked for is unknown, and the keys asked for are the
//! candidates for "did you mean". So a key exists exactly if some code reads it.

use std::str::FromStr;

use super::document::{Document, Entry, Node, Value};
use super::fault::{Fault, Place};
pub use super::findings::{Findings, Range};
use super::suggest::nearest;

/// One section while it is read.
pub struct Fields<'a> {
    path: String,
    place: Place,
    entries: &'a [Entry],
    asked: Vec<&'static str>,
    findings: &'a Findings,
}

impl<'a> Fields<'a> {
    /// Starts reading at the top of a document; `prefix` is what paths in messages start with (`model`, `hardware`).
    #[must_use]
    pub fn top(document: &'a Document, prefix: &str, findings: &'a Findings) -> Self {
        Self::over(&document.root, prefix.to_owned(), findings)
    }

    fn over(node: &'a Node, path: String, findings: &'a Findings) -> Self {
        let entries = match &node.value {
            Value::Map(entries) => entries.as_slice(),
            Value::Null => &[],
            _ => {
                findings
                    .faults
                    .borrow_mut()
                    .push(Fault::new(node.place.clone(), format!("`{path}` is a section; put its keys below it")));
                &[]
            }
        };
        Self { path, place: node.place.clone(), entries, asked: Vec::new(), findings }
    }

    fn path_of(&self, key: &str) -> String {
        if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) }
    }

    /// What is written under a key.
    pub(super) fn value(&self, key: &str) -> Option<&'a Value> {
        self.entries.iter().find(|e| e.key == key).map(|e| &e.value.value)
    }

    fn find(&mut self, key: &'static str) -> Option<&'a Node> {
        self.asked.push(key);
        let node = &self.entries.iter().find(|e| e.key == key)?.value;
        if matches!(node.value, Value::Null) { None } else { Some(node) }
    }

    /// Whether the section says anything at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Records a fault of a key's value, or of the section where the key is absent.
    pub fn fault(&self, key: &str, what: impl Into<String>) {
        self.push(self.fault_at(key, what.into()));
    }

    /// Records a fault with its next step.
    pub fn fault_with_help(&self, key: &str, what: impl Into<String>, help: impl Into<String>) {
        self.push(self.fault_at(key, what.into()).help(help));
    }

    fn fault_at(&self, key: &str, what: String) -> Fault {
        let place = self.entries.iter().find(|e| e.key == key).map_or(&self.place, |e| &e.value.place);
        Fault::new(place.clone(), what)
    }

    fn push(&self, fault: Fault) {
        let mut faults = self.findings.faults.borrow_mut();
        if !faults.iter().any(|known| known.is_same(&fault)) {
            faults.push(fault);
        }
    }

    /// A section below this one; absent is empty.
    pub fn section(&mut self, key: &'static str) -> Fields<'a> {
        let path = self.path_of(key);
        match self.find(key) {
            Some(node) => Self::over(node, path, self.findings),
            None => {
                Fields { path, place: self.place.clone(), entries: &[], asked: Vec::new(), findings: self.findings }
            }
        }
    }

    /// The sections of a mapping with free keys (a table of formats, say), in the order written.
    pub fn sections(&mut self, key: &'static str) -> Vec<(&'a str, Fields<'a>)> {
        let path = self.path_of(key);
        let Some(node) = self.find(key) else { return Vec::new() };
        let fields = Self::over(node, path.clone(), self.findings);
        fields
            .entries
            .iter()
            .map(|e| (e.key.as_str(), Self::over(&e.value, format!("{path}.{}", e.key), self.findings)))
            .collect()
    }

    /// The sections of a mapping whose keys are all free.
    pub fn into_sections(self) -> impl Iterator<Item = (&'a str, Fields<'a>)> {
        let (path, findings) = (self.path, self.findings);
        self.entries.iter().map(move |e| (e.key.as_str(), Self::over(&e.value, format!("{path}.{}", e.key), findings)))
    }

    /// The mappings of a list of sections.
    pub fn section_list(&mut self, key: &'static str) -> Vec<Fields<'a>> {
        let path = self.path_of(key);
        self.list(key).iter().enumerate().map(|(i, n)| Self::over(n, format!("{path}[{i}]"), self.findings)).collect()
    }

    /// A mapping from names to texts or numbers with free keys.
    pub fn table(&mut self, key: &'static str) -> Vec<(String, String)> {
        let path = self.path_of(key);
        let Some(node) = self.find(key) else { return Vec::new() };
        let fields = Self::over(node, path, self.findings);
        fields.entries.iter().map(|e| (e.key.clone(), scalar_text(&e.value).unwrap_or_default())).collect()
    }

    /// A mapping from names to numbers with free keys.
    pub fn number_table(&mut self, key: &'static str) -> Vec<(String, f64)> {
        let path = self.path_of(key);
        let Some(node) = self.find(key) else { return Vec::new() };
        let fields = Self::over(node, path.clone(), self.findings);
        fields
            .entries
            .iter()
            .filter_map(|e| Some((e.key.clone(), self.number_of(&e.value, &format!("{path}.{}", e.key))?)))
            .collect()
    }

    /// All values below this section as dotted paths with their text; for sections whose keys are checked elsewhere.
    #[must_use]
    pub fn assignments(&self) -> Vec<(String, String)> {
        let mut all = Vec::new();
        for entry in self.entries {
            flatten(&entry.key, &entry.value, &mut all, self.findings);
        }
        all
    }

    /// The lists of a section with free keys: each key with its values as text. A single value is a list of one. Lists
    /// of sections must have been asked for before; they are no axes.
    pub fn axes(&mut self) -> Vec<(String, Vec<String>)> {
        let asked = self.asked.clone();
        let free = self.entries.iter().filter(|entry| !asked.contains(&entry.key.as_str()));
        free.filter_map(|entry| {
            let items = match &entry.value.value {
                Value::List(items) => items.as_slice(),
                _ => std::slice::from_ref(&entry.value),
            };
            let values: Option<Vec<String>> = items.iter().map(scalar_text).collect();
            if values.is_none() {
                let what = format!("axis `{}` must be a list of plain values", entry.key);
                self.push(Fault::new(entry.value.place.clone(), what));
            }
            Some((entry.key.clone(), values?))
        })
        .collect()
    }

    fn list(&mut self, key: &'static str) -> &'a [Node] {
        let path = self.path_of(key);
        match self.find(key) {
            None => &[],
            Some(Node { value: Value::List(items), .. }) => items,
            Some(node) => {
                self.push(Fault::new(node.place.clone(), format!("`{path}` must be a list")));
                &[]
            }
        }
    }

    /// A text.
    pub fn text(&mut self, key: &'static str) -> Option<String> {
        let path = self.path_of(key);
        let node = self.find(key)?;
        let text = scalar_text(node);
        if text.is_none() {
            self.push(Fault::new(node.place.clone(), format!("`{path}` must be a text")));
        }
        text
    }

    /// A list of texts.
    pub fn texts(&mut self, key: &'static str) -> Vec<String> {
        let path = self.path_of(key);
        let items = self.list(key);
        items
            .iter()
            .filter_map(|item| {
                let text = scalar_text(item);
                if text.is_none() {
                    self.push(Fault::new(item.place.clone(), format!("`{path}` must be a list of texts")));
                }
                text
            })
            .collect()
    }

    /// A list of numbers.
    pub fn numbers(&mut self, key: &'static str) -> Vec<f64> {
        let path = self.path_of(key);
        let items = self.list(key);
        items.iter().filter_map(|item| self.number_of(item, &path)).collect()
    }

    /// A list of pairs of numbers.
    pub fn pairs(&mut self, key: &'static str) -> Vec<(f64, f64)> {
        let path = self.path_of(key);
        let items = self.list(key);
        items
            .iter()
            .filter_map(|item| match &item.value {
                Value::List(pair) if pair.len() == 2 => {
                    Some((self.number_of(&pair[0], &path)?, self.number_of(&pair[1], &path)?))
                }
                _ => {
                    self.push(Fault::new(item.place.clone(), format!("`{path}` must be a list of pairs")));
                    None
                }
            })
            .collect()
    }

    /// A finite number within a range.
    pub fn number(&mut self, key: &'static str, range: Range) -> Option<f64> {
        let path = self.path_of(key);
        let node = self.find(key)?;
        let value = self.number_of(node, &path)?;
        match range.fault(value) {
            None => Some(value),
            Some(rule) => {
                self.push(Fault::new(node.place.clone(), format!("`{path}` is {value}; it {rule}")));
                None
            }
        }
    }

    /// A number that has to be there.
    pub fn need_number(&mut self, key: &'static str, range: Range) -> f64 {
        let faults = self.findings.faults.borrow().len();
        let value = self.number(key, range);
        if value.is_none() && self.findings.faults.borrow().len() == faults {
            self.missing(key);
        }
        value.unwrap_or(range.low.max(1.0))
    }

    /// A whole number from 1 up to `high`.
    pub fn count(&mut self, key: &'static str, high: u64) -> Option<u64> {
        let value = self.number(key, Range::count(high))?;
        if value.fract() == 0.0 {
            return Some(value as u64);
        }
        self.fault(key, format!("`{}` is {value}; it must be a whole number", self.path_of(key)));
        None
    }

    /// A whole number from 0 up to `high`.
    pub fn whole(&mut self, key: &'static str, high: u64) -> Option<u64> {
        let value = self.number(key, Range::from_zero(high as f64))?;
        if value.fract() == 0.0 {
            return Some(value as u64);
        }
        self.fault(key, format!("`{}` is {value}; it must be a whole number", self.path_of(key)));
        None
    }

    fn number_of(&self, node: &Node, path: &str) -> Option<f64> {
        let value = match &node.value {
            Value::Number(number) => Some(*number),
            Value::Text(text) => self.underscored(text, path),
            _ => None,
        };
        match value {
            Some(number) if number.is_finite() => Some(number),
            Some(number) => {
                self.push(Fault::new(
                    node.place.clone(),
                    format!("`{path}` is {number}, out of range: it must be a finite number"),
                ));
                None
            }
            None => {
                let shown =
                    scalar_text(node).map_or_else(|| "not a number".to_owned(), |t| format!("`{t}`, not a number"));
                self.push(Fault::new(node.place.clone(), format!("`{path}` is {shown}")));
                None
            }
        }
    }

    /// `16_060_522_496` is a number in YAML 1.1 and a text in 1.2: taken as the number, with a note.
    fn underscored(&self, text: &str, path: &str) -> Option<f64> {
        if !text.contains('_') || !text.chars().all(|c| c.is_ascii_digit() || "_.+-eE".contains(c)) {
            return None;
        }
        let number = text.replace('_', "").parse().ok()?;
        self.note(format!("`{path}`: `{text}` is read as the number {number} (YAML 1.2 would call it a text)"));
        Some(number)
    }

    /// Records something the user should know that is not a fault.
    pub fn note(&self, text: String) {
        self.findings.notes.borrow_mut().push(text);
    }

    /// `true` or `false`.
    pub fn flag(&mut self, key: &'static str) -> Option<bool> {
        let path = self.path_of(key);
        let node = self.find(key)?;
        match &node.value {
            Value::Flag(flag) => Some(*flag),
            Value::Text(text) if text == "on" => Some(true),
            Value::Text(text) if text == "off" => Some(false),
            _ => {
                let shown = scalar_text(node).unwrap_or_default();
                self.push(Fault::new(node.place.clone(), format!("`{path}` is `{shown}`; it must be true or false")));
                None
            }
        }
    }

    /// A value of a closed list, by name.
    pub fn one_of<T: FromStr>(&mut self, key: &'static str) -> Option<T>
    where
        T::Err: std::fmt::Display,
    {
        let path = self.path_of(key);
        let node = self.find(key)?;
        let text = scalar_text(node).unwrap_or_default();
        match text.parse() {
            Ok(value) => Some(value),
            Err(error) => {
                self.push(Fault::new(node.place.clone(), format!("`{path}`: {error}")));
                None
            }
        }
    }

    /// Records that a key has to be there.
    pub fn missing(&self, key: &str) {
        self.push(Fault::new(self.place.clone(), format!("`{}` is missing", self.path_of(key))));
    }

    /// Ends the section: keys nobody asked for are unknown.
    pub fn finish(self) {
        for entry in self.entries.iter().filter(|e| !self.asked.contains(&e.key.as_str())) {
            let what = format!("unknown key `{}`", self.path_of(&entry.key));
            let fault = Fault::new(entry.key_place.clone(), what);
            let near = nearest(&entry.key, self.asked.iter().copied(), 1);
            self.push(match near.first() {
                Some(key) => fault.help(format!("did you mean `{}`?", self.path_of(key))),
                None => fault.help(format!("known here: {}", self.asked.join(", "))),
            });
        }
    }
}

fn flatten(path: &str, node: &Node, all: &mut Vec<(String, String)>, findings: &Findings) {
    if let Value::Map(entries) = &node.value {
        for entry in entries {
            flatten(&format!("{path}.{}", entry.key), &entry.value, all, findings);
        }
    } else if let Some(text) = scalar_text(node) {
        all.push((path.to_owned(), text));
    } else {
        let what = format!("`{path}` must be one plain value");
        findings.faults.borrow_mut().push(Fault::new(node.place.clone(), what));
    }
}

fn scalar_text(node: &Node) -> Option<String> {
    match &node.value {
        Value::Text(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Flag(flag) => Some(flag.to_string()),
        Value::Null | Value::List(_) | Value::Map(_) => None,
    }
}
