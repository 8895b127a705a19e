//! What if several changes are made together? Every combination of a few remedies, simulated.
//!
//! Savings overlap (a narrower cache saves less once the weights are narrow, too), so none is added up.

use super::{Bands, Diagnosis, LEVERS, LeverId};
use crate::quantity::Bytes;
use crate::scenario::Scenario;
use crate::simulate::{Metrics, Run, simulate};

/// More remedies than this are not combined: 2⁴ runs.
pub const MOST_COMBINED: usize = 4;

/// Remedies that can be made together, and what each choice of them gives.
#[derive(Clone, Debug, Default)]
pub struct Combinations {
    /// The remedies, the one that saves most first; each changes something of its own.
    pub levers: Vec<LeverId>,
    /// All 2ⁿ choices, from none to all: the choice at index `i` makes remedy `k` if bit `k` of `i` is set.
    pub rows: Vec<Combination>,
}

/// A choice of remedies and what it gives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Combination {
    /// Bit `k` is remedy `k`.
    pub choice: u8,
    /// What it gives; none where it does not fit.
    pub result: Option<CombinedResult>,
}

/// What a choice of remedies gives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CombinedResult {
    /// Headline figures.
    pub metrics: Metrics,
    /// Their error bands.
    pub bands: Bands,
    /// Memory needed on each rank.
    pub memory: Bytes,
}

impl Combination {
    /// Whether remedy `k` is made.
    #[must_use]
    pub const fn makes(&self, k: usize) -> bool {
        self.choice >> k & 1 == 1
    }
}

/// Combines the remedies of a diagnosis.
#[must_use]
pub fn combinations(scenario: &Scenario, run: &Run, diagnosis: &Diagnosis) -> Combinations {
    let levers = chosen(diagnosis);
    let choices = if levers.is_empty() { 0 } else { 1u8 << levers.len() };
    let rows = (0..choices).map(|choice| Combination { choice, result: result(scenario, run, &levers, choice) });
    Combinations { rows: rows.collect(), levers }
}

/// The best remedy of each cause, then others that change something else.
fn chosen(diagnosis: &Diagnosis) -> Vec<LeverId> {
    let best = diagnosis.bottlenecks.iter().map(|bottleneck| bottleneck.effect.lever);
    let others = diagnosis.bottlenecks.iter().flat_map(|bottleneck| &bottleneck.remedies);
    let mut chosen: Vec<LeverId> = Vec::new();
    for lever in best.chain(others.map(|remedy| remedy.effect.lever)) {
        if chosen.len() < MOST_COMBINED && chosen.iter().all(|other| other.changes() != lever.changes()) {
            chosen.push(lever);
        }
    }
    chosen
}

fn result(scenario: &Scenario, run: &Run, levers: &[LeverId], choice: u8) -> Option<CombinedResult> {
    let told = |scenario: &Scenario, run: &Run| CombinedResult {
        metrics: run.metrics,
        bands: Bands::new(scenario, &run.metrics),
        memory: run.memory.needed(),
    };
    if choice == 0 {
        return Some(told(scenario, run));
    }
    let mut changed = scenario.clone();
    for (k, id) in levers.iter().enumerate().filter(|(k, _)| choice >> k & 1 == 1) {
        debug_assert!(k < MOST_COMBINED);
        let lever = LEVERS.iter().find(|lever| lever.id == *id)?;
        // A change that another one already made needless changes nothing.
        changed = (lever.apply)(&changed).unwrap_or(changed);
    }
    simulate(&changed).run().map(|run| told(&changed, run))
}
