//! The token mixer of a layer group: softmax attention, latent attention, or a recurrent state.

use super::{ACTIVATION, Calls, Phase, Step, all_reduce};
use crate::kernel::{
    AllReduce, CacheAppend, DecodeAttention, Elementwise, ElementwiseOp, Kernel, LatentAbsorb, LatentDecode,
    LatentPrefill, Linear, LinearFormat, PrefillAttention, RecurrentScan, Stage,
};
use crate::machine::KernelFamily;
use crate::scenario::Scenario;
use crate::spec::{AttentionSpec, IndexSpec, LayerGroupSpec, MlaSpec, RecurrentKind, RecurrentSpec, SoftmaxSpec, Span};

const STAGE: Stage = Stage::Attention;

/// Adds the token mixer of a group and its all-reduce.
pub(super) fn add(scenario: &Scenario, step: &Step, group: &LayerGroupSpec, calls: &mut Calls) {
    let layers = group.count as f64;
    let storage = scenario.model.attention_storage(&group.attention);
    let format = scenario.machine.linear_format(storage.dtype, scenario.model.fp8_block_scales);
    let part = Part { scenario, step, layers, format };
    match &group.attention {
        // Keys of another modality: a text-only request skips the layer's attention.
        AttentionSpec::Softmax(spec) if spec.span == Span::Cross => return,
        AttentionSpec::Softmax(spec) => part.softmax(spec, calls),
        AttentionSpec::Mla(spec) => part.latent(spec, calls),
        AttentionSpec::Recurrent(spec) => part.recurrent(spec, calls),
        AttentionSpec::None => return,
    }
    all_reduce(scenario, step, layers, calls, "all_reduce_attention", STAGE);
}

/// Tokens that an indexer selects.
fn selected(index: &Option<IndexSpec>) -> f64 {
    index.as_ref().and_then(|index| index.top_k).map_or(f64::INFINITY, |k| k as f64)
}

fn state_bytes(spec: &RecurrentSpec) -> f64 {
    (4 * spec.state_size.unwrap_or(0) + 2 * spec.conv_state_size.unwrap_or(0)) as f64
}

struct Part<'a> {
    scenario: &'a Scenario,
    step: &'a Step,
    layers: f64,
    format: LinearFormat,
}

