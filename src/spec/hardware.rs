//! A machine's data sheet and which measurements its costs come from.

use super::calibration::Peaks;
use super::document::Document;
use super::fault::SpecError;
use super::fields::{Fields, Findings, Range};

/// One device as written. Units are in the key names.
#[derive(Clone, Debug)]
pub struct HardwareSpec {
    /// Id, as `a100_80gb_pcie`.
    pub id: String,
    /// Name on the box.
    pub name: String,
    /// Maker.
    pub vendor: String,
    /// Year of release.
    pub year: Option<u64>,
    /// Other ids that mean this machine.
    pub aliases: Vec<String>,
    /// Family name.
    pub architecture: String,
    /// Compute architecture, as `sm_80`.
    pub sm_arch: String,
    /// Streaming multiprocessors and their limits.
    pub sm: SmSpec,
    /// Dense tensor rates.
    pub tensor: TensorSpec,
    /// Memory technology.
    pub memory_type: String,
    /// Memory on the box, in GB.
    pub marketing_gb: Option<f64>,
    /// Memory the driver shows, in GiB.
    pub capacity_gib: f64,
    /// Bandwidth on paper, GB/s.
    pub bandwidth_gb_s: f64,
    /// Bandwidth of a measured streaming read, GB/s.
    pub measured_bandwidth_gb_s: Option<f64>,
    /// What error correction costs.
    pub ecc: Option<String>,
    /// Second-level cache, MiB.
    pub l2_mib: Option<f64>,
    /// Parts the cache is split into.
    pub l2_partitions: u64,
    /// Measured cache bandwidth, GB/s.
    pub l2_measured_gb_s: Option<f64>,
    /// PCIe generation.
    pub pcie_generation: u64,
    /// PCIe lanes.
    pub pcie_lanes: u64,
    /// PCIe rate one way after encoding, GB/s.
    pub pcie_raw_gb_s: f64,
    /// PCIe rate one way that copies reach, GB/s.
    pub pcie_bandwidth_gb_s: f64,
    /// GPU-to-GPU link on paper: name and GB/s per direction.
    pub link_name: Option<String>,
    /// GPU-to-GPU link rate per direction, GB/s.
    pub link_gb_s: Option<f64>,
    /// GPUs of one box, or of one domain of the GPU-to-GPU link.
    pub node_gpus: u64,
    /// Rate of the network between boxes, per GPU and direction, GB/s.
    pub network_gb_s: f64,
    /// Power limit, W.
    pub power_w: Option<f64>,
    /// A price, $/h.
    pub price_usd_h: Option<f64>,
    /// Where the price was read.
    pub price_note: Option<String>,
    /// Fine print.
    pub conditions: Vec<String>,
    /// What the cost models use.
    pub costing: CostingSpec,
    /// Where the figures were read.
    pub provenance: Provenance,
}

/// Streaming multiprocessors and what one of them holds.
#[derive(Clone, Copy, Debug)]
pub struct SmSpec {
    /// Multiprocessors of the device.
    pub count: u64,
    /// Boost clock, MHz.
    pub boost_clock_mhz: Option<f64>,
    /// Shared memory of one, KiB.
    pub shared_memory_kib: Option<f64>,
    /// Shared memory one block may take, KiB.
    pub shared_memory_per_block_kib: Option<f64>,
    /// 32-bit registers of one.
    pub registers: Option<u64>,
    /// Resident warps of one.
    pub max_warps: Option<u64>,
    /// Resident blocks of one.
    pub max_blocks: Option<u64>,
}

/// Dense tensor rates, TFLOPS or TOPS; absent means no such path.
#[derive(Clone, Copy, Debug)]
pub struct TensorSpec {
    /// bfloat16 with 32-bit accumulation.
    pub bf16_tflops: f64,
    /// Half precision.
    pub fp16_tflops: Option<f64>,
    /// 8-bit float.
    pub fp8_tflops: Option<f64>,
    /// 4-bit float.
    pub fp4_tflops: Option<f64>,
    /// 8-bit integer.
    pub int8_tops: Option<f64>,
    /// 4-bit integer.
    pub int4_tops: Option<f64>,
}

