//! The families, a row each. A row states what differs from Llama.

mod dense;
mod hybrid;
mod moe;

use super::family::{Bias, Family, Mixer, QkNorm, SpanRule};
use super::moe::{self as experts, Layers, MoeRule, Shared};
use super::reader::Reader;
use super::shapes::Shapes;
use super::{adjust, dense as networks, hybrid as layers, mla, recurrent, softmax};

/// Llama: rotary positions, grouped queries, gated network, RMS norms, no biases, an LM head of its own.
pub(super) const LLAMA: Family = Family {
    model_types: &["llama", "codellama", "code_llama", "yi", "aquila", "internlm"],
    tied: false,
    gated: true,
    qkv_bias: Bias::Key("attention_bias", false),
    output_bias: Bias::Key("attention_bias", false),
    ffn_bias: Bias::Key("mlp_bias", false),
    head_bias: Bias::No,
    norms: 2,
    last_norms: 1,
    norm_bias: false,
    qk_norm: QkNorm::No,
    positions: None,
    span: SpanRule::Full,
    head_dim: None,
    fp8_scale_bits: 32,
    sinks: false,
    moe: experts::PLAIN,
    attention: softmax::mixer,
    recurrent: recurrent::unknown,
    adjust: adjust::nothing,
    attends: true,
    class_defaults: &[],
    mixers: softmax::mixers,
    networks: networks::networks,
};

/// Without any bias.
const PLAIN: Family = Family { qkv_bias: Bias::No, output_bias: Bias::No, ffn_bias: Bias::No, ..LLAMA };

/// The GPT-2 line: layer norms with biases, biases everywhere, no gate.
const GPT: Family =
    Family { gated: false, qkv_bias: Bias::Yes, output_bias: Bias::Yes, ffn_bias: Bias::Yes, norm_bias: true, ..LLAMA };

/// Qwen3: norms on query and key heads.
const QWEN3: Family =
    Family { ffn_bias: Bias::No, qk_norm: QkNorm::PerHead, span: SpanRule::FromLayer, fp8_scale_bits: 16, ..LLAMA };

const QWEN_MOE: MoeRule =
    MoeRule { layers: Layers::Step, shared: Shared::Experts, shared_gate: true, ..experts::PLAIN };

/// Qwen3-Next: gated delta nets, every fourth layer attends.
const QWEN_NEXT: Family = Family {
    moe: QWEN_MOE,
    attention: layers::gated_attention,
    recurrent: recurrent::gated_delta_net,
    mixers: layers::mixers,
    networks: experts::networks,
    ..QWEN3
};

/// DeepSeek: latent attention, dense layers first, shared experts.
const DEEPSEEK: Family = Family {
    output_bias: Bias::No,
    ffn_bias: Bias::No,
    moe: MoeRule { layers: Layers::AfterDense, shared: Shared::Experts, router_buffer: true, ..experts::PLAIN },
    attention: mla_layer,
    mixers: mla::mixers,
    networks: experts::networks,
    ..LLAMA
};

fn mla_layer(reader: &mut Reader<'_>, family: &Family, shapes: &Shapes) -> Mixer {
    mla::mixer(reader, family, shapes).0
}

/// The row of a `model_type`.
pub(super) fn find(model_type: &str) -> Option<&'static Family> {
    let all = [dense::FAMILIES, moe::FAMILIES, hybrid::FAMILIES];
    all.into_iter().flatten().find(|family| family.model_types.contains(&model_type))
}

/// The nearest guess for a family that is not known: latent attention and experts where the keys say so.
pub(super) fn guess(reader: &Reader<'_>) -> Family {
    let layers = if reader.fields.has("decoder_sparse_step") { Layers::Step } else { Layers::AfterDense };
    let moe = MoeRule { layers, ..DEEPSEEK.moe };
    let moe = MoeRule { router_buffer: false, ..moe };
    if reader.fields.has("kv_lora_rank") {
        Family { moe, ..DEEPSEEK }
    } else {
        Family { moe, networks: experts::networks, ..LLAMA }
    }
}

/// Models that generate no text, token by token.
const NO_DECODERS: &[(&[&str], &str)] = &[
    (
        &[
            "bert",
            "albert",
            "roberta",
            "xlm-roberta",
            "distilbert",
            "electra",
            "deberta",
            "deberta-v2",
            "modernbert",
            "nomic_bert",
        ],
        "an encoder has no KV cache and generates nothing",
    ),
    (&["whisper", "speech_to_text", "wav2vec2", "hubert"], "a speech model, not a decoder of text"),
    (
        &["t5", "mt5", "umt5", "bart", "mbart", "marian", "pegasus", "m2m_100", "longt5", "led"],
        "an encoder-decoder runs two models",
    ),
    (&["clip", "siglip", "vit", "dinov2"], "a vision model, not a decoder of text"),
];

/// Models that do, but not as any family here does.
const UNKNOWN_LAYERS: &[(&[&str], &str)] = &[
    (
        &[
            "deepseek_v4",
            "falcon_h1",
            "zamba",
            "zamba2",
            "zaya",
            "recurrent_gemma",
            "jetmoe",
            "xlstm",
            "longcat_flash",
            "hrm_text",
            "blt",
        ],
        "its layers are of a kind that the profile cannot describe yet",
    ),
    (
        &["rwkv", "rwkv5", "rwkv6", "rwkv7"],
        "RWKV has no attention and no KV cache, and its kernels have no cost model here",
    ),
];

/// What to do about a model that generates no text.
pub(super) const NO_TTFT: &str = "only models that generate text token by token have a TTFT";
const DESCRIBE: &str = "there is no estimate for it here; a model of known layers and like size gives a rough bound";

/// Why a `model_type` is refused, and what to do about it.
pub(super) fn refused(model_type: &str) -> Option<(&'static str, &'static str)> {
    let listed = |list: &'static [(&'static [&'static str], &'static str)], help| {
        list.iter().find(|(names, _)| names.contains(&model_type)).map(|(_, why)| (*why, help))
    };
    listed(NO_DECODERS, NO_TTFT).or_else(|| listed(UNKNOWN_LAYERS, DESCRIBE))
}
