//! A reading while it is made: runs and remarks of one file.

use super::content::{Content, Record};
use super::readers::{KernelRow, Reader, Sign};
use super::run::MeasuredRun;
use super::table::{MAX_ROWS, Table};
use super::{Reading, Refusal, Status};

/// Remarks kept of one file.
const MOST_REMARKS: usize = 500;
/// Messages shown of one file.
const MOST_MESSAGES: usize = 24;

/// What one reader found so far.
pub(super) struct Draft<'a> {
    reader: &'static Reader,
    content: &'a Content<'a>,
    pub runs: Vec<MeasuredRun>,
    pub kernels: Vec<KernelRow>,
    remarks: Vec<(Status, String)>,
}

impl<'a> Draft<'a> {
    pub(super) fn new(reader: &'static Reader, content: &'a Content<'a>) -> Self {
        Self { reader, content, runs: Vec::new(), kernels: Vec::new(), remarks: Vec::new() }
    }

    /// A remark that leaves the file usable as it is.
    pub(super) fn note(&mut self, text: impl Into<String>) {
        self.remark(Status::Ok, text.into());
    }

    /// A remark that a person should weigh before using the file.
    pub(super) fn caution(&mut self, text: impl Into<String>) {
        self.remark(Status::Warn, text.into());
    }

    fn remark(&mut self, status: Status, text: String) {
        let room = self.remarks.len() < MOST_REMARKS;
        if room && !self.remarks.iter().any(|(_, known)| *known == text) {
            self.remarks.push((status, text));
        }
    }

    /// What the reader was recognised by.
    pub(super) fn sign(&self) -> Sign {
        self.reader.sign
    }

    /// A new run of the reader's tool.
    pub(super) fn run(&self, format_version: impl Into<String>) -> MeasuredRun {
        MeasuredRun::new(self.reader.tool, format_version)
    }

    /// The JSON objects that are the reader's, with remarks on what else the file holds.
    pub(super) fn records(&mut self) -> Result<Vec<&'a Record>, Refusal> {
        let Sign::Keys(keys) = self.reader.sign else { return Ok(Vec::new()) };
        let content = self.content;
        let records: Vec<&Record> = content.with(keys).collect();
        let (lines, count) = &content.stray;
        if *count > content.json_lines {
            let what = format!("{count} lines are not JSON, only {} are ({})", content.json_lines, numbers(lines));
            return Err(Refusal::new(what, "give the result file alone, without the log around it"));
        }
        if let (1.., Some(first)) = (*count, lines.first()) {
            let such = if *count > 1 { format!(" ({count} such: {})", numbers(lines)) } else { String::new() };
            self.caution(format!("line {first} is not JSON and is left out{such}"));
        }
        if let Some(broken) = content.broken.as_ref().filter(|broken| broken.truncated) {
            self.caution(format!("{}; the complete values before it are used", broken.message));
        }
        let others = content.records.len() - records.len();
        if others > 0 {
            self.caution(format!("{others} JSON objects are not of this tool and left out"));
        }
        if content.nan > 0 {
            self.caution(format!("{} values are NaN (not a number) and count as missing", content.nan));
        }
        Ok(records)
    }

    /// The first table with these columns, with remarks on how it is written.
    pub(super) fn table(&mut self, columns: &[&str]) -> Result<Table, Refusal> {
        let table = self.content.table(columns);
        self.accept(table.into_iter().collect(), columns).map(|mut tables| tables.swap_remove(0))
    }

    /// All tables with these columns: a log or a page may hold several.
    pub(super) fn tables(&mut self, columns: &[&str]) -> Result<Vec<Table>, Refusal> {
        let tables = Table::all(&self.content.text, columns).collect();
        self.accept(tables, columns)
    }

    fn accept(&mut self, tables: Vec<Table>, columns: &[&str]) -> Result<Vec<Table>, Refusal> {
        if tables.is_empty() {
            let what = format!("no table with the columns {}", columns.join(", "));
            return Err(Refusal::new(what, "give the file as the tool wrote it"));
        }
        let too_long: usize = tables.iter().map(|table| table.too_long.len()).sum();
        let first = tables.iter().find_map(|table| Some((table.too_long.first()?, table.header.len())));
        if let Some(((line, cells), names)) = first {
            let what = format!(
                "line {line} has {cells} values for the {names} names of the header, so columns cannot be matched"
            );
            if tables.iter().all(|table| table.rows().next().is_none()) {
                return Err(Refusal::new(what, "run the tool again, or give its JSON output"));
            }
            self.caution(format!("{what}; {too_long} such lines are left out"));
        }
        if tables.iter().any(|table| table.cut) {
            self.caution(format!("only the first {MAX_ROWS} rows are read"));
        }
        if tables.iter().any(|table| table.decimal_comma) {
            self.caution("numbers are read with a decimal comma: 46,99 is 46.99 and 1.234 is 1234");
        }
        Ok(tables)
    }

    /// The reading; after a refusal its runs are there to be shown, not to be used.
    pub(super) fn conclude(mut self, outcome: Result<(), Refusal>) -> Reading {
        if let Err(refusal) = outcome {
            self.remarks.insert(0, (Status::Refuse, refusal.to_string()));
        }
        let status = self.remarks.iter().map(|(status, _)| *status).max().unwrap_or(Status::Ok);
        self.remarks.sort_by_key(|(status, _)| std::cmp::Reverse(*status));
        let head = format!("{}: {}", self.content.name, self.reader.title);
        let left_off = self.remarks.len().saturating_sub(MOST_MESSAGES);
        let shown = self.remarks.iter().take(MOST_MESSAGES);
        let mut messages: Vec<String> = shown.map(|(_, text)| format!("{head}: {text}")).collect();
        if left_off > 0 {
            messages.push(format!("{head}: … and {left_off} more remarks"));
        }
        Reading { tool: Some(self.reader.tool), status, runs: self.runs, messages, kernels: self.kernels }
    }
}

/// `line 2`, `lines 2, 5`.
fn numbers(lines: &[u64]) -> String {
    let list: Vec<String> = lines.iter().map(u64::to_string).collect();
    format!("line{} {}", if lines.len() == 1 { "" } else { "s" }, list.join(", "))
}
