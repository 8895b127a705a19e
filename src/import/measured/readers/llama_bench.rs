//! `llama-bench`: JSON, JSONL, CSV, SQL and Markdown; a row is a test.
//!
//! - `n_prompt` only (pp): TTFT = avg_ns, prefill only, without sampling, tokeniser and HTTP.
//! - `n_gen` only (tg): TPOT = avg_ns / n_gen.
//! - both (pg): e2e = avg_ns; its rate mixes the phases.
//!
//! Batch is always one sequence; `n_depth` tokens are in the cache before. The model's name carries the dtype.

use crate::import::measured::Refusal;
use crate::import::measured::content::Content;
use crate::import::measured::draft::Draft;
use crate::import::measured::run::{Boundary, MeasuredRun, Spread};
use crate::import::measured::table::Table;

/// Keys of JSON objects and CSV columns.
pub(super) const KEYS: &[&str] = &["build_commit", "model_type", "n_prompt", "n_gen", "avg_ns"];
/// Columns that every Markdown table has.
pub(super) const MARKDOWN: &[&str] = &["model", "size", "params", "test", "t/s"];

/// A row's fields by name, whatever form it was written in.
struct Fields<'a> {
    line: u64,
    text: &'a dyn Fn(&str) -> Option<String>,
    number: &'a dyn Fn(&str) -> Option<f64>,
}

/// JSON array or JSONL.
pub(super) fn json(_: &Content<'_>, draft: &mut Draft<'_>) -> Result<(), Refusal> {
    for record in draft.records()? {
        let (text, number) = (|key: &str| record.json.first_text(&[key]), |key: &str| record.json.number(key));
        push(draft, "", &Fields { line: record.line, text: &text, number: &number });
    }
    Ok(())
}

/// CSV, every value quoted.
pub(super) fn csv(_: &Content<'_>, draft: &mut Draft<'_>) -> Result<(), Refusal> {
    for row in draft.tables(KEYS)?.iter().flat_map(Table::rows) {
        let (text, number) = (|key: &str| row.text(key).map(str::to_owned), |key: &str| row.number(key));
        push(draft, " CSV", &Fields { line: row.line, text: &text, number: &number });
    }
    Ok(())
}

/// `INSERT INTO … (names) VALUES (values);` lines.
pub(super) fn sql(content: &Content<'_>, draft: &mut Draft<'_>) -> Result<(), Refusal> {
    let mut mismatch = None;
    for (line, number) in content.text.lines().zip(1..) {
        let Some((_, rest)) = line.split_once("INSERT INTO ") else { continue };
        let Some((names, values)) = insert(rest) else { continue };
        if names.len() != values.len() {
            mismatch.get_or_insert((number, values.len(), names.len()));
            continue;
        }
        let find = |key: &str| names.iter().position(|name| *name == key).map(|at| values[at].clone());
        let (text, value) =
            (|key: &str| find(key).filter(|text| !text.is_empty()), |key: &str| find(key)?.parse().ok());
        push(draft, " SQL", &Fields { line: number, text: &text, number: &value });
    }
    if let Some((line, values, names)) = mismatch {
        let what = format!("line {line} has {values} values for {names} names, so columns cannot be matched");
        if draft.runs.is_empty() {
            return Err(Refusal::new(what, "run the tool again, or give its JSON output"));
        }
        draft.caution(what);
    }
    Ok(())
}

/// The names and the values of an INSERT; quotes inside a value are doubled.
fn insert(text: &str) -> Option<(Vec<&str>, Vec<String>)> {
    let (names, rest) = text.split_once('(')?.1.split_once(')')?;
    let mut chars = rest.split_once('(')?.1.chars().peekable();
    let mut values = vec![String::new()];
    let mut quoted = false;
    while let Some(c) = chars.next() {
        match c {
            '\'' if quoted && chars.next_if_eq(&'\'').is_some() => values.last_mut()?.push('\''),
            '\'' => quoted = !quoted,
            ',' if !quoted => values.push(String::new()),
            ')' if !quoted => break,
            ' ' if !quoted => {}
            c => values.last_mut()?.push(c),
        }
    }
    Some((names.split(',').map(str::trim).collect(), values))
}

fn push(draft: &mut Draft<'_>, form: &str, fields: &Fields<'_>) {
    let new = (fields.text)("n_depth").or((fields.text)("backends")).is_some();
    let mut run = draft.run(format!("llama-bench {}{form}", if new { "2026" } else { "2023-09" }));
    run.line = fields.line;
    run.model = (fields.text)("model_type");
    let layers = (fields.number)("n_gpu_layers");
    let card = (fields.text)("gpu_info").filter(|_| layers != Some(0.0));
    run.hardware = card.or((fields.text)("cpu_info"));
    let kv = (fields.text)("type_k").filter(|k| (fields.text)("type_v").is_none_or(|v| v == *k));
    let (prompt, tokens) = ((fields.number)("n_prompt").unwrap_or(0.0), (fields.number)("n_gen").unwrap_or(0.0));
    let depth = (fields.number)("n_depth").unwrap_or(0.0);
    run.tell("model_params", (fields.number)("model_n_params"));
    run.tell("depth", depth);
    run.tell("dtype_kv", kv);
    run.tell("n_gpu_layers", layers);
    run.tell("tok_s", (fields.number)("avg_ts"));
    run.engine_version = (fields.text)("build_commit");
    run.dtype_in_model = run.model.is_some();
    let ms = (fields.number)("avg_ns").map(|ns| ns / 1e6);
    test(draft, run, (prompt, tokens, depth), ms, (fields.number)("avg_ts"));
}

