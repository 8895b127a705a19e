//! Two results held against each other, and notes drafted from one.

use simllm::diagnose::Budgets;
use simllm::emit::json;
use simllm::report::compare::{Comparison, Side, SingleSide, StageChange, read_side};
use simllm::report::draft::draft;
use simllm::report::notes::read_note;
use simllm::report::text::Lang;
use simllm::report::{Record, Report, ReportOrigin};
use simllm::scenario::{InputDocuments, resolve};

const HOSTILE: &str = "x\"\n---\n</script>[y](javascript:alert(1)): {a: b}";

fn result(model: &str, hardware: &str, fields: &[(&str, &str)]) -> SingleSide {
    let mut documents = InputDocuments::from_catalogue(model, hardware).expect("built in");
    for (path, value) in fields {
        documents.set(path, value, path).expect("a field");
    }
    let resolved = resolve(&documents.read().expect("good inputs")).expect("a scenario");
    let report = Report::new(resolved, Budgets::default(), ReportOrigin::default());
    read(&json::record(&Record::new(&report)))
}

fn read(json: &str) -> SingleSide {
    match read_side(json.as_bytes()).expect("a result") {
        Side::Single(side) => *side,
        Side::Sweep(_) => panic!("one scenario was written"),
    }
}

fn pairs() -> Vec<(SingleSide, SingleSide)> {
    let plain = || result("llama-3-8b", "a100_80gb_pcie", &[]);
    vec![
        (plain(), plain()),
        (plain(), result("llama-3-8b", "h100_80gb_sxm", &[("weights_dtype", "fp8"), ("batch_size", "32")])),
        (
            plain(),
            result("llama-3-70b", "h200_sxm", &[("tensor_parallel", "8"), ("embedding_placement", "host_pinned")]),
        ),
        (plain(), result("llama-3-70b", "a100_80gb_pcie", &[])),
        (result("qwen2.5-32b", "h100_80gb_sxm", &[("pipeline_parallel", "2")]), plain()),
    ]
}

/// Sums of differences of f64 figures: as close as their last bits.
fn close(a: f64, b: f64, scale: f64) -> bool {
    (a - b).abs() <= 1e-12 * scale.max(1.0)
}

fn below<'a>(stages: &'a [StageChange], path: &'a str) -> impl Iterator<Item = &'a StageChange> {
    let parent = |stage: &StageChange| stage.path.rsplit_once('/').map_or("", |(parent, _)| parent).to_owned();
    stages.iter().filter(move |stage| !stage.path.is_empty() && parent(stage) == path)
}

#[test]
fn changes_of_the_parts_add_up_to_the_change_of_the_whole() {
    for (before, after) in pairs() {
        let comparison = Comparison::new(("a", &before), ("b", &after));
        for (stages, key) in [(&comparison.ttft, "ttft_ms"), (&comparison.tpot, "tpot_ms")] {
            let whole = &stages[0];
            let figure = |side: &SingleSide| side.metrics[key].unwrap_or(0.0);
            assert_eq!((whole.before_ms, whole.after_ms), (figure(&before), figure(&after)), "{key}");
            for stage in stages {
                let parts: Vec<f64> = below(stages, &stage.path).map(|part| part.change_ms).collect();
                let scale = stage.before_ms.max(stage.after_ms);
                let sum = parts.iter().sum::<f64>();
                assert!(parts.is_empty() || close(sum, stage.change_ms, scale), "{key} {}: {sum}", stage.path);
            }
        }
        let kernels =
            |phase: &str| comparison.kernels.iter().filter(|k| k.phase == phase).map(|k| k.change_ms).sum::<f64>();
        let whole = comparison.tpot[0].after_ms.max(comparison.tpot[0].before_ms);
        assert!(close(kernels("decode"), comparison.tpot[0].change_ms, whole), "{}", kernels("decode"));
    }
}

#[test]
fn only_what_differs_is_told_as_an_input() {
    let [(_, same), (before, after), ..] = &pairs()[..] else { panic!("pairs") };
    assert!(Comparison::new(("a", same), ("b", same)).inputs.is_empty());
    let comparison = Comparison::new(("a", before), ("b", after));
    let paths: Vec<&str> = comparison.inputs.iter().map(|input| input.path.as_str()).collect();
    assert_eq!(paths, ["hardware", "switches.weights_dtype", "workload.batch_size"]);
}

#[test]
fn a_drafted_note_reads_back_whatever_the_result_says() {
    for (mut side, other) in pairs() {
        side.inputs.insert("model".to_owned(), HOSTILE.into());
        for side in [side, other] {
            for lang in [Lang::En, Lang::Zh] {
                let text = draft(&side, "2026-11-30", lang.text());
                let note = read_note("n", "n.md", &text).expect("good facts").expect("a note");
                let model = side.inputs["model"].as_str().expect("a name").replace('\n', " ");
                assert_eq!(note.facts.model, model);
                assert_eq!(note.facts.date, "2026-11-30");
                assert!(!note.facts.symptom.is_empty() && !note.facts.title.is_empty());
            }
        }
    }
}

#[test]
fn a_strange_file_is_an_error() {
    for text in [
        "",
        "{}",
        "[1]",
        "{\"schema_version\": 99}",
        "{\"schema_version\": 1}",
        "{\"schema_version\":1,\"kind\":\"x\"}",
    ] {
        assert!(read_side(text.as_bytes()).is_err(), "{text}");
    }
    let deep = format!("{{\"schema_version\":1,\"inputs\":{}", "[".repeat(100_000));
    assert!(read_side(deep.as_bytes()).is_err());
    assert!(read_side(&b"\xff\xfe"[..]).is_err());
}
