//! One block: its attention and feed-forward network from the metadata, checked against and stored like its tensors.

use super::metadata::Metadata;
use super::{Tensor, storage_of};
use crate::spec::{
    AttentionSpec, DenseSpec, FfnSpec, LayerGroupSpec, Matrix, MlaSpec, MoeSpec, RecurrentKind, RecurrentSpec,
    SoftmaxSpec, Span, StorageSpec,
};

/// A block while it is described.
pub(super) struct Block<'a> {
    pub index: u64,
    pub tensors: &'a [&'a Tensor],
    pub metadata: &'a Metadata,
}

const MAX: u64 = 1 << 22;

impl Block<'_> {
    /// The block as a layer group of its own.
    pub fn describe(&self) -> LayerGroupSpec {
        let (attention, attention_tensors) = self.attention();
        let (ffn, ffn_tensors) = self.ffn();
        let hidden = self.metadata.hidden;
        let all: u64 = self.tensors.iter().fold(0, |sum: u64, t| sum.saturating_add(t.elements));
        let counted = |matrices: Vec<Matrix>| matrices.iter().map(Matrix::elements).sum::<u64>();
        let named = counted(attention.matrices(hidden)) + counted(ffn.matrices(hidden));
        let mut layer = LayerGroupSpec { count: 1, attention, ffn, other_parameters: all.saturating_sub(named) };
        self.store(&mut layer, &attention_tensors, &ffn_tensors);
        layer
    }

    /// What is wrong where the tensors attend and the metadata give them no heads that could.
    pub fn contradiction(&self) -> Option<String> {
        let attends = self.find("attn_k.weight").or_else(|| self.find("attn_qkv.weight"))?;
        let (heads, kv_heads) = (self.metadata.heads.at(self.index), self.metadata.kv_heads.at(self.index));
        let latent = self.metadata.kv_lora_rank.is_some() && heads > 0;
        let recurrent = self.tensors.iter().any(|t| rest(t).starts_with("ssm_"));
        let shared = heads > 0 && kv_heads > 0 && heads.is_multiple_of(kv_heads);
        let what = format!(
            "tensor `{}` attends, but attention.head_count is {heads} and head_count_kv is {kv_heads}",
            attends.name
        );
        (!latent && !recurrent && !shared).then_some(what)
    }

    fn find(&self, name: &str) -> Option<&Tensor> {
        self.tensors.iter().copied().find(|t| rest(t) == name)
    }

    fn having(&self, test: impl Fn(&str) -> bool) -> Vec<&Tensor> {
        self.tensors.iter().copied().filter(|t| t.shape.len() > 1 && test(rest(t))).collect()
    }

    /// How the block mixes tokens, and the tensors that do it.
    fn attention(&self) -> (AttentionSpec, Vec<&Tensor>) {
        let attends =
            self.having(|name| name.starts_with("attn_") && name.ends_with(".weight") && !name.contains("norm"));
        let recurrent =
            self.having(|name| name.starts_with("ssm_") && name.ends_with(".weight") && !name.contains("conv1d"));
        let heads = self.metadata.heads.at(self.index);
        let kv_heads = self.metadata.kv_heads.at(self.index);
        if let (Some(rank), true) = (self.metadata.kv_lora_rank, heads > 0) {
            return (self.mla(rank, heads), attends);
        }
        if !recurrent.is_empty() && self.find("ssm_in.weight").is_some() {
            return (self.recurrent(), recurrent);
        }
        if heads == 0 || kv_heads == 0 || !heads.is_multiple_of(kv_heads) {
            return (AttentionSpec::None, attends);
        }
        let metadata = self.metadata;
        let head_dim = metadata.head_dim(heads);
        let slides = metadata.window.filter(|_| metadata.pattern.slides(self.index));
        let spec = SoftmaxSpec {
            span: slides.map_or(Span::Full, Span::Sliding),
            value_head_dim: metadata.value_length.filter(|&value| value != head_dim),
            qk_norm: Some(self.find("attn_q_norm.weight").is_some()),
            kv_shared: self.index >= metadata.layers - metadata.shared_kv_layers,
            ..SoftmaxSpec::full(heads, kv_heads, head_dim)
        };
        (AttentionSpec::Softmax(spec), attends)
    }

    /// Latent attention. Where the file describes the cache (key_length = rank + rope), the heads have keys of their own.
    fn mla(&self, rank: u64, heads: u64) -> AttentionSpec {
        let metadata = self.metadata;
        let rope = metadata.rope_dimensions.unwrap_or(64);
        let key = metadata.key_length_mla.or(metadata.key_length).unwrap_or(192);
        AttentionSpec::Mla(MlaSpec {
            heads,
            q_lora_rank: metadata.q_lora_rank,
            kv_lora_rank: rank,
            rope_head_dim: rope,
            nope_head_dim: key.saturating_sub(rope).max(1),
            v_head_dim: metadata.value_length_mla.or(metadata.value_length).unwrap_or(128),
            index: None,
            weights: StorageSpec::default(),
        })
    }

    fn recurrent(&self) -> AttentionSpec {
        let ssm = self.metadata.ssm;
        let inner = ssm.inner.unwrap_or(2 * self.metadata.hidden).min(MAX);
        let state = ssm.state.unwrap_or(16);
        let kernel = ssm.kernel.unwrap_or(4);
        let width =
            |name: &str, axis: usize| self.find(name).and_then(|t| t.shape.get(axis).copied()).unwrap_or(1).min(MAX);
        let channels = inner + 2 * ssm.groups.unwrap_or(0) * state;
        let small =
            if self.find("ssm_x.weight").is_some() { width("ssm_x.weight", 1) + width("ssm_dt.weight", 0) } else { 0 };
        AttentionSpec::Recurrent(RecurrentSpec {
            kind: RecurrentKind::Mamba,
            heads: ssm.heads.filter(|_| small == 0).unwrap_or(1),
            input_width: width("ssm_in.weight", 1),
            inner_width: inner,
            inner_rank: (small > 0).then_some(small),
            state_size: Some(inner * state),
            conv_state_size: Some(channels * kernel),
            weights: StorageSpec::default(),
        })
    }

    /// How the block mixes channels, and the tensors that do it.
    fn ffn(&self) -> (FfnSpec, Vec<&Tensor>) {
        let matrices =
            self.having(|name| name.starts_with("ffn_") && name.ends_with(".weight") && !name.contains("norm"));
        let up = self.find("ffn_up.weight").and_then(|t| t.shape.get(1).copied());
        if let Some(spec) = self.experts(up) {
            return (FfnSpec::Moe(spec), matrices);
        }
        let Some(width) = up.filter(|&width| (1..=MAX).contains(&width)) else { return (FfnSpec::None, matrices) };
        let gated = self.find("ffn_gate.weight").is_some();
        // Phi-3 and Falcon-H1 keep gate and up in one tensor.
        let joined =
            self.find("ffn_down.weight").and_then(|t| t.shape.first().copied()).filter(|&down| 2 * down == width);
        let spec = match joined {
            Some(down) => DenseSpec::new(down, true),
            None => DenseSpec::new(width, gated),
        };
        (FfnSpec::Dense(spec), matrices)
    }

    /// Experts are one tensor of three dimensions each for gate, up and down.
    fn experts(&self, dense: Option<u64>) -> Option<MoeSpec> {
        let up = self.find("ffn_up_exps.weight").or_else(|| self.find("ffn_gate_up_exps.weight"))?;
        let [_, mut width, experts] = up.shape[..] else { return None };
        let gated = self.find("ffn_gate_exps.weight").is_some() || up.name.contains("gate_up");
        if up.name.contains("gate_up") {
            width /= 2;
        }
        if !(1..=MAX).contains(&width) || !(1..=1 << 16).contains(&experts) {
            return None;
        }
        let shared = self.find("ffn_up_shexp.weight").and_then(|t| t.shape.get(1).copied()).or(dense);
        Some(MoeSpec {
            experts,
            top_k: self.metadata.experts_used.unwrap_or(1).min(experts),
            expert_intermediate_size: width,
            gated,
            expert_bias: self.find("ffn_up_exps.bias").is_some(),
            shared_intermediate_size: shared.filter(|width| (1..=MAX).contains(width)),
            latent_size: None,
            weights: StorageSpec::default(),
            shared_weights: StorageSpec::default(),
            router_weights: StorageSpec::default(),
        })
    }

    /// Bits of each part from its tensors; what is left has 32 bits.
    fn store(&self, layer: &mut LayerGroupSpec, attention: &[&Tensor], ffn: &[&Tensor]) {
        layer.attention = layer.attention.clone().stored_as(storage_of(attention));
        let part =
            |test: fn(&str) -> bool| storage_of(&ffn.iter().copied().filter(|t| test(rest(t))).collect::<Vec<_>>());
        match &mut layer.ffn {
            FfnSpec::Dense(spec) => spec.weights = storage_of(ffn),
            FfnSpec::Moe(spec) => {
                spec.router_weights = part(|name| name.starts_with("ffn_gate_inp."));
                spec.shared_weights = part(|name| !name.contains("_exps") && !name.starts_with("ffn_gate_inp"));
                let mut experts = self.having(|name| name.contains("_exps."));
                experts.retain(|t| spec.expert_bias || !t.name.ends_with(".bias"));
                spec.weights = storage_of(&experts);
            }
            FfnSpec::None => {}
        }
    }
}

/// The name without `blk.N.`.
fn rest(tensor: &Tensor) -> &str {
    tensor.name.splitn(3, '.').nth(2).unwrap_or("")
}
