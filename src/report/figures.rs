//! What a kernel row shows beside its time, derived from bytes, operations and the data sheet.

use crate::cost::{Bound, Provenance};
use crate::kernel::{Kernel, MathType, TransferKind};
use crate::machine::{LinkCost, Machine};
use crate::quantity::BytesPerSecond;
use crate::simulate::KernelRow;

/// Derived figures of a kernel; absent where they do not exist.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KernelFigures {
    /// Operations over time, TFLOPS.
    pub achieved_tflops: Option<f64>,
    /// Device-memory bytes over time, or the rate of a copy, GB/s.
    pub achieved_gb_s: Option<f64>,
    /// Share of the binding resource's data-sheet peak.
    pub peak_share: Option<f64>,
    /// Operations per byte of device-memory traffic.
    pub arithmetic_intensity: Option<f64>,
}

impl KernelFigures {
    /// Of a row on its machine.
    #[must_use]
    pub fn new(row: &KernelRow, machine: &Machine) -> Self {
        let (time, flop) = (row.cost.time.get(), row.cost.flop.get());
        let bytes = match row.call.kernel {
            Kernel::Transfer(copy) => copy.bytes,
            _ => row.cost.dram_bytes.get(),
        };
        let per_time = |amount: f64, scale: f64| (amount > 0.0 && time > 0.0).then(|| amount / time / scale);
        let achieved_tflops = per_time(flop, 1e12);
        // The cache write's time is what it adds to attention: where that hides it, no rate follows from it.
        let hidden =
            |rate: &f64| matches!(row.call.kernel, Kernel::KvCacheWrite(_)) && *rate > machine.sheet.bandwidth.gb_s();
        let achieved_gb_s = per_time(bytes, 1e9).filter(|rate| !hidden(rate));
        let compute = achieved_tflops.map(|rate| rate / machine.peak(row.cost.math.unwrap_or(MathType::Bf16)).tflops());
        let memory = achieved_gb_s.map(|rate| rate / machine.sheet.bandwidth.gb_s());
        let peak_share = match row.cost.bound {
            Bound::Compute | Bound::OperandFeed => compute,
            Bound::Memory => memory,
            Bound::Latency => compute.into_iter().chain(memory).max_by(f64::total_cmp),
            Bound::Link => link_share(row, machine),
            Bound::Pcie => achieved_gb_s.map(|rate| rate / machine.sheet.pcie.raw.gb_s()),
            Bound::HostMemory | Bound::Host => None,
        };
        let arithmetic_intensity = (flop > 0.0 && bytes > 0.0).then(|| flop / bytes);
        Self { achieved_tflops, achieved_gb_s, peak_share, arithmetic_intensity }
    }
}

/// Share of the link's rate on paper that a ring would need for the same data.
fn link_share(row: &KernelRow, machine: &Machine) -> Option<f64> {
    let bytes = row.call.kernel.wire_bytes()?;
    let rate = match row.call.kernel {
        Kernel::Send(k) if k.crosses_nodes => BytesPerSecond::from_gb_s(machine.costs.collective.network.rate),
        _ => link(machine)?.1,
    };
    Some(bytes / row.cost.time.get() / rate.get())
}

/// The link that all-reduces are costed over, with its rate on paper, one way.
#[must_use]
pub fn link(machine: &Machine) -> Option<(&str, BytesPerSecond)> {
    match machine.costs.collective.cost {
        LinkCost::Ring { over_pcie: true, .. } => Some(("PCIe", machine.sheet.pcie.raw)),
        LinkCost::Ring { .. } | LinkCost::Nvlink(..) => {
            machine.sheet.link.as_ref().map(|(name, rate)| (name.as_str(), *rate))
        }
    }
}

/// The shape of a problem, as `m512 n6144 k4096 bf16`.
#[must_use]
pub fn shape(kernel: &Kernel) -> String {
    match kernel {
        Kernel::Linear(k) => format!("m{} n{} k{} {}", k.m, k.n, k.k, k.format.name()),
        Kernel::PrefillAttention(k) => {
            format!("b{} s{} h{}/{} d{}", count(k.sequences), k.tokens, count(k.heads), count(k.kv_heads), k.head_dim)
        }
        Kernel::KvCacheWrite(k) => {
            format!("b{} s{} kv{} d{}", count(k.sequences), k.tokens, count(k.kv_heads), k.head_dim)
        }
        Kernel::CacheAppend(k) => format!("{} B", count(k.bytes)),
        Kernel::DecodeAttention(k) => format!(
            "b{} ctx{} h{}/{} d{}",
            count(k.sequences),
            count(k.context),
            count(k.heads),
            count(k.kv_heads),
            k.head_dim
        ),
        Kernel::LatentPrefill(k) => format!("b{} s{} h{}", count(k.sequences), k.tokens, count(k.heads)),
        Kernel::LatentDecode(k) => {
            format!("b{} ctx{} h{} latent {}", count(k.sequences), count(k.context), count(k.heads), k.latent + k.rope)
        }
        Kernel::LatentAbsorb(k) => format!("{} tokens, {} weights", count(k.tokens), count(k.weights)),
        Kernel::GroupedGemm(k) => format!(
            "{} tokens, top {} of {}, {}x{} {}",
            count(k.tokens),
            count(k.top_k),
            count(k.experts),
            count(k.hidden),
            count(k.intermediate),
            k.format.name()
        ),
        Kernel::RecurrentScan(k) => {
            format!("b{} t{} h{} state {}", count(k.sequences), count(k.tokens), count(k.heads), count(k.state))
        }
        Kernel::Elementwise(k) => format!("{} rows, {} B", count(k.rows), count(k.bytes)),
        Kernel::AllReduce(k) => format!("{} ranks, {} B", k.ranks, count(k.bytes)),
        Kernel::AllToAll(k) => format!("{} ranks, {} B", k.ranks, count(k.wire_bytes())),
        Kernel::Send(k) => format!("{} B", count(k.bytes)),
        Kernel::Transfer(k) => match k.kind {
            TransferKind::Pcie(..) | TransferKind::Staging => format!("{} B", count(k.bytes)),
        },
        Kernel::Host(_) => String::new(),
    }
}

fn count(value: f64) -> String {
    if value.fract() == 0.0 { format!("{value}") } else { format!("{value:.1}") }
}

/// Provenance as `calibrated:a100_sxm`, `datasheet:rule` or `engine:vllm@v1`.
#[must_use]
pub fn provenance(provenance: Provenance, machine: &Machine, engine: &str) -> String {
    use crate::cost::Basis;
    let costs = &machine.costs;
    let set = match provenance.basis {
        Basis::Gemm => costs.gemm.set.as_deref(),
        Basis::Attention => costs.attention.set.as_deref(),
        Basis::Collective => costs.collective.set.as_deref(),
        Basis::Experts | Basis::Latent => costs.attention.set.as_deref(),
        Basis::Rule => Some("rule"),
        Basis::Engine => return format!("engine:{engine}"),
    };
    format!("{}:{}", provenance.class.name(), set.unwrap_or("class_defaults"))
}
