//! Sample pages of every kind, held against the budgets and the rules of the design.
//!
//! `SIMLLM_KEEP_PAGES=DIR` keeps the files, for a browser.

mod sample;

use sample::{Sample, infeasible, single};
use simllm::emit::html;
use simllm::report::text::Lang;

const HOSTILE: &str = "</script><img src=x onerror=alert(1)>";
const JSON: &str = r#"{"schema_version":1,"inputs":{"model":"</script><img src=x onerror=alert(1)>"}}"#;

/// Name and bytes of every sample page.
fn pages() -> Vec<(&'static str, String)> {
    let sample = |lang, model, targets| Sample { lang, model, targets };
    let llama = "Llama-3-8B";
    let cases = [
        ("single-en", sample(Lang::En, llama, Some((150.0, 15.0))), true),
        ("single-zh", sample(Lang::Zh, llama, Some((200.0, 15.0))), true),
        ("single-hostile", sample(Lang::En, HOSTILE, None), true),
        ("infeasible-en", sample(Lang::En, llama, None), false),
        ("infeasible-zh", sample(Lang::Zh, llama, None), false),
    ];
    cases
        .map(|(name, sample, fits)| {
            let view = if fits { single(&sample) } else { infeasible(&sample) };
            (name, html::page(&view, sample.lang.text(), JSON))
        })
        .to_vec()
}

/// The page without its scripts and its style sheet.
fn markup(page: &str) -> String {
    let mut out = String::new();
    let mut rest = page;
    while let Some(start) = ["<script", "<style"].iter().filter_map(|tag| rest.find(tag)).min() {
        out.push_str(&rest[..start]);
        let end = rest[start..].find("</s").expect("a closed element");
        rest = &rest[start + end..];
        rest = &rest[rest.find('>').expect("a closed tag") + 1..];
    }
    out + rest
}

#[test]
fn pages_keep_their_budget() {
    for (name, page) in pages() {
        assert!(page.len() < 300 * 1024, "{name}: {} bytes", page.len());
        for chart in page.split("<svg class=\"chart\"").skip(1) {
            let chart = chart.split("</svg>").next().unwrap_or_default();
            assert!(chart.len() < 8 * 1024, "{name}: a chart of {} bytes", chart.len());
        }
    }
}

#[test]
fn pages_have_no_inline_style_and_no_handlers() {
    for (name, page) in pages() {
        let markup = markup(&page);
        for tag in markup.split('<').filter_map(|tag| tag.split('>').next()) {
            assert!(!tag.contains(" style="), "{name}: <{tag}>");
            assert!(!tag.split_whitespace().skip(1).any(|a| a.starts_with("on") && a.contains('=')), "{name}: <{tag}>");
        }
        assert!(!markup.contains("http://") && !markup.contains("https://"), "{name} names no address");
    }
}

#[test]
fn ids_are_unique_and_links_lead_somewhere() {
    for (name, page) in pages() {
        let markup = markup(&page);
        let values = |attribute: &str| -> Vec<String> {
            let key = format!(" {attribute}=\"");
            markup.split(&key).skip(1).filter_map(|rest| rest.split('"').next().map(str::to_owned)).collect()
        };
        let mut ids = values("id");
        ids.sort();
        for pair in ids.windows(2) {
            assert_ne!(pair[0], pair[1], "{name}");
        }
        let links = values("href").into_iter().filter_map(|href| href.strip_prefix('#').map(str::to_owned));
        for link in links.chain(values("data-href")) {
            let id = ["stage", "kernel", "fix"].iter().find_map(|kind| {
                let rest = link.strip_prefix(kind)?.strip_prefix('=')?;
                Some(format!("{kind}-{rest}"))
            });
            assert!(ids.binary_search(id.as_ref().unwrap_or(&link)).is_ok(), "{name}: #{link}");
        }
    }
}

#[test]
fn a_hostile_name_stays_text() {
    let (_, page) = pages().into_iter().find(|(name, _)| *name == "single-hostile").expect("the hostile sample");
    assert!(!page.contains("<img"));
    assert_eq!(page.matches("</script>").count(), 3, "theme, data, script");
}

#[test]
fn the_same_view_gives_the_same_bytes() {
    assert_eq!(pages(), pages());
}

#[test]
fn pages_are_kept_on_request() {
    let pages = pages();
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("pages");
    let folder = std::env::var_os("SIMLLM_KEEP_PAGES").map_or(folder, Into::into);
    std::fs::create_dir_all(&folder).expect("a folder for the pages");
    for (name, page) in &pages {
        std::fs::write(folder.join(format!("{name}.html")), page).expect("a page on disk");
    }
    if std::env::var_os("SIMLLM_KEEP_PAGES").is_none() {
        std::fs::remove_dir_all(&folder).expect("the folder is ours");
    }
}
