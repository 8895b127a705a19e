//! The last step of a reading: every run is cleaned, tested and told what it lacks.

use super::Refusal;
use super::check::{self, consistency};
use super::draft::Draft;
use super::run::{Boundary, Consistency, Fact, MeasuredRun, Rate};
use super::text::short;

/// Cleans and tests the runs of a draft. After a refusal they are only cleaned.
pub(super) fn settle(draft: &mut Draft<'_>, outcome: Result<(), Refusal>) -> Result<(), Refusal> {
    if let Err(refusal) = outcome {
        for run in &mut draft.runs {
            shorten_words(run);
            clean(run);
            name_missing(run);
        }
        return Err(refusal);
    }
    if !draft.kernels.is_empty() {
        return Ok(());
    }
    let runs = std::mem::take(&mut draft.runs);
    if runs.is_empty() {
        return Err(Refusal::new("no run in it", "did the benchmark finish? Run it again"));
    }
    let count = runs.len();
    let mut said = Said::default();
    let mut dead = Vec::new();
    for (index, run) in runs.into_iter().enumerate() {
        let judged = judge(run);
        judged.cautions.into_iter().for_each(|text| said.add(index, text));
        draft.runs.extend(judged.run);
        dead.extend(judged.refusal.map(|refusal| (index, refusal)));
    }
    if dead.len() == count {
        return Err(dead.swap_remove(0).1);
    }
    dead.into_iter().for_each(|(index, refusal)| said.add(index, refusal.to_string()));
    said.tell(count, draft);
    if count > 1 && draft.runs.iter().all(|run| run.row.is_none()) {
        draft.note(format!("{count} runs, each compared on its own"));
    }
    tell_what_all_lack(draft);
    Ok(())
}

/// A run after its tests.
struct Judged {
    /// The run, unless its figures rule each other out.
    run: Option<MeasuredRun>,
    cautions: Vec<String>,
    /// Why it cannot be used.
    refusal: Option<Refusal>,
}

fn judge(mut run: MeasuredRun) -> Judged {
    shorten_words(&mut run);
    if run.row.is_some() {
        // One figure a row: nothing to test it against, and every row stays in its place.
        name_missing(&mut run);
        return Judged { run: Some(run), cautions: Vec::new(), refusal: None };
    }
    let mut cautions: Vec<String> = zero_means(&run).into_iter().collect();
    clean(&mut run);
    if let Some(what) = check::refutation(&run) {
        let refusal = Refusal::new(what, "measure again, or give the file as the tool wrote it");
        return Judged { run: None, cautions, refusal: Some(refusal) };
    }
    run.consistency = consistency(&run);
    let refusal = nothing_completed(&run).map(|what| Refusal::new(what, "look at the server's log and run again"));
    cautions.extend(remarks(&run));
    name_missing(&mut run);
    Judged { run: Some(run), cautions, refusal }
}

/// Cautions on runs, alike ones together.
#[derive(Default)]
struct Said {
    texts: Vec<(String, Vec<usize>)>,
}

/// Different cautions kept; a file with more is told by the first of them.
const MOST_SAID: usize = 200;
/// Runs named in one caution.
const MOST_NAMED: usize = 5;

impl Said {
    fn add(&mut self, index: usize, text: String) {
        let room = self.texts.len() < MOST_SAID;
        match self.texts.iter_mut().find(|(known, _)| *known == text) {
            Some((_, runs)) => runs.push(index + 1),
            None if room => self.texts.push((text, vec![index + 1])),
            None => {}
        }
    }

    fn tell(self, count: usize, draft: &mut Draft<'_>) {
        for (text, runs) in self.texts {
            let named: Vec<String> = runs.iter().take(MOST_NAMED).map(usize::to_string).collect();
            let more =
                if runs.len() > MOST_NAMED { format!(" and {} more", runs.len() - MOST_NAMED) } else { String::new() };
            draft.caution(match (count, runs.len()) {
                (1, _) => text,
                (_, 1) => format!("run {}: {text}", named.join("")),
                _ => format!("runs {}{more}: {text}", named.join(", ")),
            });
        }
    }
}

