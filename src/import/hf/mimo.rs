//! MiMo-V2: sliding layers with more KV heads than full ones, and values narrower than keys.

use super::family::{Family, Mixer};
use super::reader::{MAX_HEAD_DIM, MAX_WIDTH, Reader};
use super::shapes::Shapes;
use super::softmax;
use crate::spec::{AttentionSpec, SoftmaxSpec, Span};

/// The token mixers of all layers.
pub(super) fn mixers(reader: &mut Reader<'_>, family: &Family, shapes: &Shapes) -> Vec<Mixer> {
    shapes.check_heads(reader);
    let value = reader.count(&["v_head_dim"], MAX_HEAD_DIM).unwrap_or(shapes.head_dim);
    let full = SoftmaxSpec {
        value_head_dim: Some(value),
        qk_norm: Some(false),
        ..SoftmaxSpec::full(shapes.heads, shapes.kv_heads, shapes.head_dim)
    };
    let slide = SoftmaxSpec {
        heads: reader.count(&["swa_num_attention_heads"], MAX_WIDTH).unwrap_or(full.heads),
        kv_heads: reader.count(&["swa_num_key_value_heads"], MAX_WIDTH).unwrap_or(2 * full.kv_heads),
        head_dim: reader.count(&["swa_head_dim"], MAX_HEAD_DIM).unwrap_or(full.head_dim),
        value_head_dim: Some(reader.count(&["swa_v_head_dim"], MAX_HEAD_DIM).unwrap_or(value)),
        ..full.clone()
    };
    if !slide.heads.is_multiple_of(slide.kv_heads) {
        let what = format!("{} heads cannot be shared by {} KV heads", slide.heads, slide.kv_heads);
        reader.fields.fault("swa_num_key_value_heads", what);
    }
    let bias = family.qkv_bias.read(reader);
    let sinks =
        (reader.flag_or("add_swa_attention_sink_bias", true), reader.flag_or("add_full_attention_sink_bias", false));
    let mixer = |span: Span| {
        let (spec, sink) = if span == Span::Full { (&full, sinks.1) } else { (&slide, sinks.0) };
        let rows = spec.heads * spec.head_dim + spec.kv_heads * (spec.head_dim + spec.value_dim());
        let other = if bias { rows } else { 0 } + if sink { spec.heads } else { 0 };
        Mixer::new(AttentionSpec::Softmax(SoftmaxSpec { span, ..spec.clone() }), other)
    };
    spans(reader, family, shapes.layers).into_iter().map(mixer).collect()
}

/// `hybrid_layer_pattern` (1 slides) where the file has it.
fn spans(reader: &mut Reader<'_>, family: &Family, layers: u64) -> Vec<Span> {
    let key = "hybrid_layer_pattern";
    if !reader.fields.has(key) {
        return softmax::spans(reader, family, layers);
    }
    let pattern = reader.fields.numbers(key);
    if pattern.len() as u64 != layers {
        reader.fields.fault(key, format!("{key} has {} entries, num_hidden_layers is {layers}", pattern.len()));
    }
    let window = reader.need(&["sliding_window", "sliding_window_size"], 1 << 40);
    pattern.into_iter().map(|slides| if slides == 0.0 { Span::Full } else { Span::Sliding(window) }).collect()
}
