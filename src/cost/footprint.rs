//! What a thread block of each kernel family takes: threads, registers, shared memory.
//!
//! A row is published or assumed; the report says which. No row, no occupancy.

use crate::kernel::MathType;

/// Resources of one thread block.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Footprint {
    /// Threads.
    pub threads: f64,
    /// Registers per thread.
    pub registers: f64,
    /// Shared memory in bytes.
    pub shared_bytes: f64,
    /// Where the row comes from.
    pub origin: Origin,
}

/// Where a footprint comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Published, with its source.
    Source(&'static str),
    /// Assumed, with its reason.
    Assumed(&'static str),
}

const KIB: f64 = 1024.0;

/// Passes over activations: 256 threads of 32 registers, no shared memory to speak of.
pub(super) fn elementwise(sm_arch: &str) -> Option<Footprint> {
    sm_arch.starts_with("sm_").then_some(Footprint {
        threads: 256.0,
        registers: 32.0,
        shared_bytes: 0.0,
        origin: Origin::Assumed("256 threads, 32 registers: the common shape of vectorised element-wise kernels"),
    })
}

/// Tiled matrix product. Shared memory = stages · (tile rows + tile columns) · K slice · element size.
pub(super) fn gemm(sm_arch: &str, tile_m: f64, tile_n: f64, math: MathType) -> Option<Footprint> {
    let slice_bytes = 64.0;
    let element_rows = tile_m + tile_n;
    let small = tile_m * tile_n <= 64.0 * 128.0;
    let bytes = match math {
        MathType::Bf16 => 2.0,
        MathType::Fp8 | MathType::Int8 => 1.0,
        MathType::Fp4 => 0.5,
    };
    match sm_arch {
        // Asynchronous copies into a ring of stages; the accumulator fills the registers of 128 or 256 threads.
        "sm_80" | "sm_86" | "sm_89" | "sm_120" => {
            let stages = if sm_arch == "sm_80" { 4.0 } else { 3.0 };
            Some(Footprint {
                threads: if small { 128.0 } else { 256.0 },
                registers: if small { 128.0 } else { 224.0 },
                shared_bytes: stages * element_rows * slice_bytes,
                origin: Origin::Assumed("multistage tile: 64-byte K slices in 3–4 stages, accumulators in registers"),
            })
        }
        // One producer warp group and two consumers, K slices of 64 elements in 4 stages.
        "sm_90" | "sm_100" | "sm_103" => Some(Footprint {
            threads: if small { 256.0 } else { 384.0 },
            registers: 168.0,
            shared_bytes: (4.0 * element_rows * 64.0 * bytes).min(226.0 * KIB),
            origin: Origin::Assumed("warp-specialised tile: 64-element K slices in 4 stages"),
        }),
        _ => None,
    }
}

/// FlashAttention forward.
pub(super) fn prefill_attention(sm_arch: &str, head_dim: f64) -> Option<Footprint> {
    let published = head_dim == 128.0;
    match sm_arch {
        "sm_80" => Some(Footprint {
            threads: 128.0,
            registers: 255.0,
            shared_bytes: 64.0 * KIB * head_dim / 128.0,
            origin: if published {
                Origin::Source("FlashAttention-2 forward, head_dim 128, sm_80: 128 threads, 255 registers, 64 KiB")
            } else {
                Origin::Assumed("FlashAttention-2 forward scaled from head_dim 128")
            },
        }),
        "sm_86" | "sm_89" | "sm_120" => Some(Footprint {
            threads: 128.0,
            registers: 255.0,
            shared_bytes: 48.0 * KIB * head_dim / 128.0,
            origin: Origin::Assumed("FlashAttention-2 forward with 128 × 32 tiles, for 100 KiB of shared memory"),
        }),
        "sm_90" => Some(Footprint {
            threads: 384.0,
            registers: 168.0,
            shared_bytes: 200.0 * KIB,
            origin: Origin::Source("FlashAttention-3 forward, sm_90: 384 threads, one block by shared memory"),
        }),
        "sm_100" | "sm_103" => Some(Footprint {
            threads: 384.0,
            registers: 168.0,
            shared_bytes: 200.0 * KIB,
            origin: Origin::Assumed("one block by shared memory, as FlashAttention-3 on sm_90"),
        }),
        _ => None,
    }
}

/// Split-KV decode.
pub(super) fn decode_attention(sm_arch: &str, head_dim: f64) -> Option<Footprint> {
    let mut footprint = prefill_attention(sm_arch, head_dim)?;
    if sm_arch == "sm_80" || sm_arch == "sm_86" || sm_arch == "sm_89" || sm_arch == "sm_120" {
        footprint.shared_bytes = 48.0 * KIB * head_dim / 128.0;
    }
    footprint.origin = Origin::Assumed("split-KV variant of the forward kernel, same block shape");
    Some(footprint)
}
