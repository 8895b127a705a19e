//! The large numbers of a scenario that fits.

use crate::diagnose::Metric;
use crate::quantity::format::{gib, integer, ms, number, with_unit};
use crate::report::chart::bars;
use crate::report::text::{Label, Text};
use crate::report::view::{Hero, Mark, Tone};
use crate::report::words::names::target;
use crate::report::{Report, Told};

/// TTFT, TPOT, the whole request where it has a target or else the speed, and memory; what the scenario leaves out is
/// left out here too.
pub(super) fn build(report: &Report, told: &Told, text: &Text) -> Vec<Hero> {
    let words = &text.verdict;
    let mut heroes = Vec::with_capacity(4);
    heroes.extend(latency(report, told, Metric::Ttft, words.ttft, text));
    heroes.extend(latency(report, told, Metric::Tpot, words.tpot, text));
    let whole = report.budgets.limit(Metric::E2e).and_then(|_| latency(report, told, Metric::E2e, words.e2e, text));
    heroes.extend(whole.or_else(|| speed(report, told, text)));
    heroes.push(memory(report, text));
    heroes
}

fn latency(report: &Report, told: &Told, metric: Metric, label: Label, text: &Text) -> Option<Hero> {
    let words = &text.verdict;
    let value = metric.of(&told.run.metrics)?;
    let band = told.bands.of(metric).map(|band| (band.low, band.high));
    let limit = report.budgets.limit(metric);
    let mark = match limit {
        Some(limit) if value > limit => {
            let holes: [(&str, &dyn std::fmt::Display); 2] = [("over", &ms(value - limit)), ("target", &target(limit))];
            Mark::new(Tone::FAIL, words.over.fill(&holes))
        }
        Some(limit) => {
            let tone = if band.is_some_and(|(_, high)| high > limit) { Tone::WARN } else { Tone::PASS };
            Mark::new(tone, words.under.fill(&[("spare", &ms(limit - value)), ("target", &target(limit))]))
        }
        None => Mark::new(Tone::NEUTRAL, words.target_unset),
    };
    Some(Hero {
        label: label.to_owned(),
        value: number(value),
        unit: "ms".to_owned(),
        bullet: Some(bars::bullet(value, band, limit, mark.tone)),
        mark,
        note: band
            .map_or_else(String::new, |(low, high)| words.range.fill(&[("low", &number(low)), ("high", &ms(high))])),
    })
}

/// Output tokens a second over the whole request; of one phase alone, its own tokens a second.
fn speed(report: &Report, told: &Told, text: &Text) -> Option<Hero> {
    let (words, metrics, workload) = (&text.verdict, &told.run.metrics, &report.scenario.workload);
    let (batch, prompt) = (workload.batch_size as f64, workload.prompt_len as f64);
    let (label, rate) = match (metrics.output_tokens_per_s, metrics.ttft_ms, metrics.tpot_ms) {
        (Some(rate), ..) => (words.speed, rate),
        (None, Some(ttft), _) => (words.prompt_speed, batch * prompt / ttft * 1e3),
        (None, None, Some(tpot)) => (words.speed, batch / tpot * 1e3),
        (None, None, None) => return None,
    };
    let requests = metrics.requests_per_s.or(metrics.ttft_ms.map(|ttft| batch / ttft * 1e3));
    let each = words.each.fill(&[("rate", &with_unit(rate / batch, "tok/s")), ("n", &workload.batch_size)]);
    Some(Hero {
        label: label.to_owned(),
        value: number(rate),
        unit: "tok/s".to_owned(),
        bullet: None,
        mark: Mark::new(
            Tone::NEUTRAL,
            requests.map_or_else(
                || words.batch.fill(&[("n", &workload.batch_size)]),
                |rate| words.requests.fill(&[("rate", &number(rate))]),
            ),
        ),
        note: if workload.batch_size > 1 { each } else { String::new() },
    })
}

fn memory(report: &Report, text: &Text) -> Hero {
    let (words, memory) = (&text.verdict, report.memory());
    let (needed, capacity) = (memory.needed().get(), memory.capacity.get());
    let per_request = memory.kv_needed_tokens / report.scenario.workload.batch_size;
    let label = if report.scenario.gpus() > 1 { words.memory_each } else { words.memory };
    Hero {
        label: label.to_owned(),
        value: number(memory.needed().gib()),
        unit: words.of_capacity.fill(&[("capacity", &gib(capacity))]),
        bullet: Some(bars::share_bullet(needed, capacity, Tone::PASS)),
        mark: Mark::new(Tone::PASS, words.fits.fill(&[("free", &gib(memory.free().get()))])),
        note: words.room.fill(&[("n", &integer(memory.kv_capacity_tokens / per_request.max(1)))]),
    }
}
