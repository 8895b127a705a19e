//! Predicted against measured: `VALIDATION.md` is what the program prints, its errors are no larger than those of the
//! reference, and bands hold what they promise.
//!
//! The measurements are not part of the repository. They are looked for in `$SIMLLM_SHARED_DATA` and in
//! `../shared/data`; without them the tests that need them say so and pass.

use std::path::PathBuf;

use simllm::catalog;
use simllm::emit::validation;
use simllm::import::measured::{Reading, read};
use simllm::report::text::Lang;
use simllm::report::validation::ValidationReport;
use simllm::spec::{BandsSpec, Document};
use simllm::validate::{Context, Errors, Figure, Validation, validate};

/// The tables of the document, below the folder of data.
const TABLES: [&str; 7] = [
    "e2e/dev.csv",
    "kernels/comm.csv",
    "kernels/decode.csv",
    "kernels/gemm.csv",
    "kernels/mla.csv",
    "kernels/moe.csv",
    "kernels/prefill.csv",
];

fn data() -> Option<PathBuf> {
    let given = std::env::var_os("SIMLLM_SHARED_DATA").map(PathBuf::from);
    let beside = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/data");
    let found = [given, Some(beside)].into_iter().flatten().find(|root| root.join(TABLES[0]).is_file());
    if found.is_none() {
        eprintln!("skipped: no measurements in $SIMLLM_SHARED_DATA or ../shared/data");
    }
    found
}

/// A table, under the name that the document gives it.
fn table(root: &std::path::Path, name: &str) -> (String, Reading) {
    let bytes = std::fs::read(root.join(name)).expect("a table");
    let shown = format!("../shared/data/{name}");
    let reading = read(&shown, &bytes);
    (shown, reading)
}

fn compare(root: &std::path::Path, names: &[&str]) -> Validation {
    validate(&Context::default(), names.iter().map(|name| table(root, name)).collect())
}

fn stored(name: &str) -> String {
    std::fs::read_to_string(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(name)).expect(name)
}

/// The command at the end of the document, with the option that names the file left out.
fn command(document: &str) -> String {
    let (_, tail) = document.rsplit_once("```sh\n").expect("a command");
    tail.trim_end().trim_end_matches('`').trim_end().to_owned()
}

#[test]
fn the_document_is_current() {
    let Some(root) = data() else { return };
    let document = stored("VALIDATION.md");
    let validation = compare(&root, &TABLES);
    let report = ValidationReport { validation, command: command(&document), input_hash: String::new(), created: None };
    let format = validation::FORMATS.iter().find(|format| format.name == "markdown").expect("Markdown");
    let fresh = (format.render)(&report, Lang::En);
    let first = fresh.lines().zip(document.lines()).find(|(new, old)| new != old);
    assert!(fresh == document, "VALIDATION.md is old: run the command at its end with -o VALIDATION.md\n{first:?}");
}

/// Rounded to a tenth, as the reference prints it.
fn tenth(percent: f64) -> f64 {
    (percent * 10.0).round() / 10.0
}

#[test]
fn end_to_end_errors_are_at_most_those_of_the_reference() {
    let Some(root) = data() else { return };
    let validation = compare(&root, &TABLES[..1]);
    let errors = validation.errors(|answer| answer.class.figure != Figure::ServingTtft).expect("rows");
    assert_eq!(errors.count, 1391);
    assert!(tenth(errors.median_percent) <= 6.8 && tenth(errors.p90_percent) <= 24.6, "{errors:?}");
    assert_eq!(validation.left_out().iter().map(|(_, rows)| rows).sum::<usize>(), 20);
}

#[test]
fn kernel_errors_are_at_most_those_of_the_reference() {
    let Some(root) = data() else { return };
    let validation = compare(&root, &TABLES[1..]);
    let reference = [
        ("comm", 2690, 4.4, 16.0),
        ("decode", 3510, 8.6, 32.2),
        ("gemm", 5982, 6.2, 21.5),
        ("mla", 3060, 10.3, 37.7),
        ("moe", 3900, 7.1, 25.1),
        ("prefill", 3640, 8.0, 29.0),
    ];
    let all = validation.kernel_errors();
    let found: Vec<(&str, &Errors)> =
        all.iter().filter(|((_, set), _)| set.is_none()).map(|((kind, _), errors)| (*kind, errors)).collect();
    assert_eq!(found.len(), reference.len());
    for ((kind, errors), (name, rows, median, p90)) in found.into_iter().zip(reference) {
        assert_eq!((kind, errors.count), (name, rows));
        assert!(tenth(errors.median_percent) <= median && tenth(errors.p90_percent) <= p90, "{kind}: {errors:?}");
    }
}

