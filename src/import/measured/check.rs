//! Whether a run's figures can be true together. A run is believed only after these tests.
//!
//! - e2e = TTFT + (n − 1)·TPOT within 10 %, on means (medians where a mean is missing).
//! - Output tokens/s ≈ requests in flight · n / e2e; off by a factor of tens, a unit is wrong.
//! - No time is negative, percentiles rise, TTFT ≤ e2e ≤ wall time, completed ≤ sent.
//!
//! Left out: finer use of the second test. Ramp-up, drain and idle clients move it by a factor of two in sound files.

use super::run::{Boundary, Consistency, MeasuredRun, Rate, Spread};

/// Tolerance of e2e against its parts.
const TOLERANCE: f64 = 0.10;
/// A factor beyond which two figures of one run differ by their unit and by nothing else.
const UNIT: f64 = 100.0;
/// How far mean times of different samples (rounded, or of different populations) may cross.
const SLACK: f64 = 1.05;

/// The verdict on e2e = TTFT + (n − 1)·TPOT.
///
/// Tools that time a batch count the first token into decode or not; there, both n − 1 and n steps are accepted.
pub(super) fn consistency(run: &MeasuredRun) -> Consistency {
    let times = (run.e2e_ms.centre(), run.ttft_ms.centre(), run.tpot_ms.centre(), run.gen_len_mean);
    let (Some(e2e), Some(ttft), Some(tpot), Some(tokens)) = times else { return Consistency::NotTestable };
    if tokens < 2.0 {
        return Consistency::NotTestable;
    }
    let ratio = e2e / (ttft + (tokens - 1.0) * tpot);
    let with_first = e2e / (ttft + tokens * tpot);
    let fits = |ratio: f64| (ratio - 1.0).abs() <= TOLERANCE;
    if fits(ratio) || (run.boundary == Boundary::Batch && fits(with_first)) {
        Consistency::Consistent(ratio)
    } else {
        Consistency::Contradicts(ratio)
    }
}

/// TPOT that follows from the means of e2e, TTFT and output length.
pub(super) fn implied_tpot(run: &MeasuredRun) -> Option<f64> {
    let tokens = run.gen_len_mean.filter(|tokens| *tokens >= 2.0)?;
    let tpot = (run.e2e_ms.mean? - run.ttft_ms.mean?) / (tokens - 1.0);
    (tpot > 0.0).then_some(tpot)
}

/// Why a run cannot be used, if its figures rule each other out.
pub(super) fn refutation(run: &MeasuredRun) -> Option<String> {
    impossible(run).map(|what| format!("impossible values: {what}")).or_else(|| wrong_unit(run))
}

fn impossible(run: &MeasuredRun) -> Option<String> {
    let spreads = [("TTFT", run.ttft_ms), ("TPOT", run.tpot_ms), ("ITL", run.itl_ms), ("e2e", run.e2e_ms)];
    if let Some(what) = spreads.iter().find_map(|(name, spread)| bad_spread(name, spread)) {
        return Some(what);
    }
    let amounts = [
        ("output tokens/s", run.output_tok_s),
        ("total tokens/s", run.total_tok_s),
        ("prompt length", run.prompt_len_mean),
        ("output length", run.gen_len_mean),
        ("duration", run.duration_s),
        ("concurrency", run.concurrency),
    ];
    if let Some((name, Some(value))) = amounts.iter().find(|(_, value)| value.is_some_and(|v| v < 0.0)) {
        return Some(format!("{name} is {value}"));
    }
    if let (Some(output), Some(total)) = (run.output_tok_s, run.total_tok_s)
        && output > total * SLACK
        && !run.more.contains_key("output_tok_s_is")
    {
        return Some(format!("{output} output tokens/s exceed {total} tokens/s in total"));
    }
    if let (Some(completed), Some(sent)) = (run.n_requests, run.requested)
        && completed > sent
    {
        return Some(format!("{completed} of {sent} requests completed"));
    }
    if let (Some(ttft), Some(e2e)) = (run.ttft_ms.mean, run.e2e_ms.mean)
        && ttft > e2e * SLACK
        && ttft < e2e * UNIT
    {
        return Some(format!("mean TTFT {ttft:.1} ms exceeds mean e2e {e2e:.1} ms"));
    }
    let (e2e, wall) = (run.e2e_ms.mean?, run.duration_s? * 1e3);
    let too_long = e2e > wall * SLACK && e2e < wall * UNIT;
    let unit = if e2e > wall * 2.0 { "; is a unit wrong (factor 1000)?" } else { "" };
    too_long.then(|| format!("mean e2e {e2e:.1} ms exceeds the {wall:.1} ms of the whole run{unit}"))
}

