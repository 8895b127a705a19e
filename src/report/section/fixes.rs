//! What to change first: a card for each cause, then hardware limits and what would cost time.

use super::verdict;
use crate::diagnose::{Bottleneck, Effect, Metric};
use crate::quantity::format::{NBSP, ms, number, signed};
use crate::report::text::Text;
use crate::report::view::{Change, Check, Fix, Fixes};
use crate::report::words::facts::Facts;
use crate::report::words::ticket::Ticket;
use crate::report::words::{Command, Telling, cause, evidence, lever};
use crate::report::{Report, Told};
use crate::simulate::PhaseKind;

/// The section.
pub(super) fn build(report: &Report, told: &Told, text: &Text) -> Fixes {
    let facts = Facts { scenario: &report.scenario, run: &told.run };
    let diagnosis = &told.diagnosis;
    let card = |(index, bottleneck): (usize, &Bottleneck)| card(report, facts, bottleneck, index + 1, text);
    let limits = diagnosis.limits.iter().flat_map(|effect| {
        [Metric::Ttft, Metric::Tpot].into_iter().filter_map(|metric| change(facts, effect, metric, text))
    });
    let costs = diagnosis.costs.iter().filter_map(|(effect, metric)| change(facts, effect, *metric, text));
    Fixes {
        cards: diagnosis.bottlenecks.iter().enumerate().map(card).collect(),
        limits: limits.collect(),
        costs: costs.collect(),
    }
}

fn card(report: &Report, facts: Facts<'_>, bottleneck: &Bottleneck, rank: usize, text: &Text) -> Fix {
    let words = &text.fixes;
    let (metric, effect) = (bottleneck.metric, &bottleneck.effect);
    let telling = Telling::new(report, bottleneck, facts, text);
    let stage = cause::stage(bottleneck.cause);
    let prefix = if telling.phase == PhaseKind::Decode { "decode-" } else { "" };
    let (from, to) = (metric.of(&effect.before).unwrap_or(0.0), metric.of(&effect.after).unwrap_or(0.0));
    let ticket = Ticket {
        rank,
        telling: &telling,
        metric,
        from,
        to,
        subject: verdict::facts(report, text).join(text.frame.comma),
    };
    let n: [(&str, &dyn std::fmt::Display); 1] = [("n", &rank)];
    Fix {
        rank: rank.to_string(),
        title: telling.title.clone(),
        note: note(report, effect, text),
        stage: text.stage.of(stage).to_owned(),
        stage_key: format!("{prefix}{}", stage.id()),
        gain: format!("{}{NBSP}ms", signed(to - from)),
        gain_detail: gain(effect, metric, text).unwrap_or_default(),
        evidence: bottleneck.evidence.iter().map(|figure| evidence::figure(figure, &facts, text)).collect(),
        ticket: ticket.text(report, text),
        cause: telling.cause,
        remedy: telling.remedy,
        takes: telling.takes,
        others: others(facts, bottleneck, text),
        owner: telling.owner.to_owned(),
        check: Check {
            commands: telling.commands.iter().map(Command::in_lines).collect::<Vec<_>>().join("\n"),
            expect: telling.reading,
        },
        copy_label: words.copy_check.fill(&n),
        ticket_label: words.ticket_of.fill(&n),
    }
}

/// Which targets the change meets on its own, and what kind of work it is.
fn note(report: &Report, effect: &Effect, text: &Text) -> String {
    let (words, budgets) = (&text.fixes, &report.budgets);
    let missed: Vec<(Metric, f64)> = budgets
        .iter()
        .filter(|(metric, limit)| metric.of(&effect.before).is_some_and(|value| value > *limit))
        .collect();
    let met = |(metric, limit): &&(Metric, f64)| metric.of(&effect.after).is_some_and(|value| value <= *limit);
    let cleared = match missed.iter().filter(met).collect::<Vec<_>>()[..] {
        [] => None,
        _ if missed.len() > 1 && !budgets.missed(&effect.after) => Some(words.clears_all.to_owned()),
        [(metric, _), ..] => Some(words.clears.fill(&[("metric", &metric.name())])),
    };
    let effort = lever::effort(effect.lever, text).to_owned();
    capital(&cleared.into_iter().chain([effort]).collect::<Vec<_>>().join(" · "))
}

/// With a capital letter in front, where the script has them.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// `TTFT 638 → 466 ms`.
fn gain(effect: &Effect, metric: Metric, text: &Text) -> Option<String> {
    let (from, to) = (metric.of(&effect.before)?, metric.of(&effect.after)?);
    Some(text.fixes.gain.fill(&[("metric", &metric.name()), ("from", &number(from)), ("to", &ms(to))]))
}

/// The other remedies of the cause, each with what it does and takes.
fn others(facts: Facts<'_>, bottleneck: &Bottleneck, text: &Text) -> Vec<String> {
    let rest = bottleneck.remedies.iter().map(|remedy| &remedy.effect);
    let line = |effect: &Effect| {
        let change = lever::Remedy::new(effect.lever, facts, text).change();
        let gain = gain(effect, bottleneck.metric, text)?;
        let effort = lever::effort(effect.lever, text);
        Some(text.fixes.other.fill(&[("change", &change), ("gain", &gain), ("effort", &effort)]))
    };
    rest.filter(|effect| effect.lever != bottleneck.effect.lever).filter_map(line).collect()
}

/// Below this share of a metric nothing changes.
const LEAST_SHARE: f64 = 0.005;

/// What a change does to a metric.
fn change(facts: Facts<'_>, effect: &Effect, metric: Metric, text: &Text) -> Option<Change> {
    let saved = effect.saved(metric)?;
    let same = effect.saved_share(metric)?.abs() < LEAST_SHARE;
    let before = metric.of(&effect.before)?;
    Some(Change {
        name: lever::Remedy::new(effect.lever, facts, text).change(),
        effect: if same { format!("{} {}", metric.name(), ms(before)) } else { gain(effect, metric, text)? },
        difference: if same { text.fixes.unchanged.to_owned() } else { format!("{}{NBSP}ms", signed(-saved)) },
    })
}
