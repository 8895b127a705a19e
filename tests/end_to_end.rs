//! End-to-end predictions against those of the reference they were ported from: every row to a relative 1e-3.
//!
//! `tests/data/vectors/README.md` says what the vectors are. The rows hold what was asked, not what was measured.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use simllm::import::measured;
use simllm::validate::{self, Context};

const TOLERANCE: f64 = 1e-3;

#[derive(Deserialize)]
struct Vector {
    id: String,
    metric: String,
    predicted: f64,
}

#[test]
fn every_row_equals_the_reference() {
    let folder = format!("{}/tests/data/vectors", env!("CARGO_MANIFEST_DIR"));
    let mut reader = csv::Reader::from_path(format!("{folder}/end_to_end_dev.csv")).expect("vectors");
    let vectors: BTreeMap<(String, String), f64> = reader
        .deserialize()
        .map(|row: Result<Vector, _>| row.expect("a row"))
        .map(|v| ((v.id, v.metric), v.predicted))
        .collect();
    let reading = measured::load(Path::new(&format!("{folder}/end_to_end_rows.csv"))).expect("rows");
    let context = Context::default();
    let mut wrong = Vec::new();
    for run in &reading.runs {
        let row = run.row.as_ref().expect("a row");
        let id = row.id.clone().expect("an id");
        let reference = vectors[&(id.clone(), row.metric.clone())];
        match validate::case(&context, run, row) {
            Err(why) => wrong.push(format!("{id}: left out, {why}")),
            Ok(case) => {
                let prediction = validate::predict(&case);
                let off = prediction.value() / reference - 1.0;
                if off.is_nan() || off.abs() > TOLERANCE {
                    let parts: Vec<String> = prediction
                        .parts
                        .iter()
                        .filter(|(_, us)| *us > 0.0)
                        .map(|(part, us)| format!("{} {:.3}", part.name(), us / 1e3))
                        .collect();
                    wrong.push(format!(
                        "{id} {} {} {}: {:+.4} of {reference}; {}",
                        case.scenario.machine.id,
                        case.scenario.deployment.engine.id,
                        case.scenario.model.name,
                        off,
                        parts.join(", ")
                    ));
                }
            }
        }
    }
    assert_eq!(reading.runs.len(), vectors.len());
    assert!(wrong.is_empty(), "{} of {}\n{}", wrong.len(), vectors.len(), wrong.join("\n"));
}
