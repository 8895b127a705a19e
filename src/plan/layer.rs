//! The kernels of a transformer layer.

use super::{Calls, Phase, Step};
use crate::kernel::{AllReduce, DecodeAttention, Elementwise, ElementwiseOp, Kernel, Linear, PrefillAttention, Stage};
use crate::machine::KernelFamily;
use crate::scenario::Scenario;

/// Bytes of an activation element.
const ACTIVATION: f64 = 2.0;

pub(super) fn attention(scenario: &Scenario, step: &Step, calls: &mut Calls) {
    let model = &scenario.model;
    let (layers, hidden, head_dim) = (model.layers as f64, model.hidden_size as f64, model.head_dim as f64);
    let (heads, kv_heads) = (scenario.heads_per_rank(), scenario.kv_heads_per_rank());
    let format = scenario.machine.linear_format(model.weights, model.fp8_block_scales);
    let stage = Stage::Attention;
    let qkv = Linear::new(step.tokens, (heads + 2.0 * kv_heads) * head_dim, hidden, format);
    calls.add("qkv_proj", stage, layers, Kernel::Linear(qkv));
    let rotated = step.tokens * (heads + kv_heads) * head_dim;
    let pass = |op, flop_per_element: f64| {
        Kernel::Elementwise(Elementwise {
            op,
            rows: step.tokens,
            bytes: 2.0 * ACTIVATION * rotated,
            read_share: 0.5,
            flop: flop_per_element * rotated,
        })
    };
    // TensorRT-LLM fuses the head norms into its attention.
    if model.qk_norm && scenario.kernel_family() != KernelFamily::Trtllm {
        calls.add("qk_norm", stage, 2.0 * layers, pass(ElementwiseOp::Norm, 4.0));
    }
    calls.add("rope", stage, layers, pass(ElementwiseOp::Rope, 3.0));
    attention_kernel(scenario, step, calls);
    let output = Linear::new(step.tokens, hidden, heads * head_dim, format);
    calls.add("o_proj", stage, layers, Kernel::Linear(output));
    all_reduce(scenario, step, calls, "all_reduce_attention", stage);
}

fn attention_kernel(scenario: &Scenario, step: &Step, calls: &mut Calls) {
    let model = &scenario.model;
    let (layers, head_dim) = (model.layers as f64, model.head_dim as f64);
    let (heads, kv_heads) = (scenario.heads_per_rank(), scenario.kv_heads_per_rank());
    let kv_bytes = model.kv.bytes(head_dim);
    match step.phase {
        Phase::Prefill { sequences, tokens } => {
            let kernel =
                PrefillAttention { sequences, tokens, heads, kv_heads, head_dim, prefix: 0.0, window: 0.0, kv_bytes };
            calls.add("flash_attention", Stage::Attention, layers, Kernel::PrefillAttention(kernel));
            calls.add("kv_cache_write", Stage::KvCacheWrite, layers, Kernel::KvCacheWrite(kernel));
        }
        Phase::Decode { sequences, context } => {
            let kernel = DecodeAttention { sequences, context, heads, kv_heads, head_dim, window: 0.0, kv_bytes };
            calls.add("paged_attention", Stage::Attention, layers, Kernel::DecodeAttention(kernel));
        }
    }
}

pub(super) fn ffn(scenario: &Scenario, step: &Step, calls: &mut Calls) {
    let model = &scenario.model;
    let (layers, hidden) = (model.layers as f64, model.hidden_size as f64);
    let width = model.intermediate_size as f64 / scenario.ranks();
    let inputs = (model.ffn_matrices() - 1) as f64;
    let format = scenario.machine.linear_format(model.weights, model.fp8_block_scales);
    let (up_name, activation_name) =
        if model.gated_ffn { ("gate_up_proj", "silu_mul") } else { ("up_proj", "activation") };
    let up = Linear::new(step.tokens, inputs * width, hidden, format);
    calls.add(up_name, Stage::Ffn, layers, Kernel::Linear(up));
    let activation = Elementwise {
        op: ElementwiseOp::Activation,
        rows: step.tokens,
        bytes: ACTIVATION * step.tokens * width * (inputs + 1.0),
        read_share: inputs / (inputs + 1.0),
        flop: 5.0 * step.tokens * width,
    };
    calls.add(activation_name, Stage::Ffn, layers, Kernel::Elementwise(activation));
    let down = Linear::new(step.tokens, hidden, width, format);
    calls.add("down_proj", Stage::Ffn, layers, Kernel::Linear(down));
    all_reduce(scenario, step, calls, "all_reduce_ffn", Stage::Ffn);
}

/// Reads input and residual, writes sum and norm.
fn norm(step: &Step, hidden: f64) -> Kernel {
    Kernel::Elementwise(Elementwise {
        op: ElementwiseOp::Norm,
        rows: step.tokens,
        bytes: 4.0 * ACTIVATION * step.tokens * hidden,
        read_share: 0.5,
        flop: 5.0 * step.tokens * hidden,
    })
}

pub(super) fn norms(scenario: &Scenario, step: &Step, calls: &mut Calls) {
    let (layers, hidden) = (scenario.model.layers as f64, scenario.model.hidden_size as f64);
    let kernel = norm(step, hidden);
    calls.add("input_norm", Stage::Norm, layers, kernel);
    calls.add("post_attention_norm", Stage::Norm, layers, kernel);
    calls.add_beyond_reference("final_norm", Stage::Norm, 1.0, kernel);
}

fn all_reduce(scenario: &Scenario, step: &Step, calls: &mut Calls, name: &'static str, stage: Stage) {
    if scenario.deployment.tensor_parallel > 1 {
        let bytes = ACTIVATION * step.tokens * scenario.model.hidden_size as f64;
        let kernel = AllReduce { ranks: scenario.ranks(), bytes };
        calls.add(name, stage, scenario.model.layers as f64, Kernel::AllReduce(kernel));
    }
}
