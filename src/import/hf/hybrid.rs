//! Models that mix layers of full attention with recurrent ones: which layer is which, in all spellings.

use super::family::{Family, Mixer, Network};
use super::reader::{MAX_WIDTH, Reader};
use super::shapes::Shapes;
use super::{dense, moe, softmax};
use crate::spec::{AttentionSpec, FfnSpec, SoftmaxSpec};

/// What a layer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Attention,
    Recurrent,
    /// Only experts (Nemotron-H).
    Experts,
    /// Only a dense network (Nemotron-H).
    Dense,
}

/// Attention and recurrent layers as the file's pattern says.
pub(super) fn mixers(reader: &mut Reader<'_>, family: &Family, shapes: &Shapes) -> Vec<Mixer> {
    shapes.check_heads(reader);
    let kinds = kinds(reader, shapes.layers);
    let attention = (family.attention)(reader, family, shapes);
    let recurrent = kinds.contains(&Kind::Recurrent).then(|| (family.recurrent)(reader, family, shapes));
    let nothing = Mixer::new(AttentionSpec::None, 0);
    let choose = |kind: Kind| match kind {
        Kind::Attention => attention.clone(),
        Kind::Recurrent => recurrent.clone().unwrap_or_else(|| nothing.clone()),
        Kind::Experts | Kind::Dense => nothing.clone(),
    };
    kinds.into_iter().map(choose).collect()
}

/// Layers that are either a token mixer or a feed-forward network, never both (Nemotron-H).
pub(super) fn single_networks(reader: &mut Reader<'_>, family: &Family, shapes: &Shapes) -> Vec<Network> {
    let kinds = kinds(reader, shapes.layers);
    let experts = kinds.contains(&Kind::Experts).then(|| {
        let experts = moe::experts(reader).unwrap_or(1);
        moe::network(reader, family, shapes, experts)
    });
    let dense = kinds.contains(&Kind::Dense).then(|| {
        let width = shapes.need_intermediate(reader);
        dense::network(reader, family, shapes, width)
    });
    let nothing = Network { ffn: FfnSpec::None, other: 0, buffers: 0 };
    let choose = |kind: Kind| match kind {
        Kind::Experts => experts.clone().unwrap_or_else(|| nothing.clone()),
        Kind::Dense => dense.clone().unwrap_or_else(|| nothing.clone()),
        Kind::Attention | Kind::Recurrent => nothing.clone(),
    };
    kinds.into_iter().map(choose).collect()
}

/// Recurrent layers only.
pub(super) fn only_recurrent(reader: &mut Reader<'_>, family: &Family, shapes: &Shapes) -> Vec<Mixer> {
    vec![(family.recurrent)(reader, family, shapes); shapes.layers as usize]
}

/// No feed-forward networks at all.
pub(super) fn no_networks(_: &mut Reader<'_>, _: &Family, shapes: &Shapes) -> Vec<Network> {
    vec![Network { ffn: FfnSpec::None, other: 0, buffers: 0 }; shapes.layers as usize]
}

/// Granite 4: experts beside a shared network, or the shared network alone.
pub(super) fn granite_networks(reader: &mut Reader<'_>, family: &Family, shapes: &Shapes) -> Vec<Network> {
    if moe::experts(reader).is_some() {
        return moe::networks(reader, family, shapes);
    }
    let width = reader.need(&["shared_intermediate_size"], MAX_WIDTH * 4);
    vec![dense::network(reader, family, shapes, width); shapes.layers as usize]
}

/// Full attention whose query projection also yields an output gate (Qwen3-Next).
pub(super) fn gated_attention(reader: &mut Reader<'_>, family: &Family, shapes: &Shapes) -> Mixer {
    let mut mixer = softmax::mixer(reader, family, shapes);
    if let AttentionSpec::Softmax(spec) = &mut mixer.attention {
        *spec = SoftmaxSpec { output_gate: reader.flag_or("attn_output_gate", true), ..spec.clone() };
        if spec.output_gate && family.qkv_bias.read(reader) {
            mixer.other += spec.heads * spec.head_dim;
        }
    }
    mixer
}

