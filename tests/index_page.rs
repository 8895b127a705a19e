//! The page over a folder of reports: its counts, links, order, words and size.

mod index_sample;
mod support;

use std::collections::BTreeMap;

use index_sample::{HOSTILE, index};
use simllm::emit;
use simllm::report::index::{Broken, BrokenKind, Gone, Index, Status, page};
use simllm::report::text::{EN, Lang};
use simllm::report::view::{Content, IndexPage};
use support::page::{markup, words};

fn view(index: &Index) -> IndexPage {
    match page(index, &EN).content {
        Content::Index(view) => *view,
        _ => panic!("an index has the page of an index"),
    }
}

fn html(index: &Index, lang: Lang) -> String {
    emit::html::index_page(index, lang)
}

/// Values of an attribute, decoded.
fn values(html: &str, attribute: &str) -> Vec<String> {
    let key = format!(" {attribute}=\"");
    let decode =
        |text: &str| text.replace("&#34;", "\"").replace("&#60;", "<").replace("&#39;", "'").replace("&#38;", "&");
    markup(html).split(&key).skip(1).filter_map(|rest| rest.split('"').next().map(decode)).collect()
}

#[test]
fn counts_are_those_of_the_reports() {
    let index = index(36, 12);
    let view = view(&index);
    assert_eq!(view.list.rows.len(), 36);
    assert_eq!(view.list.filters.total, "36");
    let count = |wanted| index.entries.iter().filter(|entry| entry.status == wanted).count().to_string();
    let shown: Vec<&str> = view.verdict.heroes.iter().map(|hero| hero.value.as_str()).collect();
    let expected = [Status::Ready, Status::AtRisk, Status::NotReady, Status::DoesNotFit].map(count);
    assert_eq!(shown, expected.iter().map(String::as_str).collect::<Vec<_>>());
    let (mut slower, mut faster) = (0, 0);
    for changes in index.entries.iter().filter_map(|entry| entry.changes.as_ref()) {
        slower += changes.slower;
        faster += changes.faster;
    }
    assert_eq!(view.verdict.title, format!("{slower} configurations got slower, {faster} got faster"));
    let changes = view.changes.expect("a baseline");
    let listed: usize = index.entries.iter().filter_map(|entry| entry.changes.as_ref()).map(|c| c.largest.len()).sum();
    assert_eq!(changes.rows.len() + changes.more.len(), listed);
    assert_eq!(changes.appeared.len(), index.entries.iter().filter(|entry| entry.appeared).count());
    assert_eq!(changes.gone.len(), 1);
    assert_eq!(changes.trends.len(), 2);
    let page = html(&index, Lang::En);
    assert_eq!(page.matches("<tr data-item=").count(), 36);
}

#[test]
fn what_needs_attention_comes_first() {
    let index = index(60, 3);
    let statuses: BTreeMap<&str, usize> = [("bad", 0), ("short", 1), ("risk", 2), ("ok", 3), ("none", 4)].into();
    let order: Vec<usize> = view(&index).list.rows.iter().map(|row| statuses[row.status]).collect();
    assert!(order.is_sorted(), "{order:?}");
    let ranks: Vec<String> = view(&index).list.rows.iter().map(|row| row.rank.clone()).collect();
    assert_eq!(ranks, (0..60).map(|rank| rank.to_string()).collect::<Vec<_>>(), "the result sorts back to this order");
}

#[test]
fn links_are_the_pages_of_the_reports() {
    let index = index(36, 12);
    let mut there: Vec<String> = index
        .entries
        .iter()
        .flat_map(|entry| [&entry.pages.report, &entry.pages.focus, &entry.pages.best].map(Clone::clone))
        .flatten()
        .collect();
    there.sort();
    let mut links: Vec<String> =
        values(&html(&index, Lang::En), "href").into_iter().filter(|href| href.ends_with(".html")).collect();
    for link in &links {
        assert!(there.binary_search(link).is_ok(), "{link}");
    }
    links.sort();
    links.dedup();
    assert_eq!(links, there, "every page is linked");
}

