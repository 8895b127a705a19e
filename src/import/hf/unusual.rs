//! Families whose attention is read in a way of their own: cross-attention layers, layers described one by one, gated
//! outputs, indexed layers.

use super::family::{Family, Mixer, Network};
use super::reader::{MAX_HEAD_DIM, MAX_WIDTH, Reader};
use super::shapes::Shapes;
use super::{dense, moe, softmax};
use crate::spec::{AttentionSpec, DenseSpec, FfnSpec, Fields, IndexSpec, SoftmaxSpec, Span};

/// Llama 3.2 Vision: the embedding has rows for eight image tokens that the head lacks.
pub(super) fn mllama(_: &mut Reader<'_>, _: &mut Family, shapes: &mut Shapes) {
    shapes.other += 8 * shapes.hidden;
}

/// Llama 3.2 Vision: some layers attend to the image and cache no text.
pub(super) fn cross_attention(reader: &mut Reader<'_>, family: &Family, shapes: &Shapes) -> Vec<Mixer> {
    let text = softmax::mixers(reader, family, shapes);
    let cross = reader.fields.numbers("cross_attention_layers");
    let spec = SoftmaxSpec {
        span: Span::Cross,
        qk_norm: Some(true),
        ..SoftmaxSpec::full(shapes.heads, shapes.kv_heads, shapes.head_dim)
    };
    // Norms of query and key heads, gates of attention and network.
    let image = Mixer::new(AttentionSpec::Softmax(spec), 2 * shapes.head_dim + 2);
    let choose = |(i, text): (usize, Mixer)| if cross.contains(&(i as f64)) { image.clone() } else { text };
    text.into_iter().enumerate().map(choose).collect()
}

/// Softmax attention whose output is gated per element (AFMoE).
pub(super) fn gated_softmax(reader: &mut Reader<'_>, family: &Family, shapes: &Shapes) -> Vec<Mixer> {
    let mut mixers = softmax::mixers(reader, family, shapes);
    for mixer in &mut mixers {
        if let AttentionSpec::Softmax(spec) = &mut mixer.attention {
            spec.output_gate = true;
        }
    }
    mixers
}

/// MiniMax-M3: some layers choose blocks of tokens with a small indexer, whose keys are cached, too.
pub(super) fn indexed_softmax(reader: &mut Reader<'_>, family: &Family, shapes: &Shapes) -> Vec<Mixer> {
    shapes.check_heads(reader);
    let full = softmax::mixer(reader, family, shapes);
    let mut nested = reader.fields.section("sparse_attention_config");
    let mut read = |short: &'static str, long: &'static str| {
        if nested.has(short) { nested.count(short, MAX_HEAD_DIM) } else { reader.fields.count(long, MAX_HEAD_DIM) }
    };
    let heads = read("sparse_num_index_heads", "index_n_heads").unwrap_or(4);
    let head_dim = read("sparse_index_dim", "index_head_dim").unwrap_or(128);
    let index = IndexSpec { heads, head_dim, top_k: None, query_input: None, head_weights: false };
    let mut sparse = full.clone();
    sparse.other += 2 * head_dim;
    if let AttentionSpec::Softmax(spec) = &mut sparse.attention {
        spec.index = Some(index);
    }
    let flags: Vec<bool> = if nested.has("sparse_attention_freq") {
        nested.numbers("sparse_attention_freq").iter().map(|&flag| flag != 0.0).collect()
    } else if reader.fields.has("layer_types") {
        reader.fields.texts("layer_types").iter().map(|kind| kind.contains("sparse")).collect()
    } else {
        vec![false; shapes.layers as usize]
    };
    if flags.len() as u64 != shapes.layers {
        let what = format!("{} layers are described, num_hidden_layers is {}", flags.len(), shapes.layers);
        reader.fields.fault("sparse_attention_config", what);
    }
    flags.into_iter().map(|is| if is { sparse.clone() } else { full.clone() }).collect()
}

/// Nemotron-NAS: each layer's attention is described by itself; it may be missing or a single matrix.
pub(super) fn block_mixers(reader: &mut Reader<'_>, _: &Family, shapes: &Shapes) -> Vec<Mixer> {
    let nothing = Mixer::new(AttentionSpec::None, 0);
    let mut mixers = Vec::new();
    for (layer, mut block) in blocks(reader, shapes).into_iter().enumerate() {
        let mut attention = block.section("attention");
        if attention.flag("no_op") == Some(true) {
            mixers.push(nothing.clone());
        } else if attention.flag("replace_with_linear") == Some(true) {
            mixers.push(Mixer::new(AttentionSpec::None, shapes.hidden * shapes.hidden + shapes.hidden));
        } else {
            let group = attention.count("n_heads_in_group", MAX_WIDTH).unwrap_or(1);
            if !shapes.heads.is_multiple_of(group) {
                let what = format!("layer {layer}: {} heads cannot be grouped by {group}", shapes.heads);
                attention.fault("n_heads_in_group", what);
            }
            let spec = SoftmaxSpec::full(shapes.heads, (shapes.heads / group).max(1), shapes.head_dim);
            mixers
                .push(Mixer::new(AttentionSpec::Softmax(SoftmaxSpec { qk_norm: Some(false), ..spec }), shapes.hidden));
        }
    }
    mixers
}

