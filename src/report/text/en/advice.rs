//! Causes and remedies.

use super::P;
use super::{Advice, Causes, Confirm, Efforts, EvidenceWords, Fixes, Lever, Levers, Owners, Ticket};

pub(super) const FIXES: Fixes = Fixes {
    title: "What to fix first",
    lede: "Ranked by simulated gain. Each gain is a fresh simulation with only that change applied; gains overlap, so do not add them up.",
    none: "No single change saves more than half a percent. What is left is the hardware.",
    clears: P("Meets the {metric} target on its own"),
    clears_all: "Meets every target on its own",
    gain: P("{metric} {from} → {to}"),
    cause: "Cause",
    fix: "Fix",
    takes: "Takes",
    others: "Also",
    other: P("{change}: {gain} ({effort})"),
    owner: "Owner",
    check: "Check it on the machine",
    copy_check: P("Copy commands for fix {n}"),
    ticket: "Ticket text",
    ticket_of: P("Ticket text for fix {n}"),
    copy_ticket: "Copy ticket",
    limits: "If the hardware were faster",
    limits_lede: "Not fixes: they show which resource the time hangs on.",
    costs: "What would cost time",
    costs_lede: "Changes that look like gains and raise a metric here, simulated the same way.",
    change: "Change",
    effect: "Effect",
    unchanged: "unchanged",
};

pub(super) const ADVICE: Advice = Advice {
    lever: LEVERS,
    effort: Efforts {
        setting: "a setting",
        checkpoint: "another checkpoint",
        engineering: "engineering work",
        hardware: "other hardware",
        setting_takes: "A setting of the engine, no new checkpoint.",
        checkpoint_takes: "Another checkpoint: check its accuracy on your own evaluation set.",
        engineering_takes: "Work on the serving stack.",
        hardware_takes: "Other or more hardware.",
        frees: P("Frees {size} on each GPU."),
        needs: P("Takes {size} more on each GPU."),
        raises: P("Raises {metric} from {from} to {to}."),
    },
    owner: Owners {
        setting: "Serving operations",
        checkpoint: "Model optimisation",
        engineering: "Inference engine team",
        hardware: "Infrastructure and capacity",
    },
    cause: CAUSES,
    evidence: EVIDENCE,
    confirm: CONFIRM,
    ticket: Ticket {
        predicted: P("Predicted: {metric} {from} -> {to} ({saved})"),
        predicted_target: P("Predicted: {metric} {from} -> {to} ({saved}, target {target})"),
        cause: P("Cause: {text}"),
        change: P("Change: {text}"),
        takes: P("Takes: {text}"),
        check: P("Check: {text}"),
        reproduce: P("Reproduce: {command}"),
        report: P("Report: {link}"),
        input: P("Inputs: {hash}"),
    },
};