/// What the cost models use: calibration sets and the peaks those were fitted with.
#[derive(Clone, Debug)]
pub struct CostingSpec {
    /// How close the measurements are to this machine.
    pub class: CostingClass,
    /// Calibration set of the linear layers; absent means class defaults.
    pub gemm: Option<String>,
    /// Architecture whose rules hold where `sm_arch` has none of its own: kernels, engine factors, class defaults.
    pub arch_rule: Option<String>,
    /// Replacements in the linear-layer coefficients.
    pub gemm_overrides: Vec<(String, f64)>,
    /// Calibration set of attention; absent means class defaults.
    pub attention: Option<String>,
    /// Kernel family whose attention coefficients are used, whatever the engine's; absent means the engine's.
    pub attention_family: Option<String>,
    /// Replacements in the attention coefficients.
    pub attention_overrides: Vec<(String, f64)>,
    /// Factors on the compute and memory efficiencies of the attention and expert class defaults.
    pub attention_scale: (f64, f64),
    /// Peaks for what the sets do not bring.
    pub peaks: Peaks,
    /// How GPUs exchange data.
    pub link_model: LinkModel,
    /// Rate of that exchange, GB/s per direction.
    pub link_gb_s: f64,
    /// Calibration set of the collectives.
    pub link_set: Option<String>,
}

/// How close the measurements behind a cost are to the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CostingClass {
    /// This device was measured.
    Calibrated,
    /// A device of the same architecture was measured.
    Sibling,
    /// Class defaults on data-sheet figures.
    Datasheet,
}

/// How GPUs of one machine exchange data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkModel {
    /// NVLink with measured collectives.
    Nvlink,
    /// PCIe or a link nothing better is known of.
    Pcie,
    /// A fabric of another maker: ring at a cautious share of its rate.
    Generic,
    /// A PCIe box whose measured chassis is not typical: ring at a fixed rate.
    PcieBox,
}

/// Where figures were read and which are not certain.
#[derive(Clone, Debug, Default)]
pub struct Provenance {
    /// A: maker's document and a second source; B: two secondary sources; C: one secondary source.
    pub confidence: String,
    /// The sources.
    pub sources: Vec<String>,
    /// Remarks.
    pub notes: Option<String>,
    /// Paths of figures no stored source confirmed.
    pub unconfirmed: Vec<String>,
    /// Paths of assumed figures, with the reason.
    pub assumed: Vec<(String, String)>,
}

impl CostingClass {
    /// Every class with its name.
    pub const ALL: [(Self, &'static str); 3] =
        [(Self::Calibrated, "calibrated"), (Self::Sibling, "sibling"), (Self::Datasheet, "datasheet")];

    /// The name used in files and results.
    #[must_use]
    pub fn name(self) -> &'static str {
        super::request::name_in(&Self::ALL, self)
    }
}

impl std::str::FromStr for CostingClass {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        super::request::parse_in(&Self::ALL, text)
    }
}

impl std::str::FromStr for LinkModel {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        super::request::parse_in(
            &[(Self::Nvlink, "nvlink"), (Self::Pcie, "pcie"), (Self::PcieBox, "pcie_box"), (Self::Generic, "generic")],
            text,
        )
    }
}

const RATE: Range = Range::positive(1e7);
/// GPUs of a box where a file does not say.
const NODE_GPUS: u64 = 8;
/// One 400 Gb/s adapter per GPU where a file does not say: an assumption.
const NETWORK_GB_S: f64 = 50.0;

impl HardwareSpec {
    /// The architecture whose kernels, engine factors and class defaults describe this machine.
    #[must_use]
    pub fn kernel_arch(&self) -> &str {
        self.costing.arch_rule.as_deref().unwrap_or(&self.sm_arch)
    }

    /// Reads a machine.
    ///
    /// # Errors
    /// All faults of the file at once.
    pub fn read(document: &Document) -> Result<Self, SpecError> {
        let findings = Findings::default();
        let mut fields = Fields::top(document, "hardware", &findings);
        let spec = read_hardware(&mut fields);
        fields.finish();
        findings.conclude(spec).map(|(spec, _)| spec)
    }
}

