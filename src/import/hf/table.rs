//! The families, a row each. A row states what differs from Llama.

use super::adjust;
use super::family::{Bias, Family, QkNorm, SpanRule};
use super::moe::{self, Layers, MoeRule, Shared};
use super::{dense, gemma4, hybrid, mimo, mla, recurrent, softmax};

/// Llama: rotary positions, grouped queries, gated network, RMS norms, no biases, an LM head of its own.
pub(super) const LLAMA: Family = Family {
    model_types: &["llama", "codellama", "yi", "aquila", "internlm", "arcee_llama"],
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
    kv_heads_default: None,
    fp8_scale_bits: 32,
    sinks: false,
    moe: moe::PLAIN,
    attention: softmax::mixer,
    recurrent: recurrent::unknown,
    adjust: adjust::nothing,
    mixers: softmax::mixers,
    networks: dense::networks,
};

/// Without any bias.
const PLAIN: Family = Family { qkv_bias: Bias::No, output_bias: Bias::No, ffn_bias: Bias::No, ..LLAMA };

/// The GPT-2 line: layer norms with biases, biases everywhere, no gate.
const GPT: Family =
    Family { gated: false, qkv_bias: Bias::Yes, output_bias: Bias::Yes, ffn_bias: Bias::Yes, norm_bias: true, ..LLAMA };

/// Qwen3: norms on query and key heads.
const QWEN3: Family =
    Family { ffn_bias: Bias::No, qk_norm: QkNorm::PerHead, span: SpanRule::FromLayer, fp8_scale_bits: 16, ..LLAMA };

const QWEN_MOE: MoeRule = MoeRule { layers: Layers::Step, shared: Shared::Experts, shared_gate: true, ..moe::PLAIN };

/// Qwen3-Next: gated delta nets, every fourth layer attends.
const QWEN_NEXT: Family = Family {
    moe: QWEN_MOE,
    attention: hybrid::gated_attention,
    recurrent: recurrent::gated_delta_net,
    mixers: hybrid::mixers,
    networks: moe::networks,
    ..QWEN3
};

/// DeepSeek: latent attention, dense layers first, shared experts.
const DEEPSEEK: Family = Family {
    output_bias: Bias::No,
    moe: MoeRule { layers: Layers::AfterDense, shared: Shared::Experts, router_buffer: true, ..moe::PLAIN },
    attention: mla_layer,
    mixers: mla::mixers,
    networks: moe::networks,
    ..LLAMA
};

fn mla_layer(
    reader: &mut super::reader::Reader<'_>,
    family: &Family,
    shapes: &super::shapes::Shapes,
) -> super::family::Mixer {
    mla::mixer(reader, family, shapes).0
}

