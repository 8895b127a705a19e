//! What to run, in one sentence, and why not the others.

use super::{heroes, others};
use crate::diagnose::Metric;
use crate::quantity::format::{gib, integer, ms};
use crate::report::sweep::shown::{AxisKind, Shown, ShownPoint, Standing};
use crate::report::sweep::{SweepReport, links};
use crate::report::text::{Inline, Text};
use crate::report::view::{Mark, Tone, Verdict};
use crate::report::words::names::target;
use crate::sweep::{PointFigures, PointOutcome};

/// What a sweep comes to.
enum Answer<'s, 'a> {
    /// A point meets its targets.
    Run(&'s ShownPoint<'a>),
    /// There are no targets; this one is first.
    Top(&'s ShownPoint<'a>),
    /// None meets the targets; this one comes nearest.
    NoneMeets(Option<&'s ShownPoint<'a>>),
    /// Nothing runs; this one lacks the least.
    NothingRuns(Option<&'s ShownPoint<'a>>),
}

fn answer<'s, 'a>(shown: &'s Shown<'a>) -> Answer<'s, 'a> {
    let summary = &shown.report.summary;
    let of = |point: &Option<_>| point.as_ref().and_then(|point| shown.of(point));
    match shown.best() {
        _ if summary.ran == 0 => Answer::NothingRuns(of(&summary.least_short)),
        Some(best) if best.standing == Standing::Runs => Answer::Top(best),
        Some(best) => Answer::Run(best),
        None => Answer::NoneMeets(of(&summary.nearest)),
    }
}

/// The first screen.
pub(super) fn build(shown: &Shown<'_>, text: &Text) -> Verdict {
    let words = &text.sweep.verdict;
    let page = Page { shown, text };
    let (status, title, lede) = match answer(shown) {
        Answer::Run(best) => (page.standing(best), page.run(best), page.why(best)),
        Answer::Top(best) => {
            (Mark::new(Tone::NEUTRAL, text.verdict.no_target), page.top(best), page.why_untargeted(best))
        }
        Answer::NoneMeets(nearest) => {
            (Mark::new(Tone::FAIL, text.verdict.not_ready), words.none_meets.to_owned(), page.nearest(nearest))
        }
        Answer::NothingRuns(nearest) => {
            let title = if shown.report.summary.does_not_fit > 0 { words.nothing_fits } else { words.nothing_runs };
            (Mark::new(Tone::FAIL, text.verdict.does_not_fit), title.to_owned(), page.least_short(nearest))
        }
    };
    Verdict {
        status,
        facts: facts(shown, text),
        title,
        lede: text.lang.join(lede),
        heroes: heroes::build(shown, text),
        trust: ways(shown, text),
    }
}

/// Where to read on: the full pages of single points, and how far to trust.
fn ways(shown: &Shown<'_>, text: &Text) -> Vec<Inline> {
    let words = &text.sweep.list;
    let full = |page: &Option<String>, words: &str| {
        page.as_ref().map(|page| Inline::Link { text: words.to_owned(), href: links::beside(page) })
    };
    let pages = &shown.report.pages;
    let best = if shown.recommends() { words.open_best } else { words.open_highest };
    let pages = [full(&pages.best, best), full(&pages.focus, words.open_focus)];
    let trust = Inline::Link { text: text.verdict.how_far.to_owned(), href: "#trust".to_owned() };
    let each = pages.into_iter().flatten().chain([trust]);
    each.flat_map(|link| [Inline::Text(" · ".to_owned()), link]).skip(1).collect()
}

