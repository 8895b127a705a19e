//! Our own table of end-to-end measurements: one figure a row.
//!
//! `batch` is the sequences of a static batch or the client's concurrency. `throughput_tok_s` counts output tokens over
//! all devices. Rates become times where the row's kind fixes how: TTFT = batch·prompt / prefill rate,
//! TPOT = batch / decode rate, e2e of a static batch = batch·gen / rate.

use crate::import::measured::Refusal;
use crate::import::measured::content::Content;
use crate::import::measured::draft::Draft;
use crate::import::measured::run::{Boundary, MeasuredRun, Row, Spread};
use crate::import::measured::table::RowView;

/// Columns without which a row says nothing.
pub(super) const COLUMNS: &[&str] = &["hardware", "model", "kind", "metric", "value"];

/// A run per row, in order; a row without a figure stays, so that whoever compares can say why it is left out.
pub(super) fn read(_: &Content<'_>, draft: &mut Draft<'_>) -> Result<(), Refusal> {
    let table = draft.table(COLUMNS)?;
    let (mut blank, mut unknown) = (Vec::new(), Vec::new());
    for row in table.rows() {
        let mut run = draft.run("rows");
        fill(&mut run, &row);
        let origin = origin(&row);
        if origin.value.is_none() {
            blank.push(row.line);
        } else if !time(&mut run, &origin) {
            unknown.push(row.line);
        }
        run.row = Some(Box::new(origin));
        draft.runs.push(run);
    }
    for (lines, what) in [(blank, "hold no value"), (unknown, "measure something unknown")] {
        if let Some(first) = lines.first() {
            draft.caution(format!("{} rows {what}, the first in line {first}", lines.len()));
        }
    }
    Ok(())
}

fn fill(run: &mut MeasuredRun, row: &RowView<'_>) {
    let text = |column: &str| row.text(column).map(str::to_owned);
    run.line = row.line;
    run.model = text("model");
    run.hardware = text("hardware");
    run.dtype = text("weight_dtype");
    run.engine = text("engine");
    run.engine_version = text("engine_version");
    run.concurrency = row.number("batch");
    run.prompt_len_mean = row.number("prompt_len");
    run.gen_len_mean = row.number("gen_len");
    run.tensor_parallel = row.count("tp");
    if row.text("kind") != Some("serving") {
        run.boundary = Boundary::Batch;
    }
}

fn origin(row: &RowView<'_>) -> Row {
    let text = |column: &str| row.text(column).map(str::to_owned);
    Row {
        id: text("id"),
        kind: text("kind").unwrap_or_default(),
        metric: text("metric").unwrap_or_default(),
        value: row.number("value").filter(|value| *value > 0.0),
        gpus: row.count("gpus"),
        pipeline_parallel: row.count("pp"),
        not_counts: COUNTS.iter().copied().filter(|column| !is_count(row, column)).collect(),
        kv_dtype: text("kv_dtype"),
        source: text("source"),
        quality: text("quality"),
        note: text("note").unwrap_or_default(),
    }
}

/// Columns of devices: a blank cell means one.
const COUNTS: &[&str] = &["tp", "pp", "gpus"];

fn is_count(row: &RowView<'_>, column: &str) -> bool {
    row.text(column).is_none() || row.count(column).is_some_and(|count| count > 0)
}

/// Puts a row's figure into its place; false where the metric is unknown.
fn time(run: &mut MeasuredRun, row: &Row) -> bool {
    let Some(value) = row.value else { return false };
    let batch = run.concurrency;
    let tokens = |each: Option<f64>| batch.zip(each).map(|(batch, each)| batch * each);
    let mut derived = |name: &str, ms: Option<f64>| {
        run.derived.extend(ms.map(|_| name.to_owned()));
        Spread::mean(ms)
    };
    match row.metric.as_str() {
        "ttft_ms" => run.ttft_ms = Spread::mean(Some(value)),
        "tpot_ms" => run.tpot_ms = Spread::mean(Some(value)),
        "e2e_ms" => run.e2e_ms = Spread::mean(Some(value)),
        "prefill_tok_s" => run.ttft_ms = derived("ttft_ms", tokens(run.prompt_len_mean).map(|n| n / value * 1e3)),
        "decode_tok_s" => {
            run.output_tok_s = Some(value);
            run.tpot_ms = derived("tpot_ms", batch.map(|batch| batch / value * 1e3));
        }
        "throughput_tok_s" => {
            run.output_tok_s = Some(value);
            if row.kind == "static_batch" {
                run.e2e_ms = derived("e2e_ms", tokens(run.gen_len_mean).map(|n| n / value * 1e3));
            }
        }
        _ => return false,
    }
    true
}
