//! The feed-forward network of a layer group: dense, or a mixture of experts.

use super::{ACTIVATION, Calls, Step, all_reduce};
use crate::kernel::{AllToAll, Elementwise, ElementwiseOp, GroupedGemm, Kernel, Linear, LinearFormat, Stage};
use crate::scenario::Scenario;
use crate::spec::{DenseSpec, FfnSpec, LayerGroupSpec, MoeSpec, StorageSpec};

const STAGE: Stage = Stage::Ffn;

/// Adds the network of a group and its all-reduce.
pub(super) fn add(scenario: &Scenario, step: &Step, group: &LayerGroupSpec, calls: &mut Calls) {
    let part = Part { scenario, step, layers: group.count as f64 };
    match &group.ffn {
        FfnSpec::Dense(spec) => part.dense(spec, calls),
        FfnSpec::Moe(spec) => part.moe(spec, calls),
        FfnSpec::None => return,
    }
    all_reduce(scenario, step, part.layers, calls, "all_reduce_ffn", STAGE);
}

struct Part<'a> {
    scenario: &'a Scenario,
    step: &'a Step,
    layers: f64,
}

/// Names of a network's kernels: input product, activation, output product.
type Names = [&'static str; 3];

impl Part<'_> {
    fn format(&self, stated: &StorageSpec) -> LinearFormat {
        let storage = self.scenario.model.storage(stated);
        self.scenario.machine.linear_format(storage.dtype, self.scenario.model.fp8_block_scales)
    }

    fn linear(&self, name: &'static str, n: f64, k: f64, format: LinearFormat, calls: &mut Calls) {
        calls.add(name, STAGE, self.layers, Kernel::Linear(Linear::new(self.step.tokens, n, k, format)));
    }

    fn dense(&self, spec: &DenseSpec, calls: &mut Calls) {
        let names =
            if spec.gated { ["gate_up_proj", "silu_mul", "down_proj"] } else { ["up_proj", "activation", "down_proj"] };
        let format = self.format(&spec.weights);
        self.network(spec.intermediate_size as f64, spec.gated, format, names, calls);
    }

    fn network(&self, intermediate: f64, gated: bool, format: LinearFormat, names: Names, calls: &mut Calls) {
        let hidden = self.scenario.model.hidden_size as f64;
        let width = intermediate / self.scenario.ranks();
        let inputs = if gated { 2.0 } else { 1.0 };
        self.linear(names[0], inputs * width, hidden, format, calls);
        let activation = Elementwise {
            op: ElementwiseOp::Activation,
            rows: self.step.tokens,
            bytes: ACTIVATION * self.step.tokens * width * (inputs + 1.0),
            read_share: inputs / (inputs + 1.0),
            flop: 5.0 * self.step.tokens * width,
        };
        calls.add(names[1], STAGE, self.layers, Kernel::Elementwise(activation));
        self.linear(names[2], hidden, width, format, calls);
    }

    fn moe(&self, spec: &MoeSpec, calls: &mut Calls) {
        let hidden = self.scenario.model.hidden_size as f64;
        let experts = spec.experts as f64;
        self.linear("router", experts, hidden, LinearFormat::Bf16, calls);
        let choice = Elementwise {
            op: ElementwiseOp::SelectExperts,
            rows: self.step.tokens,
            bytes: 8.0 * self.step.tokens * experts,
            read_share: 0.5,
            flop: 5.0 * self.step.tokens * experts,
        };
        calls.add("select_experts", STAGE, self.layers, Kernel::Elementwise(choice));
        let width = spec.latent_size.map_or(hidden, |latent| latent as f64);
        let shared_format = self.format(&spec.shared_weights);
        if spec.latent_size.is_some() {
            self.linear("latent_down_proj", width, hidden, shared_format, calls);
        }
        self.exchange(calls);
        self.experts(spec, width, calls);
        if spec.latent_size.is_some() {
            self.linear("latent_up_proj", hidden, width, shared_format, calls);
        }
        if let Some(shared) = spec.shared_intermediate_size {
            let names = ["shared_gate_up_proj", "shared_silu_mul", "shared_down_proj"];
            self.network(shared as f64, spec.gated, shared_format, names, calls);
        }
    }

    /// The routed experts of one rank: each expert split over all ranks, or whole experts spread over them.
    fn experts(&self, spec: &MoeSpec, hidden: f64, calls: &mut Calls) {
        let model = &self.scenario.model;
        let storage = model.storage(&spec.weights);
        let spread = self.scenario.deployment.expert_parallel as f64;
        let split = if spread > 1.0 { 1.0 } else { self.scenario.ranks() * self.scenario.replicas() };
        let kernel = GroupedGemm {
            tokens: self.step.all_tokens,
            hidden,
            intermediate: (spec.expert_intermediate_size as f64 / split).round_ties_even().max(1.0),
            experts: spec.experts as f64 / spread,
            top_k: spec.top_k as f64 / spread,
            matrices: if spec.gated { 3.0 } else { 2.0 },
            format: self.scenario.machine.expert_format(storage.dtype, model.fp8_block_scales),
            touched: None,
        };
        calls.add("experts", STAGE, self.layers, Kernel::GroupedGemm(kernel));
    }

    /// Tokens travel to their experts and back where attention runs on replicas of their own.
    fn exchange(&self, calls: &mut Calls) {
        let replicas = self.scenario.replicas();
        if replicas > 1.0 {
            let kernel = AllToAll {
                ranks: self.scenario.ranks() * replicas,
                replicas,
                elements: self.step.all_tokens * self.scenario.model.hidden_size as f64,
            };
            calls.add("expert_all_to_all", STAGE, 2.0 * self.layers, Kernel::AllToAll(kernel));
        }
    }
}
