//! Roofline, curves and heat table of the sample.

use simllm::quantity::format::{integer, ms, number, percent, with_unit};
use simllm::report::chart::{Dot, Layer, LineChart, Roofline, Sample as Point, StackedArea, bars};
use simllm::report::text::Text;
use simllm::report::view::{Column, Figure, Heat, HeatCell, HeatRow, Key, Scaling, Swatch, Table};

use super::Sample;
use super::kernels::{Stage, decode, name, prefill};
use super::single::whole;

pub fn table(label: String, titles: &[&str], rows: Vec<Vec<String>>) -> Table {
    let column = |(i, title): (usize, &&str)| Column { title: (*title).to_owned(), numeric: i > 0 };
    Table { label, columns: titles.iter().enumerate().map(column).collect(), rows }
}

pub fn roofline(t: &Text) -> Figure {
    let mut dots = Vec::new();
    let mut rows = Vec::new();
    for (phase, word, stages) in [("", t.kernel.prefill, prefill()), ("decode-", t.kernel.decode, decode())] {
        for Stage { swatch, kernels } in stages {
            for k in kernels {
                let (Some(intensity), Some(tflops)) = (k.intensity(), k.tflops) else { continue };
                let attained = k.attained().map_or("–".to_owned(), percent);
                let rate = with_unit(tflops, "TFLOPS");
                rows.push(vec![
                    format!("{} ({word})", k.name),
                    number(intensity),
                    number(tflops),
                    attained.clone(),
                    ms(k.ms),
                ]);
                if k.ms < 0.1 {
                    continue;
                }
                let label = if k.attained().is_some() { format!("{} {attained}", k.name) } else { k.name.to_owned() };
                let tip = format!("{} ({word})\n{} · {rate} · {} FLOP/B", k.name, ms(k.ms), number(intensity));
                let href = format!("kernel={phase}{}", k.name);
                let hollow = !phase.is_empty();
                dots.push(Dot { intensity, tflops, ms: k.ms, swatch, hollow, label, tip, href });
            }
        }
    }
    let chart = Roofline {
        label: t.kernels.roofline_aria.fill(&[("kernel", &"gate_up"), ("share", &"73 %"), ("ceiling", &"312 TFLOPS")]),
        x_title: t.kernels.intensity.to_owned(),
        y_title: t.kernels.rate.to_owned(),
        bandwidth: (1935.0, "1,935 GB/s".to_owned()),
        peaks: vec![(312.0, "312 TFLOPS bf16".to_owned())],
        dots,
    };
    let legend = prefill().into_iter().map(|s| Key { swatch: s.swatch, text: name(s.swatch, t).to_owned() }).skip(2);
    let titles = [t.kernel.kernel, t.kernels.intensity, t.kernels.rate, t.kernels.attained, t.kernel.time];
    Figure {
        id: "c-roofline",
        title: t.kernels.roofline.to_owned(),
        finding: t.kernels.roofline_finding.fill(&[("kernel", &"gate_up"), ("share", &"73 %")]),
        chart: chart.draw(),
        legend: legend.collect(),
        numbers: table(t.frame.numbers_of.fill(&[("chart", &t.kernels.roofline)]), &titles, rows),
    }
}

fn by_batch(sample: &Sample) -> Figure {
    let t = sample.lang.text();
    let points = [1u32, 2, 3, 4, 6, 8, 12, 16].map(|batch| {
        let load = f64::from(batch);
        (load, 39.3 + 143.5 * load * (1.0 - 0.03 * load.ln()), load * 82.0 / (1.0 + 0.02 * load), batch)
    });
    let samples = points.iter().map(|(x, y, rate, batch)| Point {
        x: *x,
        label: batch.to_string(),
        y: *y,
        low: y / 1.52,
        high: y * 1.52,
        tip: format!("Batch {batch}\nTTFT {}\n{}", ms(*y), with_unit(*rate, "tok/s")),
    });
    let words = t.scaling.sweet_spot.fill(&[("batch", &"2")]);
    let target = sample.targets.map(|(ttft, _)| (ttft, t.scaling.target.fill(&[("value", &whole(ttft))])));
    let finding = match sample.targets {
        Some((ttft, _)) if points[0].1 > ttft => t.scaling.by_batch_none.fill(&[("ttft", &ms(points[0].1))]),
        Some(_) => t.scaling.by_batch_largest.fill(&[("batch", &"1")]),
        None => t
            .scaling
            .by_batch_knee
            .fill(&[("batch", &"2"), ("reason", &sample.say("the tensor cores are full", "Tensor Core 已经跑满"))]),
    };
    let (first, last) = (points[0], points[7]);
    let chart = LineChart {
        label: t.scaling.by_batch_aria.fill(&[
            ("first", &ms(first.1)),
            ("first_batch", &first.3),
            ("last", &ms(last.1)),
            ("last_batch", &last.3),
        ]),
        x_title: t.scaling.batch_axis.to_owned(),
        y_title: t.scaling.ttft_axis.to_owned(),
        samples: samples.collect(),
        target,
        knee: Some((1, words)),
    };
    let rows = points.iter().map(|(_, y, rate, batch)| vec![batch.to_string(), ms(*y), number(*rate)]).collect();
    Figure {
        id: "c-batch",
        title: t.scaling.by_batch.to_owned(),
        finding,
        chart: chart.draw(),
        legend: Vec::new(),
        numbers: table(
            t.frame.numbers_of.fill(&[("chart", &t.scaling.by_batch)]),
            &[t.scaling.batch, "TTFT", t.scaling.throughput],
            rows,
        ),
    }
}

