//! The first screen: what changed in one sentence, and how the reports stand.

use super::totals::{Totals, configurations, reports};
use super::{arrow, place, point, status, threshold};
use crate::diagnose::Metric;
use crate::quantity::format::{integer, ms};
use crate::report::chart::bars;
use crate::report::index::{Change, ChangeKind, Entry, Index, Status};
use crate::report::text::{Inline, Label, Text};
use crate::report::view::{Hero, Mark, Tone, Verdict};
use crate::report::words::names::target;

pub(super) fn build(index: &Index, totals: &Totals<'_>, text: &Text) -> Verdict {
    let compared = index.baseline.is_some() && totals.compared > 0;
    let title = match totals.broken {
        0 => news(index, totals, compared, text),
        1 => text.index.summary.one_broken.to_owned(),
        n => text.index.summary.some_broken.fill(&[("n", &integer(n))]),
    };
    Verdict {
        status: pill(totals, text),
        facts: facts(index, totals, text),
        title,
        lede: text.lang.join(lede(index, totals, compared, text)),
        heroes: heroes(totals, text),
        trust: Vec::new(),
    }
}

fn pill(totals: &Totals<'_>, text: &Text) -> Mark {
    let words = &text.index.summary;
    let worst = Status::ALL.iter().find(|(status, _)| totals.of(*status) > 0);
    match (totals.slower, worst) {
        _ if totals.broken > 0 => Mark::new(Tone::FAIL, words.broken_pill),
        (1, _) => Mark::new(Tone::FAIL, words.one_regression),
        (n, _) if n > 1 => Mark::new(Tone::FAIL, words.regressions.fill(&[("n", &integer(n))])),
        (_, Some((status, _))) => status::mark(*status, text),
        (_, None) => Mark::new(Tone::NEUTRAL, words.empty_pill),
    }
}

fn facts(index: &Index, totals: &Totals<'_>, text: &Text) -> Vec<String> {
    let words = &text.index.summary;
    let mut facts: Vec<String> = [index.label.clone()].into_iter().filter(|label| !label.is_empty()).collect();
    facts.extend(index.baseline.as_ref().map(|baseline| words.compared.fill(&[("baseline", baseline)])));
    facts.push(totals.reports(text));
    if totals.configurations > totals.entries {
        facts.push(configurations(totals.configurations, text));
    }
    let untargeted = totals.of(Status::NoTarget);
    if untargeted > 0 && untargeted < totals.entries {
        facts.push(words.without_target.fill(&[("n", &integer(untargeted))]));
    }
    facts
}

/// What changed since the baseline; without one, how the reports stand.
fn news(index: &Index, totals: &Totals<'_>, compared: bool, text: &Text) -> String {
    if compared { changed(index, totals, text) } else { standing(totals, text) }
}

/// What changed since the baseline.
fn changed(index: &Index, totals: &Totals<'_>, text: &Text) -> String {
    let words = &text.index.summary;
    let all = |n| configurations(n, text);
    match (totals.slower, totals.faster) {
        (0, 0) => words.unchanged.fill(&[("threshold", &threshold(index))]),
        (0, faster) => words.faster.fill(&[("configurations", &all(faster))]),
        (slower, 0) => words.slower.fill(&[("configurations", &all(slower))]),
        (slower, faster) => words.slower_and_faster.fill(&[("configurations", &all(slower)), ("n", &integer(faster))]),
    }
}

/// How the reports stand against their targets.
fn standing(totals: &Totals<'_>, text: &Text) -> String {
    let words = &text.index.summary;
    let (missed, short) = (totals.of(Status::NotReady), totals.of(Status::DoesNotFit));
    let untargeted = totals.of(Status::NoTarget);
    let all = totals.reports(text);
    let fill = |phrase: &crate::report::text::Phrase, n: u64| phrase.fill(&[("reports", &all), ("n", &integer(n))]);
    match (missed, short) {
        _ if totals.entries == 0 => words.empty.to_owned(),
        (1, 0) => fill(&words.one_misses, 1),
        (missed, 0) if missed > 0 => fill(&words.some_miss, missed),
        (0, 1) => fill(&words.one_short, 1),
        (0, short) if short > 0 => fill(&words.some_short, short),
        (missed, short) if missed > 0 => fill(&words.some_bad, missed + short),
        _ if untargeted == totals.entries => fill(&words.no_targets, untargeted),
        _ if untargeted > 0 => fill(&words.all_meet_of, totals.entries - untargeted),
        _ if totals.entries == 1 => words.one_meets.to_owned(),
        _ => fill(&words.all_meet, totals.entries),
    }
}