const LEVERS: Levers = Levers {
    embedding_device: Lever {
        title: P("Keep the embedding table in GPU memory"),
        change: P("Embedding table in GPU memory"),
        how: P("Load the table ({table}) with the other weights instead of offloading it; {free} is free."),
    },
    embedding_pinned: Lever {
        title: P("Page-lock the host copy of the embedding table"),
        change: P("Page-locked embedding table"),
        how: P("Allocate the table ({table}) in pinned memory, so that it needs no staging copy."),
    },
    pcie_generation: Lever {
        title: P("Move to the next PCIe generation"),
        change: P("Next PCIe generation"),
        how: P("A host and GPU with twice the link rate; today's copies reach {rate}."),
    },
    cuda_graphs: Lever {
        title: P("Capture decode steps as CUDA graphs"),
        change: P("CUDA graphs on"),
        how: P("Let the engine replay captured steps, so that the CPU issues one launch a step instead of {launches}."),
    },
    host_overhead: Lever {
        title: P("Take host work off the critical path"),
        change: P("No serial host work"),
        how: P(
            "Tokenise in a pool or send token ids, keep connections open, and overlap scheduling with the GPU. The gain shown is the limit: all serial host work gone.",
        ),
    },
    host_overhead_local: Lever {
        title: P("Take host work off the critical path"),
        change: P("No serial host work"),
        how: P(
            "Keep connections open, send token ids where the server takes them, and use a build that prepares a step while the GPU works. The gain shown is the limit: all serial host work gone, the time per layer kept.",
        ),
    },
    weights_fp8: Lever {
        title: P("Serve FP8 weights and activations"),
        change: P("FP8 weights and activations"),
        how: P("Use an FP8 checkpoint: half the bytes of 16 bit, and the FP8 rate of {fp8} instead of {bf16}."),
    },
    weights_fp8_stored: Lever {
        title: P("Store the weights in FP8"),
        change: P("FP8 weights"),
        how: P(
            "Use an FP8 checkpoint. This GPU has no FP8 arithmetic: the weights take half the bytes and are multiplied in 16 bit, which helps decode and hardly prefill.",
        ),
    },
    weights_int8_w8a8: Lever {
        title: P("Quantise weights and activations to INT8"),
        change: P("INT8 weights and activations"),
        how: P(
            "Use a W8A8 checkpoint (per-channel weights, per-token activations): half the bytes of 16 bit, and the INT8 rate of {int8} instead of {bf16}.",
        ),
    },
    weights_int8_file: Lever {
        title: P("Serve 8-bit weights"),
        change: P("INT8 weights"),
        how: P("Use a file with 8-bit weights. Simulated with 8 bits a weight; Q8_0 of llama.cpp stores 8.5."),
    },
    weights_int4: Lever {
        title: P("Serve 4-bit weights"),
        change: P("INT4 weights"),
        how: P(
            "Use an AWQ or GPTQ checkpoint with groups of 128: about a quarter of the 16-bit bytes, multiplied in 16 bit. It helps decode; prefill gains little.",
        ),
    },
    weights_int4_file: Lever {
        title: P("Serve 4-bit weights"),
        change: P("INT4 weights"),
        how: P(
            "Use a file with 4-bit weights. Simulated with 4.24 bits a weight; of llama.cpp's types, Q4_0 stores 4.5 and Q4_K_M about 4.85. It helps decode, not prefill.",
        ),
    },
    kv_fp8: Lever {
        title: P("Keep the KV cache in FP8"),
        change: P("FP8 KV cache"),
        how: P("Half the bytes of each cached token ({kv} today), and room for twice the tokens."),
    },
    kv_int8: Lever {
        title: P("Keep the KV cache in INT8"),
        change: P("INT8 KV cache"),
        how: P("Half the bytes of each cached token ({kv} today), and room for twice the tokens."),
    },
    fused_embedding_norm: Lever {
        title: P("Fuse the embedding gather with the first norm"),
        change: P("Fused embedding and norm"),
        how: P("One kernel gathers the rows and norms them, so that they are not written and read again."),
    },
    fused_sampler: Lever {
        title: P("Sample in one fused kernel"),
        change: P("Fused sampler"),
        how: P("Use rejection sampling in one kernel instead of sorting {vocab} logits for each sequence."),
    },
    more_ranks: Lever {
        title: P("Split each layer over {ranks} GPUs"),
        change: P("Tensor parallel {ranks}"),
        how: P(
            "Tensor parallelism over {ranks} GPUs: each reads its share of the weights, and two all-reduces a layer join the results over {link}.",
        ),
    },
    fewer_ranks: Lever {
        title: P("Use {ranks} GPUs instead of {now}"),
        change: P("Tensor parallel {ranks}"),
        how: P("At this load the all-reduces over {link} cost more than the split saves."),
    },
    memory_bandwidth: Lever {
        title: P("Twice the memory bandwidth"),
        change: P("Memory bandwidth × 2"),
        how: P("{bandwidth} today."),
    },
    compute: Lever {
        title: P("Twice the arithmetic rate"), change: P("Arithmetic rate × 2"), how: P("{bf16} today.")
    },
    with_engine: P("With {engine}: {flag}."),
};

