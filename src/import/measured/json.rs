//! A small JSON reader for result files, which hold what strict parsers refuse: `NaN`, `Infinity`, half a surrogate
//! pair, several values one after the other.
//!
//! It differs from `spec`'s reader in scale and shape: a detailed result has millions of gaps, so an array of numbers
//! costs 8 bytes each and no value knows its place.

use super::number::whole;

const MAX_DEPTH: usize = 128;
/// What all values of a file may cost together: 8 each, 1 for a number in an array. Some 130 MB at most.
pub(super) const BUDGET: usize = 16_000_000;
const NODE: usize = 8;

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Json {
    Null,
    Flag(bool),
    Number(f64),
    Text(String),
    /// An array of numbers only; never empty.
    Numbers(Vec<f64>),
    List(Vec<Json>),
    Map(Vec<(String, Json)>),
}

/// Why a value could not be read, and the byte where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// The text ends inside the value.
    Truncated(usize),
    /// Something else stands there.
    Syntax(usize, &'static str),
}

/// Reads the value that starts at byte `at`, within a budget of which it takes its share; also the byte after it and
/// how many `NaN` it holds.
pub(super) fn parse(text: &str, at: usize, budget: &mut usize) -> Result<(Json, usize, usize), Fault> {
    let mut parser = Parser { text, at, budget, nan: 0 };
    let value = parser.value(0)?;
    Ok((value, parser.at, parser.nan))
}

impl Json {
    /// The member of an object, unless it is null; the last one counts where a key is written twice.
    pub(super) fn get(&self, key: &str) -> Option<&Json> {
        let Self::Map(entries) = self else { return None };
        let value = &entries.iter().rev().find(|(name, _)| name == key)?.1;
        if matches!(value, Self::Null) { None } else { Some(value) }
    }

    /// Whether an object has the key, be it null.
    pub(super) fn has(&self, key: &str) -> bool {
        matches!(self, Self::Map(entries) if entries.iter().any(|(name, _)| name == key))
    }

    /// The value at a path of keys and indices, as `benchmarks/0/metrics`.
    pub(super) fn at(&self, path: &str) -> Option<&Json> {
        path.split('/').try_fold(self, |value, step| match value {
            Self::List(items) => items.get(step.parse::<usize>().ok()?),
            _ => value.get(step),
        })
    }

    /// A finite number at a path; some tools write numbers as text.
    pub(super) fn number(&self, path: &str) -> Option<f64> {
        match self.at(path)? {
            Self::Number(value) if value.is_finite() => Some(*value),
            Self::Text(text) => text.trim().parse().ok().filter(|value: &f64| value.is_finite()),
            _ => None,
        }
    }

    /// A whole number from 0 at a path.
    pub(super) fn count(&self, path: &str) -> Option<u64> {
        self.number(path).and_then(whole)
    }

    /// Text at a path that says something; `None` and `null` written as text do not.
    pub(super) fn text(&self, path: &str) -> Option<&str> {
        match self.at(path)? {
            Self::Text(text) if !matches!(text.trim(), "" | "None" | "null" | "N/A") => Some(text),
            _ => None,
        }
    }

    /// The first of several paths that holds text.
    pub(super) fn first_text(&self, paths: &[&str]) -> Option<String> {
        paths.iter().find_map(|path| self.text(path)).map(str::to_owned)
    }

    /// The first of several paths that holds a number.
    pub(super) fn first_number(&self, paths: &[&str]) -> Option<f64> {
        paths.iter().find_map(|path| self.number(path))
    }

    /// The items of an array at a path; none where it is no array or holds numbers only.
    pub(super) fn list(&self, path: &str) -> &[Json] {
        match self.at(path) {
            Some(Self::List(items)) => items,
            _ => &[],
        }
    }

    /// The numbers of an array at a path.
    pub(super) fn numbers(&self, path: &str) -> &[f64] {
        match self.at(path) {
            Some(Self::Numbers(numbers)) => numbers,
            _ => &[],
        }
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    budget: &'a mut usize,
    nan: usize,
}

impl Parser<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn fault<T>(&self, what: &'static str) -> Result<T, Fault> {
        Err(if self.at >= self.text.len() { Fault::Truncated(self.at) } else { Fault::Syntax(self.at, what) })
    }