fn read_hardware(fields: &mut Fields<'_>) -> HardwareSpec {
    let mut memory = fields.section("memory");
    let mut pcie = fields.section("pcie");
    let mut link = fields.section("link");
    let mut node = fields.section("node");
    let spec = HardwareSpec {
        id: fields.text("id").unwrap_or_default(),
        name: fields.text("name").unwrap_or_default(),
        vendor: fields.text("vendor").unwrap_or_default(),
        year: fields.count("year", 3000),
        aliases: fields.texts("aliases"),
        architecture: fields.text("architecture").unwrap_or_default(),
        sm_arch: fields.text("sm_arch").unwrap_or_default(),
        sm: read_sm(fields.section("sm")),
        tensor: read_tensor(fields.section("tensor")),
        memory_type: memory.text("type").unwrap_or_default(),
        marketing_gb: memory.number("marketing_gb", RATE),
        capacity_gib: memory.need_number("capacity_gib", RATE),
        bandwidth_gb_s: memory.need_number("bandwidth_gb_s", RATE),
        measured_bandwidth_gb_s: memory.number("measured_bandwidth_gb_s", RATE),
        ecc: memory.text("ecc"),
        l2_mib: fields.number("l2_mib", RATE),
        l2_partitions: fields.count("l2_partitions", 64).unwrap_or(1),
        l2_measured_gb_s: fields.number("l2_measured_gb_s", RATE),
        pcie_generation: pcie.count("generation", 10).unwrap_or(4),
        pcie_lanes: pcie.count("lanes", 64).unwrap_or(16),
        pcie_raw_gb_s: pcie.need_number("raw_gb_s", RATE),
        pcie_bandwidth_gb_s: pcie.need_number("bandwidth_gb_s", RATE),
        link_name: link.text("name"),
        link_gb_s: link.number("gb_s", RATE),
        node_gpus: node.count("gpus", 1 << 20).unwrap_or(NODE_GPUS),
        network_gb_s: node.number("network_gb_s", RATE).unwrap_or(NETWORK_GB_S),
        power_w: fields.number("power_w", RATE),
        price_usd_h: fields.number("price_usd_h", RATE),
        price_note: fields.text("price_note"),
        conditions: fields.texts("conditions"),
        costing: read_costing(fields.section("costing")),
        provenance: read_provenance(fields.section("provenance")),
    };
    [memory, pcie, link, node].into_iter().for_each(Fields::finish);
    if spec.id.is_empty() {
        fields.missing("id");
    }
    spec
}

fn read_sm(mut fields: Fields<'_>) -> SmSpec {
    let spec = SmSpec {
        count: fields.need_number("count", Range::count(10_000)) as u64,
        boost_clock_mhz: fields.number("boost_clock_mhz", RATE),
        shared_memory_kib: fields.number("shared_memory_kib", RATE),
        shared_memory_per_block_kib: fields.number("shared_memory_per_block_kib", RATE),
        registers: fields.count("registers", 1 << 24),
        max_warps: fields.count("max_warps", 1024),
        max_blocks: fields.count("max_blocks", 1024),
    };
    fields.finish();
    spec
}

fn read_tensor(mut fields: Fields<'_>) -> TensorSpec {
    let spec = TensorSpec {
        bf16_tflops: fields.need_number("bf16_tflops", RATE),
        fp16_tflops: fields.number("fp16_tflops", RATE),
        fp8_tflops: fields.number("fp8_tflops", RATE),
        fp4_tflops: fields.number("fp4_tflops", RATE),
        int8_tops: fields.number("int8_tops", RATE),
        int4_tops: fields.number("int4_tops", RATE),
    };
    fields.finish();
    spec
}

fn read_costing(mut fields: Fields<'_>) -> CostingSpec {
    let mut link = fields.section("link");
    let mut scale = fields.section("attention_scale");
    let efficiency = Range { low: 0.01, high: 10.0 };
    let attention_scale = ["compute", "memory"].map(|key| scale.number(key, efficiency).unwrap_or(1.0));
    scale.finish();
    let spec = CostingSpec {
        class: fields.one_of("class").unwrap_or(CostingClass::Datasheet),
        gemm: fields.text("gemm"),
        arch_rule: fields.text("arch_rule"),
        attention_scale: attention_scale.into(),
        gemm_overrides: fields.number_table("gemm_overrides"),
        attention: fields.text("attention"),
        attention_family: fields.text("attention_family"),
        attention_overrides: fields.number_table("attention_overrides"),
        peaks: Peaks::read(fields.section("peaks")),
        link_model: link.one_of("model").unwrap_or(LinkModel::Pcie),
        link_gb_s: link.need_number("gb_s", RATE),
        link_set: link.text("set"),
    };
    link.finish();
    fields.finish();
    spec
}

fn read_provenance(mut fields: Fields<'_>) -> Provenance {
    let spec = Provenance {
        confidence: fields.text("confidence").unwrap_or_default(),
        sources: fields.texts("sources"),
        notes: fields.text("notes"),
        unconfirmed: fields.texts("unconfirmed"),
        assumed: fields.table("assumed"),
    };
    fields.finish();
    spec
}
