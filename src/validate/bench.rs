//! From a run of a bench tool to rows: one for each figure that can be compared.
//!
//! Lengths that are whole numbers on average are taken to be equal in all requests, others to vary. Where neither a cap
//! nor a count of requests in flight is there, their mean follows from rate and duration (Little's law).

use super::case::{Kind, Metric};
use super::rows::{self, LeftOut};
use super::storage::Stored;
use crate::catalog;
use crate::import::measured::{Boundary, Consistency, Fact, MeasuredRun, Row, Spread};

/// A figure of a run as a row, or why it cannot be compared.
pub(super) struct Figure {
    /// The run with what its tool implies filled in.
    pub run: MeasuredRun,
    /// The figure.
    pub row: Row,
    /// Lengths vary.
    pub varied: bool,
    /// Whether it depends on the output length.
    pub needs_output: bool,
    /// Why it is left out before anything is computed.
    pub left_out: Option<LeftOut>,
}

/// The figures of a run.
pub(super) fn figures(run: &MeasuredRun) -> Vec<Figure> {
    let mut run = run.clone();
    let kind = kind(&run);
    let piles_up = run.piles_up();
    run.concurrency = in_flight(&run);
    if run.dtype.is_none() && (run.dtype_in_model || kind == Kind::LlamaBench) {
        run.dtype = run.model.as_deref().and_then(dtype_in_name);
    }
    // A decode test starts from the cache it was given.
    if kind == Kind::LlamaBench {
        run.prompt_len_mean = run.prompt_len_mean.or(Some(number(&run, "depth")));
        run.gen_len_mean = run.gen_len_mean.or(Some(1.0));
    }
    let whole = |length: Option<f64>| length.is_none_or(|length| length.fract() == 0.0);
    let varied = !(whole(run.prompt_len_mean) && whole(run.gen_len_mean));
    let batch = kind != Kind::Serving;
    let measured = measured(&run, batch);
    let figure = |(metric, value): (Metric, f64)| Figure {
        left_out: left_out(&run, kind, metric, piles_up),
        row: Row {
            kind: kind.name().to_owned(),
            metric: metric.name().to_owned(),
            value: Some(value),
            ..Row::default()
        },
        run: run.clone(),
        varied,
        needs_output: rows::needs_output(kind, metric),
    };
    measured.into_iter().map(figure).collect()
}

fn kind(run: &MeasuredRun) -> Kind {
    let local = run.engine.as_deref().is_some_and(|engine| catalog::local_engine(engine, "").is_some());
    match run.boundary {
        Boundary::Batch if local => Kind::LlamaBench,
        Boundary::Batch => Kind::StaticBatch,
        Boundary::Client | Boundary::Server => Kind::Serving,
    }
}

/// Figures in a fixed order. A whole request says nothing that its parts do not say, unless they are missing.
fn measured(run: &MeasuredRun, batch: bool) -> Vec<(Metric, f64)> {
    let centre = |spread: &Spread| spread.centre().filter(|value| *value > 0.0);
    let (ttft, tpot) = (centre(&run.ttft_ms), centre(&run.tpot_ms));
    let e2e = centre(&run.e2e_ms).filter(|_| batch || ttft.is_none() || tpot.is_none());
    let mut all: Vec<(Metric, f64)> = [(Metric::Ttft, ttft), (Metric::Tpot, tpot), (Metric::E2e, e2e)]
        .into_iter()
        .filter_map(|(metric, value)| Some((metric, value?)))
        .collect();
    if all.is_empty() && batch {
        all.extend(run.output_tok_s.filter(|rate| *rate > 0.0).map(|rate| (Metric::Throughput, rate)));
    }
    all
}

fn left_out(run: &MeasuredRun, kind: Kind, metric: Metric, piles_up: bool) -> Option<LeftOut> {
    if let (Consistency::Contradicts(ratio), Metric::Tpot | Metric::E2e) = (run.consistency, metric) {
        let what = format!("e2e is {ratio:.2} times TTFT + (n − 1)·TPOT: the figures contradict each other");
        return Some(LeftOut(what));
    }
    if kind == Kind::Serving && metric != Metric::Tpot && piles_up {
        return Some(LeftOut("requests pile up: the figure is time in the queue".to_owned()));
    }
    None
}

/// Mean number of requests in flight.
fn in_flight(run: &MeasuredRun) -> Option<f64> {
    let known = run.concurrency.or(run.concurrency_observed);
    let seconds = || run.e2e_ms.centre().map(|ms| ms / 1e3);
    let by_requests = || Some(run.n_requests? as f64 / run.duration_s.filter(|s| *s > 0.0)? * seconds()?);
    let by_tokens = || Some(run.output_tok_s? / run.gen_len_mean.filter(|n| *n > 0.0)? * seconds()?);
    known.or_else(by_requests).or_else(by_tokens).map(|n| n.max(1.0))
}

fn number(run: &MeasuredRun, key: &str) -> f64 {
    match run.more.get(key) {
        Some(Fact::Number(number)) => *number,
        _ => 0.0,
    }
}

/// The storage type at the end of a model's name, as `llama 8B Q4_K - Medium`.
fn dtype_in_name(name: &str) -> Option<String> {
    let words: Vec<&str> = name.split_whitespace().collect();
    let ends = (1..words.len()).map(|start| words[start..].join(" ").replace("mostly ", "").replace("all ", ""));
    ends.into_iter().find(|end| Stored::named(end).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_may_end_in_the_storage() {
        assert_eq!(dtype_in_name("llama 8B Q4_K - Medium").as_deref(), Some("Q4_K - Medium"));
        assert_eq!(dtype_in_name("LLaMA 7B mostly Q4_0").as_deref(), Some("Q4_0"));
        assert_eq!(dtype_in_name("llama 7B all F32").as_deref(), Some("F32"));
        assert_eq!(dtype_in_name("Llama-3-8B"), None);
    }
}