/// What each layer is, from whichever key the file has.
fn kinds(reader: &mut Reader<'_>, layers: u64) -> Vec<Kind> {
    let (key, kinds) = listed(reader)
        .or_else(|| letters(reader))
        .or_else(|| numbered(reader, layers))
        .unwrap_or_else(|| ("num_hidden_layers", periodic(reader, layers)));
    if kinds.len() as u64 != layers {
        let what = format!("{key} has {} entries, num_hidden_layers is {layers}", kinds.len());
        reader.fields.fault(key, what);
    }
    kinds
}

/// A list of words per layer.
fn listed(reader: &mut Reader<'_>) -> Option<(&'static str, Vec<Kind>)> {
    let key = ["layer_types", "layers_block_type", "block_types"].into_iter().find(|key| reader.fields.has(key))?;
    let words = reader.fields.texts(key);
    let kinds = words.iter().map(|word| match word.as_str() {
        "full_attention" | "attention" | "sliding_attention" | "hybrid" => Kind::Attention,
        "linear_attention" | "mamba" | "mamba2" | "conv" | "recurrent" => Kind::Recurrent,
        "moe" => Kind::Experts,
        "mlp" => Kind::Dense,
        other => {
            reader.fields.fault(key, format!("`{other}` is no kind of layer known for this family"));
            Kind::Attention
        }
    });
    Some((key, kinds.collect()))
}

/// `hybrid_override_pattern`: a letter per layer.
fn letters(reader: &mut Reader<'_>) -> Option<(&'static str, Vec<Kind>)> {
    let key = "hybrid_override_pattern";
    let pattern = reader.fields.text(key)?;
    let kinds = pattern.chars().filter(|c| *c != '|').map(|letter| match letter {
        '*' => Kind::Attention,
        'M' => Kind::Recurrent,
        'E' => Kind::Experts,
        '-' => Kind::Dense,
        other => {
            reader.fields.fault(key, format!("`{other}` is no layer: M, *, E or -"));
            Kind::Attention
        }
    });
    Some((key, kinds.collect()))
}

/// `attn_type_list` (1 is attention), or lists of layer numbers.
fn numbered(reader: &mut Reader<'_>, layers: u64) -> Option<(&'static str, Vec<Kind>)> {
    let kind = |attends: bool| if attends { Kind::Attention } else { Kind::Recurrent };
    if reader.fields.has("attn_type_list") {
        let list = reader.fields.numbers("attn_type_list");
        return Some(("attn_type_list", list.iter().map(|&n| kind(n != 0.0)).collect()));
    }
    for key in ["attn_layer_indices", "full_attn_idxs"] {
        // Null means that no layer attends.
        if reader.fields.is_written(key) {
            let list = reader.fields.numbers(key);
            return Some((key, (0..layers).map(|i| kind(list.contains(&(i as f64)))).collect()));
        }
    }
    let mut nested = reader.fields.section("linear_attn_config");
    if !nested.has("full_attn_layers") {
        return None;
    }
    let list = nested.numbers("full_attn_layers");
    if let Some(beyond) = list.iter().find(|&&n| n < 1.0 || n > layers as f64) {
        nested.fault("full_attn_layers", format!("layer {beyond} does not exist: they count from 1 to {layers}"));
    }
    Some(("full_attn_layers", (1..=layers).map(|i| kind(list.contains(&(i as f64)))).collect()))
}

/// A period: `attn_layer_period` and `attn_layer_offset`, or `full_attention_interval`.
fn periodic(reader: &mut Reader<'_>, layers: u64) -> Vec<Kind> {
    let kind = |attends: bool| if attends { Kind::Attention } else { Kind::Recurrent };
    if reader.fields.has("attn_layer_period") {
        let period = reader.need_one("attn_layer_period", 1 << 20);
        let offset = reader.nonzero(&["attn_layer_offset"], 1 << 20).unwrap_or(0);
        return (0..layers).map(|i| kind(i % period == offset % period)).collect();
    }
    let interval = reader.need(&["full_attention_interval"], 1 << 20);
    (0..layers).map(|i| kind((i + 1) % interval == 0)).collect()
}
