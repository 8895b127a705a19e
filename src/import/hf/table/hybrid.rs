//! Families that mix attention with recurrent layers, or have no attention at all.

use super::{DEEPSEEK, LLAMA, PLAIN, QWEN_NEXT, mla_layer};
use crate::import::hf::family::{Bias, Family, QkNorm};
use crate::import::hf::moe::{self, Layers, MoeRule, Shared};
use crate::import::hf::{adjust, hybrid, recurrent};

pub(super) const FAMILIES: &[Family] = &[
    Family { model_types: &["qwen3_next"], ..QWEN_NEXT },
    Family {
        model_types: &["qwen3_5_text", "qwen3_5_moe_text"],
        recurrent: recurrent::gated_delta_net_apart,
        ..QWEN_NEXT
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
        qkv_bias: Bias::No,
        output_bias: Bias::No,
        norms: 1,
        moe: MoeRule { shared: Shared::Experts, router_buffer: true, ..moe::PLAIN },
        recurrent: recurrent::mamba2,
        mixers: hybrid::mixers,
        networks: hybrid::single_networks,
        ..LLAMA
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
    Family { model_types: &["bamba"], recurrent: recurrent::mamba2, mixers: hybrid::mixers, ..LLAMA },
    Family {
        model_types: &["granitemoehybrid"],
        moe: MoeRule { shared: Shared::Experts, ..moe::PLAIN },
        recurrent: recurrent::mamba2,
        mixers: hybrid::mixers,
        networks: hybrid::granite_networks,
        ..LLAMA
    },
    Family {
        model_types: &["lfm2"],
        tied: true,
        qk_norm: QkNorm::PerHead,
        adjust: adjust::lfm2,
        recurrent: recurrent::short_convolution,
        mixers: hybrid::mixers,
        ..PLAIN
    },
    Family {
        model_types: &["lfm2_moe"],
        tied: true,
        qk_norm: QkNorm::PerHead,
        moe: MoeRule { layers: Layers::AfterDense, router_buffer: true, ..moe::PLAIN },
        adjust: adjust::lfm2,
        recurrent: recurrent::short_convolution,
        mixers: hybrid::mixers,
        networks: moe::networks,
        ..PLAIN
    },
    Family {
        model_types: &["mamba", "falcon_mamba"],
        tied: true,
        attends: false,
        norms: 1,
        recurrent: recurrent::mamba,
        mixers: hybrid::only_recurrent,
        networks: hybrid::no_networks,
        ..PLAIN
    },
    Family {
        model_types: &["mamba2"],
        attends: false,
        norms: 1,
        recurrent: recurrent::mamba2,
        mixers: hybrid::only_recurrent,
        networks: hybrid::no_networks,
        ..PLAIN
    },
];
