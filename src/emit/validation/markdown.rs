//! A comparison as Markdown: for a repository, a ticket or a pull request.

use crate::emit::markdown::{escaped, fenced};
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
        Block::Title(title) => format!("# {}\n", escaped(title)),
        Block::Heading(title) => format!("## {}\n", escaped(title)),
        Block::Subheading(title) => format!("### {}\n", escaped(title)),
        Block::Paragraph(words) => format!("{}\n", escaped(words)),
        Block::List(items) => items.iter().map(|item| format!("- {}\n", escaped(item))).collect(),
        Block::Table(table) => rows(table),
        Block::Command(command) => fenced(command),
    }
}

fn rows(table: &Table) -> String {
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let head = line(table.columns.iter().map(|column| escaped(&column.title)).collect());
    let rule = line(table.columns.iter().map(|c| if c.numeric { "---:" } else { "---" }.to_owned()).collect());
    let rows = table.rows.iter().map(|row| line(row.iter().map(|cell| escaped(cell)).collect()));
    head + &rule + &rows.collect::<String>()
}
