//! A scenario that fits.

use simllm::quantity::format::{ms, number, percent, with_unit};
use simllm::report::chart::{bars, scale};
use simllm::report::text::Inline;
use simllm::report::view::*;

use super::Sample;
use super::charts;
use super::fit::{fit, trust};
use super::fixes::fixes;
use super::kernels::{decode, prefill, total};
use super::waterfall::{all_kernels, waterfall};

pub const GIB: f64 = 79.25;

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
                ("target", text(whole(target))),
                ("low", text(ms(ttft / 1.52))),
            ]);
            let change = sample.say("INT8 weights and activations in the FFN", "FFN 改用 INT8 权重与激活");
            let fix = t.lede_fix.fill_inline(&[
                ("change", Inline::Link { text: change, href: "#fix=1".into() }),
                ("metric", text("TTFT".into())),
                ("value", strong(ms(135.6))),
            ]);
            lede = sample.lang.join(vec![lede, fix]);
            let over = ms(ttft - target);
            (mark(Tone::FAIL, t.not_ready), t.misses_one.fill(&[("metric", &"TTFT"), ("over", &over)]))
        }
        Some((target, _)) => {
            lede = t.lede_at_risk.fill_inline(&[
                ("value", strong(ms(ttft))),
                ("target", text(whole(target))),
                ("high", text(ms(ttft * 1.52))),
            ]);
            (mark(Tone::WARN, t.at_risk), t.meets.fill(&[("spare", &ms(target - ttft))]))
        }
        None => {
            lede = t.lede_untargeted.fill_inline(&[
                ("stage", text("FFN".into())),
                ("share", strong(percent(0.57))),
                ("option", Inline::Code("--budget ttft_ms=200".into())),
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
            Some(target) if value > target => {
                mark(Tone::FAIL, &t.over.fill(&[("over", &ms(value - target)), ("target", &whole(target))]))
            }
            Some(target) => mark(
                if band.1 > target { Tone::WARN } else { Tone::PASS },
                &t.under.fill(&[("spare", &ms(target - value)), ("target", &whole(target))]),
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

/// A target as the user gave it.
pub fn whole(target: f64) -> String {
    format!("{}\u{a0}ms", scale::label(target))
}

pub fn mark(tone: Tone, text: &str) -> Mark {
    Mark { tone, text: text.to_owned() }
}
