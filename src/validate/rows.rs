//! From a row of a measurement table to a case: what its columns and remarks say of the load.
//!
//! Remarks are free text; what the rules here look for stands beside each rule. A row that cannot be answered is left out
//! with its reason, never guessed.

use std::sync::Arc;

use regex_lite::Regex;

use super::case::{Case, Kind, Layout, Load, Metric};
use super::context::Context;
use super::eras::{self, Found};
use super::sources::{UnclearRule, sources};
use super::storage::Stored;
use crate::import::measured::{MeasuredRun, Row};
use crate::quantity::KvDtype;
use crate::scenario::{Model, PreparedMachine, assemble_measured};
use crate::spec::{DeploymentSpec, EngineConstants, HardwareSpec, RequestSpec, WorkloadSpec};

/// Why a row is not compared.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
#[error("{0}")]
pub struct LeftOut(pub String);

impl LeftOut {
    fn because(what: impl Into<String>) -> Self {
        Self(what.into())
    }
}

/// Lengths drawn uniformly from 0.8 to 1 of the nominal ones.
const MEAN_OF_DRAWN: f64 = 0.9;
/// Tokens of a local engine's evaluation where nothing is said.
const DEFAULT_CHUNK: f64 = 512.0;
/// A window of 512 tokens that is shifted when full holds this many on average.
const SHIFTED_CONTEXT: f64 = 384.0;

/// What a row says, before it is resolved to model and machine.
struct Said<'a> {
    run: &'a MeasuredRun,
    row: &'a Row,
    /// The part of the id that names the source.
    source: &'a str,
}

impl<'a> Said<'a> {
    fn new(run: &'a MeasuredRun, row: &'a Row) -> Self {
        let source = row.id.as_deref().and_then(|id| id.split('-').next()).unwrap_or_default();
        Self { run, row, source }
    }

    fn remarks(&self, what: &str) -> bool {
        self.row.note.contains(what)
    }

    /// The numbers that a pattern catches in the remarks.
    fn numbers<const N: usize>(&self, pattern: &str) -> Option<[f64; N]> {
        let found = Regex::new(pattern).ok()?;
        let caught = found.captures(&self.row.note)?;
        let mut numbers = [0.0; N];
        for (index, number) in numbers.iter_mut().enumerate() {
            *number = caught.get(index + 1)?.as_str().parse().ok()?;
        }
        Some(numbers)
    }

    fn number(&self, pattern: &str) -> Option<f64> {
        self.numbers::<1>(pattern).map(|[number]| number)
    }
}

/// Why a row is left out before anything is computed: its meaning is unclear, or it measures what no closed form knows.
#[must_use]
pub fn unanswerable(run: &MeasuredRun, row: &Row) -> Option<LeftOut> {
    let said = Said::new(run, row);
    if let Some(rule) = sources().unclear.iter().find(|rule| meets(rule, &said)) {
        return Some(LeftOut::because(rule.why.clone()));
    }
    if row.value.is_none() {
        return Some(LeftOut::because("the cell holds no value"));
    }
    if let Some(column) = row.not_counts.first() {
        return Some(LeftOut::because(format!("the cell of `{column}` holds no whole number from 1")));
    }
    // A queue forms: TTFT is the time in it.
    let queues = row.kind == "serving" && row.metric == "ttft_ms" && said.remarks("load=high");
    queues.then(|| LeftOut::because("serving TTFT under high load is queue time"))
}

fn meets(rule: &UnclearRule, said: &Said<'_>) -> bool {
    let is =
        |wanted: Option<f64>, found: Option<f64>| wanted.is_none_or(|wanted| found.map(f64::trunc) == Some(wanted));
    (rule.sources.is_empty() || rule.sources.iter().any(|source| source == said.source))
        && is(rule.prompt_len, said.run.prompt_len_mean)
        && is(rule.gen_len, said.run.gen_len_mean)
        && rule.note.as_ref().is_none_or(|note| said.remarks(note))
        && rule.hardware.as_ref().is_none_or(|id| said.run.hardware.as_ref() == Some(id))
}

/// The case of a row.
///
/// # Errors
/// Why it cannot be predicted, with what would help.
pub fn case(context: &Context, run: &MeasuredRun, row: &Row) -> Result<Case, LeftOut> {
    let said = Said::new(run, row);
    let kind = Kind::named(&row.kind).ok_or_else(|| LeftOut::because(format!("kind `{}` is unknown", row.kind)))?;
    let metric =
        Metric::named(&row.metric).ok_or_else(|| LeftOut::because(format!("metric `{}` is unknown", row.metric)))?;
    let placed = place(context, &said)?;
    let load = load(context, &said, kind, metric, placed.is_local())?;
    let model = model(context, &said, &placed)?;
    Ok(assemble(placed, model, load, metric))
}

