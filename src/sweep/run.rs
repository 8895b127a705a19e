//! Runs the points of a matrix: prepared once per model and machine, in parallel, in order.

use std::collections::BTreeMap;
use std::sync::Arc;

use rayon::prelude::*;

use super::matrix::{Matrix, Point, describe};
use super::point::{PointOutcome, PointResult};
use crate::catalog::UnknownName;
use crate::diagnose::Budgets;
use crate::scenario::{
    InputDocuments, PreparedMachine, PreparedModel, ResolveError, Resolved, assemble, prepare_machine, prepare_model,
};
use crate::simulate::simulate;
use crate::spec::{Assignments, Document, HardwareSpec, ModelSpec, RequestSpec, SpecError};

/// The descriptions that a matrix names, by the name it uses.
#[derive(Clone, Debug, Default)]
pub struct Library {
    /// Model profiles.
    pub models: BTreeMap<String, Document>,
    /// Machines.
    pub machines: BTreeMap<String, Document>,
}

/// Why a matrix cannot be run: an input is wrong, not a point infeasible.
#[derive(Debug, thiserror::Error)]
pub enum SweepError {
    /// A field or a description is wrong.
    #[error("{point}: {error}")]
    Spec {
        /// The first point it concerns.
        point: String,
        /// What is wrong.
        error: SpecError,
    },
    /// A target is wrong.
    #[error("{point}: {what}")]
    Budget {
        /// The first point it concerns.
        point: String,
        /// What is wrong.
        what: String,
    },
    /// A point names no model or no machine.
    #[error("{point}: names no {what}\nhelp: add a `{what}` axis, or give it in the included point")]
    Missing {
        /// The point.
        point: String,
        /// What is missing.
        what: &'static str,
    },
    /// A model or engine cannot be resolved.
    #[error("{point}: {error}")]
    Resolve {
        /// The first point it concerns.
        point: String,
        /// What is wrong.
        error: ResolveError,
    },
    /// An unknown engine.
    #[error(transparent)]
    Unknown(#[from] UnknownName),
}

/// A matrix with everything its points need.
pub struct Runner<'a> {
    matrix: &'a Matrix,
    settings: &'a Assignments,
    budgets: Budgets,
    library: &'a Library,
    models: BTreeMap<String, PreparedModel>,
    machines: BTreeMap<String, PreparedMachine>,
}

/// Points simulated together; results stay in order.
const CHUNK: usize = 4096;

impl<'a> Runner<'a> {
    /// Over a matrix, the settings and targets its points share, and the descriptions they name.
    #[must_use]
    pub fn new(matrix: &'a Matrix, settings: &'a Assignments, budgets: Budgets, library: &'a Library) -> Self {
        Self { matrix, settings, budgets, library, models: BTreeMap::new(), machines: BTreeMap::new() }
    }

    /// Runs the points that `wanted` accepts, handing results on in order, some thousands at a time; whoever takes them
    /// may stop the run.
    ///
    /// # Errors
    /// The first point whose inputs are wrong, or why the run was stopped.
    pub fn run<E: From<SweepError>>(
        &mut self,
        wanted: impl Fn(u64) -> bool,
        mut take: impl FnMut(Vec<PointResult>) -> Result<(), E>,
    ) -> Result<(), E> {
        let matrix = self.matrix;
        self.check_paths()?;
        let mut points = matrix.points().filter(|point| wanted(point.ordinal));
        loop {
            let chunk: Vec<Point> = points.by_ref().take(CHUNK).collect();
            if chunk.is_empty() {
                return Ok(());
            }
            let keyed = chunk.iter().map(|point| self.prepare(point)).collect::<Result<Vec<_>, _>>()?;
            let shared: &Self = self;
            let results: Vec<Result<PointResult, SweepError>> =
                chunk.par_iter().zip(&keyed).map(|(point, keys)| shared.simulate(point, keys)).collect();
            take(results.into_iter().collect::<Result<_, _>>()?)?;
        }
    }

