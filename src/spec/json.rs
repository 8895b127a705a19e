//! JSON read into the same tree as YAML: every key and value knows its line and column.
//!
//! Made for files of other tools, which hold what strict parsers refuse: a byte-order mark, `NaN` and `Infinity`, keys
//! written twice. Size, depth and the number of values are bounded, so a hostile file costs a message and no memory.

use std::sync::Arc;

use super::document::{Document, Entry, Node, Source, Value};
use super::fault::{Fault, Place, SpecError};

/// Largest file accepted. Real ones reach 3 MB (a quantisation table with a row per layer and expert).
pub const MAX_JSON_BYTES: usize = 10_000_000;
const MAX_DEPTH: usize = 128;
const MAX_VALUES: usize = 500_000;

/// A key written twice in one object; the last value counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DuplicateKey {
    /// The key.
    pub key: String,
    /// First value and its line.
    pub first: (String, u64),
    /// Last value and its line.
    pub last: (String, u64),
}

impl Document {
    /// Parses a JSON object.
    ///
    /// # Errors
    /// Says where and what: syntax, an early end, nesting over 128 levels, files over [`MAX_JSON_BYTES`].
    pub fn from_json(name: &str, text: &str) -> Result<(Self, Vec<DuplicateKey>), SpecError> {
        Self::from_json_up_to(name, text, MAX_JSON_BYTES)
    }

    /// Parses a JSON object of up to `most` bytes.
    ///
    /// # Errors
    /// As [`Document::from_json`].
    pub fn from_json_up_to(name: &str, text: &str, most: usize) -> Result<(Self, Vec<DuplicateKey>), SpecError> {
        let source = Arc::new(Source { name: name.to_owned(), text: text.to_owned() });
        let mut parser = Parser { source, at: 0, line: 1, line_start: 0, values: 0, duplicates: Vec::new() };
        if text.len() > most {
            let what = format!("the text has {} bytes; at most {most} are read", text.len());
            return Err(parser.fault(what).into());
        }
        if text.starts_with('\u{feff}') {
            parser.at = '\u{feff}'.len_utf8();
        }
        let root = parser.value(0)?;
        parser.skip_blanks();
        if parser.at < text.len() {
            return Err(parser.fault("text after the end of the JSON value").into());
        }
        match root.value {
            Value::Map(_) => Ok((Self { root }, parser.duplicates)),
            Value::List(_) => Err(Fault::new(root.place, "top level is an array, expected an object").into()),
            _ => Err(Fault::new(root.place, "top level is a single value, expected an object").into()),
        }
    }
}

struct Parser {
    source: Arc<Source>,
    at: usize,
    line: u64,
    line_start: usize,
    values: usize,
    duplicates: Vec<DuplicateKey>,
}

impl Parser {
    fn bytes(&self) -> &[u8] {
        self.source.text.as_bytes()
    }

    fn peek(&self) -> Option<u8> {
        self.bytes().get(self.at).copied()
    }

    fn place(&self) -> Place {
        Place::at(&self.source, self.line, (self.at - self.line_start) as u64 + 1)
    }

    fn fault(&self, what: impl Into<String>) -> Fault {
        if self.at >= self.bytes().len() && self.at > 0 {
            let what = format!("the file ends early at line {}, byte {}", self.line, self.at);
            return Fault::new(self.place(), what).help("was the download cut short? Fetch the file again");
        }
        Fault::new(self.place(), format!("{} (byte {})", what.into(), self.at))
    }

    fn skip_blanks(&mut self) {
        while let Some(byte @ (b' ' | b'\t' | b'\r' | b'\n')) = self.peek() {
            self.at += 1;
            if byte == b'\n' {
                self.line += 1;
                self.line_start = self.at;
            }
        }
    }

