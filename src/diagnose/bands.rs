//! Error bands: what public measurements of the same class scattered by.
//!
//! `low = value / f`, `high = value · f`; f holds 90 % of pooled public rows (development rows under group
//! cross-validation, and rows kept out). The structure of the models was chosen on a part of these rows, so the band is
//! a statement about them, not a promise. The first token is a prefill, the tokens after it are decode steps.

use super::Metric;
use crate::quantity::KvDtype;
use crate::scenario::Scenario;
use crate::simulate::Metrics;
use crate::spec::CostingClass;

/// Scatter of one class and metric.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClassError {
    /// Factor that holds 90 % of the rows.
    pub factor: f64,
    /// Rows behind it.
    pub rows: u64,
    /// Groups of hardware, shape and engine behind it.
    pub groups: u64,
    /// Median absolute error of rows kept out, percent, where there were any.
    pub held_out_median_percent: Option<f64>,
}

/// Fewer rows than this do not carry a band; the page says so.
pub const FEW_ROWS: u64 = 15;

/// No measured kernel reads a 4-bit cache: the band widens.
const INT4_KV_FACTOR: f64 = 1.6;

impl ClassError {
    const fn new(factor: f64, rows: u64, groups: u64, held_out_median_percent: Option<f64>) -> Self {
        Self { factor, rows, groups, held_out_median_percent }
    }

    /// Scatter of prefill.
    #[must_use]
    pub const fn prefill(class: CostingClass) -> Self {
        match class {
            CostingClass::Calibrated => Self::new(1.52, 47, 14, Some(11.0)),
            CostingClass::Sibling => Self::new(1.9, 9, 9, None),
            CostingClass::Datasheet => Self::new(2.38, 2, 2, Some(66.0)),
        }
    }

    /// Scatter of decode.
    #[must_use]
    pub const fn decode(class: CostingClass) -> Self {
        match class {
            CostingClass::Calibrated => Self::new(1.48, 470, 30, Some(8.0)),
            CostingClass::Sibling => Self::new(1.43, 672, 28, Some(7.0)),
            CostingClass::Datasheet => Self::new(1.55, 518, 13, Some(12.0)),
        }
    }

    /// Whether too few rows stand behind the factor.
    #[must_use]
    pub const fn is_thin(&self) -> bool {
        self.rows < FEW_ROWS
    }
}

/// Both ends of a 90 % band, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Band {
    /// Low end.
    pub low: f64,
    /// High end.
    pub high: f64,
    /// What it rests on.
    pub error: ClassError,
}

/// The bands of a result.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bands {
    /// How close the measurements are to the machine.
    pub class: CostingClass,
    /// Time to first token.
    pub ttft: Option<Band>,
    /// Time per output token.
    pub tpot: Option<Band>,
}

impl Bands {
    /// The bands of a result.
    #[must_use]
    pub fn new(scenario: &Scenario, metrics: &Metrics) -> Self {
        let class = scenario.machine.class;
        let widen = if scenario.model.kv == KvDtype::Int4 { INT4_KV_FACTOR } else { 1.0 };
        let band = |value: Option<f64>, error: ClassError| {
            let factor = error.factor * widen;
            value.map(|ms| Band { low: ms / factor, high: ms * factor, error: ClassError { factor, ..error } })
        };
        Self {
            class,
            ttft: band(metrics.ttft_ms, ClassError::prefill(class)),
            tpot: band(metrics.tpot_ms, ClassError::decode(class)),
        }
    }

    /// The band of a metric; a whole request has none of its own.
    #[must_use]
    pub const fn of(&self, metric: Metric) -> Option<Band> {
        match metric {
            Metric::Ttft => self.ttft,
            Metric::Tpot => self.tpot,
            Metric::E2e => None,
        }
    }
}
