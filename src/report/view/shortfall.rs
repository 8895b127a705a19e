//! A scenario that does not fit: the arithmetic, and the nearest ones that do.

use super::fit::Segment;
use super::parts::{Mark, Swatch};

/// The arithmetic of the shortfall.
#[derive(Clone, Debug)]
pub struct Shortfall {
    /// What is compared.
    pub lede: String,
    /// Name of the bar for screen readers.
    pub label: String,
    /// Parts of what is needed; the whole bar is the sum.
    pub segments: Vec<Segment>,
    /// Position of what is available, in percent.
    pub limit: String,
    /// Words at that position.
    pub limit_text: String,
    /// Weights, KV cache, activations, runtime.
    pub rows: Vec<ShortfallRow>,
    /// Their sum.
    pub needed: ShortfallRow,
    /// What the hardware offers.
    pub available: ShortfallRow,
    /// The difference.
    pub missing: ShortfallRow,
}

/// A row of the shortfall.
#[derive(Clone, Debug)]
pub struct ShortfallRow {
    /// Colour in the bar.
    pub swatch: Option<Swatch>,
    /// What it is.
    pub name: String,
    /// How it was computed; may be empty.
    pub arithmetic: String,
    /// How much.
    pub size: String,
}

/// The nearest scenarios, each simulated.
#[derive(Clone, Debug)]
pub struct Ways {
    /// Smallest change first.
    pub rows: Vec<Way>,
}

/// One change of the scenario.
#[derive(Clone, Debug)]
pub struct Way {
    /// What changes.
    pub change: String,
    /// The option that makes the change.
    pub option: String,
    /// Does it fit?
    pub mark: Mark,
    /// TTFT, or an en dash.
    pub ttft: String,
    /// TPOT, or an en dash.
    pub tpot: String,
    /// Memory needed of memory available.
    pub memory: String,
}
