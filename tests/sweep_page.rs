//! The page of a declared report, held against the file of its points, the budgets and the rules of the design.

mod support;
mod sweep_sample;

use std::collections::BTreeSet;
use std::sync::OnceLock;

use serde_json::Value;
use simllm::quantity::format::{integer, number};
use support::page::{markup, words};
use sweep_sample::{FOUR_AXES, HOSTILE, NO_TARGETS, NONE_MEETS, NOTHING_FITS, ONE_AXIS, Ran, hostile, hundreds, ran};

/// The large example, run once.
fn four() -> &'static Ran {
    static FOUR: OnceLock<Ran> = OnceLock::new();
    FOUR.get_or_init(|| ran("four", FOUR_AXES, &[]))
}

/// Every kind of report.
fn kinds() -> &'static [(&'static str, Ran)] {
    static KINDS: OnceLock<Vec<(&'static str, Ran)>> = OnceLock::new();
    KINDS.get_or_init(|| {
        let english =
            [("one", ONE_AXIS), ("nothing-fits", NOTHING_FITS), ("none-meets", NONE_MEETS), ("none", NO_TARGETS)];
        let mut kinds: Vec<_> = english.into_iter().map(|(name, text)| (name, ran(name, text, &[]))).collect();
        kinds.push(("hostile", ran("hostile", &hostile(), &[])));
        kinds.push(("chinese", ran("chinese", FOUR_AXES, &["--lang", "zh"])));
        kinds
    })
}

/// A figure of a point of the file.
fn figure(point: &Value, column: &str) -> Option<f64> {
    if column != "memory_needed_gib" {
        return point["metrics"][column].as_f64();
    }
    let needed = point["memory"]["needed_bytes"].as_f64().or(point["shortfall"]["needed_bytes"].as_f64());
    needed.map(|bytes| bytes / f64::from(1u32 << 30))
}

fn shown(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), number)
}

/// Rows of the table with an id, as cells without tags.
fn rows(html: &str, id: &str) -> Vec<Vec<String>> {
    let (_, table) = html.split_once(&format!("id=\"{id}\"")).expect("the table");
    let (table, _) = table.split_once("</table>").expect("its end");
    let cell = |cell: &str| {
        let cell = &cell[cell.find('>').map_or(0, |at| at + 1)..];
        let text: String = cell.split('<').map(|part| part.split_once('>').map_or(part, |(_, text)| text)).collect();
        text.trim().to_owned()
    };
    let cells = |row: &str| row.replace("<th", "<td").split("<td").skip(1).map(cell).collect();
    table.split("<tr").skip(1).map(|row| cells(row.split("</tr>").next().unwrap_or_default())).collect()
}

#[test]
fn every_number_of_the_data_is_that_of_the_file() {
    let (ran, data) = (four(), four().data());
    let figures = data["figures"].as_array().expect("figures");
    assert_eq!(figures.len(), 5, "TTFT, TPOT, tokens per second, per GPU, memory");
    let standings: Vec<&str> = data["standings"].as_array().unwrap().iter().map(|s| s.as_str().unwrap()).collect();
    let mut seen = BTreeSet::new();
    for (i, point) in ran.points().iter().enumerate() {
        for (axis, at) in data["axes"].as_array().unwrap().iter().zip(data["at"].as_array().unwrap()) {
            let value = &axis["values"][at[i].as_u64().unwrap() as usize];
            let own = &point["inputs"][axis["path"].as_str().unwrap()];
            assert_eq!(value.as_str().unwrap(), own.as_str().map_or_else(|| own.to_string(), str::to_owned), "{i}");
        }
        for (key, column) in figures.iter().map(|f| (f[0].as_str().unwrap(), f[1].as_str().unwrap())) {
            assert_eq!(shown(data[column][i].as_f64()), shown(figure(point, column)), "{i} {key}");
        }
        let standing = standings[data["standing"][i].as_u64().unwrap() as usize];
        seen.insert(standing);
        match point["status"].as_str().unwrap() {
            "ran" => {
                assert_eq!(matches!(standing, "meets" | "at_risk"), point["meets_targets"].as_bool().unwrap(), "{i}")
            }
            status => assert_eq!(standing, status),
        }
        let reason = data["why"][i.to_string()].as_u64().map(|at| &data["reasons"][at as usize]);
        assert_eq!(reason.unwrap_or(&Value::Null), &point["reason"], "{i}");
    }
    assert_eq!(seen.into_iter().collect::<Vec<_>>(), ["at_risk", "does_not_fit", "invalid", "meets", "misses"]);
}

