//! What people write: YAML descriptions of models, machines, calibration sets, engines and requests.
//!
//! Structs here mirror the files key by key and hold bare numbers in the unit the key names. They are complete and
//! in range, but not yet meaningful: physics and defaults belong to the rooms above.

mod architecture;
mod bands;
mod calibration;
mod declared;
mod document;
mod engine;
mod fault;
mod fields;
mod findings;
mod hardware;
mod json;
mod local_engine;
mod model;
mod peek;
mod request;
mod suggest;

pub use architecture::{
    ArchitectureSpec, AttentionSpec, DenseSpec, FfnSpec, IndexSpec, LayerCount, LayerGroupSpec, Matrix, MlaSpec,
    MoeSpec, ParameterCount, RecurrentKind, RecurrentSpec, SoftmaxSpec, Span, StorageSpec, WeightsSpec,
};
pub use bands::{BandBasis, BandSpec, BandsSpec, KeptApart};
pub use calibration::{
    AllReduceSpec, AttentionSet, CalibrationSpec, CollectiveSet, DecodeSpec, DefaultsSpec, FormatSpec, GemmSet,
    GroupedGemmSpec, MlaDecodeSpec, MlaPrefillSpec, MlaSet, NcclSpec, Peaks, PrefillSpec,
};
pub use declared::{Assignments, Axis, DeclaredSpec, Gate};
pub use document::{Document, MAX_BYTES};
pub use engine::{EngineConstants, EngineFile, EngineSpec, QuirkSpec, ServingSpec, read_engines};
pub use fault::{Fault, Place, SpecError, printable};
pub use fields::{Fields, Findings, Range};
pub use hardware::{CostingClass, CostingSpec, HardwareSpec, LinkModel, Provenance, SmSpec, TensorSpec};
pub use json::{DuplicateKey, MAX_JSON_BYTES};
pub use local_engine::{LocalEngineSpec, StoredSpec};
pub use model::{
    ClaimsSpec, ComputeSpec, ConstraintSpec, EmbeddingPlacement, IoSpec, LatencySpec, ModelSpec, RopeScalingSpec,
};
pub use request::{
    Boundary, DeploymentSpec, RequestSpec, SamplerKind, SamplerMethod, SamplerSpec, ScenarioKind, SwitchesSpec,
    WorkloadSpec,
};
pub use suggest::nearest;
