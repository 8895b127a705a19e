//! A scenario that fits.

use simllm::quantity::format::{ABSENT, integer, ms, number, percent, signed, with_unit};
use simllm::report::chart::bars;
use simllm::report::text::Inline;
use simllm::report::view::*;

use super::Sample;
use super::charts;
use super::kernels::{self, Bound, Kernel, decode, prefill};

const GIB: f64 = 79.25;

/// The whole page.
pub fn single(sample: &Sample) -> PageView {
    let t = sample.lang.text();
    let content = Single {
        verdict: verdict(sample),
        ttft: Some(waterfall(sample, "ttft", "", prefill())),
        tpot: Some(waterfall(sample, "tpot", "decode-", decode())),
        fixes: fixes(sample),
        kernels: all_kernels(sample),
        scaling: Some(charts::scaling(sample)),
        fit: fit(sample),
        trust: trust(sample),
        repro: Repro {
            command: "simllm profile --model llama-3-8b --hardware a100_80gb_pcie \\\n  --prompt-len 2048 --gen-len 128 --budget ttft_ms=150 --budget tpot_ms=15".into(),
        },
    };
    let hardware = "A100 80GB PCIe";
    PageView {
        title: format!("TTFT {}: {} on {hardware}", ms(total(&prefill())), sample.model),
        context: t.frame.on.fill(&[("model", &sample.model), ("hardware", &hardware)]),
        tool: "simllm 0.1.0".into(),
        footer: t.frame.footer.fill(&[("tool", &"simllm 0.1.0"), ("hash", &"7f3c9a1e")]),
        json_name: "llama-3-8b-a100_80gb_pcie-full_inference.json".into(),
        content: Content::Single(Box::new(content)),
    }
}

fn total(stages: &[kernels::Stage]) -> f64 {
    stages.iter().map(kernels::Stage::ms).sum()
}

fn verdict(sample: &Sample) -> Verdict {
    let t = &sample.lang.text().verdict;
    let (ttft, tpot) = (total(&prefill()), total(&decode()));
    let strong = |text: String| Inline::Strong(text);
    let text = |text: String| Inline::Text(text);
    let mut lede;
    let (status, title) = match sample.targets {
        Some((target, _)) if ttft > target => {
            lede = t.lede_misses.fill_inline(&[
                ("metric", text("TTFT".into())),
                ("value", strong(ms(ttft))),
                ("target", text(ms(target))),
                ("low", text(ms(ttft / 1.52))),
            ]);
            lede.push(text(" ".into()));
            let change = sample.say("INT8 weights and activations in the FFN", "FFN 改用 INT8 权重与激活");
            lede.extend(t.lede_fix.fill_inline(&[
                ("change", Inline::Link { text: change, href: "#fix=1".into() }),
                ("metric", text("TTFT".into())),
                ("value", strong(ms(139.2))),
            ]));
            let over = ms(ttft - target);
            (mark(Tone::FAIL, t.not_ready), t.misses_one.fill(&[("metric", &"TTFT"), ("over", &over)]))
        }
        Some((target, _)) => {
            lede = t.lede_at_risk.fill_inline(&[
                ("value", strong(ms(ttft))),
                ("target", text(ms(target))),
                ("high", text(ms(ttft * 1.52))),
            ]);
            (mark(Tone::WARN, t.at_risk), t.meets.fill(&[("spare", &ms(target - ttft))]))
        }
        None => {
            lede = t.lede_untargeted.fill_inline(&[
                ("stage", text("FFN".into())),
                ("share", strong(percent(0.57))),
                ("option", text("--budget ttft_ms=200".into())),
            ]);
            (mark(Tone::NEUTRAL, t.no_target), t.untargeted.fill(&[("ttft", &ms(ttft)), ("tpot", &ms(tpot))]))
        }
    };
    let link = Inline::Link { text: t.how_far.into(), href: "#trust".into() };
    Verdict {
        status,
        facts: vec![
            format!("{} bf16", sample.model),
            "1 × A100 80GB PCIe".into(),
            "vllm@v1".into(),
            t.batch.fill(&[("n", &1)]),
            t.lengths.fill(&[("prompt", &"2,048"), ("gen", &"128")]),
        ],
        title,
        lede,
        heroes: heroes(sample, ttft, tpot),
        trust: t.error.fill_inline(&[("ttft", text("1.52".into())), ("tpot", text("1.48".into())), ("link", link)]),
    }
}

