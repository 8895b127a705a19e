//! Figures of local engines: whole evaluations by their derated roofline, totals of all layers at once.
//!
//! ```text
//! decode  = products(T = B) + attention at the mean context + overhead
//! prefill = n evaluations of at most `chunk` tokens, n = ⌈B·P/chunk⌉; over devices that hold layers each, later
//!           evaluations overlap: one·(1 + (n−1)·min(1, 1/devices + 0.15))
//! ```

use super::case::{Case, Metric};
use super::parts::{Part, Parts};
use crate::cost::local::{LocalRates, VECTOR_COLUMNS, Work, peaks, row_split_us};
use crate::machine::LocalCoefficients;
use crate::scenario::Model;
use crate::spec::{AttentionSpec, FfnSpec, LayerGroupSpec};

/// Loss of overlap between devices that hold layers each.
const PIPELINE_LOSS: f64 = 0.15;
/// Tokens of an evaluation at most, whatever was asked.
const MOST_TOKENS: f64 = 2048.0;

/// The time that a case's figure stands for.
pub(super) fn time(case: &Case) -> Parts {
    let Some(coefficients) = &case.scenario.deployment.engine.local else { return Parts::default() };
    let engine = Engine::new(case, coefficients);
    let load = &case.load;
    let context = load.context.unwrap_or(load.prompt + load.output / 2.0);
    let decode = || engine.evaluation(load.batch, context, load.batch, case.scenario.ranks());
    match case.metric {
        Metric::Ttft | Metric::PrefillRate => engine.prefill(load.batch, load.prompt, load.chunk),
        Metric::Tpot | Metric::DecodeRate => decode(),
        Metric::E2e | Metric::Throughput => {
            engine.prefill(load.batch, load.prompt, load.chunk) + decode() * (load.output - 1.0).max(0.0)
        }
    }
}

/// Elements and bytes of a model by where they are used.
struct Sizes {
    attention: Work,
    ffn: Work,
    /// Experts: bytes of all of them, FLOP of those a token uses.
    experts: Work,
    /// Share of the experts that a token uses.
    used: f64,
    head: Work,
}

/// FLOP of one token.
fn sizes(model: &Model) -> Sizes {
    let mut sizes = Sizes {
        attention: Work::default(),
        ffn: Work::default(),
        experts: Work::default(),
        used: 0.0,
        head: Work {
            bytes: model.embedding_parameters() as f64 * model.outer_bits.lm_head / 8.0,
            flop: 2.0 * model.embedding_parameters() as f64,
        },
    };
    let add = |work: &mut Work, elements: f64, bits: f64| {
        work.bytes += elements * bits / 8.0;
        work.flop += 2.0 * elements;
    };
    for group in &model.groups {
        let count = group.count_layer(model.hidden_size);
        let layers = group.count as f64;
        let attention = model.attention_storage(&group.attention).bits;
        add(&mut sizes.attention, layers * count.attention as f64, attention);
        match &group.ffn {
            FfnSpec::Dense(dense) => {
                add(&mut sizes.ffn, layers * count.dense as f64, model.storage(&dense.weights).bits);
            }
            FfnSpec::Moe(moe) => {
                sizes.used = moe.top_k as f64 / moe.experts as f64;
                add(&mut sizes.ffn, layers * count.shared as f64, model.storage(&moe.shared_weights).bits);
                let experts = layers * count.experts as f64;
                sizes.experts.bytes += experts * model.storage(&moe.weights).bits / 8.0;
                sizes.experts.flop += 2.0 * experts * sizes.used;
            }
            FfnSpec::None => {}
        }
    }
    sizes
}

struct Engine<'a> {
    case: &'a Case,
    coefficients: &'a LocalCoefficients,
    rates: LocalRates,
    sizes: Sizes,
}

impl<'a> Engine<'a> {
    fn new(case: &'a Case, coefficients: &'a LocalCoefficients) -> Self {
        let model = &case.scenario.model;
        let peaks = peaks(&case.scenario.machine);
        let rates = LocalRates::new(coefficients, peaks, model.is_quantised(), model.has_experts());
        Self { case, coefficients, rates, sizes: sizes(model) }
    }

    /// Devices that hold layers each.
    fn devices(&self) -> f64 {
        if self.case.scenario.deployment.tensor_parallel == 1 { self.case.layout.pipeline as f64 } else { 1.0 }
    }

