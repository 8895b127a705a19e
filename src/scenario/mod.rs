//! The question: a model on a machine, deployed and used in a certain way.
//!
//! A scenario is complete, consistent and cheap to clone: counterfactuals edit one and run it again.

mod deployment;
mod inputs;
mod model;
mod resolve;

pub use deployment::{Deployment, Engine, Sampler, Switches, Workload};
pub use inputs::{InputDocuments, SHORT_PATHS};
pub use model::Model;
pub use resolve::{
    Inputs, ModelOrigin, Note, PreparedMachine, PreparedModel, ResolveError, Resolved, assemble, prepare_machine,
    prepare_model, resolve,
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
    /// Query heads on one rank.
    #[must_use]
    pub fn heads_per_rank(&self) -> f64 {
        (self.model.heads as f64 / self.ranks()).max(1.0)
    }

    /// Key/value heads on one rank: replicated where there are more ranks than heads.
    #[must_use]
    pub fn kv_heads_per_rank(&self) -> f64 {
        (self.model.kv_heads as f64 / self.ranks()).max(1.0)
    }

    /// GPUs that share each layer.
    #[must_use]
    pub fn ranks(&self) -> f64 {
        self.deployment.tensor_parallel as f64
    }

    /// Whose kernels the engine runs.
    #[must_use]
    pub fn kernel_family(&self) -> KernelFamily {
        self.deployment.engine.family
    }

    /// KV-cache bytes of one token on one rank.
    #[must_use]
    pub fn kv_bytes_per_token(&self) -> f64 {
        let element = self.model.kv.bytes(self.model.head_dim as f64);
        2.0 * self.model.layers as f64 * self.kv_heads_per_rank() * self.model.head_dim as f64 * element
    }
}
