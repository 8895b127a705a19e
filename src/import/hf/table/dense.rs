//! Dense families.

use super::{GPT, LLAMA, PLAIN, QWEN3};
use crate::import::hf::family::{Bias, Family, QkNorm, SpanRule};
use crate::import::hf::{adjust, mla, unusual};

/// A flag that this family calls so.
const fn key(name: &'static str, default: bool) -> Bias {
    Bias::Key(name, default)
}

/// What the classes take for keys that a nested text section leaves out.
const LLAMA_CLASS: &[(&str, u64)] = &[
    ("num_hidden_layers", 32),
    ("hidden_size", 4096),
    ("num_attention_heads", 32),
    ("intermediate_size", 11008),
    ("vocab_size", 32000),
];
const MISTRAL_CLASS: &[(&str, u64)] = &[
    ("num_hidden_layers", 32),
    ("hidden_size", 4096),
    ("num_attention_heads", 32),
    ("num_key_value_heads", 8),
    ("intermediate_size", 14336),
    ("vocab_size", 32000),
];
const GEMMA3_CLASS: &[(&str, u64)] = &[
    ("num_hidden_layers", 26),
    ("hidden_size", 2304),
    ("num_attention_heads", 8),
    ("num_key_value_heads", 4),
    ("intermediate_size", 9216),
    ("vocab_size", 262_208),
];

pub(super) const FAMILIES: &[Family] = &[
    Family { class_defaults: LLAMA_CLASS, ..LLAMA },
    Family {
        model_types: &["mistral", "ministral", "ministral3"],
        class_defaults: MISTRAL_CLASS,
        span: SpanRule::All(Some(4096)),
        ..PLAIN
    },
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
        class_defaults: GEMMA3_CLASS,
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
    Family { model_types: &["phi"], head_bias: Bias::Yes, norms: 1, adjust: adjust::phi, ..GPT },
    Family {
        model_types: &["glm"],
        qkv_bias: key("attention_bias", true),
        output_bias: Bias::No,
        ffn_bias: Bias::No,
        head_dim: Some(128),
        ..LLAMA
    },
    Family {
        model_types: &["glm4"],
        qkv_bias: key("attention_bias", false),
        output_bias: Bias::No,
        ffn_bias: Bias::No,
        head_dim: Some(128),
        norms: 4,
        ..LLAMA
    },
    Family { model_types: &["olmo"], ffn_bias: Bias::No, norms: 0, last_norms: 0, ..LLAMA },
    Family { model_types: &["granite", "cwm", "iquestcoder", "exaone", "smollm3", "hyperclovax"], ..LLAMA },
    Family {
        model_types: &["internlm3"],
        qkv_bias: key("qkv_bias", false),
        output_bias: key("bias", false),
        ffn_bias: key("bias", false),
        ..LLAMA
    },
    Family { model_types: &["helium"], output_bias: Bias::No, ..LLAMA },
    Family {
        model_types: &["ernie4_5"],
        tied: true,
        qkv_bias: key("use_bias", false),
        output_bias: key("use_bias", false),
        ffn_bias: key("use_bias", false),
        ..LLAMA
    },
    Family {
        model_types: &["seed_oss"],
        qkv_bias: key("attention_bias", true),
        output_bias: key("attention_out_bias", false),
        head_dim: Some(128),
        ..LLAMA
    },
    Family { model_types: &["arcee"], gated: false, ..LLAMA },
    Family { model_types: &["nemotron"], gated: false, norm_bias: true, ..LLAMA },
    Family {
        model_types: &["jais2"],
        gated: false,
        norm_bias: true,
        qkv_bias: key("attention_bias", true),
        output_bias: key("attention_bias", true),
        ffn_bias: key("mlp_bias", true),
        ..LLAMA
    },
    Family {
        model_types: &["apertus"],
        gated: false,
        ffn_bias: Bias::No,
        qk_norm: QkNorm::PerHead,
        adjust: adjust::apertus,
        ..LLAMA
    },
    Family { model_types: &["bitnet"], tied: true, ffn_bias: Bias::No, adjust: adjust::bitnet, ..LLAMA },
    Family {
        model_types: &["openelm"],
        attends: false,
        adjust: adjust::openelm,
        mixers: unusual::listed_mixers,
        networks: unusual::listed_networks,
        ..PLAIN
    },
    Family { model_types: &["hunyuan_v1_dense"], qk_norm: QkNorm::PerHead, ffn_bias: Bias::No, ..LLAMA },
    Family {
        model_types: &["exaone4"],
        qk_norm: QkNorm::PerHead,
        span: SpanRule::Pattern { every: 4, window: Some(4096) },
        ..PLAIN
    },
    Family {
        model_types: &["cohere2"],
        tied: true,
        ffn_bias: Bias::No,
        norms: 1,
        span: SpanRule::Pattern { every: 4, window: Some(4096) },
        ..LLAMA
    },
    Family {
        model_types: &["vaultgemma"],
        tied: true,
        ffn_bias: Bias::No,
        head_dim: Some(256),
        span: SpanRule::Pattern { every: 2, window: Some(4096) },
        ..LLAMA
    },
    Family { model_types: &["orion"], norm_bias: true, ..PLAIN },
    Family { model_types: &["persimmon"], adjust: adjust::persimmon, ..GPT },
    Family {
        model_types: &["codegen"],
        qkv_bias: Bias::No,
        output_bias: Bias::No,
        head_bias: Bias::Yes,
        norms: 1,
        adjust: adjust::four_times,
        ..GPT
    },
    Family {
        model_types: &["gpt_neo"],
        tied: true,
        qkv_bias: Bias::No,
        positions: Some(0),
        adjust: adjust::four_times,
        ..GPT
    },
    Family { model_types: &["qwen"], qkv_bias: Bias::Yes, adjust: adjust::qwen, ..PLAIN },
    Family { model_types: &["chatglm"], qkv_bias: key("add_qkv_bias", true), adjust: adjust::chatglm, ..PLAIN },
    Family {
        model_types: &["minicpm3"],
        tied: true,
        output_bias: Bias::No,
        ffn_bias: key("mlp_bias", false),
        mixers: mla::mixers,
        ..LLAMA
    },
    Family {
        model_types: &["youtu"],
        tied: true,
        output_bias: Bias::No,
        ffn_bias: Bias::No,
        mixers: mla::mixers,
        ..LLAMA
    },
    Family { model_types: &["mllama_text_model"], mixers: unusual::cross_attention, adjust: unusual::mllama, ..PLAIN },
    Family {
        model_types: &["nemotron-nas", "deci", "decilm"],
        norms: 0,
        mixers: unusual::block_mixers,
        networks: unusual::block_networks,
        ..PLAIN
    },
];
