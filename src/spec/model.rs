//! The model profile: the article's five sections, plus the architecture and the storage of weights and KV cache.

use super::architecture::{ArchitectureSpec, LayerGroupSpec, MAX_LAYERS, StorageSpec, WeightsSpec};
use super::document::Document;
use super::fault::SpecError;
use super::fields::{Fields, Findings, Range};
use crate::quantity::{KvDtype, WeightDtype};

/// A model profile as written. Everything but the name may be absent.
#[derive(Clone, Debug, Default)]
pub struct ModelSpec {
    /// The model's name; matched against the catalogue for what the profile leaves out.
    pub model_name: String,
    /// Other names that mean this model.
    pub aliases: Vec<String>,
    /// Stated totals, compared with the architecture and never used in its place.
    pub claims: ClaimsSpec,
    /// Layers, widths and heads.
    pub architecture: ArchitectureSpec,
    /// Storage of the linear weights, as far as it decides the kernel.
    pub weights_dtype: Option<WeightDtype>,
    /// Bits per element and what is stored otherwise.
    pub storage: WeightsSpec,
    /// Whether FP8 checkpoints of this model carry a scale per 128 × 128 block.
    pub fp8_block_scales: Option<bool>,
    /// Storage of the KV cache.
    pub kv_dtype: Option<KvDtype>,
    /// The compute section.
    pub compute: ComputeSpec,
    /// Stated KV bytes (the article's "per layer"), a claim.
    pub kv_cache_bytes_per_layer: Option<f64>,
    /// Alignment of KV rows in bytes.
    pub cache_line_alignment: Option<u64>,
    /// The I/O section.
    pub io: IoSpec,
    /// The latency section: vendor claims.
    pub latency: LatencySpec,
    /// The hardware section.
    pub constraint: ConstraintSpec,
    /// Where the numbers were read.
    pub sources: Vec<String>,
    /// Remarks made while reading.
    pub notes: Vec<String>,
}

/// Totals that a profile may state.
#[derive(Clone, Debug, Default)]
pub struct ClaimsSpec {
    /// Parameters, all.
    pub params_total: Option<f64>,
    /// Parameters used per token.
    pub params_active: Option<f64>,
    /// Checkpoint bytes.
    pub weight_bytes: Option<f64>,
    /// Layers.
    pub layers: Option<f64>,
}

/// The compute section.
#[derive(Clone, Debug, Default)]
pub struct ComputeSpec {
    /// Type of the QKV product; stands for the weights where `weights.dtype` is silent.
    pub qkv_gemm_dtype: Option<WeightDtype>,
    /// Activation function.
    pub activation: Option<String>,
    /// Normalisation.
    pub norm: Option<String>,
    /// Base of the rotary frequencies.
    pub rope_theta: Option<f64>,
    /// How positions beyond the trained context are reached.
    pub rope_scaling: Option<RopeScalingSpec>,
    /// A second base that some profiles state; not a parameter of rotary embeddings.
    pub rope_base: Option<f64>,
}

/// A scaling of the rotary frequencies.
#[derive(Clone, Debug, PartialEq)]
pub struct RopeScalingSpec {
    /// Which rule: `linear`, `dynamic`, `yarn`, `llama3`, `longrope`, …
    pub kind: String,
    /// How many times longer the context becomes.
    pub factor: Option<f64>,
    /// Context before scaling, in tokens.
    pub original_max_position_embeddings: Option<u64>,
}

/// The I/O section.
#[derive(Clone, Debug, Default)]
pub struct IoSpec {
    /// A claimed host-to-device rate; compared, never used.
    pub prefill_input_bandwidth_gb_s: Option<f64>,
    /// Where the embedding table lives.
    pub embedding_placement: Option<EmbeddingPlacement>,
}

