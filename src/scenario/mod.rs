//! The question: a model on a machine, deployed and used in a certain way.
//!
//! A scenario is complete, consistent and cheap to clone: counterfactuals edit one and run it again.

mod cache;
mod constraint;
mod deployment;
mod inputs;
mod model;
mod notice;
mod prepared;
mod resolve;

pub use cache::KvCache;
pub use deployment::{Deployment, Engine, Sampler, Switches, Workload};
pub use inputs::{InputDocuments, SHORT_PATHS};
pub use model::{Model, OuterBits, Storage};
pub use prepared::{PreparedMachine, PreparedModel, assemble_measured};
pub use resolve::{
    Inputs, ModelOrigin, Note, ResolveError, Resolved, assemble, prepare_machine, prepare_model, resolve,
};

use std::sync::Arc;

use crate::machine::{KernelFamily, Machine};

/// A complete question.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// The model.
    pub model: Arc<Model>,
    /// The machine, as the engine's kernels see it.
    pub machine: Arc<Machine>,
    /// Ranks, engine, memory policy.
    pub deployment: Deployment,
    /// The requests.
    pub workload: Workload,
    /// What is switched on or off.
    pub switches: Switches,
}

impl Scenario {
    /// GPUs that share each layer.
    #[must_use]
    pub fn ranks(&self) -> f64 {
        self.deployment.tensor_parallel as f64
    }

    /// Stages of the pipeline.
    #[must_use]
    pub fn stages(&self) -> f64 {
        self.deployment.pipeline_parallel as f64
    }

    /// Whether one copy of the model spans several boxes.
    #[must_use]
    pub fn crosses_nodes(&self) -> bool {
        self.gpus() as f64 > self.machine.costs.collective.network.node_gpus
    }

    /// Replicas of the attention part.
    #[must_use]
    pub fn replicas(&self) -> f64 {
        self.deployment.data_parallel as f64
    }

    /// GPUs of one copy of the model.
    #[must_use]
    pub fn gpus(&self) -> u64 {
        self.deployment.tensor_parallel * self.deployment.pipeline_parallel * self.deployment.data_parallel
    }

    /// Whose kernels the engine runs.
    #[must_use]
    pub fn kernel_family(&self) -> KernelFamily {
        self.deployment.engine.family
    }

    /// The KV cache and recurrent state on one rank.
    #[must_use]
    pub fn kv_cache(&self) -> KvCache {
        KvCache::new(&self.model, self.deployment.tensor_parallel, self.layer_share())
    }

    /// Share of the layers that the fullest pipeline stage holds.
    #[must_use]
    pub fn layer_share(&self) -> f64 {
        let (layers, stages) = (self.model.layers(), self.deployment.pipeline_parallel);
        layers.div_ceil(stages) as f64 / layers as f64
    }
}
