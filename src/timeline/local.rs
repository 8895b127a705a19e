//! Kernels of a local engine, each at its share of a derated roofline ([`crate::cost::local`]).
//!
//! What was fitted are whole evaluations. A product takes the bytes that the model stores and the rate of its kind;
//! passes between products are a part of the engine's time per layer and take none of their own. The sum over the
//! kernels of a step is that of the evaluation, but for the LM head of a prompt, which is priced by itself.

use crate::cost::local::{LocalRates, Work, row_split_us};
use crate::cost::{Bound, KernelCost, local};
use crate::kernel::{Kernel, Stage};
use crate::machine::LocalCoefficients;
use crate::quantity::{Bytes, Seconds};
use crate::scenario::{Model, Scenario};
use crate::spec::{FfnSpec, LayerGroupSpec};

/// Prices of one scenario.
pub(super) struct LocalPrices<'a> {
    scenario: &'a Scenario,
    coefficients: &'a LocalCoefficients,
    rates: LocalRates,
    /// Bytes of a stored element: matrices of the layers, experts, LM head.
    stored: [f64; 3],
}

impl<'a> LocalPrices<'a> {
    /// Of a scenario whose engine is a local one.
    pub(super) fn new(scenario: &'a Scenario) -> Option<Self> {
        let coefficients = scenario.deployment.engine.local.as_ref()?;
        let model = &scenario.model;
        let rates =
            LocalRates::new(coefficients, local::peaks(&scenario.machine), model.is_quantised(), model.has_experts());
        Some(Self { scenario, coefficients, rates, stored: stored(model) })
    }

    /// The cost of one call.
    pub(super) fn cost(&self, kernel: &Kernel, stage: Stage) -> KernelCost {
        let (time, bytes, bound) = self.price(kernel, stage);
        KernelCost::of_engine(time, kernel.flop(), bytes, bound, self.scenario.machine.class)
    }

    fn price(&self, kernel: &Kernel, stage: Stage) -> (Seconds, Bytes, Bound) {
        let [layers, experts, head] = self.stored;
        let unique = kernel.unique_bytes();
        match kernel {
            Kernel::Linear(k) => {
                let bytes = k.n * k.k * if stage == Stage::OutputLogitsRead { head } else { layers };
                self.product(bytes, kernel, k.m)
            }
            Kernel::GroupedGemm(k) => {
                let bytes = k.hits() * k.matrices * k.hidden * k.intermediate * experts;
                self.product(bytes, kernel, k.tokens)
            }
            Kernel::LatentAbsorb(k) => self.product(k.weights * layers, kernel, k.tokens),
            Kernel::DecodeAttention(k) => self.attention(k.cache_bytes(), k.heads / k.kv_heads, kernel),
            Kernel::LatentDecode(k) => self.attention(k.cache_bytes(), k.heads, kernel),
            Kernel::PrefillAttention(k) => self.attention(k.new_kv_bytes(), k.heads / k.kv_heads, kernel),
            Kernel::LatentPrefill(_) | Kernel::RecurrentScan(_) => self.attention(unique, 1.0, kernel),
            Kernel::AllReduce(_) | Kernel::AllToAll(_) => {
                (Seconds::from_us(row_split_us(self.coefficients)), unique, Bound::Latency)
            }
            // Fitted as one time whatever the size: nothing is known of the link.
            Kernel::Send(_) => (Seconds::from_us(self.coefficients.hop_us), unique, Bound::Latency),
            _ => (Seconds::ZERO, unique, Bound::Memory),
        }
    }

    fn product(&self, bytes: f64, kernel: &Kernel, columns: f64) -> (Seconds, Bytes, Bound) {
        let work = Work { bytes, flop: kernel.flop().get() };
        let time = self.rates.products_at_least_as_eight(work, columns);
        let reading = self.rates.products(Work { bytes, flop: 0.0 }, local::VECTOR_COLUMNS);
        // Of two times that add in quadrature the larger one is more than 1/√2 of the whole.
        let bound = if reading.get() * std::f64::consts::SQRT_2 >= time.get() { Bound::Memory } else { Bound::Compute };
        (time, Bytes::new(bytes), bound)
    }

    fn attention(&self, cache: Bytes, group: f64, kernel: &Kernel) -> (Seconds, Bytes, Bound) {
        let time = self.rates.attention(cache.get(), group, kernel.flop().get());
        let reading = self.rates.attention(cache.get(), group, 0.0);
        let bound = if 2.0 * reading.get() >= time.get() { Bound::Memory } else { Bound::Compute };
        (time, cache, bound)
    }
}

/// Mean stored bytes of an element of the layers' matrices, of the experts, and of the LM head.
fn stored(model: &Model) -> [f64; 3] {
    let mut layers = (0.0, 0.0);
    let mut experts = (0.0, 0.0);
    let add = |sum: &mut (f64, f64), elements: f64, bits: f64| {
        sum.0 += elements;
        sum.1 += elements * bits / 8.0;
    };
    for group in &model.groups {
        let count = group.count_layer(model.hidden_size);
        let times = group.count as f64;
        add(&mut layers, times * count.attention as f64, model.attention_storage(&group.attention).bits);
        let ffn = (count.dense + count.shared) as f64;
        add(&mut layers, times * ffn, dense_bits(model, group));
        if let FfnSpec::Moe(moe) = &group.ffn {
            add(&mut experts, times * count.experts as f64, model.storage(&moe.weights).bits);
        }
    }
    let mean = |(elements, bytes): (f64, f64)| if elements > 0.0 { bytes / elements } else { 0.0 };
    [mean(layers), mean(experts), model.outer_bits.lm_head / 8.0]
}

fn dense_bits(model: &Model, group: &LayerGroupSpec) -> f64 {
    match &group.ffn {
        FfnSpec::Dense(dense) => model.storage(&dense.weights).bits,
        FfnSpec::Moe(moe) => model.storage(&moe.shared_weights).bits,
        FfnSpec::None => 0.0,
    }
}
