//! Where the time goes: stages on one clock, each with its kernels and its memory path.

use super::parts::{Meter, Swatch};

/// A waterfall: the one of TTFT or the one of a mean decode step.
#[derive(Clone, Debug)]
pub struct Waterfall {
    /// Id of the section: `ttft` or `tpot`.
    pub id: &'static str,
    /// Heading.
    pub title: String,
    /// How to read it.
    pub lede: String,
    /// The scale that all lanes share.
    pub axis: Axis,
    /// The stages, in order of time.
    pub stages: Vec<Stage>,
    /// The sum.
    pub total: TextRow,
    /// A remark on the figures in the tables; empty where it was made before.
    pub note: String,
}

/// Scale of the lanes; positions in percent of their width.
#[derive(Clone, Debug)]
pub struct Axis {
    /// Grid lines; a label that would touch the target's is empty.
    pub ticks: Vec<Tick>,
    /// The target, if it is on the scale.
    pub target: Option<Tick>,
    /// Width of the zone past the target.
    pub beyond: String,
}

/// A labelled position.
#[derive(Clone, Debug)]
pub struct Tick {
    /// Position in percent.
    pub x: String,
    /// Label.
    pub text: String,
}

/// A bar in its lane, in percent.
#[derive(Clone, Debug)]
pub struct Bar {
    /// Left end.
    pub x: String,
    /// Width.
    pub width: String,
}

/// One stage: a row that opens.
#[derive(Clone, Debug)]
pub struct Stage {
    /// Unique on the page: the stage id, in the decode waterfall with `decode-` before it.
    pub key: String,
    /// Colour.
    pub swatch: Swatch,
    /// Name.
    pub name: String,
    /// What limits it.
    pub limiter: String,
    /// Its time.
    pub time: String,
    /// Its share of the total.
    pub share: String,
    /// Its bar.
    pub bar: Bar,
    /// Opens on paper.
    pub print: bool,
    /// Why it takes this long, in a sentence.
    pub reason: String,
    /// Name of the memory path for screen readers.
    pub path_label: String,
    /// Host, PCIe, HBM, L2, SM, and the GPU link where it is used.
    pub path: Vec<Hop>,
    /// Name of the kernel table for screen readers.
    pub kernels_label: String,
    /// Its kernels, longest first.
    pub kernels: Vec<KernelRow>,
}

/// One hop of the memory path.
#[derive(Clone, Debug)]
pub struct Hop {
    /// Name.
    pub name: String,
    /// What happens there.
    pub text: String,
    /// It limits the stage.
    pub limiting: bool,
}

/// A kernel of a stage.
#[derive(Clone, Debug)]
pub struct KernelRow {
    /// Unique on the page; the row in the table of all kernels is `kernel-KEY`.
    pub key: String,
    /// Name.
    pub name: String,
    /// Shape of the problem; may be empty.
    pub shape: String,
    /// Time, in total (prefill) or a step (decode).
    pub time: String,
    /// Time as a table sorts it.
    pub time_sort: String,
    /// Calls.
    pub calls: String,
    /// Calls as a table sorts them.
    pub calls_sort: String,
    /// SM occupancy.
    pub occupancy: Meter,
    /// Achieved bandwidth.
    pub bandwidth: Meter,
    /// L2 hit rate.
    pub l2: String,
    /// L2 hit rate as a table sorts it.
    pub l2_sort: String,
    /// The resource that limits it.
    pub bound: String,
}

/// The row of the sum.
#[derive(Clone, Debug)]
pub struct TextRow {
    /// Name.
    pub name: String,
    /// A remark; may be empty.
    pub note: String,
    /// Time.
    pub time: String,
    /// Share of the total.
    pub share: String,
}
