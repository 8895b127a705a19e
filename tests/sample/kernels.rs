//! The stages of the sample with their kernels.

use simllm::report::text::Text;
use simllm::report::view::Swatch;

/// What limits a kernel of the sample.
#[derive(Clone, Copy, PartialEq)]
pub enum Bound {
    Host,
    Pcie,
    Tensor,
    Hbm,
    Latency,
}

impl Bound {
    pub fn resource(self, t: &Text) -> &'static str {
        match self {
            Self::Host => t.bound.host,
            Self::Pcie => t.bound.pcie,
            Self::Tensor => t.bound.tensor,
            Self::Hbm => t.bound.hbm,
            Self::Latency => t.bound.latency,
        }
    }

    pub fn limited(self, t: &Text) -> &'static str {
        match self {
            Self::Host => t.bound.host_limited,
            Self::Pcie => t.bound.pcie_limited,
            Self::Tensor => t.bound.compute_limited,
            Self::Hbm => t.bound.hbm_limited,
            Self::Latency => t.bound.latency_limited,
        }
    }
}

/// A kernel of the sample: name, shape, ms, calls, then occupancy, GB/s, L2 hit rate, TFLOPS where they exist.
pub struct Kernel {
    pub name: &'static str,
    pub shape: &'static str,
    pub ms: f64,
    pub calls: u32,
    pub occupancy: Option<f64>,
    pub gb_s: Option<f64>,
    pub l2: Option<f64>,
    pub tflops: Option<f64>,
    pub bound: Bound,
}

impl Kernel {
    /// FLOP per byte.
    pub fn intensity(&self) -> Option<f64> {
        Some(self.tflops? * 1e3 / self.gb_s?)
    }

    /// Share of the attainable limit of 312 TFLOPS and 1,935 GB/s.
    pub fn attained(&self) -> Option<f64> {
        match self.bound {
            Bound::Tensor => Some(self.tflops? / 312.0),
            Bound::Hbm => Some(self.gb_s? / 1935.0),
            _ => None,
        }
    }
}

/// A stage of the sample.
pub struct Stage {
    pub swatch: Swatch,
    pub kernels: Vec<Kernel>,
}

impl Stage {
    pub fn ms(&self) -> f64 {
        self.kernels.iter().map(|k| k.ms).sum()
    }

    pub fn bound(&self) -> Bound {
        self.kernels[0].bound
    }
}

fn host(name: &'static str, ms: f64) -> Kernel {
    let bound = Bound::Host;
    Kernel { name, shape: "", ms, calls: 1, occupancy: None, gb_s: None, l2: None, tflops: None, bound }
}

#[allow(clippy::too_many_arguments)]
fn gpu(
    name: &'static str,
    shape: &'static str,
    ms: f64,
    calls: u32,
    occupancy: f64,
    gb_s: f64,
    l2: f64,
    tflops: f64,
    bound: Bound,
) -> Kernel {
    let [occupancy, gb_s, l2, tflops] = [occupancy, gb_s, l2, tflops].map(Some);
    Kernel { name, shape, ms, calls, occupancy, gb_s, l2, tflops, bound }
}

fn stages(kernels: [Vec<Kernel>; 8]) -> Vec<Stage> {
    Swatch::ALL.into_iter().zip(kernels).map(|(swatch, kernels)| Stage { swatch, kernels }).collect()
}

fn copy(name: &'static str, shape: &'static str, ms: f64, gb_s: f64) -> Kernel {
    Kernel { gb_s: Some(gb_s), shape, bound: Bound::Pcie, ..host(name, ms) }
}