/// What the report is about, how many points it has, and along which fields.
fn facts(shown: &Shown<'_>, text: &Text) -> Vec<String> {
    let report = shown.report;
    let sizes = report.question.matrix.axes().iter().filter(|(_, values)| values.len() > 1);
    let size = |(path, values): &(_, Vec<_>)| {
        let axis = shown.axes.iter().find(|axis| axis.path == *path);
        format!("{} {}", axis.map_or_else(|| path.to_string(), |axis| axis.label(text)), integer(values.len() as u64))
    };
    let fixed = shown.fixed.iter().filter(|axis| axis.kind != AxisKind::Target);
    let mut facts = vec![report.question.title.clone()];
    if report.summary.total > 1 {
        facts.push(text.sweep.points.fill(&[("n", &integer(report.summary.total))]));
    }
    let sizes = sizes.map(size).collect::<Vec<_>>().join(" × ");
    facts.extend((!sizes.is_empty()).then_some(sizes));
    facts.extend(fixed.map(|axis| axis.told(&axis.values[0], text)));
    facts
}

struct Page<'s, 'a> {
    shown: &'s Shown<'a>,
    text: &'s Text,
}

impl Page<'_, '_> {
    fn report(&self) -> &SweepReport {
        self.shown.report
    }

    fn standing(&self, best: &ShownPoint<'_>) -> Mark {
        if best.standing == Standing::AtRisk {
            Mark::new(Tone::WARN, self.text.verdict.at_risk)
        } else {
            Mark::new(Tone::PASS, self.text.verdict.ready)
        }
    }

    /// `Run INT8 W8A8 at batch 16 on 4 × H100`, naming what varies only.
    fn run(&self, best: &ShownPoint<'_>) -> String {
        let (words, shown, summary) = (&self.text.sweep.verdict, self.shown, &self.report().summary);
        let things = shown.things(best, &[], self.text).join(self.text.frame.comma);
        let batch = shown.batch(best);
        let hardware = shown.hardware(best, &[], self.text);
        let met = summary.ran - summary.missed;
        let phrase = match (things.is_empty(), &batch, &hardware) {
            (false, Some(_), Some(_)) => &words.run_all,
            (false, Some(_), None) => &words.run_things_batch,
            (false, None, Some(_)) => &words.run_things_hardware,
            (false, None, None) => &words.run_things,
            (true, Some(_), Some(_)) => &words.run_batch_hardware,
            (true, Some(_), None) => &words.run_batch,
            (true, None, Some(_)) => &words.run_hardware,
            (true, None, None) if summary.total == 1 => return words.only_meets.to_owned(),
            (true, None, None) => return words.met_of.fill(&[("met", &integer(met)), ("ran", &integer(summary.ran))]),
        };
        phrase.fill_from(&vec![
            ("things", things),
            ("batch", batch.unwrap_or_default()),
            ("hardware", hardware.unwrap_or_default()),
        ])
    }

    /// Without targets: the point of highest throughput, said so.
    fn top(&self, best: &ShownPoint<'_>) -> String {
        let words = &self.text.sweep.verdict;
        let phrase = if self.shown.ranked_by().more_is_better() { &words.most } else { &words.quickest };
        phrase.fill(&[("point", &self.shown.point(best, self.text))])
    }

    /// What the recommended point gives against its targets, and why no other is recommended.
    fn why(&self, best: &ShownPoint<'_>) -> Vec<Vec<Inline>> {
        let words = &self.text.sweep.verdict;
        let Some(figures) = best.result.outcome.figures() else { return Vec::new() };
        let against = |(metric, limit): (Metric, f64)| {
            let value = ms(metric.of(&figures.metrics)?);
            Some(words.against.fill(&[("metric", &metric.name()), ("value", &value), ("target", &target(limit))]))
        };
        let against: Vec<String> = best.result.budgets.iter().filter_map(against).collect();
        let mut lede = vec![self.gives(best, against.join(self.text.frame.comma), true)];
        lede.extend(self.band(best, figures));
        lede.extend(others::next(self.shown, best, self.text));
        lede.extend(others::more(self.shown, best, self.text));
        lede.extend(others::counts(self.shown, self.text));
        lede
    }

