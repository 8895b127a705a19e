//! Shared by the integration tests.
#![allow(dead_code, reason = "each test uses its part")]

pub mod browser;
pub mod page;

use simllm::kernel::ExpertFormat;
use simllm::scenario::{InputDocuments, Scenario, resolve};
use simllm::spec::{Document, Peaks};

/// A scenario of catalogue names with fields set by path.
pub fn scenario(model: &str, hardware: &str, fields: &[(&str, &str)]) -> Scenario {
    try_scenario(model, hardware, fields).unwrap_or_else(|message| panic!("{message}"))
}

/// The same, or why there is none.
pub fn try_scenario(model: &str, hardware: &str, fields: &[(&str, &str)]) -> Result<Scenario, String> {
    let mut documents = InputDocuments::from_catalogue(model, hardware).map_err(|e| e.to_string())?;
    for (path, value) in fields {
        documents.set(path, value, &format!("--set {path}={value}")).map_err(|e| e.to_string())?;
    }
    let inputs = documents.read().map_err(|e| e.to_string())?;
    resolve(&inputs).map(|resolved| resolved.scenario).map_err(|e| e.to_string())
}

/// Our name, bytes per element and activation quantisation of a format as the tables call it.
pub fn format(dtype: &str) -> (&'static str, (f64, f64, f64), bool) {
    match dtype {
        "bfloat16" => ("bf16", (2.0, 2.0, 2.0), false),
        "fp8" => ("fp8", (1.0, 1.0, 2.0), true),
        "fp8_block" => ("fp8_block", (1.0 + 4.0 / 16384.0, 1.0 + 4.0 / 128.0, 2.0), true),
        "nvfp4" => ("nvfp4", (0.5625, 0.5625, 2.0), true),
        "int8_wo" => ("int8_wo", (1.0, 2.0, 2.0), false),
        "int4_wo" => ("int4_wo", (33.0 / 64.0, 2.0, 2.0), false),
        "sq" => ("int8_w8a8", (1.0, 1.0, 2.0), false),
        other => panic!("unknown format {other}"),
    }
}

/// Storage of experts as the tables call it.
pub fn expert_format(dtype: &str) -> ExpertFormat {
    match dtype {
        "bfloat16" => ExpertFormat::Bf16,
        "fp8" => ExpertFormat::Fp8,
        "fp8_block" => ExpertFormat::Fp8Block,
        "nvfp4" => ExpertFormat::Nvfp4,
        "int4_wo" => ExpertFormat::WeightOnlyInt4,
        other => panic!("unknown format {other}"),
    }
}

/// Dense rate of a format's tensor path.
pub fn tflops(peaks: &Peaks, format: &str) -> f64 {
    let rate = match format {
        "fp8" | "fp8_block" => peaks.fp8_tflops,
        "nvfp4" => peaks.fp4_tflops,
        "int8_w8a8" => peaks.int8_tflops,
        _ => Some(peaks.bf16_tflops),
    };
    rate.expect("the device has the path")
}

/// Share of an operation's bytes that each rank sends.
pub fn wire_share(op: &str, ranks: f64) -> f64 {
    let share = (ranks - 1.0) / ranks;
    if op == "all_reduce" { 2.0 * share } else { share }
}

/// A report on catalogue names.
pub fn report(model: &str, hardware: &str, fields: &[(&str, &str)], budgets: &[&str]) -> simllm::report::Report {
    report_from(simllm::report::ReportOrigin::default(), model, hardware, fields, budgets)
}

/// A report with what is known of its origin; a model of several lines is a profile.
pub fn report_from(
    origin: simllm::report::ReportOrigin,
    model: &str,
    hardware: &str,
    fields: &[(&str, &str)],
    budgets: &[&str],
) -> simllm::report::Report {
    let mut documents = if model.contains('\n') {
        let parse = |name: &str, text: &str| Document::parse(name, text).expect("a document");
        let (id, machine) = simllm::catalog::hardware_text(hardware).expect("a machine");
        InputDocuments::new(parse("profile.yaml", model), parse(id, machine))
    } else {
        InputDocuments::from_catalogue(model, hardware).expect("catalogue names")
    };
    for (path, value) in fields {
        documents.set(path, value, &format!("--set {path}={value}")).expect("a field");
    }
    let mut targets = simllm::diagnose::Budgets::default();
    targets.extend(budgets.iter().map(|text| text.parse().expect("a target")));
    let inputs = documents.read().expect("readable documents");
    simllm::report::Report::new(resolve(&inputs).expect("a scenario"), targets, origin)
}
