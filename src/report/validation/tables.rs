//! Tables of errors, bands, kernels, rows left out and files.

use super::{ValidationReport, band, figure, in_unit, percent, signed_percent};
use crate::catalog;
use crate::import::measured::Status;
use crate::quantity::format::{ABSENT, integer};
use crate::report::text::{Label, Text};
use crate::report::view::{Column, Table};
use crate::spec::{BandBasis, BandSpec, CostingClass, KeptApart};
use crate::validate::{Answer, Class, Compared, Errors, Figure, Method};

/// Groups shown on a page; JSON holds all.
const MOST_GROUPS: usize = 60;

fn columns(words: &[Label], numbers: &[Label]) -> Vec<Column> {
    let words = words.iter().map(|title| Column::words(*title));
    words.chain(numbers.iter().map(|title| Column::numbers(*title))).collect()
}

/// Rows, median, mean, P90, bias and share in band.
fn figures(errors: &Errors) -> Vec<String> {
    let inside = errors.inside.map_or_else(|| ABSENT.to_owned(), |share| percent(share * 100.0));
    vec![
        integer(errors.count as u64),
        percent(errors.median_percent),
        percent(errors.mean_percent),
        percent(errors.p90_percent),
        signed_percent(errors.bias_percent),
        inside,
    ]
}

fn error_columns(names: &[Label], text: &Text) -> Vec<Column> {
    let c = &text.validate.column;
    columns(names, &[c.rows, c.median, c.mean, c.p90, c.bias, c.inside])
}

/// Short name of a class in a table cell: the id that results carry.
fn class_cells(method: Method, class: CostingClass, of: Figure, text: &Text) -> Vec<String> {
    let words = &text.validate.method;
    let method = match method {
        Method::Kernel => words.kernel,
        Method::Local => words.local,
    };
    vec![method.to_owned(), class.name().to_owned(), figure(of, text).to_owned()]
}

/// Errors by kind of measurement, then of all.
#[must_use]
pub fn class_table(report: &ValidationReport, text: &Text) -> Table {
    let words = &text.validate.errors;
    let c = &text.validate.column;
    let mut rows = Vec::new();
    let known = |answer: &Answer| answer.known_engine;
    for (key, errors) in report.validation.errors_by(|_, answer| (!known(answer), answer.class)) {
        let (unknown, Class { method, costing, figure }) = key;
        let mut cells = class_cells(method, costing, figure, text);
        if unknown {
            cells[1] = format!("{}, {}", cells[1], words.unknown_engine);
        }
        rows.push([cells, self::figures(&errors)].concat());
    }
    let all = |name: Label, errors: Option<Errors>| {
        errors.map(|errors| [vec![name.to_owned(), String::new(), String::new()], figures(&errors)].concat())
    };
    let all_but = report.validation.errors(|answer| answer.class.figure != Figure::ServingTtft);
    rows.extend(all(words.all_but_ttft, all_but));
    rows.extend(all(words.all, report.validation.errors(|_| true)));
    let columns = error_columns(&[c.kind, c.class, c.metric], text);
    Table { label: words.by_class.to_owned(), columns, rows }
}

/// Errors by machine, engine and metric: the groups with most rows first. The second is how many groups there are.
#[must_use]
pub fn group_table(report: &ValidationReport, text: &Text) -> (Table, usize) {
    let c = &text.validate.column;
    let mut groups = report
        .validation
        .errors_by(|row, answer| [answer.case.scenario.machine.id.clone(), answer.engine.clone(), row.metric.clone()]);
    let all = groups.len();
    groups.sort_by(|a, b| b.1.count.cmp(&a.1.count).then_with(|| a.0.cmp(&b.0)));
    groups.truncate(MOST_GROUPS);
    let rows = groups.into_iter().map(|(names, errors)| [names.to_vec(), figures(&errors)].concat()).collect();
    let columns = error_columns(&[c.machine, c.engine, c.metric], text);
    (Table { label: text.validate.errors.by_group.to_owned(), columns, rows }, all)
}

/// Measurements shown one by one at most.
const MOST_EACH: usize = 40;

/// Each measurement with its prediction, where there are few.
#[must_use]
pub fn each_table(report: &ValidationReport, text: &Text) -> Option<Table> {
    let c = &text.validate.column;
    let row = |(row, answer, measured): (&Compared, &Answer, f64)| {
        let metric = answer.case.metric;
        vec![
            row.id.clone(),
            row.metric.clone(),
            in_unit(metric, measured),
            in_unit(metric, answer.predicted),
            band(answer),
            signed_percent(answer.error_percent()),
        ]
    };
    let rows: Vec<_> = report.validation.answered().map(row).collect();
    let columns = columns(&[c.row, c.metric], &[c.measured, c.predicted, c.band, c.error]);
    let few = !rows.is_empty() && rows.len() <= MOST_EACH;
    few.then(|| Table { label: text.validate.errors.each.to_owned(), columns, rows })
}

