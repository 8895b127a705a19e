//! Calibration sets: fitted coefficients with the peaks they were fitted with. A set travels as a unit.

use super::document::Document;
use super::fault::SpecError;
use super::fields::{Fields, Findings, Range};

/// One device's calibration set.
#[derive(Clone, Debug)]
pub struct CalibrationSpec {
    /// Id, as `a100_sxm`.
    pub id: String,
    /// Where the measurements came from.
    pub source: String,
    /// Date of the fit.
    pub date: String,
    /// Software that was measured.
    pub stack: String,
    /// Linear layers.
    pub gemm: Option<GemmSet>,
    /// Attention.
    pub attention: Option<AttentionSet>,
    /// Collectives.
    pub collective: CollectiveSet,
}

/// The peaks a set was fitted with. Rates in TFLOPS and GB/s, cache in MB of 1e6 bytes.
#[derive(Clone, Copy, Debug)]
pub struct Peaks {
    /// Multiprocessors.
    pub sm_count: f64,
    /// Dense bfloat16 rate.
    pub bf16_tflops: f64,
    /// Dense 8-bit float rate.
    pub fp8_tflops: Option<f64>,
    /// Dense 4-bit float rate.
    pub fp4_tflops: Option<f64>,
    /// Dense 8-bit integer rate.
    pub int8_tflops: Option<f64>,
    /// Memory bandwidth.
    pub bandwidth_gb_s: f64,
    /// Second-level cache.
    pub l2_mb: f64,
    /// GPU-to-GPU link per direction.
    pub link_gb_s: Option<f64>,
}

/// Linear-layer coefficients by storage format.
#[derive(Clone, Debug)]
pub struct GemmSet {
    /// Peaks of the fit.
    pub peaks: Peaks,
    /// Coefficients by format name.
    pub formats: Vec<(String, FormatSpec)>,
}

/// Coefficients of one format; meaning in `cost::gemm`.
#[derive(Clone, Debug, PartialEq)]
pub struct FormatSpec {
    /// Tile menu: A, H or T.
    pub tiles: String,
    /// Split-K candidates.
    pub splits: Vec<f64>,
    /// Launch floor, µs.
    pub t0_us: f64,
    /// Tensor-core efficiency.
    pub ec: f64,
    /// Achievable share of memory bandwidth.
    pub em: f64,
    /// Operand feed balance, FLOP per byte.
    pub ib: f64,
    /// Fill and epilogue, in units of K.
    pub k0: f64,
    /// Wave quantisation: 1 none, 0 full.
    pub beta: f64,
    /// Split-K reduction, µs.
    pub ts_us: f64,
    /// Droop of long kernels.
    pub th: f64,
    /// Activation quantisation, µs.
    pub tq_us: f64,
    /// Activation quantisation, share of bandwidth.
    pub bq: f64,
    /// Share of the cache that repeated weights find (timing loops only).
    pub bench_l2_frac: f64,
    /// Rate of repeated weights from the cache, GB/s (timing loops only).
    pub bench_l2_gb_s: f64,
    /// Median error on shapes kept out of the fit, percent.
    pub held_out_median_percent: Option<f64>,
}

/// Attention coefficients by kernel family.
#[derive(Clone, Debug)]
pub struct AttentionSet {
    /// Peaks of the fit.
    pub peaks: Peaks,
    /// Prefill, by family.
    pub prefill: Vec<(String, PrefillSpec)>,
    /// Decode, by family.
    pub decode: Vec<(String, DecodeSpec)>,
}

/// Prefill attention coefficients; meaning in `cost::attention`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs, reason = "names of the formula, documented there")]
pub struct PrefillSpec {
    pub bm: f64,
    pub t0_us: f64,
    pub e64: f64,
    pub e128: f64,
    pub e192: f64,
    pub e256: f64,
    pub e512: f64,
    pub delta: f64,
    pub crit: f64,
    pub e_io: f64,
    pub m_kv: f64,
    pub q: f64,
    pub r_l2: f64,
    pub f8: f64,
}

