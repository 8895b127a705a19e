//! `llama-batched-bench`: B sequences prefilled together, then decoded together.
//!
//! TTFT = T_PP of the whole batch, TPOT = T_TG / TG, e2e = T. `S_TG` counts all sequences, in decode only.

use crate::import::measured::Refusal;
use crate::import::measured::content::Content;
use crate::import::measured::draft::Draft;
use crate::import::measured::run::{Boundary, Spread};
use crate::import::measured::table::Table;

/// JSONL keys.
pub(super) const KEYS: &[&str] = &["n_kv_max", "pp", "tg", "pl", "t_pp", "t_tg"];
/// Columns of the table.
pub(super) const TABLE: &[&str] = &["PP", "TG", "B", "N_KV", "T_PP s", "T_TG s"];

/// One JSON object a line, blank lines around them.
pub(super) fn json(_: &Content<'_>, draft: &mut Draft<'_>) -> Result<(), Refusal> {
    for record in draft.records()? {
        let names = ["pp", "tg", "pl", "t_pp", "t_tg", "t", "speed_tg", "speed"];
        if record.json.count("is_pp_shared") == Some(1) {
            draft.note("one prompt is shared by all sequences: TTFT is that of a single prompt");
        }
        push(draft, record.line, names.map(|name| record.json.number(name)));
    }
    Ok(())
}

/// The table for people.
pub(super) fn table(_: &Content<'_>, draft: &mut Draft<'_>) -> Result<(), Refusal> {
    for row in draft.tables(TABLE)?.iter().flat_map(Table::rows) {
        let names = ["PP", "TG", "B", "T_PP s", "T_TG s", "T s", "S_TG t/s", "S t/s"];
        push(draft, row.line, names.map(|name| row.number(name)));
    }
    Ok(())
}

fn push(draft: &mut Draft<'_>, line: u64, figures: [Option<f64>; 8]) {
    let [prompt, tokens, batch, prefill_s, decode_s, total_s, decode_rate, total_rate] = figures;
    let mut run = draft.run("llama-batched-bench 2026");
    run.line = line;
    run.boundary = Boundary::Batch;
    run.engine = Some("llama.cpp".to_owned());
    (run.prompt_len_mean, run.gen_len_mean, run.concurrency) = (prompt, tokens, batch);
    let ms = |seconds: Option<f64>| seconds.map(|seconds| seconds * 1e3);
    run.ttft_ms = Spread::mean(ms(prefill_s));
    run.tell("ttft_is", "prefill_of_whole_batch");
    let tokens = tokens.filter(|tokens| *tokens > 0.0);
    run.tpot_ms = Spread::mean(ms(decode_s).zip(tokens).map(|(ms, tokens)| ms / tokens));
    run.e2e_ms = Spread::mean(ms(total_s));
    (run.output_tok_s, run.total_tok_s) = (decode_rate, total_rate);
    run.tell("output_tok_s_is", "decode_phase_only");
    if let (Some(prompt), Some(tokens), Some(batch)) = (prompt, tokens, batch) {
        run.tell("test", format!("pp{prompt} tg{tokens} B{batch}"));
    }
    draft.runs.push(run);
}
