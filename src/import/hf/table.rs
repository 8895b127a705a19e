//! The families, a row each. A row states what differs from Llama.

use super::adjust;
use super::family::{Bias, Family, QkNorm, SpanRule};
use super::{dense, softmax};

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
    adjust: adjust::nothing,
    mixers: softmax::mixers,
    networks: dense::networks,
};

/// Without any bias.
const PLAIN: Family = Family { qkv_bias: Bias::No, output_bias: Bias::No, ffn_bias: Bias::No, ..LLAMA };

/// The GPT-2 line: layer norms with biases, biases everywhere, no gate.
const GPT: Family =
    Family { gated: false, qkv_bias: Bias::Yes, output_bias: Bias::Yes, ffn_bias: Bias::Yes, norm_bias: true, ..LLAMA };

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
    Family {
        model_types: &["qwen3", "qwen3_vl_text"],
        ffn_bias: Bias::No,
        qk_norm: QkNorm::PerHead,
        head_dim: Some(128),
        span: SpanRule::FromLayer,
        fp8_scale_bits: 16,
        ..LLAMA
    },
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
    Family { model_types: &["phi"], head_bias: Bias::Yes, norms: 1, ..GPT },
];
