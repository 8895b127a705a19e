//! The first screen: can I ship this? In one sentence, with the number that decides it.

use super::{heroes, page, shortfall};
use crate::diagnose::{Band, Bands, Budgets, Metric, Standing};
use crate::quantity::format::{integer, ms, percent};
use crate::report::chart::scale;
use crate::report::text::{Inline, Text};
use crate::report::view::{Mark, Tone, Verdict};
use crate::report::words::facts::Facts;
use crate::report::words::lever::Remedy;
use crate::report::words::names::target;
use crate::report::{Answer, Report, Told};
use crate::scenario::Scenario;
use crate::simulate::{Breakdown, Metrics, PhaseKind};
use crate::spec::{Boundary, EmbeddingPlacement, SamplerKind, ScenarioKind};

/// The first screen of a report.
pub(super) fn build(report: &Report, text: &Text) -> Verdict {
    match &report.answer {
        Answer::Fits(told) => fits(report, told, text),
        Answer::DoesNotFit(missing, ways) => shortfall::verdict(report, missing, ways, text),
    }
}

fn fits(report: &Report, told: &Told, text: &Text) -> Verdict {
    let standing = report.budgets.standing(&told.run.metrics, &told.bands);
    let targets = Target::all(&report.budgets, &told.run.metrics, &told.bands);
    let (title, lede) = match standing {
        Standing::NoTarget => (untargeted(told, text), untargeted_lede(told, text)),
        Standing::NotReady => (missed(&targets, text), missed_lede(report, told, &targets, text)),
        Standing::Ready | Standing::AtRisk => (met(&targets, text), met_lede(&targets, text)),
    };
    Verdict {
        status: mark(standing, text),
        facts: facts(report, text),
        title,
        lede: text.lang.join(lede),
        heroes: heroes::build(report, told, text),
        trust: bands(told, text),
    }
}

/// A standing as a mark.
pub(in crate::report) fn mark(standing: Standing, text: &Text) -> Mark {
    let words = &text.verdict;
    match standing {
        Standing::Ready => Mark::new(Tone::PASS, words.ready),
        Standing::AtRisk => Mark::new(Tone::WARN, words.at_risk),
        Standing::NotReady => Mark::new(Tone::FAIL, words.not_ready),
        Standing::NoTarget => Mark::new(Tone::NEUTRAL, words.no_target),
    }
}

/// How figures stand against targets: the mark, and the verdict as a sentence; none without targets.
pub(super) fn judged(budgets: &Budgets, metrics: &Metrics, bands: &Bands, text: &Text) -> Option<(Mark, String)> {
    let standing = budgets.standing(metrics, bands);
    let targets = Target::all(budgets, metrics, bands);
    let sentence = match standing {
        Standing::NoTarget => return None,
        Standing::NotReady => missed(&targets, text),
        Standing::Ready | Standing::AtRisk => met(&targets, text),
    };
    Some((mark(standing, text), sentence))
}

/// A target and how the result stands against it.
struct Target {
    metric: Metric,
    limit: f64,
    value: Option<f64>,
    band: Option<Band>,
}

impl Target {
    fn all(budgets: &Budgets, metrics: &Metrics, bands: &Bands) -> Vec<Self> {
        let target =
            |(metric, limit): (Metric, f64)| Self { metric, limit, value: metric.of(metrics), band: bands.of(metric) };
        budgets.iter().map(target).collect()
    }

    fn over(&self) -> Option<f64> {
        self.value.map(|value| value - self.limit).filter(|over| *over > 0.0)
    }

    /// Room to the target as a share of it.
    fn room(&self) -> f64 {
        self.value.map_or(f64::INFINITY, |value| 1.0 - value / self.limit)
    }

    fn at_risk(&self) -> bool {
        self.over().is_none() && self.band.is_some_and(|band| band.high > self.limit)
    }

    fn holes(&self) -> Vec<(&'static str, Inline)> {
        let plain = |words: String| Inline::Text(words);
        vec![
            ("metric", plain(self.metric.name().to_owned())),
            ("value", Inline::Strong(self.value.map_or_else(String::new, ms))),
            ("target", plain(target(self.limit))),
            ("low", plain(self.band.map_or_else(String::new, |band| ms(band.low)))),
            ("high", plain(self.band.map_or_else(String::new, |band| ms(band.high)))),
        ]
    }
}

fn untargeted(told: &Told, text: &Text) -> String {
    let (words, metrics) = (&text.verdict, &told.run.metrics);
    match (metrics.ttft_ms, metrics.tpot_ms) {
        (Some(ttft), Some(tpot)) => words.untargeted.fill(&[("ttft", &ms(ttft)), ("tpot", &ms(tpot))]),
        (Some(ttft), None) => words.untargeted_prefill.fill(&[("ttft", &ms(ttft))]),
        (None, tpot) => words.untargeted_decode.fill(&[("tpot", &ms(tpot.unwrap_or(0.0)))]),
    }
}

