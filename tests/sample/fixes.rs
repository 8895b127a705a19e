//! Fixes of the sample.

use simllm::quantity::format::{ms, number, signed};
use simllm::report::view::*;

use super::Sample;
use super::kernels;

pub fn fixes(sample: &Sample) -> Fixes {
    let t = &sample.lang.text().fixes;
    let evidence = |label: String, value: &str, note: String| Evidence { label, value: value.into(), note };
    let fix = |rank: &str, title: String, cause: String, remedy: String, saved: f64, stage: (&str, &str)| {
        Fix {
        rank: rank.into(),
        title: title.clone(),
        note: if rank == "1" && sample.targets.is_some() { t.clears.fill(&[("metric", &"TTFT")]) } else { String::new() },
        stage: stage.1.into(),
        stage_key: stage.0.into(),
        gain: signed_ms(-saved),
        gain_detail: t.gain.fill(&[("metric", &"TTFT"), ("from", &number(183.7)), ("to", &ms(183.7 - saved))]),
        evidence: vec![
            evidence(sample.say("Share of TTFT", "占 TTFT"), "57 %", sample.say("105 of 184 ms", "184 ms 中的 105 ms")),
            evidence(sample.say("Tensor core use", "Tensor Core 利用率"), "73 %", sample.say("of 312 TFLOPS bf16", "以 312 TFLOPS bf16 计")),
            evidence(sample.say("HBM use", "显存带宽利用率"), "7.6 %", sample.say("not the limit", "不是瓶颈")),
        ],
        cause,
        remedy,
        others: vec![t.other.fill(&[
            ("change", &sample.say("split the prompt over two GPUs (TP 2)", "输入拆到两块 GPU（TP 2）")),
            ("effect", &"TTFT 184 → 182 ms"),
        ])],
        owner: sample.say("Inference engine team", "推理引擎组"),
        check: Check {
            commands: "nsys profile -t cuda,nvtx -o ttft \\\n  vllm bench latency --model llama-3-8b --input-len 2048\nnsys stats -r cuda_gpu_kern_sum ttft.nsys-rep\ndcgmi dmon -e 1004,1005 -d 100".into(),
            expect: sample.say(
                "Confirm that gate_up and down take about 101 ms of a prefill, with tensor activity (1004) near 0.7.",
                "确认 gate_up 与 down 每次预填充约 101 ms，Tensor 活跃度（1004）约 0.7。",
            ),
        },
        copy_label: t.copy_check.fill(&[("n", &rank)]),
        ticket: format!("[simllm] {title}\n{}, A100 80GB PCIe, batch 1, prompt 2,048\nPredicted: TTFT 184 -> 139 ms", sample.model),
        ticket_label: t.ticket_of.fill(&[("n", &rank)]),
    }
    };
    let change = |name: String, effect: &str, difference: f64| Change {
        name,
        effect: effect.into(),
        difference: signed_ms(difference),
    };
    Fixes {
        cards: vec![
            fix(
                "1",
                sample.say("Run the FFN matrix products in INT8", "FFN 矩阵乘改用 INT8"),
                sample.say("gate_up and down are limited by bf16 arithmetic and already near what a tuned GEMM reaches on this GPU.", "gate_up 与 down 受 bf16 算力限制，已接近该 GPU 上调优 GEMM 的水平。"),
                sample.say("Quantise weights and activations of the FFN to INT8; its tensor throughput is twice that of bf16 here. Check the accuracy on your own evaluation set.", "把 FFN 的权重与激活量化为 INT8，此 GPU 的 INT8 吞吐是 bf16 的两倍。精度请在自己的评测集上确认。"),
                48.1,
                ("ffn", "FFN"),
            ),
            fix(
                "2",
                sample.say("Tokenise off the critical path", "把分词移出关键路径"),
                sample.say("The client waits for the tokeniser before the first kernel starts.", "首个内核启动之前，请求一直在等分词。"),
                sample.say("Use the Rust tokeniser with a pool, or send token ids.", "改用带线程池的 Rust 分词器，或直接发送 token id。"),
                14.6,
                ("host", kernels::name(Swatch::HOST, sample.lang.text())),
            ),
            fix(
                "3",
                sample.say("Fuse RoPE into the attention kernel", "把 RoPE 融合进注意力内核"),
                sample.say("RoPE is a pass of its own that reads and writes Q and K.", "RoPE 单独执行，需要再读写一遍 Q 和 K。"),
                sample.say("Switch to an attention backend with rotary embedding inside.", "换用内置旋转位置编码的注意力后端。"),
                0.94,
                ("attn", kernels::name(Swatch::ATTN, sample.lang.text())),
            ),
        ],
        limits: vec![
            change(sample.say("HBM bandwidth × 2", "HBM 带宽 × 2"), "TTFT 184 → 182 ms", -5.1),
            change(sample.say("Tensor throughput × 2", "Tensor 吞吐 × 2"), "TTFT 184 → 121 ms", -66.2),
        ],
        costs: vec![
            change(sample.say("CUDA graphs off", "关闭 CUDA Graph"), "TPOT 11.9 → 13.5 ms", 1.62),
            change(sample.say("Tensor parallel over PCIe", "经 PCIe 做张量并行"), "TTFT 184 → 207 ms", 19.8),
        ],
    }
}

fn signed_ms(value: f64) -> String {
    format!("{}\u{a0}ms", signed(value))
}
