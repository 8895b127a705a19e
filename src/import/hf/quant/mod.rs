//! Quantised checkpoints: which matrices are stored how, scales included.
//!
//! `quantization_config` and `hf_quant_config.json` become one [`Scheme`]; applying it to the layers yields the bytes
//! of every group of matrices. Routers, embeddings, norms and biases stay 16-bit in every method that is covered.

mod apply;
mod format;
mod methods;
mod pattern;

pub(super) use apply::{Layer, apply};
pub(super) use methods::{Quantisation, read};

use crate::quantity::{KvDtype, StorageDtype};
use format::Format;
use pattern::{Module, Pattern};

/// How a checkpoint is quantised.
#[derive(Debug, Default)]
pub(super) struct Scheme {
    /// Formats by the modules they apply to, first match wins; no patterns means all.
    groups: Vec<(Vec<Pattern>, Format)>,
    /// Modules that stay as they are.
    ignore: Vec<Pattern>,
    /// Only experts are quantised.
    experts_only: bool,
    /// The experts' format, where it differs.
    experts: Option<Format>,
    /// The LM head is quantised unless ignored.
    head: bool,
    /// Storage of the KV cache.
    pub kv: Option<KvDtype>,
    /// FP8 scales per block of 128 × 128.
    pub block_scales: bool,
}

impl Scheme {
    fn of(format: Format) -> Self {
        Self { groups: vec![(Vec::new(), format)], ..Self::default() }
    }

    /// The format of a matrix; `None` where it stays as it is.
    fn format(&self, module: &Module<'_>, is_expert: bool) -> Option<Format> {
        if (self.experts_only && !is_expert) || self.ignore.iter().any(|pattern| pattern.matches(module)) {
            return None;
        }
        if let (true, Some(format)) = (is_expert, self.experts) {
            return Some(format);
        }
        let meant = |patterns: &[Pattern]| patterns.is_empty() || patterns.iter().any(|p| p.matches(module));
        self.groups.iter().find(|(patterns, _)| meant(patterns)).map(|(_, format)| *format)
    }

    /// The format of the LM head; `None` where it stays as it is.
    fn head_format(&self) -> Option<Format> {
        let ignored = self.ignore.iter().any(|pattern| pattern.names("lm_head"));
        if self.head && !ignored { self.groups.first().map(|(_, format)| *format) } else { None }
    }

    /// The type most matrices have.
    pub fn dtype(&self) -> Option<StorageDtype> {
        self.experts.or(self.groups.first().map(|(_, format)| *format)).map(|format| format.dtype)
    }
}
