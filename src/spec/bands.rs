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
    /// Factor for an engine of which nothing is known on a platform, and for kinds that nobody measured.
    pub other_factor: f64,
    /// What a cache of 4 bits widens a band by.
    pub int4_cache_factor: f64,
    /// Share of all rows of groups left out that factors found without them hold, percent.
    pub coverage_percent: Option<f64>,
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
    /// Measured is expected within [predicted / factor, predicted · factor].
    pub factor: f64,
    /// Where the factor comes from.
    pub basis: BandBasis,
    /// Development rows.
    pub rows: u64,
    /// Groups of machine, shape and engine among them.
    pub groups: u64,
    /// Median absolute error of time, percent.
    pub median_percent: Option<f64>,
    /// 90th percentile of it, percent.
    pub p90_percent: Option<f64>,
    /// The factor that the development rows gave.
    pub own_factor: Option<f64>,
    /// Share of the rows of groups left out that the factor found without them holds, percent.
    pub coverage_percent: Option<f64>,
    /// Rows kept apart until the models were frozen, and their errors.
    pub kept_apart: Option<KeptApart>,
}

/// Where the factor of a band comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BandBasis {
    /// What the development rows gave.
    Own,
    /// Development rows, with the constants fitted anew for each fold, pooled with rows kept apart.
    Pooled,
    /// Development rows, with the constants fitted anew for each fold; too few rows were kept apart.
    Refitted,
    /// Nobody measured it: the next better class's factor, widened.
    Inherited,
}

impl BandBasis {
    /// Every basis with its name.
    pub const ALL: [(Self, &'static str); 4] =
        [(Self::Own, "own"), (Self::Pooled, "pooled"), (Self::Refitted, "refitted"), (Self::Inherited, "inherited")];

    /// The name in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL[self as usize].1
    }
}

impl std::str::FromStr for BandBasis {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        super::request::parse_in(&Self::ALL, text)
    }
}

/// Errors of rows that nobody looked at before the models were frozen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KeptApart {
    /// Rows.
    pub rows: u64,
    /// Median absolute error of time, percent.
    pub median_percent: f64,
    /// 90th percentile of it, percent.
    pub p90_percent: f64,
}

impl BandsSpec {
    /// Reads the file.
    ///
    /// # Errors
    /// All faults at once.
    pub fn read(document: &Document) -> Result<Self, SpecError> {
        let findings = Findings::default();
        let mut fields = Fields::top(document, "", &findings);
        let factor = Range { low: 1.0, high: 1e3 };
        let spec = Self {
            method: fields.text("method").unwrap_or_default(),
            data: fields.text("data").unwrap_or_default(),
            level: fields.need_number("level", Range { low: 0.5, high: 1.0 }),
            other_factor: fields.need_number("other_factor", factor),
            int4_cache_factor: fields.need_number("int4_cache_factor", factor),
            coverage_percent: fields.number("coverage_percent", Range::from_zero(100.0)),
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
        let factor = Range { low: 1.0, high: 1e3 };
        let spec = Self {
            method: fields.text("method").unwrap_or_default(),
            class: fields.one_of("class").unwrap_or(CostingClass::Datasheet),
            figure: fields.text("figure").unwrap_or_default(),
            factor: fields.need_number("factor", factor),
            basis: fields.one_of("basis").unwrap_or(BandBasis::Own),
            rows: fields.whole("rows", 1 << 40).unwrap_or(0),
            groups: fields.whole("groups", 1 << 40).unwrap_or(0),
            median_percent: fields.number("median_percent", percent),
            p90_percent: fields.number("p90_percent", percent),
            own_factor: fields.number("own_factor", factor),
            coverage_percent: fields.number("coverage_percent", percent),
            kept_apart: KeptApart::read(fields.section("kept_apart")),
        };
        fields.finish();
        spec
    }
}

impl KeptApart {
    fn read(mut fields: Fields<'_>) -> Option<Self> {
        if fields.is_empty() {
            return None;
        }
        let percent = Range::from_zero(1e6);
        let spec = Self {
            rows: fields.whole("rows", 1 << 40).unwrap_or(0),
            median_percent: fields.need_number("median_percent", percent),
            p90_percent: fields.need_number("p90_percent", percent),
        };
        fields.finish();
        Some(spec)
    }
}
