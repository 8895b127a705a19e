//! Families with mixtures of experts in layers that all attend.

use super::{DEEPSEEK, LLAMA, PLAIN, QWEN_MOE, QWEN3};
use crate::import::hf::family::{Bias, Family, QkNorm, SpanRule};
use crate::import::hf::moe::{self, Layers, MoeRule, Shared};
use crate::import::hf::{adjust, gemma4, mimo, softmax, unusual};

/// Llama with experts.
const EXPERTS: Family = Family { networks: moe::networks, ..LLAMA };
/// Shared experts after dense layers.
const AFTER_DENSE: MoeRule = DEEPSEEK.moe;

pub(super) const FAMILIES: &[Family] = &[
    Family {
        model_types: &["qwen2_moe"],
        qkv_bias: Bias::Key("qkv_bias", true),
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
    Family {
        model_types: &["dbrx"],
        moe: moe::PLAIN,
        adjust: adjust::dbrx,
        networks: unusual::nested_experts,
        ..PLAIN
    },
    Family {
        model_types: &["hunyuan_v1_moe", "hunyuan"],
        moe: MoeRule { shared: Shared::Experts, ..moe::PLAIN },
        adjust: adjust::optional_head_norms,
        ..EXPERTS
    },
    Family { model_types: &["mixtral"], span: SpanRule::All(None), networks: moe::networks, ..PLAIN },
    Family {
        model_types: &["deepseek"],
        moe: MoeRule { router_buffer: false, ..DEEPSEEK.moe },
        mixers: softmax::mixers,
        ..DEEPSEEK
    },
    Family {
        model_types: &["deepseek_v2"],
        ffn_bias: Bias::Key("mlp_bias", false),
        moe: MoeRule { router_buffer: false, ..DEEPSEEK.moe },
        ..DEEPSEEK
    },
    Family { model_types: &["deepseek_v3", "deepseek_v32", "kimi_k2", "glm_moe_dsa"], ..DEEPSEEK },
    Family {
        model_types: &["glm4_moe"],
        output_bias: Bias::No,
        moe: DEEPSEEK.moe,
        adjust: adjust::optional_head_norms,
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
        model_types: &["mimo_v2_flash", "mimo_v2"],
        span: SpanRule::FirstAndEvery { every: 6, window: None },
        qkv_bias: Bias::Key("attention_bias", false),
        moe: MoeRule { layers: Layers::AfterDense, router_buffer: true, ..moe::PLAIN },
        mixers: mimo::mixers,
        networks: moe::networks,
        ..PLAIN
    },
    Family { model_types: &["glm4_moe_lite", "mistral4"], ..DEEPSEEK },
    Family {
        model_types: &["dots1"],
        qk_norm: QkNorm::PerHead,
        moe: AFTER_DENSE,
        span: SpanRule::FromLayer,
        ..EXPERTS
    },
    Family {
        model_types: &["solar_open"],
        output_bias: Bias::No,
        ffn_bias: Bias::No,
        head_dim: Some(128),
        moe: AFTER_DENSE,
        ..EXPERTS
    },
    Family { model_types: &["hy_v3"], qk_norm: QkNorm::PerHead, moe: AFTER_DENSE, ..EXPERTS },
    Family {
        model_types: &["exaone_moe"],
        qk_norm: QkNorm::PerHead,
        span: SpanRule::Pattern { every: 4, window: Some(4096) },
        moe: AFTER_DENSE,
        networks: moe::networks,
        ..PLAIN
    },
    Family {
        model_types: &["phimoe"],
        norm_bias: true,
        head_bias: Bias::Key("lm_head_bias", false),
        span: SpanRule::All(None),
        moe: moe::PLAIN,
        networks: moe::networks,
        ..LLAMA
    },
    Family { model_types: &["olmoe", "flex_olmo"], qk_norm: QkNorm::AllHeads, ..EXPERTS },
    Family {
        model_types: &["granitemoe", "granitemoeshared"],
        moe: MoeRule { shared: Shared::Experts, ..moe::PLAIN },
        ..EXPERTS
    },
    Family {
        model_types: &["ernie4_5_moe"],
        tied: true,
        head_bias: Bias::Key("use_bias", false),
        qkv_bias: Bias::Key("use_bias", false),
        output_bias: Bias::Key("use_bias", false),
        ffn_bias: Bias::Key("use_bias", false),
        moe: MoeRule { layers: Layers::StartToEnd, shared: Shared::Experts, router_bias: Bias::Yes, ..moe::PLAIN },
        networks: moe::networks,
        ..LLAMA
    },
    Family {
        model_types: &["bailing_moe", "bailing_moe_v2"],
        qkv_bias: Bias::Key("use_qkv_bias", false),
        output_bias: Bias::Key("use_bias", false),
        moe: AFTER_DENSE,
        adjust: adjust::optional_head_norms,
        networks: moe::networks,
        ..PLAIN
    },
    Family {
        model_types: &["afmoe"],
        norms: 4,
        qkv_bias: Bias::Key("attention_bias", false),
        output_bias: Bias::Key("attention_bias", false),
        qk_norm: QkNorm::PerHead,
        head_dim: Some(128),
        span: SpanRule::Pattern { every: 4, window: Some(1024) },
        moe: MoeRule { router_bias: Bias::Yes, router_buffer: false, ..AFTER_DENSE },
        mixers: unusual::gated_softmax,
        networks: moe::networks,
        ..PLAIN
    },
    Family {
        model_types: &["minimax_m3_vl_text", "minimax_m3"],
        qk_norm: QkNorm::PerHead,
        moe: MoeRule { layers: Layers::AfterDense, shared: Shared::Experts, router_buffer: true, ..moe::PLAIN },
        mixers: unusual::indexed_softmax,
        networks: moe::networks,
        ..PLAIN
    },
];