    fn skip_blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
    }

    fn value(&mut self, depth: usize) -> Result<Json, Fault> {
        self.skip_blanks();
        if depth > MAX_DEPTH {
            return self.fault("nested deeper than 128 levels");
        }
        if *self.budget < NODE {
            return self.fault("more values than are read; give the summary without per-request detail");
        }
        *self.budget -= NODE;
        match self.peek() {
            Some(b'{') => self.object(depth),
            Some(b'[') => self.array(depth),
            Some(b'"') => Ok(Json::Text(self.string()?)),
            _ => self.word_or_number(),
        }
    }

    fn word_or_number(&mut self) -> Result<Json, Fault> {
        let words = [
            ("true", Json::Flag(true)),
            ("false", Json::Flag(false)),
            ("null", Json::Null),
            ("NaN", Json::Number(f64::NAN)),
            ("Infinity", Json::Number(f64::INFINITY)),
            ("-Infinity", Json::Number(f64::NEG_INFINITY)),
        ];
        let rest = &self.text[self.at..];
        for (word, value) in words {
            if rest.starts_with(word) {
                self.at += word.len();
                self.nan += usize::from(word == "NaN");
                return Ok(value);
            }
            if !rest.is_empty() && word.starts_with(rest) {
                return Err(Fault::Truncated(self.text.len()));
            }
        }
        let length = rest.bytes().take_while(|b| b"+-.eE0123456789".contains(b)).count();
        match rest[..length].parse() {
            Ok(number) => {
                self.at += length;
                Ok(Json::Number(number))
            }
            Err(_) => self.fault("expected a JSON value"),
        }
    }

    fn array(&mut self, depth: usize) -> Result<Json, Fault> {
        self.at += 1;
        let (mut numbers, mut items) = (Vec::new(), Vec::new());
        self.skip_blanks();
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(Json::List(items));
        }
        loop {
            match self.value(depth + 1)? {
                Json::Number(number) if items.is_empty() => {
                    numbers.push(number);
                    *self.budget += NODE - 1;
                }
                value => {
                    items.extend(numbers.drain(..).map(Json::Number));
                    items.push(value);
                }
            }
            self.skip_blanks();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b']') => break,
                _ => return self.fault("expected `,` or `]`"),
            }
        }
        self.at += 1;
        Ok(if items.is_empty() { Json::Numbers(numbers) } else { Json::List(items) })
    }

    fn object(&mut self, depth: usize) -> Result<Json, Fault> {
        self.at += 1;
        let mut entries = Vec::new();
        self.skip_blanks();
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(Json::Map(entries));
        }
        loop {
            self.skip_blanks();
            if self.peek() != Some(b'"') {
                return self.fault("expected a key in double quotes");
            }
            let key = self.string()?;
            self.skip_blanks();
            if self.peek() != Some(b':') {
                return self.fault("expected `:` after the key");
            }
            self.at += 1;
            entries.push((key, self.value(depth + 1)?));
            self.skip_blanks();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b'}') => break,
                _ => return self.fault("expected `,` or `}`"),
            }
        }
        self.at += 1;
        Ok(Json::Map(entries))
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
            out.push_str(&self.text[start..self.at]);
            match self.peek() {
                Some(b'"') => break,
                Some(b'\\') => out.push(self.escape()?),
                _ => return self.fault("a text runs over the end of its line"),
            }
        }
        self.at += 1;
        Ok(out)
    }

    fn escape(&mut self) -> Result<char, Fault> {
        self.at += 1;
        let Some(byte) = self.peek() else { return self.fault("a text without end") };
        self.at += 1;
        Ok(match byte {
            b'"' | b'\\' | b'/' => char::from(byte),
            b'n' => '\n',
            b't' => '\t',
            b'r' => '\r',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            // Text is never shown, so a pair of surrogates may end as two replacement characters.
            b'u' => char::from_u32(self.hex4()?).unwrap_or(char::REPLACEMENT_CHARACTER),
            _ => {
                self.at -= 1;
                return self.fault("unknown escape in a text");
            }
        })
    }

    fn hex4(&mut self) -> Result<u32, Fault> {
        let digits = self.text.as_bytes().get(self.at..self.at + 4).and_then(|b| std::str::from_utf8(b).ok());
        match digits.filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit())).and_then(|d| u32::from_str_radix(d, 16).ok())
        {
            Some(code) => {
                self.at += 4;
                Ok(code)
            }
            None if self.at + 4 > self.text.len() => Err(Fault::Truncated(self.text.len())),
            None => self.fault("`\\u` needs four hexadecimal digits"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<(Json, usize, usize), Fault> {
        parse(text, 0, &mut BUDGET.clone())
    }

    fn value(text: &str) -> Json {
        read(text).expect("lenient JSON").0
    }

    #[test]
    fn reads_what_python_writes() {
        let text = "{\"a\": NaN, \"b\": [Infinity, -Infinity], \"c\": \"\\ud83d\"} {";
        let (json, end, nan) = read(text).expect("value");
        assert_eq!((end, nan), (text.len() - 2, 1));
        assert_eq!(json.number("a"), None);
        assert!(json.numbers("b")[0].is_infinite());
        assert_eq!(json.text("c"), Some("\u{fffd}"));
    }

    #[test]
    fn paths_cross_objects_and_arrays() {
        let json = value("{\"runs\": [{\"p99.9\": \"7\", \"none\": null, \"n\": [1, \"x\"]}], \"k\": 1, \"k\": 2}");
        assert_eq!(json.number("runs/0/p99.9"), Some(7.0));
        assert!(json.at("runs/0/none").is_none() && json.at("runs/0").is_some_and(|run| run.has("none")));
        assert_eq!(json.list("runs/0/n").len(), 2);
        assert_eq!(json.count("k"), Some(2));
    }

    #[test]
    fn tells_an_early_end_from_a_wrong_character() {
        for cut in ["{", "[1, 2", "{\"a", "{\"a\": tr", "{\"a\": \"\\u12", "[-Inf"] {
            assert!(matches!(read(cut), Err(Fault::Truncated(_))), "{cut}");
        }
        for wrong in ["{]", "[1 2]", "{\"a\" 1}", "[2026-11-30]", "{\"a\": \"x\ny\"}"] {
            assert!(matches!(read(wrong), Err(Fault::Syntax(..))), "{wrong}");
        }
        assert!(matches!(read(&"[".repeat(1000)), Err(Fault::Syntax(129, _))));
    }

    #[test]
    fn a_budget_bounds_the_memory() {
        let mut budget = 8 * 3 + 3;
        assert!(parse("[1, 2, 3]", 0, &mut budget).is_ok());
        assert_eq!(budget, 8 * 3 + 3 - 8 - 3);
        assert!(matches!(parse("[{}, {}]", 0, &mut budget), Err(Fault::Syntax(5, _))));
    }
}
