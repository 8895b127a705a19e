//! One measured run, with one meaning whatever tool wrote it.
//!
//! - TTFT = first token received − request sent.
//! - TPOT = (e2e − TTFT) / (output tokens − 1) per request, then averaged over requests.
//! - ITL = single gaps between streamed chunks, pooled over all requests.
//!
//! Times are milliseconds, rates tokens or requests a second. What a file does not say is `None`, never 0.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

use super::number::percentile;

/// One run, operating point or table row of a result file.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct MeasuredRun {
    /// The tool that wrote it, as `vllm-bench-serve`.
    pub tool: String,
    /// The tool's version or layout, as far as the file shows it.
    pub format_version: String,
    /// The model's name as written.
    pub model: Option<String>,
    /// Requests that completed.
    pub n_requests: Option<u64>,
    /// The configured cap on requests in flight, or the batch; never an observed value.
    pub concurrency: Option<f64>,
    /// The offered load.
    pub request_rate: Option<Rate>,
    /// Prompt tokens of a request, mean.
    pub prompt_len_mean: Option<f64>,
    /// Output tokens of a request, mean.
    pub gen_len_mean: Option<f64>,
    /// Time to first token.
    pub ttft_ms: Spread,
    /// Time per output token after the first.
    pub tpot_ms: Spread,
    /// Gaps between streamed chunks.
    pub itl_ms: Spread,
    /// Whole request.
    pub e2e_ms: Spread,
    /// Output tokens a second over all requests.
    pub output_tok_s: Option<f64>,
    /// Prompt and output tokens a second over all requests.
    pub total_tok_s: Option<f64>,
    /// Requests that failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub n_failed: Option<u64>,
    /// Requests in flight, as the tool counted them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub concurrency_observed: Option<f64>,
    /// Requests a second that the load generator reached.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub achieved_rate: Option<f64>,
    /// Ranks that share one copy of the weights.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tensor_parallel: Option<u64>,
    /// The device as written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hardware: Option<String>,
    /// The dtype of the weights as written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dtype: Option<String>,
    /// What the tool calls TPOT where that means something else.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_reported_tpot_ms: Option<Spread>,
    /// What the tool calls ITL where that means something else.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_reported_itl_ms: Option<Spread>,
    /// Figures computed from others in the file.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub derived: Vec<String>,
    /// What only some tools say.
    #[serde(flatten)]
    pub more: BTreeMap<&'static str, Fact>,
    /// Figures and context that the file does not hold, by name.
    pub missing: Vec<String>,
    /// Line of the file where the run starts.
    #[serde(skip)]
    pub line: u64,
    /// The engine that served, where the file says or the tool implies it.
    #[serde(skip)]
    pub engine: Option<String>,
    /// Its version.
    #[serde(skip)]
    pub engine_version: Option<String>,
    /// Where the clock starts and stops.
    #[serde(skip)]
    pub boundary: Boundary,
    /// Whether the model's name says the dtype, as `llama 8B Q4_0`.
    #[serde(skip)]
    pub dtype_in_model: bool,
    /// Whether the figures fit together.
    #[serde(skip)]
    pub consistency: Consistency,
    /// The row of a measurement table of ours, where the run comes from one.
    #[serde(skip)]
    pub row: Option<Box<Row>>,
    /// Wall time of the run, seconds.
    #[serde(skip)]
    pub duration_s: Option<f64>,
    /// Requests that were to be sent.
    #[serde(skip)]
    pub requested: Option<u64>,
}

/// Mean and percentiles of a time, milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Spread {
    /// Mean.
    pub mean: Option<f64>,
    /// Median.
    pub p50: Option<f64>,
    /// 90th percentile.
    pub p90: Option<f64>,
    /// 99th percentile.
    pub p99: Option<f64>,
}

/// The offered load of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rate {
    /// Requests a second.
    PerSecond(f64),
    /// Everything at once.
    Unlimited,
}

/// A fact that only some tools write.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Fact {
    /// The tool has a place for it and left it open.
    Absent,
    /// Yes or no.
    Flag(bool),
    /// A figure.
    Number(f64),
    /// Words.
    Text(String),
}

/// Where the clock of TTFT and e2e runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Boundary {
    /// At a client: network, HTTP and queue included.
    #[default]
    Client,
    /// Inside the server: from the moment the engine has the request.
    Server,
    /// Around one batch without server: prefill and decode steps only.
    Batch,
}

/// The verdict on e2e = TTFT + (n − 1)·TPOT.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Consistency {
    /// One of the three times or the output length is missing.
    #[default]
    NotTestable,
    /// They agree within 10 %; the ratio is e2e over the sum.
    Consistent(f64),
    /// They do not; the ratio is e2e over the sum.
    Contradicts(f64),
}

/// A row of a measurement table of ours.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Row {
    /// The row's id, where it has one.
    pub id: Option<String>,
    /// `serving`, `static_batch` or `llama_bench`.
    pub kind: String,
    /// Which figure was measured.
    pub metric: String,
    /// Its value in the unit that the metric's name says; `None` where the cell holds no number.
    pub value: Option<f64>,
    /// Devices of one copy of the model.
    pub gpus: Option<u64>,
    /// Pipeline stages.
    pub pipeline_parallel: Option<u64>,
    /// Columns of counts whose cell holds something else.
    pub not_counts: Vec<&'static str>,
    /// The dtype of the KV cache as written.
    pub kv_dtype: Option<String>,
    /// Where the figure was published.
    pub source: Option<String>,
    /// The grade that the table's editor gave.
    pub quality: Option<String>,
    /// Remarks, as `load=low; n_batch=512`.
    pub note: String,
}

