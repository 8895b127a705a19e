//! A scenario that does not fit: the verdict, the arithmetic, and the nearest ones that do.

use super::{fit, page, verdict as facts};
use crate::diagnose;
use crate::quantity::Bytes;
use crate::quantity::format::{ABSENT, gib, integer, ms, number, percent};
use crate::report::Report;
use crate::report::chart::bars;
use crate::report::text::{Inline, Label, Text};
use crate::report::view::{Hero, Mark, Shortfall, ShortfallRow, Swatch, Tone, Verdict, Way, Ways};
use crate::report::words::way;
use crate::simulate::{Outcome, Resource, Shortfall as Missing};

/// The first screen.
pub(super) fn verdict(report: &Report, missing: &Missing, ways: &[diagnose::Way], text: &Text) -> Verdict {
    let words = &text.verdict;
    let fitting = ways.iter().find(|way| way.outcome.run().is_some());
    let way_out = match fitting {
        Some(found) => {
            let change = way::change(found.change, &report.scenario, text);
            words.lede_way.fill_inline(&[("change", Inline::Link { text: change, href: "#ways".to_owned() })])
        }
        None => vec![Inline::Text(words.lede_no_way.to_owned())],
    };
    let amount = Amount::new(missing);
    let (title, lede) = match missing.resource {
        Resource::DeviceMemory => (&words.short, &words.lede_short),
        Resource::KvTokens => (&words.short_tokens, &words.lede_short_tokens),
    };
    let short = lede.fill_inline(&[
        ("needed", Inline::Strong(amount.with_unit(amount.needed))),
        ("hardware", Inline::Text(page::hardware(report))),
        ("available", Inline::Strong(amount.with_unit(amount.available))),
    ]);
    Verdict {
        status: Mark::new(Tone::FAIL, words.does_not_fit),
        facts: facts::facts(report, text),
        title: title.fill(&[("missing", &amount.with_unit(amount.needed - amount.available))]),
        lede: text.lang.join(vec![short, way_out]),
        heroes: heroes(report, missing, text),
        trust: Vec::new(),
    }
}

/// What is needed and available: bytes of memory, or KV tokens where the engine's own count runs out.
struct Amount {
    needed: f64,
    available: f64,
    tokens: bool,
}

impl Amount {
    fn new(missing: &Missing) -> Self {
        let memory = &missing.memory;
        match missing.resource {
            Resource::DeviceMemory => {
                Self { needed: missing.needed.get(), available: missing.available.get(), tokens: false }
            }
            Resource::KvTokens => Self {
                needed: memory.kv_needed_tokens as f64,
                available: memory.kv_capacity_tokens as f64,
                tokens: true,
            },
        }
    }

    fn with_unit(&self, value: f64) -> String {
        if self.tokens { integer(value as u64) } else { gib(value) }
    }

    fn figure(&self, value: f64) -> String {
        if self.tokens { integer(value as u64) } else { number(Bytes::new(value).gib()) }
    }
}

fn heroes(report: &Report, missing: &Missing, text: &Text) -> Vec<Hero> {
    let words = &text.verdict;
    let (workload, deployment) = (&report.scenario.workload, &report.scenario.deployment);
    let amount = Amount::new(missing);
    let hero = |label: Label, value: String, unit: &str, mark: Mark, note: String| Hero {
        label: label.to_owned(),
        value,
        unit: unit.to_owned(),
        bullet: None,
        mark,
        note,
    };
    let (needed_label, available_label, unit, bound) = if amount.tokens {
        (words.needed_tokens, words.available_tokens, "", words.as_given.to_owned())
    } else {
        let share = words.utilisation.fill(&[
            ("capacity", &gib(missing.memory.capacity.get())),
            ("share", &percent(deployment.memory_utilization)),
        ]);
        (words.needed, words.available, "GiB", share)
    };
    let over = words.over_available.fill(&[("over", &amount.with_unit(amount.needed - amount.available))]);
    let asked = |value: u64| Mark::new(Tone::FAIL, words.asked.fill(&[("value", &integer(value))]));
    let (prompt, gen_len) = (integer(workload.prompt_len), integer(workload.gen_len));
    let longest = missing.largest_context.map_or(0, |context| context.saturating_sub(workload.gen_len));
    let (needed, available) = (amount.figure(amount.needed), amount.figure(amount.available));
    let mut first = hero(needed_label, needed, unit, Mark::new(Tone::FAIL, over), String::new());
    first.bullet = Some(bars::bullet(amount.needed, None, Some(amount.available), Tone::FAIL));
    vec![
        first,
        hero(available_label, available, unit, Mark::new(Tone::NEUTRAL, bound), String::new()),
        hero(
            words.largest_batch,
            integer(missing.largest_batch.unwrap_or(0)),
            "",
            asked(workload.batch_size),
            words.at_lengths.fill(&[("prompt", &prompt), ("gen", &gen_len)]),
        ),
        hero(
            words.largest_prompt,
            integer(longest),
            words.tokens,
            asked(workload.prompt_len),
            words.at_batch.fill(&[("n", &integer(workload.batch_size)), ("gen", &gen_len)]),
        ),
    ]
}

