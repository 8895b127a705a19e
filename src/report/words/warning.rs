//! What the reader must know, with what to do about it.

use crate::diagnose::{Band, FEW_ROWS};
use crate::quantity::KvDtype;
use crate::quantity::format::{integer, number};
use crate::report::Report;
use crate::report::text::{Holes, Text, WarningWords};
use crate::scenario::{Engine, Note};
use crate::spec::CostingClass;

/// A warning in words.
pub(in crate::report) struct Warning {
    /// Id in results.
    pub(in crate::report) id: &'static str,
    /// What is the matter.
    pub(in crate::report) message: String,
    /// What to do.
    pub(in crate::report) help: String,
}

impl Warning {
    fn new(id: &'static str, words: &WarningWords, holes: Holes) -> Self {
        Self { id, message: words.message.fill_from(&holes), help: words.help.fill_from(&holes) }
    }
}

/// Every warning of a report, those about the inputs first.
pub(in crate::report) fn all(report: &Report, text: &Text) -> Vec<Warning> {
    let mut list: Vec<Warning> = report.notes.iter().map(|note| of_note(note, text)).collect();
    list.extend(of_bands(report, text));
    list.extend(of_engine(report, text));
    list
}

fn of_note(note: &Note, text: &Text) -> Warning {
    let words = &text.warning;
    // A base of 10,000 or a count of 8,030,261,248: whole numbers in full.
    let plain = |value: f64| if value.fract() == 0.0 { integer(value as u64) } else { number(value) };
    match note {
        Note::RopeThetaDiffers { profile, catalogue } => Warning::new(
            "rope_theta_differs",
            &words.rope_theta_differs,
            vec![("profile", plain(*profile)), ("catalogue", plain(*catalogue))],
        ),
        Note::RopeBaseIgnored(base) => {
            Warning::new("rope_base_ignored", &words.rope_base_ignored, vec![("value", plain(*base))])
        }
        Note::ClaimDiffers { claim, stated, computed } => Warning::new(
            "claim_differs",
            &words.claim_differs,
            vec![("claim", (*claim).to_owned()), ("stated", plain(*stated)), ("computed", plain(*computed))],
        ),
        Note::BeyondMaxPositions { context, trained } => Warning::new(
            "beyond_max_positions",
            &words.beyond_max_positions,
            vec![("context", integer(*context)), ("trained", integer(*trained))],
        ),
        Note::Fallback { required, found } => {
            Warning::new("fallback", &words.fallback, vec![("required", required.clone()), ("found", found.clone())])
        }
        Note::Remark(message) => Warning { id: "remark", message: message.clone(), help: String::new() },
    }
}

fn of_bands(report: &Report, text: &Text) -> Vec<Warning> {
    let words = &text.warning;
    let hardware = || vec![("hardware", report.scenario.machine.name.clone())];
    let mut list = Vec::new();
    match report.scenario.machine.class {
        CostingClass::Calibrated => {}
        CostingClass::Sibling => list.push(Warning::new("class_sibling", &words.class_sibling, hardware())),
        CostingClass::Datasheet => list.push(Warning::new("class_datasheet", &words.class_datasheet, hardware())),
    }
    let Some(told) = report.told() else { return list };
    for (metric, id, band) in [("TTFT", "few_rows_ttft", told.bands.ttft), ("TPOT", "few_rows_tpot", told.bands.tpot)] {
        if let Some(Band { error, .. }) = band.filter(|band| band.error.is_thin()) {
            let holes =
                vec![("metric", metric.to_owned()), ("rows", integer(error.band.rows)), ("least", integer(FEW_ROWS))];
            list.push(Warning::new(id, &words.few_rows, holes));
        }
    }
    if report.scenario.model.kv == KvDtype::Int4 {
        list.push(Warning::new("kv_int4_band", &words.kv_int4_band, Vec::new()));
    }
    list
}

fn of_engine(report: &Report, text: &Text) -> Vec<Warning> {
    let words = &text.warning;
    let engine: &Engine = &report.scenario.deployment.engine;
    let note = engine.note.as_ref().map(|note| {
        let holes = vec![("id", engine.id.clone()), ("note", note.clone()), ("rows", integer(engine.rows))];
        Warning::new("engine_note", &words.engine_note, holes)
    });
    let decodes = engine.local.is_none() && report.told().is_some_and(|told| told.run.tpot.is_some());
    let write =
        decodes.then(|| Warning::new("kv_write_inside_attention", &words.kv_write_inside_attention, Vec::new()));
    note.into_iter().chain(write).collect()
}