/// Decode attention coefficients; meaning in `cost::attention`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs, reason = "names of the formula, documented there")]
pub struct DecodeSpec {
    pub mha_split: bool,
    pub t0_us: f64,
    pub c_split_us: f64,
    pub c_cta_us: f64,
    pub lam_ns: f64,
    pub e_m: f64,
    pub e_m8: f64,
    pub e_c: f64,
    pub c_tok_ns: f64,
    pub gam: f64,
    pub q: f64,
    pub x_l2: f64,
    pub r_l2: f64,
}

/// Collective coefficients.
#[derive(Clone, Debug, Default)]
pub struct CollectiveSet {
    /// NCCL, by operation.
    pub nccl: Vec<(String, NcclSpec)>,
    /// The framework's own all-reduce, by family, with the NCCL it was measured beside where that differs.
    pub all_reduce: Vec<(String, (AllReduceSpec, Option<NcclSpec>))>,
}

/// NCCL coefficients: times in µs, rates in GB/s (or, in the defaults, shares of the link rate).
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs, reason = "names of the formula, documented in cost::collective")]
pub struct NcclSpec {
    pub a0_us: f64,
    pub a1_us: f64,
    pub d_s_us: f64,
    pub ll: f64,
    pub n2: f64,
    pub n4: f64,
    pub n8: f64,
}

/// One-shot and two-shot all-reduce coefficients.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs, reason = "names of the formula, documented in cost::collective")]
pub struct AllReduceSpec {
    pub a0_us: f64,
    pub a1_us: f64,
    pub a2_us: f64,
    pub one_shot: f64,
    pub two_shot: f64,
}

/// What holds for devices that nobody measured.
#[derive(Clone, Debug)]
pub struct DefaultsSpec {
    /// Linear layers in 16 bit.
    pub bf16: FormatSpec,
    /// Linear layers in 16 bit on data-centre Blackwell.
    pub bf16_blackwell_dc: FormatSpec,
    /// How 8-bit and 4-bit float follow from 16 bit.
    pub fp8_from_bf16: Vec<(String, f64)>,
    /// Tile menus by name: rows × columns.
    pub tile_sets: Vec<(String, Vec<(f64, f64)>)>,
    /// Attention on devices with HBM.
    pub hbm: (PrefillSpec, DecodeSpec),
    /// Attention on devices with GDDR.
    pub gddr: (PrefillSpec, DecodeSpec),
    /// NCCL over NVLink, rates as shares of the link, by operation.
    pub nvlink_nccl: Vec<(String, NcclSpec)>,
    /// The framework's all-reduce over NVLink, rates as shares of the link.
    pub nvlink_all_reduce: AllReduceSpec,
}

const ANY: Range = Range { low: 0.0, high: 1e9 };
const SOME: Range = Range::positive(1e9);

impl Peaks {
    pub(super) fn read(mut fields: Fields<'_>) -> Self {
        let peaks = Self {
            sm_count: fields.need_number("sm_count", SOME),
            bf16_tflops: fields.need_number("bf16_tflops", SOME),
            fp8_tflops: fields.number("fp8_tflops", SOME),
            fp4_tflops: fields.number("fp4_tflops", SOME),
            int8_tflops: fields.number("int8_tflops", SOME),
            bandwidth_gb_s: fields.need_number("bandwidth_gb_s", SOME),
            l2_mb: fields.need_number("l2_mb", SOME),
            link_gb_s: fields.number("link_gb_s", SOME),
        };
        fields.finish();
        peaks
    }
}

impl CalibrationSpec {
    /// Reads a set.
    ///
    /// # Errors
    /// All faults of the file at once.
    pub fn read(document: &Document) -> Result<Self, SpecError> {
        let findings = Findings::default();
        let mut fields = Fields::top(document, "", &findings);
        let spec = Self {
            id: fields.text("id").unwrap_or_default(),
            source: fields.text("source").unwrap_or_default(),
            date: fields.text("date").unwrap_or_default(),
            stack: fields.text("stack").unwrap_or_default(),
            gemm: read_gemm(fields.section("gemm")),
            attention: read_attention(fields.section("attention")),
            collective: read_collective(fields.section("collective")),
        };
        // Mixture-of-experts and latent-attention coefficients travel with the set; their models come later.
        let _ = (fields.section("moe"), fields.section("mla"));
        fields.finish();
        findings.conclude(spec).map(|(spec, _)| spec)
    }
}