/// Prefill of 2,048 tokens.
pub fn prefill() -> Vec<Stage> {
    use Bound::{Hbm, Latency, Tensor};
    stages([
        vec![host("tokenise", 17.408), host("http_queue", 15.0), host("engine_step", 6.9)],
        vec![
            copy("id_copy", "2,048 × 8 B", 0.012, 1.37),
            gpu("embedding_gather", "2,048 × 4,096", 0.021, 1, 1.0, 1120.0, 0.04, 0.01, Hbm),
        ],
        vec![
            gpu("qkv", "2,048 × 6,144 × 4,096", 15.02, 32, 0.125, 212.0, 0.81, 219.6, Tensor),
            gpu("out", "2,048 × 4,096 × 4,096", 10.41, 32, 0.125, 238.0, 0.79, 211.2, Tensor),
            gpu("flash_attention", "32 × 2,048² × 128", 9.17, 32, 0.125, 96.0, 0.93, 119.9, Tensor),
            gpu("rope", "2,048 × 5,120", 0.94, 32, 1.0, 1432.0, 0.12, 0.71, Hbm),
        ],
        vec![
            gpu("gate_up", "2,048 × 28,672 × 4,096", 67.4, 32, 0.125, 148.0, 0.86, 228.4, Tensor),
            gpu("down", "2,048 × 4,096 × 14,336", 33.9, 32, 0.125, 171.0, 0.84, 227.0, Tensor),
            gpu("silu_mul", "2,048 × 14,336", 3.82, 32, 1.0, 1475.0, 0.06, 1.22, Hbm),
        ],
        vec![gpu("rmsnorm", "2,048 × 4,096", 2.41, 65, 1.0, 1508.0, 0.34, 1.66, Hbm)],
        vec![gpu("kv_write", "2,048 × 2,048", 0.59, 32, 0.61, 812.0, 0.31, 0.24, Hbm)],
        vec![gpu("lm_head", "1 × 128,256 × 4,096", 0.64, 1, 0.47, 1641.0, 0.02, 1.64, Hbm)],
        vec![gpu("sampler", "1 × 128,256", 0.08, 3, 0.22, 19.2, 0.64, 0.02, Latency)],
    ])
}

/// One mean decode step at 2,112 tokens of context.
pub fn decode() -> Vec<Stage> {
    use Bound::{Hbm, Latency};
    stages([
        vec![host("engine_step", 1.62), host("launch_wait", 0.21)],
        vec![
            copy("id_copy", "1 × 8 B", 0.009, 0.001),
            gpu("embedding_gather", "1 × 4,096", 0.004, 1, 0.02, 2.0, 0.01, 0.01, Latency),
        ],
        vec![
            gpu("qkv", "1 × 6,144 × 4,096", 1.03, 32, 0.38, 1563.0, 0.02, 1.56, Hbm),
            gpu("out", "1 × 4,096 × 4,096", 0.71, 32, 0.38, 1512.0, 0.02, 1.51, Hbm),
            gpu("flash_decoding", "32 × 2,112 × 128", 0.31, 32, 0.25, 893.0, 0.71, 3.57, Hbm),
            gpu("rope", "1 × 5,120", 0.07, 32, 0.02, 9.0, 0.41, 0.004, Latency),
        ],
        vec![
            gpu("gate_up", "1 × 28,672 × 4,096", 4.62, 32, 0.44, 1627.0, 0.02, 1.63, Hbm),
            gpu("down", "1 × 4,096 × 14,336", 2.35, 32, 0.44, 1599.0, 0.02, 1.6, Hbm),
            gpu("silu_mul", "1 × 14,336", 0.08, 32, 0.11, 34.0, 0.51, 0.02, Latency),
        ],
        vec![gpu("rmsnorm", "1 × 4,096", 0.16, 65, 0.02, 13.0, 0.62, 0.01, Latency)],
        vec![gpu("kv_write", "1 × 2,048", 0.02, 32, 0.02, 6.5, 0.22, 0.002, Latency)],
        vec![gpu("lm_head", "1 × 128,256 × 4,096", 0.64, 1, 0.47, 1641.0, 0.02, 1.64, Hbm)],
        vec![gpu("sampler", "1 × 128,256", 0.08, 3, 0.22, 19.2, 0.64, 0.02, Latency)],
    ])
}

/// Name of a stage.
pub fn name(swatch: Swatch, t: &Text) -> &'static str {
    let s = &t.stage;
    let names = [s.host, s.pcie, s.attn, s.ffn, s.norm, s.kv, s.logits, s.sample];
    Swatch::ALL.into_iter().position(|other| other == swatch).map_or("", |i| names[i])
}

/// Time of all stages.
pub fn total(stages: &[Stage]) -> f64 {
    stages.iter().map(Stage::ms).sum()
}
