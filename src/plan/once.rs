//! What a step does once: embedding, LM head, sampling, and the copies at both ends.

use super::{Calls, Phase, Step};
use crate::kernel::{
    AllReduce, Direction, Elementwise, ElementwiseOp, HostMemory, Kernel, KernelCall, Linear, LinearFormat, Stage,
    Transfer, TransferKind,
};
use crate::scenario::Scenario;
use crate::spec::{EmbeddingPlacement, SamplerKind, SamplerMethod};

/// Bytes of an activation element, of a token id, of a logit.
const ACTIVATION: f64 = 2.0;
const TOKEN_ID: f64 = 4.0;
const LOGIT: f64 = 4.0;

fn to_device(bytes: f64, memory: HostMemory) -> Kernel {
    Kernel::Transfer(Transfer { kind: TransferKind::Pcie(Direction::ToDevice, memory), bytes })
}

pub(super) fn input(scenario: &Scenario, step: &Step, calls: &mut Calls) {
    let stage = Stage::InputEmbeddingLoad;
    let hidden = scenario.model.hidden_size as f64;
    let ids = to_device(TOKEN_ID * step.tokens, HostMemory::Pinned);
    calls.add_beyond_reference("copy_token_ids", stage, 1.0, ids);
    if scenario.switches.embedding_placement == EmbeddingPlacement::HostMapped {
        let rows = to_device(ACTIVATION * step.tokens * hidden, HostMemory::Mapped);
        calls.add_beyond_reference("read_mapped_rows", stage, 1.0, rows);
    }
    // Fused with the first norm, the rows are not written and read again.
    if !scenario.switches.fuse_embedding_norm {
        let gather = Elementwise {
            op: ElementwiseOp::Embedding,
            rows: step.tokens,
            bytes: 2.0 * ACTIVATION * step.tokens * hidden,
            read_share: 0.5,
            flop: 0.0,
        };
        calls.add("embedding_gather", stage, 1.0, Kernel::Elementwise(gather));
    }
}

/// The embedding table's way to the device, once a prefill, where it lives in host memory. Each rank takes its shard.
pub(super) fn table_copy(scenario: &Scenario) -> Vec<KernelCall> {
    let bytes = scenario.model.embedding_bytes() / scenario.ranks();
    let call =
        |name, kernel| KernelCall { name, stage: Stage::InputEmbeddingLoad, calls: 1.0, kernel, in_reference: false };
    let staging = Kernel::Transfer(Transfer { kind: TransferKind::Staging, bytes });
    match scenario.switches.embedding_placement {
        EmbeddingPlacement::Device | EmbeddingPlacement::HostMapped => Vec::new(),
        EmbeddingPlacement::HostPinned => vec![call("copy_embedding_table", to_device(bytes, HostMemory::Pinned))],
        EmbeddingPlacement::HostPageable => vec![
            call("stage_embedding_table", staging),
            call("copy_embedding_table", to_device(bytes, HostMemory::Pageable)),
        ],
    }
}

pub(super) fn output(scenario: &Scenario, step: &Step, calls: &mut Calls) {
    let model = &scenario.model;
    let (vocab, hidden) = (model.vocab_size as f64, model.hidden_size as f64);
    let head = Linear::new(step.rows, vocab / scenario.ranks(), hidden, LinearFormat::Bf16);
    calls.add("lm_head", Stage::OutputLogitsRead, 1.0, Kernel::Linear(head));
    if scenario.deployment.tensor_parallel > 1 {
        let ranks = scenario.ranks();
        let kernel = AllReduce { ranks, bytes: ACTIVATION * step.rows * vocab / ranks };
        calls.add("all_reduce_logits", Stage::OutputLogitsRead, 1.0, Kernel::AllReduce(kernel));
    }
    sampling(scenario, step, calls);
}

fn sampling(scenario: &Scenario, step: &Step, calls: &mut Calls) {
    let elements = step.rows * scenario.model.vocab_size as f64;
    let pass = |op, bytes_per_element: f64, flop: f64| {
        let bytes = bytes_per_element * elements;
        Kernel::Elementwise(Elementwise { op, rows: step.rows, bytes, read_share: 0.5, flop: flop * elements })
    };
    calls.add("logits_passes", Stage::Sampling, 3.0, pass(ElementwiseOp::Logits, 2.0 * LOGIT, 3.0));
    match (scenario.switches.sampler.kind, scenario.switches.sampler.method) {
        (SamplerKind::Greedy, _) => {}
        (SamplerKind::TopK | SamplerKind::TopP, SamplerMethod::Sort) => {
            // Radix sort of 32-bit keys with 64-bit indices: 4 digit passes that read and write both, and a counting read.
            let sort = pass(ElementwiseOp::Sort, 4.0 * (2.0 * 12.0 + LOGIT), 0.0);
            calls.add_beyond_reference("sort_vocabulary", Stage::Sampling, 1.0, sort);
            // Softmax, cumulative sum, mask, scatter back, softmax, draw: one launch each.
            let mask = pass(ElementwiseOp::Logits, 2.0 * LOGIT, 4.0);
            calls.add_beyond_reference("filter_vocabulary", Stage::Sampling, 6.0, mask);
        }
        (SamplerKind::TopK | SamplerKind::TopP, SamplerMethod::Fused) => {
            // A few rejection rounds read the probabilities again.
            let fused = pass(ElementwiseOp::RejectionSampling, 3.0 * LOGIT, 3.0);
            calls.add_beyond_reference("fused_sampling", Stage::Sampling, 1.0, fused);
        }
    }
    let ids = Transfer { kind: TransferKind::Pcie(Direction::ToHost, HostMemory::Pinned), bytes: TOKEN_ID * step.rows };
    let name = match step.phase {
        Phase::Prefill { .. } => "copy_first_token",
        Phase::Decode { .. } => "copy_next_token",
    };
    calls.add_beyond_reference(name, Stage::Sampling, 1.0, Kernel::Transfer(ids));
}