fn read_gemm(mut fields: Fields<'_>) -> Option<GemmSet> {
    if fields.is_empty() {
        return None;
    }
    let peaks = Peaks::read(fields.section("peaks"));
    let formats = fields.sections("formats").into_iter().map(|(name, f)| (name.to_owned(), read_format(f))).collect();
    fields.finish();
    Some(GemmSet { peaks, formats })
}

fn read_format(mut fields: Fields<'_>) -> FormatSpec {
    let spec = FormatSpec {
        tiles: fields.text("tiles").unwrap_or_default(),
        splits: fields.numbers("splits"),
        t0_us: fields.need_number("t0_us", ANY),
        ec: fields.need_number("ec", SOME),
        em: fields.need_number("em", SOME),
        ib: fields.need_number("ib", SOME),
        k0: fields.need_number("k0", ANY),
        beta: fields.need_number("beta", ANY),
        ts_us: fields.number("ts_us", ANY).unwrap_or(0.0),
        th: fields.need_number("th", ANY),
        tq_us: fields.number("tq_us", ANY).unwrap_or(0.0),
        bq: fields.number("bq", SOME).unwrap_or(1.0),
        bench_l2_frac: fields.number("bench_l2_frac", SOME).unwrap_or(1.0),
        bench_l2_gb_s: fields.number("bench_l2_gb_s", SOME).unwrap_or(1.0),
        held_out_median_percent: fields.number("held_out_median_percent", ANY),
    };
    fields.finish();
    spec
}

fn read_attention(mut fields: Fields<'_>) -> Option<AttentionSet> {
    if fields.is_empty() {
        return None;
    }
    let peaks = Peaks::read(fields.section("peaks"));
    let prefill = fields.sections("prefill").into_iter().map(|(name, f)| (name.to_owned(), read_prefill(f))).collect();
    let decode = fields.sections("decode").into_iter().map(|(name, f)| (name.to_owned(), read_decode(f))).collect();
    fields.finish();
    Some(AttentionSet { peaks, prefill, decode })
}

fn read_prefill(mut fields: Fields<'_>) -> PrefillSpec {
    let _ = fields.texts("imputed");
    let spec = PrefillSpec {
        bm: fields.need_number("bm", SOME),
        t0_us: fields.need_number("t0_us", ANY),
        e64: fields.need_number("e64", SOME),
        e128: fields.need_number("e128", SOME),
        e192: fields.need_number("e192", SOME),
        e256: fields.need_number("e256", SOME),
        e512: fields.need_number("e512", SOME),
        delta: fields.need_number("delta", ANY),
        crit: fields.need_number("crit", ANY),
        e_io: fields.need_number("e_io", SOME),
        m_kv: fields.need_number("m_kv", ANY),
        q: fields.need_number("q", SOME),
        r_l2: fields.need_number("r_l2", SOME),
        f8: fields.number("f8", SOME).unwrap_or(1.0),
    };
    fields.finish();
    spec
}

fn read_decode(mut fields: Fields<'_>) -> DecodeSpec {
    let _ = (fields.texts("imputed"), fields.text("kernel"));
    let spec = DecodeSpec {
        mha_split: fields.flag("mha_split").unwrap_or(true),
        t0_us: fields.need_number("t0_us", ANY),
        c_split_us: fields.need_number("c_split_us", ANY),
        c_cta_us: fields.need_number("c_cta_us", ANY),
        lam_ns: fields.need_number("lam_ns", ANY),
        e_m: fields.need_number("e_m", SOME),
        e_m8: fields.need_number("e_m8", SOME),
        e_c: fields.need_number("e_c", SOME),
        c_tok_ns: fields.need_number("c_tok_ns", ANY),
        gam: fields.need_number("gam", ANY),
        q: fields.need_number("q", SOME),
        x_l2: fields.need_number("x_l2", SOME),
        r_l2: fields.need_number("r_l2", SOME),
    };
    fields.finish();
    spec
}

