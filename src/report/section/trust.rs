//! How far to believe the page: errors, meanings, assumptions, warnings, sources, fine print.

use super::page;
use crate::diagnose::{Band, ClassError};
use crate::machine::{LinkCost, Machine};
use crate::quantity::KvDtype;
use crate::quantity::format::{ABSENT, NBSP, gib, integer, ms, with_unit};
use crate::report::text::{Label, Text};
use crate::report::view::{ErrorRow, FinePrint, Source, Trust, Warning};
use crate::report::words::{names, warning};
use crate::report::{Report, Told};
use crate::scenario::{Engine, ModelOrigin};
use crate::simulate::Metrics;
use crate::spec::{Boundary, CostingClass, KeptApart, SamplerKind, SamplerMethod, ScenarioKind};

/// The section.
pub(super) fn build(report: &Report, text: &Text) -> Trust {
    let words = &text.trust;
    let machine = &report.scenario.machine;
    let errors = report.told().map_or_else(Vec::new, |told| errors(report, told, text));
    let warnings = warning::all(report, text);
    Trust {
        lede: words.errors_lede.fill(&[("class", &class(machine.class, text))]),
        errors,
        meanings: report.told().map_or_else(Vec::new, |told| meanings(report, &told.run.metrics, text)),
        assumed: assumed(report, text),
        warnings: warnings.into_iter().map(|w| Warning { message: w.message, help: w.help }).collect(),
        sources: sources(report, text),
        fine_print: (!machine.sheet.conditions.is_empty()).then(|| FinePrint {
            title: words.fine_print.fill(&[("hardware", &machine.name)]),
            lines: machine.sheet.conditions.clone(),
        }),
    }
}

const fn class(class: CostingClass, text: &Text) -> Label {
    match class {
        CostingClass::Calibrated => text.trust.calibrated,
        CostingClass::Sibling => text.trust.sibling,
        CostingClass::Datasheet => text.trust.datasheet,
    }
}

fn errors(report: &Report, told: &Told, text: &Text) -> Vec<ErrorRow> {
    let words = &text.trust;
    let widened = report.scenario.model.kv == KvDtype::Int4;
    let row = |metric: &str, band: Option<Band>, basis: Label| {
        let error = band?.error;
        let remark = widened.then_some(words.widened);
        let [rows, median, kept_apart, within, held] = cells(&error, text);
        let basis = [basis].into_iter().chain(remark).collect::<Vec<_>>().join(text.frame.comma);
        Some(ErrorRow { metric: metric.to_owned(), rows, median, kept_apart, within, held, basis })
    };
    let ttft = row("TTFT", told.bands.ttft, words.of_prefill);
    let tpot = row("TPOT", told.bands.tpot, words.of_decode);
    ttft.into_iter().chain(tpot).collect()
}

/// The measurements behind a band: rows, median error, that of rows kept apart, factor, and what factors found without
/// the rows hold of them.
pub(in crate::report) fn cells(error: &ClassError, text: &Text) -> [String; 5] {
    let band = error.band;
    let percent = |value: Option<f64>| value.map_or_else(|| ABSENT.to_owned(), |v| format!("{v:.1}{NBSP}%"));
    let kept = |kept: KeptApart| {
        let holes: [(&str, &dyn std::fmt::Display); 2] =
            [("median", &percent(Some(kept.median_percent))), ("rows", &integer(kept.rows))];
        text.trust.kept_cell.fill(&holes)
    };
    [
        integer(band.rows),
        percent(band.median_percent),
        band.kept_apart.map_or_else(|| ABSENT.to_owned(), kept),
        format!("{:.2}", error.factor),
        percent(band.coverage_percent),
    ]
}

/// What each figure of this report means.
fn meanings(report: &Report, metrics: &Metrics, text: &Text) -> Vec<Source> {
    let words = &text.meaning;
    let gen_len = report.scenario.workload.gen_len;
    let entry = |name: Label, value: String| Source { name: name.to_owned(), value };
    let switches = &report.scenario.switches;
    let ttft = match (switches.boundary, switches.cpu_overhead) {
        (Boundary::Engine, _) => words.ttft_engine.to_owned(),
        (Boundary::Client, Some(overhead)) => words.ttft_given.fill(&[("overhead", &ms(overhead.ms()))]),
        (Boundary::Client, None) => words.ttft_client.to_owned(),
    };
    let spread = metrics.tpot_stddev_ms.zip(metrics.tpot_p99_ms).map(|(stddev, p99)| {
        words.tpot_text.fill(&[
            ("steps", &integer(gen_len.saturating_sub(1))),
            ("stddev", &ms(stddev)),
            ("p99", &ms(p99)),
        ])
    });
    let whole = |phrase: &crate::report::text::Phrase, value: f64| {
        phrase.fill(&[("value", &ms(value)), ("gen", &integer(gen_len))])
    };
    let entries = [
        metrics.ttft_ms.map(|_| entry(words.ttft, ttft)),
        spread.map(|spread| entry(words.tpot, spread)),
        metrics.tpot_inclusive_ms.map(|value| entry(words.inclusive, whole(&words.inclusive_text, value))),
        metrics.e2e_ms.map(|value| entry(words.e2e, whole(&words.e2e_text, value))),
    ];
    entries.into_iter().flatten().collect()
}

