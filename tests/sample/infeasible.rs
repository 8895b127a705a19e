//! A scenario that does not fit.

use simllm::quantity::format::{ABSENT, ms, with_unit};
use simllm::report::chart::bars;
use simllm::report::text::Inline;
use simllm::report::view::*;

use super::Sample;
use super::fit::{requirements, trust};
use super::single::mark;

/// The whole page.
pub fn infeasible(sample: &Sample) -> PageView {
    let t = sample.lang.text();
    let hardware = "1 × A100 80GB PCIe";
    let content = Infeasible {
        verdict: verdict(sample, hardware),
        shortfall: shortfall(sample, hardware),
        ways: ways(sample),
        requirements: requirements(sample, mark(Tone::FAIL, t.fit.fail), "83.8 GiB"),
        trust: trust(sample),
        repro: Repro {
            command: "simllm profile --model llama-3-8b --hardware a100_80gb_pcie \\\n  --batch-size 64 --prompt-len 8192 --gen-len 128".into(),
        },
    };
    PageView {
        title: format!("{}: {}", t.verdict.does_not_fit, sample.model),
        context: t.frame.on.fill(&[("model", &sample.model), ("hardware", &hardware)]),
        tool: "simllm 0.1.0".into(),
        footer: t.frame.footer.fill(&[("tool", &"simllm 0.1.0"), ("hash", &"90ab12cd")]),
        json_name: "llama-3-8b-a100_80gb_pcie-full_inference.json".into(),
        content: Content::Infeasible(Box::new(content)),
    }
}

fn gib(value: f64) -> String {
    with_unit(value, "GiB")
}

fn verdict(sample: &Sample, hardware: &str) -> Verdict {
    let t = &sample.lang.text().verdict;
    let change = sample.say("FP8 KV cache", "KV 缓存改用 FP8");
    let short = t.lede_short.fill_inline(&[
        ("needed", Inline::Strong(gib(83.8))),
        ("hardware", Inline::Text(hardware.into())),
        ("available", Inline::Strong(gib(71.3))),
    ]);
    let way = t.lede_way.fill_inline(&[("change", Inline::Link { text: change, href: "#ways".into() })]);
    Verdict {
        status: mark(Tone::FAIL, t.does_not_fit),
        facts: vec![
            format!("{} bf16", sample.model),
            hardware.into(),
            t.batch.fill(&[("n", &64)]),
            t.lengths.fill(&[("prompt", &"8,192"), ("gen", &"128")]),
        ],
        title: t.short.fill(&[("missing", &gib(12.5))]),
        lede: sample.lang.join(vec![short, way]),
        heroes: heroes(sample),
        trust: Vec::new(),
    }
}

fn heroes(sample: &Sample) -> Vec<Hero> {
    let t = &sample.lang.text().verdict;
    let hero = |label: &str, value: &str, unit: &str, mark: Mark, note: String| Hero {
        label: label.into(),
        value: value.into(),
        unit: unit.into(),
        bullet: None,
        mark,
        note,
    };
    let asked = |value: &str| mark(Tone::FAIL, &t.asked.fill(&[("value", &value)]));
    let mut needed =
        hero(t.needed, "83.8", "GiB", mark(Tone::FAIL, &t.over_available.fill(&[("over", &gib(12.5))])), String::new());
    needed.bullet = Some(bars::bullet(83.8, None, Some(71.3), Tone::FAIL));
    let share = t.utilisation.fill(&[("capacity", &gib(79.25)), ("share", &"90 %")]);
    let mut available = hero(t.available, "71.3", "GiB", mark(Tone::NEUTRAL, &share), String::new());
    available.bullet = Some(bars::bullet(71.3, None, None, Tone::NEUTRAL));
    vec![
        needed,
        available,
        hero(t.largest_batch, "51", "", asked("64"), t.at_lengths.fill(&[("prompt", &"8,192"), ("gen", &"128")])),
        hero(t.largest_prompt, "6,592", "tokens", asked("8,192"), t.at_batch.fill(&[("n", &64)])),
    ]
}

fn shortfall(sample: &Sample, hardware: &str) -> Shortfall {
    let text = sample.lang.text();
    let (t, fit) = (&text.shortfall, &text.fit);
    let parts = [
        (Swatch::FFN, fit.weights.fill(&[("dtype", &"bf16")]), "8,030,261,248 × 2 B", 14.96),
        (Swatch::KV, fit.kv.fill(&[("sequences", &64), ("tokens", &"8,320")]), "64 × 8,320 × 131,072 B", 65.0),
        (Swatch::ATTN, fit.activations.into(), "8,192 × 188 kB", 1.48),
        (Swatch::HOST, fit.runtime.into(), "", 2.36),
    ];
    let bar: Vec<_> = parts.iter().map(|(swatch, _, _, size)| (*swatch, *size)).collect();
    let row = |swatch, name: &str, arithmetic: &str, size: f64| ShortfallRow {
        swatch,
        name: name.into(),
        arithmetic: arithmetic.into(),
        size: gib(size),
    };
    Shortfall {
        lede: t.lede.fill(&[("hardware", &hardware)]),
        label: t.bar.fill(&[("needed", &gib(83.8)), ("available", &gib(71.3))]),
        segments: bars::segments(&bar, 83.8),
        limit: bars::position(71.3, 83.8),
        limit_text: t.limit.fill(&[("value", &gib(71.3))]),
        rows: parts.iter().map(|(swatch, name, sum, size)| row(Some(*swatch), name, sum, *size)).collect(),
        needed: row(None, t.needed, "", 83.8),
        available: row(None, &t.available.fill(&[("hardware", &hardware)]), "79.25 GiB × 0.90", 71.3),
        missing: row(None, t.missing, "83.8 − 71.3", 12.5),
    }
}

fn ways(sample: &Sample) -> Ways {
    let t = &sample.lang.text().shortfall;
    let way = |change: String, option: &str, short: Option<f64>, ttft: f64, tpot: f64, memory: &str| Way {
        change,
        option: option.into(),
        mark: match short {
            None => mark(Tone::PASS, t.yes),
            Some(short) => mark(Tone::FAIL, &t.still_short.fill(&[("missing", &gib(short))])),
        },
        ttft: if short.is_none() { ms(ttft) } else { ABSENT.into() },
        tpot: if short.is_none() { ms(tpot) } else { ABSENT.into() },
        memory: memory.into(),
    };
    Ways {
        rows: vec![
            way(
                sample.say("FP8 KV cache", "KV 缓存改用 FP8"),
                "--kv-dtype fp8",
                None,
                43_120.0,
                38.2,
                "51.3 / 71.3 GiB",
            ),
            way(
                sample.say("Batch 48 instead of 64", "batch 由 64 降到 48"),
                "--batch-size 48",
                None,
                32_410.0,
                36.9,
                "67.5 / 71.3 GiB",
            ),
            way(
                sample.say("Prompt 6,400 instead of 8,192", "输入由 8,192 降到 6,400"),
                "--prompt-len 6400",
                None,
                32_910.0,
                37.4,
                "69.8 / 71.3 GiB",
            ),
            way(sample.say("Two GPUs", "两块 GPU"), "--tensor-parallel 2", None, 26_300.0, 24.1, "44.1 / 71.3 GiB"),
            way(
                sample.say("INT8 weights", "权重改用 INT8"),
                "--weights-dtype int8",
                Some(5.03),
                0.0,
                0.0,
                "76.3 / 71.3 GiB",
            ),
        ],
    }
}