fn by_context(sample: &Sample) -> Figure {
    let t = sample.lang.text();
    let xs = [512.0, 2048.0, 4096.0, 8192.0, 16384.0, 24576.0, 32768.0];
    let parts = [
        (Swatch::FFN, t.scaling.weights, 9.35, 0.0),
        (Swatch::KV, t.scaling.kv, 0.06, 0.000_118),
        (Swatch::ATTN, t.scaling.compute, 0.35, 0.0),
        (Swatch::HOST, t.scaling.overhead, 1.95, 0.0),
    ];
    let at = |x: f64| parts.map(|(_, _, base, slope)| base + slope * x);
    let total = |x: f64| at(x).iter().sum::<f64>();
    let tip = |x: &f64| {
        let lines = parts.iter().zip(at(*x)).map(|((_, word, ..), value)| format!("\n{word} {}", ms(value)));
        format!("{} tokens\nTPOT {}{}", integer(*x as u64), ms(total(*x)), lines.collect::<String>())
    };
    let chart = StackedArea {
        label: t.scaling.by_context_aria.fill(&[
            ("first", &ms(total(512.0))),
            ("first_context", &"512"),
            ("last", &ms(total(32768.0))),
            ("last_context", &"32,768"),
        ]),
        x_title: t.scaling.context_axis.to_owned(),
        y_title: t.scaling.tpot_axis.to_owned(),
        xs: xs.to_vec(),
        layers: (0..4).map(|i| Layer { swatch: parts[i].0, values: xs.iter().map(|x| at(*x)[i]).collect() }).collect(),
        tips: xs.iter().map(tip).collect(),
        target: sample.targets.map(|(_, tpot)| (tpot, t.scaling.target.fill(&[("value", &whole(tpot))]))),
    };
    let row = |x: &f64| {
        let mut cells = vec![integer(*x as u64)];
        cells.extend(at(*x).map(ms));
        cells.push(ms(total(*x)));
        cells
    };
    let titles = [t.scaling.context, parts[0].1, parts[1].1, parts[2].1, parts[3].1, "TPOT"];
    let finding = match sample.targets {
        Some(_) => t.scaling.by_context_crosses.fill(&[("context", &"27,900")]),
        None => t.scaling.by_context_grows.fill(&[("first", &percent(0.01)), ("last", &percent(0.25))]),
    };
    Figure {
        id: "c-context",
        title: t.scaling.by_context.to_owned(),
        finding,
        chart: chart.draw(),
        legend: parts.map(|(swatch, text, ..)| Key { swatch, text: text.to_owned() }).to_vec(),
        numbers: table(
            t.frame.numbers_of.fill(&[("chart", &t.scaling.by_context)]),
            &titles,
            xs.iter().map(row).collect(),
        ),
    }
}

pub fn scaling(sample: &Sample) -> Scaling {
    let t = sample.lang.text();
    let batches = [1u64, 2, 4, 8, 16, 32];
    let value = |prompt: u64, batch: u64| {
        let tokens = (prompt * batch) as f64;
        22.0 + tokens * 0.0732 + tokens * prompt as f64 * 2.1e-6
    };
    let cell = |prompt: u64, batch: u64| {
        let none = |text: &str| HeatCell { text: text.to_owned(), class: "none", over: false, here: false };
        if prompt * batch > 400_000 {
            return none(t.scaling.out_of_memory);
        }
        let ttft = value(prompt, batch);
        HeatCell {
            text: number(ttft),
            class: bars::heat_class(ttft, 60.0, 40_000.0),
            over: sample.targets.is_some_and(|(target, _)| ttft > target),
            here: prompt == 2048 && batch == 1,
        }
    };
    let row = |prompt: u64| HeatRow {
        label: integer(prompt),
        cells: batches.iter().map(|batch| cell(prompt, *batch)).collect(),
    };
    let heat = Heat {
        id: "c-heat",
        title: t.scaling.by_both.to_owned(),
        lede: if sample.targets.is_some() { t.scaling.by_both_lede } else { t.scaling.by_both_untargeted }.to_owned(),
        columns: batches.iter().map(u64::to_string).collect(),
        rows: [512, 1024, 2048, 4096, 8192, 32_768].map(row).to_vec(),
    };
    Scaling { charts: vec![by_batch(sample), by_context(sample)], heat: Some(heat) }
}