fn assumed(report: &Report, text: &Text) -> Vec<String> {
    let (words, scenario) = (&text.trust, &report.scenario);
    let memory = report.memory();
    let sampler = scenario.switches.sampler;
    let kind = sampler.kind.name();
    let sampling = match (sampler.kind, sampler.method) {
        (SamplerKind::Greedy, _) => words.greedy.to_owned(),
        (_, SamplerMethod::Sort) => words.sorted.fill(&[("kind", &kind)]),
        (_, SamplerMethod::Fused) => words.fused.fill(&[("kind", &kind)]),
    };
    let reserve = if scenario.deployment.runtime_reserve.is_some() { &words.reserve_set } else { &words.reserve };
    let deployment = &scenario.deployment;
    let local = deployment.engine.local.is_some();
    let decodes = scenario.workload.scenario != ScenarioKind::Prefill;
    let graphs = match scenario.switches.cuda_graphs {
        _ if !decodes => words.prefill_launched,
        true => words.graphs_on,
        false => words.graphs_off,
    };
    let stages = deployment.pipeline_parallel;
    let pipeline = (stages > 1).then(|| words.pipeline.fill(&[("n", &stages)]));
    let network = scenario.crosses_nodes().then(|| {
        let network = scenario.machine.costs.collective.network;
        words.network.fill(&[("n", &network.node_gpus), ("rate", &with_unit(network.rate, "GB/s"))])
    });
    let mut list = vec![match scenario.workload.batch_size {
        1 => words.idle_single.to_owned(),
        n => words.idle_server.fill(&[("n", &integer(n))]),
    }];
    list.extend(pipeline);
    list.extend(network);
    list.extend([
        words.clocks.to_owned(),
        words.left_out.to_owned(),
        if local { words.local.to_owned() } else { graphs.to_owned() },
        sampling,
        reserve.fill(&[("size", &gib((memory.activation + memory.runtime).get()))]),
        if local { words.modelled_local.to_owned() } else { words.modelled.to_owned() },
    ]);
    list
}

fn sources(report: &Report, text: &Text) -> Vec<Source> {
    let words = &text.trust;
    let (scenario, origin) = (&report.scenario, &report.origin_of_report);
    let engine = &scenario.deployment.engine;
    let entry = |name: Label, value: String| Source { name: name.to_owned(), value };
    let or_name = |source: &str, name: &str| {
        if source.is_empty() { name.to_owned() } else { format!("{name}{}{source}", text.frame.comma) }
    };
    let architecture = match &report.origin {
        ModelOrigin::Profile => words.architecture_profile.to_owned(),
        ModelOrigin::Catalogue(id) => words.architecture_catalogue.fill(&[("id", id)]),
    };
    let calibration =
        if origin.calibration.is_empty() { sets(&scenario.machine, text) } else { origin.calibration.clone() };
    let provenance = [&origin.hardware_source, &origin.hardware_provenance];
    let provenance: Vec<&str> = provenance.into_iter().map(String::as_str).filter(|s| !s.is_empty()).collect();
    vec![
        entry(words.model, or_name(&origin.model_source, &scenario.model.name)),
        entry(words.architecture, architecture),
        entry(words.hardware, or_name(&provenance.join(text.frame.comma), &page::hardware(report))),
        entry(words.class, class(scenario.machine.class, text).to_owned()),
        entry(words.calibration, calibration),
        entry(words.engine, imitated(engine, scenario.switches.boundary, text)),
        entry(words.tool, concat!("simllm ", env!("CARGO_PKG_VERSION")).to_owned()),
        entry(words.hash, or_dash(&origin.input_hash)),
        entry(words.created, origin.created.clone().unwrap_or_else(|| words.not_recorded.to_owned())),
    ]
}

fn or_dash(text: &str) -> String {
    if text.is_empty() { ABSENT.to_owned() } else { text.to_owned() }
}

/// The engine whose benchmark client stands for the time before every engine.
const CLIENT: &str = "vllm@v1";

/// The engine whose host time and kernel factors are used.
fn imitated(engine: &Engine, boundary: Boundary, text: &Text) -> String {
    let words = &text.trust;
    if engine.id == Engine::IDEAL {
        return words.engine_none.to_owned();
    }
    let rows =
        words.engine_rows.fill(&[("title", &engine.title.trim()), ("id", &engine.id), ("rows", &integer(engine.rows))]);
    let client = words.engine_client.fill(&[("id", &CLIENT)]);
    let told = boundary == Boundary::Client && engine.id != CLIENT;
    let client = if told { client } else { String::new() };
    names::sentences(&[rows + text.frame.stop, client], text)
}

/// The calibration sets in use.
fn sets(machine: &Machine, text: &Text) -> String {
    let words = &text.trust;
    let costs = &machine.costs;
    let set = |id: &Option<String>| id.clone().unwrap_or_else(|| words.set_defaults.to_owned());
    let collective = match costs.collective.cost {
        LinkCost::Ring { .. } => words.set_rule.to_owned(),
        LinkCost::Nvlink(..) => set(&costs.collective.set),
    };
    words.sets.fill(&[
        ("gemm", &set(&costs.gemm.set)),
        ("attention", &set(&costs.attention.set)),
        ("collective", &collective),
    ])
}
