//! An index as a view.

use super::Index;
use crate::report::text::Text;
use crate::report::view::{Content, IndexPage, Mark, PageView, Tone, Verdict};

/// The page over a folder of reports in a language.
#[must_use]
pub fn page(index: &Index, _text: &Text) -> PageView {
    let status = Mark::new(Tone::NEUTRAL, "");
    let title = index.label.clone();
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
        json_name: "index.json".to_owned(),
        content: Content::Index(Box::new(IndexPage { verdict })),
    }
}
