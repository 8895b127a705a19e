//! What one user gets against what one GPU yields: every point that runs, and those that no other beats in both.

use super::curves::short;
use crate::quantity::format::{integer, number, with_unit};
use crate::report::chart::{Cloud, FrontPoint};
use crate::report::sweep::shown::{Figure, Shown, ShownPoint};
use crate::report::text::Text;
use crate::report::view::{Column, Figure as FigureView, Table};
use crate::report::words::names::sentences;
use crate::sweep::PointFigures;

/// Rows of the table of the front.
const MOST_ROWS: usize = 40;

/// The chart; none where the scenarios lack a phase, or where there is one point only.
pub(super) fn build(shown: &Shown<'_>, text: &Text) -> Option<FigureView> {
    let words = &text.sweep.curves;
    let place = |point: &ShownPoint<'_>| point.result.outcome.figures().and_then(coordinates);
    let front: Vec<(&ShownPoint<'_>, (f64, f64))> = shown
        .report
        .summary
        .front
        .iter()
        .filter_map(|point| shown.of(point))
        .filter_map(|p| Some((p, place(p)?)))
        .collect();
    let on_front = |point: &ShownPoint<'_>| front.iter().any(|(other, _)| other.result.ordinal == point.result.ordinal);
    let cloud: Vec<(f64, f64)> = shown.points.iter().filter(|point| !on_front(point)).filter_map(place).collect();
    if front.is_empty() || front.len() + cloud.len() < 2 {
        return None;
    }
    let ran = shown.report.summary.ran;
    let finding = words.front_finding.fill(&[("front", &integer(front.len() as u64)), ("ran", &integer(ran))]);
    let good = front.iter().filter(|(point, _)| point.standing.is_good()).count() as u64;
    let met = shown.is_judged().then(|| words.front_met.fill(&[("n", &integer(good))]));
    let mark = if shown.recommends() { words.verdict_label } else { words.highest_label };
    let chart = Cloud {
        label: words.front_aria.fill(&[("finding", &finding)]),
        x_title: words.user_axis.to_owned(),
        y_title: words.gpu_axis.to_owned(),
        points: cloud,
        front: front.iter().map(|(point, at)| FrontPoint { at: *at, tip: tip(shown, point, *at, text) }).collect(),
        front_label: words.front_label.to_owned(),
        mark: shown.best().and_then(|best| Some((place(best)?, mark.to_owned()))),
    };
    Some(FigureView {
        id: "c-front",
        title: words.front.to_owned(),
        finding: sentences(
            &[finding].into_iter().chain(met).chain([words.front_binned.to_owned()]).collect::<Vec<_>>(),
            text,
        ),
        chart: chart.draw(),
        legend: Vec::new(),
        numbers: table(shown, &front, text),
    })
}

/// Tokens per second of a user and of a GPU.
fn coordinates(figures: &PointFigures) -> Option<(f64, f64)> {
    let at = (figures.tokens_per_user()?, figures.tokens_per_gpu()?);
    (at.0 > 0.0 && at.1 > 0.0 && at.0.is_finite() && at.1.is_finite()).then_some(at)
}

fn tip(shown: &Shown<'_>, point: &ShownPoint<'_>, at: (f64, f64), text: &Text) -> String {
    let user = with_unit(at.0, "tok/s");
    format!("{}\n{user}\n{}", short(&shown.point(point, text)), with_unit(at.1, text.sweep.per_gpu))
}

fn table(shown: &Shown<'_>, front: &[(&ShownPoint<'_>, (f64, f64))], text: &Text) -> Table {
    let words = &text.sweep.curves;
    let row = |(point, at): &(&ShownPoint<'_>, (f64, f64))| {
        vec![
            shown.point(point, text),
            number(at.0),
            number(at.1),
            shown.figure(point, Figure::Ttft, text),
            point.standing.mark(text).text,
        ]
    };
    let mut rows: Vec<Vec<String>> = front.iter().take(MOST_ROWS).map(row).collect();
    if front.len() > MOST_ROWS {
        let more = words.front_more.fill(&[("n", &integer((front.len() - MOST_ROWS) as u64))]);
        rows.push([more].into_iter().chain(std::iter::repeat_n(String::new(), 4)).collect());
    }
    Table {
        label: text.frame.numbers_of.fill(&[("chart", &words.front)]),
        columns: vec![
            Column::words(words.point),
            Column::numbers(words.user_column),
            Column::numbers(text.sweep.per_gpu),
            Column::numbers("TTFT"),
            Column::words(text.sweep.list.standing),
        ],
        rows,
    }
}
