//! Linear-layer coefficients: a machine's own fit, a sibling's moved to it, or defaults of its class.

use super::Calibrations;
use super::coefficients::{ArchKind, arch_kind};
use crate::kernel::{LinearFormat, MathType};
use crate::spec::{CalibrationSpec, CostingClass, DefaultsSpec, FormatSpec, HardwareSpec, Peaks};

/// Bandwidth efficiency of weight-only kernels against the 16-bit kernel of the device.
const WEIGHT_ONLY_BANDWIDTH: f64 = 0.80;
/// Extra launch floor of weight-only kernels, µs.
const WEIGHT_ONLY_FLOOR_US: f64 = 2.5;

/// Tile menus are small and fixed.
pub type TileSet = Vec<(f64, f64)>;

/// Linear-layer coefficients.
#[derive(Clone, Debug)]
pub struct GemmCoefficients {
    /// Peaks of the fit.
    pub peaks: Peaks,
    /// Calibration set, for provenance.
    pub set: Option<String>,
    bf16: (FormatSpec, CostingClass, TileSet),
    fp8: (FormatSpec, CostingClass, TileSet),
    fp8_block: (FormatSpec, CostingClass, TileSet),
    nvfp4: (FormatSpec, CostingClass, TileSet),
    int8_w8a8: (FormatSpec, CostingClass, TileSet),
    weight_only: (FormatSpec, CostingClass, TileSet),
}

impl GemmCoefficients {
    pub(super) fn build(spec: &HardwareSpec, sets: &Calibrations<'_>) -> Self {
        let builder = FormatBuilder { spec, set: sets.gemm, defaults: sets.defaults };
        let bf16 = builder.own("bf16").unwrap_or_else(|| (builder.default_bf16(), spec.costing.class));
        let derived = || (builder.fp8_from(&bf16.0), CostingClass::Datasheet);
        let fp8 = builder.own("fp8").unwrap_or_else(derived);
        let fp8_block = builder.own("fp8_block").unwrap_or_else(derived);
        let nvfp4 = builder.own("nvfp4").unwrap_or_else(derived);
        let int8 = builder.own("int8_w8a8").unwrap_or_else(|| (bf16.0.clone(), CostingClass::Datasheet));
        let mut weight_only = bf16.clone();
        weight_only.0.em *= WEIGHT_ONLY_BANDWIDTH;
        weight_only.0.t0_us += WEIGHT_ONLY_FLOOR_US;
        let with_tiles = |(format, class): (FormatSpec, CostingClass)| {
            let tiles = builder.tiles(&format);
            (format, class, tiles)
        };
        Self {
            peaks: builder.peaks(),
            set: sets.gemm.map(|set| set.id.clone()),
            bf16: with_tiles(bf16),
            fp8: with_tiles(fp8),
            fp8_block: with_tiles(fp8_block),
            nvfp4: with_tiles(nvfp4),
            int8_w8a8: with_tiles(int8),
            weight_only: with_tiles(weight_only),
        }
    }

    /// Sets the compute efficiency of every format: what an engine's untuned kernels reach, whatever the machine could.
    pub fn set_compute_efficiency(&mut self, ec: f64) {
        let Self { bf16, fp8, fp8_block, nvfp4, int8_w8a8, weight_only, .. } = self;
        for (format, ..) in [bf16, fp8, fp8_block, nvfp4, int8_w8a8, weight_only] {
            format.ec = ec;
        }
    }

    /// Coefficients, class and tile menu of a format.
    #[must_use]
    pub fn format(&self, format: LinearFormat) -> (&FormatSpec, CostingClass, &[(f64, f64)]) {
        let (spec, class, tiles) = match format {
            LinearFormat::Bf16 => &self.bf16,
            LinearFormat::Fp8 => &self.fp8,
            LinearFormat::Fp8Block => &self.fp8_block,
            LinearFormat::Nvfp4 => &self.nvfp4,
            LinearFormat::Int8W8A8 => &self.int8_w8a8,
            LinearFormat::WeightOnlyFp8
            | LinearFormat::WeightOnlyInt8
            | LinearFormat::WeightOnlyInt4
            | LinearFormat::WeightOnlyFp4 => &self.weight_only,
        };
        (spec, *class, tiles)
    }

