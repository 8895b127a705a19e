//! A sheet as Markdown, or as aligned columns for a terminal.

use super::markdown::escaped;
use crate::report::sheet::Block;

/// Markdown in which names of strangers mean nothing.
#[must_use]
pub fn markdown(blocks: &[Block]) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.iter().map(|c| escaped(c)).collect::<Vec<_>>().join(" | "));
    let one = |block: &Block| match block {
        Block::Title(text) => format!("# {}\n", escaped(text)),
        Block::Heading(text) => format!("## {}\n", escaped(text)),
        Block::Text(text) => format!("{}\n", escaped(text)),
        Block::Table { heads, rows } => {
            let rule = vec!["---".to_owned(); heads.len()].join(" | ");
            format!("{}| {rule} |\n{}", line(heads), rows.iter().map(|row| line(row)).collect::<String>())
        }
    };
    blocks.iter().map(one).collect::<Vec<_>>().join("\n")
}

/// Text in aligned columns; the first is left, figures are right.
#[must_use]
pub fn text(blocks: &[Block]) -> String {
    let one = |block: &Block| match block {
        Block::Title(text) | Block::Heading(text) | Block::Text(text) => format!("{text}\n"),
        Block::Table { heads, rows } => columns(heads, rows),
    };
    blocks.iter().map(one).collect::<Vec<_>>().join("\n")
}

fn columns(heads: &[String], rows: &[Vec<String>]) -> String {
    let cells = |row: &[String]| row.iter().map(|cell| cell.replace('\n', " ")).collect::<Vec<_>>();
    let table: Vec<Vec<String>> = std::iter::once(heads).chain(rows.iter().map(Vec::as_slice)).map(cells).collect();
    let lines = || table.iter().map(Vec::as_slice);
    let width = |column: usize| lines().filter_map(|row| row.get(column)).map(|cell| wide(cell)).max().unwrap_or(0);
    let widths: Vec<usize> = (0..heads.len()).map(width).collect();
    let line = |row: &[String]| {
        let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, width))| {
            let space = " ".repeat(width - wide(cell));
            if column == 0 { format!("{cell}{space}") } else { format!("{space}{cell}") }
        });
        format!("  {}\n", cells.collect::<Vec<_>>().join("  ").trim_end())
    };
    lines().map(line).collect()
}

/// Columns that a terminal takes for a text: two for each Chinese character.
fn wide(text: &str) -> usize {
    let of = |c: char| if ('\u{2e80}'..='\u{ffef}').contains(&c) { 2 } else { 1 };
    text.chars().map(of).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Block {
        let cells = |row: [&str; 2]| row.map(str::to_owned).to_vec();
        Block::Table { heads: cells(["项目", "B"]), rows: vec![cells(["a|b", "12.5"]), cells(["c", "3"])] }
    }

    #[test]
    fn columns_are_aligned() {
        assert_eq!(text(&[table()]), "  项目     B\n  a|b   12.5\n  c        3\n");
    }

    #[test]
    fn a_row_stays_one_line() {
        let cell = |text: &str| vec![text.to_owned()];
        let table = Block::Table { heads: cell("model"), rows: vec![cell("b\nc")] };
        assert_eq!(text(&[table]), "  model\n  b c\n");
    }

    #[test]
    fn names_stay_text() {
        let blocks = [Block::Heading("<b>".to_owned()), table()];
        assert_eq!(markdown(&blocks), "## \\<b\\>\n\n| 项目 | B |\n| --- | --- |\n| a\\|b | 12.5 |\n| c | 3 |\n");
    }
}
