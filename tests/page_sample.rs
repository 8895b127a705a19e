//! Pages of real reports of every kind, held against the budgets and the rules of the design.
//!
//! `SIMLLM_KEEP_PAGES=DIR` keeps the files, for a browser.

mod sample;
mod support;

use sample::{Case, HOSTILE, cases, markup, words};

#[test]
fn pages_keep_their_budget() {
    for Case { name, html, .. } in cases() {
        assert!(html.len() < 300 * 1024, "{name}: {} bytes", html.len());
        for chart in html.split("<svg class=\"chart\"").skip(1) {
            let chart = chart.split("</svg>").next().unwrap_or_default();
            assert!(chart.len() < 8 * 1024, "{name}: a chart of {} bytes", chart.len());
        }
    }
}

#[test]
fn pages_have_no_inline_style_and_no_handlers() {
    for Case { name, html, .. } in cases() {
        let markup = markup(html);
        for tag in markup.split('<').filter_map(|tag| tag.split('>').next()) {
            assert!(!tag.contains(" style="), "{name}: <{tag}>");
            assert!(!tag.split_whitespace().skip(1).any(|a| a.starts_with("on") && a.contains('=')), "{name}: <{tag}>");
        }
        for load in ["src=", "href=\"http", "@import", "url("] {
            assert!(*name == "hostile" || !markup.contains(load), "{name} loads something: {load}");
        }
    }
}

#[test]
fn ids_are_unique_and_links_lead_somewhere() {
    for Case { name, html, .. } in cases() {
        let markup = markup(html);
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
fn no_word_is_left_unfinished() {
    for Case { name, html, .. } in cases() {
        let text = words(html);
        for bad in ["{", "}", "NaN", "inf\u{a0}", "None", "Some(", "Infinity"] {
            let at = text.find(bad).map(|at| text[at.saturating_sub(60)..].chars().take(120).collect::<String>());
            assert!(at.is_none(), "{name}: {bad} in {at:?}");
        }
        assert!(!text.contains("> <"), "{name}");
    }
}

#[test]
fn a_hostile_name_stays_text() {
    let case = cases().iter().find(|case| case.name == "hostile").expect("the hostile sample");
    assert!(!case.html.contains("<img"));
    assert_eq!(case.html.matches("</script>").count(), 3, "theme, data, script");
    let quoted = HOSTILE.replace('\'', r"'\''").replace('<', "&#60;").replace('>', "&#62;").replace('\'', "&#39;");
    assert!(case.html.contains(&format!("--model &#39;{quoted}&#39;")), "the name is one word of the commands");
}

#[test]
fn the_same_report_gives_the_same_bytes() {
    for (first, second) in cases().iter().zip(sample::build()) {
        assert_eq!(first.html, second.html, "{}", first.name);
    }
}

#[test]
fn the_total_row_is_the_metric() {
    for case in cases() {
        let Some(told) = case.report.told() else { continue };
        let text = words(&case.html);
        for (name, value) in [("TTFT", told.run.metrics.ttft_ms), ("TPOT", told.run.metrics.tpot_ms)] {
            let Some(value) = value else { continue };
            let total = format!("class=\"wf-f sum\"><span class=\"nm\">{name}");
            let row = case.html.split(&total).nth(1).unwrap_or_else(|| panic!("{}: no total of {name}", case.name));
            let shown = row.split("<span class=\"t\">").nth(1).and_then(|rest| rest.split('<').next());
            assert_eq!(shown, Some(simllm::quantity::format::ms(value).as_str()), "{}", case.name);
        }
        assert!(!text.is_empty());
    }
}

#[test]
fn gains_are_those_of_the_diagnosis() {
    for case in cases() {
        let Some(told) = case.report.told() else { continue };
        let gains: Vec<&str> =
            case.html.split("<div class=\"gain\"><b>").skip(1).filter_map(|rest| rest.split('<').next()).collect();
        let expected: Vec<String> = told
            .diagnosis
            .bottlenecks
            .iter()
            .map(|b| {
                format!("{}\u{a0}ms", simllm::quantity::format::signed(-b.effect.saved(b.metric).expect("a gain")))
            })
            .collect();
        assert_eq!(gains, expected, "{}", case.name);
    }
}

#[test]
fn combinations_are_those_simulated() {
    let mut seen = 0;
    for case in cases() {
        let Some(told) = case.report.told() else { continue };
        let combinations = &told.combinations;
        let remedies = combinations.levers.len();
        assert_eq!(combinations.rows.len(), if remedies == 0 { 0 } else { 1 << remedies }, "{}", case.name);
        let rows: Vec<&str> = case.html.split("data-whatif=\"").skip(1).collect();
        assert_eq!(rows.len(), combinations.rows.len(), "{}", case.name);
        for row in &combinations.rows {
            let key: String = (0..remedies).map(|k| if row.makes(k) { '1' } else { '0' }).collect();
            let shown =
                rows.iter().find(|shown| shown.starts_with(&format!("{key}\""))).expect("a row for each choice");
            let shown = shown.split("</tr>").next().unwrap_or_default();
            let Some(result) = row.result else { continue };
            for value in [result.metrics.ttft_ms, result.metrics.tpot_ms].into_iter().flatten() {
                let value = simllm::quantity::format::ms(value);
                assert!(shown.contains(&format!("<td class=\"n\">{value}</td>")), "{} {key}: {value}", case.name);
            }
            let causes = told.diagnosis.bottlenecks.iter().map(|cause| &cause.effect);
            let effects =
                causes.chain(told.diagnosis.bottlenecks.iter().flat_map(|c| c.remedies.iter().map(|r| &r.effect)));
            let single =
                |lever| key.matches('1').count() == 1 && key.find('1').map(|k| combinations.levers[k]) == Some(lever);
            for effect in effects.filter(|effect| single(effect.lever)) {
                assert_eq!(result.metrics, effect.after, "{} {key}: one change is what its card says", case.name);
                seen += 1;
            }
        }
        if let Some(none) = combinations.rows.first().and_then(|row| row.result) {
            assert_eq!(none.metrics, told.run.metrics, "{}: no change is the report", case.name);
        }
    }
    assert!(seen > 10, "{seen} cards compared");
}

#[test]
fn pages_are_kept_on_request() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("pages");
    let kept = std::env::var_os("SIMLLM_KEEP_PAGES");
    let folder = kept.as_ref().map_or(folder, Into::into);
    std::fs::create_dir_all(&folder).expect("a folder for the pages");
    for Case { name, html, .. } in cases() {
        std::fs::write(folder.join(format!("{name}.html")), html).expect("a page on disk");
    }
    if kept.is_none() {
        std::fs::remove_dir_all(&folder).expect("the folder is ours");
    }
}