fn heroes(sample: &Sample, ttft: f64, tpot: f64) -> Vec<Hero> {
    let t = &sample.lang.text().verdict;
    let latency = |label: &str, value: f64, factor: f64, target: Option<f64>| {
        let band = (value / factor, value * factor);
        let mark = match target {
            Some(target) if value > target => mark(
                Tone::FAIL,
                &t.over.fill(&[("over", &ms(value - target)), ("target", &with_unit(target, "ms"))]),
            ),
            Some(target) => mark(
                if band.1 > target { Tone::WARN } else { Tone::PASS },
                &t.under.fill(&[("spare", &ms(target - value)), ("target", &with_unit(target, "ms"))]),
            ),
            None => mark(Tone::NEUTRAL, t.target_unset),
        };
        Hero {
            label: label.into(),
            value: number(value),
            unit: "ms".into(),
            bullet: Some(bars::bullet(value, Some(band), target, mark.tone)),
            mark,
            note: t.range.fill(&[("low", &number(band.0)), ("high", &ms(band.1))]),
        }
    };
    vec![
        latency(t.ttft, ttft, 1.52, sample.targets.map(|(ttft, _)| ttft)),
        latency(t.tpot, tpot, 1.48, sample.targets.map(|(_, tpot)| tpot)),
        Hero {
            label: t.speed.into(),
            value: number(75.5),
            unit: "tok/s".into(),
            bullet: None,
            mark: mark(Tone::NEUTRAL, t.target_unset),
            note: String::new(),
        },
        Hero {
            label: t.memory.into(),
            value: number(16.8),
            unit: t.of_capacity.fill(&[("capacity", &with_unit(GIB, "GiB"))]),
            bullet: Some(bars::share_bullet(16.8, GIB, Tone::PASS)),
            mark: mark(Tone::PASS, &t.fits.fill(&[("free", &with_unit(54.5, "GiB"))])),
            note: t.room.fill(&[("n", &"204")]),
        },
    ]
}

pub fn mark(tone: Tone, text: &str) -> Mark {
    Mark { tone, text: text.to_owned() }
}

fn waterfall(sample: &Sample, id: &'static str, prefix: &str, stages: Vec<kernels::Stage>) -> Waterfall {
    let t = sample.lang.text();
    let sum = total(&stages);
    let is_ttft = prefix.is_empty();
    let target = sample.targets.map(|(ttft, tpot)| if is_ttft { ttft } else { tpot });
    let times: Vec<f64> = stages.iter().map(kernels::Stage::ms).collect();
    let words = target.map_or(String::new(), |value| t.waterfall.target.fill(&[("value", &number(value))]));
    let lanes = bars::lanes(&times, sum, target);
    let w = &t.waterfall;
    Waterfall {
        id,
        title: if is_ttft { w.ttft } else { w.tpot }.into(),
        lede: if is_ttft { w.ttft_lede } else { w.tpot_lede }.into(),
        axis: bars::axis(sum, target, &words),
        stages: stages.iter().zip(lanes).map(|(s, bar)| stage(sample, prefix, s, bar, sum)).collect(),
        extras: Vec::new(),
        total: TextRow {
            name: if is_ttft { w.total_ttft } else { w.total_tpot }.into(),
            note: String::new(),
            time: ms(sum),
            share: percent(1.0),
        },
    }
}

