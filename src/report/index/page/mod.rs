//! An index as a view: the frame, and one file a section in reading order.

mod about;
mod changes;
mod errors;
mod list;
mod notes;
mod point;
mod spark;
mod status;
mod totals;
mod trend;
mod verdict;

use super::{Entry, Index};
use crate::diagnose::Metric;
use crate::quantity::format::{NBSP, ms, number};
use crate::report::chart::scale;
use crate::report::text::Text;
use crate::report::view::{Content, IndexPage, PageView, Place};
use totals::Totals;

/// The page over a folder of reports in a language.
#[must_use]
pub fn page(index: &Index, text: &Text) -> PageView {
    let words = &text.index.summary;
    let totals = Totals::new(index);
    let verdict = verdict::build(index, &totals, text);
    let tool = concat!("simllm ", env!("CARGO_PKG_VERSION"));
    let context = match index.label.as_str() {
        "" => text.index.list.title.to_owned(),
        label => words.context.fill(&[("label", &label)]),
    };
    PageView {
        title: words.title.fill(&[("verdict", &verdict.title)]),
        context,
        tool: tool.to_owned(),
        footer: words.footer.fill(&[("tool", &tool), ("reports", &totals.reports(text))]),
        json_name: "index.json".to_owned(),
        content: Content::Index(Box::new(IndexPage {
            verdict,
            errors: errors::build(index, text),
            changes: changes::build(index, &totals, text),
            list: list::build(index, text),
            notes: notes::build(index, text),
            about: about::build(index, text),
        })),
    }
}

/// Longest title in a line; a stranger's may be a novel.
const LONGEST: usize = 120;

/// A text that fits a line.
fn short(text: &str) -> String {
    if text.chars().count() <= LONGEST {
        return text.to_owned();
    }
    text.chars().take(LONGEST - 1).chain(['…']).collect()
}

/// A report with its page.
fn place(entry: &Entry) -> Place {
    Place { text: short(&entry.title), href: entry.pages.report.as_deref().and_then(href) }
}

/// The address of a path below the folder of the page. Every part is percent-encoded, so that no name is taken for a
/// scheme, a query or a way out of the folder.
fn href(path: &str) -> Option<String> {
    let mut out = String::with_capacity(path.len());
    for part in path.split('/') {
        if matches!(part, "" | "." | "..") {
            return None;
        }
        if !out.is_empty() {
            out.push('/');
        }
        for byte in part.bytes() {
            match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => out.push(char::from(byte)),
                _ => out.push_str(&format!("%{byte:02X}")),
            }
        }
    }
    Some(out)
}

/// The change from which on one is told: `2 %`.
fn threshold(index: &Index) -> String {
    format!("{}{NBSP}%", scale::label(index.threshold_percent()))
}

/// `TTFT 766 → 857 ms`.
fn times(metric: Metric, from: f64, to: f64) -> String {
    format!("{} {}", metric.name(), arrow(from, to))
}

/// `766 → 857 ms`.
fn arrow(from: f64, to: f64) -> String {
    format!("{} → {}", number(from), ms(to))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_stay_in_the_folder() {
        assert_eq!(href("team/a b.html").as_deref(), Some("team/a%20b.html"));
        assert_eq!(href("javascript:alert(1).html").as_deref(), Some("javascript%3Aalert%281%29.html"));
        assert_eq!(href("模型?#.html").as_deref(), Some("%E6%A8%A1%E5%9E%8B%3F%23.html"));
        assert_eq!(href("a\\b\"'<.html").as_deref(), Some("a%5Cb%22%27%3C.html"));
        for outside in ["../a.html", "/etc/passwd", "a//b.html", "a/./b.html", ""] {
            assert_eq!(href(outside), None, "{outside}");
        }
    }

    #[test]
    fn a_novel_becomes_a_line() {
        assert_eq!(short("short"), "short");
        assert_eq!(short(&"模".repeat(500)).chars().count(), LONGEST);
    }
}
