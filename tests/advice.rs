//! What a page tells a person to do can be done on that machine with that engine.

mod support;

use serde_json::Value;
use simllm::diagnose::LEVERS;
use simllm::report::Record;

/// Prompts of 4,096 tokens for four users, so that the cache is a cause too.
const LOAD: [(&str, &str); 2] = [("batch_size", "4"), ("prompt_len", "4096")];

fn record(hardware: &str, fields: &[(&str, &str)]) -> Value {
    let fields: Vec<_> = LOAD.iter().chain(fields).copied().collect();
    let report = support::report("llama-3.1-8b", hardware, &fields, &[]);
    serde_json::to_value(Record::new(&report)).expect("a record")
}

/// Every command of a record, in one text.
fn commands(record: &Value) -> String {
    let causes = record["bottlenecks"].as_array().expect("a list");
    causes.iter().map(|cause| cause["verify"].to_string()).collect()
}

/// The levers that a record names as remedies.
fn levers(record: &Value) -> Vec<String> {
    let causes = record["bottlenecks"].as_array().expect("a list");
    let remedies = causes.iter().flat_map(|cause| cause["remedies"].as_array().expect("a list"));
    remedies.map(|remedy| remedy["lever"].as_str().expect("a name").to_owned()).collect()
}

#[test]
fn tools_are_those_of_the_maker() {
    const NVIDIA: [&str; 3] = ["nsys ", "ncu ", "dcgmi "];
    for (hardware, engine, own) in [
        ("a100_80gb_pcie", "vllm@v1", Some("nsys ")),
        ("rtx_4090", "llama.cpp", Some("nsys ")),
        ("mi300x", "vllm@v1", Some("rocprofv3 ")),
        ("m2_ultra_76", "llama.cpp", Some("xctrace ")),
        ("gaudi3", "vllm@v1", None),
    ] {
        let text = record(hardware, &[("engine", engine)]);
        let (text, all) = (commands(&text), text.to_string());
        assert!(!text.is_empty(), "{hardware}");
        assert!(own.is_none_or(|tool| text.contains(tool)), "{hardware}: {text}");
        let foreign = own != Some("nsys ") && NVIDIA.iter().any(|tool| text.contains(tool));
        assert!(!foreign, "{hardware}: {text}");
        assert_eq!(all.contains("nsys "), own == Some("nsys "), "{hardware}");
    }
}

#[test]
fn benchmarks_are_those_of_the_engine() {
    for (hardware, engine, own) in [
        ("a100_80gb_pcie", "vllm@v1", "vllm bench latency"),
        ("mi300x", "vllm@v1", "vllm bench latency"),
        ("a100_80gb_pcie", "sglang", "sglang.bench_one_batch"),
        (
            "a100_80gb_pcie",
            "llama.cpp",
            "./llama-batched-bench -m llama-3.1-8b.gguf -c 16896 -npp 4096 -ntg 128 -npl 4",
        ),
        ("m2_ultra_76", "llama.cpp", "./llama-batched-bench"),
    ] {
        let text = commands(&record(hardware, &[("engine", engine)]));
        assert!(text.contains(own), "{hardware} {engine}: {text}");
    }
}

#[test]
fn remedies_exist_in_the_engine() {
    // One user: narrow weights cost these machines time in the prompts of several.
    let of = |hardware, engine| levers(&record(hardware, &[("engine", engine), ("batch_size", "1")]));
    for hardware in ["rtx_4090", "m2_ultra_76"] {
        let found = of(hardware, "llama.cpp");
        let has = |name: &str| found.iter().any(|lever| lever == name);
        assert!(has("weights_int8") && has("weights_int4") && has("kv_int8"), "{hardware}: {found:?}");
        assert!(!has("weights_fp8") && !has("weights_int8_w8a8") && !has("kv_fp8"), "{hardware}: {found:?}");
    }
    for engine in ["vllm@v1", "sglang"] {
        let found = of("h100_80gb_sxm", engine);
        assert!(found.iter().any(|lever| lever == "kv_fp8"), "{engine}: {found:?}");
        assert!(!found.iter().any(|lever| lever == "kv_int8" || lever == "weights_int8"), "{engine}: {found:?}");
    }
    assert!(of("h100_80gb_sxm", "trtllm").iter().any(|lever| lever == "kv_int8"));
}

#[test]
fn host_time_that_a_page_tells_is_what_its_remedy_saves() {
    for (hardware, engine) in [("a100_80gb_pcie", "vllm@v1"), ("rtx_4090", "llama.cpp"), ("m2_ultra_76", "llama.cpp")] {
        let fields = [("engine", engine), ("batch_size", "1"), ("prompt_len", "512")];
        let scenario = support::scenario("llama-3-8b", hardware, &fields);
        let lever = LEVERS.iter().find(|lever| lever.id.name() == "host_overhead").expect("the lever");
        let without = (lever.apply)(&scenario).expect("it applies");
        let ttft = |scenario| {
            let outcome = simllm::simulate::simulate(scenario);
            outcome.run().expect("it fits").metrics.ttft_ms.expect("a prefill")
        };
        let report = support::report("llama-3-8b", hardware, &fields, &[]);
        let record = serde_json::to_value(Record::new(&report)).expect("a record");
        let causes = record["bottlenecks"].as_array().expect("a list");
        let host = causes.iter().find(|cause| cause["lever"] == "host_overhead").expect("the cause");
        let told = &host["evidence"][0];
        assert_eq!(told["unit"], "ms");
        let (told, saved) = (told["value"].as_f64().expect("a number"), ttft(&scenario) - ttft(&without));
        assert!((told - saved).abs() < 0.02 * saved, "{hardware} {engine}: {told} told, {saved} saved");
    }
}