fn stage(sample: &Sample, prefix: &str, stage: &kernels::Stage, bar: Bar, sum: f64) -> Stage {
    let t = sample.lang.text();
    let name = kernels::name(stage.swatch, t);
    let first = &stage.kernels[0];
    let bandwidth = first.gb_s.map_or(ABSENT.into(), |rate| with_unit(rate, "GB/s"));
    let reason = match stage.bound() {
        Bound::Host => t.reason.host.fill(&[("what", &stage.kernels[0].name)]),
        Bound::Pcie => t.reason.pcie.fill(&[("bytes", &"16.4 kB"), ("rate", &bandwidth)]),
        Bound::Tensor => t.reason.compute.fill(&[("share", &percent(first.attained().unwrap_or(0.0)))]),
        Bound::Hbm => {
            let share = percent(first.attained().unwrap_or(0.0));
            t.reason.hbm.fill(&[("bytes", &"1.05 GB"), ("share", &share)])
        }
        Bound::Latency => t.reason.latency.fill(&[]),
    };
    let hop = |name: &str, text: String, bound: Bound| Hop {
        name: name.into(),
        text,
        limiting: stage.bound() == bound || (bound == Bound::Tensor && stage.bound() == Bound::Latency),
    };
    let rate = first.gb_s.filter(|_| first.tflops.is_some());
    Stage {
        key: format!("{prefix}{}", stage.swatch.id),
        swatch: stage.swatch,
        name: name.into(),
        limiter: stage.bound().limited(t).into(),
        time: ms(stage.ms()),
        share: percent(stage.ms() / sum),
        bar,
        print: stage.ms() / sum >= 0.05,
        reason,
        path_label: t.waterfall.path.fill(&[("stage", &format!("{name} {}", prefix.trim_end_matches('-')).trim())]),
        path: vec![
            hop(t.waterfall.host, if stage.bound() == Bound::Host { ms(stage.ms()) } else { "0 B".into() }, Bound::Host),
            hop("PCIe", if stage.bound() == Bound::Pcie { "16.4 kB".into() } else { "0 B".into() }, Bound::Pcie),
            hop("HBM", rate.map_or(ABSENT.into(), |r| t.reason.rate.fill(&[("rate", &with_unit(r, "GB/s")), ("share", &percent(r / 1935.0))])), Bound::Hbm),
            Hop { name: "L2".into(), text: first.l2.map_or(ABSENT.into(), |l2| t.reason.hit_rate.fill(&[("share", &percent(l2))])), limiting: false },
            hop("SM", first.tflops.map_or(t.reason.nothing.into(), |f| t.reason.of_peak.fill(&[("share", &percent(f / 312.0)), ("dtype", &"bf16")])), Bound::Tensor),
        ],
        kernels_label: t.waterfall.kernels_in.fill(&[("stage", &format!("{name} {}", prefix.trim_end_matches('-')).trim())]),
        kernels: stage.kernels.iter().map(|k| kernel_row(sample, prefix, k)).collect(),
    }
}

fn kernel_row(sample: &Sample, prefix: &str, k: &Kernel) -> KernelRow {
    let text = |value: Option<String>| value.unwrap_or_else(|| ABSENT.into());
    KernelRow {
        key: format!("{prefix}{}", k.name),
        name: k.name.into(),
        shape: k.shape.into(),
        time: ms(k.ms),
        time_sort: bars::sort(Some(k.ms)),
        calls: integer(u64::from(k.calls)),
        calls_sort: k.calls.to_string(),
        occupancy: bars::meter(text(k.occupancy.map(percent)), k.occupancy, 1.0),
        bandwidth: bars::meter(text(k.gb_s.map(|r| with_unit(r, "GB/s"))), k.gb_s, 1935.0),
        l2: text(k.l2.map(percent)),
        l2_sort: bars::sort(k.l2),
        bound: k.bound.resource(sample.lang.text()).into(),
    }
}

fn all_kernels(sample: &Sample) -> Kernels {
    let t = sample.lang.text();
    let mut rows = Vec::new();
    let mut headroom = Vec::new();
    for (prefix, phase, stages) in [("", t.kernel.prefill, prefill()), ("decode-", t.kernel.decode, decode())] {
        let sum = total(&stages);
        for stage in &stages {
            for k in &stage.kernels {
                let row = PhaseKernel {
                    kernel: kernel_row(sample, prefix, k),
                    stage: Key { swatch: stage.swatch, text: kernels::name(stage.swatch, t).into() },
                    phase: phase.into(),
                    share: percent(k.ms / sum),
                    share_sort: bars::sort(Some(k.ms / sum)),
                };
                rows.push((k.ms, row));
                if let Some(share) = k.attained() {
                    let room = t.kernels.headroom.fill(&[("factor", &number(1.0 / share))]);
                    let line = Headroom {
                        key: format!("{prefix}{}", k.name),
                        name: k.name.into(),
                        note: format!("{phase} · {room}"),
                        swatch: stage.swatch,
                        share: bars::meter(percent(share), Some(share), 1.0),
                    };
                    headroom.push((k.ms / sum, line));
                }
            }
        }
    }
    rows.sort_by(|a, b| b.0.total_cmp(&a.0));
    headroom.sort_by(|a, b| b.0.total_cmp(&a.0));
    Kernels {
        roofline: charts::roofline(t),
        headroom: headroom.into_iter().map(|(_, line)| line).take(8).collect(),
        rows: rows.into_iter().map(|(_, row)| row).collect(),
    }
}