#[test]
fn bands_hold_nine_in_ten_of_the_rows_of_groups_left_out() {
    let bands = catalog::bands();
    let held = bands.coverage_percent.expect("measured");
    assert!((85.0..=95.0).contains(&held), "{held}");
    let few = |rows: u64| rows < simllm::diagnose::FEW_ROWS;
    for band in bands.bands.iter().filter(|band| !few(band.rows) && band.groups >= 4) {
        let held = band.coverage_percent.expect("measured");
        assert!((85.0..=95.0).contains(&held), "{} {:?} {}: {held}", band.method, band.class, band.figure);
    }
}

#[test]
fn the_file_of_bands_is_current() {
    let Some(root) = data() else { return };
    if !root.join("e2e/dev_all.csv").is_file() {
        eprintln!("skipped: no e2e/dev_all.csv");
        return;
    }
    let validation = compare(&root, &["e2e/dev_all.csv"]);
    let fresh = validation::bands(catalog::bands(), &validation);
    let read = |text: &str| BandsSpec::read(&Document::parse("bands", text).expect("YAML")).expect("bands");
    assert_eq!(read(&fresh).bands, read(&stored("validation/bands.yaml")).bands);
    assert_eq!(fresh, stored("validation/bands.yaml"));
}

/// A small table of end-to-end figures and one of kernels, as the command line's transcripts use them.
fn small(names: &[&str]) -> ValidationReport {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/cli/validate.in");
    let readings =
        names.iter().map(|name| ((*name).to_owned(), read(name, &std::fs::read(folder.join(name)).expect(name))));
    let validation = validate(&Context::default(), readings.collect());
    ValidationReport { validation, command: String::new(), input_hash: String::new(), created: None }
}

#[test]
fn every_row_stands_in_input_order_predicted_or_with_its_reason() {
    let text = validation::rows(&small(&["gemm.csv", "measured.csv"]));
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let rows: Vec<csv::StringRecord> = reader.records().map(|row| row.expect("a row")).collect();
    let ids: Vec<&str> = rows.iter().map(|row| &row[0]).collect();
    assert_eq!(ids, ["gemm.csv:2", "one", "two", "three"]);
    for row in &rows {
        assert_ne!(row[4].is_empty(), row[8].is_empty(), "a prediction or a reason: {row:?}");
        if !row[5].is_empty() {
            let number = |column: usize| row[column].parse::<f64>().expect("a number");
            assert!(number(5) < number(4) && number(4) < number(6));
        }
    }
}

#[test]
fn a_difference_of_more_than_ten_percent_is_taken_apart() {
    let report = small(&["measured.csv"]);
    let record: serde_json::Value = serde_json::from_str(&validation::record(&report)).expect("JSON");
    assert_eq!(record["schema_version"], 1);
    assert!(record["groups"].as_array().is_some_and(|groups| !groups.is_empty()));
    let points = record["points"].as_array().expect("points");
    assert_eq!(points.len(), 3);
    let error = |point: &serde_json::Value| point["error_percent"].as_f64();
    assert!(error(&points[0]).is_some_and(|e| e.abs() <= 10.0) && points[0]["difference"].is_null());
    assert!(points[2]["left_out"].as_str().is_some_and(|why| why.contains("somebody/unheard-of")));
    let far = &points[1];
    assert!(error(far).is_some_and(|e| e.abs() > 10.0));
    let (measured, predicted) = (far["measured"].as_f64().unwrap(), far["predicted"].as_f64().unwrap());
    let gap = far["difference"]["gap_ms"].as_f64().unwrap();
    assert!((measured - predicted - gap).abs() < 1e-6);
    let parts: f64 = far["parts"].as_array().unwrap().iter().map(|part| part["ms"].as_f64().unwrap()).sum();
    assert!((parts - predicted).abs() < 1e-6);
    let suspects = far["difference"]["suspects"].as_array().unwrap();
    assert!(!suspects.is_empty());
    for suspect in suspects {
        let of = |key: &str| suspect[key].as_f64().unwrap();
        assert!((of("needed_ms") - of("predicted_ms") - gap).abs() < 1e-6);
    }
}

