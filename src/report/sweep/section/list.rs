//! The points as a table: the best ones here, all of them for the script, and the files that hold them.

use crate::quantity::format::integer;
use crate::report::sweep::links;
use crate::report::sweep::shown::{Figure, Shown, ShownPoint, Standing};
use crate::report::text::{Inline, Text};
use crate::report::view::{Link, ListColumn, ListRow, PointList, Sorted};

/// Rows on the page.
const MOST_ROWS: usize = 50;

/// The section.
pub(super) fn build(shown: &Shown<'_>, text: &Text) -> PointList {
    let words = &text.sweep.list;
    let good: Vec<&ShownPoint<'_>> = shown.points.iter().filter(|point| point.standing.is_good()).collect();
    let ran = || shown.points.iter().filter(|point| point.result.outcome.figures().is_some()).collect::<Vec<_>>();
    let judged = shown.is_judged();
    let (phrase, mut listed) = match (judged, good.is_empty()) {
        _ if shown.report.summary.ran == 0 => (&words.lede_none, shown.points.iter().collect()),
        (true, false) => (&words.lede, good),
        (true, true) => (&words.lede_ran, ran()),
        (false, _) => (&words.lede_all, ran()),
    };
    let starts_good = judged && listed.iter().any(|point| point.standing.is_good());
    let by = shown.ranked_by();
    let value = |point: &ShownPoint<'_>| point.figure(by).unwrap_or(f64::INFINITY);
    listed.sort_by(
        |a, b| if by.more_is_better() { value(b).total_cmp(&value(a)) } else { value(a).total_cmp(&value(b)) },
    );
    let all = listed.len();
    listed.truncate(MOST_ROWS);
    let figures = figures(shown);
    PointList {
        lede: phrase.fill(&[("n", &integer(listed.len() as u64)), ("all", &integer(all as u64))]),
        search: words.search.fill(&[("n", &integer(shown.points.len() as u64))]),
        thinned: thinned(shown, text),
        full: full(shown, text),
        files: files(shown, text),
        example: example(shown),
        starts_good,
        standings: standings(shown, judged, text),
        shown: words.shown.source(),
        count: words.shown.fill(&[("n", &integer(listed.len() as u64)), ("m", &integer(all as u64))]),
        columns: columns(shown, &figures, by, text),
        rows: listed.into_iter().map(|point| row(shown, point, &figures, text)).collect(),
        marks: Standing::ALL.map(|standing| standing.mark(text)).into(),
    }
}

/// Figures that any point has.
fn figures(shown: &Shown<'_>) -> Vec<Figure> {
    let has = |figure: &Figure| {
        (*figure != Figure::SpeedPerGpu || shown.several_gpus)
            && shown.points.iter().any(|point| point.figure(*figure).is_some())
    };
    Figure::ALL.into_iter().filter(has).collect()
}

/// What the table can be narrowed to: codes of standings, and their words.
fn standings(shown: &Shown<'_>, judged: bool, text: &Text) -> Vec<[String; 2]> {
    let words = &text.sweep.list;
    let code = |standing: Standing| (standing as usize).to_string();
    let good = Standing::ALL.into_iter().filter(|standing| standing.is_good()).map(code).collect::<Vec<_>>().join(",");
    let present = |standing: &Standing| shown.points.iter().any(|point| point.standing == *standing);
    let single = |standing: &Standing| present(standing) && *standing != Standing::Meets && *standing != Standing::Runs;
    let each = Standing::ALL.into_iter().filter(single);
    let all = [String::new(), words.show_all.to_owned()];
    let good = judged.then(|| [good, words.show_good.to_owned()]);
    [all].into_iter().chain(good).chain(each.map(|standing| [code(standing), standing.mark(text).text])).collect()
}

fn columns(shown: &Shown<'_>, figures: &[Figure], by: Figure, text: &Text) -> Vec<ListColumn> {
    let axes = shown.axes.iter().enumerate().map(|(index, axis)| ListColumn {
        key: index.to_string(),
        title: axis.label(text),
        numeric: axis.numeric,
        sorted: Sorted::No,
    });
    let figures = figures.iter().map(|figure| ListColumn {
        key: figure.key().to_owned(),
        title: figure.name(text).to_owned(),
        numeric: true,
        sorted: match (*figure == by, by.more_is_better()) {
            (false, _) => Sorted::No,
            (true, true) => Sorted::Descending,
            (true, false) => Sorted::Ascending,
        },
    });
    let standing = ListColumn {
        key: "k".to_owned(),
        title: text.sweep.list.standing.to_owned(),
        numeric: false,
        sorted: Sorted::No,
    };
    axes.chain(figures).chain([standing]).collect()
}

fn row(shown: &Shown<'_>, point: &ShownPoint<'_>, figures: &[Figure], text: &Text) -> ListRow {
    let axes = shown.axes.iter().zip(&point.at).map(|(axis, at)| axis.values[*at].name.clone());
    let figures = figures.iter().map(|figure| match figure {
        Figure::Ttft | Figure::Tpot | Figure::Memory => shown.figure(point, *figure, text),
        Figure::Speed | Figure::SpeedPerGpu => point.shown(*figure),
    });
    ListRow { cells: axes.chain(figures).collect(), mark: point.standing.mark(text) }
}

fn thinned(shown: &Shown<'_>, text: &Text) -> String {
    let summary = &shown.report.summary;
    if !summary.is_thinned() {
        return String::new();
    }
    let (total, kept) = (integer(summary.total), integer(summary.kept.len() as u64));
    text.sweep.list.thinned.fill(&[("total", &total), ("kept", &kept)])
}

/// Full pages of single points.
fn full(shown: &Shown<'_>, text: &Text) -> Vec<Link> {
    let (words, report) = (&text.sweep.list, shown.report);
    let told = |point: &Option<crate::sweep::PointResult>| {
        let point = point.as_ref().and_then(|point| shown.of(point));
        point.map(|point| shown.point(point, text)).unwrap_or_default()
    };
    let link = |page: &Option<String>, phrase: &crate::report::text::Phrase, point: String| {
        page.as_ref().map(|page| Link { href: links::beside(page), text: phrase.fill(&[("point", &point)]) })
    };
    let phrase = if shown.recommends() { &words.full_best } else { &words.full_highest };
    let best = link(&report.pages.best, phrase, told(&report.summary.best));
    let focus = link(&report.pages.focus, &words.full_focus, told(&report.focus));
    best.into_iter().chain(focus).collect()
}

/// The files that hold every point.
fn files(shown: &Shown<'_>, text: &Text) -> Vec<Inline> {
    let stem = shown.report.question.file_stem();
    let link = |extension: &str| {
        let name = format!("{stem}.{extension}");
        Inline::Link { href: links::beside(&name), text: name }
    };
    text.sweep.list.files.fill_inline(&[("csv", link("csv")), ("json", link("json"))])
}

/// What one could type: the name of a value, and a number of a field.
fn example(shown: &Shown<'_>) -> String {
    let words = shown.axes.iter().find(|axis| !axis.numeric).and_then(|axis| axis.values.last());
    let word = words.map(|value| value.name.split_whitespace().next().unwrap_or_default().to_lowercase());
    let number = shown.axes.iter().find(|axis| axis.numeric).map(|axis| {
        let middle = &axis.values[axis.values.len() / 2];
        format!("{}>{}", axis.path, middle.raw.as_deref().unwrap_or_default())
    });
    let parts: Vec<String> = word.into_iter().chain(number).filter(|part| !part.is_empty()).collect();
    parts.join(" ")
}