/// Where the embedding table lives and what crosses PCIe because of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EmbeddingPlacement {
    /// In device memory; only token ids cross.
    #[default]
    Device,
    /// In page-locked host memory; the whole table is copied at each prefill.
    HostPinned,
    /// In ordinary host memory; the whole table goes through a staging buffer and over PCIe at each prefill.
    HostPageable,
    /// In host memory mapped into the device; only the rows used cross.
    HostMapped,
}

/// Vendor latency claims.
#[derive(Clone, Debug, Default)]
pub struct LatencySpec {
    /// Claimed prefill latency.
    pub prefill_latency_ms: Option<f64>,
    /// Claimed decode latency per token.
    pub decode_latency_ms_per_token: Option<f64>,
    /// Claimed sampling and logits overhead per token.
    pub token_generation_overhead_ms: Option<f64>,
    /// The prompt length the claims were made at, where stated.
    pub prompt_len: Option<u64>,
}

/// Stated minimum hardware.
#[derive(Clone, Debug, Default)]
pub struct ConstraintSpec {
    /// Tensor cores are required.
    pub tensor_core_support: Option<bool>,
    /// Smallest architecture, as `sm_80`.
    pub min_sm_arch: Option<String>,
}

impl EmbeddingPlacement {
    /// Every placement with its name.
    pub const ALL: [(Self, &'static str); 4] = [
        (Self::Device, "device"),
        (Self::HostPinned, "host_pinned"),
        (Self::HostPageable, "host_pageable"),
        (Self::HostMapped, "host_mapped"),
    ];

    /// The name used in files and options.
    #[must_use]
    pub fn name(self) -> &'static str {
        super::request::name_in(&Self::ALL, self)
    }
}

impl std::str::FromStr for EmbeddingPlacement {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        super::request::parse_in(&Self::ALL, text)
    }
}

impl ModelSpec {
    /// Reads a profile.
    ///
    /// # Errors
    /// All faults of the file at once: unknown keys, wrong types, values out of range.
    pub fn read(document: &Document) -> Result<Self, SpecError> {
        let findings = Findings::default();
        let spec = Self::read_fields(Fields::top(document, "model", &findings));
        let (mut spec, notes) = findings.conclude(spec)?;
        spec.notes = notes;
        Ok(spec)
    }

    /// Reads a file with a list of profiles under `models`.
    ///
    /// # Errors
    /// All faults of the file at once.
    pub fn read_list(document: &Document) -> Result<Vec<Self>, SpecError> {
        let findings = Findings::default();
        let mut fields = Fields::top(document, "", &findings);
        let models = fields.section_list("models").into_iter().map(Self::read_fields).collect();
        fields.finish();
        findings.conclude(models).map(|(models, _)| models)
    }

    fn read_fields(mut fields: Fields<'_>) -> Self {
        let mut spec = Self { claims: read_claims(&mut fields), ..Self::default() };
        let short_name = fields.text("name");
        spec.model_name = fields.text("model_name").or(short_name).unwrap_or_default();
        if spec.model_name.trim().is_empty() {
            fields.missing("model_name");
        }
        spec.aliases = fields.texts("aliases");
        spec.kv_cache_bytes_per_layer = fields.number("kv_cache_bytes_per_layer", Range::positive(1e15));
        spec.architecture = ArchitectureSpec::read(fields.section("architecture"));
        read_storage(&mut fields, &mut spec);
        read_profile_sections(&mut fields, &mut spec);
        let mut provenance = fields.section("provenance");
        spec.sources = provenance.texts("sources");
        let _ = provenance.text("notes");
        provenance.finish();
        fields.finish();
        spec
    }

    /// Where another type of weights was asked for than the file states, what the file says about how its layers are
    /// stored (bits, types of single groups) no longer holds: it is forgotten, unless it was set, too.
    pub fn follow_dtype(&mut self, original: &Self) {
        if self.weights_dtype == original.weights_dtype {
            return;
        }
        if self.storage.linear == original.storage.linear {
            self.storage.linear = StorageSpec::default();
        }
        if self.architecture == original.architecture {
            self.architecture.layer_groups.iter_mut().for_each(LayerGroupSpec::clear_storage);
        }
    }
}

