//! Serving engines: how much host time they add and how their kernels compare with the cost models.

use super::document::Document;
use super::fault::SpecError;
use super::fields::{Fields, Findings, Range};

/// One engine in one era. Times in microseconds.
#[derive(Clone, Debug)]
pub struct EngineSpec {
    /// Id, as `vllm@v1`.
    pub id: String,
    /// Name as people know it.
    pub name: String,
    /// Versions it stands for.
    pub versions: String,
    /// Which attention and collective coefficients its kernels follow: vllm, sglang or trtllm.
    pub kernels: String,
    /// Measured rows behind the constants.
    pub development_rows: f64,
    /// Serial host time of a step.
    pub s0_us: f64,
    /// Host time of a step per sequence.
    pub s1_us: f64,
    /// Host time of a step per doubling of ranks.
    pub stp_us: f64,
    /// Launch floor of a decode step.
    pub l0_us: f64,
    /// Launch floor of a decode step per layer.
    pub l_layer_us: f64,
    /// Factor on the GPU time of a decode step, by architecture.
    pub eff_by_arch: Vec<(String, f64)>,
    /// Factor on the GPU time of a decode step elsewhere.
    pub eff: f64,
    /// Factor on the GPU time of a prefill step.
    pub effp: f64,
    /// Eager launch time of a prefill step.
    pub p0_us: f64,
    /// Prefill host time per sequence.
    pub p1_us: f64,
    /// Host time of a request before its first step.
    pub t0_us: f64,
    /// Host time of a request per prompt token.
    pub tp_us: f64,
    /// What a user of these constants must know.
    pub note: Option<String>,
}

const TIME: Range = Range::from_zero(1e9);
const FACTOR: Range = Range::positive(100.0);

/// Reads the list of engines.
///
/// # Errors
/// All faults at once.
pub fn read_engines(document: &Document) -> Result<Vec<EngineSpec>, SpecError> {
    let findings = Findings::default();
    let mut fields = Fields::top(document, "", &findings);
    let engines = fields.section_list("engines").into_iter().map(read_engine).collect();
    fields.finish();
    findings.conclude(engines).map(|(engines, _)| engines)
}

fn read_engine(mut fields: Fields<'_>) -> EngineSpec {
    let mut step = fields.section("step");
    let [s0_us, s1_us, stp_us, l0_us, l_layer_us] =
        ["s0_us", "s1_us", "stp_us", "l0_us", "l_layer_us"].map(|key| step.need_number(key, TIME));
    step.finish();
    let mut gpu = fields.section("gpu");
    let (eff, effp) = (gpu.need_number("eff", FACTOR), gpu.need_number("effp", FACTOR));
    let eff_by_arch = gpu.number_table("eff_by_arch");
    gpu.finish();
    let mut prefill = fields.section("prefill");
    let [p0_us, p1_us] = ["p0_us", "p1_us"].map(|key| prefill.need_number(key, TIME));
    prefill.finish();
    let mut client = fields.section("client");
    let t0_us = client.need_number("t0_us", TIME);
    let tp_us = client.number("tp_us", TIME).unwrap_or(0.0);
    client.finish();
    let _ = fields.number_table("serving");
    let spec = EngineSpec {
        id: fields.text("id").unwrap_or_default(),
        name: fields.text("name").unwrap_or_default(),
        versions: fields.text("versions").unwrap_or_default(),
        kernels: fields.text("kernels").unwrap_or_default(),
        development_rows: fields.number("development_rows", Range::from_zero(1e9)).unwrap_or(0.0),
        note: fields.text("note"),
        s0_us,
        s1_us,
        stp_us,
        l0_us,
        l_layer_us,
        eff_by_arch,
        eff,
        effp,
        p0_us,
        p1_us,
        t0_us,
        tp_us,
    };
    fields.finish();
    spec
}
