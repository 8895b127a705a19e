//! Changes that need less memory, in words and as options.

use crate::diagnose::Change;
use crate::quantity::format::integer;
use crate::report::text::{Holes, Text};
use crate::scenario::Scenario;

/// What changes.
pub(in crate::report) fn change(change: Change, scenario: &Scenario, text: &Text) -> String {
    let words = &text.way;
    let (workload, ranks) = (&scenario.workload, scenario.deployment.tensor_parallel);
    let from_to = |from: u64, to: u64| -> Holes { vec![("from", integer(from)), ("to", integer(to))] };
    let upper = |name: &str| name.to_uppercase();
    match change {
        Change::BatchSize(to) => words.batch.fill_from(&from_to(workload.batch_size, to)),
        Change::PromptLen(to) => words.prompt.fill_from(&from_to(workload.prompt_len, to)),
        Change::Weights(dtype) => words.weights.fill(&[("weights", &upper(dtype.name()))]),
        Change::Kv(dtype) => words.kv.fill(&[("kv", &upper(dtype.name()))]),
        Change::WeightsAndKv(weights, kv) => {
            words.weights_and_kv.fill(&[("weights", &upper(weights.name())), ("kv", &upper(kv.name()))])
        }
        Change::TensorParallel(to) => words.ranks.fill_from(&from_to(ranks, to)),
    }
}

/// The option that makes the change.
pub(in crate::report) fn option(change: Change) -> String {
    match change {
        Change::BatchSize(batch) => format!("--batch-size {batch}"),
        Change::PromptLen(prompt) => format!("--prompt-len {prompt}"),
        Change::Weights(dtype) => format!("--weights-dtype {dtype}"),
        Change::Kv(dtype) => format!("--kv-dtype {dtype}"),
        Change::WeightsAndKv(weights, kv) => format!("--weights-dtype {weights} --kv-dtype {kv}"),
        Change::TensorParallel(ranks) => format!("--tensor-parallel {ranks}"),
    }
}