    /// The rate of a tensor path in TFLOPS, as the fit used it.
    #[must_use]
    pub fn rate(&self, math: MathType) -> f64 {
        let bf16 = self.peaks.bf16_tflops;
        match math {
            MathType::Bf16 => bf16,
            MathType::Fp8 => self.peaks.fp8_tflops.unwrap_or(bf16),
            MathType::Fp4 => self.peaks.fp4_tflops.or(self.peaks.fp8_tflops).unwrap_or(bf16),
            MathType::Int8 => self.peaks.int8_tflops.unwrap_or(bf16),
        }
    }
}

struct FormatBuilder<'a> {
    spec: &'a HardwareSpec,
    set: Option<&'a CalibrationSpec>,
    defaults: &'a DefaultsSpec,
}

impl FormatBuilder<'_> {
    /// The set's own fit, moved to a sibling with another rate per multiprocessor where needed.
    fn own(&self, format: &str) -> Option<(FormatSpec, CostingClass)> {
        let gemm = self.set?.gemm.as_ref()?;
        let (_, fit) = gemm.formats.iter().find(|(name, _)| name == format)?;
        let mut fit = fit.clone();
        let own = &self.spec.costing.peaks;
        if self.spec.costing.class != CostingClass::Calibrated {
            let ratio = (own.bf16_tflops / own.sm_count) / (gemm.peaks.bf16_tflops / gemm.peaks.sm_count);
            if !(ratio > 0.8 && ratio < 1.25) {
                // The operand feed of a multiprocessor stays what it is; library tiles of Hopper have 64 rows or more.
                fit.ib *= ratio;
                if self.spec.kernel_arch() == "sm_90" && ratio < 0.5 {
                    fit.tiles = "H64".to_owned();
                }
            }
        }
        Some((fit, self.spec.costing.class))
    }

    fn default_bf16(&self) -> FormatSpec {
        let kind = arch_kind(self.spec.kernel_arch());
        let base = if kind == ArchKind::BlackwellDc { &self.defaults.bf16_blackwell_dc } else { &self.defaults.bf16 };
        let mut format = base.clone();
        format.tiles = if kind == ArchKind::Other { "A" } else { "H" }.to_owned();
        for (name, value) in &self.spec.costing.gemm_overrides {
            match name.as_str() {
                "ec" => format.ec = *value,
                "em" => format.em = *value,
                "th" => format.th = *value,
                "t0_us" => format.t0_us = *value,
                _ => {}
            }
        }
        format
    }

    /// 8-bit float from a 16-bit fit, by the ratios seen on the measured devices.
    fn fp8_from(&self, bf16: &FormatSpec) -> FormatSpec {
        let kind = arch_kind(self.spec.kernel_arch());
        let rule = |name: &str| {
            self.defaults.fp8_from_bf16.iter().find(|(key, _)| key == name).map_or(1.0, |(_, value)| *value)
        };
        let own_th = self.spec.costing.gemm_overrides.iter().find(|(name, _)| name == "th");
        FormatSpec {
            tiles: if kind == ArchKind::BlackwellDc { "H" } else { "A" }.to_owned(),
            splits: vec![1.0],
            ec: bf16.ec * rule("ec_ratio"),
            em: bf16.em * rule("em_ratio"),
            ib: rule(if kind == ArchKind::Other { "ib_other" } else { "ib" }),
            k0: rule("k0"),
            beta: rule("beta"),
            th: own_th.map_or(rule("th"), |(_, value)| *value),
            tq_us: rule("tq_us"),
            bq: rule("bq"),
            held_out_median_percent: None,
            ..bf16.clone()
        }
    }

    fn tiles(&self, format: &FormatSpec) -> TileSet {
        let found = self.defaults.tile_sets.iter().find(|(name, _)| *name == format.tiles);
        found.map_or_else(|| vec![(128.0, 128.0)], |(_, tiles)| tiles.clone())
    }

    fn peaks(&self) -> Peaks {
        let own = self.spec.costing.peaks;
        match self.set.and_then(|set| set.gemm.as_ref()) {
            Some(gemm) if self.spec.costing.class == CostingClass::Calibrated => gemm.peaks,
            // Where only one 8-bit rate is known, the other tensor path runs at it.
            _ => Peaks { int8_tflops: own.int8_tflops.or(own.fp8_tflops), ..own },
        }
    }
}
