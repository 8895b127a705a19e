//! A measurement as a question: what ran where, under which load, and which figure was read.

use crate::scenario::Scenario;
use crate::spec::EngineConstants;

/// Which figure was measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Metric {
    /// Time to first token; of a static batch, until the whole batch is prefilled.
    Ttft,
    /// Time per output token after the first.
    Tpot,
    /// Whole request or batch.
    E2e,
    /// Prompt tokens a second.
    PrefillRate,
    /// Tokens a second of a decode step.
    DecodeRate,
    /// Output tokens a second over everything.
    Throughput,
}

impl Metric {
    /// Every metric with its name in tables.
    pub const ALL: [(Self, &'static str); 6] = [
        (Self::Ttft, "ttft_ms"),
        (Self::Tpot, "tpot_ms"),
        (Self::E2e, "e2e_ms"),
        (Self::PrefillRate, "prefill_tok_s"),
        (Self::DecodeRate, "decode_tok_s"),
        (Self::Throughput, "throughput_tok_s"),
    ];

    /// The metric of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, known)| *known == name).map(|(metric, _)| *metric)
    }

    /// The name in tables; its end is the unit.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(metric, _)| *metric == self).map_or("", |(_, name)| name)
    }

    /// Whether the figure is a rate: more is faster.
    #[must_use]
    pub const fn is_rate(self) -> bool {
        matches!(self, Self::PrefillRate | Self::DecodeRate | Self::Throughput)
    }
}

/// How requests arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// One batch at an idle engine.
    StaticBatch,
    /// Requests that come and go.
    Serving,
    /// A local engine's own benchmark: one batch.
    LlamaBench,
}

impl Kind {
    /// Every kind with its name in tables.
    pub const ALL: [(Self, &'static str); 3] =
        [(Self::StaticBatch, "static_batch"), (Self::Serving, "serving"), (Self::LlamaBench, "llama_bench")];

    /// The kind of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, known)| *known == name).map(|(kind, _)| *kind)
    }

    /// The name in tables.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(kind, _)| *kind == self).map_or("", |(_, name)| name)
    }
}

/// The load under which a figure was read. Counts may be fractional means.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Load {
    /// How requests arrive.
    pub kind: Kind,
    /// Sequences of a batch, or requests in flight over all replicas.
    pub batch: f64,
    /// Prompt tokens of a request.
    pub prompt: f64,
    /// Output tokens of a request.
    pub output: f64,
    /// Mean context of the decode steps, where it was recorded.
    pub context: Option<f64>,
    /// Prefills of other requests during one request's decode, where they were counted.
    pub other_prefills: Option<f64>,
    /// Sequences decoding when a request arrives, where they were counted: an open loop.
    pub decoding: Option<f64>,
    /// Lengths vary from request to request; alike, requests run in lockstep.
    pub varied: bool,
    /// Decode runs on devices of its own, without prefills.
    pub disaggregated: bool,
    /// One text repeated over the batch: its sequences touch the same experts.
    pub same_text: bool,
    /// Tokens of an evaluation of a local engine at most.
    pub chunk: f64,
}

/// Pipeline stages and replicas beside the tensor parallelism of the scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Devices that hold a part of the layers each.
    pub pipeline: u64,
}

/// A measurement ready to be predicted.
#[derive(Clone, Debug)]
pub struct Case {
    /// Model, machine and deployment. The workload's counts are those of the load, cut to whole numbers.
    pub scenario: Scenario,
    /// Constants of the serving engine; none for a local one.
    pub constants: Option<&'static EngineConstants>,
    /// Architectures on which the engine mixes prompts into decode steps.
    pub mixes_prompts: bool,
    /// Whether constants of this engine on this platform exist; others borrow those of a neighbour.
    pub known_engine: bool,
    /// Layout.
    pub layout: Layout,
    /// Load.
    pub load: Load,
    /// Figure.
    pub metric: Metric,
}
