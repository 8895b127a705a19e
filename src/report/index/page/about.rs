//! What the index is, how results are decided, how to build it again.

use super::{status, threshold};
use crate::report::index::{Index, Status};
use crate::report::text::{Label, Text};
use crate::report::view::{IndexAbout, Source};
use crate::report::words::names::sentences;

pub(super) fn build(index: &Index, text: &Text) -> IndexAbout {
    let words = &text.index.about;
    let line = |name: Label, value: String| Source { name: name.to_owned(), value };
    let or = |value: &str, missing: Label| if value.is_empty() { missing.to_owned() } else { value.to_owned() };
    let baseline = index.baseline.as_deref().unwrap_or_default();
    let threshold = words.threshold_text.fill(&[("threshold", &threshold(index))]);
    let mut lines = vec![
        line(words.run, or(&index.label, words.no_label)),
        line(words.baseline, or(baseline, words.no_baseline)),
        line(words.threshold, threshold),
        line(words.tool, concat!("simllm ", env!("CARGO_PKG_VERSION")).to_owned()),
        line(words.created, index.created.clone().unwrap_or_else(|| text.trust.not_recorded.to_owned())),
    ];
    if index.baseline.is_none() {
        lines.retain(|line| line.name != words.threshold);
    }
    let earlier = if index.baseline.is_some() { words.rebuild_earlier } else { "" };
    IndexAbout {
        lines,
        statuses: [
            (Status::Ready, words.ready),
            (Status::AtRisk, words.at_risk),
            (Status::NotReady, words.not_ready),
            (Status::DoesNotFit, words.short),
            (Status::NoTarget, words.no_target),
        ]
        .map(|(status, meaning)| (status::mark(status, text), meaning))
        .to_vec(),
        rebuild: sentences(&[words.rebuild_lede.to_owned(), earlier.to_owned()], text),
        command: index.command.clone(),
    }
}
