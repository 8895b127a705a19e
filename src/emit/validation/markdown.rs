//! A comparison as Markdown: for a repository, a ticket or a pull request.

use crate::emit::markdown::{escaped, fenced};
use crate::report::text::Text;
use crate::report::validation::ValidationReport;
use crate::report::view::{Chapter, Part, Table};

/// The document.
pub(super) fn document(report: &ValidationReport, text: &Text) -> String {
    let mut blocks = vec![format!("# {}\n", escaped(&report.title(text)))];
    blocks.extend(paragraph(&report.lede(text)));
    for Chapter { title, lede, parts, .. } in report.chapters(text) {
        blocks.push(format!("## {}\n", escaped(title)));
        blocks.extend(paragraph(&lede));
        for Part { title, notes, list, table, .. } in &parts {
            blocks.extend((!title.is_empty()).then(|| format!("### {}\n", escaped(title))));
            blocks.extend(notes.iter().filter_map(|note| paragraph(note)));
            blocks.extend((!list.is_empty()).then(|| list.iter().map(|l| format!("- {}\n", escaped(l))).collect()));
            blocks.extend(table.as_ref().map(rows));
        }
    }
    blocks.push(format!("## {}\n", escaped(text.repro.title)));
    blocks.push(fenced(&report.command));
    blocks.join("\n")
}

fn paragraph(words: &str) -> Option<String> {
    (!words.is_empty()).then(|| format!("{}\n", escaped(words)))
}

fn rows(table: &Table) -> String {
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let head = line(table.columns.iter().map(|column| escaped(&column.title)).collect());
    let rule = line(table.columns.iter().map(|c| if c.numeric { "---:" } else { "---" }.to_owned()).collect());
    let rows = table.rows.iter().map(|row| line(row.iter().map(|cell| escaped(cell)).collect()));
    head + &rule + &rows.collect::<String>()
}