impl Row {
    /// A `key=value` of the remarks.
    #[must_use]
    pub fn remark(&self, key: &str) -> Option<&str> {
        let parts = self.note.split(';').filter_map(|part| part.trim().split_once('='));
        parts.into_iter().find(|(name, _)| *name == key).map(|(_, value)| value.trim())
    }
}

impl MeasuredRun {
    pub(super) fn new(tool: &str, format_version: impl Into<String>) -> Self {
        Self { tool: tool.to_owned(), format_version: format_version.into(), line: 1, ..Self::default() }
    }

    /// Records a fact that has no field of its own.
    pub(super) fn tell(&mut self, key: &'static str, fact: impl Into<Fact>) {
        self.more.insert(key, fact.into());
    }

    /// A fact that has no field of its own, where it is words.
    #[must_use]
    pub fn word(&self, key: &str) -> Option<&str> {
        match self.more.get(key) {
            Some(Fact::Text(text)) => Some(text),
            _ => None,
        }
    }

    /// The context that a comparison needs and the file does not give, by name; to be asked of the user.
    #[must_use]
    pub fn to_ask(&self) -> Vec<&'static str> {
        let context = [
            ("model", self.model.is_none()),
            ("hardware", self.hardware.is_none()),
            ("dtype", self.dtype.is_none() && !self.dtype_in_model),
            ("tensor_parallel", self.tensor_parallel.is_none()),
            ("engine", self.engine.is_none()),
            ("engine_version", self.engine_version.is_none()),
            ("concurrency", self.concurrency.or(self.concurrency_observed).is_none()),
            ("prompt_len", self.prompt_len_mean.is_none()),
            ("gen_len", self.gen_len_mean.is_none()),
        ];
        context.into_iter().filter(|(_, absent)| *absent).map(|(name, _)| name).collect()
    }

    /// Whether any latency or throughput was measured at all.
    #[must_use]
    pub fn has_figures(&self) -> bool {
        let times = [self.ttft_ms, self.tpot_ms, self.itl_ms, self.e2e_ms];
        times.iter().any(|t| !t.is_empty()) || self.output_tok_s.or(self.total_tok_s).is_some()
    }
}

/// Engines by a part of the names that tools give to their backends.
const ENGINES: &[(&str, &str)] = &[
    ("vllm", "vllm"),
    ("sglang", "sglang"),
    ("trt", "trtllm"),
    ("tensorrt", "trtllm"),
    ("lmdeploy", "lmdeploy"),
    ("tgi", "tgi"),
    ("llama.cpp", "llama.cpp"),
];

/// The engine that a backend's name means; an API (`openai-chat`) is no engine.
pub(super) fn engine_of(backend: &str) -> Option<String> {
    let backend = backend.to_ascii_lowercase();
    ENGINES.iter().find(|(part, _)| backend.contains(part)).map(|(_, engine)| (*engine).to_owned())
}

impl Spread {
    /// Only a mean.
    pub(super) fn mean(mean: Option<f64>) -> Self {
        Self { mean, ..Self::default() }
    }

    /// Statistics asked by name: `mean`, `p50`, `p90`, `p99`; the answers are in units of `scale` milliseconds.
    pub(super) fn ask(scale: f64, of: impl Fn(&str) -> Option<f64>) -> Self {
        let get = |name: &str| of(name).map(|value| value * scale);
        Self { mean: get("mean"), p50: get("p50"), p90: get("p90"), p99: get("p99") }
    }

    /// Statistics of samples in units of `scale` milliseconds; percentiles are interpolated.
    pub(super) fn of_samples(mut samples: Vec<f64>, scale: f64) -> Self {
        samples.retain(|value| value.is_finite());
        if samples.is_empty() {
            return Self::default();
        }
        samples.sort_by(f64::total_cmp);
        let mean = samples.iter().sum::<f64>() / samples.len() as f64;
        let at = |q: f64| Some(percentile(&samples, q) * scale);
        Self { mean: Some(mean * scale), p50: at(0.5), p90: at(0.9), p99: at(0.99) }
    }

    /// Whether nothing is known.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.values().iter().all(Option::is_none)
    }

    /// The mean, else the median.
    #[must_use]
    pub fn centre(&self) -> Option<f64> {
        self.mean.or(self.p50)
    }

    pub(super) fn values(&self) -> [Option<f64>; 4] {
        [self.mean, self.p50, self.p90, self.p99]
    }

    pub(super) fn values_mut(&mut self) -> [&mut Option<f64>; 4] {
        [&mut self.mean, &mut self.p50, &mut self.p90, &mut self.p99]
    }
}

impl Serialize for Rate {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::PerSecond(rate) => serializer.serialize_f64(*rate),
            Self::Unlimited => serializer.serialize_str("inf"),
        }
    }
}

impl From<&str> for Fact {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Fact {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<f64> for Fact {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

impl From<bool> for Fact {
    fn from(flag: bool) -> Self {
        Self::Flag(flag)
    }
}

impl<T: Into<Fact>> From<Option<T>> for Fact {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Absent, Into::into)
    }
}
