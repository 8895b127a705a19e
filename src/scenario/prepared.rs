//! Models and machines made ready once for any number of scenarios, and scenarios of runs that took place.

use std::sync::Arc;

use super::resolve::{ModelOrigin, Note, resolve_deployment, resolve_switches, resolve_workload};
use super::{Engine, Model, Scenario};
use crate::machine::Machine;
use crate::spec::{ModelSpec, RequestSpec};

/// A model ready for any number of scenarios.
#[derive(Clone, Debug)]
pub struct PreparedModel {
    pub(super) model: Arc<Model>,
    pub(super) profile: Arc<ModelSpec>,
    pub(super) origin: ModelOrigin,
    pub(super) notes: Vec<Note>,
}

/// A machine and an engine ready for any number of scenarios.
#[derive(Clone, Debug)]
pub struct PreparedMachine {
    pub(super) machine: Arc<Machine>,
    pub(super) engine: Arc<Engine>,
}

impl PreparedModel {
    /// The model.
    #[must_use]
    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }
}

impl PreparedMachine {
    /// The machine, as the engine's kernels see it.
    #[must_use]
    pub fn machine(&self) -> &Arc<Machine> {
        &self.machine
    }

    /// The engine on this machine.
    #[must_use]
    pub fn engine(&self) -> &Arc<Engine> {
        &self.engine
    }
}

/// Puts the scenario of a run together that took place: heads that do not split evenly are taken as they are.
#[must_use]
pub fn assemble_measured(model: Arc<Model>, machine: &PreparedMachine, request: &RequestSpec) -> Scenario {
    Scenario {
        deployment: resolve_deployment(request, Arc::clone(&machine.engine)),
        workload: resolve_workload(request),
        switches: resolve_switches(request, &ModelSpec::default()),
        model,
        machine: Arc::clone(&machine.machine),
    }
}