/// Where a run took place.
struct Placed {
    machine: PreparedMachine,
    constants: Option<&'static EngineConstants>,
    mixes_prompts: bool,
    known: bool,
    tensor: u64,
    data: u64,
    expert: u64,
    pipeline: u64,
}

impl Placed {
    fn is_local(&self) -> bool {
        self.constants.is_none()
    }
}

fn place(context: &Context, said: &Said<'_>) -> Result<Placed, LeftOut> {
    let name = said.run.hardware.as_deref();
    let hardware = context.hardware(name).map_err(|error| LeftOut::because(error.to_string()))?;
    let hardware = hardware.ok_or_else(|| {
        LeftOut::because(match name {
            Some(name) => format!("machine `{name}` is unknown; give --hardware"),
            None => "no machine is named; give --hardware".to_owned(),
        })
    })?;
    let (found, known) = engine(context, said, &hardware.0)?;
    let (id, constants, mixed) = match found {
        Found::Serving { spec, .. } => (&spec.id, Some(&spec.constants), spec.mixed_step.as_slice()),
        Found::Local(spec) => (&spec.id, None, &[][..]),
    };
    let machine = context.machine(&hardware, id).map_err(|error| LeftOut::because(error.to_string()))?;
    let mixes_prompts = mixed.iter().any(|arch| *arch == machine.machine().kernel_arch);
    let (tensor, data, expert, pipeline) = layout(context, said, constants.is_none());
    Ok(Placed { machine, constants, mixes_prompts, known, tensor, data, expert, pipeline })
}

fn engine(context: &Context, said: &Said<'_>, hardware: &HardwareSpec) -> Result<(Found, bool), LeftOut> {
    let given = context.given.engine.as_deref();
    let name = given.or(said.run.engine.as_deref());
    let name = name.ok_or_else(|| LeftOut::because("no engine is named; give --engine"))?;
    let version = if given.is_some() { "" } else { said.run.engine_version.as_deref().unwrap_or_default() };
    let found = eras::find(name, version, said.source, hardware.kernel_arch());
    let known = !matches!(found, Found::Serving { known: false, .. });
    Ok((found, known))
}

/// Devices: tensor, data, expert and pipeline parallel.
fn layout(context: &Context, said: &Said<'_>, local: bool) -> (u64, u64, u64, u64) {
    let given = &context.given;
    let pipeline = said.row.pipeline_parallel.unwrap_or(1).max(1);
    let tensor = said.run.tensor_parallel.or(given.tensor_parallel).unwrap_or(1).max(1);
    let gpus = said.row.gpus.unwrap_or(tensor).max(1);
    if local {
        // Builds of 2023 split the rows of each matrix.
        let rows = sources().rows_split.iter().any(|source| source == said.source);
        let llama = said.run.engine.as_deref() == Some("llama.cpp");
        return if rows && llama { (pipeline.max(tensor), 1, 1, 1) } else { (tensor, 1, 1, pipeline) };
    }
    let (mut data, mut expert) = (given.data_parallel.unwrap_or(1), given.expert_parallel.unwrap_or(1));
    if let Some([replicas, spread]) = said.numbers::<2>(r"attention DP (\d+), moe_ep (\d+)") {
        (data, expert) = (replicas as u64, spread as u64);
    } else {
        expert = said.number(r"moe_ep=(\d+)").map_or(expert, |spread| spread as u64);
        let served = said.row.kind == "serving" && matches!(said.source, "aic" | "aicd");
        if served && gpus > tensor {
            data = gpus / tensor;
        }
    }
    if said.number(r"mean running=([\d.]+)").is_some()
        && let Some(replicas) = said.number(r"over DP=(\d+) replicas")
    {
        (data, expert) = (replicas as u64, 1);
    }
    (tensor, data.max(1), expert.max(1), pipeline)
}