fn fixes(sample: &Sample) -> Fixes {
    let t = &sample.lang.text().fixes;
    let evidence = |label: String, value: &str, note: String| Evidence { label, value: value.into(), note };
    let fix = |rank: &str, title: String, cause: String, remedy: String, saved: f64, stage: (&str, &str)| Fix {
        rank: rank.into(),
        title: title.clone(),
        note: if rank == "1" && sample.targets.is_some() { t.clears.fill(&[("metric", &"TTFT")]) } else { String::new() },
        stage: stage.1.into(),
        stage_key: stage.0.into(),
        gain: signed_ms(-saved),
        gain_detail: t.gain.fill(&[("metric", &"TTFT"), ("from", &number(187.3)), ("to", &ms(187.3 - saved))]),
        evidence: vec![
            evidence(sample.say("Share of TTFT", "占 TTFT"), "57 %", sample.say("105 of 184 ms", "184 ms 中的 105 ms")),
            evidence(sample.say("Tensor core use", "Tensor Core 利用率"), "73 %", sample.say("of 312 TFLOPS bf16", "以 312 TFLOPS bf16 计")),
            evidence(sample.say("HBM use", "显存带宽利用率"), "7.6 %", sample.say("not the limit", "不是瓶颈")),
        ],
        cause,
        remedy,
        others: vec![t.other.fill(&[
            ("change", &sample.say("split the prompt over two GPUs (TP 2)", "输入拆到两块 GPU（TP 2）")),
            ("effect", &"TTFT 187 → 182 ms"),
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
        ticket: format!("[simllm] {title}\n{}, A100 80GB PCIe, batch 1, prompt 2,048\nPredicted: TTFT 187 -> 139 ms", sample.model),
        ticket_label: t.ticket_of.fill(&[("n", &rank)]),
    };
    let change = |name: String, effect: &str, difference: f64| Change { name, effect: effect.into(), difference: signed_ms(difference) };
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
            change(sample.say("HBM bandwidth × 2", "HBM 带宽 × 2"), "TTFT 187 → 182 ms", -5.1),
            change(sample.say("Tensor throughput × 2", "Tensor 吞吐 × 2"), "TTFT 187 → 121 ms", -66.2),
        ],
        costs: vec![
            change(sample.say("CUDA graphs off", "关闭 CUDA Graph"), "TPOT 11.9 → 13.5 ms", 1.62),
            change(sample.say("Tensor parallel over PCIe", "经 PCIe 做张量并行"), "TTFT 187 → 207 ms", 19.8),
        ],
    }
}

fn signed_ms(value: f64) -> String {
    format!("{}\u{a0}ms", signed(value))
}

pub fn requirements(sample: &Sample, memory: Mark, needs: &str) -> Vec<Requirement> {
    let t = &sample.lang.text().fit;
    let row = |item: String, needs: &str, has: &str, arithmetic: &str, mark: Mark| Requirement {
        item,
        needs: needs.into(),
        has: has.into(),
        arithmetic: arithmetic.into(),
        mark,
    };
    vec![
        row(sample.say("GPU memory", "显存"), needs, "71.3 GiB", "79.25 × 0.90", memory),
        row(sample.say("bf16 tensor cores", "bf16 Tensor Core"), &sample.say("required", "必需"), "312 TFLOPS", "", mark(Tone::PASS, t.pass)),
        row("FP8".into(), &sample.say("optional", "可选"), &sample.say("not on sm_80", "sm_80 没有"), "", mark(Tone::WARN, t.warn)),
        row(sample.say("Compute capability", "计算能力"), "≥ 8.0", "8.0", "", mark(Tone::PASS, t.pass)),
        row(sample.say("Bandwidth for 15 ms a token", "每 token 15 ms 所需带宽"), "1,071 GB/s", "1,935 GB/s", "16.06 GB / 15 ms", mark(Tone::PASS, t.pass)),
    ]
}

fn fit(sample: &Sample) -> Fit {
    let t = &sample.lang.text().fit;
    let parts = [
        (Swatch::FFN, t.weights.fill(&[("dtype", &"bf16")]), 14.96),
        (Swatch::KV, t.kv.fill(&[("sequences", &1), ("tokens", &"2,176")]), 0.27),
        (Swatch::ATTN, t.activations.into(), 0.59),
        (Swatch::HOST, t.runtime.into(), 1.0),
    ];
    let bar: Vec<_> = parts.iter().map(|(swatch, _, size)| (*swatch, *size)).collect();
    let row = |swatch, name: &str, size: f64| MemoryRow {
        swatch,
        name: name.into(),
        size: with_unit(size, "GiB"),
        share: percent(size / GIB),
    };
    let mut rows: Vec<_> = parts.iter().map(|(swatch, name, size)| row(Some(*swatch), name, *size)).collect();
    rows.push(row(None, t.free, GIB - 16.82));
    let (used, capacity) = (with_unit(16.82, "GiB"), with_unit(GIB, "GiB"));
    let claim = |claim: &str, claimed: &str, simulated: &str, explanation: String| Claim {
        claim: claim.into(),
        claimed: claimed.into(),
        simulated: simulated.into(),
        explanation,
    };
    Fit {
        memory: Memory {
            lede: t.budget_lede.fill(&[("used", &used), ("capacity", &capacity), ("limit", &percent(0.9))]),
            label: t.bar.fill(&[("used", &used), ("capacity", &capacity)]),
            segments: bars::segments(&bar, GIB),
            limit: bars::position(0.9, 1.0),
            rows,
        },
        requirements: requirements(sample, mark(Tone::PASS, t.pass), "16.8 GiB"),
        claims: vec![
            claim("prefill_latency_ms", "150 ms", "144 ms", sample.say("Near the modelled prefill of 2,048 tokens, 1.5 times the FLOP floor.", "与 2,048 token 预填充的模拟值接近，约为 FLOP 下限的 1.5 倍。")),
            claim("decode_latency_ms_per_token", "8.50 ms", "11.9 ms", sample.say("This is the floor of streaming the weights (8.30 ms), without engine, attention and LM head.", "这是读一遍权重的下限（8.30 ms），不含引擎、注意力与 LM head。")),
            claim("kv_cache_bytes_per_layer", "131,072 B", "4,096 B", sample.say("It fits the bytes of a token over all 32 layers at 16 bit.", "它等于 16 位下每个 token 在全部 32 层的字节数。")),
        ],
    }
}

pub fn trust(sample: &Sample) -> Trust {
    let t = &sample.lang.text().trust;
    let row = |metric: &str, rows: &str, median: &str, within: &str, basis: String| ErrorRow {
        metric: metric.into(),
        rows: rows.into(),
        median: median.into(),
        within: within.into(),
        basis,
    };
    let source = |name: &str, value: &str| Source { name: name.into(), value: value.into() };
    Trust {
        lede: t.errors_lede.fill(&[("class", &"calibrated")]),
        errors: vec![
            row("TTFT", "214", "9.6 %", "1.52", sample.say("prefill of static batches", "静态批的预填充")),
            row("TPOT", "391", "8.9 %", "1.48", sample.say("decode steps", "解码步")),
        ],
        assumed: vec![
            sample.say("GPU clocks hold at boost; no thermal throttling.", "GPU 保持 boost 频率，没有降频。"),
            sample.say("One static batch arrives at an idle server.", "一个静态 batch 到达空闲的服务。"),
            sample.say("No prefix cache hits, no speculative decoding.", "没有前缀缓存命中，没有投机解码。"),
        ],
        warnings: vec![Warning {
            message: sample.say("rope_theta 10,000 differs from the catalogue's 500,000.", "rope_theta 为 10,000，与目录中的 500,000 不符。"),
            help: sample.say("The catalogue's value was used.", "已采用目录中的值。"),
        }],
        sources: vec![
            source(t.model, "llama-3-8b, config.json, sha256 3b1f…c07e"),
            source(t.hardware, "a100_80gb_pcie, vendor datasheet"),
            source(t.calibration, t.calibrated),
            source(t.tool, "simllm 0.1.0"),
            source(t.hash, "7f3c9a1e"),
            source(t.created, t.not_recorded),
        ],
    }
}
