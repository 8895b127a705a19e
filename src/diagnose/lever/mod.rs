//! Levers: one counterfactual each. A new one is a file here, a line in [`LEVERS`], a variant, and its words.

mod cuda_graphs;
mod embedding;
mod fusion;
mod hardware_limit;
mod host;
mod kv_dtype;
mod tensor_parallel;
mod weights_dtype;

use crate::scenario::Scenario;

/// A change of the scenario that a person or a vendor could make.
pub struct Lever {
    /// Which.
    pub id: LeverId,
    /// The cause it removes.
    pub cause: Cause,
    /// Something to do, or a limit to show.
    pub kind: LeverKind,
    /// The scenario with the change; none where it does not apply.
    pub apply: fn(&Scenario) -> Option<Scenario>,
}

/// Something to do, or a limit to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeverKind {
    /// A remedy.
    Remedy,
    /// Faster hardware, to show which resource the time hangs on.
    HardwareLimit,
}

/// Why time is lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cause {
    /// The embedding table crosses PCIe at each prefill.
    EmbeddingTransfer,
    /// The GPU waits for launches.
    LaunchGaps,
    /// Serial work of the CPU.
    HostOverhead,
    /// Weights are read and multiplied in a wide type, or by too few GPUs.
    LinearLayers,
    /// The KV cache is read in a wide type.
    KvTraffic,
    /// Ranks wait for each other.
    Collectives,
    /// Embedding rows are written and read again before the first norm.
    EmbeddingPass,
    /// The whole vocabulary is sorted for each token.
    Sampling,
    /// The hardware itself.
    Hardware,
}

impl Cause {
    /// The name in listings.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::EmbeddingTransfer => "embedding_transfer",
            Self::LaunchGaps => "launch_gaps",
            Self::HostOverhead => "host_overhead",
            Self::LinearLayers => "linear_layers",
            Self::KvTraffic => "kv_traffic",
            Self::Collectives => "collectives",
            Self::EmbeddingPass => "embedding_pass",
            Self::Sampling => "sampling",
            Self::Hardware => "hardware",
        }
    }
}

impl Effort {
    /// The name in listings.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Setting => "a setting",
            Self::Checkpoint => "another checkpoint",
            Self::Engineering => "engineering",
            Self::Hardware => "hardware",
        }
    }
}

macro_rules! levers {
    ($($(#[$doc:meta])* $id:ident = $name:literal),+ $(,)?) => {
        /// Every lever.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum LeverId { $($(#[$doc])* $id),+ }

        impl LeverId {
            /// The name in results and on the command line.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$id => $name),+ }
            }
        }
    };
}

levers! {
    /// Keep the embedding table in device memory.
    EmbeddingDevice = "embedding_device",
    /// Page-lock the host copy of the embedding table.
    EmbeddingPinned = "embedding_pinned",
    /// The next PCIe generation.
    PcieGeneration = "pcie_generation",
    /// Capture decode steps as CUDA graphs.
    CudaGraphs = "cuda_graphs",
    /// Remove the engine's and the server's serial host time.
    HostOverhead = "host_overhead",
    /// Weights in 8-bit float.
    WeightsFp8 = "weights_fp8",
    /// Weights and activations in 8-bit integer.
    WeightsInt8W8A8 = "weights_int8_w8a8",
    /// Weights in 8-bit integer, multiplied in 16 bit.
    WeightsInt8 = "weights_int8",
    /// Weights in 4-bit integer.
    WeightsInt4 = "weights_int4",
    /// KV cache in 8-bit float.
    KvFp8 = "kv_fp8",
    /// KV cache in 8-bit integer.
    KvInt8 = "kv_int8",
    /// Embedding and first norm in one kernel.
    FusedEmbeddingNorm = "fused_embedding_norm",
    /// Sampling in one kernel.
    FusedSampler = "fused_sampler",
    /// Twice the ranks.
    TensorParallel2 = "tensor_parallel_x2",
    /// Four times the ranks.
    TensorParallel4 = "tensor_parallel_x4",
    /// Half the ranks.
    TensorParallelHalf = "tensor_parallel_half",
    /// Twice the memory bandwidth.
    MemoryBandwidth = "memory_bandwidth_x2",
    /// Twice the tensor rate.
    Compute = "compute_x2",
}

/// What a remedy takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effort {
    /// A setting of the engine.
    Setting,
    /// Another checkpoint, with its accuracy to check.
    Checkpoint,
    /// Engineering of the serving stack.
    Engineering,
    /// Other or more hardware.
    Hardware,
}

/// The part of a scenario that a lever changes: two levers of one part exclude each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Where the embedding table lives, or the link it crosses.
    Embedding,
    /// CUDA graphs.
    Graphs,
    /// Host time.
    Host,
    /// Type of the weights.
    Weights,
    /// Type of the KV cache.
    Kv,
    /// Embedding and first norm.
    EmbeddingNorm,
    /// Sampler.
    Sampler,
    /// Ranks.
    Ranks,
    /// The machine.
    Machine,
}

impl LeverId {
    /// The part of the scenario that it changes.
    #[must_use]
    pub const fn changes(self) -> Part {
        match self {
            Self::EmbeddingDevice | Self::EmbeddingPinned | Self::PcieGeneration => Part::Embedding,
            Self::CudaGraphs => Part::Graphs,
            Self::HostOverhead => Part::Host,
            Self::WeightsFp8 | Self::WeightsInt8W8A8 | Self::WeightsInt8 | Self::WeightsInt4 => Part::Weights,
            Self::KvFp8 | Self::KvInt8 => Part::Kv,
            Self::FusedEmbeddingNorm => Part::EmbeddingNorm,
            Self::FusedSampler => Part::Sampler,
            Self::TensorParallel2 | Self::TensorParallel4 | Self::TensorParallelHalf => Part::Ranks,
            Self::MemoryBandwidth | Self::Compute => Part::Machine,
        }
    }
}

impl LeverId {
    /// What it takes.
    #[must_use]
    pub const fn effort(self) -> Effort {
        match self {
            Self::EmbeddingDevice
            | Self::EmbeddingPinned
            | Self::CudaGraphs
            | Self::KvFp8
            | Self::KvInt8
            | Self::FusedSampler
            | Self::TensorParallelHalf => Effort::Setting,
            Self::WeightsFp8 | Self::WeightsInt8W8A8 | Self::WeightsInt8 | Self::WeightsInt4 => Effort::Checkpoint,
            Self::HostOverhead | Self::FusedEmbeddingNorm => Effort::Engineering,
            Self::PcieGeneration
            | Self::TensorParallel2
            | Self::TensorParallel4
            | Self::MemoryBandwidth
            | Self::Compute => Effort::Hardware,
        }
    }
}

/// All levers, in the order they are tried and listed.
pub const LEVERS: &[Lever] = &[
    embedding::DEVICE,
    embedding::PINNED,
    embedding::PCIE_GENERATION,
    cuda_graphs::LEVER,
    host::LEVER,
    weights_dtype::FP8,
    weights_dtype::INT8_W8A8,
    weights_dtype::INT8,
    weights_dtype::INT4,
    kv_dtype::FP8,
    kv_dtype::INT8,
    fusion::EMBEDDING_NORM,
    fusion::SAMPLER,
    tensor_parallel::TWICE,
    tensor_parallel::FOUR_TIMES,
    tensor_parallel::HALF,
    hardware_limit::MEMORY_BANDWIDTH,
    hardware_limit::COMPUTE,
];