fn load(context: &Context, said: &Said<'_>, kind: Kind, metric: Metric, local: bool) -> Result<Load, LeftOut> {
    let (run, given) = (said.run, &context.given);
    let varied = said.remarks("[0.8,1]");
    let scale = if varied { MEAN_OF_DRAWN } else { 1.0 };
    let prompt = run.prompt_len_mean.or(given.prompt_len);
    let output = run.gen_len_mean.or(given.gen_len);
    let batch = run.concurrency.or(given.batch_size).filter(|batch| *batch > 0.0);
    let running = said.number(r"mean running=([\d.]+)");
    let batch = batch.or(running).ok_or_else(|| LeftOut::because("the batch is not recorded; give --batch-size"))?;
    let mut load = Load {
        kind,
        batch: running.unwrap_or(batch),
        prompt: prompt.unwrap_or(0.0) * scale,
        output: output.unwrap_or(0.0) * scale,
        context: running.and_then(|_| said.number(r"mean context=([\d.]+)")),
        other_prefills: running.and_then(|_| said.number(r"(\d+) other first tokens")),
        decoding: said.number(r"(\d+) requests decoding at arrival"),
        varied,
        disaggregated: sources().disaggregated.iter().any(|source| source == said.source),
        same_text: said.remarks("one text repeated"),
        chunk: DEFAULT_CHUNK,
    };
    if local {
        // `n_ubatch` tokens at most are evaluated at once, of a prompt handed over in pieces of `n_batch`.
        let pieces = || said.number(r"n_batch=(\d+)").map(|n| n.min(DEFAULT_CHUNK));
        load.chunk = said.number(r"n_ubatch=(\d+)").or_else(pieces).unwrap_or(DEFAULT_CHUNK).max(1.0);
        if kind == Kind::LlamaBench && metric == Metric::DecodeRate && said.remarks("starts from empty") {
            load.prompt = 0.0;
        }
        if said.remarks("context window 512 with shifting") {
            load.context = Some(SHIFTED_CONTEXT);
        }
    }
    needs(&load, metric, prompt, output)?;
    Ok(load)
}

/// Whether a metric depends on the output length: all but the first token of a batch.
pub(super) fn needs_output(kind: Kind, metric: Metric) -> bool {
    kind == Kind::Serving || !matches!(metric, Metric::Ttft | Metric::PrefillRate)
}

/// Whether the lengths that a metric depends on are there and possible.
fn needs(load: &Load, metric: Metric, prompt: Option<f64>, output: Option<f64>) -> Result<(), LeftOut> {
    const MOST_TOKENS: f64 = 1e8;
    const MOST_SEQUENCES: f64 = 1e6;
    let no_context = load.context.is_none();
    if prompt.is_none() && no_context {
        return Err(LeftOut::because("the prompt length is not recorded; give --prompt-len"));
    }
    if output.is_none() && no_context && needs_output(load.kind, metric) {
        return Err(LeftOut::because("the output length is not recorded; give --gen-len"));
    }
    let sane = load.batch <= MOST_SEQUENCES && load.prompt <= MOST_TOKENS && load.output <= MOST_TOKENS;
    if sane && load.batch.is_finite() && load.prompt >= 0.0 && load.output >= 0.0 {
        return Ok(());
    }
    Err(LeftOut::because("the batch or a length is beyond anything that can be simulated"))
}

fn model(context: &Context, said: &Said<'_>, placed: &Placed) -> Result<Model, LeftOut> {
    let name = said.run.model.as_deref();
    let base = context.model(name).ok_or_else(|| {
        LeftOut::because(match name {
            Some(name) => format!("model `{name}` is unknown; give --model"),
            None => "no model is named; give --model".to_owned(),
        })
    })?;
    let dtype = said.run.dtype.as_deref().or(context.given.weights_dtype.as_deref());
    let local = placed.is_local();
    let model = match dtype {
        Some(dtype) => {
            let stored = Stored::named(dtype)
                .ok_or_else(|| LeftOut::because(format!("weights dtype `{dtype}` is unknown; give --weights-dtype")))?;
            stored.of(&base, local)
        }
        None if context.has_model() => base.as_ref().clone(),
        None => return Err(LeftOut::because("the weights dtype is not recorded; give --weights-dtype")),
    };
    let kv = match said.row.kv_dtype.as_deref() {
        Some("fp8" | "fp8_e4m3" | "fp8_e5m2") => KvDtype::Fp8,
        Some("int8") => KvDtype::Int8,
        Some("bf16" | "bfloat16" | "fp16" | "float16" | "f16" | "auto") => KvDtype::Bf16,
        Some(other) => return Err(LeftOut::because(format!("kv_dtype `{other}` is unknown"))),
        None => context.given.kv_dtype.unwrap_or(KvDtype::Bf16),
    };
    Ok(model.with_kv(kv))
}

fn assemble(placed: Placed, model: Model, load: Load, metric: Metric) -> Case {
    let whole = |count: f64| Some((count as u64).max(1));
    let request = RequestSpec {
        deployment: DeploymentSpec {
            tensor_parallel: Some(placed.tensor),
            data_parallel: Some(placed.data),
            expert_parallel: Some(placed.expert),
            ..DeploymentSpec::default()
        },
        workload: WorkloadSpec {
            batch_size: whole(load.batch),
            prompt_len: whole(load.prompt),
            gen_len: whole(load.output),
            ..WorkloadSpec::default()
        },
        ..RequestSpec::default()
    };
    Case {
        scenario: assemble_measured(Arc::new(model), &placed.machine, &request),
        constants: placed.constants,
        mixes_prompts: placed.mixes_prompts,
        known_engine: placed.known,
        layout: Layout { pipeline: placed.pipeline },
        load,
        metric,
    }
}
