//! Error bands: what public measurements of the same class scattered by (`validation/bands.yaml`).
//!
//! `low = value / f`, `high = value · f`. The structure of the models was chosen on a part of the rows behind f, so the
//! band is a statement about them, not a promise. The first token is a prefill, the tokens after it are decode steps.

use super::Metric;
use crate::catalog;
use crate::quantity::KvDtype;
use crate::scenario::Scenario;
use crate::simulate::Metrics;
use crate::spec::{BandSpec, CostingClass};

/// Scatter of one class and metric.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClassError {
    /// Factor of the band, widened where the scenario asks for it.
    pub factor: f64,
    /// The measurements behind it.
    pub band: &'static BandSpec,
}

/// Fewer rows than this do not carry a band; the page says so.
pub const FEW_ROWS: u64 = 15;

impl ClassError {
    /// Scatter of prefill on machines of a class, by kernel models or by the derated roofline of a `local` engine; none
    /// where the class has no band.
    #[must_use]
    pub fn prefill(class: CostingClass, local: bool) -> Option<Self> {
        Self::of(class, local, "prefill")
    }

    /// Scatter of decode; as [`ClassError::prefill`].
    #[must_use]
    pub fn decode(class: CostingClass, local: bool) -> Option<Self> {
        Self::of(class, local, "decode")
    }

    fn of(class: CostingClass, local: bool, figure: &str) -> Option<Self> {
        let method = if local { "local" } else { "kernel" };
        let band = catalog::bands().of(method, class, figure)?;
        Some(Self { factor: band.factor, band })
    }

    /// Whether too few rows stand behind the factor.
    #[must_use]
    pub const fn is_thin(&self) -> bool {
        self.band.rows < FEW_ROWS
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
    /// Whether a local engine's derated roofline took the place of the kernel models.
    pub local: bool,
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
        let local = scenario.deployment.engine.local.is_some();
        let int4 = scenario.model.kv == KvDtype::Int4;
        // No measured kernel reads a 4-bit cache.
        let widen = if int4 { catalog::bands().int4_cache_factor } else { 1.0 };
        let band = |value: Option<f64>, error: Option<ClassError>| {
            let (ms, error) = value.zip(error)?;
            let factor = error.factor * widen;
            Some(Band { low: ms / factor, high: ms * factor, error: ClassError { factor, ..error } })
        };
        Self {
            class,
            local,
            ttft: band(metrics.ttft_ms, ClassError::prefill(class, local)),
            tpot: band(metrics.tpot_ms, ClassError::decode(class, local)),
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