/// Longest name and longest remark kept of a file.
const NAME: usize = 200;
const REMARK: usize = 2000;

/// Names and remarks come from the file; what is shown of them is one line of bounded length.
fn shorten_words(run: &mut MeasuredRun) {
    let names = [&mut run.model, &mut run.hardware, &mut run.dtype, &mut run.engine, &mut run.engine_version];
    names.into_iter().flatten().for_each(|name| *name = short(name, NAME));
    for fact in run.more.values_mut() {
        if let Fact::Text(text) = fact {
            *text = short(text, NAME);
        }
    }
    if let Some(row) = &mut run.row {
        [&mut row.kind, &mut row.metric].into_iter().for_each(|name| *name = short(name, NAME));
        let names = [&mut row.id, &mut row.source, &mut row.kv_dtype, &mut row.quality];
        names.into_iter().flatten().for_each(|name| *name = short(name, NAME));
        row.note = short(&row.note, REMARK);
    }
}

/// A zero is a place that a tool left empty, never a measurement; what overflowed is none either.
fn clean(run: &mut MeasuredRun) {
    let empty = run.n_requests == Some(0);
    let drop_zero = |value: &mut Option<f64>| {
        if empty || value.is_some_and(|v| v == 0.0 || !v.is_finite()) {
            *value = None;
        }
    };
    for spread in [&mut run.ttft_ms, &mut run.tpot_ms, &mut run.itl_ms, &mut run.e2e_ms] {
        spread.values_mut().into_iter().for_each(drop_zero);
    }
    let amounts = [&mut run.output_tok_s, &mut run.total_tok_s, &mut run.prompt_len_mean, &mut run.gen_len_mean];
    amounts.into_iter().for_each(drop_zero);
    if run.boundary != Boundary::Batch && run.gen_len_mean.is_some_and(|tokens| tokens <= 1.0) {
        (run.tpot_ms, run.itl_ms) = Default::default();
    }
}

/// Times of completed requests whose mean is exactly zero.
fn zero_means(run: &MeasuredRun) -> Option<String> {
    let times = [("TTFT", run.ttft_ms), ("TPOT", run.tpot_ms), ("e2e", run.e2e_ms)];
    let zero = times.into_iter().filter(|(_, spread)| spread.mean == Some(0.0)).map(|(name, _)| name);
    let names = zero.collect::<Vec<_>>().join(", ");
    (!names.is_empty() && run.n_requests != Some(0))
        .then(|| format!("{names} is 0.0, a place left empty; read as missing"))
}

fn nothing_completed(run: &MeasuredRun) -> Option<String> {
    let of_sent = run.requested.or(run.n_failed).map_or(String::new(), |sent| format!("of {sent} "));
    (run.n_requests == Some(0))
        .then(|| format!("0 {of_sent}requests completed; nothing to compare (its 0.0 are no measurements)"))
}

/// What a person should know about one run.
fn remarks(run: &MeasuredRun) -> Vec<String> {
    let mut list = Vec::new();
    if run.n_requests == Some(0) {
        return list;
    }
    let mut caution = |text: String| list.push(text);
    if let (Some(done), Some(failed)) = (run.n_requests, run.n_failed.filter(|failed| *failed > 0)) {
        caution(format!("{done} of {} requests completed, {failed} failed; load and lengths differ", done + failed));
    }
    if run.boundary == Boundary::Client && run.gen_len_mean.is_some_and(|tokens| tokens <= 1.0) {
        caution("1 output token: TPOT undefined; only TTFT can be compared".to_owned());
    }
    if run.request_rate == Some(Rate::Unlimited) && run.concurrency.is_none() {
        caution("request rate inf without a cap on requests in flight: TTFT is queue time, not prefill".to_owned());
    }
    if let Some((reached, asked)) = fell_behind(run) {
        caution(format!(
            "achieved rate {reached:.1} of {asked:.1} requests/s: requests pile up and TTFT is queue time, not prefill"
        ));
    }
    if let Consistency::Contradicts(ratio) = run.consistency {
        caution(format!("TPOT contradicts e2e (factor {ratio:.2}): e2e is not TTFT + (n − 1)·TPOT within 10 %"));
    }
    list
}

