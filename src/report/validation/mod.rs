//! Predicted against measured, as people and programs read it.

mod chapters;
mod differences;
mod page;
mod record;
mod tables;

pub use differences::{Difference, Differences};
pub use page::page;
pub(crate) use record::class_name;
pub use record::{MeasuredOnly, ValidationRecord};
pub use tables::{
    band_table, class_table, each_table, files_table, group_table, kernel_set_tables, kernel_table, left_out_table,
};

use super::text::{Label, Text};
use super::words::names::sentences;
use crate::quantity::format::{MINUS, NBSP, ms, number, with_unit};
use crate::validate::{Answer, Errors, Figure, Metric, Part, Validation};

/// A comparison with what a report tells beside it.
#[derive(Clone, Debug)]
pub struct ValidationReport {
    /// The comparison.
    pub validation: Validation,
    /// The command that gives it again.
    pub command: String,
    /// Hash of everything the answer depends on, hexadecimal.
    pub input_hash: String,
    /// Time of creation in UTC, only where the environment fixes it.
    pub created: Option<String>,
}

impl ValidationReport {
    /// The verdict in one sentence.
    #[must_use]
    pub fn title(&self, text: &Text) -> String {
        let words = &text.validate;
        let mut answered = self.validation.answered();
        let errors = self.validation.errors(|_| true);
        match (answered.next(), answered.next(), errors, self.kernels()) {
            (Some((row, answer, measured)), None, _, _) => words.title_one.fill(&[
                ("metric", &row.metric),
                ("predicted", &in_unit(answer.case.metric, answer.predicted)),
                ("measured", &in_unit(answer.case.metric, measured)),
            ]),
            (_, _, Some(errors), _) | (None, _, None, Some(errors)) => {
                let rows = crate::quantity::format::integer(errors.count as u64);
                words.title.fill(&[("median", &percent(errors.median_percent)), ("rows", &rows)])
            }
            _ => words.title_none.to_owned(),
        }
    }

    /// Errors of all kernels together.
    #[must_use]
    pub fn kernels(&self) -> Option<Errors> {
        let ratios = self.validation.kernels.iter();
        let ratios = ratios.filter_map(|(_, kernel)| Some((kernel.predicted_ms? / kernel.measured_ms, None)));
        Errors::of(&ratios.collect::<Vec<_>>())
    }

    /// Sentences after the title.
    #[must_use]
    pub fn lede(&self, text: &Text) -> String {
        let words = &text.validate;
        let integer = |n: usize| crate::quantity::format::integer(n as u64);
        let mut out = Vec::new();
        if let Some(errors) = self.validation.errors(|_| true) {
            let inside = percent(errors.inside.unwrap_or(0.0) * 100.0);
            out.push(words.lede_inside.fill(&[("inside", &inside), ("rows", &integer(errors.count))]));
            if errors.count > 1 {
                let direction = if errors.bias_percent < 0.0 { words.bias_fast } else { words.bias_slow };
                let bias = percent(errors.bias_percent.abs());
                out.push(words.lede_bias.fill(&[("bias", &bias), ("direction", &direction)]));
            }
            out.push(words.lede_time.to_owned());
        }
        let left = self.validation.rows.iter().filter(|row| row.answer.is_err()).count();
        if left > 0 {
            out.push(words.lede_left.fill(&[("n", &integer(left))]));
        }
        if out.is_empty() && self.kernels().is_none() {
            out.push(words.none_help.to_owned());
        }
        sentences(&out, text)
    }

    /// Share of the compared measurements inside their band.
    #[must_use]
    pub fn inside(&self) -> Option<f64> {
        self.validation.errors(|_| true).and_then(|errors| errors.inside)
    }
}

/// A figure in its own unit.
pub(super) fn in_unit(metric: Metric, value: f64) -> String {
    if metric.is_rate() { with_unit(value, "tok/s") } else { ms(value) }
}

/// Percent with one decimal, as tables of errors have it.
pub(super) fn percent(value: f64) -> String {
    format!("{value:.1}{NBSP}%").replace('-', &MINUS.to_string())
}

/// Signed percent with one decimal.
pub(super) fn signed_percent(value: f64) -> String {
    if value >= 0.05 { format!("+{}", percent(value)) } else { percent(value) }
}

/// A band in the figure's unit: `10.1–22.4 ms`.
pub(super) fn band(answer: &Answer) -> String {
    let high = in_unit(answer.case.metric, answer.band.1);
    format!("{}–{high}", number(answer.band.0))
}

/// What a figure is called.
pub(super) const fn figure(figure: Figure, text: &Text) -> Label {
    let words = &text.validate.figure;
    match figure {
        Figure::Decode => words.decode,
        Figure::Prefill => words.prefill,
        Figure::ServingTpot => words.serving_tpot,
        Figure::ServingTtft => words.serving_ttft,
    }
}

/// The wording of a part in a list with one wording each.
pub(super) const fn of_part(part: Part, words: &super::text::ValidateParts) -> Label {
    match part {
        Part::Client => words.client,
        Part::Queue => words.queue,
        Part::Host => words.host,
        Part::LaunchWait => words.launch_wait,
        Part::Embedding => words.embedding,
        Part::Attention => words.attention,
        Part::Ffn => words.ffn,
        Part::Norm => words.norm,
        Part::Logits => words.logits,
        Part::Sampling => words.sampling,
        Part::Collectives => words.collectives,
        Part::OtherPrefills => words.other_prefills,
    }
}