#[test]
fn cells_of_the_map_and_rows_of_the_table_are_points_of_the_file() {
    let (ran, data) = (four(), four().data());
    let axes: Vec<&str> = data["axes"].as_array().unwrap().iter().map(|a| a["path"].as_str().unwrap()).collect();
    let value = |axis: usize, at: &Value| data["axes"][axis]["values"][at.as_u64().unwrap() as usize].as_str().unwrap();
    let (rows_axis, columns_axis) = (&data["map"]["rows"], &data["map"]["columns"]);
    assert_eq!(axes[rows_axis[0].as_u64().unwrap() as usize], "prompt_len");
    assert_eq!(axes[columns_axis[0].as_u64().unwrap() as usize], "batch_size");
    let map = rows(&ran.html, "hm");
    let mut grey = 0;
    for (r, row) in rows_axis[1].as_array().unwrap().iter().enumerate() {
        for (c, column) in columns_axis[1].as_array().unwrap().iter().enumerate() {
            let mut place: Vec<Value> = data["map"]["at"].as_array().unwrap().clone();
            place[rows_axis[0].as_u64().unwrap() as usize] = row.clone();
            place[columns_axis[0].as_u64().unwrap() as usize] = column.clone();
            let is_here = |point: &&Value| {
                (0..axes.len()).all(|a| point["inputs"][axes[a]].to_string().trim_matches('"') == value(a, &place[a]))
            };
            let point = ran.points().iter().find(is_here).expect("a point");
            let cell = &map[r + 1][c + 1];
            let expected = figure(point, "ttft_ms").map_or_else(|| "OOM".to_owned(), number);
            assert_eq!(cell.split_whitespace().next(), Some(expected.as_str()), "{place:?}");
            assert_eq!(cell.contains("misses a target"), point["meets_targets"] == false, "{place:?}");
            grey += u32::from(point["feasible"] == false);
        }
    }
    assert!(grey > 0, "the slice has a point that does not fit");
    let table = rows(&ran.html, "pt");
    assert_eq!(table.len(), 51, "a head and fifty rows");
    let speeds: Vec<String> = table[1..].iter().map(|row| row[9].clone()).collect();
    let good = ran.points().iter().filter(|point| point["meets_targets"] == true);
    let mut best: Vec<f64> = good.map(|point| figure(point, "output_tokens_per_s_per_gpu").unwrap()).collect();
    best.sort_by(|a, b| b.total_cmp(a));
    assert_eq!(speeds, best[..50].iter().copied().map(number).collect::<Vec<_>>());
}

#[test]
fn the_recommendation_is_the_highest_throughput_within_the_targets() {
    let ran = four();
    let good = ran.points().iter().filter(|point| point["meets_targets"] == true);
    let speed = |point: &Value| figure(point, "output_tokens_per_s_per_gpu").unwrap();
    let best = good.max_by(|a, b| speed(a).total_cmp(&speed(b))).expect("a point that meets the targets");
    assert_eq!(ran.json["summary"]["best"], best["ordinal"]);
    assert_eq!(ran.data()["verdict"], best["ordinal"]);
    let text = words(&ran.html);
    assert!(text.contains(&format!("{}\u{a0}tok/s per GPU", number(speed(best)))));
    let h1 = ran.html.split("<h1>").nth(1).and_then(|rest| rest.split("</h1>").next()).expect("a verdict");
    for (path, name) in [("model", ""), ("batch_size", "batch "), ("tensor_parallel", "on ")] {
        let value = best["inputs"][path].to_string();
        assert!(h1.contains(&format!("{name}{}", value.trim_matches('"'))), "{path} {value}: {h1}");
    }
}

#[test]
fn the_verdict_says_what_rules_out_how_many() {
    let ran = four();
    let count = |keep: &dyn Fn(&Value) -> bool| ran.points().iter().filter(|point| keep(point)).count() as u64;
    let over = |column: &str, limit: f64| count(&|point| figure(point, column).is_some_and(|value| value > limit));
    let (missed, all) = (count(&|p| p["meets_targets"] == false), count(&|p| p["status"] == "ran"));
    let sentence = format!(
        "Targets rule out {} of the {} points that run (TTFT {}, TPOT {}).",
        integer(missed),
        integer(all),
        integer(over("ttft_ms", 300.0)),
        integer(over("tpot_ms", 20.0))
    );
    let short = count(&|point| point["status"] == "does_not_fit");
    let invalid = count(&|point| point["status"] == "invalid");
    let text = words(&ran.html);
    for sentence in [
        sentence,
        format!("GPU memory is too small for {short} more."),
        format!("No valid deployment: {invalid}."),
        format!("OOM, {short} points: short of "),
        format!("n/a, {} points: 28 heads (4 KV heads) cannot be split over 3 GPUs", invalid / 2),
    ] {
        assert!(text.contains(&sentence), "{sentence}");
    }
}

