//! Measurements that lie away from their prediction, taken apart.

use super::{ValidationReport, band, in_unit, of_part, signed_percent};
use crate::quantity::format::{ABSENT, ms, number, percent};
use crate::report::text::Text;
use crate::report::view::{Column, Table};
use crate::validate::{Answer, Compared, EXPLAIN_ABOVE, Explanation, explain};

/// The largest differences.
#[derive(Clone, Debug)]
pub struct Differences {
    /// What is shown, the largest first.
    pub shown: Vec<Difference>,
    /// How many there are.
    pub all: usize,
}

/// One difference.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The row's id and metric.
    pub name: String,
    /// Machine, engine, model, load.
    pub about: String,
    /// Metric with measured and predicted value, and the band.
    pub figures: String,
    /// Signed error of time.
    pub error: String,
    /// What would explain it.
    pub sentences: Vec<String>,
    /// What to check.
    pub checks: Vec<String>,
    /// Predicted time by parts.
    pub parts: Table,
}

impl Differences {
    /// The largest differences of a report, `most` at most.
    #[must_use]
    pub fn of(report: &ValidationReport, text: &Text, most: usize) -> Self {
        let explained = |(row, answer, measured)| Some((row, answer, measured, explain(answer, measured)?));
        let mut all: Vec<_> = report.validation.answered().filter_map(explained).collect();
        all.sort_by(|a, b| b.1.ratio.ln().abs().total_cmp(&a.1.ratio.ln().abs()));
        let shown = all.iter().take(most);
        Self {
            shown: shown.map(|(row, answer, m, why)| difference(row, answer, *m, why, text)).collect(),
            all: all.len(),
        }
    }

    /// The limit beyond which a difference is taken apart.
    #[must_use]
    pub fn limit() -> String {
        percent(EXPLAIN_ABOVE)
    }
}

fn difference(row: &Compared, answer: &Answer, measured: f64, why: &Explanation, text: &Text) -> Difference {
    let words = &text.validate;
    let metric = answer.case.metric;
    let figures = [
        format!("{} {}", words.column.measured, in_unit(metric, measured)),
        format!("{} {}", words.column.predicted, in_unit(metric, answer.predicted)),
        format!("{} {}", words.column.band, band(answer)),
    ];
    Difference {
        name: name(row, text),
        about: about(row, answer, text),
        figures: figures.join(text.frame.comma),
        error: signed_percent(answer.error_percent()),
        sentences: sentences(why, text),
        checks: why.suspects.iter().map(|suspect| of_part(suspect.part, &words.check).to_owned()).collect(),
        parts: parts(row, answer, why, text),
    }
}

fn name(row: &Compared, text: &Text) -> String {
    [row.id.as_str(), row.metric.as_str()].join(text.frame.comma)
}

fn about(row: &Compared, answer: &Answer, text: &Text) -> String {
    let (scenario, load) = (&answer.case.scenario, &answer.case.load);
    let devices = scenario.gpus() * answer.case.layout.pipeline;
    let devices = if devices > 1 { format!("{devices} × ") } else { String::new() };
    let load =
        format!("batch {}{}{} + {}", number(load.batch), text.frame.comma, number(load.prompt), number(load.output));
    let facts = [row.subject.model.clone(), format!("{devices}{}", row.subject.hardware), answer.engine.clone(), load];
    facts.into_iter().filter(|fact| !fact.is_empty()).collect::<Vec<_>>().join(text.frame.comma)
}

fn sentences(why: &Explanation, text: &Text) -> Vec<String> {
    let words = &text.validate.explain;
    let gap = if why.gap_ms > 0.0 { &words.slower } else { &words.faster };
    let mut out = vec![gap.fill(&[("gap", &ms(why.gap_ms.abs()))])];
    if let Some(floor) = why.below_floor_ms {
        out.push(words.below_floor.fill(&[("floor", &ms(floor))]));
        return out;
    }
    for suspect in &why.suspects {
        out.push(words.alone.fill(&[
            ("part", &of_part(suspect.part, &text.validate.part)),
            ("needed", &ms(suspect.needed_ms)),
            ("predicted", &ms(suspect.predicted_ms)),
            ("factor", &number(suspect.needed_ms / suspect.predicted_ms)),
        ]));
    }
    if why.suspects.is_empty() {
        out.push(words.no_part.to_owned());
    }
    out
}

fn parts(row: &Compared, answer: &Answer, why: &Explanation, text: &Text) -> Table {
    let (words, c) = (&text.validate, &text.validate.column);
    let parts = answer.parts_ms();
    let total = parts.total();
    let needed = |ms_now: f64| {
        let needed = ms_now + why.gap_ms;
        if needed > 0.0 { ms(needed) } else { ABSENT.to_owned() }
    };
    let rows = parts
        .iter()
        .filter(|(_, now)| *now > 0.0)
        .map(|(part, now)| vec![of_part(part, &words.part).to_owned(), ms(now), percent(now / total), needed(now)]);
    let columns =
        [Column::words(c.part), Column::numbers(c.predicted), Column::numbers(c.share), Column::numbers(c.needed)];
    Table {
        label: words.explain.parts_of.fill(&[("row", &name(row, text))]),
        columns: columns.into(),
        rows: rows.collect(),
    }
}