fn lede(index: &Index, totals: &Totals<'_>, compared: bool, text: &Text) -> Vec<Vec<Inline>> {
    let words = &text.index.summary;
    let plain = |sentence: String| vec![Inline::Text(sentence)];
    let code = |words: &str| Inline::Code(words.to_owned());
    let mut lede = Vec::new();
    if totals.broken > 0 {
        let errors = Inline::Link { text: text.index.errors.title.to_owned(), href: "#errors".to_owned() };
        lede.push(words.broken_why.fill_inline(&[("errors", errors)]));
        lede.push(plain(news(index, totals, compared, text) + text.frame.stop));
    }
    if totals.entries == 0 {
        let commands = [("report", code("simllm report PATH -o DIR")), ("index", code("simllm index DIR"))];
        lede.push(words.empty_lede.fill_inline(&commands));
        return lede;
    }
    match (&index.baseline, compared) {
        (None, _) => lede.extend(worst_miss(index, text)),
        (Some(baseline), false) => lede.push(plain(words.nothing_compared.fill(&[("baseline", baseline)]))),
        (Some(_), true) => {
            lede.extend(totals.changes.first().into_iter().flat_map(|(entry, change)| largest(entry, change, text)));
            lede.push(plain(standing(totals, text) + text.frame.stop));
        }
    }
    match totals.of(Status::AtRisk) {
        0 => {}
        1 => lede.push(plain(words.one_at_risk.to_owned())),
        n => lede.push(plain(words.some_at_risk.fill(&[("n", &integer(n))]))),
    }
    let since = [(&words.some_appeared, totals.appeared), (&words.some_gone, index.gone.len() as u64)];
    let since = since.into_iter().filter(|(_, n)| compared && *n > 0);
    lede.extend(since.map(|(phrase, n)| plain(phrase.fill(&[("reports", &reports(n, text))]))));
    if index.baseline.is_none() {
        lede.push(words.no_baseline.fill_inline(&[("option", code("--baseline DIR"))]));
    }
    lede
}

/// The largest change, and whether it crossed its target.
fn largest(entry: &Entry, change: &Change, text: &Text) -> Vec<Vec<Inline>> {
    let words = &text.index.summary;
    let report = ("report", link(entry));
    let point = ("point", Inline::Text(point::of_change(entry, change, text)));
    let ChangeKind::Time { metric, from, to } = change.kind else {
        let phrase = if change.kind == ChangeKind::Stopped { &words.stopped } else { &words.started };
        return vec![phrase.fill_inline(&[report, point])];
    };
    let phrase = if to > from { &words.largest } else { &words.largest_gain };
    let figures = [("metric", Inline::Text(metric.name().to_owned())), ("times", Inline::Strong(arrow(from, to)))];
    let holes: Vec<(&str, Inline)> = [report, point].into_iter().chain(figures).collect();
    // A point of a declared report may have targets of its own, which the index does not know.
    let own = change.subject.contains("budgets.");
    let limit = entry.point.budgets.limit(metric).filter(|_| !own);
    let crossed = limit.and_then(|limit| match (from <= limit, to <= limit) {
        (true, false) => Some(words.met_before.fill(&[("target", &target(limit))])),
        (false, true) => Some(words.met_now.fill(&[("target", &target(limit))])),
        _ => None,
    });
    let sentence = phrase.fill_inline(&holes);
    [Some(sentence), crossed.map(|words| vec![Inline::Text(words)])].into_iter().flatten().collect()
}

/// The report that is furthest over its target.
fn worst_miss(index: &Index, text: &Text) -> Option<Vec<Inline>> {
    let over = |entry: &Entry, (metric, limit): (Metric, f64)| {
        let value = match metric {
            Metric::Ttft => entry.point.ttft_ms,
            Metric::Tpot => entry.point.tpot_ms,
            Metric::E2e => None,
        }?;
        (value > limit).then_some((value / limit, metric, value, limit))
    };
    let misses = index
        .entries
        .iter()
        .flat_map(|entry| entry.point.budgets.iter().filter_map(move |budget| Some((entry, over(entry, budget)?))));
    // The first of equals, so that the order of the entries decides.
    let worst = misses.reduce(|a, b| if b.1.0 > a.1.0 { b } else { a });
    let (entry, (_, metric, value, limit)) = worst?;
    Some(text.index.summary.worst_miss.fill_inline(&[
        ("report", link(entry)),
        ("metric", Inline::Text(metric.name().to_owned())),
        ("value", Inline::Strong(ms(value))),
        ("target", Inline::Text(target(limit))),
    ]))
}

fn link(entry: &Entry) -> Inline {
    let place = place(entry);
    match place.href {
        Some(href) => Inline::Link { text: place.text, href },
        None => Inline::Text(place.text),
    }
}

/// How many reports stand how; none where no report has a target.
fn heroes(totals: &Totals<'_>, text: &Text) -> Vec<Hero> {
    let words = &text.index.summary;
    if totals.of(Status::NoTarget) == totals.entries {
        return Vec::new();
    }
    let hero = |(status, label): (Status, Label)| {
        let n = totals.of(status);
        let tone = status::tone(status);
        Hero {
            label: label.to_owned(),
            value: integer(n),
            unit: words.of_total.fill(&[("n", &integer(totals.entries))]),
            bullet: Some(bars::share_bullet(n as f64, totals.entries as f64, tone)),
            // What nobody has is no alarm.
            mark: if n > 0 {
                status::mark(status, text)
            } else {
                Mark::new(Tone::NEUTRAL, status::label(status, text))
            },
            note: String::new(),
        }
    };
    let counts = [
        (Status::Ready, words.count_ready),
        (Status::AtRisk, words.count_at_risk),
        (Status::NotReady, words.count_not_ready),
        (Status::DoesNotFit, words.count_short),
    ];
    counts.into_iter().map(hero).collect()
}
