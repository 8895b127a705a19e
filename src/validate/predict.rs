//! The prediction of a case: a time, what it is made of, and the figure in its own unit.

use super::case::{Case, Kind, Metric};
use super::parts::Parts;
use super::{engine, local, steps};

/// A predicted figure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prediction {
    /// The time that the figure stands for, by parts.
    pub parts: Parts,
    /// Tokens that pass in that time, where the figure is a rate.
    pub tokens: Option<f64>,
}

impl Prediction {
    /// The figure in its own unit: milliseconds, or tokens a second.
    #[must_use]
    pub fn value(&self) -> f64 {
        self.value_of(self.parts.total())
    }

    /// The figure that another time in its place would give.
    #[must_use]
    pub fn value_of(&self, us: f64) -> f64 {
        match self.tokens {
            Some(tokens) => tokens / us * 1e6,
            None => us / 1e3,
        }
    }

    /// The time, in microseconds, that a figure in its own unit stands for.
    #[must_use]
    pub fn time_of(&self, value: f64) -> f64 {
        match self.tokens {
            Some(tokens) => tokens / value * 1e6,
            None => value * 1e3,
        }
    }
}

/// Predicts a case.
#[must_use]
pub fn predict(case: &Case) -> Prediction {
    let parts = match case.constants {
        Some(constants) => engine::combine(case, &steps::price(case), constants),
        None => local::time(case),
    };
    Prediction { parts, tokens: tokens(case) }
}

fn tokens(case: &Case) -> Option<f64> {
    let load = &case.load;
    match case.metric {
        Metric::Ttft | Metric::Tpot | Metric::E2e => None,
        Metric::PrefillRate => Some(load.batch * load.prompt),
        Metric::DecodeRate => Some(load.batch),
        Metric::Throughput if load.kind == Kind::Serving => Some(load.batch),
        Metric::Throughput => Some(load.batch * load.output),
    }
}