    fn value(&mut self, depth: usize) -> Result<Node, SpecError> {
        self.skip_blanks();
        self.values += 1;
        if depth > MAX_DEPTH {
            return Err(self.fault(format!("nested deeper than {MAX_DEPTH} levels")).into());
        }
        if self.values > MAX_VALUES {
            return Err(self.fault(format!("more than {MAX_VALUES} values")).into());
        }
        let place = self.place();
        let value = match self.peek() {
            Some(b'{') => self.object(depth)?,
            Some(b'[') => self.array(depth)?,
            Some(b'"') => Value::Text(self.string()?),
            Some(b'-' | b'0'..=b'9') => self.number()?,
            _ => self.word()?,
        };
        Ok(Node { value, place })
    }

    fn word(&mut self) -> Result<Value, Fault> {
        let words = [
            ("true", Value::Flag(true)),
            ("false", Value::Flag(false)),
            ("null", Value::Null),
            ("NaN", Value::Number(f64::NAN)),
            ("Infinity", Value::Number(f64::INFINITY)),
        ];
        for (word, value) in words {
            if self.bytes()[self.at.min(self.bytes().len())..].starts_with(word.as_bytes()) {
                self.at += word.len();
                return Ok(value);
            }
        }
        Err(self.fault("expected a JSON value"))
    }

    fn number(&mut self) -> Result<Value, Fault> {
        let start = self.at;
        if self.bytes()[start..].starts_with(b"-Infinity") {
            self.at += "-Infinity".len();
            return Ok(Value::Number(f64::NEG_INFINITY));
        }
        while matches!(self.peek(), Some(b'-' | b'+' | b'.' | b'e' | b'E' | b'0'..=b'9')) {
            self.at += 1;
        }
        match self.source.text[start..self.at].parse() {
            Ok(number) => Ok(Value::Number(number)),
            Err(_) => {
                self.at = start;
                Err(self.fault("not a number"))
            }
        }
    }

    fn array(&mut self, depth: usize) -> Result<Value, SpecError> {
        self.at += 1;
        let mut items = Vec::new();
        self.skip_blanks();
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(Value::List(items));
        }
        loop {
            items.push(self.value(depth + 1)?);
            self.skip_blanks();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b']') => break,
                _ => return Err(self.fault("expected `,` or `]`").into()),
            }
        }
        self.at += 1;
        Ok(Value::List(items))
    }

    fn object(&mut self, depth: usize) -> Result<Value, SpecError> {
        self.at += 1;
        let mut entries = Vec::new();
        self.skip_blanks();
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(Value::Map(entries));
        }
        loop {
            self.skip_blanks();
            let key_place = self.place();
            if self.peek() != Some(b'"') {
                return Err(self.fault("expected a key in double quotes").into());
            }
            let key = self.string()?;
            self.skip_blanks();
            if self.peek() != Some(b':') {
                return Err(self.fault("expected `:` after the key").into());
            }
            self.at += 1;
            let value = self.value(depth + 1)?;
            entries.push(Entry { key, key_place, value });
            self.skip_blanks();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b'}') => break,
                _ => return Err(self.fault("expected `,` or `}`").into()),
            }
        }
        self.at += 1;
        Ok(Value::Map(self.last_of_each(entries)))
    }

    /// Keeps the last value of a key written twice, and remembers both.
    fn last_of_each(&mut self, entries: Vec<Entry>) -> Vec<Entry> {
        let mut index = std::collections::HashMap::with_capacity(entries.len());
        let mut kept: Vec<Entry> = Vec::with_capacity(entries.len());
        for entry in entries {
            let next = kept.len();
            match *index.entry(entry.key.clone()).or_insert(next) {
                slot if slot == next => kept.push(entry),
                slot => {
                    let shown = |e: &Entry| (shown(&e.value.value), e.key_place.line_number());
                    let (first, last) = (shown(&kept[slot]), shown(&entry));
                    self.duplicates.push(DuplicateKey { key: entry.key.clone(), first, last });
                    kept[slot] = entry;
                }
            }
        }
        kept
    }

    fn string(&mut self) -> Result<String, Fault> {
        self.at += 1;
        let mut out = String::new();
        loop {
            let start = self.at;
            while self.peek().is_some_and(|b| b != b'"' && b != b'\\' && b >= 0x20) {
                self.at += 1;
            }
            // Both ends lie at ASCII bytes or at the end of the text, so this cuts no character.
            out.push_str(&self.source.text[start..self.at]);
            match self.peek() {
                Some(b'"') => break,
                Some(b'\\') => out.push(self.escape()?),
                _ => return Err(self.fault("a text runs over the end of its line")),
            }
        }
        self.at += 1;
        Ok(out)
    }

    fn escape(&mut self) -> Result<char, Fault> {
        self.at += 1;
        let Some(byte) = self.peek() else { return Err(self.fault("a text without end")) };
        self.at += 1;
        Ok(match byte {
            b'"' | b'\\' | b'/' => char::from(byte),
            b'n' => '\n',
            b't' => '\t',
            b'r' => '\r',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'u' => self.unicode()?,
            _ => {
                self.at -= 1;
                return Err(self.fault("unknown escape in a text"));
            }
        })
    }

    /// `\u` with four digits, or a pair of them; a lone half of a pair becomes the replacement character.
    fn unicode(&mut self) -> Result<char, Fault> {
        let high = self.hex4()?;
        if (0xD800..0xDC00).contains(&high) && self.bytes()[self.at..].starts_with(b"\\u") {
            let back = self.at;
            self.at += 2;
            let low = self.hex4()?;
            if (0xDC00..0xE000).contains(&low) {
                let code = 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00);
                return Ok(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
            self.at = back;
        }
        Ok(char::from_u32(high).unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    fn hex4(&mut self) -> Result<u32, Fault> {
        let digits = self.bytes().get(self.at..self.at + 4).and_then(|b| std::str::from_utf8(b).ok());
        match digits.filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit())).and_then(|d| u32::from_str_radix(d, 16).ok())
        {
            Some(code) => {
                self.at += 4;
                Ok(code)
            }
            None => Err(self.fault("`\\u` needs four hexadecimal digits")),
        }
    }
}