    fn check_paths(&self) -> Result<(), SweepError> {
        let own =
            self.matrix.columns().iter().map(|path| &**path).filter(|path| *path != "model" && *path != "hardware");
        let shared = self.settings.iter().map(|(path, _)| path.as_str());
        for path in own.chain(shared) {
            let told = format!("field `{path}`");
            match path.strip_prefix(BUDGET) {
                Some(key) => drop(target(key, "1", &told)?),
                None => InputDocuments::check_path(path).map_err(|error| SweepError::Spec { point: told, error })?,
            }
        }
        Ok(())
    }

    /// Resolves one point in full, for a report of its own, with its targets.
    ///
    /// # Errors
    /// If its inputs are wrong or do not agree.
    pub fn resolve(&mut self, point: &Point) -> Result<(Resolved, Budgets), SweepError> {
        let keys = self.prepare(point)?;
        let mut budgets = self.budgets;
        budgets.extend([keys.budgets]);
        Ok((self.assemble(point, &keys)?, budgets))
    }

    /// The fields of a point: settings first, so that the point's own win.
    fn fields(&self, point: &Point) -> Vec<(String, String)> {
        let own = self.matrix.columns().iter().zip(&point.values);
        let own = own.filter_map(|(path, value)| Some((path.to_string(), value.as_ref()?.to_string())));
        self.settings
            .iter()
            .cloned()
            .chain(own)
            .map(|(path, value)| (InputDocuments::full_path(&path), value))
            .collect()
    }

    fn prepare(&mut self, point: &Point) -> Result<Keys, SweepError> {
        let told = || describe(self.matrix.columns(), &point.values);
        let keys = Keys::of(self.fields(point), &told)?;
        if !self.models.contains_key(&keys.model_key) {
            let prepared = self.prepare_model(&keys, &told)?;
            self.models.insert(keys.model_key.clone(), prepared);
        }
        if !self.machines.contains_key(&keys.machine_key) {
            let prepared = self.prepare_machine(&keys, &told)?;
            self.machines.insert(keys.machine_key.clone(), prepared);
        }
        Ok(keys)
    }

    fn prepare_model(&self, keys: &Keys, told: &impl Fn() -> String) -> Result<PreparedModel, SweepError> {
        let missing = || SweepError::Missing { point: told(), what: "model" };
        let document = keys.model.as_ref().and_then(|name| self.library.models.get(name)).ok_or_else(missing)?;
        let spec = with_fields(document, &keys.model_fields).and_then(|document| ModelSpec::read(&document));
        let spec = spec.map_err(|error| SweepError::Spec { point: told(), error })?;
        prepare_model(&spec).map_err(|error| SweepError::Resolve { point: told(), error })
    }

    fn prepare_machine(&self, keys: &Keys, told: &impl Fn() -> String) -> Result<PreparedMachine, SweepError> {
        let missing = || SweepError::Missing { point: told(), what: "hardware" };
        let document = keys.hardware.as_ref().and_then(|name| self.library.machines.get(name)).ok_or_else(missing)?;
        let read = || -> Result<(HardwareSpec, HardwareSpec), SpecError> {
            let changed = HardwareSpec::read(&with_fields(document, &keys.hardware_fields)?)?;
            Ok((changed, HardwareSpec::read(document)?))
        };
        let (hardware, original) = read().map_err(|error| SweepError::Spec { point: told(), error })?;
        prepare_machine(&hardware, &original, keys.engine.as_deref())
            .map_err(|error| SweepError::Resolve { point: told(), error })
    }

    fn assemble(&self, point: &Point, keys: &Keys) -> Result<Resolved, SweepError> {
        let told = || describe(self.matrix.columns(), &point.values);
        let request = with_fields(&Document::empty(), &keys.request_fields).and_then(|d| RequestSpec::read(&d));
        let request = request.map_err(|error| SweepError::Spec { point: told(), error })?;
        let (model, machine) = (&self.models[&keys.model_key], &self.machines[&keys.machine_key]);
        assemble(model, machine, &request).map_err(|error| SweepError::Resolve { point: told(), error })
    }