impl Part<'_> {
    fn linear(&self, name: &'static str, n: f64, k: f64, calls: &mut Calls) {
        calls.add(name, STAGE, self.layers, Kernel::Linear(Linear::new(self.step.tokens, n, k, self.format)));
    }

    fn hidden(&self) -> f64 {
        self.scenario.model.hidden_size as f64
    }

    /// A pass over `elements` of each token.
    fn pass(&self, op: ElementwiseOp, elements: f64, flop_per_element: f64) -> Kernel {
        Kernel::Elementwise(Elementwise {
            op,
            rows: self.step.tokens,
            bytes: 2.0 * ACTIVATION * self.step.tokens * elements,
            read_share: 0.5,
            flop: flop_per_element * self.step.tokens * elements,
        })
    }

    fn softmax(&self, spec: &SoftmaxSpec, calls: &mut Calls) {
        let ranks = self.scenario.ranks();
        let (heads, kv_heads) = ((spec.heads as f64 / ranks).max(1.0), (spec.kv_heads as f64 / ranks).max(1.0));
        let (key, value) = (spec.head_dim as f64, spec.value_dim() as f64);
        let gate = if spec.output_gate { 2.0 } else { 1.0 };
        let cached = match (spec.kv_shared, spec.values_from_keys) {
            (true, _) => 0.0,
            (false, true) => kv_heads * key,
            (false, false) => kv_heads * (key + value),
        };
        self.linear("qkv_proj", heads * key * gate + cached, self.hidden(), calls);
        let rotated = (heads + kv_heads) * key;
        // TensorRT-LLM fuses the head norms into its attention.
        if spec.qk_norm == Some(true) && self.scenario.kernel_family() != KernelFamily::Trtllm {
            calls.add("qk_norm", STAGE, 2.0 * self.layers, self.pass(ElementwiseOp::Norm, rotated, 4.0));
        }
        if spec.qk_norm_over_heads && self.scenario.deployment.tensor_parallel > 1 {
            // Sums of squares of queries and keys, 32-bit.
            let bytes = 8.0 * self.step.tokens;
            calls.add("all_reduce_qk_norm", STAGE, self.layers, Kernel::AllReduce(AllReduce { ranks, bytes }));
        }
        calls.add("rope", STAGE, self.layers, self.pass(ElementwiseOp::Rope, rotated, 3.0));
        if let Some(index) = &spec.index {
            self.index(index, calls);
        }
        self.softmax_kernel(spec, heads, kv_heads, calls);
        self.linear("o_proj", self.hidden(), heads * value, calls);
    }

    fn softmax_kernel(&self, spec: &SoftmaxSpec, heads: f64, kv_heads: f64, calls: &mut Calls) {
        // Where keys and values differ in width, the mean stands for both products and both caches.
        let head_dim = (spec.head_dim + spec.value_dim()) as f64 / 2.0;
        let kv_bytes = self.scenario.model.kv.bytes(head_dim);
        let window = match spec.span {
            Span::Sliding(window) | Span::Chunked(window) => window as f64,
            Span::Full | Span::Cross => 0.0,
        };
        let selected = selected(&spec.index);
        match self.step.phase {
            Phase::Prefill { sequences, tokens } => {
                let prefix = 0.0;
                let kernel =
                    PrefillAttention { sequences, tokens, heads, kv_heads, head_dim, prefix, window, kv_bytes };
                calls.add("flash_attention", STAGE, self.layers, Kernel::PrefillAttention(kernel));
                if !spec.kv_shared {
                    calls.add("kv_cache_write", Stage::KvCacheWrite, self.layers, Kernel::KvCacheWrite(kernel));
                }
            }
            Phase::Decode { sequences, context } => {
                let kernel =
                    DecodeAttention { sequences, context, heads, kv_heads, head_dim, window, selected, kv_bytes };
                calls.add("paged_attention", STAGE, self.layers, Kernel::DecodeAttention(kernel));
                if !spec.kv_shared {
                    let row = kv_heads * (spec.head_dim as f64 + spec.value_dim() as f64) * kv_bytes;
                    self.append(sequences * row, calls);
                }
            }
        }
    }

    fn latent(&self, spec: &MlaSpec, calls: &mut Calls) {
        let heads = (spec.heads as f64 / self.scenario.ranks()).max(1.0);
        let (latent, rope) = (spec.kv_lora_rank as f64, spec.rope_head_dim as f64);
        let (key, value) = ((spec.nope_head_dim + spec.rope_head_dim) as f64, spec.v_head_dim as f64);
        match spec.q_lora_rank {
            Some(rank) => {
                self.linear("qkv_a_proj", rank as f64 + latent + rope, self.hidden(), calls);
                self.linear("q_b_proj", heads * key, rank as f64, calls);
            }
            None => self.linear("qkv_a_proj", heads * key + latent + rope, self.hidden(), calls),
        }
        calls.add("rope", STAGE, self.layers, self.pass(ElementwiseOp::Rope, (heads + 1.0) * key, 3.0));
        let weights = heads * latent * (spec.nope_head_dim as f64 + value);
        let absorb = LatentAbsorb { tokens: self.step.tokens, weights };
        calls.add("absorbed_kv_b", STAGE, self.layers, Kernel::LatentAbsorb(absorb));
        if let Some(index) = &spec.index {
            self.index(index, calls);
        }
        let selected = selected(&spec.index);
        let kv_bytes = self.scenario.model.kv.bytes(latent + rope);
        let row = (latent + rope) * kv_bytes;
        match self.step.phase {
            Phase::Prefill { sequences, tokens } => {
                let kernel = LatentPrefill { sequences, tokens, heads, key_dim: key, value_dim: value };
                calls.add("latent_attention", STAGE, self.layers, Kernel::LatentPrefill(kernel));
                self.append(sequences * tokens * row, calls);
            }
            Phase::Decode { sequences, context } => {
                let kernel = LatentDecode { sequences, context, selected, heads, latent, rope, kv_bytes };
                calls.add("latent_attention", STAGE, self.layers, Kernel::LatentDecode(kernel));
                self.append(sequences * row, calls);
            }
        }
        self.linear("o_proj", self.hidden(), heads * value, calls);
    }

    /// Bytes that the kernel before writes to the cache or the state.
    fn append(&self, bytes: f64, calls: &mut Calls) {
        calls.add("kv_cache_write", Stage::KvCacheWrite, self.layers, Kernel::CacheAppend(CacheAppend { bytes }));
    }

    /// The indexer's projections and its scores over the context, in 8 bit.
    fn index(&self, index: &IndexSpec, calls: &mut Calls) {
        let width = (index.heads * index.head_dim) as f64;
        let input = index.query_input.map_or(self.hidden(), |input| input as f64);
        let query = Linear::new(self.step.tokens, width, input, self.format);
        calls.add_beyond_reference("index_q_proj", STAGE, self.layers, Kernel::Linear(query));
        let key = Linear::new(self.step.tokens, index.head_dim as f64, self.hidden(), self.format);
        calls.add_beyond_reference("index_k_proj", STAGE, self.layers, Kernel::Linear(key));
        // Tokens of a prompt score those before them and themselves.
        let (sequences, span, scored) = match self.step.phase {
            Phase::Prefill { sequences, tokens } => (sequences, tokens, (tokens + 1.0) / 2.0),
            Phase::Decode { sequences, context } => (sequences, context, context),
        };
        let keys = sequences * span * index.head_dim as f64;
        let scores = Elementwise {
            op: ElementwiseOp::IndexScores,
            rows: self.step.tokens,
            bytes: keys,
            read_share: 1.0,
            flop: 2.0 * self.step.tokens * scored * width,
        };
        calls.add_beyond_reference("index_scores", STAGE, self.layers, Kernel::Elementwise(scores));
    }

    /// Passes beside the scan of linear attention (norms and rotary embedding of queries and keys, gates): as many and as
    /// wide as those of the model's softmax layers, which is how the scan was compared with whole steps.
    fn passes_beside_scan(&self, calls: &mut Calls) {
        let Some(softmax) = self.scenario.model.softmax() else { return };
        let ranks = self.scenario.ranks();
        let heads = (softmax.heads as f64 / ranks).max(1.0) + (softmax.kv_heads as f64 / ranks).max(1.0);
        let norms = softmax.qk_norm == Some(true) && self.scenario.kernel_family() != KernelFamily::Trtllm;
        let passes = if norms { 3.0 } else { 1.0 };
        let pass = self.pass(ElementwiseOp::Norm, heads * softmax.head_dim as f64, 4.0);
        calls.add("scan_passes", STAGE, passes * self.layers, pass);
    }

    fn recurrent(&self, spec: &RecurrentSpec, calls: &mut Calls) {
        let ranks = self.scenario.ranks();
        let heads = spec.heads as f64 / ranks;
        // Decay and step size, two values a head, are projected in 16 bit beside the quantised matrix.
        let small = if spec.kind == RecurrentKind::Linear { 2.0 * heads } else { 0.0 };
        self.linear("in_proj", spec.input_width as f64 / ranks - small, self.hidden(), calls);
        if small > 0.0 {
            let gates = Linear::new(self.step.tokens, small, self.hidden(), LinearFormat::Bf16);
            calls.add("gate_proj_small", STAGE, self.layers, Kernel::Linear(gates));
        }
        if let Some(rank) = spec.inner_rank {
            self.linear("inner_proj", rank as f64, spec.inner_width as f64 / ranks, calls);
        }
        let (sequences, prefill) = match self.step.phase {
            Phase::Prefill { sequences, .. } => (sequences, true),
            Phase::Decode { sequences, .. } => (sequences, false),
        };
        let scan = RecurrentScan {
            sequences,
            tokens: self.step.tokens,
            prefill,
            heads,
            state: spec.state_size.unwrap_or(0) as f64 / ranks,
            inner_width: spec.inner_width as f64 / ranks,
        };
        calls.add("recurrent_scan", STAGE, self.layers, Kernel::RecurrentScan(scan));
        self.append(sequences * state_bytes(spec) / ranks, calls);
        if spec.kind == RecurrentKind::Linear {
            self.passes_beside_scan(calls);
        }
        self.linear("out_proj", self.hidden(), spec.inner_width as f64 / ranks, calls);
    }
}
