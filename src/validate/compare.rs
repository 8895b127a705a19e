//! Files in, comparisons out: every row in its place, predicted or left out with the reason.

use std::collections::BTreeMap;

use super::ask::Question;
use super::case::Case;
use super::class::{self, Class};
use super::context::Context;
use super::kernels::{self, KernelCompared};
use super::parts::Parts;
use super::predict::{Prediction, predict};
use super::rows::{self, LeftOut};
use super::stats::{Errors, by_key};
use super::tools::{self, Notes};
use crate::import::measured::{MeasuredRun, Reading, Row, Status};
use crate::scenario::Model;

/// A file that was read.
#[derive(Clone, Debug)]
pub struct Source {
    /// As the user named it.
    pub name: String,
    /// The tool that wrote it.
    pub tool: Option<&'static str>,
    /// Whether it can be used.
    pub status: Status,
    /// What a person should know.
    pub messages: Vec<String>,
    /// Comparisons that come from it, kernels included.
    pub rows: usize,
    /// What it does not say and the user has to.
    pub asks: Vec<Question>,
}

/// One measured figure.
#[derive(Clone, Debug)]
pub struct Compared {
    /// The row's id, else FILE:LINE.
    pub id: String,
    /// File it comes from.
    pub source: usize,
    /// Kind, as in tables.
    pub kind: String,
    /// Metric, as in tables.
    pub metric: String,
    /// Measured, in the metric's unit.
    pub measured: Option<f64>,
    /// Machine, engine and model as written.
    pub subject: Subject,
    /// The prediction, or why there is none.
    pub answer: Result<Answer, LeftOut>,
}

/// What was measured, in the words of the file or of the user.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Subject {
    /// Machine.
    pub hardware: String,
    /// Engine.
    pub engine: String,
    /// Model.
    pub model: String,
}

/// A prediction beside a measurement.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The prediction.
    pub prediction: Prediction,
    /// In the metric's unit.
    pub predicted: f64,
    /// Ends of the band, in the metric's unit.
    pub band: (f64, f64),
    /// Kind of measurement.
    pub class: Class,
    /// Whether the engine has constants of its own on this platform.
    pub known_engine: bool,
    /// Predicted over measured time.
    pub ratio: f64,
    /// Machine, shape and engine: rows of one group err alike.
    pub group: [String; 3],
    /// The engine whose constants were used.
    pub engine: String,
    /// The question.
    pub case: Box<Case>,
}

/// Everything that was compared.
#[derive(Clone, Debug, Default)]
pub struct Validation {
    /// Files in the order given.
    pub sources: Vec<Source>,
    /// Figures in input order.
    pub rows: Vec<Compared>,
    /// Kernels by file, in input order.
    pub kernels: Vec<(usize, KernelCompared)>,
}

/// Compares readings with predictions.
#[must_use]
pub fn validate(context: &Context, readings: Vec<(String, Reading)>) -> Validation {
    let mut all = Validation::default();
    for (name, reading) in readings {
        let source = all.sources.len();
        let mut notes = Notes::default();
        let before = all.rows.len();
        for run in reading.runs.iter().filter(|_| reading.status != Status::Refuse) {
            match &run.row {
                Some(row) => all.rows.push(table_row(context, run, row, &name, source)),
                None => all.rows.extend(tools::run(context, run, &name, source, &mut notes)),
            }
        }
        let kernels = kernels::compare(&reading.kernels);
        let mut messages = reading.messages;
        messages.extend(notes.said.into_iter().map(|note| format!("{name}: {note}")));
        all.sources.push(Source {
            rows: all.rows.len() - before + kernels.len(),
            name,
            tool: reading.tool,
            status: reading.status,
            messages,
            asks: notes.asks,
        });
        all.kernels.extend(kernels.into_iter().map(|kernel| (source, kernel)));
    }
    all
}

fn table_row(context: &Context, run: &MeasuredRun, row: &Row, name: &str, source: usize) -> Compared {
    let answer = match rows::unanswerable(run, row) {
        Some(why) => Err(why),
        None => rows::case(context, run, row).and_then(|case| answer(case, row.value)),
    };
    compared(context, run, row, name, source, answer)
}

pub(super) fn compared(
    context: &Context,
    run: &MeasuredRun,
    row: &Row,
    name: &str,
    source: usize,
    answer: Result<Answer, LeftOut>,
) -> Compared {
    let or_given = |own: &Option<String>, given: Option<String>| own.clone().or(given).unwrap_or_default();
    let answered = answer.as_ref().ok();
    let machine = answered.map(|answer| answer.case.scenario.machine.id.clone());
    let model = answered.map(|answer| answer.case.scenario.model.name.clone());
    Compared {
        id: row.id.clone().unwrap_or_else(|| format!("{name}:{}", run.line)),
        source,
        kind: row.kind.clone(),
        metric: row.metric.clone(),
        measured: row.value,
        subject: Subject {
            hardware: machine.unwrap_or_else(|| run.hardware.clone().unwrap_or_default()),
            engine: or_given(&context.given.engine, run.engine.clone()),
            model: or_given(&run.model, model),
        },
        answer,
    }
}