    fn simulate(&self, point: &Point, keys: &Keys) -> Result<PointResult, SweepError> {
        let outcome = match self.assemble(point, keys) {
            Ok(resolved) => PointOutcome::of(&resolved.scenario, &simulate(&resolved.scenario)),
            // Heads that this point's ranks cannot split: a cell, not a fault of the matrix.
            Err(SweepError::Resolve { error: ResolveError::Inconsistent { what, .. }, .. }) => {
                PointOutcome::Invalid(what)
            }
            // A machine that lacks what the profile requires: likewise.
            Err(SweepError::Resolve { error: error @ ResolveError::Constraint { .. }, .. }) => {
                PointOutcome::Invalid(error.to_string().lines().next().unwrap_or_default().to_owned())
            }
            Err(error) => return Err(error),
        };
        let mut budgets = self.budgets;
        budgets.extend([keys.budgets]);
        Ok(PointResult { ordinal: point.ordinal, values: point.values.clone(), budgets, outcome })
    }
}

/// What of a point decides its model, its machine and its request.
#[derive(Default)]
struct Keys {
    model: Option<String>,
    hardware: Option<String>,
    engine: Option<String>,
    model_key: String,
    machine_key: String,
    model_fields: Assignments,
    hardware_fields: Assignments,
    request_fields: Assignments,
    budgets: Budgets,
}

/// Paths of targets.
const BUDGET: &str = "budgets.";

fn target(key: &str, value: &str, point: &str) -> Result<Budgets, SweepError> {
    format!("{key}={value}").parse().map_err(|what| SweepError::Budget { point: point.to_owned(), what })
}

impl Keys {
    fn of(fields: Vec<(String, String)>, told: &impl Fn() -> String) -> Result<Self, SweepError> {
        let mut keys = Self::default();
        for (path, value) in fields {
            match path.split_once('.') {
                None if path == "model" => keys.model = Some(value),
                None if path == "hardware" => keys.hardware = Some(value),
                Some(("model", rest)) => keys.model_fields.push((rest.to_owned(), value)),
                Some(("budgets", key)) => keys.budgets.extend([target(key, &value, &told())?]),
                Some(("hardware", rest)) => keys.hardware_fields.push((rest.to_owned(), value)),
                _ => {
                    if path == "deployment.engine" {
                        keys.engine = Some(value.clone());
                    }
                    keys.request_fields.push((path, value));
                }
            }
        }
        let joined = |fields: &Assignments| fields.iter().map(|(p, v)| format!("\n{p}={v}")).collect::<String>();
        keys.model_key = keys.model.clone().unwrap_or_default() + &joined(&keys.model_fields);
        let engine = keys.engine.as_deref().unwrap_or_default();
        keys.machine_key =
            format!("{}\n{engine}{}", keys.hardware.as_deref().unwrap_or_default(), joined(&keys.hardware_fields));
        Ok(keys)
    }
}

fn with_fields(document: &Document, fields: &Assignments) -> Result<Document, SpecError> {
    let mut changed = document.clone();
    for (path, value) in fields {
        changed.set(path, value, &format!("{path}: {value}"))?;
    }
    Ok(changed)
}

/// The names of models and machines that a matrix uses, each once, in the order they appear.
#[must_use]
pub fn names(matrix: &Matrix, column: &str) -> Vec<Arc<str>> {
    let mut names: Vec<Arc<str>> = Vec::new();
    let Some(index) = matrix.columns().iter().position(|path| **path == *column) else { return names };
    let axis = matrix.axes().iter().find(|(path, _)| **path == *column).map(|(_, values)| values.clone());
    let included = matrix.included_values(index);
    for name in axis.into_iter().flatten().chain(included) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}
