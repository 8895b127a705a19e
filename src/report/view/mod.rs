//! Views: what a template prints, as finished text.
//!
//! No number that a template would have to format, no HTML except [`Markup`], geometry as ready attribute values
//! (percent or SVG units, made by [`crate::report::chart::bars`]). One file a section, in reading order.

mod fit;
mod fixes;
mod index;
mod kernels;
mod parts;
mod scaling;
mod shortfall;
mod sweep;
mod trust;
mod validation;
mod verdict;
mod waterfall;
mod whatif;

pub use fit::{Claim, Fit, Memory, MemoryRow, Requirement, Segment};
pub use fixes::{Change, Check, Evidence, Fix, Fixes};
pub use index::{
    Amount, ChangeRow, Delta, Filters, IndexAbout, IndexChanges, IndexErrors, IndexList, IndexPage, NoteCard, Place,
    ReportRow, RowChange, Sparkline,
};
pub use kernels::{Headroom, KernelInputs, Kernels, PhaseKernel};
pub use parts::{Cell, Column, Figure, Key, Mark, Markup, Meter, Swatch, Table, Tone};
pub use scaling::{Heat, HeatCell, HeatRow, Scaling};
pub use shortfall::{Shortfall, ShortfallRow, Way, Ways};
pub use sweep::{
    BestCell, BestRow, BestTable, Curves, Link, ListColumn, ListRow, Map, MapSelect, Notes, PointList, Sorted, Sweep,
    SweepRepro, SweepTrust,
};
pub use trust::{ErrorRow, FinePrint, Repro, Source, Trust, Warning};
pub use validation::{Chapter, Part, ValidationPage};
pub use verdict::{Bullet, Hero, Verdict, Whisker};
pub use waterfall::{Axis, Bar, Hop, KernelRow, Stage, TextRow, Tick, Waterfall};
pub use whatif::{WhatIf, WhatIfRow};

/// A whole page: the frame and its sections.
#[derive(Clone, Debug)]
pub struct PageView {
    /// Title of the browser tab and of a search result.
    pub title: String,
    /// What the page is about, in the header: model on hardware.
    pub context: String,
    /// Program and version.
    pub tool: String,
    /// Last line of the page.
    pub footer: String,
    /// File name that the JSON button proposes.
    pub json_name: String,
    /// The sections.
    pub content: Content,
}

/// The pages: two that one scenario can have, and those of many.
#[derive(Clone, Debug)]
pub enum Content {
    /// It fits and was simulated.
    Single(Box<Single>),
    /// It does not fit; there is no latency to show.
    Infeasible(Box<Infeasible>),
    /// A declared report.
    Sweep(Box<Sweep>),
    /// A folder of reports.
    Index(Box<IndexPage>),
    /// Predicted against measured.
    Validation(Box<ValidationPage>),
}

/// Sections of a scenario that fits. A phase that was not asked for has no waterfall.
#[derive(Clone, Debug)]
pub struct Single {
    /// Can I ship this?
    pub verdict: Verdict,
    /// Where does the first token's time go?
    pub ttft: Option<Waterfall>,
    /// Where does the time of each next token go?
    pub tpot: Option<Waterfall>,
    /// What do I change first?
    pub fixes: Fixes,
    /// What if I combine them? None where there is nothing to combine.
    pub whatif: Option<WhatIf>,
    /// How close to the hardware limit?
    pub kernels: Kernels,
    /// What happens under other load?
    pub scaling: Option<Scaling>,
    /// Does it fit, does the hardware qualify?
    pub fit: Fit,
    /// How far can I believe it?
    pub trust: Trust,
    /// How do I get this again?
    pub repro: Repro,
}

/// Sections of a scenario that does not fit.
#[derive(Clone, Debug)]
pub struct Infeasible {
    /// By how much it does not fit.
    pub verdict: Verdict,
    /// The arithmetic of the shortfall.
    pub shortfall: Shortfall,
    /// The nearest scenarios that fit.
    pub ways: Ways,
    /// What the model asks of the hardware.
    pub requirements: Vec<Requirement>,
    /// How far can I believe it?
    pub trust: Trust,
    /// How do I get this again?
    pub repro: Repro,
}
