//! Layers with a state of fixed size in place of a cache: gated delta net, KDA, lightning attention, Mamba 1 and 2.

use super::family::{Family, Mixer};
use super::reader::{MAX_HEAD_DIM, MAX_WIDTH, Reader};
use super::shapes::Shapes;
use crate::spec::{AttentionSpec, RecurrentKind, RecurrentSpec, StorageSpec};

const MAX_STATE: u64 = 1 << 16;

fn mixer(spec: RecurrentSpec, other: u64) -> Mixer {
    Mixer::new(AttentionSpec::Recurrent(spec), other)
}

fn absent_if_zero(n: u64) -> Option<u64> {
    (n > 0).then_some(n)
}

/// No family reads its recurrent layers like this: a fault.
pub(super) fn unknown(reader: &mut Reader<'_>, _: &Family, _: &Shapes) -> Mixer {
    reader.fields.fault("layer_types", "layers of linear attention are not known for this family");
    Mixer::new(AttentionSpec::None, 0)
}

/// Gated delta net of Qwen3.5: its projections are stored apart.
pub(super) fn gated_delta_net_apart(reader: &mut Reader<'_>, family: &Family, shapes: &Shapes) -> Mixer {
    let mut mixer = gated_delta_net(reader, family, shapes);
    if let [(_, qkvz, columns), (_, ba, _), output] = mixer.parts[..] {
        let values = output.2;
        mixer.parts = vec![
            ("in_proj_qkv", qkvz - values, columns),
            ("in_proj_z", values, columns),
            ("in_proj_b", ba / 2, columns),
            ("in_proj_a", ba / 2, columns),
            output,
        ];
    }
    mixer
}

/// Gated delta net (Qwen3-Next): one state of key × value width per value head, a convolution over Q, K and V.
pub(super) fn gated_delta_net(reader: &mut Reader<'_>, _: &Family, shapes: &Shapes) -> Mixer {
    let key_heads = reader.need(&["linear_num_key_heads"], MAX_WIDTH);
    let value_heads = reader.need(&["linear_num_value_heads"], MAX_WIDTH);
    let key_dim = reader.need(&["linear_key_head_dim"], MAX_HEAD_DIM);
    let value_dim = reader.need(&["linear_value_head_dim"], MAX_HEAD_DIM);
    let kernel = reader.need(&["linear_conv_kernel_dim"], MAX_STATE);
    let (keys, values) = (key_heads * key_dim, value_heads * value_dim);
    let channels = 2 * keys + values;
    let spec = RecurrentSpec {
        kind: RecurrentKind::Linear,
        heads: value_heads,
        input_width: 2 * keys + 2 * values + 2 * value_heads,
        inner_width: values,
        inner_rank: None,
        state_size: Some(value_heads * key_dim * value_dim),
        conv_state_size: Some(channels * kernel),
        weights: StorageSpec::default(),
    };
    // Convolution, step bias and decay per head, norm of a head.
    let mixer = mixer(spec, channels * kernel + 2 * value_heads + value_dim);
    let parts = vec![
        ("in_proj_qkvz", 2 * keys + 2 * values, shapes.hidden),
        ("in_proj_ba", 2 * value_heads, shapes.hidden),
        ("out_proj", shapes.hidden, values),
    ];
    Mixer { parts, ..mixer }
}

