//! Everything a report tells, as numbers: gathered once, then projected to a record and to views.

use std::sync::Arc;

use crate::diagnose::{
    Bands, Budgets, Check, Claim, Combinations, Diagnosis, Way, checks, claims, combinations, diagnose, ways_to_fit,
};
use crate::scenario::{ModelOrigin, Note, Resolved, Scenario};
use crate::simulate::{Memory, Outcome, Run, Shortfall, simulate};
use crate::spec::ModelSpec;
use crate::sweep::{Curves, curves};

/// One scenario, told in full.
#[derive(Clone, Debug)]
pub struct Report {
    /// The question.
    pub scenario: Scenario,
    /// The profile it came from.
    pub profile: Arc<ModelSpec>,
    /// Where the architecture came from.
    pub origin: ModelOrigin,
    /// What the user should know of the inputs.
    pub notes: Vec<Note>,
    /// Targets.
    pub budgets: Budgets,
    /// The checklist.
    pub checks: Vec<Check>,
    /// The answer.
    pub answer: Answer,
    /// Where the report comes from.
    pub origin_of_report: ReportOrigin,
}

/// The answer: told in full, or by how much it does not fit.
#[derive(Clone, Debug)]
pub enum Answer {
    /// It fits.
    Fits(Box<Told>),
    /// It does not fit.
    DoesNotFit(Shortfall, Vec<Way>),
}

/// A run with what follows from it.
#[derive(Clone, Debug)]
pub struct Told {
    /// The run.
    pub run: Run,
    /// Error bands.
    pub bands: Bands,
    /// What to change.
    pub diagnosis: Diagnosis,
    /// What its remedies give together.
    pub combinations: Combinations,
    /// Claims beside the simulation.
    pub claims: Vec<Claim>,
    /// What changes with load.
    pub curves: Curves,
}

/// Where a report comes from: enough to get it again.
#[derive(Clone, Debug, Default)]
pub struct ReportOrigin {
    /// The command, with relative paths.
    pub command: String,
    /// Overrides as the user wrote them.
    pub overrides: Vec<String>,
    /// Hash of all inputs, hexadecimal.
    pub input_hash: String,
    /// Where the model description was read: a file name, or the catalogue.
    pub model_source: String,
    /// Where the machine description was read.
    pub hardware_source: String,
    /// Sources behind the machine's figures.
    pub hardware_provenance: String,
    /// The calibration sets in use.
    pub calibration: String,
    /// Time of creation in UTC, only where the environment fixes it.
    pub created: Option<String>,
    /// Address under which reports are published, for links in tickets.
    pub base_url: Option<String>,
    /// The page's place below that address without its ending, where it is not named after the scenario.
    pub page: Option<String>,
}

impl Report {
    /// Simulates and diagnoses a resolved scenario.
    #[must_use]
    pub fn new(resolved: Resolved, budgets: Budgets, origin_of_report: ReportOrigin) -> Self {
        Self::over(resolved, budgets, &[], origin_of_report)
    }

    /// The same, with the curve of load over these batch sizes.
    #[must_use]
    pub fn over(resolved: Resolved, budgets: Budgets, batches: &[u64], origin_of_report: ReportOrigin) -> Self {
        let Resolved { scenario, profile, origin, notes } = resolved;
        let outcome = simulate(&scenario);
        let memory = match &outcome {
            Outcome::Feasible(run) => run.memory,
            Outcome::Infeasible(shortfall) => shortfall.memory,
        };
        let checks = checks(&scenario, &memory, &profile.constraint, profile.cache_line_alignment, &budgets);
        let answer = match outcome {
            Outcome::Feasible(run) => Answer::Fits(Box::new(tell(&scenario, &profile, *run, &budgets, batches))),
            Outcome::Infeasible(shortfall) => {
                let ways = ways_to_fit(&scenario, &shortfall);
                Answer::DoesNotFit(shortfall, ways)
            }
        };
        Self { scenario, profile, origin, notes, budgets, checks, answer, origin_of_report }
    }

    /// The run, if it fits.
    #[must_use]
    pub fn told(&self) -> Option<&Told> {
        match &self.answer {
            Answer::Fits(told) => Some(told),
            Answer::DoesNotFit(..) => None,
        }
    }

    /// Device memory of one rank.
    #[must_use]
    pub fn memory(&self) -> &Memory {
        match &self.answer {
            Answer::Fits(told) => &told.run.memory,
            Answer::DoesNotFit(shortfall, _) => &shortfall.memory,
        }
    }
}

fn tell(scenario: &Scenario, profile: &ModelSpec, run: Run, budgets: &Budgets, batches: &[u64]) -> Told {
    let diagnosis = diagnose(scenario, &run, budgets);
    Told {
        bands: Bands::new(scenario, &run.metrics),
        combinations: combinations(scenario, &run, &diagnosis),
        diagnosis,
        claims: claims(scenario, profile, &run),
        curves: curves(scenario, batches),
        run,
    }
}
