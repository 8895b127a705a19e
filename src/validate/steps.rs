//! GPU time of the forward steps a figure is made of, by the kernel models as they were fitted.
//!
//! The product holds kernels at the data sheet; here they are taken as the models give them, so that an error is the
//! model's own.

use super::case::{Case, Kind, Load, Metric};
use super::parts::{Part, Parts};
use crate::cost;
use crate::kernel::{GroupedGemm, Kernel, KernelCall};
use crate::plan::{self, THREE_POINTS};
use crate::scenario::Scenario;

/// GPU time of each kind of step that the figure needs.
#[derive(Clone, Debug, Default)]
pub(super) struct Steps {
    /// The static batch's prefill, and how many steps it takes.
    pub prefill: Option<(Parts, f64)>,
    /// The prefill of one request.
    pub own_prefill: Option<Parts>,
    /// Decode steps with their weights.
    pub decode: Vec<(f64, Parts)>,
    /// What a prompt mixed into a decode step adds to it.
    pub mixed: Option<f64>,
}

/// Prices the steps of a case.
pub(super) fn price(case: &Case) -> Steps {
    let (load, metric) = (&case.load, case.metric);
    let serving = load.kind == Kind::Serving;
    let mut steps = Steps::default();
    let whole = matches!(metric, Metric::E2e | Metric::Ttft | Metric::PrefillRate | Metric::Throughput);
    if !serving && whole {
        let plan = plan::prefill(&case.scenario);
        steps.prefill = Some((sum(&case.scenario, load, &plan.calls, false), plan.steps));
    }
    if serving {
        steps.own_prefill = Some(own_prefill(case));
    }
    if !matches!(metric, Metric::Ttft | Metric::PrefillRate) {
        steps.decode = decode(case);
    }
    if serving && metric == Metric::Tpot && case.mixes_prompts {
        steps.mixed = Some(mixed(case));
    }
    if serving && metric == Metric::Ttft {
        let running = load.decoding.filter(|n| *n != 0.0).unwrap_or(load.batch).max(1.0);
        steps.decode = vec![(1.0, at(case, running, load.prompt + load.output / 2.0))];
    }
    steps
}

fn prompt_tokens(load: &Load) -> f64 {
    load.prompt.max(1.0).trunc()
}

/// One request's prompt on one attention replica.
fn own_prefill(case: &Case) -> Parts {
    let mut scenario = case.scenario.clone();
    scenario.deployment.data_parallel = 1;
    scenario.workload.batch_size = 1;
    scenario.workload.prompt_len = prompt_tokens(&case.load) as u64;
    sum(&scenario, &case.load, &plan::prefill(&scenario).calls, false)
}

/// Decode steps: at the recorded mean context, or at three points between the first and the last.
fn decode(case: &Case) -> Vec<(f64, Parts)> {
    let load = &case.load;
    if let Some(context) = load.context {
        return vec![(1.0, at(case, load.batch, context))];
    }
    let span = (load.output - 1.0).max(0.0);
    let point = |(x, weight): (f64, f64)| (weight, at(case, load.batch, load.prompt + 1.0 + x * span));
    THREE_POINTS.into_iter().map(point).collect()
}

fn at(case: &Case, batch: f64, context: f64) -> Parts {
    let calls = plan::decode_step(&case.scenario, batch, context.max(1.0));
    sum(&case.scenario, &case.load, &calls, true)
}

fn mixed(case: &Case) -> f64 {
    let load = &case.load;
    let context = load.context.unwrap_or(load.prompt + load.output / 2.0);
    let calls = plan::mixed_step(&case.scenario, prompt_tokens(load), load.batch, context.max(1.0));
    let with = sum(&case.scenario, load, &calls, true).total();
    (with - at(case, load.batch, context).total()).max(0.0)
}

/// Adds up the kernels that the fit knew.
fn sum(scenario: &Scenario, load: &Load, calls: &[KernelCall], decodes: bool) -> Parts {
    let mut parts = Parts::default();
    let touch_the_same = load.same_text && decodes && scenario.deployment.expert_parallel == 1;
    for call in calls.iter().filter(|call| call.in_reference) {
        let kernel = match call.kernel {
            Kernel::GroupedGemm(k) if touch_the_same => {
                Kernel::GroupedGemm(GroupedGemm { touched: Some(k.top_k), ..k })
            }
            kernel => kernel,
        };
        let factor = scenario.deployment.engine.kernel_factor(&kernel, scenario.model.weights);
        parts[Part::of(call)] += cost::modelled(&kernel, &scenario.machine).us() * call.calls * factor;
    }
    parts
}