/// Rates reached and asked, where the server or the client could not keep up.
fn fell_behind(run: &MeasuredRun) -> Option<(f64, f64)> {
    let Some(Rate::PerSecond(asked)) = run.request_rate else { return None };
    let requests = run.n_requests? as f64;
    let reached = run.achieved_rate.or_else(|| Some(requests / run.duration_s.filter(|s| *s > 0.0)?))?;
    // The last request starts after n / rate and then takes its own time.
    let own_time = run.e2e_ms.centre().unwrap_or(0.0) / 1e3;
    let possible = if run.achieved_rate.is_some() { asked } else { requests / (requests / asked + own_time) };
    (asked > 0.0 && reached < 0.8 * possible).then_some((reached, asked))
}

impl MeasuredRun {
    /// Whether requests piled up: everything was sent at once, or the server could not keep up. TTFT is then the time in
    /// the queue.
    #[must_use]
    pub fn piles_up(&self) -> bool {
        let at_once = self.request_rate == Some(Rate::Unlimited) && self.concurrency.is_none();
        at_once || fell_behind(self).is_some()
    }
}

/// Lists figures and context that are not there, in a fixed order; what the reader put there comes last.
fn name_missing(run: &mut MeasuredRun) {
    let mut missing: Vec<String> = [
        ("model", run.model.is_none()),
        ("n_requests", run.n_requests.is_none()),
        ("concurrency", run.concurrency.is_none()),
        ("request_rate", run.request_rate.is_none()),
        ("prompt_len_mean", run.prompt_len_mean.is_none()),
        ("gen_len_mean", run.gen_len_mean.is_none()),
        ("output_tok_s", run.output_tok_s.is_none()),
        ("total_tok_s", run.total_tok_s.is_none()),
    ]
    .into_iter()
    .filter(|(_, absent)| *absent)
    .map(|(name, _)| name.to_owned())
    .collect();
    let spreads = [("ttft_ms", run.ttft_ms), ("tpot_ms", run.tpot_ms), ("itl_ms", run.itl_ms), ("e2e_ms", run.e2e_ms)];
    for (name, spread) in spreads {
        let parts = ["mean", "p50", "p90", "p99"].into_iter().zip(spread.values());
        if spread.is_empty() {
            missing.push(name.to_owned());
        } else {
            missing.extend(parts.filter(|(_, v)| v.is_none()).map(|(part, _)| format!("{name}.{part}")));
        }
    }
    let context = [
        ("hardware", run.hardware.is_none()),
        ("dtype", run.dtype.is_none() && !run.dtype_in_model),
        ("tensor_parallel", run.tensor_parallel.is_none()),
    ];
    missing.extend(context.into_iter().filter(|(_, absent)| *absent).map(|(name, _)| name.to_owned()));
    missing.append(&mut run.missing);
    run.missing = missing;
}

/// What no comparison can do without and the user has to say.
fn tell_what_all_lack(draft: &mut Draft<'_>) {
    let lacks = |name: &str| draft.runs.iter().any(|run| run.missing.iter().any(|missing| missing == name));
    let context = [
        ("model", "model missing", "--model"),
        ("hardware", "GPU not named", "--hardware"),
        ("dtype", "dtype of the weights not stated", "--weights-dtype"),
        ("tensor_parallel", "tensor parallel not stated", "--tensor-parallel"),
    ];
    let (said, options): (Vec<&str>, Vec<&str>) =
        context.into_iter().filter(|(name, ..)| lacks(name)).map(|(_, said, option)| (said, option)).unzip();
    if !said.is_empty() {
        draft.note(format!("{}; give {}", said.join(", "), options.join(" ")));
    }
    let timed = |run: &MeasuredRun| !run.ttft_ms.is_empty() || !run.tpot_ms.is_empty() || run.row.is_some();
    if draft.runs.iter().all(|run| !timed(run) && run.n_requests != Some(0)) {
        draft.caution("no TTFT or TPOT in it; only what it measures as a whole can be compared");
    }
}