/// Nemotron-NAS: each layer's network has a width of its own; it may be missing or a single matrix.
pub(super) fn block_networks(reader: &mut Reader<'_>, _: &Family, shapes: &Shapes) -> Vec<Network> {
    let mut networks = Vec::new();
    for mut block in blocks(reader, shapes) {
        let mut ffn = block.section("ffn");
        let (spec, other) = if ffn.flag("no_op") == Some(true) {
            (FfnSpec::None, 0)
        } else if ffn.flag("replace_with_linear") == Some(true) {
            (FfnSpec::None, shapes.hidden * shapes.hidden + shapes.hidden)
        } else {
            (FfnSpec::Dense(DenseSpec::new(block_width(&mut ffn, shapes.hidden), true)), shapes.hidden)
        };
        networks.push(Network { ffn: spec, other, buffers: 0 });
    }
    networks
}

/// DBRX: the experts have a section of their own.
pub(super) fn nested_experts(reader: &mut Reader<'_>, family: &Family, shapes: &Shapes) -> Vec<Network> {
    let nested = reader.fields.section("ffn_config");
    let whole = std::mem::replace(&mut reader.fields, nested);
    let networks = moe::networks(reader, family, shapes);
    reader.fields = whole;
    networks
}

/// OpenELM: heads by layer.
pub(super) fn listed_mixers(reader: &mut Reader<'_>, family: &Family, shapes: &Shapes) -> Vec<Mixer> {
    let heads = counts_per_layer(reader, "num_query_heads", shapes.layers);
    let kv_heads = counts_per_layer(reader, "num_kv_heads", shapes.layers);
    let mut mixers = Vec::new();
    for (heads, kv_heads) in heads.into_iter().zip(kv_heads) {
        let layer = Shapes { heads, kv_heads, ..shapes.clone() };
        if !layer.heads.is_multiple_of(layer.kv_heads) {
            let what = format!("{heads} heads of a layer cannot be shared by {kv_heads} KV heads");
            reader.fields.fault("num_kv_heads", what);
        }
        mixers.push(softmax::mixer(reader, family, &layer));
    }
    mixers
}

/// OpenELM: a multiple of the hidden size by layer, rounded to a step.
pub(super) fn listed_networks(reader: &mut Reader<'_>, family: &Family, shapes: &Shapes) -> Vec<Network> {
    let step = reader.count(&["ffn_dim_divisor"], MAX_WIDTH).unwrap_or(256);
    let multiples = per_layer(reader, "ffn_multipliers", shapes.layers);
    let width = |multiple: f64| rounded(multiple * shapes.hidden as f64, step);
    multiples.into_iter().map(|multiple| dense::network(reader, family, shapes, width(multiple))).collect()
}

/// The nearest multiple of a step, not below nine tenths of the value.
fn rounded(value: f64, step: u64) -> u64 {
    let nearest = ((value + step as f64 / 2.0) as u64 / step * step).max(step);
    if (nearest as f64) < 0.9 * value { nearest + step } else { nearest }
}

/// A list with a positive number for each layer; after a fault what is out of range is cut, so that reading goes on.
fn per_layer(reader: &mut Reader<'_>, key: &'static str, layers: u64) -> Vec<f64> {
    let range = 0.01..=MAX_WIDTH as f64;
    let values = reader.fields.numbers(key);
    if values.len() as u64 != layers {
        let what = format!("{key} has {} entries, there are {layers} layers", values.len());
        reader.fields.fault(key, what);
    } else if let Some(odd) = values.iter().find(|value| !range.contains(*value)) {
        reader.fields.fault(key, format!("{key} has an entry {odd}, which is out of range"));
    }
    values.into_iter().map(|value| value.clamp(*range.start(), *range.end())).collect()
}

/// The same, of whole numbers.
fn counts_per_layer(reader: &mut Reader<'_>, key: &'static str, layers: u64) -> Vec<u64> {
    let values = per_layer(reader, key, layers);
    if let Some(odd) = values.iter().find(|value| value.fract() != 0.0) {
        reader.fields.fault(key, format!("{key} has an entry {odd}; it must be a whole number from 1"));
    }
    values.into_iter().map(|value| (value as u64).max(1)).collect()
}

/// Two thirds of a multiple of the hidden size, in steps of 256, or a width.
fn block_width(ffn: &mut Fields<'_>, hidden: u64) -> u64 {
    if let Some(width) = ffn.count("intermediate_size", MAX_WIDTH * 4) {
        return width;
    }
    let factor = ffn.need_number("ffn_mult", crate::spec::Range::positive(64.0));
    let width = (2.0 * factor * hidden as f64 / 3.0) as u64;
    width.next_multiple_of(256).max(1)
}

fn blocks<'a>(reader: &mut Reader<'a>, shapes: &Shapes) -> Vec<Fields<'a>> {
    let blocks = reader.fields.section_list("block_configs");
    if blocks.len() as u64 != shapes.layers {
        let what = format!("block_configs has {} entries, num_hidden_layers is {}", blocks.len(), shapes.layers);
        reader.fields.fault("block_configs", what);
    }
    blocks
}