/// Errors of kernels by kind.
#[must_use]
pub fn kernel_table(report: &ValidationReport, text: &Text) -> Table {
    let words = &text.validate;
    let all = report.validation.kernel_errors();
    let rows = all.iter().filter(|((_, set), _)| set.is_none());
    let rows = rows.map(|((kind, _), errors)| {
        let mut cells = [vec![(*kind).to_owned()], figures(errors)].concat();
        cells.pop();
        cells
    });
    Table {
        label: words.kernels.all_sets.to_owned(),
        rows: rows.collect(),
        columns: kernel_columns(words.column.kind, text),
    }
}

fn kernel_columns(first: Label, text: &Text) -> Vec<Column> {
    let c = &text.validate.column;
    columns(&[first], &[c.rows, c.median, c.mean, c.p90, c.bias])
}

/// Errors of each set of kernels, one table a kind.
#[must_use]
pub fn kernel_set_tables(report: &ValidationReport, text: &Text) -> Vec<Table> {
    let words = &text.validate;
    let all = report.validation.kernel_errors();
    let mut tables: Vec<(&str, Table)> = Vec::new();
    for ((kind, set), errors) in &all {
        let Some(set) = set else { continue };
        if tables.last().is_none_or(|(last, _)| last != kind) {
            let label = words.kernels.sets_of.fill(&[("kind", kind)]);
            tables.push((kind, Table { label, columns: kernel_columns(words.column.set, text), rows: Vec::new() }));
        }
        let mut cells = [vec![(*set).to_owned()], figures(errors)].concat();
        cells.pop();
        if let Some((_, table)) = tables.last_mut() {
            table.rows.push(cells);
        }
    }
    tables.into_iter().map(|(_, table)| table).collect()
}

/// Reasons for leaving rows out.
#[must_use]
pub fn left_out_table(report: &ValidationReport, text: &Text) -> Table {
    let c = &text.validate.column;
    let rows = report.validation.left_out().into_iter();
    let rows = rows.map(|(why, count)| vec![why.to_string(), integer(count as u64)]);
    Table { label: text.validate.left.title.to_owned(), columns: columns(&[c.reason], &[c.rows]), rows: rows.collect() }
}

/// Bands of the kinds that were compared, or of all kinds where nothing was.
#[must_use]
pub fn band_table(report: &ValidationReport, text: &Text) -> Table {
    let c = &text.validate.column;
    let seen = report.validation.errors_by(|_, answer| answer.class);
    let is_seen = |band: &&BandSpec| seen.is_empty() || seen.iter().any(|(class, _)| class.is_of(band));
    let optional = |value: Option<f64>| value.map_or_else(|| ABSENT.to_owned(), percent);
    let row = |band: &BandSpec| {
        let method = Method::ALL.iter().find(|(_, name)| *name == band.method).map_or(Method::Kernel, |(m, _)| *m);
        let of = Figure::ALL.iter().find(|(_, name)| *name == band.figure).map_or(Figure::Decode, |(f, _)| *f);
        let kept = |kept: KeptApart| {
            text.trust.kept_cell.fill(&[("median", &percent(kept.median_percent)), ("rows", &integer(kept.rows))])
        };
        let cells = vec![
            integer(band.rows),
            integer(band.groups),
            optional(band.median_percent),
            optional(band.p90_percent),
            band.own_factor.map_or_else(|| ABSENT.to_owned(), |factor| format!("{factor:.2}")),
            optional(band.coverage_percent),
            band.kept_apart.map_or_else(|| ABSENT.to_owned(), kept),
            format!("{:.2}", band.factor),
            basis(band.basis, text).to_owned(),
        ];
        [class_cells(method, band.class, of, text), cells].concat()
    };
    let rows = catalog::bands().bands.iter().filter(is_seen).map(row).collect();
    let numbers = [c.rows, c.groups, c.median, c.p90, c.own_factor, c.coverage, text.trust.kept_apart, c.factor];
    let mut columns = columns(&[c.kind, c.class, c.metric], &numbers);
    columns.push(Column::words(c.basis));
    Table { label: text.validate.bands.title.to_owned(), columns, rows }
}

fn basis(basis: BandBasis, text: &Text) -> Label {
    let words = &text.validate.bands;
    match basis {
        BandBasis::Own => words.own,
        BandBasis::Pooled => words.pooled,
        BandBasis::Refitted => words.refitted,
        BandBasis::Inherited => words.inherited,
    }
}

/// Files, the tools that wrote them, and whether they are used.
#[must_use]
pub fn files_table(report: &ValidationReport, text: &Text) -> Table {
    let (words, c) = (&text.validate.files, &text.validate.column);
    let row = |source: &crate::validate::Source| {
        let status = match source.status {
            Status::Ok => words.ok,
            Status::Warn => words.warn,
            Status::Refuse => words.refuse,
        };
        let tool = source.tool.unwrap_or(words.unknown);
        vec![source.name.clone(), tool.to_owned(), status.to_owned(), integer(source.rows as u64)]
    };
    Table {
        label: words.title.to_owned(),
        columns: columns(&[c.file, c.tool, c.status], &[c.rows]),
        rows: report.validation.sources.iter().map(row).collect(),
    }
}
