//! Waterfalls and kernel tables of the sample.

use simllm::quantity::format::{ABSENT, integer, ms, number, percent, with_unit};
use simllm::report::chart::{bars, scale};
use simllm::report::view::*;

use super::Sample;
use super::charts;
use super::kernels::{self, Bound, Kernel, decode, prefill, total};

pub fn waterfall(sample: &Sample, id: &'static str, prefix: &str, stages: Vec<kernels::Stage>) -> Waterfall {
    let t = sample.lang.text();
    let sum = total(&stages);
    let is_ttft = prefix.is_empty();
    let target = sample.targets.map(|(ttft, tpot)| if is_ttft { ttft } else { tpot });
    let times: Vec<f64> = stages.iter().map(kernels::Stage::ms).collect();
    let words = target.map_or(String::new(), |value| t.waterfall.target.fill(&[("value", &scale::label(value))]));
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
            hop(
                t.waterfall.host,
                if stage.bound() == Bound::Host { ms(stage.ms()) } else { "0 B".into() },
                Bound::Host,
            ),
            hop("PCIe", if stage.bound() == Bound::Pcie { "16.4 kB".into() } else { "0 B".into() }, Bound::Pcie),
            hop(
                "HBM",
                rate.map_or(ABSENT.into(), |r| {
                    t.reason.rate.fill(&[("rate", &with_unit(r, "GB/s")), ("share", &percent(r / 1935.0))])
                }),
                Bound::Hbm,
            ),
            Hop {
                name: "L2".into(),
                text: first.l2.map_or(ABSENT.into(), |l2| t.reason.hit_rate.fill(&[("share", &percent(l2))])),
                limiting: false,
            },
            hop(
                "SM",
                first.tflops.map_or(t.reason.nothing.into(), |f| {
                    t.reason.of_peak.fill(&[("share", &percent(f / 312.0)), ("dtype", &"bf16")])
                }),
                Bound::Tensor,
            ),
        ],
        kernels_label: t
            .waterfall
            .kernels_in
            .fill(&[("stage", &format!("{name} {}", prefix.trim_end_matches('-')).trim())]),
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

pub fn all_kernels(sample: &Sample) -> Kernels {
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
