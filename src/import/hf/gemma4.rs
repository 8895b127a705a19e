//! Gemma 4: full layers with heads of their own width, layers that read another layer's cache, experts beside a dense
//! network, and embeddings per layer.

use super::dense;
use super::family::{Family, Mixer, Network};
use super::moe;
use super::reader::{MAX_HEAD_DIM, MAX_WIDTH, Reader};
use super::shapes::Shapes;
use super::softmax;
use crate::spec::{AttentionSpec, SoftmaxSpec, Span};

/// Tables and projections of the per-layer embeddings.
pub(super) fn adjust(reader: &mut Reader<'_>, _: &mut Family, shapes: &mut Shapes) {
    let Some(width) = per_layer_width(reader) else { return };
    let rows = reader.count(&["vocab_size_per_layer_input"], 1 << 26).unwrap_or(shapes.vocab);
    let all = shapes.layers * width;
    shapes.table += rows * all;
    shapes.other += all * shapes.hidden + width;
}

fn per_layer_width(reader: &mut Reader<'_>) -> Option<u64> {
    reader.nonzero(&["hidden_size_per_layer_input"], MAX_WIDTH)
}

/// Sliding layers have narrow heads, full ones wide heads; the last `num_kv_shared_layers` own no cache.
pub(super) fn mixers(reader: &mut Reader<'_>, family: &Family, shapes: &Shapes) -> Vec<Mixer> {
    shapes.check_heads(reader);
    let mut spans = softmax::spans(reader, family, shapes.layers);
    if let Some(last) = spans.last_mut() {
        *last = Span::Full;
    }
    let wide = reader.count(&["global_head_dim"], MAX_HEAD_DIM).unwrap_or(512);
    let same = reader.flag_or("attention_k_eq_v", false);
    let few = reader.count(&["num_global_key_value_heads"], MAX_WIDTH).filter(|_| same);
    let first_shared = shapes.layers - reader.nonzero(&["num_kv_shared_layers"], shapes.layers).unwrap_or(0);
    let bias = reader.flag_or("attention_bias", false);
    let own = per_layer(reader);
    let mixer = |(i, span): (usize, Span)| {
        let full = span == Span::Full;
        let own = own.iter().find(|(layer, ..)| *layer == i as u64);
        let head_dim = own.and_then(|own| own.1).unwrap_or(if full { wide } else { shapes.head_dim });
        let few = own.and_then(|own| own.2).or(few.filter(|_| full));
        let kv_heads = few.unwrap_or(shapes.kv_heads);
        let kv_shared = i as u64 >= first_shared;
        let spec = SoftmaxSpec {
            span,
            qk_norm: Some(true),
            values_from_keys: full && same,
            kv_shared,
            ..SoftmaxSpec::full(shapes.heads, kv_heads, head_dim)
        };
        let norms = if kv_shared { head_dim } else { 2 * head_dim };
        let projections = if kv_shared { 0 } else { 1 + u64::from(!spec.values_from_keys) };
        let rows = (shapes.heads + projections * kv_heads) * head_dim + shapes.hidden;
        Mixer::new(AttentionSpec::Softmax(spec), norms + if bias { rows } else { 0 })
    };
    spans.into_iter().enumerate().map(mixer).collect()
}

/// Widths and KV heads of single layers, as newer exporters write them.
fn per_layer(reader: &mut Reader<'_>) -> Vec<(u64, Option<u64>, Option<u64>)> {
    let sections = reader.fields.sections("per_layer_config").into_iter();
    let read = |(layer, mut own): (&str, crate::spec::Fields<'_>)| {
        let heads = own.count("num_key_value_heads", MAX_WIDTH);
        Some((layer.parse().ok()?, own.count("head_dim", MAX_HEAD_DIM), heads))
    };
    sections.filter_map(read).collect()
}

/// Dense networks, twice as wide where the cache is shared, or experts beside a dense one.
pub(super) fn networks(reader: &mut Reader<'_>, family: &Family, shapes: &Shapes) -> Vec<Network> {
    let width = shapes.need_intermediate(reader);
    let per_layer = per_layer_width(reader).map_or(0, |w| 2 * w * shapes.hidden + shapes.hidden);
    let first_shared = shapes.layers - reader.nonzero(&["num_kv_shared_layers"], shapes.layers).unwrap_or(0);
    let double = reader.flag_or("use_double_wide_mlp", false);
    let experts = if reader.flag_or("enable_moe_block", false) { moe::experts(reader) } else { None };
    let network = |reader: &mut Reader<'_>, layer: u64| {
        let mut network = match experts {
            // Beside the matrices: the router's scales and three more norms.
            Some(experts) => {
                let network = moe::network(reader, family, shapes, experts);
                Network { other: network.other + 4 * shapes.hidden + experts, ..network }
            }
            None => {
                let wide = double && layer >= first_shared;
                dense::network(reader, family, shapes, if wide { 2 * width } else { width })
            }
        };
        network.other += per_layer;
        network
    };
    let (first, last) = (network(reader, 0), network(reader, shapes.layers - 1));
    (0..shapes.layers).map(|i| if i >= first_shared { last.clone() } else { first.clone() }).collect()
}
