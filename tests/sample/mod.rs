//! Sample pages: views built by hand from a handful of plausible figures (Llama-3-8B, bf16, one A100 80 GB PCIe).

mod charts;
mod fit;
mod fixes;
mod infeasible;
mod kernels;
mod single;
mod waterfall;

use simllm::report::text::Lang;

pub use infeasible::infeasible;
pub use single::single;

/// What varies between the sample pages.
#[derive(Clone, Copy)]
pub struct Sample {
    pub lang: Lang,
    pub model: &'static str,
    /// TTFT and TPOT targets in ms.
    pub targets: Option<(f64, f64)>,
}

impl Sample {
    /// One of two wordings, by language.
    fn say(&self, en: &str, zh: &str) -> String {
        if self.lang == Lang::En { en } else { zh }.to_owned()
    }
}