#[test]
fn a_page_shows_the_figures_of_the_bands() {
    let run = std::process::Command::new(env!("CARGO_BIN_EXE_simllm-profile"))
        .args(["--model", "llama-3-8b", "--hardware", "h100_80gb_sxm", "--output-format", "html", "-o", "-"])
        .output()
        .expect("the program starts");
    let page = String::from_utf8(run.stdout).expect("text");
    let (_, trust) = page.split_once("<section id=\"trust\">").expect("the trust section");
    for figure in ["prefill", "decode"] {
        let band = catalog::bands().of("kernel", simllm::spec::CostingClass::Calibrated, figure).expect("a band");
        let percent = |value: Option<f64>| format!("{:.1}\u{a0}%", value.expect("measured"));
        for shown in [format!("{:.2}", band.factor), percent(band.median_percent), percent(band.coverage_percent)] {
            assert!(trust.contains(&format!("<td class=\"n\">{shown}</td>")), "{figure}: {shown}");
        }
    }
}

#[test]
fn a_cell_that_is_no_count_or_type_is_never_read_as_the_default() {
    const HEAD: &str =
        "id,hardware,engine,model,weight_dtype,kind,batch,prompt_len,gen_len,metric,value,kv_dtype,tp,pp\n";
    let row = |id: &str, cells: &str| {
        format!("{id},a100_80gb_sxm,vllm,llama-2-7b,fp16,static_batch,1,512,512,e2e_ms,6400,{cells}\n")
    };
    let odd = [
        ("share", "fp16,0.5,1"),
        ("less", ",-2,"),
        ("word", ",two,1"),
        ("none", ",0,1"),
        ("stage", ",1,x"),
        ("kv", "q9,1,1"),
    ];
    let table: String = [HEAD.to_owned(), row("good", ",1,"), row("blank", "fp16,,")]
        .into_iter()
        .chain(odd.iter().map(|(id, cells)| row(id, cells)))
        .collect();
    let validation = validate(&Context::default(), vec![("odd.csv".to_owned(), read("odd.csv", table.as_bytes()))]);
    let answered: Vec<&str> = validation.answered().map(|(row, ..)| row.id.as_str()).collect();
    assert_eq!(answered, ["good", "blank"]);
    assert_eq!(validation.left_out().iter().map(|(_, rows)| rows).sum::<usize>(), odd.len());
}

#[test]
fn impossible_values_are_left_out_and_every_error_is_finite() {
    const HEAD: &str = "id,hardware,gpus,engine,engine_version,model,weight_dtype,kv_dtype,kind,batch,prompt_len,\
                        gen_len,tp,pp,metric,value,quality,note";
    let row = |id: &str, lengths: &str, metric: &str, value: &str| {
        format!("{id},a100_80gb_sxm,1,vllm,0.5.3,llama-2-7b,fp16,,static_batch,{lengths},1,1,{metric},{value},A,\n")
    };
    let table = [
        format!("{HEAD}\n"),
        row("zero", "1,512,512", "e2e_ms", "0"),
        row("negative", "1,512,512", "e2e_ms", "-5"),
        row("nan", "1,512,512", "e2e_ms", "nan"),
        row("tiny", "1,512,512", "e2e_ms", "1e-300"),
        row("fast", "1,512,512", "throughput_tok_s", "1e300"),
        row("crowd", "1e300,512,512", "e2e_ms", "5"),
        row("long", "1,1e9,1e9", "e2e_ms", "5"),
        row("longest", "1,99999999,99999999", "e2e_ms", "5"),
    ]
    .concat();
    let reading = read("odd.csv", table.as_bytes());
    let validation = validate(&Context::default(), vec![("odd.csv".to_owned(), reading)]);
    assert_eq!(validation.rows.len(), 8);
    let answered: Vec<&str> = validation.answered().map(|(row, ..)| row.id.as_str()).collect();
    assert_eq!(answered, ["longest"]);
    assert!(validation.answered().all(|(_, answer, _)| answer.error_percent().is_finite()));
}
