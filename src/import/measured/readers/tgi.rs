//! TGI's `text-generation-benchmark`: Markdown tables of parameters, latencies and throughput.
//!
//! Prefill latency is that of a whole batch sent together, decode latency that of one step; no queue, no HTTP. A blank
//! step cell means "as above". p90 and p99 are `sorted[n·p]`: with 10 runs, the maximum.

use crate::import::measured::Refusal;
use crate::import::measured::content::Content;
use crate::import::measured::draft::Draft;
use crate::import::measured::number::whole;
use crate::import::measured::run::{Boundary, Spread};
use crate::import::measured::table::{RowView, Table};

/// Columns of the latency and of the throughput table.
pub(super) const COLUMNS: &[&str] = &["Step", "Batch Size", "Average"];

/// Batch sizes read; the tool tries a handful.
const MOST_BATCHES: usize = 1000;

/// One run per batch size.
pub(super) fn read(content: &Content<'_>, draft: &mut Draft<'_>) -> Result<(), Refusal> {
    let latencies = draft.table(&["Step", "Batch Size", "Average", "p50", "p90", "p99"])?;
    let parameters = content.table(&["Parameter", "Value"]);
    let parameter = |name: &str| {
        let table = parameters.as_ref()?;
        table.rows().find(|row| row.text("Parameter") == Some(name)).and_then(|row| row.text("Value"))
    };
    let number = |name: &str| parameter(name)?.parse::<f64>().ok();
    let rest = content.text.rsplit_once("| Step").map_or("", |(_, rest)| rest);
    let throughput = Table::find(&format!("| Step{rest}"), COLUMNS).filter(|table| !table.has("p50"));
    for (row, _) in steps(&latencies).filter(|(_, step)| *step == "Prefill").take(MOST_BATCHES) {
        let batch = row.text("Batch Size");
        let mut run = draft.run("TGI 2-3");
        run.line = row.line;
        run.boundary = Boundary::Batch;
        run.engine = Some("tgi".to_owned());
        run.model = parameter("Model").map(str::to_owned);
        run.prompt_len_mean = number("Sequence Length");
        run.gen_len_mean = number("Decode Length");
        run.concurrency = row.number("Batch Size");
        run.n_requests = number("N Runs").and_then(whole);
        run.tell("n_requests_is", "runs of one whole batch");
        run.ttft_ms = spread(&row);
        run.tpot_ms = find(&latencies, "Decode (token)", batch).map_or(Spread::default(), |row| spread(&row));
        let rate = throughput.as_ref().and_then(|table| find(table, "Decode", batch));
        run.output_tok_s = rate.and_then(|row| row.number("Average"));
        run.tell("output_tok_s_is", "decode_phase_only");
        draft.runs.push(run);
    }
    draft.note("TTFT is prefill only: a whole batch sent together, no queue, no HTTP");
    Ok(())
}

/// Rows with the step they belong to.
fn steps(table: &Table) -> impl Iterator<Item = (RowView<'_>, &str)> {
    table.rows().scan("", |step, row| {
        *step = row.text("Step").unwrap_or(step);
        Some((row, *step))
    })
}

fn find<'t>(table: &'t Table, step: &str, batch: Option<&str>) -> Option<RowView<'t>> {
    steps(table)
        .map(|(row, name)| (name, row))
        .find(|(name, row)| *name == step && row.text("Batch Size") == batch)
        .map(|(_, row)| row)
}

fn spread(row: &RowView<'_>) -> Spread {
    Spread::ask(1.0, |stat| row.number(if stat == "mean" { "Average" } else { stat }))
}
