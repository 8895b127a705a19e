//! From stored elements to parameters: packed integers hold several, scales and other helpers hold none.

use std::collections::HashMap;

use super::header::Tensor;

/// Endings of tensors that describe others and are no parameters.
const HELPERS: &[&str] = &[
    ".qzeros",
    ".scales",
    ".g_idx",
    ".weight_scale",
    ".weight_scale_inv",
    ".weight_scale_2",
    ".weight_global_scale",
    ".input_scale",
    ".input_global_scale",
    ".output_scale",
    ".k_scale",
    ".v_scale",
    ".q_scale",
    ".kv_scale",
    ".activation_scale",
    ".weight_zero_point",
    ".input_zero_point",
    ".weight_shape",
    ".weight_g_idx",
    ".absmax",
    ".quant_map",
    ".nested_absmax",
    ".nested_quant_map",
    ".SCB",
    ".weight_format",
    "_scales",
    "_scale_inv",
    ".rotary_emb.inv_freq",
    ".inv_freq",
    ".e_score_correction_bias",
    ".expert_bias",
    ".masked_bias",
    "embeddings.position_ids",
];

/// Parameters of every tensor of a checkpoint.
pub(super) struct Logical<'a> {
    by_name: HashMap<&'a str, &'a Tensor>,
    /// Bits of packed integers where the tensors do not tell.
    bits: u64,
}

impl<'a> Logical<'a> {
    /// `bits` is what the config says of packed weights, 4 where it says nothing.
    pub fn new(tensors: &'a [Tensor], bits: Option<u64>) -> Self {
        let by_name = tensors.iter().map(|t| (t.name.as_str(), t)).collect();
        Self { by_name, bits: bits.filter(|bits| (1..=8).contains(bits)).unwrap_or(4) }
    }

    /// Parameters that a tensor holds.
    pub fn parameters(&self, tensor: &Tensor) -> u64 {
        let name = tensor.name.as_str();
        if HELPERS.iter().any(|ending| name.ends_with(ending)) || name.contains(".quant_state.") {
            return 0;
        }
        if name.ends_with(".attn.bias") && tensor.shape.len() == 4 {
            return 0;
        }
        let per_word = match tensor.dtype.as_str() {
            "I32" | "U32" => 32 / self.packed_bits(name).max(1),
            // Two 4-bit elements a byte.
            "U8" => 2,
            _ => 1,
        };
        tensor.elements.saturating_mul(per_word)
    }

    /// Bits of the integers packed in a word, from the widths of its zero points where there are any.
    fn packed_bits(&self, name: &str) -> u64 {
        let sibling = |ending: &str| {
            let stem = name.strip_suffix(".qweight")?;
            self.by_name.get(format!("{stem}{ending}").as_str()).copied()
        };
        let (Some(zeros), Some(scales)) = (sibling(".qzeros"), sibling(".scales")) else { return self.bits };
        match (zeros.shape.last(), scales.shape.last()) {
            (Some(&words), Some(&outputs)) if outputs > 0 => (words.saturating_mul(32) / outputs).clamp(1, 32),
            _ => self.bits,
        }
    }
}