fn read_claims(fields: &mut Fields<'_>) -> ClaimsSpec {
    ClaimsSpec {
        params_total: fields.number("params_total", Range::positive(1e17)),
        params_active: fields.number("params_active", Range::positive(1e17)),
        weight_bytes: fields.number("weight_bytes", Range::positive(1e18)),
        layers: fields.number("layers", Range::count(MAX_LAYERS)),
    }
}

fn read_storage(fields: &mut Fields<'_>, spec: &mut ModelSpec) {
    let mut weights = fields.section("weights");
    spec.weights_dtype = weights.one_of("dtype");
    spec.fp8_block_scales = weights.flag("fp8_block_scales");
    spec.storage = WeightsSpec {
        linear: StorageSpec::read_bits(&mut weights),
        embedding: StorageSpec::read(weights.section("embedding")),
        lm_head: StorageSpec::read(weights.section("lm_head")),
        other: StorageSpec::read(weights.section("other")),
        vision: StorageSpec::read(weights.section("vision")),
    };
    weights.finish();
    let mut kv = fields.section("kv_cache");
    spec.kv_dtype = kv.one_of("dtype");
    kv.finish();
}

fn read_rope_scaling(mut fields: Fields<'_>) -> Option<RopeScalingSpec> {
    if fields.is_empty() {
        return None;
    }
    let kind = fields.text("kind");
    if kind.is_none() {
        fields.missing("kind");
    }
    let factor = fields.number("factor", Range::positive(1e6));
    let original_max_position_embeddings = fields.count("original_max_position_embeddings", 1 << 40);
    fields.finish();
    Some(RopeScalingSpec { kind: kind?, factor, original_max_position_embeddings })
}

fn read_profile_sections(fields: &mut Fields<'_>, spec: &mut ModelSpec) {
    let mut compute = fields.section("compute_profile");
    spec.compute = ComputeSpec {
        qkv_gemm_dtype: compute.one_of("qkv_gemm_dtype"),
        activation: compute.text("activation"),
        norm: compute.text("norm"),
        rope_theta: compute.number("rope_theta", Range::positive(1e15)),
        rope_scaling: read_rope_scaling(compute.section("rope_scaling")),
        rope_base: compute.number("rope_base", Range::positive(1e15)),
    };
    compute.finish();
    let mut memory = fields.section("memory_profile");
    let per_layer = memory.number("kv_cache_bytes_per_layer", Range::positive(1e15));
    spec.kv_cache_bytes_per_layer = per_layer.or(spec.kv_cache_bytes_per_layer);
    spec.cache_line_alignment = memory.count("cache_line_alignment", 1 << 20);
    memory.finish();
    let mut io = fields.section("io_profile");
    spec.io = IoSpec {
        prefill_input_bandwidth_gb_s: io.number("prefill_input_bandwidth_gb_s", Range::positive(1e6)),
        embedding_placement: io.one_of("embedding_placement"),
    };
    io.finish();
    let mut latency = fields.section("latency_profile");
    spec.latency = LatencySpec {
        prefill_latency_ms: latency.number("prefill_latency_ms", Range::positive(1e9)),
        decode_latency_ms_per_token: latency.number("decode_latency_ms_per_token", Range::positive(1e9)),
        token_generation_overhead_ms: latency.number("token_generation_overhead_ms", Range::positive(1e9)),
        prompt_len: latency.count("prompt_len", 1 << 24),
    };
    latency.finish();
    let mut constraint = fields.section("hardware_constraint");
    spec.constraint = ConstraintSpec {
        tensor_core_support: constraint.flag("tensor_core_support"),
        min_sm_arch: constraint.text("min_sm_arch"),
    };
    constraint.finish();
}
