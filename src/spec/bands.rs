//! Error bands: what public measurements of one kind scatter by, and how that was found.

use super::document::Document;
use super::fault::SpecError;
use super::fields::{Fields, Findings, Range};
use super::hardware::CostingClass;

/// The file of bands.
#[derive(Clone, Debug, Default)]
pub struct BandsSpec {
    /// How the factors were found, in words.
    pub method: String,
    /// Which measurements stand behind them.
    pub data: String,
    /// Share of new measurements that a band is to hold.
    pub level: f64,
    /// Bands by kind of measurement.
    pub bands: Vec<BandSpec>,
}

/// The band of one kind of measurement.
#[derive(Clone, Debug, PartialEq)]
pub struct BandSpec {
    /// `kernel` or `local`: how the time was predicted.
    pub method: String,
    /// How close measured kernels are to the machine.
    pub class: CostingClass,
    /// `decode`, `prefill`, `serving_tpot` or `serving_ttft`.
    pub figure: String,
    /// measured lies within [predicted / factor, predicted · factor].
    pub factor: f64,
    /// Rows behind it.
    pub rows: u64,
    /// Groups of machine, shape and engine behind it.
    pub groups: u64,
    /// Median absolute error of time of groups left out of the fit, percent.
    pub median_percent: Option<f64>,
    /// 90th percentile of it, percent.
    pub p90_percent: Option<f64>,
    /// Share of the rows of groups left out that the factor found without them holds, percent.
    pub coverage_percent: Option<f64>,
    /// Where the factor is not what the rows gave: why.
    pub why: Option<String>,
}

impl BandsSpec {
    /// Reads the file.
    ///
    /// # Errors
    /// All faults at once.
    pub fn read(document: &Document) -> Result<Self, SpecError> {
        let findings = Findings::default();
        let mut fields = Fields::top(document, "", &findings);
        let spec = Self {
            method: fields.text("method").unwrap_or_default(),
            data: fields.text("data").unwrap_or_default(),
            level: fields.need_number("level", Range { low: 0.5, high: 1.0 }),
            bands: fields.section_list("bands").into_iter().map(BandSpec::read).collect(),
        };
        fields.finish();
        findings.conclude(spec).map(|(spec, _)| spec)
    }

    /// The band of a kind of measurement.
    #[must_use]
    pub fn of(&self, method: &str, class: CostingClass, figure: &str) -> Option<&BandSpec> {
        self.bands.iter().find(|band| band.method == method && band.class == class && band.figure == figure)
    }
}

impl BandSpec {
    fn read(mut fields: Fields<'_>) -> Self {
        let percent = Range::from_zero(1e6);
        let spec = Self {
            method: fields.text("method").unwrap_or_default(),
            class: fields.one_of("class").unwrap_or(CostingClass::Datasheet),
            figure: fields.text("figure").unwrap_or_default(),
            factor: fields.need_number("factor", Range { low: 1.0, high: 1e3 }),
            rows: fields.whole("rows", 1 << 40).unwrap_or(0),
            groups: fields.whole("groups", 1 << 40).unwrap_or(0),
            median_percent: fields.number("median_percent", percent),
            p90_percent: fields.number("p90_percent", percent),
            coverage_percent: fields.number("coverage_percent", percent),
            why: fields.text("why"),
        };
        fields.finish();
        spec
    }
}