/// Times that something measured can have, microseconds: from a clock's tick to thirty years.
const POSSIBLE_US: std::ops::RangeInclusive<f64> = 1e-2..=1e15;

pub(super) fn answer(case: Case, measured: Option<f64>) -> Result<Answer, LeftOut> {
    let prediction = predict(&case);
    let measured = measured.ok_or_else(|| LeftOut("the cell holds no value".to_owned()))?;
    let total = prediction.parts.total();
    if !(total.is_finite() && total > 0.0) {
        return Err(LeftOut("no finite prediction: the lengths are beyond the models".to_owned()));
    }
    if !POSSIBLE_US.contains(&prediction.time_of(measured)) {
        return Err(LeftOut("the measured value is beyond anything that runs: is the unit right?".to_owned()));
    }
    Ok(judged(case, prediction, measured))
}

pub(super) fn judged(case: Case, prediction: Prediction, measured: f64) -> Answer {
    let (predicted, total) = (prediction.value(), prediction.parts.total());
    let factor = class::factor(&case);
    let engine = case.scenario.deployment.engine.id.clone();
    Answer {
        predicted,
        band: (predicted / factor, predicted * factor),
        class: Class::of(&case),
        known_engine: case.known_engine,
        ratio: total / prediction.time_of(measured),
        group: [case.scenario.machine.id.clone(), shape(&case.scenario.model), family(&engine)],
        engine,
        prediction,
        case: Box::new(case),
    }
}

/// The engine without era and platform.
fn family(id: &str) -> String {
    id.split('@').next().unwrap_or(id).to_owned()
}

/// What decides a latency of a model beside its storage.
fn shape(model: &Model) -> String {
    let heads = model.heads().unwrap_or(0);
    let experts = if model.has_experts() { "e" } else { "" };
    format!("{}x{}h{heads}v{}{experts}", model.layers(), model.hidden_size, model.vocab_size)
}

impl Answer {
    /// Whether the measurement lies inside the band.
    #[must_use]
    pub fn holds(&self, measured: f64) -> bool {
        (self.band.0..=self.band.1).contains(&measured)
    }

    /// Signed error of the time, percent.
    #[must_use]
    pub fn error_percent(&self) -> f64 {
        (self.ratio - 1.0) * 100.0
    }

    /// Predicted time by parts, milliseconds.
    #[must_use]
    pub fn parts_ms(&self) -> Parts {
        self.prediction.parts * 1e-3
    }
}

impl Compared {
    /// The answer with what was measured.
    #[must_use]
    pub fn pair(&self) -> Option<(&Answer, f64)> {
        self.answer.as_ref().ok().zip(self.measured)
    }
}

impl Validation {
    /// Answered rows.
    pub fn answered(&self) -> impl Iterator<Item = (&Compared, &Answer, f64)> {
        self.rows.iter().filter_map(|row| row.pair().map(|(answer, measured)| (row, answer, measured)))
    }

    /// Errors of answered rows that satisfy a condition.
    #[must_use]
    pub fn errors(&self, keep: impl Fn(&Answer) -> bool) -> Option<Errors> {
        let of = |answer: &Answer, measured| (answer.ratio, Some(answer.holds(measured)));
        let kept = self.answered().filter(|(_, answer, _)| keep(answer));
        Errors::of(&kept.map(|(_, answer, measured)| of(answer, measured)).collect::<Vec<_>>())
    }

    /// Errors by a key of row and answer.
    #[must_use]
    pub fn errors_by<K: Ord + Clone>(&self, key: impl Fn(&Compared, &Answer) -> K) -> Vec<(K, Errors)> {
        by_key(
            self.answered()
                .map(|(row, answer, measured)| (key(row, answer), answer.ratio, Some(answer.holds(measured)))),
        )
    }

    /// Reasons for leaving rows out, with their counts, the most frequent first.
    #[must_use]
    pub fn left_out(&self) -> Vec<(&LeftOut, usize)> {
        let mut counts: BTreeMap<&LeftOut, usize> = BTreeMap::new();
        for why in self.rows.iter().filter_map(|row| row.answer.as_ref().err()) {
            *counts.entry(why).or_default() += 1;
        }
        let mut list: Vec<_> = counts.into_iter().collect();
        list.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
        list
    }

    /// Errors of kernels by kind, then of each set.
    #[must_use]
    pub fn kernel_errors(&self) -> Vec<((&'static str, Option<&str>), Errors)> {
        let ratio = |kernel: &KernelCompared| kernel.predicted_ms.map(|ms| ms / kernel.measured_ms);
        let all = self.kernels.iter().filter_map(|(_, kernel)| Some((kernel, ratio(kernel)?)));
        let rows = all
            .flat_map(|(kernel, ratio)| [None, Some(kernel.set.as_str())].map(|set| ((kernel.kind, set), ratio, None)));
        by_key(rows)
    }
}
