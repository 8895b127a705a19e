//! What the script of the page works on: every point of the page, a column a figure.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::SweepReport;
use super::section::Plan;
use super::shown::{Axis, Figure, Shown, ShownPoint, Standing};
use crate::report::SCHEMA_VERSION;
use crate::sweep::PointOutcome;

/// Bytes of reasons that a page carries.
const MOST_REASONS: usize = 64 * 1024;

/// The data of the page as JSON.
#[must_use]
pub fn data(report: &SweepReport) -> String {
    let shown = Shown::new(report);
    let mut out = Map::new();
    let mut put = |key: &str, value: Value| drop(out.insert(key.to_owned(), value));
    put("schema_version", json!(SCHEMA_VERSION));
    put("kind", json!("sweep_page"));
    put("title", json!(report.question.title));
    put("total", json!(report.summary.total));
    put("axes", shown.axes.iter().map(axis).collect());
    put("figures", figures(&shown));
    put("standings", Standing::ALL.map(name).into_iter().collect());
    put("verdict", json!(shown.anchor));
    put("map", Plan::new(&shown).map_or(Value::Null, |plan| map(&shown, &plan)));
    put("at", (0..shown.axes.len()).map(|axis| column(&shown, |point| json!(point.at[axis]))).collect());
    for figure in present(&shown) {
        put(key(figure), column(&shown, |point| short(point.figure(figure))));
    }
    why(&shown, &mut put);
    put("standing", column(&shown, |point| json!(point.standing as usize)));
    Value::Object(out).to_string()
}

fn column(shown: &Shown<'_>, of: impl Fn(&ShownPoint<'_>) -> Value) -> Value {
    shown.points.iter().map(of).collect()
}

/// Why points are no scenario: the reasons, and which point has which.
fn why(shown: &Shown<'_>, put: &mut impl FnMut(&str, Value)) {
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    let (mut reasons, mut room) = (Vec::new(), MOST_REASONS);
    let mut of = Map::new();
    for (index, point) in shown.points.iter().enumerate() {
        let PointOutcome::Invalid(why) = &point.result.outcome else { continue };
        if !places.contains_key(why.as_str()) && why.len() <= room {
            room -= why.len();
            places.insert(why, reasons.len());
            reasons.push(json!(why));
        }
        of.extend(places.get(why.as_str()).map(|place| (index.to_string(), json!(place))));
    }
    put("reasons", Value::Array(reasons));
    put("why", Value::Object(of));
}

/// A number without the `.0` of a whole one.
fn short(value: Option<f64>) -> Value {
    match value {
        Some(whole) if whole.fract() == 0.0 && (0.0..1e15).contains(&whole) => json!(whole as u64),
        Some(value) => json!(value),
        None => Value::Null,
    }
}

/// A field: its path, its values as declared, and their names where they differ.
fn axis(axis: &Axis) -> Value {
    let values: Vec<Value> = axis.values.iter().map(|value| json!(value.raw.as_deref())).collect();
    let differ = axis.values.iter().any(|value| value.raw.as_deref() != Some(&value.name));
    let names = differ.then(|| axis.values.iter().map(|value| value.name.as_str()).collect::<Vec<_>>());
    json!({"path": &*axis.path, "numeric": axis.numeric, "values": values, "names": names})
}

/// Figures that any point has: key in a deep link, column, unit.
fn figures(shown: &Shown<'_>) -> Value {
    let unit = |figure: Figure| match figure {
        Figure::Ttft | Figure::Tpot => "ms",
        Figure::Memory => "GiB",
        Figure::Speed | Figure::SpeedPerGpu => "",
    };
    present(shown).map(|figure| json!([figure.key(), key(figure), unit(figure)])).collect()
}

fn present<'s>(shown: &'s Shown<'_>) -> impl Iterator<Item = Figure> + 's {
    let has = |figure: &Figure| shown.points.iter().any(|point| point.figure(*figure).is_some());
    Figure::ALL.into_iter().filter(move |figure| *figure != Figure::SpeedPerGpu || shown.several_gpus).filter(has)
}

/// The name of a column, as the file beside the page has it.
const fn key(figure: Figure) -> &'static str {
    match figure {
        Figure::Ttft => "ttft_ms",
        Figure::Tpot => "tpot_ms",
        Figure::Speed => "output_tokens_per_s",
        Figure::SpeedPerGpu => "output_tokens_per_s_per_gpu",
        Figure::Memory => "memory_needed_gib",
    }
}

const fn name(standing: Standing) -> &'static str {
    match standing {
        Standing::Meets => "meets",
        Standing::AtRisk => "at_risk",
        Standing::Runs => "ran",
        Standing::Misses => "misses",
        Standing::DoesNotFit => "does_not_fit",
        Standing::Invalid => "invalid",
    }
}

/// What the map shows: the fields of its sides with the values shown, and where it starts.
fn map(shown: &Shown<'_>, plan: &Plan) -> Value {
    let side = |side: &super::section::Side| json!([side.axis, side.values]);
    json!({
        "rows": plan.rows.as_ref().map(side),
        "columns": side(&plan.columns),
        "at": shown.anchor().map(|anchor| anchor.at.clone()),
    })
}
