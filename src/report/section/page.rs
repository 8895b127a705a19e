//! The whole page: its frame and its sections.

use super::{fit, fixes, kernels, scaling, shortfall, trust, verdict, waterfall, whatif};
use crate::report::text::Text;
use crate::report::view::{Content, Infeasible, PageView, Repro, Single, Verdict};
use crate::report::words::names;
use crate::report::{Answer, Report, stem};
use crate::simulate::PhaseKind;

/// First characters of the input hash that stand in the footer.
const SHORT_HASH: usize = 8;

/// The page of a report in a language.
#[must_use]
pub fn page(report: &Report, text: &Text) -> PageView {
    let verdict = verdict::build(report, text);
    let (model, hardware) = (&report.scenario.model.name, hardware(report));
    let tool = concat!("simllm ", env!("CARGO_PKG_VERSION"));
    let hash: String = report.origin_of_report.input_hash.chars().take(SHORT_HASH).collect();
    let hash = if hash.is_empty() { crate::quantity::format::ABSENT.to_owned() } else { hash };
    PageView {
        title: text.frame.title.fill(&[("verdict", &verdict.title), ("model", model), ("hardware", &hardware)]),
        context: text.frame.on.fill(&[("model", model), ("hardware", &hardware)]),
        tool: tool.to_owned(),
        footer: text.frame.footer.fill(&[("tool", &tool), ("hash", &hash)]),
        json_name: format!("{}.json", stem(report)),
        content: content(report, verdict, text),
    }
}

/// The verdict as a sentence: `Misses the TTFT target by 49.4 ms`.
#[must_use]
pub fn judgement(report: &Report, text: &Text) -> String {
    verdict::build(report, text).title
}

/// The machines in a few words.
pub(super) fn hardware(report: &Report) -> String {
    names::gpus(report.scenario.gpus(), &report.scenario.machine)
}

fn content(report: &Report, verdict: Verdict, text: &Text) -> Content {
    let trust = trust::build(report, text);
    let repro = Repro { command: report.origin_of_report.command.clone() };
    match &report.answer {
        Answer::Fits(told) => Content::Single(Box::new(Single {
            verdict,
            ttft: waterfall::build(report, told, PhaseKind::Prefill, text),
            tpot: waterfall::build(report, told, PhaseKind::Decode, text),
            fixes: fixes::build(report, told, text),
            whatif: whatif::build(report, told, text),
            kernels: kernels::build(report, told, text),
            scaling: scaling::build(report, told, text),
            fit: fit::build(report, told, text),
            trust,
            repro,
        })),
        Answer::DoesNotFit(shortfall, ways) => Content::Infeasible(Box::new(Infeasible {
            verdict,
            shortfall: shortfall::build(report, shortfall, text),
            ways: shortfall::ways(report, shortfall, ways, text),
            requirements: fit::requirements(report, text),
            trust,
            repro,
        })),
    }
}