#[test]
fn hostile_words_stay_text() {
    let mut index = index(8, 3);
    index.label = HOSTILE.to_owned();
    index.baseline = Some(HOSTILE.to_owned());
    for (i, entry) in index.entries.iter_mut().enumerate() {
        entry.title = HOSTILE.to_owned();
        entry.point.model = HOSTILE.to_owned();
        entry.point.hardware = format!("{HOSTILE}|{i}");
        entry.point.fields.push(format!("a.b {HOSTILE}"));
        entry.pages.report = Some(format!("javascript:alert({i}) \"<>.html"));
        entry.pages.focus = Some("../../../etc/passwd".to_owned());
        entry.history[0].label = HOSTILE.to_owned();
        for change in entry.changes.iter_mut().flat_map(|changes| &mut changes.largest) {
            change.subject = format!("{HOSTILE}, {HOSTILE}");
        }
    }
    for lang in [Lang::En, Lang::Zh] {
        let page = html(&index, lang);
        assert!(!page.contains("<img"));
        assert_eq!(page.matches("</script>").count(), 3, "theme, data, script");
        let markup = markup(&page);
        for tag in markup.split('<').filter_map(|tag| tag.split('>').next()) {
            assert!(!tag.contains(" style="), "<{tag}>");
            assert!(!tag.split_whitespace().skip(1).any(|a| a.starts_with("on") && a.contains("=\"")), "<{tag}>");
        }
        for href in values(&page, "href") {
            let page = href.ends_with(".html") && !href.contains(':') && !href.contains("..");
            assert!(page || href.starts_with('#') || href == "data:,", "{href}");
        }
    }
}

#[test]
fn both_languages_are_finished() {
    for (n, runs) in [(0, 1), (1, 1), (1, 2), (36, 1), (36, 12)] {
        let mut index = index(n, runs);
        index.notes.remove(0);
        index.gone.clear();
        index.entries.iter_mut().filter(|entry| entry.title == HOSTILE).for_each(|entry| entry.title = "x".to_owned());
        for lang in [Lang::En, Lang::Zh] {
            let text = words(&html(&index, lang));
            for bad in ["{", "}", "NaN", "inf\u{a0}", "None", "Some(", "Infinity"] {
                let at = text.find(bad).map(|at| text[at.saturating_sub(60)..].chars().take(120).collect::<String>());
                assert!(at.is_none(), "{n} reports: {bad} in {at:?}");
            }
        }
        if n > 0 {
            let han = words(&html(&index, Lang::Zh)).chars().filter(|c| ('\u{4e00}'..='\u{9fff}').contains(c)).count();
            assert!(han > 150, "{han}");
        }
    }
}

#[test]
fn the_first_sentence_fits_what_is_there() {
    let title = |index: &Index| view(index).verdict.title;
    assert_eq!(title(&index(0, 1)), "No reports in this folder yet");
    let mut some = index(36, 1);
    let bad = some.entries.iter().filter(|e| [Status::NotReady, Status::DoesNotFit].contains(&e.status)).count();
    assert_eq!(title(&some), format!("{bad} of 36 reports miss a target or do not fit in memory"));
    let misses = some.entries.iter().filter(|entry| entry.status == Status::NotReady).count();
    some.entries.retain(|entry| entry.status != Status::DoesNotFit);
    assert_eq!(title(&some), format!("{misses} of {} reports miss a target", some.entries.len()));
    some.entries.retain(|entry| entry.status != Status::NotReady);
    let targeted = some.entries.iter().filter(|entry| entry.status != Status::NoTarget).count();
    let all = some.entries.len();
    assert_eq!(title(&some), format!("All {targeted} of {all} reports that have a target meet it"));
    some.entries.retain(|entry| entry.status != Status::NoTarget);
    assert_eq!(title(&some), format!("All {targeted} reports meet their targets"));
    some.entries.truncate(1);
    assert_eq!(title(&some), "The report meets its targets");
    some.baseline = Some("build 1".to_owned());
    some.entries[0].changes = None;
    assert_eq!(title(&some), "The report meets its targets", "nothing to compare");
    some.entries[0].changes = Some(simllm::report::index::Changes { compared: 1, ..Default::default() });
    assert_eq!(title(&some), "No configuration changed by more than 2\u{a0}%");
}

#[test]
fn files_with_errors_come_before_all_news() {
    let titles = |broken: usize, n: usize, runs: usize| {
        let mut index = index(n, runs);
        let why = format!("b.yaml:1: {HOSTILE}\nhelp: repair it");
        index.broken = (0..broken).map(|i| Broken::new(BrokenKind::Report, &format!("b{i}"), &why, &[])).collect();
        let page = html(&index, Lang::En);
        assert!(page.len() < 1_500_000 && !page.contains("<img"));
        assert!(page.contains("<a href=\"#errors\">") && page.contains("<section id=\"errors\">"));
        (view(&index), emit::index::json(&index))
    };
    for (n, runs) in [(0, 1), (8, 1), (8, 3)] {
        let (view, _) = titles(1, n, runs);
        assert_eq!((view.verdict.title.as_str(), view.verdict.status.text.as_str()), ("1 file has an error", "Errors"));
    }
    let (view, json) = titles(300, 8, 3);
    let errors = view.errors.expect("errors");
    assert_eq!(view.verdict.title, "300 files have errors");
    assert_eq!((errors.lines.len(), errors.beyond.as_str()), (40, "260 more in index.json."));
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["broken"].as_array().map(Vec::len), Some(300));
}