/// Gives a run the meaning of its test: tokens of (prompt, output, depth), time of the whole test, tokens a second.
fn test(draft: &mut Draft<'_>, mut run: MeasuredRun, of: (f64, f64, f64), ms: Option<f64>, rate: Option<f64>) {
    let (prompt, tokens, depth) = of;
    run.boundary = Boundary::Batch;
    run.engine = Some("llama.cpp".to_owned());
    run.concurrency = Some(1.0);
    run.prompt_len_mean = Some(prompt).filter(|n| *n > 0.0);
    run.gen_len_mean = Some(tokens).filter(|n| *n > 0.0);
    let at = if depth > 0.0 { format!(" @ d{depth}") } else { String::new() };
    match (prompt > 0.0, tokens > 0.0) {
        (true, false) => {
            run.ttft_ms = Spread::mean(ms);
            run.tell("ttft_is", "prefill_only_no_sampling_no_tokenization");
            run.tell("test", format!("pp{prompt}{at}"));
            draft.note("pp rows are prefill only: no sampling, no tokeniser, no HTTP, one sequence");
        }
        (false, true) => {
            run.tpot_ms = Spread::mean(ms.map(|ms| ms / tokens));
            run.output_tok_s = rate;
            run.tell("test", format!("tg{tokens}{at}"));
        }
        _ => {
            run.e2e_ms = Spread::mean(ms);
            run.total_tok_s = rate;
            run.tell("test", format!("pp{prompt}+tg{tokens}{at}"));
            draft.note("rows with prompt and output mix both phases: only e2e can be compared");
        }
    }
    draft.runs.push(run);
}

/// The table for people: rates as `mean ± deviation`, tests as `pp512`, `tg 128`, `pp512+tg128 @ d1024`.
pub(super) fn markdown(_: &Content<'_>, draft: &mut Draft<'_>) -> Result<(), Refusal> {
    for row in draft.tables(MARKDOWN)?.iter().flat_map(Table::rows) {
        let Some((prompt, tokens, depth)) = row.text("test").and_then(parse_test) else {
            draft.caution(format!("line {}: the test is none of pp, tg, pp+tg; left out", row.line));
            continue;
        };
        let mut run = draft.run("markdown");
        run.line = row.line;
        run.model = row.text("model").map(str::to_owned);
        let rate = row.number("t/s").filter(|rate| *rate > 0.0);
        run.tell("tok_s", rate);
        let deviation = row.text("t/s").and_then(|cell| cell.split_whitespace().nth(2)?.parse::<f64>().ok());
        run.tell("tok_s_std", deviation);
        if let Some(backend) = row.text("backend") {
            run.tell("hardware", format!("{backend} (card not named)"));
        }
        let ms = rate.map(|rate| (prompt + tokens) / rate * 1e3);
        test(draft, run, (prompt, tokens, depth), ms, rate);
    }
    Ok(())
}

fn parse_test(cell: &str) -> Option<(f64, f64, f64)> {
    let cell: String = cell.chars().filter(|c| !c.is_whitespace()).collect();
    let (test, depth) = cell.split_once("@d").map_or((cell.as_str(), "0"), |(test, depth)| (test, depth));
    let of = |text: &str, kind: &str| text.strip_prefix(kind).and_then(|n| n.parse::<u32>().ok()).map(f64::from);
    let (prompt, tokens) = match test.split_once('+') {
        Some((prompt, tokens)) => (of(prompt, "pp")?, of(tokens, "tg")?),
        None => match of(test, "pp") {
            Some(prompt) => (prompt, 0.0),
            None => (0.0, of(test, "tg")?),
        },
    };
    Some((prompt, tokens, depth.parse::<u32>().map(f64::from).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_by_name() {
        assert_eq!(parse_test("pp 512"), Some((512.0, 0.0, 0.0)));
        assert_eq!(parse_test("tg128 @ d4096"), Some((0.0, 128.0, 4096.0)));
        assert_eq!(parse_test("pp512+tg128"), Some((512.0, 128.0, 0.0)));
        assert_eq!(parse_test("perplexity"), None);
    }

    #[test]
    fn inserts_keep_commas_and_quotes_inside_values() {
        let (names, values) = insert("t (a, b, c) VALUES ('x, y', 'it''s', '3');").expect("an INSERT");
        assert_eq!((names, values), (vec!["a", "b", "c"], vec!["x, y".into(), "it's".into(), "3".into()]));
    }
}