/// Kimi delta attention: like the gated delta net, with low-rank decay and output gates per channel.
pub(super) fn kimi_delta(reader: &mut Reader<'_>, _: &Family, shapes: &Shapes) -> Mixer {
    let mut nested = reader.fields.section("linear_attn_config");
    let mut read = |short: &'static str, long: &'static str, most| {
        if nested.has(short) { nested.count(short, most).unwrap_or(1) } else { reader.need_one(long, most) }
    };
    let heads = read("num_heads", "linear_num_heads", MAX_WIDTH);
    let dim = read("head_dim", "linear_head_dim", MAX_HEAD_DIM);
    let kernel = read("short_conv_kernel_size", "linear_conv_kernel_dim", MAX_STATE);
    let inner = heads * dim;
    let spec = RecurrentSpec {
        kind: RecurrentKind::Linear,
        heads,
        input_width: 3 * inner + heads + 2 * dim,
        inner_width: inner,
        inner_rank: Some(2 * dim),
        state_size: Some(heads * dim * dim),
        conv_state_size: Some(3 * inner * kernel),
        weights: StorageSpec::default(),
    };
    // Convolution, step bias per channel, decay per head, norm of a head.
    let mixer = mixer(spec, 3 * inner * kernel + inner + heads + dim);
    let hidden = shapes.hidden;
    let parts = vec![
        ("q_proj", inner, hidden),
        ("k_proj", inner, hidden),
        ("v_proj", inner, hidden),
        ("b_proj", heads, hidden),
        ("f_a_proj", dim, hidden),
        ("f_b_proj", inner, dim),
        ("g_a_proj", dim, hidden),
        ("g_b_proj", inner, dim),
        ("o_proj", hidden, inner),
    ];
    Mixer { parts, ..mixer }
}

/// Lightning attention (MiniMax): Q, K, V and a gate, one square state per head.
pub(super) fn lightning(_: &mut Reader<'_>, _: &Family, shapes: &Shapes) -> Mixer {
    let inner = shapes.heads * shapes.head_dim;
    let spec = RecurrentSpec {
        kind: RecurrentKind::Linear,
        heads: shapes.heads,
        input_width: 4 * inner,
        inner_width: inner,
        inner_rank: None,
        state_size: Some(inner * shapes.head_dim),
        conv_state_size: None,
        weights: StorageSpec::default(),
    };
    let parts = vec![
        ("qkv_proj", 3 * inner, shapes.hidden),
        ("output_gate", inner, shapes.hidden),
        ("out_proj", shapes.hidden, inner),
    ];
    Mixer { parts, ..mixer(spec, inner) }
}

/// LFM2: a gated convolution over a few tokens, without a recurrent state.
pub(super) fn short_convolution(reader: &mut Reader<'_>, _: &Family, shapes: &Shapes) -> Mixer {
    let kernel = reader.count(&["conv_L_cache"], MAX_STATE).unwrap_or(3);
    let hidden = shapes.hidden;
    let bias = if reader.flag_or("conv_bias", false) { 5 * hidden } else { 0 };
    let spec = RecurrentSpec {
        kind: RecurrentKind::Linear,
        heads: 1,
        input_width: 3 * hidden,
        inner_width: hidden,
        inner_rank: None,
        state_size: None,
        conv_state_size: Some(hidden * kernel),
        weights: StorageSpec::default(),
    };
    mixer(spec, hidden * kernel + bias)
}

/// Mamba 1 inside Jamba: selective state space with norms on step, B and C.
pub(super) fn jamba(reader: &mut Reader<'_>, _: &Family, shapes: &Shapes) -> Mixer {
    let inner = reader.count(&["mamba_expand"], 64).unwrap_or(2) * shapes.hidden;
    let state = reader.count(&["mamba_d_state"], MAX_STATE).unwrap_or(16);
    let kernel = reader.count(&["mamba_d_conv"], MAX_STATE).unwrap_or(4);
    let rank = step_rank(reader, "mamba_dt_rank", shapes.hidden);
    let conv_bias = if reader.flag_or("mamba_conv_bias", true) { inner } else { 0 };
    let bias = if reader.flag_or("mamba_proj_bias", false) { 2 * inner + shapes.hidden } else { 0 };
    let norms = rank + 2 * state;
    mamba1(shapes.hidden, inner, state, kernel, rank, conv_bias + bias + norms)
}