#[test]
fn new_and_gone_reports_are_named_up_to_a_dozen() {
    let mut index = index(300, 3);
    let appeared = index.entries.iter().filter(|entry| entry.appeared).count();
    index.gone = (0..20).map(|i| Gone { stem: format!("g{i}"), title: format!("Gone {i}") }).collect();
    let changes = view(&index).changes.expect("a baseline");
    assert_eq!((changes.appeared.len(), changes.gone.len()), (12, 12));
    assert_eq!(changes.appeared_more, format!("{} more are marked new in the table.", appeared - 12));
    assert_eq!(changes.gone_more, "8 more are named in index.json.");
    let moved =
        index.entries.iter().filter_map(|entry| entry.changes.as_ref()).filter(|found| found.appeared > 0).count();
    assert_eq!(
        (changes.points.len(), changes.points_more),
        (12, format!("{} more are counted in index.json.", moved - 12))
    );
}

#[test]
fn a_long_index_keeps_the_past_of_what_changed() {
    let index = index(1000, 24);
    let page = html(&index, Lang::En);
    assert!(page.len() < 1_500_000, "{} bytes", page.len());
    let changed = |e: &simllm::report::index::Entry| e.changes.as_ref().is_some_and(|c| c.slower + c.faster > 0);
    let expected = index.entries.iter().filter(|entry| changed(entry)).count();
    let drawn = index.entries.iter().filter(|entry| changed(entry) && entry.point.ttft_ms.is_some()).count();
    assert_eq!(view(&index).list.rows.iter().filter(|row| row.runs.is_some()).count(), drawn);
    let disk: serde_json::Value = serde_json::from_str(&emit::index::json(&index)).expect("JSON");
    assert_eq!(disk["reports"].as_object().map(|reports| reports.len()), Some(1000));
    assert!(
        disk["reports"].as_object().into_iter().flatten().all(|(_, runs)| runs.as_array().map(Vec::len) == Some(24))
    );
    let carried: serde_json::Value = serde_json::from_str(&emit::index::data(&index)).expect("JSON");
    let entries = carried["entries"].as_array().expect("a list");
    assert_eq!(entries.len(), 1000);
    assert_eq!(entries.iter().filter(|entry| entry.get("history").is_some()).count(), expected);
    eprintln!("1,000 reports: page {} KB, data {} KB", page.len() / 1024, emit::index::data(&index).len() / 1024);
}

#[test]
fn a_usual_index_is_small() {
    let index = index(36, 12);
    let page = html(&index, Lang::En);
    assert!(page.len() < 102 * 1024, "{} bytes", page.len());
    for chart in page.split("<svg class=\"chart\"").skip(1) {
        assert!(chart.split("</svg>").next().unwrap_or_default().len() < 8 * 1024);
    }
    assert_eq!(page, html(&index, Lang::En), "the same bytes");
    eprintln!("36 reports: page {} KB, data {} KB", page.len() / 1024, emit::index::data(&index).len() / 1024);
}

#[test]
fn ids_are_unique_and_places_exist() {
    let page = html(&index(36, 12), Lang::En);
    let mut ids = values(&page, "id");
    ids.sort();
    for pair in ids.windows(2) {
        assert_ne!(pair[0], pair[1]);
    }
    for link in values(&page, "href").iter().filter_map(|href| href.strip_prefix('#')) {
        assert!(ids.iter().any(|id| id == link), "#{link}");
    }
}

#[test]
fn pages_are_kept_on_request() {
    let Some(folder) = std::env::var_os("SIMLLM_KEEP_PAGES") else { return };
    let folder = std::path::PathBuf::from(folder);
    std::fs::create_dir_all(&folder).expect("a folder for the pages");
    for (n, runs) in [(0, 1), (36, 1), (36, 12), (1000, 24)] {
        for lang in [Lang::En, Lang::Zh] {
            let name = format!("index-{n}-{runs}-{}.html", lang.tag());
            std::fs::write(folder.join(name), html(&index(n, runs), lang)).expect("a page on disk");
        }
    }
}