fn untargeted_lede(told: &Told, text: &Text) -> Vec<Vec<Inline>> {
    let words = &text.verdict;
    let trees = [(Metric::Ttft, &told.run.ttft), (Metric::Tpot, &told.run.tpot)];
    let largest = |(metric, tree): (Metric, &Option<Breakdown>)| {
        let tree = tree.as_ref()?;
        let (index, stage) = tree.children.iter().enumerate().max_by(|(_, a), (_, b)| a.ms.total_cmp(&b.ms))?;
        let name = text.stage.of(crate::kernel::Stage::ALL[index]);
        Some(words.lede_largest.fill_inline(&[
            ("metric", Inline::Text(metric.name().to_owned())),
            ("stage", Inline::Text(name.to_owned())),
            ("share", Inline::Strong(percent(stage.ms / tree.ms))),
        ]))
    };
    let option = if told.run.ttft.is_some() { "--budget ttft_ms=200" } else { "--budget tpot_ms=15" };
    let hint = words.lede_untargeted.fill_inline(&[("option", Inline::Code(option.to_owned()))]);
    trees.into_iter().filter_map(largest).chain([hint]).collect()
}

fn missed(targets: &[Target], text: &Text) -> String {
    let words = &text.verdict;
    let over: Vec<(Metric, f64)> = targets.iter().filter_map(|t| Some((t.metric, t.over()?))).collect();
    match over[..] {
        [] => {
            let absent = targets.iter().find(|t| t.value.is_none()).map_or("", |t| t.metric.name());
            words.misses_absent.fill(&[("metric", &absent)])
        }
        [(metric, over)] => words.misses_one.fill(&[("metric", &metric.name()), ("over", &ms(over))]),
        _ => {
            let miss =
                |(metric, over): &(Metric, f64)| words.miss.fill(&[("metric", &metric.name()), ("over", &ms(*over))]);
            let list: Vec<String> = over.iter().map(miss).collect();
            words.misses_many.fill(&[("list", &list.join(text.frame.comma))])
        }
    }
}

fn missed_lede(report: &Report, told: &Told, targets: &[Target], text: &Text) -> Vec<Vec<Inline>> {
    let words = &text.verdict;
    let sentence = |t: &Target| {
        let phrase = match (t.over(), t.band) {
            (None, _) if t.value.is_some() => return None,
            (None, _) => &words.lede_absent,
            (Some(_), None) => &words.lede_misses_plain,
            (Some(_), Some(band)) if band.low > t.limit => &words.lede_misses_even_low,
            (Some(_), Some(_)) => &words.lede_misses,
        };
        Some(phrase.fill_inline(&t.holes()))
    };
    let mut lede: Vec<Vec<Inline>> = targets.iter().filter_map(sentence).collect();
    if targets.iter().any(|t| t.over().is_some()) {
        lede.push(way_out(report, told, text));
    }
    lede
}

/// The cheapest single change after which every target is met, or that there is none.
fn way_out(report: &Report, told: &Told, text: &Text) -> Vec<Inline> {
    let words = &text.verdict;
    let Some(effect) = told.diagnosis.cheapest_fix(&report.budgets) else {
        return vec![Inline::Text(words.lede_no_fix.to_owned())];
    };
    let facts = Facts { scenario: &report.scenario, run: &told.run };
    let rank = told
        .diagnosis
        .bottlenecks
        .iter()
        .position(|bottleneck| bottleneck.remedies.iter().any(|remedy| remedy.effect.lever == effect.lever));
    let change = Remedy::new(effect.lever, facts, text).change();
    let figures: Vec<String> = report
        .budgets
        .iter()
        .filter_map(|(metric, _)| Some(format!("{} {}", metric.name(), ms(metric.of(&effect.after)?))))
        .collect();
    words.lede_fix.fill_inline(&[
        ("change", Inline::Link { text: change, href: format!("#fix={}", rank.unwrap_or(0) + 1) }),
        ("figures", Inline::Strong(figures.join(text.frame.comma))),
    ])
}

/// The target with the least room, those at risk first.
fn tightest(targets: &[Target]) -> Option<&Target> {
    targets.iter().min_by(|a, b| b.at_risk().cmp(&a.at_risk()).then(a.room().total_cmp(&b.room())))
}

