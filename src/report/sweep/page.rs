//! A declared report as a view.

use super::SweepReport;
use crate::report::text::Text;
use crate::report::view::{Content, Mark, PageView, Sweep, Tone, Verdict};

/// The page of a declared report in a language.
#[must_use]
pub fn page(report: &SweepReport, _text: &Text) -> PageView {
    let title = report.question.title.clone();
    let status = Mark::new(Tone::NEUTRAL, "");
    let verdict = Verdict {
        status,
        facts: Vec::new(),
        title: title.clone(),
        lede: Vec::new(),
        heroes: Vec::new(),
        trust: Vec::new(),
    };
    PageView {
        title,
        context: String::new(),
        tool: concat!("simllm ", env!("CARGO_PKG_VERSION")).to_owned(),
        footer: String::new(),
        json_name: format!("{}.json", report.question.file_stem()),
        content: Content::Sweep(Box::new(Sweep { verdict })),
    }
}

/// What the script of the page works on.
#[must_use]
pub fn data(_report: &SweepReport) -> String {
    "{}".to_owned()
}
