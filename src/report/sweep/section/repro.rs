//! What was asked, and how to get the page again.

use crate::quantity::format::{ABSENT, integer};
use crate::report::sweep::shown::{Axis, Shown};
use crate::report::sweep::{SweepQuestion, checks};
use crate::report::text::Text;
use crate::report::view::{Source, SweepRepro};
use crate::report::words::names::target;

/// Values of a field that are listed.
const MOST_VALUES: usize = 24;

/// The section.
pub(super) fn build(shown: &Shown<'_>, text: &Text) -> SweepRepro {
    let (words, question) = (&text.sweep.trust, &shown.report.question);
    let entry = |name: &str, value: String| Source { name: name.to_owned(), value };
    let mut asked: Vec<Source> = question.matrix.axes().iter().map(|axis| field(shown, axis, text)).collect();
    let excluded = question.matrix.upper_bound().saturating_sub(shown.report.summary.total);
    if excluded > 0 {
        asked.push(entry(words.excluded_name, words.excluded.fill(&[("n", &integer(excluded))])));
    }
    let settings = question.settings.iter().map(|(path, value)| format!("{path} {value}"));
    let settings = settings.collect::<Vec<_>>().join(text.frame.comma);
    if !settings.is_empty() {
        asked.push(entry(words.settings, settings));
    }
    asked.push(entry(words.targets, targets(question, text)));
    asked.push(entry(words.gate, gate(shown, text)));
    asked.extend([
        entry(text.trust.tool, concat!("simllm ", env!("CARGO_PKG_VERSION")).to_owned()),
        entry(text.trust.hash, question.input_hash.clone()),
        entry(text.trust.created, question.created.clone().unwrap_or_else(|| text.trust.not_recorded.to_owned())),
    ]);
    SweepRepro { command: question.command.clone(), asked }
}

/// A field of the matrix with its values.
fn field(shown: &Shown<'_>, (path, values): &(std::sync::Arc<str>, Vec<std::sync::Arc<str>>), text: &Text) -> Source {
    let known: Option<&Axis> = shown.axes.iter().chain(&shown.fixed).find(|axis| axis.path == *path);
    let name = |value: &std::sync::Arc<str>| {
        let found = known.and_then(|axis| axis.values.iter().find(|known| known.raw.as_ref() == Some(value)));
        found.map_or_else(|| value.to_string(), |found| found.name.clone())
    };
    let mut names: Vec<String> = values.iter().take(MOST_VALUES).map(name).collect();
    if values.len() > MOST_VALUES {
        names.push(format!("… ({})", integer(values.len() as u64)));
    }
    Source {
        name: known.map_or_else(|| path.to_string(), |axis| axis.label(text)),
        value: names.join(text.frame.comma),
    }
}

fn targets(question: &SweepQuestion, text: &Text) -> String {
    let limit = |(metric, limit): (crate::diagnose::Metric, f64)| {
        let holes: [(&str, &dyn std::fmt::Display); 2] = [("metric", &metric.name()), ("target", &target(limit))];
        text.sweep.verdict.note_target.fill(&holes)
    };
    let limits: Vec<String> = question.budgets.iter().map(limit).collect();
    if limits.is_empty() { ABSENT.to_owned() } else { limits.join(text.frame.comma) }
}

/// Whether what must hold does.
fn gate(shown: &Shown<'_>, text: &Text) -> String {
    let words = &text.sweep.trust;
    let checks = checks(shown.report);
    let name = shown.report.question.gate.name();
    match checks.iter().all(super::super::GateCheck::holds) {
        _ if checks.is_empty() => words.no_gate.to_owned(),
        true => words.gate_holds.fill(&[("name", &name)]),
        false => words.gate_fails.fill(&[("name", &name)]),
    }
}
