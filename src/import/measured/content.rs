//! A file as readers see it: text, the JSON values in it, the tables in it.

use super::json::{self, Fault, Json};
use super::table::{self, Table};

/// A decoded file.
#[derive(Debug)]
pub(super) struct Content<'a> {
    /// The name shown in messages.
    pub name: &'a str,
    /// The whole text.
    pub text: String,
    /// JSON objects at the top level, or inside a top-level array, in file order.
    pub records: Vec<Record>,
    /// `NaN` words in them.
    pub nan: usize,
    /// Lines beside them that are no JSON: the first few, and how many.
    pub stray: (Vec<u64>, usize),
    /// Lines that the values cover.
    pub json_lines: usize,
    /// Where reading JSON ended early or met something else first.
    pub broken: Option<Broken>,
}

/// A JSON object and the line where it starts.
#[derive(Debug)]
pub(super) struct Record {
    pub line: u64,
    pub json: Json,
}

/// A fault in JSON, placed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Broken {
    /// Whether the text just ends.
    pub truncated: bool,
    /// What and where, as `line 3, byte 120: expected …`.
    pub message: String,
}

const STRAY_SHOWN: usize = 5;

impl<'a> Content<'a> {
    /// Finds the JSON values of a text; lines between them are kept as stray.
    pub(super) fn new(name: &'a str, text: String) -> Self {
        let mut scan = Scan::new(&text);
        let mut stray = (Vec::new(), 0);
        let mut broken = None;
        while let Some(start) = scan.next_start() {
            let line = scan.line;
            match scan.value(start) {
                Ok(()) => continue,
                Err(fault @ Fault::Truncated(_)) => {
                    broken = Some(placed(&text, fault));
                    break;
                }
                Err(fault @ Fault::Syntax(..)) => {
                    let first = scan.values.is_empty() && stray.1 == 0;
                    if first && broken.is_none() && text[start..].starts_with(['{', '[']) {
                        broken = Some(placed(&text, fault));
                    }
                }
            }
            if stray.0.len() < STRAY_SHOWN {
                stray.0.push(line);
            }
            stray.1 += 1;
            scan.skip_line(start);
        }
        let (values, nan, json_lines) = (scan.values, scan.nan, scan.json_lines);
        let records = values.into_iter().flat_map(into_records).collect();
        Self { name, text, records, nan, stray, json_lines, broken }
    }

    /// The objects that hold all of these paths.
    pub(super) fn with<'c>(&'c self, paths: &'c [&str]) -> impl Iterator<Item = &'c Record> {
        self.records.iter().filter(|record| paths.iter().all(|path| holds(&record.json, path)))
    }

    /// Whether a table has all of these columns.
    pub(super) fn has_table(&self, columns: &[&str]) -> bool {
        table::locate(&self.text, columns).is_some()
    }

    /// The first table whose header has all of these columns.
    pub(super) fn table(&self, columns: &[&str]) -> Option<Table> {
        Table::find(&self.text, columns)
    }
}

/// Whether a path leads somewhere; its last step may lead to null.
fn holds(json: &Json, path: &str) -> bool {
    match path.rsplit_once('/') {
        Some((parents, key)) => json.at(parents).is_some_and(|parent| parent.has(key)),
        None => json.has(path),
    }
}

fn into_records((line, value): (u64, Json)) -> Vec<Record> {
    match value {
        Json::List(items) => {
            items.into_iter().filter(|item| matches!(item, Json::Map(_))).map(|json| Record { line, json }).collect()
        }
        json @ Json::Map(_) => vec![Record { line, json }],
        _ => Vec::new(),
    }
}

fn placed(text: &str, fault: Fault) -> Broken {
    let (at, what, truncated) = match fault {
        Fault::Truncated(at) => (at, "the file is truncated: it ends inside a JSON value", true),
        Fault::Syntax(at, what) => (at, what, false),
    };
    let line = text.as_bytes()[..at.min(text.len())].iter().filter(|b| **b == b'\n').count() + 1;
    Broken { truncated, message: format!("{what} (line {line}, byte {at})") }
}

/// Walks over a text from value to value.
struct Scan<'t> {
    text: &'t str,
    at: usize,
    line: u64,
    values: Vec<(u64, Json)>,
    nan: usize,
    json_lines: usize,
    budget: usize,
}

impl<'t> Scan<'t> {
    fn new(text: &'t str) -> Self {
        Self { text, at: 0, line: 1, values: Vec::new(), nan: 0, json_lines: 0, budget: json::BUDGET }
    }

    /// The next byte that is not blank.
    fn next_start(&mut self) -> Option<usize> {
        let rest = self.text.get(self.at..)?;
        let start = self.at + rest.find(|c: char| !matches!(c, ' ' | '\t' | '\n'))?;
        self.advance(start);
        Some(start)
    }

    fn advance(&mut self, to: usize) -> usize {
        let lines = self.text.as_bytes()[self.at..to].iter().filter(|b| **b == b'\n').count();
        self.line += lines as u64;
        self.at = to;
        lines
    }

    /// Reads a value that starts a line or follows another value. An indented one is a part of something broken.
    fn value(&mut self, start: usize) -> Result<(), Fault> {
        let bytes = self.text.as_bytes();
        let opens = matches!(bytes[start], b'{' | b'[');
        let starts_line = start == 0 || matches!(bytes[start - 1], b'\n' | b'}' | b']');
        if !opens || !(starts_line || self.text[..start].trim().is_empty()) {
            return Err(Fault::Syntax(start, "no JSON value starts here"));
        }
        let (value, end, nan) = json::parse(self.text, start, &mut self.budget)?;
        self.values.push((self.line, value));
        self.nan += nan;
        self.json_lines += self.advance(end) + 1;
        Ok(())
    }

    fn skip_line(&mut self, start: usize) {
        let end = self.text[start..].find('\n').map_or(self.text.len(), |length| start + length);
        self.advance(end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn content(text: &str) -> Content<'static> {
        Content::new("x", text.to_owned())
    }

    #[test]
    fn values_one_after_the_other_with_log_lines_between() {
        let found = content("\n{\"a\": 1}{\"a\": 2}\n[2026-11-30] WARNING\n[{\"a\": 3},\n {\"b\": 4}]\n#### done\n");
        assert_eq!(found.records.iter().map(|r| r.line).collect::<Vec<_>>(), [2, 2, 4, 4]);
        assert_eq!((found.stray, found.json_lines), ((vec![3, 6], 2), 4));
        assert_eq!(content("{\"a\": NaN, \"b\": null}").with(&["a", "b"]).count(), 1);
    }

    #[test]
    fn half_a_value_is_not_taken_apart() {
        let found = content("[\n  {\"a\": 1},\n  {\"a\": 2");
        assert!(found.records.is_empty());
        assert!(found.broken.is_some_and(|b| b.truncated && b.message.contains("line 3")));
        let found = content("[\n  {\"a\": 1}\n  {\"a\": 2}\n]");
        assert!(found.records.is_empty());
        assert!(found.broken.is_some_and(|b| !b.truncated && b.message.contains("line 3")));
    }
}