/// The arithmetic of the shortfall.
pub(super) fn build(report: &Report, missing: &Missing, text: &Text) -> Shortfall {
    let (words, deployment) = (&text.shortfall, &report.scenario.deployment);
    let hardware = page::hardware(report);
    let parts = fit::parts(report, text).into_iter().zip(arithmetic(report, missing, text));
    let tokens = missing.resource == Resource::KvTokens;
    // Where the engine's own figure of KV tokens runs out, only the cache counts.
    let counted: Vec<_> = parts.filter(|((swatch, ..), _)| !tokens || *swatch == Swatch::KV).collect();
    let bar: Vec<(Swatch, f64)> = counted.iter().map(|((swatch, _, size), _)| (*swatch, size.get())).collect();
    let row = |swatch, name: String, arithmetic: String, size: f64| ShortfallRow {
        swatch,
        name,
        arithmetic,
        size: gib(size),
    };
    let (needed, available) = (missing.needed.get(), missing.available.get());
    let offered = if tokens {
        text.verdict.engine_states.fill(&[("n", &integer(missing.memory.kv_capacity_tokens))])
    } else {
        format!("{} × {}", gib(missing.memory.capacity.get()), percent(deployment.memory_utilization))
    };
    let lede = if report.scenario.gpus() > 1 { &words.lede_each } else { &words.lede };
    let rows = counted.into_iter().map(|((swatch, name, size), sum)| row(Some(swatch), name, sum, size.get()));
    Shortfall {
        lede: lede.fill(&[("hardware", &hardware)]),
        label: words.bar.fill(&[("needed", &gib(needed)), ("available", &gib(available))]),
        segments: bars::segments(&bar, needed),
        limit: bars::position(available, needed),
        limit_text: words.limit.fill(&[("value", &gib(available))]),
        rows: rows.collect(),
        needed: row(None, words.needed.to_owned(), String::new(), needed),
        available: row(None, words.available.fill(&[("hardware", &hardware)]), offered, available),
        missing: row(
            None,
            words.missing.to_owned(),
            format!("{} − {}", gib(needed), gib(available)),
            needed - available,
        ),
    }
}

/// How each part was computed.
fn arithmetic(report: &Report, missing: &Missing, text: &Text) -> [String; 4] {
    let (scenario, memory) = (&report.scenario, &missing.memory);
    let bytes = |size: f64| format!("{}\u{a0}B", integer(size.round() as u64));
    let (model, share) = (&scenario.model, scenario.ranks());
    let (tables, norms) = ((model.embedding_bytes() + model.head_bytes()) / share, model.small_bytes());
    let weights = text.shortfall.weights_sum.fill(&[
        ("layers", &gib(memory.weights.get() - tables - norms)),
        ("tables", &gib(tables)),
        ("norms", &gib(norms)),
    ]);
    let per_request = memory.kv_needed_tokens / scenario.workload.batch_size;
    let kv = format!(
        "{} × {} × {}",
        integer(scenario.workload.batch_size),
        integer(per_request),
        bytes(memory.kv_bytes_per_token.get())
    );
    let tokens = crate::plan::STEP_TOKENS;
    let activation = format!("{} × {}", integer(tokens as u64), bytes(memory.activation.get() / tokens));
    let rest = text.shortfall.runtime_rest.fill(&[("total", &gib((memory.activation + memory.runtime).get()))]);
    [weights, kv, activation, rest]
}

/// The nearest scenarios, each simulated.
pub(super) fn ways(report: &Report, missing: &Missing, ways: &[diagnose::Way], text: &Text) -> Ways {
    let words = &text.shortfall;
    let row = |found: &diagnose::Way| {
        let metrics = found.outcome.run().map(|run| run.metrics);
        let (mark, memory) = match &found.outcome {
            Outcome::Feasible(run) => (Mark::new(Tone::PASS, words.yes), run.memory),
            Outcome::Infeasible(short) => {
                let more = gib((short.needed - short.available).get());
                (Mark::new(Tone::FAIL, words.still_short.fill(&[("missing", &more)])), short.memory)
            }
        };
        let time = |value: Option<f64>| value.map_or_else(|| ABSENT.to_owned(), ms);
        Way {
            change: way::change(found.change, &report.scenario, text),
            option: way::option(found.change),
            mark,
            ttft: time(metrics.and_then(|m| m.ttft_ms)),
            tpot: time(metrics.and_then(|m| m.tpot_ms)),
            memory: format!("{} / {}", number(memory.needed().gib()), gib(missing.memory.usable.get())),
        }
    };
    Ways { rows: ways.iter().map(row).collect() }
}
