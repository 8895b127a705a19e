//! How long a kernel takes on a machine, and why.
//!
//! One file a model; formulas in microseconds and bytes inside, seconds at the border. `time` prices a kernel,
//! [`explain`] adds what a report shows beside the time: what binds it, occupancy, cache traffic.

pub mod attention;
pub mod cache;
pub mod collective;
pub mod elementwise;
mod footprint;
pub mod gemm;
pub mod local;
mod math;
pub mod mla;
pub mod moe;
pub mod occupancy;
pub mod pcie;
pub mod recurrent;

use crate::kernel::{Kernel, MathType, PrefillAttention};
use crate::machine::Machine;
use crate::quantity::{Bytes, BytesPerSecond, Flop, Seconds};
use crate::spec::CostingClass;
pub use footprint::{Footprint, Origin};
pub use occupancy::Occupancy;

/// What keeps a kernel from being faster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// Tensor-core arithmetic.
    Compute,
    /// Feeding operands from the second-level cache to the multiprocessors.
    OperandFeed,
    /// Device-memory bandwidth.
    Memory,
    /// Latency of one serial sweep, or the launch itself.
    Latency,
    /// The GPU-to-GPU link.
    Link,
    /// The host link.
    Pcie,
    /// Host-memory bandwidth.
    HostMemory,
    /// The CPU.
    Host,
}

impl Bound {
    /// The name in results.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Compute => "compute",
            Self::OperandFeed => "operand_feed",
            Self::Memory => "memory",
            Self::Latency => "latency",
            Self::Link => "link",
            Self::Pcie => "pcie",
            Self::HostMemory => "host_memory",
            Self::Host => "host",
        }
    }
}

/// Where a cost comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// Linear-layer coefficients.
    Gemm,
    /// Attention coefficients.
    Attention,
    /// Grouped-product coefficients.
    Experts,
    /// Latent-attention coefficients.
    Latent,
    /// Collective coefficients.
    Collective,
    /// A stated rule on data-sheet figures.
    Rule,
    /// A constant of the engine.
    Engine,
}

/// How close the measurements behind a cost are, and which those are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Provenance {
    /// How close.
    pub class: CostingClass,
    /// Which.
    pub basis: Basis,
}

/// A kernel's time and its reasons, for one call.
#[derive(Clone, Copy, Debug)]
pub struct KernelCost {
    /// Time of one call.
    pub time: Seconds,
    /// Operations.
    pub flop: Flop,
    /// Device-memory traffic.
    pub dram_bytes: Bytes,
    /// Requests to the second-level cache, where it is involved.
    pub l2_bytes: Option<Bytes>,
    /// Share of those requests that the cache answers. Modelled, not measured.
    pub l2_hit: Option<f64>,
    /// Resident warps over the maximum. Modelled, not measured.
    pub occupancy: Option<Occupancy>,
    /// Full waves over waves started.
    pub wave_efficiency: Option<f64>,
    /// What binds.
    pub bound: Bound,
    /// The tensor path, for kernels that use one.
    pub math: Option<MathType>,
    /// Where the cost comes from.
    pub provenance: Provenance,
}

impl KernelCost {
    /// A task of the CPU that takes `time`.
    #[must_use]
    pub fn host(time: Seconds) -> Self {
        Self::bare(time, Bound::Host, Provenance { class: CostingClass::Calibrated, basis: Basis::Engine })
    }

    /// A kernel that is priced by what an engine reaches as a whole: no more is known of it than its time and its work.
    #[must_use]
    pub fn of_engine(time: Seconds, flop: Flop, dram_bytes: Bytes, bound: Bound, class: CostingClass) -> Self {
        let provenance = Provenance { class, basis: Basis::Engine };
        Self { flop, dram_bytes, ..Self::bare(time, bound, provenance) }
    }

    /// The same call in another time. What the memory could not deliver meanwhile was found in a cache: passes read what
    /// the kernel before them left in that of the whole chip, and an engine's kernels may be faster than the cost models.
    #[must_use]
    pub fn taking(self, time: Seconds, bandwidth: BytesPerSecond) -> Self {
        let dram_bytes = Bytes::new(self.dram_bytes.get().min(time.get() * bandwidth.get()));
        let found = |requests: Bytes| (1.0 - dram_bytes / requests).clamp(0.0, 1.0);
        let l2_hit = if dram_bytes < self.dram_bytes { self.l2_bytes.map(found) } else { self.l2_hit };
        Self { time, dram_bytes, l2_hit, ..self }
    }

    /// Work done inside another kernel: bytes without time of its own.
    fn inside(bytes: Bytes) -> Self {
        let provenance = Provenance { class: CostingClass::Calibrated, basis: Basis::Attention };
        Self { dram_bytes: bytes, ..Self::bare(Seconds::ZERO, Bound::Memory, provenance) }
    }

    fn bare(time: Seconds, bound: Bound, provenance: Provenance) -> Self {
        Self {
            time,
            flop: Flop::ZERO,
            dram_bytes: Bytes::ZERO,
            l2_bytes: None,
            l2_hit: None,
            occupancy: None,
            wave_efficiency: None,
            bound,
            math: None,
            provenance,
        }
    }
}

