//! What has to be computed: kernels with their shapes, FLOP and bytes. No machine, no time.
//!
//! Counts may be fractional: a head shared by several ranks, a mean batch, a mean context.

mod attention;
mod collective;
mod elementwise;
mod host;
mod linear;
mod mla;
mod moe;
mod recurrent;
mod stage;
mod transfer;

pub use attention::{CacheAppend, DecodeAttention, PrefillAttention};
pub use collective::{AllReduce, AllToAll, Send};
pub use elementwise::{Elementwise, ElementwiseOp};
pub use host::HostTask;
pub use linear::{Linear, LinearFormat, MathType};
pub use mla::{LatentAbsorb, LatentDecode, LatentPrefill};
pub use moe::{ExpertFormat, GroupedGemm};
pub use recurrent::RecurrentScan;
pub use stage::Stage;
pub use transfer::{Direction, HostMemory, Transfer, TransferKind};

use crate::quantity::{Bytes, Flop};

/// One kernel launch, copy or host task.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kernel {
    /// A linear layer.
    Linear(Linear),
    /// Attention of new prompt tokens.
    PrefillAttention(PrefillAttention),
    /// Writing the KV cache in prefill: the share of the attention kernels that exists only for it.
    KvCacheWrite(PrefillAttention),
    /// Writing the cache inside another kernel: bytes without time.
    CacheAppend(CacheAppend),
    /// Attention of one new token per sequence.
    DecodeAttention(DecodeAttention),
    /// Latent attention of new prompt tokens.
    LatentPrefill(LatentPrefill),
    /// Latent attention of one new token per sequence.
    LatentDecode(LatentDecode),
    /// The per-head products that latent attention absorbs.
    LatentAbsorb(LatentAbsorb),
    /// Routed experts.
    GroupedGemm(GroupedGemm),
    /// The scan of a recurrent token mixer.
    RecurrentScan(RecurrentScan),
    /// A pass over activations.
    Elementwise(Elementwise),
    /// A sum over ranks.
    AllReduce(AllReduce),
    /// An exchange between experts.
    AllToAll(AllToAll),
    /// A hop to the next pipeline stage.
    Send(Send),
    /// A copy between host and device, or within the host.
    Transfer(Transfer),
    /// Work of the CPU.
    Host(HostTask),
}

impl Kernel {
    /// Floating-point operations of one call.
    #[must_use]
    pub fn flop(&self) -> Flop {
        match self {
            Self::Linear(k) => k.flop(),
            Self::PrefillAttention(k) => k.flop(),
            Self::DecodeAttention(k) => k.flop(),
            Self::LatentPrefill(k) => k.flop(),
            Self::LatentDecode(k) => k.flop(),
            Self::LatentAbsorb(k) => k.flop(),
            Self::GroupedGemm(k) => k.flop(),
            Self::RecurrentScan(k) => k.flop(),
            Self::Elementwise(k) => Flop::new(k.flop),
            Self::KvCacheWrite(_)
            | Self::CacheAppend(_)
            | Self::AllReduce(_)
            | Self::AllToAll(_)
            | Self::Send(_)
            | Self::Transfer(_)
            | Self::Host(_) => Flop::ZERO,
        }
    }

    /// Bytes of device memory that one call touches at least once.
    #[must_use]
    pub fn unique_bytes(&self) -> Bytes {
        match self {
            Self::Linear(k) => k.bytes(),
            Self::PrefillAttention(k) => k.bytes(),
            Self::KvCacheWrite(k) => k.new_kv_bytes(),
            Self::CacheAppend(k) => Bytes::new(k.bytes),
            Self::DecodeAttention(k) => k.bytes(),
            Self::LatentPrefill(k) => k.bytes(),
            Self::LatentDecode(k) => k.bytes(),
            Self::LatentAbsorb(k) => k.bytes(),
            Self::GroupedGemm(k) => k.bytes(),
            Self::RecurrentScan(k) => k.bytes(),
            Self::Elementwise(k) => Bytes::new(k.bytes),
            Self::AllReduce(k) => Bytes::new(2.0 * k.bytes),
            Self::AllToAll(k) => Bytes::new(2.0 * k.wire_bytes()),
            Self::Send(k) => Bytes::new(2.0 * k.bytes),
            Self::Transfer(k) => k.device_bytes(),
            Self::Host(_) => Bytes::ZERO,
        }
    }
}

impl Kernel {
    /// A product with weights: linear layers, routed experts, the absorbed products of latent attention.
    #[must_use]
    pub const fn is_weight_product(&self) -> bool {
        matches!(self, Self::Linear(_) | Self::GroupedGemm(_) | Self::LatentAbsorb(_))
    }

    /// Attention over the cache, without projections.
    #[must_use]
    pub const fn is_attention(&self) -> bool {
        matches!(
            self,
            Self::PrefillAttention(_) | Self::DecodeAttention(_) | Self::LatentPrefill(_) | Self::LatentDecode(_)
        )
    }

    /// An exchange between ranks.
    #[must_use]
    pub const fn is_collective(&self) -> bool {
        self.wire_bytes().is_some()
    }

    /// Bytes that one device puts on the link between devices; none for a kernel of one device.
    #[must_use]
    pub const fn wire_bytes(&self) -> Option<f64> {
        match self {
            Self::AllReduce(k) => Some(k.wire_bytes()),
            Self::AllToAll(k) => Some(k.wire_bytes()),
            Self::Send(k) => Some(k.bytes),
            _ => None,
        }
    }

    /// The same kernel of a decode step at another context; `from` is the context it was made at. None where the context
    /// does not matter.
    #[must_use]
    pub fn at_context(&self, context: f64, from: f64) -> Option<Self> {
        match *self {
            Self::DecodeAttention(kernel) => Some(Self::DecodeAttention(DecodeAttention { context, ..kernel })),
            Self::LatentDecode(kernel) => Some(Self::LatentDecode(LatentDecode { context, ..kernel })),
            Self::Elementwise(pass) if pass.op == ElementwiseOp::IndexScores => {
                let ratio = context / from;
                Some(Self::Elementwise(Elementwise { bytes: pass.bytes * ratio, flop: pass.flop * ratio, ..pass }))
            }
            _ => None,
        }
    }
}

/// A kernel in its place: name, stage and how often it runs in the phase.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KernelCall {
    /// Name shown in tables; stable across versions.
    pub name: &'static str,
    /// The stage its time belongs to.
    pub stage: Stage,
    /// Calls in the step.
    pub calls: f64,
    /// The kernel.
    pub kernel: Kernel,
    /// The reference models price it too. Extras that only this tool prices are left out of the comparison.
    pub in_reference: bool,
}
