//! How far to believe the figures: the classes of the machines with their error bands.

use crate::diagnose::ClassError;
use crate::quantity::format::integer;
use crate::report::section::trust::cells;
use crate::report::sweep::shown::Shown;
use crate::report::text::{Label, Text};
use crate::report::view::{Column, SweepTrust, Table};
use crate::spec::CostingClass;
use crate::sweep::PointFigures;

/// The section.
pub(super) fn build(shown: &Shown<'_>, text: &Text) -> SweepTrust {
    let words = &text.sweep.trust;
    let classes = [CostingClass::Calibrated, CostingClass::Sibling, CostingClass::Datasheet];
    let ran = shown.report.summary.ran > 0;
    SweepTrust {
        lede: if ran { words.lede } else { words.lede_none }.to_owned(),
        errors: Table {
            label: text.trust.errors.to_owned(),
            columns: vec![
                Column::words(text.trust.class),
                Column::numbers(words.points),
                Column::words(text.trust.metric),
                Column::numbers(text.trust.rows),
                Column::numbers(text.trust.median),
                Column::numbers(text.trust.kept_apart),
                Column::words(text.trust.within),
                Column::numbers(text.trust.held),
            ],
            rows: classes
                .into_iter()
                .flat_map(|class| [false, true].map(|local| rows(shown, class, local, text)))
                .flatten()
                .collect(),
        },
        elsewhere: words.told_elsewhere.to_owned(),
    }
}

/// A row for each metric that points of a class have.
fn rows(shown: &Shown<'_>, class: CostingClass, local: bool, text: &Text) -> Vec<Vec<String>> {
    let figures = shown.points.iter().filter_map(|point| point.result.outcome.figures());
    let figures: Vec<&PointFigures> =
        figures.filter(|figures| figures.class == class && figures.local == local).collect();
    let widest = |of: fn(&PointFigures) -> Option<f64>| figures.iter().copied().filter_map(of).fold(f64::NAN, f64::max);
    let metrics = [
        ("TTFT", ClassError::prefill(class, local), text.trust.of_prefill, widest(|f| f.ttft_factor)),
        ("TPOT", ClassError::decode(class, local), text.trust.of_decode, widest(|f| f.tpot_factor)),
    ];
    let row = |(metric, error, basis, widest): (&str, Option<ClassError>, Label, f64)| {
        let error = error.filter(|_| !widest.is_nan())?;
        let [rows, median, kept_apart, mut within, held] = cells(&error, text);
        if widest > error.factor {
            within = format!("{within}{}{widest:.2} {}", text.frame.comma, text.trust.widened);
        }
        Some(vec![
            if local {
                format!("{}{}{}", name(class, text), text.frame.comma, text.sweep.trust.local)
            } else {
                name(class, text).to_owned()
            },
            integer(figures.len() as u64),
            format!("{metric}{}{basis}", text.frame.comma),
            rows,
            median,
            kept_apart,
            within,
            held,
        ])
    };
    metrics.into_iter().filter_map(row).collect()
}

const fn name(class: CostingClass, text: &Text) -> Label {
    match class {
        CostingClass::Calibrated => text.trust.calibrated,
        CostingClass::Sibling => text.trust.sibling,
        CostingClass::Datasheet => text.trust.datasheet,
    }
}
