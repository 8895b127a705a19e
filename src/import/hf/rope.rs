//! Positions and activation: what the compute section of a profile holds.

use super::reader::Reader;
use crate::spec::{ComputeSpec, Fields, Range, RopeScalingSpec};

/// The compute section.
pub(super) fn compute(reader: &mut Reader<'_>) -> ComputeSpec {
    let activation = ["hidden_act", "hidden_activation", "activation_function"];
    let activation = activation.into_iter().find(|key| reader.fields.is_text(key));
    ComputeSpec {
        activation: activation.and_then(|key| reader.fields.text(key)),
        rope_theta: theta(reader),
        rope_scaling: scaling(reader),
        ..ComputeSpec::default()
    }
}

/// The base of the rotary frequencies, where the file has a usable one.
fn theta(reader: &mut Reader<'_>) -> Option<f64> {
    for key in ["rope_theta", "rotary_emb_base"] {
        match reader.fields.loose_number(key) {
            Some(value) if value.is_finite() && value > 0.0 && value <= 1e15 => return Some(value),
            Some(value) => reader.assume("rope_theta", "none", &format!("the file says {key} is {value}")),
            None => {}
        }
    }
    let mut parameters = parameters(reader);
    if parameters.has("rope_theta") { parameters.number("rope_theta", Range::positive(1e15)) } else { None }
}

/// The newer spelling of theta and scaling; of several kinds of layers the full ones.
fn parameters<'a>(reader: &mut Reader<'a>) -> Fields<'a> {
    let mut parameters = reader.fields.section("rope_parameters");
    if parameters.has("full_attention") { parameters.section("full_attention") } else { parameters }
}

/// A scaling other than none at all.
fn scaling(reader: &mut Reader<'_>) -> Option<RopeScalingSpec> {
    let written = reader.fields.has("rope_scaling") && !reader.fields.is_text("rope_scaling");
    let mut fields = if written { reader.fields.section("rope_scaling") } else { parameters(reader) };
    let kind = ["rope_type", "type"].into_iter().find(|key| fields.is_text(key))?;
    let kind = fields.text(kind)?;
    let factor = fields.loose_number("factor").filter(|factor| *factor > 0.0 && *factor <= 1e6);
    let original = fields.loose_number("original_max_position_embeddings");
    let original = original.filter(|n| n.fract() == 0.0 && (1.0..=1e12).contains(n)).map(|n| n as u64);
    let original = original.or_else(|| reader.count(&["original_max_position_embeddings"], 1 << 40));
    let scales = factor.is_some() || original.is_some() || fields.has("long_factor");
    (kind != "default" && scales).then_some(RopeScalingSpec {
        kind,
        factor,
        original_max_position_embeddings: original,
    })
}
