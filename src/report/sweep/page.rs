//! A declared report as a view.

use super::SweepReport;
use super::section;
use super::shown::Shown;
use crate::report::text::Text;
use crate::report::view::{Content, PageView};

/// First characters of the input hash that stand in the footer.
const SHORT_HASH: usize = 8;

/// The page of a declared report in a language.
#[must_use]
pub fn page(report: &SweepReport, text: &Text) -> PageView {
    let sweep = section::build(&Shown::new(report), text);
    let question = &report.question;
    let tool = concat!("simllm ", env!("CARGO_PKG_VERSION"));
    let hash: String = question.input_hash.chars().take(SHORT_HASH).collect();
    PageView {
        title: text.sweep.page_title.fill(&[("verdict", &sweep.verdict.title), ("title", &question.title)]),
        context: question.title.clone(),
        tool: tool.to_owned(),
        footer: text.frame.footer.fill(&[("tool", &tool), ("hash", &hash)]),
        json_name: format!("{}-points.json", question.file_stem()),
        content: Content::Sweep(Box::new(sweep)),
    }
}
