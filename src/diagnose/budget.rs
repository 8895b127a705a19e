//! Targets, and how a result stands against them.

use std::str::FromStr;

use super::Bands;
use crate::simulate::Metrics;

/// A metric that can have a target; all in milliseconds, lower is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Metric {
    /// Time to first token.
    Ttft,
    /// Mean time per output token.
    Tpot,
    /// Whole request.
    E2e,
}

impl Metric {
    /// All metrics.
    pub const ALL: [Self; 3] = [Self::Ttft, Self::Tpot, Self::E2e];

    /// The key in options and results.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::Ttft => "ttft_ms",
            Self::Tpot => "tpot_ms",
            Self::E2e => "e2e_ms",
        }
    }

    /// The name in texts.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ttft => "TTFT",
            Self::Tpot => "TPOT",
            Self::E2e => "E2E",
        }
    }

    /// Its value in a result.
    #[must_use]
    pub const fn of(self, metrics: &Metrics) -> Option<f64> {
        match self {
            Self::Ttft => metrics.ttft_ms,
            Self::Tpot => metrics.tpot_ms,
            Self::E2e => metrics.e2e_ms,
        }
    }
}

/// Targets in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Budgets {
    limits: [Option<f64>; 3],
}

impl Budgets {
    /// The target of a metric.
    #[must_use]
    pub const fn limit(&self, metric: Metric) -> Option<f64> {
        self.limits[metric as usize]
    }

    /// Sets a target.
    pub const fn set(&mut self, metric: Metric, limit_ms: f64) {
        self.limits[metric as usize] = Some(limit_ms);
    }

    /// Whether no target is set.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.limits.iter().all(Option::is_none)
    }

    /// Targets with their metric.
    pub fn iter(&self) -> impl Iterator<Item = (Metric, f64)> + '_ {
        Metric::ALL.into_iter().filter_map(|metric| Some((metric, self.limit(metric)?)))
    }

    /// Whether a point estimate is over any target. A target on a metric the scenario leaves out counts as missed.
    #[must_use]
    pub fn missed(&self, metrics: &Metrics) -> bool {
        self.iter().any(|(metric, limit)| metric.of(metrics).is_none_or(|value| value > limit))
    }

    /// How a result stands: over a target, under it with the band across it, or under it with the whole band.
    #[must_use]
    pub fn standing(&self, metrics: &Metrics, bands: &Bands) -> Standing {
        if self.is_empty() {
            return Standing::NoTarget;
        }
        if self.missed(metrics) {
            return Standing::NotReady;
        }
        let crosses = |(metric, limit): (Metric, f64)| bands.of(metric).is_some_and(|band| band.high > limit);
        if self.iter().any(crosses) { Standing::AtRisk } else { Standing::Ready }
    }
}

/// How a result stands against its targets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Every target is met, the whole error band included.
    Ready,
    /// Every target is met, but a band crosses one.
    AtRisk,
    /// A point estimate is over its target.
    NotReady,
    /// No target was set.
    NoTarget,
}

impl FromStr for Budgets {
    type Err = String;

    /// Parses one `METRIC=MS`.
    fn from_str(text: &str) -> Result<Self, String> {
        let known = || Metric::ALL.map(Metric::key).join(", ");
        let (key, value) = text.split_once('=').ok_or_else(|| format!("`{text}` is not METRIC=MS, as ttft_ms=200"))?;
        let metric = Metric::ALL.into_iter().find(|metric| metric.key() == key);
        let metric = metric.ok_or_else(|| format!("unknown metric `{key}`: use one of {}", known()))?;
        let limit: f64 = value.parse().map_err(|_| format!("`{value}` is not a number of milliseconds"))?;
        if !(limit.is_finite() && limit > 0.0) {
            return Err(format!("a target must be a positive number of milliseconds, not `{value}`"));
        }
        let mut budgets = Self::default();
        budgets.set(metric, limit);
        Ok(budgets)
    }
}

impl Extend<Self> for Budgets {
    fn extend<I: IntoIterator<Item = Self>>(&mut self, others: I) {
        for other in others {
            other.iter().for_each(|(metric, limit)| self.set(metric, limit));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_parse_and_bad_ones_say_why() {
        let mut budgets: Budgets = "ttft_ms=200".parse().expect("a target");
        budgets.extend(["tpot_ms=15".parse().expect("a target")]);
        assert_eq!(budgets.limit(Metric::Ttft), Some(200.0));
        assert_eq!(budgets.limit(Metric::Tpot), Some(15.0));
        for bad in ["ttft_ms", "tftt_ms=1", "ttft_ms=x", "ttft_ms=-1", "ttft_ms=inf", "ttft_ms=nan"] {
            assert!(bad.parse::<Budgets>().is_err(), "{bad}");
        }
    }
}
