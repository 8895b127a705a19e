//! Why cells of the map are empty: what points that do not run lack, or what is wrong with them.

use std::collections::BTreeMap;

use crate::quantity::format::{gib, integer};
use crate::report::sweep::shown::Shown;
use crate::report::text::Text;
use crate::sweep::PointOutcome;

/// Reasons that are listed.
const MOST_REASONS: usize = 6;

/// A line for each reason, the most frequent first; none where every point runs.
pub(super) fn build(shown: &Shown<'_>, text: &Text) -> Vec<String> {
    let words = &text.sweep.map;
    let reasons = reasons(shown);
    let listed = reasons.iter().take(MOST_REASONS);
    let listed = listed
        .map(|(reason, n)| words.why_invalid.fill(&[("n", &integer(*n)), ("reason", reason)]))
        .collect::<Vec<_>>();
    let rest = &reasons[listed.len()..];
    let more = (!rest.is_empty()).then(|| {
        let points = rest.iter().map(|(_, n)| n).sum();
        words.why_more.fill(&[("n", &integer(points)), ("reasons", &integer(rest.len() as u64))])
    });
    short(shown, text).into_iter().chain(listed).chain(more).collect()
}

/// What points lack that do not fit, from the least to the most.
fn short(shown: &Shown<'_>, text: &Text) -> Option<String> {
    let lacking = shown.points.iter().filter_map(|point| match &point.result.outcome {
        PointOutcome::DoesNotFit(short) => Some(short.needed - short.available),
        PointOutcome::Ran(_) | PointOutcome::Invalid(_) => None,
    });
    let start = (0u64, f64::INFINITY, 0.0f64);
    let (n, least, most) = lacking.fold(start, |(n, least, most), lack| (n + 1, least.min(lack), most.max(lack)));
    let holes: [(&str, &dyn std::fmt::Display); 3] = [("n", &integer(n)), ("least", &gib(least)), ("most", &gib(most))];
    (n > 0).then(|| text.sweep.map.why_short.fill(&holes))
}

/// Why points are no scenario, with how many each reason holds for.
fn reasons<'s>(shown: &'s Shown<'_>) -> Vec<(&'s str, u64)> {
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for point in &shown.points {
        if let PointOutcome::Invalid(why) = &point.result.outcome {
            *counts.entry(why).or_insert(0) += 1;
        }
    }
    let mut reasons: Vec<(&str, u64)> = counts.into_iter().collect();
    reasons.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    reasons
}
