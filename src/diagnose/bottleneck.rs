//! Ranked causes, each found by simulating its removal.

use super::evidence::{self, Evidence};
use super::{Budgets, Cause, LEVERS, LeverId, LeverKind, Metric};
use crate::scenario::Scenario;
use crate::simulate::{Metrics, Outcome, Run, simulate};

/// What a change does, simulated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effect {
    /// The change.
    pub lever: LeverId,
    /// Before it.
    pub before: Metrics,
    /// After it.
    pub after: Metrics,
    /// Device memory it frees on each rank, bytes; negative where it takes more.
    pub memory_saved_bytes: f64,
}

impl Effect {
    /// Milliseconds saved of a metric; negative where the change costs time.
    #[must_use]
    pub fn saved(&self, metric: Metric) -> Option<f64> {
        Some(metric.of(&self.before)? - metric.of(&self.after)?)
    }

    /// The share of a metric that is saved.
    #[must_use]
    pub fn saved_share(&self, metric: Metric) -> Option<f64> {
        Some(self.saved(metric)? / metric.of(&self.before)?)
    }
}

/// A cause with its best remedy.
#[derive(Clone, Debug)]
pub struct Bottleneck {
    /// Why time is lost.
    pub cause: Cause,
    /// The metric it is told in.
    pub metric: Metric,
    /// The best remedy.
    pub effect: Effect,
    /// Figures that show the cause.
    pub evidence: Vec<Evidence>,
    /// All remedies of the cause, best first.
    pub remedies: Vec<Remedy>,
}

/// A remedy and what it saves of its bottleneck's metric.
#[derive(Clone, Copy, Debug)]
pub struct Remedy {
    /// What it does.
    pub effect: Effect,
    /// Milliseconds saved.
    pub saved_ms: f64,
}

/// What to change, what faster hardware would give, and what would cost time.
#[derive(Clone, Debug, Default)]
pub struct Diagnosis {
    /// At most three distinct causes.
    pub bottlenecks: Vec<Bottleneck>,
    /// Hardware limits, relaxed.
    pub limits: Vec<Effect>,
    /// Changes that raise a metric, with it.
    pub costs: Vec<(Effect, Metric)>,
}

impl Diagnosis {
    /// The single remedy of least effort after which every target is met.
    #[must_use]
    pub fn cheapest_fix(&self, budgets: &Budgets) -> Option<&Effect> {
        let remedies = self.bottlenecks.iter().flat_map(|bottleneck| &bottleneck.remedies);
        let clearing = remedies.map(|remedy| &remedy.effect).filter(|effect| !budgets.missed(&effect.after));
        clearing.min_by_key(|effect| effect.lever.effort())
    }
}

/// Savings below this share are noise.
const LEAST_SHARE: f64 = 0.005;
const MOST_BOTTLENECKS: usize = 3;

/// Tries every lever on a scenario whose run is known.
#[must_use]
pub fn diagnose(scenario: &Scenario, run: &Run, budgets: &Budgets) -> Diagnosis {
    let effects: Vec<(Cause, LeverKind, Effect)> =
        LEVERS.iter().filter_map(|lever| Some((lever.cause, lever.kind, effect(scenario, run, lever)?))).collect();
    let remedies = effects.iter().filter(|(_, kind, _)| *kind == LeverKind::Remedy);
    let limits = effects.iter().filter(|(_, kind, _)| *kind == LeverKind::HardwareLimit);
    let costs = remedies.clone().flat_map(|(_, _, effect)| raised(effect)).collect();
    let mut found: Vec<(Score, Bottleneck)> = Vec::new();
    for (cause, _, effect) in remedies {
        let Some((score, metric)) = score(effect, budgets) else { continue };
        let remedy = Remedy { effect: *effect, saved_ms: effect.saved(metric).unwrap_or(0.0) };
        match found.iter_mut().find(|(_, bottleneck)| bottleneck.cause == *cause) {
            Some((best, bottleneck)) => {
                bottleneck.remedies.push(remedy);
                if score.compare(best).is_gt() {
                    (*best, bottleneck.metric, bottleneck.effect) = (score, metric, *effect);
                }
            }
            None => {
                let evidence = evidence::of(*cause, scenario, run);
                found.push((
                    score,
                    Bottleneck { cause: *cause, metric, effect: *effect, evidence, remedies: vec![remedy] },
                ));
            }
        }
    }
    found.sort_by(|a, b| b.0.compare(&a.0));
    let bottlenecks =
        found.into_iter().take(MOST_BOTTLENECKS).map(|(_, bottleneck)| in_one_metric(bottleneck)).collect();
    Diagnosis { bottlenecks, limits: limits.map(|(_, _, effect)| *effect).collect(), costs }
}

fn effect(scenario: &Scenario, run: &Run, lever: &super::Lever) -> Option<Effect> {
    let changed = (lever.apply)(scenario)?;
    match simulate(&changed) {
        Outcome::Feasible(after) => Some(Effect {
            lever: lever.id,
            before: run.metrics,
            after: after.metrics,
            memory_saved_bytes: (run.memory.needed() - after.memory.needed()).get(),
        }),
        Outcome::Infeasible(_) => None,
    }
}

/// How much an effect is worth.
#[derive(Clone, Copy, Debug)]
struct Score {
    /// Above 1: what is closed of the distance to a missed target. Else the share of the whole request that is saved.
    rank: f64,
    /// The share of its metric that is saved: decides between effects that close a target alike.
    share: f64,
}

impl Score {
    fn compare(&self, other: &Self) -> std::cmp::Ordering {
        self.rank.total_cmp(&other.rank).then(self.share.total_cmp(&other.share))
    }
}

/// Rank of an effect and the metric it is told in: a metric over its target counts first.
fn score(effect: &Effect, budgets: &Budgets) -> Option<(Score, Metric)> {
    let share = |metric| effect.saved_share(metric).unwrap_or(0.0);
    let closing = budgets.iter().filter_map(|(metric, limit)| {
        let over = metric.of(&effect.before)? - limit;
        let saved = effect.saved(metric).filter(|_| over > 0.0 && worth(effect, metric))?;
        Some((Score { rank: 1.0 + (saved / over).min(1.0), share: share(metric) }, metric))
    });
    let best = closing.max_by(|a, b| a.0.compare(&b.0));
    best.or_else(|| {
        let metric = [Metric::E2e, Metric::Ttft, Metric::Tpot].into_iter().find(|m| m.of(&effect.before).is_some())?;
        worth(effect, metric).then(|| (Score { rank: share(metric), share: share(metric) }, metric))
    })
}

fn worth(effect: &Effect, metric: Metric) -> bool {
    effect.saved_share(metric).is_some_and(|share| share > LEAST_SHARE)
}

/// Remedies of a bottleneck are compared in its metric, best first.
fn in_one_metric(mut bottleneck: Bottleneck) -> Bottleneck {
    let metric = bottleneck.metric;
    for remedy in &mut bottleneck.remedies {
        remedy.saved_ms = remedy.effect.saved(metric).unwrap_or(0.0);
    }
    bottleneck.remedies.retain(|remedy| worth(&remedy.effect, metric));
    bottleneck.remedies.sort_by(|a, b| b.saved_ms.total_cmp(&a.saved_ms));
    bottleneck
}

fn raised(effect: &Effect) -> Vec<(Effect, Metric)> {
    let raises = |metric: &Metric| effect.saved_share(*metric).is_some_and(|share| share < -LEAST_SHARE);
    [Metric::Ttft, Metric::Tpot].into_iter().filter(raises).map(|metric| (*effect, metric)).collect()
}