/// Every family, in no order that matters.
pub(super) const FAMILIES: &[Family] = &[
    LLAMA,
    Family { model_types: &["mistral", "ministral", "ministral3"], span: SpanRule::All(Some(4096)), ..PLAIN },
    Family {
        model_types: &["qwen2", "qwen2_vl_text", "qwen2_5_vl_text"],
        qkv_bias: Bias::Yes,
        fp8_scale_bits: 16,
        span: SpanRule::FromLayer,
        ..PLAIN
    },
    Family { model_types: &["mimo"], qkv_bias: Bias::Key("attention_bias", true), span: SpanRule::FromLayer, ..PLAIN },
    Family { model_types: &["qwen3", "qwen3_vl_text"], head_dim: Some(128), ..QWEN3 },
    Family { model_types: &["gemma"], tied: true, ffn_bias: Bias::No, head_dim: Some(256), ..LLAMA },
    Family {
        model_types: &["gemma2"],
        tied: true,
        ffn_bias: Bias::No,
        norms: 4,
        head_dim: Some(256),
        span: SpanRule::Pattern { every: 2, window: Some(4096) },
        ..LLAMA
    },
    Family {
        model_types: &["gemma3", "gemma3_text"],
        tied: true,
        ffn_bias: Bias::No,
        norms: 4,
        qk_norm: QkNorm::PerHead,
        head_dim: Some(256),
        span: SpanRule::Pattern { every: 6, window: Some(4096) },
        ..LLAMA
    },
    Family { model_types: &["phi3"], span: SpanRule::All(None), ..PLAIN },
    Family { model_types: &["phi3_v"], span: SpanRule::All(None), adjust: adjust::phi3_vision, ..PLAIN },
    Family { model_types: &["olmo2"], ffn_bias: Bias::No, qk_norm: QkNorm::AllHeads, ..LLAMA },
    Family {
        model_types: &["olmo3"],
        ffn_bias: Bias::No,
        qk_norm: QkNorm::AllHeads,
        span: SpanRule::Pattern { every: 4, window: Some(4096) },
        ..LLAMA
    },
    Family { model_types: &["baichuan"], ..PLAIN },
    Family { model_types: &["minicpm"], tied: true, ffn_bias: Bias::No, ..LLAMA },
    Family {
        model_types: &["internlm2"],
        qkv_bias: Bias::Key("bias", false),
        output_bias: Bias::Key("bias", false),
        ffn_bias: Bias::No,
        ..LLAMA
    },
    Family { model_types: &["cohere"], tied: true, ffn_bias: Bias::No, norms: 1, adjust: adjust::cohere, ..LLAMA },
    Family {
        model_types: &["stablelm"],
        norm_bias: true,
        qkv_bias: Bias::Key("use_qkv_bias", false),
        adjust: adjust::stablelm,
        ..PLAIN
    },
    Family { model_types: &["gpt2"], tied: true, positions: Some(0), adjust: adjust::four_times, ..GPT },
    Family { model_types: &["gpt_bigcode"], tied: true, positions: Some(0), adjust: adjust::gpt_bigcode, ..GPT },
    Family {
        model_types: &["gptj"],
        qkv_bias: Bias::No,
        output_bias: Bias::No,
        head_bias: Bias::Yes,
        norms: 1,
        adjust: adjust::four_times,
        ..GPT
    },
    Family {
        model_types: &["gpt_neox"],
        qkv_bias: Bias::Key("attention_bias", true),
        output_bias: Bias::Key("attention_bias", true),
        ..GPT
    },
    Family { model_types: &["opt"], tied: true, positions: Some(2), adjust: adjust::opt, ..GPT },
    Family { model_types: &["bloom"], tied: true, last_norms: 2, adjust: adjust::four_times, ..GPT },
    Family { model_types: &["mpt"], tied: true, gated: false, norm_bias: false, adjust: adjust::mpt, ..PLAIN },
    Family {
        model_types: &["falcon"],
        tied: true,
        qkv_bias: Bias::Key("bias", false),
        output_bias: Bias::Key("bias", false),
        ffn_bias: Bias::Key("bias", false),
        adjust: adjust::falcon,
        ..GPT
    },
    Family {
        model_types: &["starcoder2"],
        tied: true,
        qkv_bias: Bias::Key("use_bias", true),
        output_bias: Bias::Key("use_bias", true),
        ffn_bias: Bias::Key("use_bias", true),
        span: SpanRule::All(None),
        ..GPT
    },
    Family {
        model_types: &["qwen2_moe"],
        qkv_bias: Bias::Yes,
        span: SpanRule::FromLayer,
        moe: QWEN_MOE,
        networks: moe::networks,
        ..PLAIN
    },
    Family {
        model_types: &["qwen3_moe", "qwen3_vl_moe_text"],
        moe: MoeRule { layers: Layers::Step, ..moe::PLAIN },
        networks: moe::networks,
        ..QWEN3
    },
    Family { model_types: &["qwen3_next"], ..QWEN_NEXT },
    Family {
        model_types: &["qwen3_5_text", "qwen3_5_moe_text"],
        recurrent: recurrent::gated_delta_net_apart,
        ..QWEN_NEXT
    },
    Family { model_types: &["mixtral"], span: SpanRule::All(None), networks: moe::networks, ..PLAIN },
    Family {
        model_types: &["deepseek"],
        moe: MoeRule { router_buffer: false, ..DEEPSEEK.moe },
        mixers: softmax::mixers,
        ..DEEPSEEK
    },
    Family { model_types: &["deepseek_v2"], moe: MoeRule { router_buffer: false, ..DEEPSEEK.moe }, ..DEEPSEEK },
    Family { model_types: &["deepseek_v3", "deepseek_v32", "kimi_k2", "glm_moe_dsa"], ..DEEPSEEK },
    Family {
        model_types: &["glm4_moe"],
        output_bias: Bias::No,
        moe: DEEPSEEK.moe,
        adjust: adjust::glm4_moe,
        networks: moe::networks,
        ..LLAMA
    },
    Family {
        model_types: &["minimax_m2"],
        qk_norm: QkNorm::AllHeads,
        moe: MoeRule { router_buffer: true, ..moe::PLAIN },
        networks: moe::networks,
        ..PLAIN
    },
    Family {
        model_types: &["gpt_oss"],
        sinks: true,
        qkv_bias: Bias::Key("attention_bias", true),
        output_bias: Bias::Key("attention_bias", true),
        span: SpanRule::Pattern { every: 2, window: Some(128) },
        moe: MoeRule { expert_bias: true, router_bias: Bias::Yes, ..moe::PLAIN },
        networks: moe::networks,
        ..LLAMA
    },
    Family {
        model_types: &["llama4_text"],
        ffn_bias: Bias::No,
        span: SpanRule::Chunked,
        moe: MoeRule { layers: Layers::Interleaved, shared: Shared::Dense, ..moe::PLAIN },
        networks: moe::networks,
        ..LLAMA
    },
    Family {
        model_types: &["gemma4_text"],
        tied: true,
        norms: 4,
        head_dim: Some(256),
        qk_norm: QkNorm::PerHead,
        span: SpanRule::Pattern { every: 6, window: Some(512) },
        moe: MoeRule { shared: Shared::Dense, ..moe::PLAIN },
        adjust: gemma4::adjust,
        mixers: gemma4::mixers,
        networks: gemma4::networks,
        ..PLAIN
    },
    Family {
        model_types: &["jamba"],
        moe: MoeRule { layers: Layers::Period, ..moe::PLAIN },
        recurrent: recurrent::jamba,
        mixers: hybrid::mixers,
        networks: moe::networks,
        ..PLAIN
    },
    Family {
        model_types: &["nemotron_h"],
        gated: false,
        norms: 1,
        moe: MoeRule { shared: Shared::Experts, router_buffer: true, ..moe::PLAIN },
        recurrent: recurrent::mamba2,
        mixers: hybrid::mixers,
        networks: hybrid::single_networks,
        ..LLAMA
    },
    Family {
        model_types: &["mimo_v2_flash", "mimo_v2"],
        span: SpanRule::FirstAndEvery { every: 6, window: None },
        qkv_bias: Bias::Key("attention_bias", false),
        moe: MoeRule { layers: Layers::AfterDense, router_buffer: true, ..moe::PLAIN },
        mixers: mimo::mixers,
        networks: moe::networks,
        ..PLAIN
    },
    Family {
        model_types: &["minimax", "minimax_m1", "minimax_text_01"],
        recurrent: recurrent::lightning,
        mixers: hybrid::mixers,
        networks: moe::networks,
        ..PLAIN
    },
    Family {
        model_types: &["kimi_linear"],
        attention: mla_layer,
        recurrent: recurrent::kimi_delta,
        mixers: hybrid::mixers,
        ..DEEPSEEK
    },
    Family { model_types: &["phi"], head_bias: Bias::Yes, norms: 1, ..GPT },
];

/// Models that do not generate text over a KV cache, or not as any family here does.
const REFUSED: &[(&[&str], &str)] = &[
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
    (
        &["rwkv", "rwkv5", "rwkv6", "rwkv7"],
        "RWKV has no attention and no KV cache, and its kernels have no cost model here",
    ),
];

/// Why a `model_type` is refused.
pub(super) fn refused(model_type: &str) -> Option<&'static str> {
    REFUSED.iter().find(|(names, _)| names.contains(&model_type)).map(|(_, why)| *why)
}
