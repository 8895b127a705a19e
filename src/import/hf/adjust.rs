//! Last words of single families on their row and shapes.

use super::family::{Bias, Family, QkNorm};
use super::reader::{MAX_HEAD_DIM, MAX_VOCAB, MAX_WIDTH, Reader};
use super::shapes::Shapes;

/// The row says it all.
pub(super) fn nothing(_: &mut Reader<'_>, _: &mut Family, _: &mut Shapes) {}

/// A feed-forward width that is absent or null is four times the hidden size.
pub(super) fn four_times(_: &mut Reader<'_>, _: &mut Family, shapes: &mut Shapes) {
    shapes.intermediate = shapes.intermediate.or(Some(4 * shapes.hidden));
}

/// One KV head for all queries unless `multi_query` is off.
pub(super) fn gpt_bigcode(reader: &mut Reader<'_>, family: &mut Family, shapes: &mut Shapes) {
    four_times(reader, family, shapes);
    shapes.kv_heads = if reader.flag_or("multi_query", true) { 1 } else { shapes.heads };
}

/// Optional norms on all heads.
pub(super) fn cohere(reader: &mut Reader<'_>, family: &mut Family, _: &mut Shapes) {
    if reader.flag_or("use_qk_norm", false) {
        family.qk_norm = QkNorm::AllHeads;
    }
}

/// Parallel residuals need one norm; optional norms on all heads.
pub(super) fn stablelm(reader: &mut Reader<'_>, family: &mut Family, _: &mut Shapes) {
    if reader.flag_or("use_parallel_residual", false) {
        family.norms = 1;
    }
    if reader.flag_or("qk_layernorm", false) {
        family.qk_norm = QkNorm::AllHeads;
    }
}

/// Projections between a narrow embedding and the layers; biases and the last norm are optional.
pub(super) fn opt(reader: &mut Reader<'_>, family: &mut Family, shapes: &mut Shapes) {
    if !reader.flag_or("enable_bias", true) {
        family.qkv_bias = Bias::No;
        family.output_bias = Bias::No;
        family.ffn_bias = Bias::No;
    }
    if !reader.flag_or("do_layer_norm_before", true) || reader.flag_or("_remove_final_layer_norm", false) {
        family.last_norms = 0;
    }
    if let Some(width) = reader.count(&["word_embed_proj_dim"], MAX_WIDTH)
        && width != shapes.hidden
    {
        reader.fields.fault("word_embed_proj_dim", "an embedding narrower than the layers is not covered");
    }
}

/// `expansion_ratio` in place of a width; positions by ALiBi.
pub(super) fn mpt(reader: &mut Reader<'_>, _: &mut Family, shapes: &mut Shapes) {
    let ratio = reader.count(&["expansion_ratio"], 64).unwrap_or(4);
    shapes.intermediate = Some(ratio * shapes.hidden);
}

/// Three generations: one KV head, grouped, or one per head; one norm or two.
pub(super) fn falcon(reader: &mut Reader<'_>, family: &mut Family, shapes: &mut Shapes) {
    four_times(reader, family, shapes);
    let new = reader.flag_or("new_decoder_architecture", false);
    if !new && reader.flag_or("multi_query", true) {
        shapes.kv_heads = 1;
    } else if !new {
        shapes.kv_heads = shapes.heads;
    }
    let parallel = reader.flag_or("parallel_attn", true);
    let default = if new { 2 } else { 1 };
    family.norms = if parallel { reader.count(&["num_ln_in_parallel_attn"], 2).unwrap_or(default) } else { 2 };
}

/// Two numbers of the activation per layer.
pub(super) fn apertus(_: &mut Reader<'_>, _: &mut Family, shapes: &mut Shapes) {
    shapes.other += 2 * shapes.layers;
}

/// Norms inside attention and network.
pub(super) fn bitnet(_: &mut Reader<'_>, _: &mut Family, shapes: &mut Shapes) {
    shapes.other += shapes.layers * (shapes.hidden + shapes.intermediate.unwrap_or(0));
}

/// Layer norms on query and key heads.
pub(super) fn persimmon(reader: &mut Reader<'_>, _: &mut Family, shapes: &mut Shapes) {
    if reader.flag_or("qk_layernorm", true) {
        shapes.other += shapes.layers * 4 * shapes.head_dim;
    }
}

/// Optional layer norms on query and key heads.
pub(super) fn phi(reader: &mut Reader<'_>, _: &mut Family, shapes: &mut Shapes) {
    if reader.flag_or("qk_layernorm", false) {
        shapes.other += shapes.layers * 4 * shapes.head_dim;
    }
}

/// Qwen (the first): the width in the file is that of both projections together.
pub(super) fn qwen(_: &mut Reader<'_>, _: &mut Family, shapes: &mut Shapes) {
    shapes.intermediate = shapes.intermediate.map(|width| (width / 2).max(1));
}

/// ChatGLM: KV heads by group, the vocabulary padded.
pub(super) fn chatglm(reader: &mut Reader<'_>, family: &mut Family, shapes: &mut Shapes) {
    if reader.flag_or("multi_query_attention", false) {
        shapes.kv_heads = reader.need(&["multi_query_group_num"], MAX_WIDTH);
    }
    if let Some(rows) = reader.count(&["padded_vocab_size"], MAX_VOCAB) {
        shapes.vocab = rows;
    }
    family.norm_bias = !reader.flag_or("rmsnorm", true);
    family.output_bias = Bias::Key("add_bias_linear", false);
    family.ffn_bias = Bias::Key("add_bias_linear", false);
}

/// LFM2: the width in the file is cut to two thirds and rounded; the embedding is tied by a key of its own.
pub(super) fn lfm2(reader: &mut Reader<'_>, _: &mut Family, shapes: &mut Shapes) {
    if let Some(tied) = reader.fields.flag("tie_embedding") {
        shapes.tied = tied;
    }
    if let Some(width) = reader.count(&["block_ff_dim"], MAX_WIDTH * 4) {
        shapes.intermediate = Some(width);
    }
    if reader.fields.flag("block_auto_adjust_ff_dim") == Some(true) {
        let step = reader.count(&["block_multiple_of"], MAX_WIDTH).unwrap_or(256);
        let factor = reader.fields.loose_number("block_ffn_dim_multiplier").filter(|f| (0.01..=100.0).contains(f));
        let adjusted = |width: u64| ((2 * width / 3) as f64 * factor.unwrap_or(1.0)) as u64;
        shapes.intermediate = shapes.intermediate.map(|width| adjusted(width).next_multiple_of(step).max(1));
    }
}

/// DBRX: attention has a section of its own.
pub(super) fn dbrx(reader: &mut Reader<'_>, _: &mut Family, shapes: &mut Shapes) {
    let kv_heads = reader.fields.section("attn_config").count("kv_n_heads", MAX_WIDTH);
    shapes.kv_heads = kv_heads.unwrap_or(shapes.heads);
}

/// OpenELM: heads stand in a list of all layers, the embedding is tied by a key of its own.
pub(super) fn openelm(reader: &mut Reader<'_>, family: &mut Family, shapes: &mut Shapes) {
    shapes.head_dim = reader.need(&["head_dim"], MAX_HEAD_DIM);
    shapes.tied = reader.flag_or("share_input_output_layers", true);
    family.gated = reader.flag_or("ffn_with_glu", true);
    if reader.flag_or("normalize_qk_projections", true) {
        family.qk_norm = QkNorm::PerHead;
    }
}

/// Norms on query and key heads if `use_qk_norm`.
pub(super) fn optional_head_norms(reader: &mut Reader<'_>, family: &mut Family, _: &mut Shapes) {
    if reader.flag_or("use_qk_norm", false) {
        family.qk_norm = QkNorm::PerHead;
    }
}

/// Phi-3-vision embeds images with CLIP ViT-L/14-336 (303.5 million parameters, of which the file says nothing) and two
/// projections; all of it belongs to the embedding.
pub(super) fn phi3_vision(reader: &mut Reader<'_>, _: &mut Family, shapes: &mut Shapes) {
    const CLIP_L_336: u64 = 303_507_456;
    let mut tower = reader.fields.section("img_processor");
    let patches = 4 * tower.count("image_dim_out", MAX_WIDTH).unwrap_or(1024);
    if tower.is_empty() {
        return;
    }
    shapes.table += CLIP_L_336 + (patches + 1) * shapes.hidden + (shapes.hidden + 1) * shapes.hidden + 5 * patches / 4;
    reader.assume(
        "architecture.table_parameters",
        shapes.table,
        "CLIP ViT-L/14-336, named but not described in the file",
    );
}