const CAUSES: Causes = Causes {
    linear_prefill: P(
        "The matrix products of the layers take {time} of the {total} to the first token, at {share} of the {peak} peak.",
    ),
    linear_decode: P(
        "Each decode step reads {bytes} of {dtype} weights from GPU memory: the matrix products take {time} of {total} a token, at {share} of the peak bandwidth.",
    ),
    kv_traffic: P("Each decode step reads {bytes} of {dtype} KV cache: attention takes {time} of {total} a token."),
    host_both: P(
        "The CPU works alone for {prefill} of the {ttft} to the first token and for {decode} of each step: {what}.",
    ),
    host_prefill: P("The CPU works alone for {prefill} of the {ttft} to the first token: {what}."),
    host_decode: P("The CPU works alone for {decode} of each {tpot} step."),
    launch_gaps: P(
        "Without CUDA graphs the CPU launches {launches} kernels a step one by one; the GPU works for {gpu} and waits {wait} more.",
    ),
    table_pageable: P(
        "The embedding table ({bytes}) lies in pageable host memory and is staged, then copied at {rate}, in every prefill: {time} of {total}.",
    ),
    table_pinned: P(
        "The embedding table ({bytes}) lies in host memory and crosses PCIe at {rate} in every prefill: {time} of {total}.",
    ),
    rows_mapped: P("The embedding rows are read from host memory over PCIe at {rate}: {time} of {total}."),
    collectives_both: P(
        "{ranks} GPUs join their partial results twice a layer over {link}: all-reduces take {prefill} of the {ttft} to the first token and {decode} of each {tpot} step.",
    ),
    collectives_prefill: P(
        "{ranks} GPUs join their partial results twice a layer over {link}: all-reduces take {prefill} of the {ttft} to the first token.",
    ),
    collectives_decode: P(
        "{ranks} GPUs join their partial results twice a layer over {link}: all-reduces take {decode} of each {tpot} step.",
    ),
    embedding_pass: P("The embedding rows are written to memory and read back by the first norm: {time} a prefill."),
    sampling: P("{kind} sorts all {vocab} logits of every sequence for each token: sampling takes {time} of {total}."),
    hardware: "The hardware itself.",
};

const EVIDENCE: EvidenceWords = EvidenceWords {
    linear_share_of_ttft: "Matrix products in TTFT",
    linear_share_of_tpot: "Matrix products in TPOT",
    prefill_compute_use: "Peak arithmetic used in prefill",
    decode_bandwidth_use: "Memory bandwidth used in decode",
    kv_bytes_per_step: "KV cache read a step",
    attention_share_of_tpot: "Attention in TPOT",
    kv_share_of_memory: "KV cache in memory",
    host_share_of_ttft: "Host in TTFT",
    host_time: "Host time to first token",
    host_time_per_step: "Host time a step",
    launches_per_step: "Launches a step",
    launch_wait_per_step: "Wait for launches",
    gpu_time_per_step: "GPU time a step",
    table_bytes: "Embedding table",
    transfer_time: "Transfer a prefill",
    link_rate: "PCIe copies reach",
    collective_time_prefill: "All-reduces in prefill",
    collective_time_per_step: "All-reduces a step",
    ranks: "GPUs a layer",
    sampling_time_per_step: "Sampling a step",
    vocabulary_size: "Vocabulary",
    sampling_share_of_tpot: "Sampling in TPOT",
    embedding_time: "Embedding gather",
    of_time: P("{part} of {whole}"),
    of_ttft: P("of {whole} TTFT"),
    of_tpot: P("of {whole} TPOT"),
    of_peak: P("of {peak}"),
    of_tokens: P("{sequences} × {tokens} tokens"),
    of_size: P("{part} of {whole}"),
    shape: P("{rows} × {width} × 2 B"),
    on_paper: P("of {raw} on paper"),
    over_link: P("over {link}"),
    per_launch: P("5 µs each"),
    per_token: P("logits a sequence"),
};

const CONFIRM: Confirm = Confirm {
    linear_prefill: P("The matrix kernels add up to about {time} a prefill."),
    linear_decode: P("The matrix kernels add up to about {time} a decode step."),
    kv_traffic: P(
        "Each of the {calls} attention kernels of a step takes about {each} ({time} together) at {share} of the memory bandwidth, and longer as the context grows.",
    ),
    host: P(
        "The GPU idles for about {prefill} before and between the kernels of the first token, and {decode} between decode steps.",
    ),
    host_prefill: P("The GPU idles for about {prefill} before and between the kernels of the first token."),
    host_decode: P("The GPU idles for about {decode} between decode steps."),
    launch_gaps: P(
        "The timeline shows gaps between kernels: about {launches} launches a step, GPU busy for {gpu} of {total}.",
    ),
    transfer: P("One host-to-device copy of {bytes} a prefill takes about {time}."),
    transfer_pageable: P("One host-to-device copy of {bytes} a prefill, marked Pageable, takes about {time}."),
    tensor_activity: P("Tensor activity (1004) is near {tensor} while they run."),
    memory_activity: P("Memory activity (1005) is near {memory}, tensor activity (1004) low."),
    pcie_receive: P("PCIe receive (1010) shows {burst} in its busiest 100 ms; an average over 1 s hides it."),
    collectives: P("The all-reduce kernels add up to about {prefill} a prefill and {decode} a decode step."),
    embedding_pass: P("The gather takes about {time} a prefill, next to the first norm."),
    sampling: P("Sort and softmax kernels after the LM head add up to about {time} a step."),
};