fn met(targets: &[Target], text: &Text) -> String {
    let words = &text.verdict;
    let Some(tightest) = tightest(targets) else { return String::new() };
    let phrase = match targets.len() {
        1 => &words.meets_one,
        2 => &words.meets_two,
        _ => &words.meets_three,
    };
    let spare = tightest.limit - tightest.value.unwrap_or(tightest.limit);
    phrase.fill(&[("metric", &tightest.metric.name()), ("spare", &ms(spare))])
}

fn met_lede(targets: &[Target], text: &Text) -> Vec<Vec<Inline>> {
    let words = &text.verdict;
    let risky: Vec<&Target> = targets.iter().filter(|t| t.at_risk()).collect();
    if !risky.is_empty() {
        let measure = vec![Inline::Text(words.lede_measure.to_owned())];
        let sentences = risky.into_iter().map(|t| words.lede_at_risk.fill_inline(&t.holes()));
        return sentences.chain([measure]).collect();
    }
    let phrase = |t: &Target| if t.band.is_some() { &words.lede_ready } else { &words.lede_met };
    tightest(targets).map(|t| phrase(t).fill_inline(&t.holes())).into_iter().collect()
}

/// The scenario in a few words each: what is asked, and what departs from the defaults.
pub(super) fn facts(report: &Report, text: &Text) -> Vec<String> {
    let scenario = &report.scenario;
    let (words, workload) = (&text.verdict, &scenario.workload);
    let (prompt, gen_len) = (integer(workload.prompt_len), integer(workload.gen_len));
    let lengths = match workload.scenario {
        ScenarioKind::Prefill => words.input_only.fill(&[("prompt", &prompt)]),
        _ => words.lengths.fill(&[("prompt", &prompt), ("gen", &gen_len)]),
    };
    let mut facts = vec![
        format!("{} {}", scenario.model.name, scenario.model.weights),
        page::hardware(report),
        scenario.deployment.engine.id.clone(),
        words.batch.fill(&[("n", &integer(workload.batch_size))]),
        lengths,
    ];
    facts.extend(departures(scenario));
    facts
}

/// Share of device memory an engine takes unless told otherwise.
const USUAL_UTILIZATION: f64 = 0.9;

/// Settings that are not the default, as options.
fn departures(scenario: &Scenario) -> Vec<String> {
    let switches = &scenario.switches;
    let mut out = Vec::new();
    let mut add = |differs: bool, option: String| out.extend(differs.then_some(option));
    let kind = scenario.workload.scenario;
    add(kind != ScenarioKind::FullInference, format!("--scenario {}", kind.name()));
    add(scenario.model.kv != crate::quantity::KvDtype::Bf16, format!("--kv-dtype {}", scenario.model.kv));
    add(!switches.cuda_graphs, "--cuda-graphs off".to_owned());
    let placement = switches.embedding_placement;
    add(placement != EmbeddingPlacement::Device, format!("--embedding-placement {}", placement.name()));
    add(switches.sampler.kind != SamplerKind::Greedy, format!("--sampler {}", switches.sampler.kind.name()));
    add(switches.boundary == Boundary::Engine, "--boundary engine".to_owned());
    let share = scenario.deployment.memory_utilization;
    add((share - USUAL_UTILIZATION).abs() > 1e-9, format!("--memory-utilization {share}"));
    if let Some(overhead) = switches.cpu_overhead {
        out.push(format!("--cpu-overhead-ms {}", scale::label(overhead.ms())));
    }
    out
}

/// What the ranges are, and how few rows stand behind them where they are few.
fn bands(told: &Told, text: &Text) -> Vec<Inline> {
    let words = &text.verdict;
    let bands: Vec<(&str, Band)> = [(PhaseKind::Prefill, told.bands.ttft), (PhaseKind::Decode, told.bands.tpot)]
        .into_iter()
        .filter_map(|(phase, band)| Some((if phase == PhaseKind::Prefill { "TTFT" } else { "TPOT" }, band?)))
        .collect();
    let factor = |(metric, band): &(&str, Band)| {
        words.factor.fill(&[("metric", metric), ("factor", &format!("{:.2}", band.error.factor))])
    };
    let factors: Vec<String> = bands.iter().map(factor).collect();
    let link = Inline::Link { text: words.how_far.to_owned(), href: "#trust".to_owned() };
    let few = bands.iter().filter(|(_, band)| band.error.is_thin()).map(|(metric, _)| {
        let few = words.few.fill(&[("least", &crate::diagnose::FEW_ROWS), ("metric", metric)]);
        vec![Inline::Text(few)]
    });
    let ranges = words.error.fill_inline(&[("factors", Inline::Text(factors.join(text.frame.comma)))]);
    text.lang.join([ranges].into_iter().chain(few).chain([vec![link]]).collect())
}
