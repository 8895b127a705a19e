//! Text for a ticket: plain, one fact a line, with the numbers and the command.

use super::{Telling, names};
use crate::quantity::format::{ms, number, signed};
use crate::report::text::Text;
use crate::report::{Report, address};

/// What a ticket needs to know of a bottleneck.
pub(in crate::report) struct Ticket<'a> {
    pub(in crate::report) rank: usize,
    pub(in crate::report) telling: &'a Telling,
    pub(in crate::report) metric: crate::diagnose::Metric,
    pub(in crate::report) from: f64,
    pub(in crate::report) to: f64,
    pub(in crate::report) subject: String,
}

impl Ticket<'_> {
    /// The text.
    pub(in crate::report) fn text(&self, report: &Report, text: &Text) -> String {
        let words = &text.advice.ticket;
        let origin = &report.origin_of_report;
        let target = report.budgets.limit(self.metric);
        let figures: [(&str, &dyn std::fmt::Display); 5] = [
            ("metric", &self.metric.name()),
            ("from", &number(self.from)),
            ("to", &ms(self.to)),
            ("saved", &format!("{} ms", signed(self.to - self.from))),
            ("target", &target.map_or(String::new(), names::target)),
        ];
        let predicted = if target.is_some() { &words.predicted_target } else { &words.predicted };
        let mut lines = vec![
            format!("[simllm] {}", self.telling.title),
            self.subject.clone(),
            predicted.fill(&figures),
            words.cause.fill(&[("text", &self.telling.cause)]),
            words.change.fill(&[("text", &self.telling.remedy)]),
            words.takes.fill(&[("text", &self.telling.takes)]),
            words.check.fill(&[("text", &self.telling.reading)]),
        ];
        if !origin.command.is_empty() {
            lines.push(words.reproduce.fill(&[("command", &one_line(&origin.command))]));
        }
        if let Some(base) = &origin.base_url {
            let link = format!("{}#fix={}", address(report, base), self.rank);
            lines.push(words.report.fill(&[("link", &link)]));
        }
        if !origin.input_hash.is_empty() {
            lines.push(words.input.fill(&[("hash", &origin.input_hash)]));
        }
        super::plain(&lines.join("\n"))
    }
}

/// A command continued over lines, in one.
fn one_line(command: &str) -> String {
    command.replace("\\\n", " ").split_whitespace().collect::<Vec<_>>().join(" ")
}
