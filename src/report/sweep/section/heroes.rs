//! The large numbers of a sweep: how many points hold, the best ones, and what cannot run.

use super::leading;
use crate::diagnose::Metric;
use crate::quantity::format::{ABSENT, integer, number};
use crate::report::chart::bars;
use crate::report::sweep::shown::{AxisKind, Shown, ShownPoint};
use crate::report::text::Text;
use crate::report::view::{Hero, Mark, Tone};
use crate::report::words::names::target;
use crate::sweep::PointOutcome;

/// Numbers in a row.
const MOST: usize = 4;

/// How many points meet the targets, the best of the first values of the leading field, and what cannot run.
pub(super) fn build(shown: &Shown<'_>, text: &Text) -> Vec<Hero> {
    let left_out = not_runnable(shown, text);
    let room = MOST - 1 - usize::from(left_out.is_some());
    let mut heroes = vec![counted(shown, text)];
    heroes.extend(bests(shown, room, text));
    let quickest = shown.report.summary.fastest.as_ref().and_then(|point| shown.of(point));
    let room_left = heroes.len() <= room;
    heroes.extend(quickest.filter(|_| room_left).map(|point| quickest_hero(shown, point, text)));
    heroes.extend(left_out);
    heroes
}

/// The point whose whole request, or whose only phase, takes the least time.
fn quickest_hero(shown: &Shown<'_>, point: &ShownPoint<'_>, text: &Text) -> Hero {
    let metrics = point.result.outcome.figures().map(|figures| figures.metrics);
    let time = metrics.and_then(|m| m.e2e_ms.or(m.ttft_ms).or(m.tpot_ms));
    Hero {
        label: text.sweep.verdict.quickest_point.to_owned(),
        value: time.map_or_else(|| ABSENT.to_owned(), number),
        unit: "ms".to_owned(),
        bullet: None,
        mark: point.standing.mark(text),
        note: shown.point(point, text),
    }
}

/// Points that meet the targets of those that run; without targets, points that run of all.
fn counted(shown: &Shown<'_>, text: &Text) -> Hero {
    let (words, summary) = (&text.sweep.verdict, &shown.report.summary);
    let judged = shown.is_judged();
    let (part, whole) = if judged { (summary.ran - summary.missed, summary.ran) } else { (summary.ran, summary.total) };
    let limit = |(metric, limit): (Metric, f64)| {
        words.note_target.fill(&[("metric", &metric.name()), ("target", &target(limit))])
    };
    let limits: Vec<String> = shown.report.question.budgets.iter().map(limit).collect();
    Hero {
        label: if judged { words.points_met } else { words.points_ran }.to_owned(),
        value: integer(part),
        unit: if judged {
            words.of_ran.fill(&[("ran", &integer(whole))])
        } else {
            words.of_total.fill(&[("total", &integer(whole))])
        },
        bullet: Some(bars::share_bullet(part as f64, whole as f64, Tone::PASS)),
        mark: Mark::new(Tone::NEUTRAL, if judged { "" } else { text.verdict.target_unset }),
        note: limits.join(text.frame.comma),
    }
}

fn bests(shown: &Shown<'_>, room: usize, text: &Text) -> Vec<Hero> {
    let words = &text.sweep.verdict;
    let Some(best) = shown.best() else { return Vec::new() };
    let hero = |label: String, point: &ShownPoint<'_>, skip: &[usize]| {
        let figure = shown.ranked_by();
        let choice = shown.choice(point, skip, text);
        let note = [choice].into_iter().chain(shown.conditions(point, &[], text)).filter(|part| !part.is_empty());
        Hero {
            label,
            value: point.shown(figure),
            unit: figure.unit(text).to_owned(),
            bullet: None,
            mark: point.standing.mark(text),
            note: note.collect::<Vec<_>>().join(text.frame.comma),
        }
    };
    let axis = leading::axis(shown).filter(|_| !shown.report.summary.is_thinned());
    let Some(axis) = axis else { return vec![hero(words.best_point.to_owned(), best, &[])] };
    let field = &shown.axes[axis];
    let phrase = if field.kind == AxisKind::Hardware { &words.best_on } else { &words.best_with };
    let label = |value: usize| phrase.fill(&[("value", &field.told(&field.values[value], text))]);
    let of = |(value, point): (usize, Option<&ShownPoint<'_>>)| match point {
        Some(point) => hero(label(value), point, &[axis]),
        None => Hero {
            label: label(value),
            value: "0".to_owned(),
            unit: words.points_unit.to_owned(),
            bullet: None,
            mark: Mark::new(Tone::FAIL, text.sweep.best.none_meets),
            note: String::new(),
        },
    };
    leading::bests(shown, axis, best).into_iter().take(room).map(of).collect()
}

/// Points that do not fit or are no scenario; none where all run.
fn not_runnable(shown: &Shown<'_>, text: &Text) -> Option<Hero> {
    let (words, summary) = (&text.sweep.verdict, &shown.report.summary);
    let count = summary.does_not_fit + summary.invalid;
    let part = |n: u64, phrase: &crate::report::text::Phrase| (n > 0).then(|| phrase.fill(&[("n", &integer(n))]));
    let parts = [part(summary.does_not_fit, &words.note_short), part(summary.invalid, &words.note_invalid)];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    let why = shown.points.iter().find_map(|point| match &point.result.outcome {
        PointOutcome::Invalid(why) => Some(why.clone()),
        PointOutcome::Ran(_) | PointOutcome::DoesNotFit(_) => None,
    });
    (count > 0).then(|| Hero {
        label: words.not_runnable.to_owned(),
        value: integer(count),
        unit: words.points_unit.to_owned(),
        bullet: None,
        mark: Mark::new(Tone::NEUTRAL, parts.join(text.frame.comma)),
        note: why.unwrap_or_default(),
    })
}
