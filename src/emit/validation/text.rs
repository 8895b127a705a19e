//! A comparison for the terminal: aligned columns, no markup.

use crate::report::text::Text;
use crate::report::validation::ValidationReport;
use crate::report::view::{Chapter, Part, Table};

/// The document.
pub(super) fn document(report: &ValidationReport, text: &Text) -> String {
    let mut blocks = vec![format!("{}\n", plain(&report.title(text)))];
    blocks.extend(paragraph(&report.lede(text)));
    for Chapter { title, lede, parts, .. } in report.chapters(text) {
        blocks.push(format!("{title}\n{}\n", "=".repeat(width(title))));
        blocks.extend(paragraph(&lede));
        for Part { title, notes, list, table, .. } in &parts {
            blocks.extend((!title.is_empty()).then(|| format!("-- {}\n", plain(title))));
            blocks.extend(notes.iter().filter_map(|note| paragraph(note)));
            blocks.extend((!list.is_empty()).then(|| list.iter().map(|l| format!("  {}\n", plain(l))).collect()));
            blocks.extend(table.as_ref().map(rows));
        }
    }
    let command = report.command.lines().map(|line| format!("  {}\n", plain(line))).collect::<String>();
    blocks.push(format!("-- {}\n\n{command}", text.repro.title));
    blocks.join("\n")
}

fn paragraph(words: &str) -> Option<String> {
    (!words.is_empty()).then(|| format!("{}\n", plain(words)))
}

fn rows(table: &Table) -> String {
    let head: Vec<String> = table.columns.iter().map(|column| plain(&column.title)).collect();
    let cells = |row: &Vec<String>| row.iter().map(|cell| plain(cell)).collect::<Vec<_>>();
    let lines: Vec<Vec<String>> = std::iter::once(head).chain(table.rows.iter().map(cells)).collect();
    let wide = |column: usize| lines.iter().filter_map(|line| line.get(column)).map(|cell| width(cell)).max();
    let widths: Vec<usize> = (0..table.columns.len()).map(|column| wide(column).unwrap_or(0)).collect();
    let line = |cells: &Vec<String>| {
        let padded = cells.iter().zip(&widths).zip(&table.columns).map(|((cell, wide), column)| {
            let blank = " ".repeat(wide.saturating_sub(width(cell)));
            if column.numeric { format!("{blank}{cell}") } else { format!("{cell}{blank}") }
        });
        format!("  {}\n", padded.collect::<Vec<_>>().join("  ").trim_end())
    };
    lines.iter().map(line).collect()
}

/// Columns that a terminal gives to a text: two for each East Asian character.
fn width(text: &str) -> usize {
    text.chars().map(|c| if matches!(c, '\u{1100}'..='\u{11ff}' | '\u{2e80}'..='\u{ffef}') { 2 } else { 1 }).sum()
}

/// Text that moves no cursor: names come from strangers.
fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::view::Column;

    #[test]
    fn columns_are_aligned_and_names_stay_text() {
        let columns = vec![Column::words("name"), Column::numbers("n")];
        let cells = [["中文", "1"], ["a\u{1b}[2J", "1 000"]].map(|row| row.map(str::to_owned).to_vec());
        let table = Table { label: String::new(), columns, rows: cells.to_vec() };
        assert_eq!(rows(&table), "  name       n\n  中文       1\n  a\u{fffd}[2J  1 000\n");
    }
}