fn read_collective(mut fields: Fields<'_>) -> CollectiveSet {
    let set = CollectiveSet {
        nccl: fields.sections("nccl").into_iter().map(|(op, f)| (op.to_owned(), read_nccl(f, &NCCL_RATES))).collect(),
        all_reduce: fields
            .sections("all_reduce")
            .into_iter()
            .map(|(family, f)| (family.to_owned(), read_measured_all_reduce(f)))
            .collect(),
    };
    fields.finish();
    set
}

const NCCL_RATES: [&str; 4] = ["ll_gb_s", "n2_gb_s", "n4_gb_s", "n8_gb_s"];
const NCCL_SHARES: [&str; 4] = ["eta_ll", "eta_n2", "eta_n4", "eta_n8"];

fn read_nccl(mut fields: Fields<'_>, rates: &[&'static str; 4]) -> NcclSpec {
    let [ll, n2, n4, n8] = rates.map(|key| fields.need_number(key, SOME));
    let spec = NcclSpec {
        a0_us: fields.need_number("a0_us", ANY),
        a1_us: fields.need_number("a1_us", ANY),
        d_s_us: fields.need_number("d_s_us", ANY),
        ll,
        n2,
        n4,
        n8,
    };
    fields.finish();
    spec
}

fn read_measured_all_reduce(mut fields: Fields<'_>) -> (AllReduceSpec, Option<NcclSpec>) {
    let nccl = fields.section("nccl");
    let nccl = if nccl.is_empty() { None } else { Some(read_nccl(nccl, &NCCL_RATES)) };
    let spec = read_all_reduce(&mut fields, "one_shot_gb_s", "two_shot_gb_s");
    fields.finish();
    (spec, nccl)
}

fn read_all_reduce(fields: &mut Fields<'_>, one_shot: &'static str, two_shot: &'static str) -> AllReduceSpec {
    AllReduceSpec {
        a0_us: fields.need_number("a0_us", ANY),
        a1_us: fields.need_number("a1_us", ANY),
        a2_us: fields.need_number("a2_us", ANY),
        one_shot: fields.need_number(one_shot, SOME),
        two_shot: fields.need_number(two_shot, SOME),
    }
}

impl DefaultsSpec {
    /// Reads the class defaults.
    ///
    /// # Errors
    /// All faults of the file at once.
    pub fn read(document: &Document) -> Result<Self, SpecError> {
        let findings = Findings::default();
        let mut fields = Fields::top(document, "", &findings);
        let mut gemm = fields.section("gemm");
        let mut attention = fields.section("attention");
        let mut collective = fields.section("collective");
        let pair = |mut f: Fields<'_>| {
            let pair = (read_prefill(f.section("prefill")), read_decode(f.section("decode")));
            f.finish();
            pair
        };
        let spec = Self {
            bf16: read_format(gemm.section("bf16")),
            bf16_blackwell_dc: read_format(gemm.section("bf16_blackwell_dc")),
            fp8_from_bf16: gemm.number_table("fp8_from_bf16"),
            tile_sets: read_tile_sets(gemm.section("tile_sets")),
            hbm: pair(attention.section("datacenter_hbm")),
            gddr: pair(attention.section("pcie_gddr")),
            nvlink_nccl: collective
                .sections("nvlink_nccl")
                .into_iter()
                .map(|(op, f)| (op.to_owned(), read_nccl(f, &NCCL_SHARES)))
                .collect(),
            nvlink_all_reduce: {
                let mut shares = collective.section("nvlink_all_reduce");
                let spec = read_all_reduce(&mut shares, "eta_one_shot", "eta_two_shot");
                shares.finish();
                spec
            },
        };
        [gemm, attention, collective].into_iter().for_each(Fields::finish);
        let _ = ["moe", "mla_decode", "mla_prefill", "mixed_fa2", "architecture_scale"].map(|key| fields.section(key));
        fields.finish();
        findings.conclude(spec).map(|(spec, _)| spec)
    }
}

fn read_tile_sets(mut fields: Fields<'_>) -> Vec<(String, Vec<(f64, f64)>)> {
    let sets = ["A", "H", "T", "H64"].map(|name| {
        let sizes = fields.pairs(name);
        (name.to_owned(), sizes)
    });
    fields.finish();
    sets.into()
}