/// Mamba 1 as a model of its own (Mamba, Falcon-Mamba).
pub(super) fn mamba(reader: &mut Reader<'_>, _: &Family, shapes: &Shapes) -> Mixer {
    let expand = reader.count(&["expand"], 64).unwrap_or(2);
    let inner = reader.count(&["intermediate_size"], MAX_WIDTH * 4).unwrap_or(expand * shapes.hidden);
    let state = reader.count(&["state_size"], MAX_STATE).unwrap_or(16);
    let kernel = reader.count(&["conv_kernel"], MAX_STATE).unwrap_or(4);
    let rank = step_rank(reader, "time_step_rank", shapes.hidden);
    let conv_bias = if reader.flag_or("use_conv_bias", true) { inner } else { 0 };
    let bias = if reader.flag_or("use_bias", false) { 2 * inner + shapes.hidden } else { 0 };
    mamba1(shapes.hidden, inner, state, kernel, rank, conv_bias + bias)
}

fn mamba1(hidden: u64, inner: u64, state: u64, kernel: u64, rank: u64, other: u64) -> Mixer {
    let spec = RecurrentSpec {
        kind: RecurrentKind::Mamba,
        heads: 1,
        input_width: 2 * inner,
        inner_width: inner,
        // From the inner width to step, B and C, and the step back.
        inner_rank: Some(2 * rank + 2 * state),
        state_size: Some(inner * state),
        conv_state_size: Some(inner * kernel),
        weights: StorageSpec::default(),
    };
    // Convolution, decay, skip, bias of the step.
    let parts = vec![
        ("in_proj", 2 * inner, hidden),
        ("x_proj", rank + 2 * state, inner),
        ("dt_proj", inner, rank),
        ("out_proj", hidden, inner),
    ];
    Mixer { parts, ..mixer(spec, inner * kernel + inner * state + 2 * inner + other) }
}

/// `"auto"` is a sixteenth of the hidden size, rounded up.
fn step_rank(reader: &mut Reader<'_>, key: &'static str, hidden: u64) -> u64 {
    let auto = hidden.div_ceil(16);
    if !reader.fields.has(key) || reader.fields.is_text(key) { auto } else { reader.need_one(key, MAX_WIDTH) }
}

/// The keys of Mamba 2, which every family spells its own way.
const M2_HEADS: &[&str] = &["mamba_num_heads", "mamba_n_heads", "num_heads", "n_mamba_heads"];
const M2_HEAD_DIM: &[&str] = &["mamba_head_dim", "mamba_d_head", "mamba_headdim", "head_dim"];
const M2_GROUPS: &[&str] = &["n_groups", "mamba_n_groups", "mamba_ngroups"];
const M2_STATE: &[&str] = &["ssm_state_size", "mamba_d_state", "state_size"];
const M2_KERNEL: &[&str] = &["conv_kernel", "mamba_d_conv"];

/// Mamba 2: one projection to gate, channels, B, C and step; one state of head × state width per head.
pub(super) fn mamba2(reader: &mut Reader<'_>, _: &Family, shapes: &Shapes) -> Mixer {
    let heads = reader.need(M2_HEADS, MAX_WIDTH);
    let head_dim = reader.need(M2_HEAD_DIM, MAX_HEAD_DIM);
    let groups = reader.count(M2_GROUPS, MAX_WIDTH).unwrap_or(1);
    let state = reader.need(M2_STATE, MAX_STATE);
    let kernel = reader.count(M2_KERNEL, MAX_STATE).unwrap_or(4);
    let inner = heads * head_dim;
    let channels = inner + 2 * groups * state;
    let input_width = inner + channels + heads;
    let conv_bias = reader.flag_or("use_conv_bias", true) && reader.flag_or("mamba_conv_bias", true);
    let bias = reader.flag_or("use_bias", false) || reader.flag_or("mamba_proj_bias", false);
    let spec = RecurrentSpec {
        kind: RecurrentKind::Mamba,
        heads,
        input_width,
        inner_width: inner,
        inner_rank: None,
        state_size: Some(inner * state),
        conv_state_size: absent_if_zero(channels * kernel),
        weights: StorageSpec::default(),
    };
    let mut other = channels * kernel + 3 * heads + inner;
    other += if conv_bias { channels } else { 0 };
    other += if bias { input_width + shapes.hidden } else { 0 };
    mixer(spec, other)
}
