//! A YAML document as a tree in which every key and value knows where it was written.
//!
//! One tree serves three writers: a file, a command-line option and an override (`--set PATH=VALUE`). Faults found
//! later point at whichever wrote the value. Parsing is bounded: size, depth, nodes and alias replay are limited, so
//! that a hostile file ends in a message and not in memory exhaustion.

use std::fmt;
use std::sync::Arc;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_yaml::{Location, Spanned};

use super::fault::{Fault, Place, SpecError};

/// Largest file accepted. A real model or machine description is a few kilobytes.
pub const MAX_BYTES: usize = 1 << 20;

/// Where a file's text came from, kept for excerpts in messages.
#[derive(Debug)]
pub struct Source {
    /// The name shown in messages: a relative path, or `embedded:hardware/x.yaml`.
    pub name: String,
    /// The whole text.
    pub text: String,
}

/// A parsed document: a mapping at the top.
#[derive(Clone, Debug)]
pub struct Document {
    pub(super) root: Node,
}

/// A value and where it was written.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub value: Value,
    pub place: Place,
}

/// The kinds of value YAML has, as read.
#[derive(Clone, Debug)]
pub(super) enum Value {
    Null,
    Flag(bool),
    Number(f64),
    Text(String),
    List(Vec<Node>),
    Map(Vec<Entry>),
}

/// One `key: value` of a mapping.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub key: String,
    pub key_place: Place,
    pub value: Node,
}

impl Document {
    /// An empty mapping, to be filled by [`Document::set`].
    #[must_use]
    pub fn empty() -> Self {
        Self { root: Node { value: Value::Map(Vec::new()), place: Place::Nowhere } }
    }

    /// Parses the text of a file.
    ///
    /// # Errors
    /// Says where and what: syntax, tabs, duplicate keys, several documents, alias bombs, files over [`MAX_BYTES`].
    pub fn parse(name: &str, text: &str) -> Result<Self, SpecError> {
        let source = Arc::new(Source { name: name.to_owned(), text: text.to_owned() });
        recognise_foreign_text(&source)?;
        let raw = parse_raw(&source)?;
        let mut faults = Vec::new();
        let root = place(raw, &source, &mut faults);
        if !matches!(root.value, Value::Map(_)) {
            faults.push(Fault::new(Place::line(&source, 1), "expected `key: value` lines at the top level"));
        }
        if faults.is_empty() { Ok(Self { root }) } else { Err(SpecError::new(faults)) }
    }

    /// The text it was parsed from.
    #[must_use]
    pub fn text(&self) -> &str {
        match &self.root.place {
            Place::File { source, .. } => &source.text,
            Place::Option(_) | Place::Nowhere => "",
        }
    }

    /// Whether the key stands at the top level.
    #[must_use]
    pub fn has(&self, key: &str) -> bool {
        matches!(&self.root.value, Value::Map(entries) if entries.iter().any(|entry| entry.key == key))
    }

    /// Sets the value at a dotted path, creating sections on the way. `origin` is how the user wrote it.
    ///
    /// # Errors
    /// If the value is not a YAML scalar or a flow list, or a step of the path is not a section.
    pub fn set(&mut self, path: &str, value: &str, origin: &str) -> Result<(), SpecError> {
        let place = Place::Option(origin.to_owned());
        let wrapped = Self::parse_value(value, &place)?;
        let mut node = &mut self.root;
        for step in path.split('.') {
            if matches!(node.value, Value::Null) {
                node.value = Value::Map(Vec::new());
            }
            let Value::Map(entries) = &mut node.value else {
                return Err(Fault::new(place, format!("`{path}`: there is no section above `{step}`")).into());
            };
            let index = entries.iter().position(|e| e.key == step).unwrap_or_else(|| {
                let value = Node { value: Value::Null, place: place.clone() };
                entries.push(Entry { key: step.to_owned(), key_place: place.clone(), value });
                entries.len() - 1
            });
            node = &mut entries[index].value;
        }
        *node = Node { value: wrapped, place };
        Ok(())
    }

