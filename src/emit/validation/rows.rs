//! Every measured figure with its prediction, one a line, in input order.

use crate::emit::csv::{line, plain};
use crate::report::validation::{ValidationReport, class_name};
use crate::validate::{Compared, KernelCompared};

const COLUMNS: [&str; 9] = ["id", "kind", "metric", "measured", "predicted", "low", "high", "class", "left_out"];

/// The table.
#[must_use]
pub fn rows(report: &ValidationReport) -> String {
    let validation = &report.validation;
    let mut out = line(COLUMNS.map(str::to_owned));
    for (index, source) in validation.sources.iter().enumerate() {
        let figures = validation.rows.iter().filter(|row| row.source == index);
        out.extend(figures.map(|row| line(figure(row))));
        let kernels = validation.kernels.iter().filter(|(from, _)| *from == index);
        out.extend(kernels.map(|(_, row)| line(kernel(row, &source.name))));
    }
    out
}

fn number(value: Option<f64>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

fn figure(row: &Compared) -> [String; COLUMNS.len()] {
    let answer = row.answer.as_ref().ok();
    [
        plain(&row.id),
        plain(&row.kind),
        plain(&row.metric),
        number(row.measured),
        number(answer.map(|answer| answer.predicted)),
        number(answer.map(|answer| answer.band.0)),
        number(answer.map(|answer| answer.band.1)),
        answer.map_or_else(String::new, |answer| class_name(answer).to_owned()),
        row.answer.as_ref().err().map_or_else(String::new, |why| plain(&why.to_string())),
    ]
}

fn kernel(row: &KernelCompared, file: &str) -> [String; COLUMNS.len()] {
    let (metric, unit) = row.metric();
    let left_out = if row.predicted_ms.is_none() { "no calibration set describes this kernel" } else { "" };
    let class = if row.predicted_ms.is_some() { "calibrated" } else { "" };
    [
        plain(&format!("{file}:{}", row.line)),
        row.kind.to_owned(),
        metric.to_owned(),
        number(Some(row.measured_ms * unit)),
        number(row.predicted_ms.map(|ms| ms * unit)),
        String::new(),
        String::new(),
        class.to_owned(),
        left_out.to_owned(),
    ]
}
