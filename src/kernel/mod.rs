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
mod stage;
mod transfer;

pub use attention::{DecodeAttention, PrefillAttention};
pub use collective::AllReduce;
pub use elementwise::{Elementwise, ElementwiseOp};
pub use host::HostTask;
pub use linear::{Linear, LinearFormat, MathType};
pub use mla::{LatentAbsorb, LatentDecode, LatentPrefill};
pub use moe::{ExpertFormat, GroupedGemm};
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
    /// A pass over activations.
    Elementwise(Elementwise),
    /// A sum over ranks.
    AllReduce(AllReduce),
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
            Self::Elementwise(k) => Flop::new(k.flop),
            Self::KvCacheWrite(_) | Self::AllReduce(_) | Self::Transfer(_) | Self::Host(_) => Flop::ZERO,
        }
    }

    /// Bytes of device memory that one call touches at least once.
    #[must_use]
    pub fn unique_bytes(&self) -> Bytes {
        match self {
            Self::Linear(k) => k.bytes(),
            Self::PrefillAttention(k) => k.bytes(),
            Self::KvCacheWrite(k) => k.new_kv_bytes(),
            Self::DecodeAttention(k) => k.bytes(),
            Self::LatentPrefill(k) => k.bytes(),
            Self::LatentDecode(k) => k.bytes(),
            Self::LatentAbsorb(k) => k.bytes(),
            Self::GroupedGemm(k) => k.bytes(),
            Self::Elementwise(k) => Bytes::new(k.bytes),
            Self::AllReduce(k) => Bytes::new(2.0 * k.bytes),
            Self::Transfer(k) => k.device_bytes(),
            Self::Host(_) => Bytes::ZERO,
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
