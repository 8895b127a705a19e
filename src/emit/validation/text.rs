//! A comparison for the terminal: aligned columns, no markup.

use crate::report::text::Text;
use crate::report::validation::{Block, ValidationReport};
use crate::report::view::Table;

/// The document.
pub(super) fn document(report: &ValidationReport, text: &Text) -> String {
    let blocks: Vec<String> = report.blocks(text).iter().map(block).collect();
    blocks.join("\n")
}

fn block(block: &Block) -> String {
    match block {
        Block::Title(title) | Block::Paragraph(title) => format!("{}\n", plain(title)),
        Block::Heading(title) => {
            let title = plain(title);
            let rule = "=".repeat(width(&title));
            format!("{title}\n{rule}\n")
        }
        Block::Subheading(title) => format!("-- {}\n", plain(title)),
        Block::List(items) => items.iter().map(|item| format!("  {}\n", plain(item))).collect(),
        Block::Table(table) => rows(table),
        Block::Command(command) => command.lines().map(|line| format!("  {}\n", plain(line))).collect(),
    }
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
