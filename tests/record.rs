//! The record: what a result says to machines.

mod support;

use serde_json::Value;
use simllm::report::{Record, Report};

fn record(report: &Report) -> Value {
    serde_json::to_value(Record::new(report)).expect("a record is plain data")
}

/// Every text and number below a value.
fn visit(value: &Value, path: &str, see: &mut dyn FnMut(&str, &Value)) {
    match value {
        Value::Array(items) => items.iter().enumerate().for_each(|(i, v)| visit(v, &format!("{path}[{i}]"), see)),
        Value::Object(map) => map.iter().for_each(|(key, v)| visit(v, &format!("{path}.{key}"), see)),
        leaf => see(path, leaf),
    }
}

type Case = (&'static str, &'static str, &'static [(&'static str, &'static str)], &'static [&'static str]);

const CASES: [Case; 7] = [
    ("llama-3-8b", "a100_80gb_pcie", &[], &[]),
    ("llama-3-8b", "a100_80gb_pcie", &[], &["ttft_ms=30", "tpot_ms=10"]),
    ("llama-3-70b", "h100_80gb_sxm", &[("tensor_parallel", "8"), ("engine", "sglang")], &["e2e_ms=2000"]),
    ("llama-3-8b", "a100_80gb_pcie", &[("batch_size", "64"), ("prompt_len", "8192")], &[]),
    ("llama-3-8b", "a100_80gb_pcie", &[("prompt_len", "2048"), ("embedding_placement", "host_pageable")], &[]),
    ("qwen3-8b", "rtx_4090", &[("cuda_graphs", "false"), ("sampler", "top_p"), ("kv_dtype", "int4")], &[]),
    ("llama-3-8b", "b200_sxm", &[("scenario", "decode"), ("engine", "trtllm@v1")], &["ttft_ms=30"]),
];

fn reports() -> Vec<Report> {
    CASES.iter().map(|(model, hardware, fields, budgets)| support::report(model, hardware, fields, budgets)).collect()
}

#[test]
fn texts_are_finished_and_plain() {
    for report in reports() {
        visit(&record(&report), "", &mut |path, leaf| {
            let Value::String(text) = leaf else { return };
            for bad in ["\u{a0}", "{", "NaN", "inf ", "None", "Some("] {
                assert!(!text.contains(bad), "{path}: {text}");
            }
        });
    }
}

#[test]
fn every_cause_and_check_is_told() {
    for report in reports() {
        let record = record(&report);
        for bottleneck in record["bottlenecks"].as_array().expect("a list") {
            for key in ["title", "cause", "remedy", "owner"] {
                assert!(bottleneck[key].as_str().is_some_and(|text| text.len() > 5), "{bottleneck}");
            }
            assert!(bottleneck["verify"].as_array().is_some_and(|commands| commands.len() >= 2));
        }
        for check in record["checks"].as_array().expect("a list") {
            assert!(check["message"].as_str().is_some_and(|text| text.ends_with('.')), "{check}");
        }
    }
}