    fn parse_value(text: &str, place: &Place) -> Result<Value, SpecError> {
        let source = Arc::new(Source { name: String::new(), text: text.to_owned() });
        let fault = |what: String| SpecError::from(Fault::new(place.clone(), what));
        let raw = parse_raw(&source).map_err(|_| fault(format!("`{text}` is not a value")))?;
        let mut faults = Vec::new();
        let mut node = self::place(raw, &source, &mut faults);
        relocate(&mut node, place);
        match node.value {
            Value::Map(_) => Err(fault(format!("`{text}` is a mapping; give one value"))),
            value => Ok(value),
        }
    }
}

/// Tells apart what people save by mistake in place of a description.
fn recognise_foreign_text(source: &Arc<Source>) -> Result<(), SpecError> {
    let text = source.text.as_str();
    let start = text.trim_start();
    let what = if text.len() > MAX_BYTES {
        format!("the file has {} bytes, a description has at most {MAX_BYTES}", text.len())
    } else if start.is_empty() {
        "the file is empty".to_owned()
    } else if start.starts_with("version https://git-lfs") {
        "this is a Git LFS pointer, not the file: run `git lfs pull`".to_owned()
    } else if start.starts_with("<!DOCTYPE") || start.starts_with("<html") {
        "this is an HTML page, not the file: the download was refused (is the model gated?)".to_owned()
    } else {
        return Ok(());
    };
    Err(Fault::new(Place::line(source, 1), what).into())
}

fn parse_raw(source: &Arc<Source>) -> Result<Spanned<Raw>, SpecError> {
    let options = serde_yaml::options! {
        budget: serde_yaml::budget! {
            max_documents: 1,
            max_depth: 32,
            max_nodes: 50_000,
            max_aliases: 100,
        },
        alias_limits: serde_yaml::alias_limits! {
            max_total_replayed_events: 10_000,
            max_replay_stack_depth: 8,
            max_alias_expansions_per_anchor: 100,
        },
        duplicate_keys: serde_yaml::DuplicateKeyPolicy::PassThrough,
        merge_keys: serde_yaml::MergeKeyPolicy::Error,
        strict_booleans: true,
        underscored_numbers_as_strings: true,
        with_snippet: false,
    };
    serde_yaml::from_str_with_options(&source.text, options).map_err(|error| {
        let (line, column) = error.location().map_or((1, 1), |l| (l.line(), l.column()));
        syntax_fault(source, line, column, &error.to_string()).into()
    })
}

/// Limits of the parser: what its message holds, ours, and what to do.
const LIMITS: [(&str, &str, &str); 6] = [
    ("non-finite", "not a number: `.nan` or `.inf`", "write a finite number, or drop the key"),
    ("Documents", "the file holds more than one YAML document", "keep one and drop the `---` between them"),
    ("replay", "aliases (`*name`) stand for more than 10,000 values", "write the values out"),
    ("Aliases", "more than 100 aliases (`*name`)", "write the values out"),
    ("Depth", "nested deeper than 32 levels", "a description has at most a handful"),
    ("Nodes", "the file holds more than 50,000 values", "a description has at most a few hundred"),
];

fn syntax_fault(source: &Arc<Source>, line: u64, column: u64, message: &str) -> Fault {
    let tab = source.text.lines().position(|l| l.trim_start_matches(' ').starts_with('\t'));
    if let Some(index) = tab {
        let fault =
            Fault::new(Place::line(source, index as u64 + 1), "a tab is used for indentation; YAML wants spaces");
        return fault.help("replace each leading tab by two spaces");
    }
    // The parser appends its own "at line …" in several wordings; the place already says it.
    let message = message.split(" at line ").next().unwrap_or(message);
    let said = message.lines().next().unwrap_or("not YAML").trim();
    let limit = LIMITS.iter().find(|(sign, ..)| said.contains(sign));
    let (what, help) = limit.map_or((said, None), |(_, what, help)| (*what, Some(*help)));
    let place = if said.contains("non-finite") { Place::at(source, line, column) } else { Place::line(source, line) };
    let fault = Fault::new(place, what);
    if let Some(help) = help { fault.help(help) } else { fault }
}

