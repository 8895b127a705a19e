//! Local engines: a derated roofline per backend, fitted to whole evaluations.

use super::fields::{Fields, Range};

/// One backend of local engines. Times in microseconds, shares of a peak.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LocalEngineSpec {
    /// Id, as `llama.cpp@cuda`.
    pub id: String,
    /// The engine as measurements name it; empty where the aliases do.
    pub engine: String,
    /// Engines costed by this set.
    pub aliases: Vec<String>,
    /// What it runs on: cuda, rocm, metal, xpu.
    pub platform: String,
    /// Architectures it is taken for; empty means all that no other backend names.
    pub archs: Vec<String>,
    /// Name as people know it.
    pub name: String,
    /// Versions it stands for.
    pub versions: String,
    /// Measured rows behind the constants.
    pub development_rows: f64,
    /// Share of the bandwidth that reading 16-bit weights reaches.
    pub memory_f16: f64,
    /// The same, quantised weights.
    pub memory_quantised: f64,
    /// The same, keys and values.
    pub memory_kv: f64,
    /// Keys and values are read (heads / KV heads) to this power times.
    pub group_exponent: f64,
    /// Share of the 16-bit peak that products with 16-bit weights reach.
    pub compute_f16: f64,
    /// The same, quantised weights.
    pub compute_quantised: f64,
    /// The same, attention.
    pub compute_attention: f64,
    /// Factor on it for mixtures of experts.
    pub compute_experts: f64,
    /// Extra time of a matrix-vector product per further column, up to eight.
    pub per_column: f64,
    /// Overhead of an evaluation.
    pub step_us: f64,
    /// Overhead per layer.
    pub layer_us: f64,
    /// Overhead per further device.
    pub hop_us: f64,
    /// Factor on the shares of bandwidth by class of machine.
    pub memory_by_class: Vec<(String, f64)>,
    /// Factor on the shares of the peak by class of machine.
    pub compute_by_class: Vec<(String, f64)>,
    /// Figures that no measurement fixed.
    pub priors: Vec<String>,
    /// What a user must know.
    pub note: Option<String>,
    /// Where the measurements were published.
    pub sources: Vec<String>,
}

/// Bytes of a storage type of local engines.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StoredSpec {
    /// Name, as `q4_k_m`.
    pub id: String,
    /// Bytes a weight, scales included.
    pub bytes: f64,
    /// Bytes a weight of the LM head; as the others where absent.
    pub head: Option<f64>,
    /// Bytes a weight of what is no expert; as the experts where absent.
    pub others: Option<f64>,
}

const SHARE: Range = Range::positive(10.0);
const TIME: Range = Range::from_zero(1e9);

impl LocalEngineSpec {
    pub(super) fn read(mut fields: Fields<'_>) -> Self {
        let mut memory = fields.section("memory");
        let mut compute = fields.section("compute");
        let mut host = fields.section("host");
        let spec = Self {
            id: fields.text("id").unwrap_or_default(),
            engine: fields.text("engine").unwrap_or_default(),
            aliases: fields.texts("aliases"),
            platform: fields.text("platform").unwrap_or_default(),
            archs: fields.texts("archs"),
            name: fields.text("name").unwrap_or_default(),
            versions: fields.text("versions").unwrap_or_default(),
            development_rows: fields.number("development_rows", TIME).unwrap_or(0.0),
            memory_f16: memory.need_number("f16", SHARE),
            memory_quantised: memory.need_number("quantised", SHARE),
            memory_kv: memory.need_number("kv", SHARE),
            group_exponent: memory.need_number("group_exponent", Range::from_zero(1.0)),
            compute_f16: compute.need_number("f16", SHARE),
            compute_quantised: compute.need_number("quantised", SHARE),
            compute_attention: compute.need_number("attention", SHARE),
            compute_experts: compute.need_number("experts", SHARE),
            per_column: compute.need_number("per_column", Range::from_zero(10.0)),
            step_us: host.need_number("step_us", TIME),
            layer_us: host.need_number("layer_us", TIME),
            hop_us: host.need_number("hop_us", TIME),
            memory_by_class: fields.number_table("memory_by_class"),
            compute_by_class: fields.number_table("compute_by_class"),
            priors: fields.texts("priors"),
            note: fields.text("note"),
            sources: fields.texts("sources"),
        };
        [memory, compute, host, fields].into_iter().for_each(Fields::finish);
        spec
    }
}

impl StoredSpec {
    pub(super) fn read(mut fields: Fields<'_>) -> Self {
        let size = Range::positive(8.0);
        let spec = Self {
            id: fields.text("id").unwrap_or_default(),
            bytes: fields.need_number("bytes", size),
            head: fields.number("head", size),
            others: fields.number("others", size),
        };
        fields.finish();
        spec
    }
}
