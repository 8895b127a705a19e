//! Kinds of measurements that scatter alike, and the band of each.

use super::case::{Case, Kind, Metric};
use crate::catalog;
use crate::quantity::KvDtype;
use crate::spec::{BandSpec, CostingClass};

/// How a time is predicted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Method {
    /// Kernel models and constants of a serving engine.
    Kernel,
    /// The derated roofline of a local engine.
    Local,
}

/// Which figure, as far as it decides the scatter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Figure {
    /// Decode steps, whole static batches, throughput of them.
    Decode,
    /// Prefill of a static batch.
    Prefill,
    /// Time per token in serving.
    ServingTpot,
    /// Time to first token in serving.
    ServingTtft,
}

/// A kind of measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Class {
    /// How it is predicted.
    pub method: Method,
    /// How close measured kernels are to the machine.
    pub costing: CostingClass,
    /// Which figure.
    pub figure: Figure,
}

impl Method {
    /// Both with their names.
    pub const ALL: [(Self, &'static str); 2] = [(Self::Kernel, "kernel"), (Self::Local, "local")];

    /// The name in files and tables.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL[self as usize].1
    }
}

impl Figure {
    /// All with their names.
    pub const ALL: [(Self, &'static str); 4] = [
        (Self::Decode, "decode"),
        (Self::Prefill, "prefill"),
        (Self::ServingTpot, "serving_tpot"),
        (Self::ServingTtft, "serving_ttft"),
    ];

    /// The name in files and tables.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL[self as usize].1
    }
}

impl Class {
    /// Of a case.
    #[must_use]
    pub fn of(case: &Case) -> Self {
        let figure = match (case.load.kind, case.metric) {
            (Kind::Serving, Metric::Ttft) => Figure::ServingTtft,
            (Kind::Serving, _) => Figure::ServingTpot,
            (_, Metric::Ttft | Metric::PrefillRate) => Figure::Prefill,
            _ => Figure::Decode,
        };
        let method = if case.constants.is_some() { Method::Kernel } else { Method::Local };
        Self { method, costing: case.scenario.machine.class, figure }
    }

    /// The band of the kind; serving with a local engine was never measured.
    #[must_use]
    pub fn band(self) -> Option<&'static BandSpec> {
        catalog::bands().bands.iter().find(|band| self.is_of(band))
    }

    /// Whether a band is that of the kind.
    #[must_use]
    pub fn is_of(self, band: &BandSpec) -> bool {
        self.method.name() == band.method && self.costing == band.class && self.figure.name() == band.figure
    }
}

/// The factor within which a case's measurement is expected. An engine without constants of its own, and a kind that
/// nobody measured, have one of their own; never a narrower one than the kind has.
#[must_use]
pub fn factor(case: &Case) -> f64 {
    let own = Class::of(case).band().map(|band| band.factor);
    let bands = catalog::bands();
    let factor = match (own, case.known_engine) {
        (Some(own), true) => own,
        (own, _) => own.unwrap_or(1.0).max(bands.other_factor),
    };
    if case.scenario.model.kv == KvDtype::Int4 { factor * bands.int4_cache_factor } else { factor }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_in_their_order_and_every_kind_measured_has_a_band() {
        for (index, (figure, _)) in Figure::ALL.iter().enumerate() {
            assert_eq!(*figure as usize, index);
            for (costing, _) in CostingClass::ALL {
                assert!(Class { method: Method::Kernel, costing, figure: *figure }.band().is_some());
            }
        }
        assert!(catalog::bands().bands.iter().all(|band| band.factor >= 1.0));
    }
}
