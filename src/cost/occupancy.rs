//! Occupancy: resident warps over the maximum. Modelled, not measured.
//!
//! CUDA's rule: blocks per SM = min( max blocks, ⌊max warps / warps⌋,
//! ⌊ (65,536 / (⌈regs·32/256⌉·256), rounded down to a multiple of 4) / warps ⌋,
//! ⌊ shared memory of an SM / (⌈(shared + 1,024)/128⌉·128) ⌋ ); theoretical = blocks·warps / max warps.
//! With w = blocks of the grid / (SMs · blocks per SM): achieved = theoretical·w for w ≤ 1, else theoretical·w/⌈w⌉.
//! Source: CUDA C++ programming guide, occupancy calculator.

use super::footprint::Footprint;
use crate::machine::{Machine, SmLimits};

/// Occupancy of a kernel and how full the device is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Occupancy {
    /// What the footprint allows.
    pub theoretical: f64,
    /// What this grid reaches on average.
    pub achieved: f64,
    /// Share of the multiprocessors that hold a block.
    pub sm_active: f64,
    /// Blocks that fit a multiprocessor.
    pub blocks_per_sm: f64,
    /// Blocks of the grid.
    pub grid_blocks: f64,
    /// The footprint it follows from.
    pub footprint: Footprint,
}

/// Blocks of a footprint that fit one multiprocessor.
#[must_use]
pub fn blocks_per_sm(footprint: &Footprint, limits: &SmLimits) -> f64 {
    let warps = (footprint.threads / 32.0).ceil();
    let registers_per_warp = (footprint.registers * 32.0 / 256.0).ceil() * 256.0;
    let warps_by_registers = ((limits.registers / registers_per_warp).floor() / 4.0).floor() * 4.0;
    let shared = ((footprint.shared_bytes + 1024.0) / 128.0).ceil() * 128.0;
    let by_warps = (limits.warps / warps).floor();
    let by_registers = (warps_by_registers / warps).floor();
    let by_shared = (limits.shared_memory.get() / shared).floor();
    limits.blocks.min(by_warps).min(by_registers).min(by_shared)
}

/// Occupancy of a grid of `ctas` blocks; none where the footprint or the limits are unknown, or nothing fits.
pub(super) fn achieved(footprint: Option<Footprint>, ctas: f64, machine: &Machine) -> Option<Occupancy> {
    let (footprint, limits) = (footprint?, machine.sheet.sm_limits?);
    let blocks = blocks_per_sm(&footprint, &limits);
    if blocks < 1.0 {
        return None;
    }
    let theoretical = blocks * (footprint.threads / 32.0).ceil() / limits.warps;
    let fill = ctas / (machine.sheet.sm_count * blocks);
    let achieved = if fill <= 1.0 { theoretical * fill } else { theoretical * fill / fill.ceil() };
    let sm_active = (ctas / machine.sheet.sm_count).min(1.0);
    Some(Occupancy { theoretical, achieved, sm_active, blocks_per_sm: blocks, grid_blocks: ctas, footprint })
}