/// Time of one call. Host tasks take none here: their time is the engine's.
///
/// The models are fits and may stray below what the data sheet allows outside the shapes they were fitted on; matrix
/// kernels are held at FLOP over peak and unique bytes over bandwidth, latent attention at the time of a shorter context.
#[must_use]
pub fn time(kernel: &Kernel, machine: &Machine) -> Seconds {
    let modelled = match kernel {
        // Both parts of its difference are held at the data sheet.
        Kernel::KvCacheWrite(k) => cache_write_time(k, machine),
        Kernel::LatentDecode(k) => mla::decode_in_step(k, &machine.costs.mla.decode, &machine.costs.attention.peaks),
        _ => modelled(kernel, machine),
    };
    Seconds::new(modelled.get().max(roofline(kernel, machine).get()))
}

/// The fitted model of one call as it is, not held at the data sheet: what measurements are compared with.
#[must_use]
pub fn modelled(kernel: &Kernel, machine: &Machine) -> Seconds {
    match kernel {
        Kernel::Linear(k) => gemm::time(k, &machine.costs),
        Kernel::PrefillAttention(k) => attention::prefill_without_cache_write(k, &machine.costs.attention),
        Kernel::KvCacheWrite(k) => {
            let costs = &machine.costs.attention;
            attention::prefill(k, costs) - attention::prefill_without_cache_write(k, costs)
        }
        Kernel::DecodeAttention(k) => attention::decode(k, &machine.costs.attention, true),
        Kernel::LatentPrefill(k) => mla::prefill(k, &machine.costs.mla.prefill, &machine.costs.attention.peaks),
        Kernel::LatentDecode(k) => mla::decode(k, &machine.costs.mla.decode, &machine.costs.attention.peaks, true),
        Kernel::LatentAbsorb(k) => mla::absorb(k, &machine.costs.base),
        Kernel::GroupedGemm(k) => moe::time(k, machine),
        Kernel::RecurrentScan(k) => recurrent::time(k, &machine.costs.base),
        Kernel::Elementwise(k) => elementwise::time(k, &machine.costs.base),
        Kernel::AllReduce(k) => collective::all_reduce(k, &machine.costs.collective),
        Kernel::AllToAll(k) => collective::all_to_all(k, &machine.costs.collective),
        Kernel::Send(k) => collective::send(k, &machine.costs.collective),
        Kernel::Transfer(k) => pcie::time(k, machine),
        Kernel::Host(_) | Kernel::CacheAppend(_) => Seconds::ZERO,
    }
}

/// What the cache write adds to prefill attention, both held at the data sheet.
fn cache_write_time(k: &PrefillAttention, machine: &Machine) -> Seconds {
    let (costs, floor) = (&machine.costs.attention, roofline(&Kernel::PrefillAttention(*k), machine).get());
    let held = |time: Seconds| time.get().max(floor);
    Seconds::new(held(attention::prefill(k, costs)) - held(attention::prefill_without_cache_write(k, costs)))
}

/// The least time the data sheet allows. Passes are held at their operations alone, for their input may lie in the cache:
/// the scores of an index are products in 8 bit, and over a long context no longer free.
#[must_use]
pub fn roofline(kernel: &Kernel, machine: &Machine) -> Seconds {
    let math = match kernel {
        Kernel::Linear(k) => k.format.math(),
        Kernel::GroupedGemm(k) => k.format.math(),
        Kernel::PrefillAttention(_)
        | Kernel::DecodeAttention(_)
        | Kernel::LatentPrefill(_)
        | Kernel::LatentDecode(_)
        | Kernel::LatentAbsorb(_)
        | Kernel::RecurrentScan(_) => MathType::Bf16,
        Kernel::Elementwise(k) => return Flop::new(k.flop) / machine.peak(elementwise::MATH),
        _ => return Seconds::ZERO,
    };
    let compute = kernel.flop() / machine.peak(math);
    let memory = kernel.unique_bytes() / machine.sheet.bandwidth;
    Seconds::new(compute.get().max(memory.get()))
}

/// Time of one call with its reasons.
#[must_use]
pub fn explain(kernel: &Kernel, machine: &Machine) -> KernelCost {
    let mut cost = explain_modelled(kernel, machine);
    cost.time = Seconds::new(cost.time.get().max(roofline(kernel, machine).get()));
    cost
}

fn explain_modelled(kernel: &Kernel, machine: &Machine) -> KernelCost {
    match kernel {
        Kernel::Linear(k) => gemm::explain(k, machine),
        Kernel::PrefillAttention(k) => attention::explain_prefill(k, machine),
        Kernel::KvCacheWrite(k) => attention::explain_cache_write(k, cache_write_time(k, machine), machine),
        Kernel::DecodeAttention(k) => attention::explain_decode(k, machine),
        Kernel::LatentPrefill(k) => mla::explain_prefill(k, machine),
        Kernel::LatentDecode(k) => mla::explain_decode(k, machine),
        Kernel::LatentAbsorb(k) => mla::explain_absorb(k, machine),
        Kernel::GroupedGemm(k) => moe::explain(k, machine),
        Kernel::RecurrentScan(k) => recurrent::explain(k, machine),
        Kernel::Elementwise(k) => elementwise::explain(k, machine),
        Kernel::AllReduce(k) => collective::explain(k, machine),
        Kernel::AllToAll(k) => collective::explain_all_to_all(k, machine),
        Kernel::Send(k) => collective::explain_send(k, machine),
        Kernel::Transfer(k) => pcie::explain(k, machine),
        Kernel::CacheAppend(k) => KernelCost::inside(Bytes::new(k.bytes)),
        Kernel::Host(_) => KernelCost::host(Seconds::ZERO),
    }
}
