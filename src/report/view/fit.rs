//! Memory, requirements, claims.

use super::parts::{Mark, Swatch};

/// Does it fit, does the hardware qualify?
#[derive(Clone, Debug)]
pub struct Fit {
    /// The memory of one device.
    pub memory: Memory,
    /// What the model asks of the hardware.
    pub requirements: Vec<Requirement>,
    /// What was claimed against what was simulated.
    pub claims: Vec<Claim>,
}

/// Memory as a bar and as rows.
#[derive(Clone, Debug)]
pub struct Memory {
    /// What it is about: one GPU, or each of several.
    pub title: String,
    /// The finding.
    pub lede: String,
    /// Name of the bar for screen readers.
    pub label: String,
    /// Parts of the bar.
    pub segments: Vec<Segment>,
    /// Position of the limit in percent.
    pub limit: String,
    /// The same as rows.
    pub rows: Vec<MemoryRow>,
    /// What the KV cache can hold.
    pub tokens: String,
}

/// Part of a memory bar, in percent.
#[derive(Clone, Debug)]
pub struct Segment {
    /// Left end.
    pub x: String,
    /// Width.
    pub width: String,
    /// Colour.
    pub swatch: Swatch,
}

/// A row of the memory table.
#[derive(Clone, Debug)]
pub struct MemoryRow {
    /// Colour; none for what is free.
    pub swatch: Option<Swatch>,
    /// What takes the memory.
    pub name: String,
    /// How much.
    pub size: String,
    /// Share of the capacity.
    pub share: String,
}

/// A requirement of the model against the hardware.
#[derive(Clone, Debug)]
pub struct Requirement {
    /// What is asked for.
    pub item: String,
    /// How much of it the model needs.
    pub needs: String,
    /// How much the hardware has.
    pub has: String,
    /// The arithmetic.
    pub arithmetic: String,
    /// What follows where it is not met; may be empty.
    pub remark: String,
    /// Pass, warn, fail.
    pub mark: Mark,
}

/// A claim against the simulation.
#[derive(Clone, Debug)]
pub struct Claim {
    /// What was claimed.
    pub claim: String,
    /// The claimed value.
    pub claimed: String,
    /// The simulated value.
    pub simulated: String,
    /// Why they differ.
    pub explanation: String,
}
