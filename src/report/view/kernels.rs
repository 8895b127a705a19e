//! How close to the hardware limit.

use super::parts::{Figure, Key, Meter, Swatch, Table};
use super::waterfall::KernelRow;

/// Roofline, share of the limit, and every kernel.
#[derive(Clone, Debug)]
pub struct Kernels {
    /// How to read the chart.
    pub lede: String,
    /// The roofline.
    pub roofline: Figure,
    /// The kernels that take the most time against their limit.
    pub headroom: Vec<Headroom>,
    /// Every kernel of both phases, longest first.
    pub rows: Vec<PhaseKernel>,
    /// What the modelled figures follow from; none where no kernel has any.
    pub inputs: Option<KernelInputs>,
}

/// What a reader needs to work out the modelled figures again.
#[derive(Clone, Debug)]
pub struct KernelInputs {
    /// One kernel a row.
    pub table: Table,
    /// What a multiprocessor holds; may be empty.
    pub limits: String,
    /// Where the block shapes come from.
    pub origins: Vec<String>,
}

/// A kernel against its limit.
#[derive(Clone, Debug)]
pub struct Headroom {
    /// Key of the kernel.
    pub key: String,
    /// Name of the kernel.
    pub name: String,
    /// Phase and room: `prefill · room: 1.64×`.
    pub note: String,
    /// Colour of its stage.
    pub swatch: Swatch,
    /// Share of the limit.
    pub share: Meter,
}

/// A row of the table of all kernels.
#[derive(Clone, Debug)]
pub struct PhaseKernel {
    /// The kernel.
    pub kernel: KernelRow,
    /// Its shape where others have its name; else empty.
    pub distinction: String,
    /// Stage, with its colour.
    pub stage: Key,
    /// Prefill or decode.
    pub phase: String,
    /// Share of its phase.
    pub share: String,
    /// Share as a table sorts it.
    pub share_sort: String,
    /// Too small for paper.
    pub minor: bool,
}
