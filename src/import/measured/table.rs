//! Tables in text: comma, semicolon and tab separated, and Markdown. Columns are found by name, never by place.

use super::number;

/// Lines among which the next header is looked for.
const SEARCHED: usize = 2000;
/// Rows read of one table; the largest known collection of measurements has 15,000.
pub(super) const MAX_ROWS: usize = 200_000;
/// Columns of a table; the widest known has some 110.
const MAX_COLUMNS: usize = 500;

/// A table under its header.
#[derive(Debug)]
pub(super) struct Table {
    pub header: Vec<String>,
    rows: Vec<(u64, Vec<String>)>,
    /// Whether fractions are written with a comma.
    pub decimal_comma: bool,
    /// Line and cell count of rows that have more cells than the header; they are left out.
    pub too_long: Vec<(u64, usize)>,
    /// Whether more rows follow than are read.
    pub cut: bool,
}

/// One row.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowView<'t> {
    table: &'t Table,
    cells: &'t [String],
    /// Its line in the file.
    pub line: u64,
}

impl Table {
    /// The first table whose header has all of these columns.
    pub(super) fn find(text: &str, columns: &[&str]) -> Option<Self> {
        Self::all(text, columns).next()
    }

    /// Every table whose header has all of these columns, from top to bottom.
    pub(super) fn all<'t>(text: &'t str, columns: &'t [&str]) -> impl Iterator<Item = Self> + 't {
        let mut rest = text;
        let mut above = 0;
        std::iter::from_fn(move || {
            let found = locate(rest, columns)?;
            let block = block(&rest[found.start..], found.delimiter);
            let table = Self::read(block, found.delimiter, above + found.lines_above);
            above += found.lines_above + block.matches('\n').count() as u64;
            rest = &rest[found.start + block.len()..];
            Some(table)
        })
    }

    fn read(block: &str, delimiter: u8, lines_above: u64) -> Self {
        let rows = split(block, delimiter);
        let cut = rows.len() > MAX_ROWS;
        let mut rows = rows.into_iter().take(MAX_ROWS);
        let header = rows.next().unwrap_or_default().1;
        let mut too_long = Vec::new();
        let mut kept = Vec::new();
        for (line, mut cells) in rows {
            while cells.len() > header.len() && cells.last().is_some_and(String::is_empty) {
                cells.pop();
            }
            if cells.len() > header.len() {
                too_long.push((line + lines_above, cells.len()));
            } else if !is_rule(&cells, delimiter) && cells != header && cells.iter().any(|cell| !cell.is_empty()) {
                kept.push((line + lines_above, cells));
            }
        }
        let decimal_comma = number::decimal_comma(kept.iter().flat_map(|(_, cells)| cells.iter().map(String::as_str)));
        Self { header, rows: kept, decimal_comma, too_long, cut }
    }

    pub(super) fn rows(&self) -> impl Iterator<Item = RowView<'_>> {
        self.rows.iter().map(|(line, cells)| RowView { table: self, cells, line: *line })
    }

    pub(super) fn has(&self, column: &str) -> bool {
        self.header.iter().any(|name| name == column)
    }
}

impl<'t> RowView<'t> {
    /// The words of a cell; a blank cell, `-` and `N/A` say nothing.
    pub(super) fn text(&self, column: &str) -> Option<&'t str> {
        let index = self.table.header.iter().position(|name| name == column)?;
        self.cell(index)
    }

    /// The words of a cell by its place.
    pub(super) fn cell(&self, index: usize) -> Option<&'t str> {
        self.cells.get(index).map(String::as_str).filter(|cell| !matches!(*cell, "" | "-" | "N/A" | "None" | "nan"))
    }

    /// The number at the start of a cell.
    pub(super) fn number(&self, column: &str) -> Option<f64> {
        number::parse(self.text(column)?, self.table.decimal_comma)
    }

    /// The first of several columns that holds a number.
    pub(super) fn first_number(&self, columns: &[&str]) -> Option<f64> {
        columns.iter().find_map(|column| self.number(column))
    }

    /// A whole number from 0.
    pub(super) fn count(&self, column: &str) -> Option<u64> {
        self.number(column).and_then(number::whole)
    }
}

/// Where a header stands.
pub(super) struct Found {
    start: usize,
    delimiter: u8,
    lines_above: u64,
}

/// Finds a header with all of these columns.
pub(super) fn locate(text: &str, columns: &[&str]) -> Option<Found> {
    let first = columns.first()?;
    let mut start = 0;
    for (line, lines_above) in text.split('\n').zip(0..).take(SEARCHED) {
        if line.contains(first) {
            let delimiter = b",;\t|".iter().copied().find(|delimiter| {
                let cells = cells(line, *delimiter);
                cells.len() <= MAX_COLUMNS && columns.iter().all(|column| cells.iter().any(|cell| cell == column))
            });
            if let Some(delimiter) = delimiter {
                return Some(Found { start, delimiter, lines_above });
            }
        }
        start += line.len() + 1;
    }
    None
}

