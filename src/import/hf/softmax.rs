//! Layers of softmax attention: heads, biases and windows.

use super::family::{Family, Mixer, QkNorm, SpanRule};
use super::reader::Reader;
use super::shapes::Shapes;
use crate::spec::{AttentionSpec, SoftmaxSpec, Span};

/// The token mixers of a family whose layers differ in their windows at most.
pub(super) fn mixers(reader: &mut Reader<'_>, family: &Family, shapes: &Shapes) -> Vec<Mixer> {
    shapes.check_heads(reader);
    let full = mixer(reader, family, shapes);
    let AttentionSpec::Softmax(spec) = &full.attention else { return vec![full; shapes.layers as usize] };
    let slide = |span| Mixer::new(AttentionSpec::Softmax(SoftmaxSpec { span, ..spec.clone() }), full.other);
    spans(reader, family, shapes.layers).into_iter().map(slide).collect()
}

/// One layer of full attention.
pub(super) fn mixer(reader: &mut Reader<'_>, family: &Family, shapes: &Shapes) -> Mixer {
    let qk_norm = Some(family.qk_norm != QkNorm::No);
    let full = SoftmaxSpec::full(shapes.heads, shapes.kv_heads, shapes.head_dim);
    let spec = SoftmaxSpec { qk_norm, qk_norm_over_heads: family.qk_norm == QkNorm::AllHeads, ..full };
    Mixer::new(AttentionSpec::Softmax(spec), others(reader, family, shapes))
}

/// Biases and head norms of one layer.
fn others(reader: &mut Reader<'_>, family: &Family, shapes: &Shapes) -> u64 {
    let rows = (shapes.heads + 2 * shapes.kv_heads) * shapes.head_dim;
    let qkv = if family.qkv_bias.read(reader) { rows } else { 0 };
    let output = if family.output_bias.read(reader) { shapes.hidden } else { 0 };
    let norm = match family.qk_norm {
        QkNorm::No => 0,
        QkNorm::PerHead => 2 * shapes.head_dim,
        QkNorm::AllHeads => (shapes.heads + shapes.kv_heads) * shapes.head_dim,
    };
    let sinks = if family.sinks { shapes.heads } else { 0 };
    qkv + output + norm + sinks
}

/// What each layer sees: `layer_types` where the file has it, the family's rule otherwise.
pub(super) fn spans(reader: &mut Reader<'_>, family: &Family, layers: u64) -> Vec<Span> {
    let window = window(reader, family);
    if let Some(types) = layer_types(reader, layers) {
        return types.iter().map(|kind| span_of(reader, kind, window)).collect();
    }
    let sliding = |slides: bool| window.filter(|_| slides).map_or(Span::Full, Span::Sliding);
    match family.span {
        SpanRule::Full => vec![Span::Full; layers as usize],
        SpanRule::All(_) => vec![sliding(true); layers as usize],
        SpanRule::FromLayer => {
            let first = reader.nonzero(&["max_window_layers"], u64::MAX >> 12).unwrap_or(0);
            (0..layers).map(|i| sliding(i >= first)).collect()
        }
        SpanRule::Chunked => {
            let chunk = reader.count(&["attention_chunk_size"], 1 << 40);
            let rotary = reader.fields.numbers("no_rope_layers");
            let every = reader.count(&["no_rope_layer_interval"], 1 << 20).unwrap_or(4);
            let chunked = |i: u64| rotary.get(i as usize).map_or(!(i + 1).is_multiple_of(every), |&flag| flag != 0.0);
            (0..layers).map(|i| chunk.filter(|_| chunked(i)).map_or(Span::Full, Span::Chunked)).collect()
        }
        SpanRule::FirstAndEvery { every, .. } => (0..layers).map(|i| sliding(i > 0 && (i + 1) % every != 0)).collect(),
        SpanRule::Pattern { every, .. } => {
            let every = reader.count(&["sliding_window_pattern"], 1 << 20).unwrap_or(every);
            (0..layers).map(|i| sliding((i + 1) % every != 0)).collect()
        }
    }
}

/// The window, if layers slide at all.
fn window(reader: &mut Reader<'_>, family: &Family) -> Option<u64> {
    let (default, used) = match family.span {
        SpanRule::Full | SpanRule::Chunked => (None, true),
        SpanRule::All(default) => (default, reader.flag_or("use_sliding_window", true)),
        SpanRule::FromLayer => (Some(4096), reader.flag_or("use_sliding_window", false)),
        SpanRule::Pattern { window, .. } | SpanRule::FirstAndEvery { window, .. } => (window, true),
    };
    if !used {
        return None;
    }
    if reader.fields.is_written("sliding_window") {
        return reader.count(&["sliding_window"], 1 << 40);
    }
    if let Some(window) = default {
        reader.assume("attention.window", window, "no sliding_window in the file; the default of the model class");
    }
    default
}

/// The `layer_types` list, checked against the number of layers.
pub(super) fn layer_types(reader: &mut Reader<'_>, layers: u64) -> Option<Vec<String>> {
    if !reader.fields.has("layer_types") {
        return None;
    }
    let types = reader.fields.texts("layer_types");
    if types.len() as u64 != layers {
        let what = format!("layer_types has {} entries, num_hidden_layers is {layers}", types.len());
        reader.fields.fault("layer_types", what);
    }
    Some(types)
}

fn span_of(reader: &mut Reader<'_>, kind: &str, window: Option<u64>) -> Span {
    match kind {
        "full_attention" | "attention" => Span::Full,
        "sliding_attention" => window.map_or(Span::Full, Span::Sliding),
        "chunked_attention" => {
            let chunk = reader.count(&["attention_chunk_size"], 1 << 40);
            chunk.map_or(Span::Full, Span::Chunked)
        }
        other => {
            reader.fields.fault("layer_types", format!("`{other}` is no kind of layer known for this family"));
            Span::Full
        }
    }
}
