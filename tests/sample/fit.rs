//! Memory, requirements, claims and trust of the sample.

use simllm::quantity::format::{percent, with_unit};
use simllm::report::chart::bars;
use simllm::report::view::*;

use super::Sample;
use super::single::{GIB, mark};

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
        row(
            sample.say("bf16 tensor cores", "bf16 Tensor Core"),
            &sample.say("required", "必需"),
            "312 TFLOPS",
            "",
            mark(Tone::PASS, t.pass),
        ),
        row(
            "FP8".into(),
            &sample.say("optional", "可选"),
            &sample.say("not on sm_80", "sm_80 没有"),
            "",
            mark(Tone::WARN, t.warn),
        ),
        row(sample.say("Compute capability", "计算能力"), "≥ 8.0", "8.0", "", mark(Tone::PASS, t.pass)),
        row(
            sample.say("Bandwidth for 15 ms a token", "每 token 15 ms 所需带宽"),
            "1,071 GB/s",
            "1,935 GB/s",
            "16.06 GB / 15 ms",
            mark(Tone::PASS, t.pass),
        ),
    ]
}

pub fn fit(sample: &Sample) -> Fit {
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
            claim(
                "prefill_latency_ms",
                "150 ms",
                "144 ms",
                sample.say(
                    "Near the modelled prefill of 2,048 tokens, 1.5 times the FLOP floor.",
                    "与 2,048 token 预填充的模拟值接近，约为 FLOP 下限的 1.5 倍。",
                ),
            ),
            claim(
                "decode_latency_ms_per_token",
                "8.50 ms",
                "11.9 ms",
                sample.say(
                    "This is the floor of streaming the weights (8.30 ms), without engine, attention and LM head.",
                    "这是读一遍权重的下限（8.30 ms），不含引擎、注意力与 LM head。",
                ),
            ),
            claim(
                "kv_cache_bytes_per_layer",
                "131,072 B",
                "4,096 B",
                sample.say(
                    "It fits the bytes of a token over all 32 layers at 16 bit.",
                    "它等于 16 位下每个 token 在全部 32 层的字节数。",
                ),
            ),
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
            message: sample.say(
                "rope_theta 10,000 differs from the catalogue's 500,000.",
                "rope_theta 为 10,000，与目录中的 500,000 不符。",
            ),
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