    /// One evaluation of `tokens` new tokens of `sequences` at a mean context, rows split over `ranks`.
    fn evaluation(&self, tokens: f64, context: f64, sequences: f64, ranks: f64) -> Parts {
        let mut parts = self.products(tokens, sequences, ranks);
        parts[Part::Attention] += self.attention(tokens, context, sequences) / ranks;
        let c = self.coefficients;
        let layers = self.case.scenario.model.layers() as f64;
        parts[Part::Host] += c.step_us;
        parts[Part::LaunchWait] += c.layer_us * layers;
        parts[Part::Collectives] += c.hop_us * (self.devices() - 1.0);
        if ranks > 1.0 {
            parts[Part::Collectives] += 2.0 * layers * row_split_us(c);
        }
        parts
    }

    fn products(&self, tokens: f64, sequences: f64, ranks: f64) -> Parts {
        let s = &self.sizes;
        // Experts touched under uniform routing; the head sees the last token of a prompt only.
        let touched = 1.0 - (1.0 - s.used).powf(tokens.max(1.0));
        let rows = if tokens == sequences { tokens } else { 1.0 };
        let scaled = |work: Work, bytes: f64, flop: f64| Work {
            bytes: work.bytes * bytes / ranks,
            flop: work.flop * flop / ranks,
        };
        let works = [
            (Part::Attention, scaled(s.attention, 1.0, tokens)),
            (Part::Ffn, scaled(s.ffn, 1.0, tokens)),
            (Part::Ffn, scaled(s.experts, touched, tokens)),
            (Part::Logits, scaled(s.head, 1.0, rows)),
        ];
        let sum = |of: fn(&Work) -> f64| works.iter().map(|(_, work)| of(work)).sum::<f64>();
        let all = Work { bytes: sum(|w| w.bytes), flop: sum(|w| w.flop) };
        let whole = self.rates.products(all, tokens).us();
        let mut parts = Parts::default();
        for (part, work) in works {
            parts[part] += whole * self.share(work, all, tokens);
        }
        parts
    }

    /// A product's share of the smooth maximum of reading and computing.
    fn share(&self, work: Work, all: Work, tokens: f64) -> f64 {
        if tokens <= VECTOR_COLUMNS {
            return work.bytes / all.bytes;
        }
        let alone = |bytes, flop| self.rates.products(Work { bytes, flop }, tokens).us();
        let (read, compute) = (alone(all.bytes, 0.0), alone(0.0, all.flop));
        let own = (alone(work.bytes, 0.0), alone(0.0, work.flop));
        (read * own.0 + compute * own.1) / (read * read + compute * compute)
    }

    fn attention(&self, tokens: f64, context: f64, sequences: f64) -> f64 {
        let model = &self.case.scenario.model;
        let of = |group: &LayerGroupSpec| {
            let layers = group.count as f64;
            let seen = group.attention.window().map_or(context, |window| context.min(window as f64));
            let (width, heads, share) = match &group.attention {
                AttentionSpec::Softmax(spec) => {
                    let (heads, kv_heads) = (spec.heads as f64, spec.kv_heads as f64);
                    (2.0 * kv_heads * spec.head_dim as f64, heads * spec.head_dim as f64, heads / kv_heads)
                }
                AttentionSpec::Mla(spec) => {
                    let key = (spec.nope_head_dim + spec.rope_head_dim) as f64;
                    let latent = (spec.kv_lora_rank + spec.rope_head_dim) as f64;
                    (latent, spec.heads as f64 * key, spec.heads as f64)
                }
                AttentionSpec::Recurrent(_) | AttentionSpec::None => return 0.0,
            };
            let bytes = sequences * seen * layers * width * model.kv.bytes(width);
            let flop = 4.0 * tokens * seen * layers * heads;
            self.rates.attention(bytes, share, flop).us()
        };
        model.groups.iter().map(of).sum()
    }

    fn prefill(&self, batch: f64, prompt: f64, chunk: f64) -> Parts {
        let count = (batch * prompt / chunk.min(MOST_TOKENS)).ceil().max(1.0);
        let tokens = batch * prompt / count;
        let (tokens, sequences) = if tokens > 1.0 { (tokens, (tokens / prompt).max(1.0)) } else { (1.0, 1.0) };
        let one = self.evaluation(tokens, prompt / 2.0, sequences, 1.0);
        let devices = self.devices();
        let overlapped = if devices > 1.0 && count > 1.0 {
            1.0 + (count - 1.0) * (1.0 / devices + PIPELINE_LOSS).min(1.0)
        } else {
            count
        };
        one * overlapped
    }
}