fn place(raw: Spanned<Raw>, source: &Arc<Source>, faults: &mut Vec<Fault>) -> Node {
    let at = |location: Location| Place::at(source, location.line(), location.column());
    let node_place = at(raw.referenced);
    let value = match raw.value {
        Raw::Null => Value::Null,
        Raw::Flag(flag) => Value::Flag(flag),
        Raw::Number(number) => Value::Number(number),
        Raw::Text(text) => Value::Text(text),
        Raw::List(items) => Value::List(items.into_iter().map(|item| place(item, source, faults)).collect()),
        Raw::Map(entries) => {
            let mut placed: Vec<Entry> = Vec::with_capacity(entries.len());
            for (key, value) in entries {
                let key_place = at(key.referenced);
                if let Some(first) = placed.iter().find(|e| e.key == key.value) {
                    let lines = (first.key_place.line_number(), key_place.line_number());
                    let what = format!("key `{}` appears twice (lines {} and {})", key.value, lines.0, lines.1);
                    faults.push(Fault::new(key_place.clone(), what));
                }
                let value = place(value, source, faults);
                placed.push(Entry { key: key.value, key_place, value });
            }
            Value::Map(placed)
        }
    };
    Node { value, place: node_place }
}

fn relocate(node: &mut Node, place: &Place) {
    node.place = place.clone();
    if let Value::List(items) = &mut node.value {
        items.iter_mut().for_each(|item| relocate(item, place));
    }
}

/// The untyped tree as the parser hands it over.
enum Raw {
    Null,
    Flag(bool),
    Number(f64),
    Text(String),
    List(Vec<Spanned<Raw>>),
    Map(Vec<(Spanned<String>, Spanned<Raw>)>),
}

impl<'de> Deserialize<'de> for Raw {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct RawVisitor;
        impl<'de> Visitor<'de> for RawVisitor {
            type Value = Raw;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a YAML value")
            }
            fn visit_unit<E>(self) -> Result<Raw, E> {
                Ok(Raw::Null)
            }
            fn visit_none<E>(self) -> Result<Raw, E> {
                Ok(Raw::Null)
            }
            fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Raw, D::Error> {
                Raw::deserialize(deserializer)
            }
            fn visit_bool<E>(self, flag: bool) -> Result<Raw, E> {
                Ok(Raw::Flag(flag))
            }
            fn visit_i64<E>(self, number: i64) -> Result<Raw, E> {
                Ok(Raw::Number(number as f64))
            }
            fn visit_u64<E>(self, number: u64) -> Result<Raw, E> {
                Ok(Raw::Number(number as f64))
            }
            fn visit_i128<E>(self, number: i128) -> Result<Raw, E> {
                Ok(Raw::Number(number as f64))
            }
            fn visit_u128<E>(self, number: u128) -> Result<Raw, E> {
                Ok(Raw::Number(number as f64))
            }
            fn visit_f64<E>(self, number: f64) -> Result<Raw, E> {
                Ok(Raw::Number(number))
            }
            fn visit_str<E>(self, text: &str) -> Result<Raw, E> {
                Ok(Raw::Text(text.to_owned()))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Raw, A::Error> {
                let mut list = Vec::new();
                while let Some(item) = items.next_element()? {
                    list.push(item);
                }
                Ok(Raw::List(list))
            }
            fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Raw, A::Error> {
                let mut map = Vec::new();
                while let Some(entry) = entries.next_entry()? {
                    map.push(entry);
                }
                Ok(Raw::Map(map))
            }
        }
        deserializer.deserialize_any(RawVisitor)
    }
}
