//! The wire format: `points` in input order, errors by group, kernels, files.

use serde::Serialize;

use super::ValidationReport;
use super::chapters::MOST_DIFFERENCES;
use crate::import::measured::{MeasuredRun, Reading, Status};
use crate::report::SCHEMA_VERSION;
use crate::validate::{Answer, Compared, Errors, Figure, Part, Suspect, explain};

macro_rules! records {
    ($(struct $name:ident { $($field:ident: $type:ty,)* })*) => {$(
        #[derive(Clone, Debug, Serialize)]
        #[allow(missing_docs, reason = "keys say what they are")]
        pub struct $name { $(pub $field: $type,)* }
    )*};
}

records! {
    struct ValidationRecord {
        schema_version: u32,
        kind: &'static str,
        tool: ToolRecord,
        command: String,
        hash: String,
        created: Option<String>,
        files: Vec<FileRecord>,
        summary: SummaryRecord,
        classes: Vec<ClassRecord>,
        groups: Vec<GroupRecord>,
        kernels: Vec<KernelRecord>,
        left_out: Vec<ReasonRecord>,
        points: Vec<PointRecord>,
    }

    struct ToolRecord { name: &'static str, version: &'static str, }

    struct FileRecord {
        file: String,
        tool: Option<&'static str>,
        status: Status,
        rows: usize,
        messages: Vec<String>,
    }

    struct SummaryRecord {
        rows: usize,
        compared: usize,
        left_out: usize,
        all: Option<ErrorRecord>,
        all_but_serving_ttft: Option<ErrorRecord>,
        kernels: Option<ErrorRecord>,
    }

    struct ErrorRecord {
        n: usize,
        median_percent: f64,
        mean_percent: f64,
        p90_percent: f64,
        bias_percent: f64,
        inside_band: Option<f64>,
    }

    struct ClassRecord {
        method: &'static str,
        class: &'static str,
        figure: &'static str,
        band_factor: Option<f64>,
        errors: ErrorRecord,
    }

    struct GroupRecord {
        hardware: String,
        engine: String,
        metric: String,
        errors: ErrorRecord,
    }

    struct KernelRecord {
        kind: &'static str,
        set: Option<String>,
        errors: ErrorRecord,
    }

    struct ReasonRecord { reason: String, rows: usize, }

    struct PointRecord {
        id: String,
        file: String,
        kind: String,
        metric: String,
        hardware: String,
        engine: String,
        model: String,
        measured: Option<f64>,
        predicted: Option<f64>,
        low: Option<f64>,
        high: Option<f64>,
        class: Option<&'static str>,
        error_percent: Option<f64>,
        inside_band: Option<bool>,
        left_out: Option<String>,
        parts: Vec<PartRecord>,
        difference: Option<DifferenceRecord>,
    }

    struct PartRecord { part: &'static str, ms: f64, share: f64, }

    struct DifferenceRecord {
        gap_ms: f64,
        below_floor_ms: Option<f64>,
        suspects: Vec<SuspectRecord>,
    }

    struct SuspectRecord { part: &'static str, predicted_ms: f64, needed_ms: f64, factor: f64, }
}

/// Points that the data of a page holds.
const MOST_POINTS: usize = 40;

impl ErrorRecord {
    fn of(errors: &Errors) -> Self {
        Self {
            n: errors.count,
            median_percent: errors.median_percent,
            mean_percent: errors.mean_percent,
            p90_percent: errors.p90_percent,
            bias_percent: errors.bias_percent,
            inside_band: errors.inside,
        }
    }
}

impl ValidationRecord {
    /// Of a report.
    #[must_use]
    pub fn new(report: &ValidationReport) -> Self {
        let validation = &report.validation;
        let file = |source: &crate::validate::Source| FileRecord {
            file: source.name.clone(),
            tool: source.tool,
            status: source.status,
            rows: source.rows,
            messages: source.messages.clone(),
        };
        let reason = |(why, rows): (&crate::validate::LeftOut, usize)| ReasonRecord { reason: why.to_string(), rows };
        Self {
            schema_version: SCHEMA_VERSION,
            kind: "validation",
            tool: ToolRecord { name: "simllm", version: env!("CARGO_PKG_VERSION") },
            command: report.command.clone(),
            hash: report.input_hash.clone(),
            created: report.created.clone(),
            files: validation.sources.iter().map(file).collect(),
            summary: summary(report),
            classes: classes(report),
            groups: groups(report),
            kernels: kernels(report),
            left_out: validation.left_out().into_iter().map(reason).collect(),
            points: validation.rows.iter().map(|row| point(report, row)).collect(),
        }
    }

    /// The same with few points: those of small files, else those whose difference is told.
    #[must_use]
    pub fn told(report: &ValidationReport) -> Self {
        let mut record = Self::new(report);
        if record.points.len() > MOST_POINTS {
            record.points.retain(|point| point.difference.is_some());
            let off = |point: &PointRecord| match (point.predicted, point.measured) {
                (Some(predicted), Some(measured)) => (predicted / measured).ln().abs(),
                _ => 0.0,
            };
            record.points.sort_by(|a, b| off(b).total_cmp(&off(a)));
            record.points.truncate(MOST_DIFFERENCES);
        }
        record
    }
}

fn summary(report: &ValidationReport) -> SummaryRecord {
    let validation = &report.validation;
    let left_out = validation.rows.iter().filter(|row| row.answer.is_err()).count();
    let but_ttft = validation.errors(|answer| answer.class.figure != Figure::ServingTtft);
    SummaryRecord {
        rows: validation.rows.len(),
        compared: validation.rows.len() - left_out,
        left_out,
        all: validation.errors(|_| true).as_ref().map(ErrorRecord::of),
        all_but_serving_ttft: but_ttft.as_ref().map(ErrorRecord::of),
        kernels: report.kernels().as_ref().map(ErrorRecord::of),
    }
}

fn classes(report: &ValidationReport) -> Vec<ClassRecord> {
    let all = report.validation.errors_by(|_, answer| (!answer.known_engine, answer.class));
    let record = |((unknown, class), errors): ((bool, crate::validate::Class), Errors)| ClassRecord {
        method: class.method.name(),
        class: if unknown { OTHER } else { class.costing.name() },
        figure: class.figure.name(),
        band_factor: class.band().map(|band| band.factor).filter(|_| !unknown),
        errors: ErrorRecord::of(&errors),
    };
    all.into_iter().map(record).collect()
}

fn groups(report: &ValidationReport) -> Vec<GroupRecord> {
    let all = report
        .validation
        .errors_by(|row, answer| [answer.case.scenario.machine.id.clone(), answer.engine.clone(), row.metric.clone()]);
    let record = |([hardware, engine, metric], errors): ([String; 3], Errors)| GroupRecord {
        hardware,
        engine,
        metric,
        errors: ErrorRecord::of(&errors),
    };
    all.into_iter().map(record).collect()
}

fn kernels(report: &ValidationReport) -> Vec<KernelRecord> {
    let all = report.validation.kernel_errors().into_iter();
    let record = |((kind, set), errors): ((&'static str, Option<&str>), Errors)| KernelRecord {
        kind,
        set: set.map(str::to_owned),
        errors: ErrorRecord::of(&errors),
    };
    all.map(record).collect()
}

/// The class of an engine without constants of its own.
const OTHER: &str = "other";

/// The class that a row's band belongs to.
#[must_use]
pub(crate) fn class_name(answer: &Answer) -> &'static str {
    if answer.known_engine { answer.class.costing.name() } else { OTHER }
}

fn point(report: &ValidationReport, row: &Compared) -> PointRecord {
    let pair = row.pair();
    let answer = pair.map(|(answer, _)| answer);
    PointRecord {
        id: row.id.clone(),
        file: report.validation.sources[row.source].name.clone(),
        kind: row.kind.clone(),
        metric: row.metric.clone(),
        hardware: row.subject.hardware.clone(),
        engine: row.subject.engine.clone(),
        model: row.subject.model.clone(),
        measured: row.measured,
        predicted: answer.map(|answer| answer.predicted),
        low: answer.map(|answer| answer.band.0),
        high: answer.map(|answer| answer.band.1),
        class: answer.map(class_name),
        error_percent: answer.map(Answer::error_percent),
        inside_band: pair.map(|(answer, measured)| answer.holds(measured)),
        left_out: row.answer.as_ref().err().map(ToString::to_string),
        parts: answer.map_or_else(Vec::new, parts),
        difference: pair.and_then(|(answer, measured)| difference(answer, measured)),
    }
}

fn parts(answer: &Answer) -> Vec<PartRecord> {
    let parts = answer.parts_ms();
    let total = parts.total();
    let record = |(part, ms): (Part, f64)| PartRecord { part: part.name(), ms, share: ms / total };
    parts.iter().filter(|(_, ms)| *ms > 0.0).map(record).collect()
}

fn difference(answer: &Answer, measured: f64) -> Option<DifferenceRecord> {
    let why = explain(answer, measured)?;
    let suspect = |suspect: &Suspect| SuspectRecord {
        part: suspect.part.name(),
        predicted_ms: suspect.predicted_ms,
        needed_ms: suspect.needed_ms,
        factor: suspect.needed_ms / suspect.predicted_ms,
    };
    Some(DifferenceRecord {
        gap_ms: why.gap_ms,
        below_floor_ms: why.below_floor_ms,
        suspects: why.suspects.iter().map(suspect).collect(),
    })
}

/// What was read from a bench tool's file, without a prediction.
#[derive(Clone, Debug, Serialize)]
pub struct MeasuredOnly<'a> {
    /// The file as the user named it.
    pub file: &'a str,
    /// The tool that wrote it.
    pub tool: Option<&'static str>,
    /// Whether it can be used.
    pub status: Status,
    /// Its runs.
    pub runs: &'a [MeasuredRun],
    /// Measured kernels in it.
    pub kernels: usize,
    /// What a person should know.
    pub messages: &'a [String],
}

impl<'a> MeasuredOnly<'a> {
    /// Of a reading.
    #[must_use]
    pub fn new(file: &'a str, reading: &'a Reading) -> Self {
        Self {
            file,
            tool: reading.tool,
            status: reading.status,
            runs: &reading.runs,
            kernels: reading.kernels.len(),
            messages: &reading.messages,
        }
    }
}