    fn why_untargeted(&self, best: &ShownPoint<'_>) -> Vec<Vec<Inline>> {
        let words = &self.text.sweep.verdict;
        let Some(figures) = best.result.outcome.figures() else { return Vec::new() };
        let told = |metric: Metric| Some(format!("{} {}", metric.name(), ms(metric.of(&figures.metrics)?)));
        let told: Vec<String> = [Metric::Ttft, Metric::Tpot].into_iter().filter_map(told).collect();
        let hint = words.untargeted.fill_inline(&[("option", Inline::Code("budgets:".to_owned()))]);
        let mut lede = vec![self.gives(best, told.join(self.text.frame.comma), false)];
        lede.extend(others::next(self.shown, best, self.text));
        lede.extend(others::counts(self.shown, self.text));
        lede.push(hint);
        lede
    }

    fn gives(&self, best: &ShownPoint<'_>, figures: String, judged: bool) -> Vec<Inline> {
        let words = &self.text.sweep.verdict;
        let conditions = self.shown.conditions(best, &[], self.text);
        let phrase = match (judged, &conditions) {
            (true, Some(_)) => &words.gives_at,
            (true, None) => &words.gives,
            (false, Some(_)) => &words.gives_untargeted_at,
            (false, None) => &words.gives_untargeted,
        };
        phrase.fill_inline(&[
            ("conditions", Inline::Text(conditions.unwrap_or_default())),
            ("score", Inline::Strong(self.shown.score(best, self.text))),
            ("figures", Inline::Text(figures)),
        ])
    }

    /// Whether the error bands hold, too.
    fn band(&self, best: &ShownPoint<'_>, figures: &PointFigures) -> Option<Vec<Inline>> {
        let words = &self.text.sweep.verdict;
        let targets: Vec<(Metric, f64)> = best.result.budgets.iter().collect();
        let crosses = |(metric, limit): &(Metric, f64)| {
            figures.band(*metric).filter(|(_, high)| high > limit).map(|(_, high)| (*metric, high))
        };
        let plain = |sentence: String| vec![Inline::Text(sentence)];
        match targets.iter().find_map(crosses) {
            Some((metric, high)) => {
                Some(plain(words.band_crosses.fill(&[("metric", &metric.name()), ("high", &ms(high))])))
            }
            None if targets.iter().any(|(metric, _)| figures.band(*metric).is_some()) => {
                Some(plain(words.band_holds.to_owned()))
            }
            None => None,
        }
    }

    fn nearest(&self, nearest: Option<&ShownPoint<'_>>) -> Vec<Vec<Inline>> {
        let words = &self.text.sweep.verdict;
        let told = nearest.and_then(|point| {
            let figures = point.result.outcome.figures()?;
            Some(words.nearest.fill_inline(&[
                ("point", Inline::Strong(self.shown.point(point, self.text))),
                ("list", Inline::Text(others::misses(figures, &point.result.budgets, self.text))),
            ]))
        });
        told.into_iter().chain(others::counts(self.shown, self.text)).collect()
    }

    fn least_short(&self, nearest: Option<&ShownPoint<'_>>) -> Vec<Vec<Inline>> {
        let words = &self.text.sweep.verdict;
        let told = nearest.and_then(|point| {
            let PointOutcome::DoesNotFit(short) = &point.result.outcome else { return None };
            Some(words.least_short.fill_inline(&[
                ("point", Inline::Strong(self.shown.point(point, self.text))),
                ("needed", Inline::Text(gib(short.needed))),
                ("available", Inline::Text(gib(short.available))),
            ]))
        });
        let reason = self.shown.points.iter().find_map(|point| match &point.result.outcome {
            PointOutcome::Invalid(why) => Some(vec![Inline::Text(words.first_reason.fill(&[("reason", why)]))]),
            PointOutcome::Ran(_) | PointOutcome::DoesNotFit(_) => None,
        });
        told.into_iter().chain(others::counts(self.shown, self.text)).chain(reason).collect()
    }
}