fn shown(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Flag(flag) => flag.to_string(),
        Value::Number(number) => number.to_string(),
        Value::Text(text) => format!("\"{}\"", text.chars().take(40).collect::<String>()),
        Value::List(_) => "[…]".to_owned(),
        Value::Map(_) => "{…}".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(text: &str) -> String {
        Document::from_json("x.json", text).expect_err("this text is not JSON").to_string()
    }

    #[test]
    fn says_where_a_fault_is() {
        assert!(fault("{\n \"a\": 1,\n \"b\"").contains("ends early at line 3"));
        assert!(fault("{\"a\": 1 \"b\": 2}").contains("expected `,` or `}` (byte 8)"));
        assert!(fault("[1]").contains("top level is an array"));
        assert!(fault("{\"a\": tru}").contains("expected a JSON value"));
        assert!(fault("{\"a\": 1}}").contains("text after the end"));
        assert!(fault(&"[".repeat(100_000)).contains("nested deeper than 128 levels (byte 129)"));
    }

    #[test]
    fn keeps_the_last_of_a_key_and_tells_both() {
        let (_, duplicates) = Document::from_json("x.json", "{\"a\": 1,\n\"a\": 2}").expect("lenient");
        assert_eq!(duplicates.len(), 1);
        assert_eq!((duplicates[0].first.clone(), duplicates[0].last.clone()), (("1".into(), 1), ("2".into(), 2)));
    }

    #[test]
    fn reads_escapes_and_words_that_strict_parsers_refuse() {
        let text = "\u{feff}{\"n\": NaN, \"i\": [-Infinity, 1e400], \"s\": \"\\ud83d\\ude00 \\ud83d \\u00e9\\n\"}";
        let (document, _) = Document::from_json("x.json", text).expect("lenient");
        let Value::Map(entries) = &document.root.value else { panic!("an object") };
        assert!(matches!(&entries[2].value.value, Value::Text(t) if t == "😀 \u{fffd} é\n"));
    }
}
