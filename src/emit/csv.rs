//! CSV: one row of inputs and headline figures, for spreadsheets.

use super::Format;
use crate::kernel::Stage;
use crate::report::Record;

/// One row with its heading.
pub const FORMAT: Format = Format {
    name: "csv",
    extension: "csv",
    about: "one row of inputs, metrics, bands, memory and stages",
    render: |report, _| rows(&[Record::new(report)]),
};

/// Records as rows under one heading.
#[must_use]
pub fn rows(records: &[Record]) -> String {
    let mut out = String::new();
    for record in records {
        let (names, values): (Vec<String>, Vec<String>) = cells(record).into_iter().unzip();
        if out.is_empty() {
            out += &line(names);
        }
        out += &line(values);
    }
    out
}

/// One row.
pub(super) fn line(cells: impl IntoIterator<Item = String>) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    // Writing to memory cannot fail.
    let _ = writer.write_record(cells);
    String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
}

/// A name that no spreadsheet takes for a formula.
pub(super) fn plain(name: &str) -> String {
    let formula = name.starts_with(['=', '+', '-', '@', '\t', '\r']);
    if formula { format!("'{name}") } else { name.to_owned() }
}

type Cells = Vec<(String, String)>;

fn cells(record: &Record) -> Cells {
    let mut cells: Cells = Vec::new();
    let mut add = |name: &str, value: String| cells.push((name.to_owned(), value));
    let number = |value: Option<f64>| value.map_or_else(String::new, |v| v.to_string());
    let inputs = &record.inputs;
    add("model", plain(&inputs.model));
    add("hardware", plain(&inputs.hardware));
    add("engine", inputs.deployment.engine.clone());
    add("tensor_parallel", inputs.deployment.tensor_parallel.to_string());
    add("weights_dtype", inputs.switches.weights_dtype.to_owned());
    add("kv_dtype", inputs.switches.kv_dtype.to_owned());
    add("batch_size", inputs.workload.batch_size.to_string());
    add("prompt_len", inputs.workload.prompt_len.to_string());
    add("gen_len", inputs.workload.gen_len.to_string());
    add("scenario", inputs.workload.scenario.to_owned());
    add("feasible", record.feasible.to_string());
    let metrics = &record.metrics;
    for (name, value) in [
        ("ttft_ms", metrics.ttft_ms),
        ("ttft_low_ms", record.bands.ttft_ms.as_ref().map(|band| band.low)),
        ("ttft_high_ms", record.bands.ttft_ms.as_ref().map(|band| band.high)),
        ("tpot_ms", metrics.tpot_ms),
        ("tpot_low_ms", record.bands.tpot_ms.as_ref().map(|band| band.low)),
        ("tpot_high_ms", record.bands.tpot_ms.as_ref().map(|band| band.high)),
        ("tpot_inclusive_ms", metrics.tpot_inclusive_ms),
        ("e2e_ms", metrics.e2e_ms),
        ("output_tokens_per_s", metrics.output_tokens_per_s),
        ("requests_per_s", metrics.requests_per_s),
        ("weights_bytes", Some(record.memory.weights_bytes)),
        ("kv_cache_bytes", Some(record.memory.kv_cache_bytes)),
        ("free_bytes", Some(record.memory.free_bytes)),
        ("kv_capacity_tokens", Some(record.memory.kv_capacity_tokens as f64)),
    ] {
        add(name, number(value));
    }
    for (prefix, tree) in [("ttft", &record.ttft), ("tpot", &record.tpot)] {
        for stage in Stage::ALL {
            let found = tree.iter().flat_map(|tree| &tree.children).find(|part| part.stage == stage.name());
            add(&format!("{prefix}_{}_ms", stage.name()), number(found.map(|part| part.ms)));
        }
    }
    cells
}
