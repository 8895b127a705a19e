//! A comparison as a page.

use super::ValidationReport;
use crate::quantity::format::{ABSENT, integer};
use crate::report::text::{Inline, Text};
use crate::report::view::{Content, Hero, Mark, PageView, Repro, Tone, ValidationPage, Verdict};
use crate::validate::Errors;

/// First characters of the input hash that stand in the footer.
const SHORT_HASH: usize = 8;
/// A band of 90 % may hold a little less of a few rows.
const HELD: f64 = 0.85;
/// Fewer rows have no 90th percentile.
const LEAST_FOR_P90: usize = 10;

/// The page of a comparison in a language.
#[must_use]
pub fn page(report: &ValidationReport, text: &Text) -> PageView {
    let words = &text.validate;
    let tool = concat!("simllm ", env!("CARGO_PKG_VERSION"));
    let hash: String = report.input_hash.chars().take(SHORT_HASH).collect();
    let hash = if hash.is_empty() { ABSENT.to_owned() } else { hash };
    let verdict = verdict(report, text);
    let rows = integer(report.rows() as u64);
    PageView {
        title: format!("{} · simllm", verdict.title),
        context: words.context.fill(&[("rows", &rows)]),
        tool: tool.to_owned(),
        footer: text.frame.footer.fill(&[("tool", &tool), ("hash", &hash)]),
        json_name: "validation.json".to_owned(),
        content: Content::Validation(Box::new(ValidationPage {
            verdict,
            chapters: report.chapters(text),
            repro: Repro { command: report.command.clone() },
        })),
    }
}

fn verdict(report: &ValidationReport, text: &Text) -> Verdict {
    let words = &text.validate;
    let status = match report.inside() {
        Some(inside) if inside >= HELD => Mark::new(Tone::PASS, words.status_inside),
        Some(_) => Mark::new(Tone::WARN, words.status_outside),
        None if report.kernels().is_some() => Mark::new(Tone::NEUTRAL, words.kernels.nav),
        None => Mark::new(Tone::NEUTRAL, words.status_none),
    };
    let files = match report.validation.sources.len() {
        1 => words.fact_file.to_owned(),
        n => words.fact_files.fill(&[("n", &integer(n as u64))]),
    };
    let rows = integer(report.rows() as u64);
    Verdict {
        status,
        facts: vec![files, words.fact_rows.fill(&[("n", &rows)])],
        title: report.title(text),
        lede: vec![Inline::Text(report.lede(text))],
        heroes: heroes(report, text),
        trust: Vec::new(),
    }
}

/// Median, P90, bias and share in band of what was compared; of kernels where nothing else was.
fn heroes(report: &ValidationReport, text: &Text) -> Vec<Hero> {
    let (words, c) = (&text.validate, &text.validate.column);
    let Some(errors) = report.validation.errors(|_| true).or_else(|| report.kernels()) else { return Vec::new() };
    let Errors { count, median_percent, p90_percent, bias_percent, inside, .. } = errors;
    let hero = |label: &str, value: f64| Hero {
        label: label.to_owned(),
        value: format!("{value:.1}").replace('-', "−"),
        unit: "%".to_owned(),
        bullet: None,
        mark: Mark::new(Tone::NEUTRAL, ""),
        note: String::new(),
    };
    let rows = words.fact_rows.fill(&[("n", &integer(count as u64))]);
    let mut all = vec![Hero { note: rows, ..hero(c.median, median_percent) }];
    all.extend((count >= LEAST_FOR_P90).then(|| hero(c.p90, p90_percent)));
    all.push(hero(c.bias, bias_percent));
    let bands = |share: f64| {
        let (tone, held) =
            if share >= HELD { (Tone::PASS, words.status_inside) } else { (Tone::WARN, words.status_outside) };
        Hero { mark: Mark::new(tone, held), ..hero(c.inside, share * 100.0) }
    };
    all.extend(inside.map(bands));
    all
}

impl ValidationReport {
    /// Everything measured, kernels included.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.validation.rows.len() + self.validation.kernels.len()
    }
}
