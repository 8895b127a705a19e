//! The Prometheus text of vLLM, SGLang and TGI servers: histograms in seconds since the server's start.
//!
//! mean = sum / count, exact. A percentile is interpolated inside its bucket and is absent where it falls into the last
//! one, which has no upper end. Series of several engines or ranks are added; several models are several runs.

use std::collections::BTreeMap;

use crate::import::measured::Refusal;
use crate::import::measured::content::Content;
use crate::import::measured::draft::Draft;
use crate::import::measured::number::whole;
use crate::import::measured::run::{Boundary, MeasuredRun, Spread};

/// One sample line: `name{label="value"} number`.
struct Sample<'t> {
    name: &'t str,
    labels: Vec<(&'t str, &'t str)>,
    value: f64,
}

impl Sample<'_> {
    fn label(&self, name: &str) -> &str {
        self.labels.iter().find(|(key, _)| *key == name).map_or("", |(_, value)| value)
    }
}

/// Samples of one model on one kind of server.
struct Server<'t> {
    prefix: &'t str,
    samples: Vec<&'t Sample<'t>>,
}

/// A cumulative histogram, added over its label sets.
#[derive(Default)]
struct Histogram {
    sum: f64,
    count: f64,
    /// Upper ends and counts up to there, in file order of the ends.
    buckets: Vec<(f64, f64)>,
}

/// vLLM.
pub(super) fn vllm(content: &Content<'_>, draft: &mut Draft<'_>) -> Result<(), Refusal> {
    read(content, draft, "vllm:", |server, run| {
        // In old versions this histogram has one observation per gap, not one per request.
        run.itl_ms = server.first(&["inter_token_latency_seconds", "time_per_output_token_seconds"]).spread();
        run.tpot_ms = server.first(&["request_time_per_output_token_seconds"]).spread();
        let engine = server.samples.iter().any(|sample| !sample.label("engine").is_empty());
        run.format_version = match (run.tpot_ms.is_empty(), engine) {
            (false, _) => "vLLM 0.33 /metrics",
            (true, true) => "vLLM V1 /metrics",
            (true, false) => "vLLM V0 /metrics",
        }
        .to_owned();
    })
}

/// SGLang; the histograms carry vLLM's names.
pub(super) fn sglang(content: &Content<'_>, draft: &mut Draft<'_>) -> Result<(), Refusal> {
    read(content, draft, "sglang:", |server, run| {
        let new = server.first(&["inter_token_latency_seconds"]);
        run.format_version = if new.count > 0.0 { "SGLang 0.5 /metrics" } else { "SGLang 0.4 /metrics" }.to_owned();
        run.itl_ms = server.first(&["inter_token_latency_seconds", "time_per_output_token_seconds"]).spread();
        run.tpot_ms = server.first(&["request_time_per_output_token_seconds"]).spread();
    })
}

/// TGI: no TTFT; its time per token divides the whole inference, prefill included, by the tokens.
pub(super) fn tgi(content: &Content<'_>, draft: &mut Draft<'_>) -> Result<(), Refusal> {
    read(content, draft, "tgi_", |server, run| {
        run.format_version = "TGI /metrics".to_owned();
        let reported = server.first(&["request_mean_time_per_token_duration"]).spread();
        run.tool_reported_tpot_ms = Some(reported).filter(|spread| !spread.is_empty());
    })
}