/// The lines that belong to a header: up to a blank line, unless more rows of the same width follow it.
fn block(text: &str, delimiter: u8) -> &str {
    let width = cells(text.lines().next().unwrap_or(""), delimiter).len();
    let (mut end, mut at) = (0, 0);
    let mut after_blank = false;
    for line in text.split_inclusive('\n') {
        at += line.len();
        if line.trim().is_empty() {
            after_blank = true;
            continue;
        }
        if after_blank && !(delimiter != b'|' && is_row(&cells(line, delimiter), width)) {
            break;
        }
        after_blank = false;
        end = at;
    }
    &text[..end]
}

/// Whether cells look like a row and not like another header.
fn is_row(cells: &[String], width: usize) -> bool {
    cells.len() == width && cells.iter().any(|cell| cell.starts_with(|c: char| c.is_ascii_digit()))
}

/// The cells of one line.
fn cells(line: &str, delimiter: u8) -> Vec<String> {
    split(line, delimiter).into_iter().next().unwrap_or_default().1
}

/// Lines, from 1, and cells.
fn split(text: &str, delimiter: u8) -> Vec<(u64, Vec<String>)> {
    if delimiter == b'|' {
        let lines = text.lines().zip(1..).take(MAX_ROWS + 1).filter(|(line, _)| line.contains('|'));
        return lines.map(|(line, number)| (number, markdown_cells(line))).collect();
    }
    let mut reader =
        csv::ReaderBuilder::new().delimiter(delimiter).has_headers(false).flexible(true).from_reader(text.as_bytes());
    let records = reader.records().take(MAX_ROWS + 1).filter_map(Result::ok);
    records
        .map(|record| {
            let start = record.position().map_or((0, 1), |position| (position.byte() as usize, position.line()));
            // A record starts where the one before ended, at the blank lines between them.
            let blank = text.as_bytes()[start.0.min(text.len())..].iter().take_while(|b| **b == b'\n').count();
            (start.1 + blank as u64, record.iter().map(|cell| cell.trim().to_owned()).collect())
        })
        .collect()
}

fn markdown_cells(line: &str) -> Vec<String> {
    let line = line.trim().trim_start_matches('>').trim();
    let line = line.strip_prefix('|').unwrap_or(line);
    let line = line.strip_suffix('|').unwrap_or(line);
    line.split('|').map(|cell| cell.trim().trim_matches('`').to_owned()).collect()
}

/// The `|---|--:|` line of Markdown.
fn is_rule(cells: &[String], delimiter: u8) -> bool {
    delimiter == b'|' && cells.iter().all(|cell| !cell.is_empty() && cell.bytes().all(|b| b"-: ".contains(&b)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_found_by_its_columns_below_other_lines() {
        let text = "Processing [x.sqlite]\n\na;b;c\n\"1,5\";x;\n2,25;y;-\n\nb;v\n";
        let table = Table::find(text, &["c", "a"]).expect("there");
        assert!(table.decimal_comma);
        let rows: Vec<_> = table.rows().map(|row| (row.line, row.number("a"), row.text("b"), row.text("c"))).collect();
        assert_eq!(rows, [(4, Some(1.5), Some("x"), None), (5, Some(2.25), Some("y"), None)]);
        assert!(Table::find(text, &["a", "z"]).is_none());
    }

    #[test]
    fn markdown_loses_its_rules_and_long_rows_are_told() {
        let table = Table::find("| a | t/s |\n|---|---:|\n| x | 1.5 ± 0.1 |\n", &["t/s"]).expect("there");
        assert_eq!(table.rows().map(|row| row.number("t/s")).collect::<Vec<_>>(), [Some(1.5)]);
        let table = Table::find("a,b\n1,2,3\n1,2,,\n", &["a", "b"]).expect("there");
        assert_eq!((table.too_long.clone(), table.rows().count()), (vec![(2, 3)], 1));
    }

    #[test]
    fn tables_follow_each_other_and_rows_may_stand_apart() {
        let lines = |table: &Table| table.rows().map(|row| row.line).collect::<Vec<_>>();
        let text = "a,b\n1,2\n\n3,4\na,b\n5,6\n\nb,c\n7,8\n";
        assert_eq!(lines(&Table::find(text, &["a"]).expect("there")), [2, 4, 6]);
        let text = "| a | b |\n|---|---|\n| 1 | 2 |\n\nmore\n\n| b | a |\n|---|---|\n| 3 | 4 |\n";
        let tables: Vec<Table> = Table::all(text, &["a", "b"]).collect();
        assert_eq!(tables.iter().map(lines).collect::<Vec<_>>(), [[3], [9]]);
        assert_eq!(tables[1].rows().next().and_then(|row| row.number("a")), Some(4.0));
    }
}