fn bad_spread(name: &str, spread: &Spread) -> Option<String> {
    if let Some(value) = spread.values().into_iter().flatten().find(|value| *value < 0.0) {
        return Some(format!("{name} is {value} ms"));
    }
    let rising: Vec<f64> = [spread.p50, spread.p90, spread.p99].into_iter().flatten().collect();
    let falls = rising.windows(2).find(|pair| pair[1] < pair[0] * (1.0 - 1e-9));
    falls.map(|pair| format!("a higher percentile of {name} is smaller ({} after {} ms)", pair[1], pair[0]))
}

/// Milliseconds written as seconds, or the reverse.
fn wrong_unit(run: &MeasuredRun) -> Option<String> {
    let tokens = run.gen_len_mean?;
    let parts = match (run.ttft_ms.centre(), run.tpot_ms.centre()) {
        (Some(ttft), Some(tpot)) => Some(ttft + (tokens - 1.0).max(0.0) * tpot),
        _ => None,
    };
    if let (Some(e2e), Some(parts)) = (run.e2e_ms.centre(), parts)
        && (e2e > parts * UNIT || parts > e2e * UNIT)
    {
        return Some(format!(
            "wrong unit, factor 1000: e2e is {e2e:.4} ms, but TTFT + (n − 1)·TPOT is {parts:.4} ms; seconds and \
                 milliseconds were mixed up"
        ));
    }
    let e2e = run.e2e_ms.centre().or(parts)?;
    if let Some(wall) = run.duration_s.map(|seconds| seconds * 1e3)
        && e2e > wall * UNIT
    {
        return Some(format!(
            "wrong unit, factor 1000: mean e2e {e2e:.1} ms in a run of {wall:.1} ms; seconds and milliseconds were \
                 mixed up"
        ));
    }
    let in_flight = run.output_tok_s? * e2e / 1e3 / tokens;
    let requests = run.n_requests.map(|n| n as f64);
    let most = [run.concurrency, requests].into_iter().flatten().reduce(f64::min)?;
    let open_loop = matches!(run.request_rate, Some(Rate::PerSecond(_))) || run.concurrency.is_none();
    if in_flight > most * UNIT || (!open_loop && in_flight * UNIT < most) {
        return Some(format!(
            "wrong unit, factor 1000: {:.1} tokens/s with e2e {e2e:.4} ms mean {in_flight:.3} requests in flight, but \
             {most} were; seconds and milliseconds were mixed up",
            run.output_tok_s.unwrap_or_default()
        ));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(ttft: f64, tpot: f64, e2e: f64, tokens: f64) -> MeasuredRun {
        let mut run = MeasuredRun::new("x", "x");
        (run.ttft_ms, run.tpot_ms) = (Spread::mean(Some(ttft)), Spread::mean(Some(tpot)));
        (run.e2e_ms, run.gen_len_mean) = (Spread::mean(Some(e2e)), Some(tokens));
        run
    }

    #[test]
    fn e2e_holds_ttft_and_the_other_tokens() {
        assert_eq!(consistency(&run(50.0, 10.0, 200.0, 16.0)), Consistency::Consistent(1.0));
        assert_eq!(consistency(&run(50.0, 5.0, 200.0, 16.0)), Consistency::Contradicts(1.6));
        assert_eq!(consistency(&run(50.0, 5.0, 200.0, 1.0)), Consistency::NotTestable);
        let mut batch = run(10.0, 10.0, 30.0, 2.0);
        assert!(matches!(consistency(&batch), Consistency::Contradicts(_)));
        batch.boundary = Boundary::Batch;
        assert!(matches!(consistency(&batch), Consistency::Consistent(_)));
        assert_eq!(implied_tpot(&run(50.0, 5.0, 200.0, 16.0)), Some(10.0));
    }

    #[test]
    fn units_and_impossible_values_are_found() {
        let refuted = |run: &MeasuredRun| refutation(run).unwrap_or_default();
        assert!(refuted(&run(0.05, 0.01, 200.0, 16.0)).contains("factor 1000"));
        assert!(refuted(&run(-1.0, 10.0, 200.0, 16.0)).contains("TTFT is -1"));
        assert!(refuted(&run(300.0, 10.0, 200.0, 16.0)).contains("exceeds mean e2e"));
        let mut seconds = run(0.05, 0.01, 0.2, 16.0);
        assert!(refutation(&seconds).is_none());
        (seconds.output_tok_s, seconds.concurrency) = (Some(80.0), Some(1.0));
        assert!(refuted(&seconds).contains("factor 1000"));
        let mut falling = run(50.0, 10.0, 200.0, 16.0);
        (falling.ttft_ms.p50, falling.ttft_ms.p99) = (Some(9.0), Some(8.0));
        assert!(refuted(&falling).contains("percentile"));
    }
}