fn read(
    content: &Content<'_>,
    draft: &mut Draft<'_>,
    prefix: &'static str,
    engine_times: fn(&Server<'_>, &mut MeasuredRun),
) -> Result<(), Refusal> {
    let samples: Vec<Sample<'_>> = content.text.lines().filter_map(sample).collect();
    let mut models: BTreeMap<&str, Vec<&Sample<'_>>> = BTreeMap::new();
    for sample in samples.iter().filter(|sample| sample.name.starts_with(prefix)) {
        models.entry(sample.label("model_name")).or_default().push(sample);
    }
    for (model, samples) in models {
        let server = Server { prefix, samples };
        if !server.samples.iter().any(|sample| sample.name.ends_with("_count")) {
            continue;
        }
        let mut run = draft.run("");
        run.boundary = Boundary::Server;
        run.engine = Some(prefix.trim_end_matches([':', '_']).to_owned());
        run.model = Some(model.to_owned()).filter(|name| !name.is_empty());
        fill(&mut run, &server);
        engine_times(&server, &mut run);
        cautions(&run, &server, draft);
        draft.runs.push(run);
    }
    if draft.runs.iter().all(|run| run.n_requests.unwrap_or(0) == 0) {
        return Err(Refusal::new("0 requests since server start; nothing to compare", "scrape after the load has run"));
    }
    draft.caution(
        "counts run since server start, warm-up included; percentiles are interpolated within a bucket; TTFT is \
         server-side, without network and client",
    );
    Ok(())
}

fn fill(run: &mut MeasuredRun, server: &Server<'_>) {
    let ttft = server.first(&["time_to_first_token_seconds"]);
    let e2e = server.first(&["e2e_request_latency_seconds", "request_duration"]);
    let requests = if e2e.count > 0.0 { e2e.count } else { ttft.count };
    run.n_requests = whole(requests);
    run.ttft_ms = ttft.spread();
    run.e2e_ms = e2e.spread();
    run.prompt_len_mean = server.first(&["request_prompt_tokens", "request_input_length"]).mean();
    run.gen_len_mean = server.first(&["request_generation_tokens", "request_generated_tokens"]).mean();
    run.tell("percentiles_are", "histogram_quantile interpolation");
    run.tell("window", "since server start");
}

fn cautions(run: &MeasuredRun, server: &Server<'_>, draft: &mut Draft<'_>) {
    if run.n_requests == Some(1) {
        draft.caution("1 request only, and a cold one: no use as a measurement");
    }
    let all = [run.ttft_ms, run.itl_ms, run.tpot_ms, run.e2e_ms];
    if all.iter().any(|spread| spread.mean.is_some() && spread.p99.is_none()) {
        draft.caution("observations lie in the +Inf bucket, which has no upper end: no percentile there");
    }
    let queued = server.gauge(&["num_queue_reqs", "num_requests_waiting", "queue_size"]);
    if queued > 0.0 {
        draft.caution(format!("{queued} requests are in the queue: the server is overloaded and TTFT is queue time"));
    }
}

impl Server<'_> {
    /// The first of several histograms that has observations.
    fn first(&self, names: &[&str]) -> Histogram {
        names.iter().map(|name| self.histogram(name)).find(|found| found.count > 0.0).unwrap_or_default()
    }

    fn histogram(&self, name: &str) -> Histogram {
        let mut found = Histogram::default();
        let mut ends: BTreeMap<u64, (f64, f64)> = BTreeMap::new();
        for sample in &self.samples {
            let Some(part) = sample.name[self.prefix.len()..].strip_prefix(name) else { continue };
            match part {
                "_sum" => found.sum += sample.value,
                "_count" => found.count += sample.value,
                "_bucket" => {
                    let le = sample.label("le");
                    let end = if le == "+Inf" { Some(f64::INFINITY) } else { le.parse().ok() };
                    if let Some(end) = end.filter(|end: &f64| *end >= 0.0) {
                        // Bits of floats from 0 up sort like the floats.
                        ends.entry(end.to_bits()).or_insert((end, 0.0)).1 += sample.value;
                    }
                }
                _ => {}
            }
        }
        found.buckets = ends.into_values().collect();
        found
    }

    fn gauge(&self, names: &[&str]) -> f64 {
        let is = |sample: &&&Sample<'_>| names.contains(&&sample.name[self.prefix.len()..]);
        self.samples.iter().filter(is).map(|sample| sample.value).sum()
    }
}

impl Histogram {
    fn mean(&self) -> Option<f64> {
        (self.count > 0.0).then(|| self.sum / self.count)
    }

    /// A histogram of seconds as milliseconds.
    fn spread(&self) -> Spread {
        Spread::ask(1e3, |stat| match stat {
            "mean" => self.mean(),
            "p50" => self.quantile(0.5),
            "p90" => self.quantile(0.9),
            _ => self.quantile(0.99),
        })
    }

    /// As Prometheus' `histogram_quantile`, but absent in the bucket without upper end.
    fn quantile(&self, q: f64) -> Option<f64> {
        if self.count <= 0.0 {
            return None;
        }
        let rank = q * self.count;
        let index = self.buckets.iter().position(|(_, count)| *count >= rank)?;
        let (end, count) = self.buckets[index];
        let (start, before) = if index == 0 { (0.0, 0.0) } else { self.buckets[index - 1] };
        let inside = count - before;
        (end.is_finite() && inside > 0.0).then(|| start + (end - start) * (rank - before) / inside)
    }
}

/// A sample line; comments, blank lines and what is not a number are none.
fn sample(line: &str) -> Option<Sample<'_>> {
    let line = line.trim();
    if line.starts_with('#') {
        return None;
    }
    let (name, labels, rest) = match line.split_once('{') {
        Some((name, rest)) => {
            let (labels, rest) = rest.rsplit_once('}')?;
            (name, labels, rest)
        }
        None => {
            let (name, rest) = line.split_once(char::is_whitespace)?;
            (name, "", rest)
        }
    };
    let value: f64 = rest.split_whitespace().next()?.parse().ok()?;
    let labels = labels.split(',').filter_map(|label| {
        let (key, value) = label.trim().split_once('=')?;
        Some((key.trim(), value.trim().trim_matches('"')))
    });
    value.is_finite().then(|| Sample { name: name.trim(), labels: labels.collect(), value })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn histogram(buckets: &[(f64, f64)]) -> Histogram {
        let count = buckets.last().map_or(0.0, |(_, count)| *count);
        Histogram { sum: 3.0, count, buckets: buckets.to_vec() }
    }

    #[test]
    fn quantiles_stay_inside_their_bucket() {
        let seconds = histogram(&[(0.25, 0.0), (0.5, 1.0), (f64::INFINITY, 1.0)]);
        assert_eq!(seconds.quantile(0.5), Some(0.375));
        let open = histogram(&[(0.01, 0.0), (f64::INFINITY, 8.0)]);
        assert_eq!((open.quantile(0.5), open.mean()), (None, Some(0.375)));
    }

    #[test]
    fn samples_with_and_without_labels() {
        let with = sample("vllm:x_bucket{engine=\"0\", le=\"+Inf\"} 4e2").expect("a sample");
        assert_eq!((with.name, with.label("le"), with.value), ("vllm:x_bucket", "+Inf", 400.0));
        assert_eq!(sample("tgi_x_sum 22.5 1700000000").expect("a sample").value, 22.5);
        assert!(sample("# HELP x y").is_none() && sample("x{a=\"1\"} NaN").is_none() && sample("x").is_none());
    }
}
