//! Serving engines: how much host time they add and how their kernels compare with the cost models.

use super::document::Document;
use super::fault::SpecError;
use super::fields::{Fields, Findings, Range};
use super::local_engine::{LocalEngineSpec, StoredSpec};

/// One engine in one era on one platform. Times in microseconds.
#[derive(Clone, Debug, Default)]
pub struct EngineSpec {
    /// Id, as `vllm@v1`.
    pub id: String,
    /// The engine without era and platform, as measurements name it: `vllm`.
    pub engine: String,
    /// Era, as `v1`; empty where there is one only.
    pub era: String,
    /// What it was measured on: cuda, rocm, xpu, hpu, rdu.
    pub platform: String,
    /// Engines that are costed like this one.
    pub aliases: Vec<String>,
    /// Name as people know it.
    pub name: String,
    /// Versions it stands for.
    pub versions: String,
    /// First version it stands for, as `0.8`.
    pub from_version: Option<String>,
    /// First version it stands for no more.
    pub below_version: Option<String>,
    /// Which attention and collective coefficients its kernels follow: vllm, sglang or trtllm.
    pub kernels: String,
    /// Id of the engine whose constants it shares.
    pub constants_of: Option<String>,
    /// Its constants.
    pub constants: EngineConstants,
    /// What its kernels do otherwise than the cost models.
    pub quirks: Vec<QuirkSpec>,
    /// Compute efficiency of its linear layers by architecture, in place of the machine's.
    pub gemm_ec_by_arch: Vec<(String, f64)>,
    /// Architectures on which a step mixes prompts and decoding sequences without slowing the latter's kernels.
    pub mixed_step: Vec<String>,
    /// Prompts longer than the first figure run in chunks of the second, tokens.
    pub prefill_chunk: Option<(f64, f64)>,
    /// Constants that no measurement fixed.
    pub priors: Vec<String>,
    /// What a user of these constants must know.
    pub note: Option<String>,
}

/// What the fit gave.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EngineConstants {
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
    /// How requests in flight slow each other.
    pub serving: ServingSpec,
}

/// Shares of another request's prefill that a request waits for.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ServingSpec {
    /// In its decode steps, where lengths vary.
    pub kap: f64,
    /// In its decode steps, where all lengths are alike and requests run in lockstep.
    pub kapf: f64,
    /// Before its first token, closed loop, lengths vary.
    pub rho: f64,
    /// Before its first token, closed loop, lengths alike; `rho` where absent.
    pub rhof: Option<f64>,
    /// Before its first token, open loop.
    pub rho_o: Option<f64>,
}

/// A class of kernels that takes a multiple of its cost model in this engine, under conditions that all have to hold.
#[derive(Clone, Debug, PartialEq)]
pub struct QuirkSpec {
    /// `decode_attention` or `experts`.
    pub kernel: String,
    /// How many times longer.
    pub factor: f64,
    /// On this architecture only.
    pub arch: Option<String>,
    /// With weights of this type only.
    pub weights: Option<String>,
    /// With a cache of this many bits only.
    pub kv_bits: Option<f64>,
    /// Only where several query heads share a key/value head.
    pub grouped_queries: bool,
}

/// Everything the file of engines holds.
#[derive(Clone, Debug, Default)]
pub struct EngineFile {
    /// Serving engines.
    pub engines: Vec<EngineSpec>,
    /// Local engines.
    pub local: Vec<LocalEngineSpec>,
    /// Storage types of local engines.
    pub storage: Vec<StoredSpec>,
}

const TIME: Range = Range::from_zero(1e9);
const FACTOR: Range = Range::positive(100.0);

/// Reads the file of engines.
///
/// # Errors
/// All faults at once.
pub fn read_engines(document: &Document) -> Result<EngineFile, SpecError> {
    let findings = Findings::default();
    let mut fields = Fields::top(document, "", &findings);
    let mut engines: Vec<EngineSpec> = Vec::new();
    for section in fields.section_list("engines") {
        let engine = read_engine(section, &engines);
        engines.push(engine);
    }
    let file = EngineFile {
        engines,
        local: fields.section_list("local").into_iter().map(LocalEngineSpec::read).collect(),
        storage: fields.section_list("storage").into_iter().map(StoredSpec::read).collect(),
    };
    fields.finish();
    findings.conclude(file).map(|(file, _)| file)
}

fn read_engine(mut fields: Fields<'_>, known: &[EngineSpec]) -> EngineSpec {
    let constants_of = fields.text("constants_of");
    let constants = match &constants_of {
        Some(id) => known.iter().find(|engine| engine.id == *id).map_or_else(
            || {
                fields.fault("constants_of", format!("no engine `{id}` above"));
                EngineConstants::default()
            },
            |engine| engine.constants.clone(),
        ),
        None => read_constants(&mut fields),
    };
    let mut chunk = fields.section("prefill_chunk");
    let tokens = Range::positive(1e9);
    let prefill_chunk = chunk.number("above_tokens", tokens).zip(chunk.number("tokens", tokens));
    chunk.finish();
    let spec = EngineSpec {
        id: fields.text("id").unwrap_or_default(),
        engine: fields.text("engine").unwrap_or_default(),
        era: fields.text("era").unwrap_or_default(),
        platform: fields.text("platform").unwrap_or_default(),
        aliases: fields.texts("aliases"),
        name: fields.text("name").unwrap_or_default(),
        versions: fields.text("versions").unwrap_or_default(),
        from_version: fields.text("from_version"),
        below_version: fields.text("below_version"),
        kernels: fields.text("kernels").unwrap_or_default(),
        constants_of,
        constants,
        quirks: fields.section_list("quirks").into_iter().map(QuirkSpec::read).collect(),
        gemm_ec_by_arch: fields.number_table("gemm_ec_by_arch"),
        mixed_step: fields.texts("mixed_step"),
        prefill_chunk,
        priors: fields.texts("priors"),
        note: fields.text("note"),
    };
    fields.finish();
    spec
}

fn read_constants(fields: &mut Fields<'_>) -> EngineConstants {
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
    let mut serving = fields.section("serving");
    let [kap, kapf, rho] = ["kap", "kapf", "rho"].map(|key| serving.need_number(key, Range::from_zero(100.0)));
    let [rhof, rho_o] = ["rhof", "rho_o"].map(|key| serving.number(key, Range::from_zero(100.0)));
    serving.finish();
    EngineConstants {
        development_rows: fields.number("development_rows", Range::from_zero(1e9)).unwrap_or(0.0),
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
        serving: ServingSpec { kap, kapf, rho, rhof, rho_o },
    }
}

impl QuirkSpec {
    fn read(mut fields: Fields<'_>) -> Self {
        let spec = Self {
            kernel: fields.text("kernel").unwrap_or_default(),
            factor: fields.need_number("factor", FACTOR),
            arch: fields.text("arch"),
            weights: fields.text("weights"),
            kv_bits: fields.number("kv_bits", Range::positive(64.0)),
            grouped_queries: fields.flag("grouped_queries").unwrap_or(false),
        };
        if !["decode_attention", "experts"].contains(&spec.kernel.as_str()) {
            fields.fault("kernel", format!("`{}` is no kernel of a quirk: decode_attention or experts", spec.kernel));
        }
        fields.finish();
        spec
    }
}