#[test]
fn the_front_has_every_point_that_no_other_beats() {
    let ran = four();
    let place = |point: &Value| {
        Some((figure(point, "output_tokens_per_s_per_user")?, figure(point, "output_tokens_per_s_per_gpu")?))
    };
    let places: Vec<(u64, (f64, f64))> =
        ran.points().iter().filter_map(|point| Some((point["ordinal"].as_u64()?, place(point)?))).collect();
    let beaten = |own: (f64, f64)| places.iter().any(|(_, p)| p.0 >= own.0 && p.1 >= own.1 && *p != own);
    let expected: BTreeSet<u64> = places.iter().filter(|(_, own)| !beaten(*own)).map(|(ordinal, _)| *ordinal).collect();
    let front: BTreeSet<u64> =
        ran.json["summary"]["front"].as_array().unwrap().iter().filter_map(Value::as_u64).collect();
    assert_eq!(front, expected);
}

#[test]
fn pages_keep_their_budget() {
    let sizes = [(10, 400), (130, 1536)].map(|(hundreds_of, most)| (ran("many", &hundreds(hundreds_of), &[]), most));
    for (ran, most) in &sizes {
        assert!(ran.html.len() < most * 1024, "{} points: {} bytes", ran.points().len(), ran.html.len());
        for chart in ran.html.split("<svg class=\"chart\"").skip(1) {
            let chart = chart.split("</svg>").next().unwrap_or_default();
            assert!(chart.len() < 8 * 1024, "a chart of {} bytes", chart.len());
        }
        assert!(rows(&ran.html, "pt").len() <= 51);
    }
    let [(thousand, _), (many, _)] = &sizes;
    assert_eq!((thousand.points().len(), many.points().len()), (1_000, 13_000));
    let kept = many.data()["standing"].as_array().expect("standings").len();
    assert!((10_000..10_200).contains(&kept), "{kept}");
    assert!(words(&many.html).contains("The matrix has 13,000 points. On this page are the first 10,000"));
    let good = many.points().iter().filter(|point| point["meets_targets"] == true);
    let highest = good.map(|point| figure(point, "output_tokens_per_s").unwrap()).fold(0.0, f64::max);
    assert!(words(&many.html).contains(&format!("{}\u{a0}tok/s", number(highest))), "of all points, kept or not");
}

#[test]
fn every_kind_of_page_is_whole() {
    let all = kinds().iter().map(|(name, ran)| (*name, ran)).chain([("four", four())]);
    for (name, ran) in all {
        let markup = markup(&ran.html);
        for tag in markup.split('<').filter_map(|tag| tag.split('>').next()) {
            assert!(!tag.contains(" style="), "{name}: <{tag}>");
            assert!(
                !tag.split_whitespace().skip(1).any(|a| a.starts_with("on") && a.contains("=\"")),
                "{name}: <{tag}>"
            );
        }
        let values = |attribute: &str| -> Vec<String> {
            let key = format!(" {attribute}=\"");
            markup.split(&key).skip(1).filter_map(|rest| rest.split('"').next().map(str::to_owned)).collect()
        };
        let ids = values("id");
        assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len(), "{name}");
        for href in values("href") {
            let leads = match (href.strip_prefix('#'), href.strip_prefix("./")) {
                (Some(id), _) => ids.iter().any(|known| known == id),
                (_, Some(file)) => ran.out().join(file).is_file(),
                _ => href == "data:,",
            };
            assert!(leads, "{name}: {href}");
        }
        let text = words(&ran.html.replace(&format!("{{{}}}", "needed"), ""));
        let text = text.replace("{n} of {m} shown", "").replace("{m} 个中显示 {n} 个", "");
        for bad in ["{", "}", "NaN", "Some(", "Infinity"] {
            assert!(*name == *"hostile" || !text.contains(bad), "{name}: {bad}");
        }
    }
}

#[test]
fn verdicts_of_every_kind() {
    let said = [
        ("one", 0, "Run batch 8"),
        ("nothing-fits", 4, "No point fits in GPU memory"),
        ("none-meets", 1, "No point meets the targets"),
        ("none", 0, "Highest throughput: "),
        ("chinese", 0, "推荐 "),
    ];
    for (name, code, verdict) in said {
        let (_, ran) = kinds().iter().find(|(kind, _)| *kind == name).expect("a kind");
        assert_eq!(ran.code, code, "{name}");
        let h1 = ran.html.split("<h1>").nth(1).and_then(|rest| rest.split("</h1>").next()).expect("a verdict");
        assert!(h1.starts_with(verdict), "{name}: {h1}");
    }
}

#[test]
fn strange_names_stay_text() {
    let (_, ran) = kinds().iter().find(|(kind, _)| *kind == "hostile").expect("the hostile page");
    assert!(!ran.html.contains("<img"), "a name became an element");
    assert_eq!(ran.html.matches("</script>").count(), 3, "theme, data, script");
    assert_eq!(ran.data()["title"], HOSTILE);
    let names = ran.data()["axes"][0]["names"].clone();
    assert_eq!(names[0], HOSTILE, "the name of the model, as its file has it");
}
