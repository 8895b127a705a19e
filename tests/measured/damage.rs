//! Files as they arrive: re-saved, cut, mixed up, failed, or of another tool.

use simllm::import::measured::{Reading, Status, read};

use crate::forms::usable;

/// A sound serving result: TTFT 50 ms, TPOT 10 ms, 16 tokens, 4 in flight.
fn serve(changes: &[(&str, &str)]) -> String {
    let mut text =
        r#"{"model_id": "org/m", "request_rate": "inf", "max_concurrency": 4, "duration": 1.0, "num_prompts": 20,
 "completed": 20, "total_input_tokens": 1280, "total_output_tokens": 320, "output_throughput": 320.0,
 "total_token_throughput": 1600.0, "mean_ttft_ms": 50.0, "median_ttft_ms": 49.0, "p99_ttft_ms": 60.0,
 "mean_tpot_ms": 10.0, "median_tpot_ms": 10.0, "p99_tpot_ms": 11.0, "mean_e2el_ms": 200.0, "median_e2el_ms": 200.0,
 "p99_e2el_ms": 210.0}"#
            .to_owned();
    for (from, to) in changes {
        assert!(text.contains(from), "{from}");
        text = text.replace(from, to);
    }
    text
}

const CSV: &str = "Metric,avg,min,max,p99,p95,p90,p75,p50,p25,p10,p5,p1\n\
    Time To First Token (ms),50.00,40.00,60.00,59.00,58.00,57.00,55.00,50.50,45.00,42.00,41.00,40.10\n\
    Inter Token Latency (ms),10.00,9.00,11.00,10.90,10.80,10.70,10.50,10.10,9.80,9.50,9.30,9.10\n\
    Request Latency (ms),200.00,190.00,1210.50,1209.00,208.00,207.00,205.00,200.50,195.00,193.00,192.00,191.00\n\
    Output Sequence Length (tokens),16.00,16.00,16.00,16.00,16.00,16.00,16.00,16.00,16.00,16.00,16.00,16.00\n\n\
    Metric,Value\nOutput Token Throughput (tokens/sec),320.00\nRequest Count (count),20.00\n";

fn refused(text: &str, phrases: &[&str]) {
    let reading = read("x.json", text.as_bytes());
    assert_eq!(reading.status, Status::Refuse, "{:?}", reading.messages);
    let said = reading.messages.join("\n");
    for phrase in phrases {
        assert!(said.contains(phrase), "`{phrase}` in {said}");
    }
    assert!(said.starts_with("x.json: "), "{said}");
}

fn warned(text: &str, phrase: &str) -> Reading {
    let reading = read("x.json", text.as_bytes());
    assert_eq!(reading.status, Status::Warn, "{:?}", reading.messages);
    assert!(reading.messages.iter().any(|m| m.contains(phrase)), "{:?}", reading.messages);
    reading
}

#[test]
fn encodings_do_not_change_the_runs() {
    let sound = serve(&[]);
    let expected = usable(&sound).runs;
    let units: Vec<u16> = sound.encode_utf16().collect();
    let forms: [Vec<u8>; 4] = [
        [b"\xef\xbb\xbf".to_vec(), sound.replace('\n', "\r\n").into_bytes()].concat(),
        [b"\xff\xfe".to_vec(), units.iter().flat_map(|u| u.to_le_bytes()).collect()].concat(),
        [b"\xfe\xff".to_vec(), units.iter().flat_map(|u| u.to_be_bytes()).collect()].concat(),
        units.iter().flat_map(|u| u.to_le_bytes()).collect(),
    ];
    for bytes in forms {
        let reading = read("x", &bytes);
        assert_eq!((reading.status, reading.runs), (Status::Ok, expected.clone()));
    }
}

#[test]
fn spreadsheets_may_write_commas() {
    let expected = usable(CSV).runs;
    let german = CSV.replace('.', "§").replace(',', ";").replace('§', ",").replace("1210,50", "1.210,50");
    let english = CSV.replace("1210.50", "\"1,210.50\"").replace("1209.00", "\"1,209.00\"");
    let german = warned(&german, "decimal comma").runs;
    assert_eq!((german[0].ttft_ms, german[0].e2e_ms), (expected[0].ttft_ms, expected[0].e2e_ms));
    assert_eq!(usable(&english).runs, expected);
}

#[test]
fn a_damaged_sign_costs_no_number() {
    let table = "| model | size | params | test | t/s |\n|---|---|---|---|---|\n| m 8B F16 | 1 GiB | 1 B | tg10 | 50.00 ± 1.50 |\n";
    let expected = usable(table).runs;
    for sign in ["Â±", "\u{fffd}", "Ã‚Â±"] {
        assert_eq!(usable(&table.replace('±', sign)).runs, expected, "{sign}");
    }
    let latin: Vec<u8> = table.chars().map(|c| if c == '±' { 0xb1 } else { c as u8 }).collect();
    assert_eq!(read("x", &latin).runs, expected);
}

#[test]
fn runs_one_after_the_other_are_kept_apart() {
    let two = [serve(&[]), serve(&[("\"max_concurrency\": 4", "\"max_concurrency\": 5")])];
    for between in ["", "\n", "\n\n"] {
        let reading = usable(&two.join(between));
        assert_eq!(reading.runs.iter().map(|run| run.concurrency).collect::<Vec<_>>(), [Some(4.0), Some(5.0)]);
        assert!(reading.messages.iter().any(|m| m.contains("2 runs")));
    }
}

#[test]
fn log_lines_are_named_until_they_outweigh() {
    let line = serve(&[]).replace('\n', " ");
    warned(&format!("{line}\n[2026-11-30] WARNING retry\n{line}\n"), "line 2 is not JSON");
    refused(&format!("a\nb\n{line}\nc\n"), &["3 lines are not JSON", "without the log"]);
    let cut = format!("{line}\n{}", &line[..line.len() / 2]);
    assert_eq!(warned(&cut, "truncated").runs.len(), 1);
}

#[test]
fn half_a_file_is_refused_with_its_place() {
    let text = serve(&[]);
    refused(&text[..text.len() - 30], &["vLLM bench serve", "truncated", "line 4", "byte"]);
    refused(&text.replace("\"duration\": 1.0,", "\"duration\": 1.0 "), &["not valid JSON", "line 1"]);
    refused("[\n{\"build_commit\": \"x\",\n", &["truncated"]);
}

#[test]
fn failures_are_no_measurements() {
    let none = [("\"completed\": 20", "\"completed\": 0"), ("50.0", "0.0"), ("10.0", "0.0"), ("200.0", "0.0")];
    refused(&serve(&none), &["0 of 20 requests completed"]);
    let some = warned(&serve(&[("\"completed\": 20", "\"completed\": 12")]), "12 of 20 requests completed");
    assert_eq!(some.runs[0].n_failed, Some(8));
    let line = |text: &str| text.replace('\n', " ");
    let mixed = format!("{}\n{}", line(&serve(&none)), line(&serve(&[])));
    let reading = warned(&mixed, "run 1: 0 of 20 requests completed");
    assert!(!reading.runs[0].has_figures() && reading.runs[1].has_figures());
    let aiperf = r#"{"input_config": {"loadgen": {"concurrency": 2}}, "was_cancelled": false, "request_latency": null,
        "error_summary": [{"error_details": {"code": 503}, "count": 16}]}"#;
    refused(aiperf, &["0 of 16 requests completed"]);
    let records = r#"{"metadata": {"request_start_ns": 1, "request_end_ns": 2, "benchmark_phase": "profiling"}, "metrics": {},
        "error": {"code": 500}}"#;
    refused(&records.replace('\n', " "), &["0 of 1 requests completed"]);
    let fresh = "# TYPE vllm:num_requests_running gauge\nvllm:num_requests_running{model_name=\"m\"} 0.0\n";
    refused(fresh, &["0 requests since server start"]);
}

#[test]
fn mixed_up_units_are_found() {
    let seconds: Vec<(&str, &str)> = vec![
        ("ttft_ms\": 50.0", "ttft_ms\": 0.050"),
        ("ttft_ms\": 49.0", "ttft_ms\": 0.049"),
        ("ttft_ms\": 60.0", "ttft_ms\": 0.060"),
        ("tpot_ms\": 10.0", "tpot_ms\": 0.010"),
        ("tpot_ms\": 11.0", "tpot_ms\": 0.011"),
    ];
    refused(&serve(&seconds), &["unit", "factor 1000"]);
    let e2e = [("e2el_ms\": 200.0", "e2el_ms\": 0.200"), ("e2el_ms\": 210.0", "e2el_ms\": 0.210")];
    refused(&serve(&[&seconds[..], &e2e].concat()), &["unit", "factor 1000"]);
    let llmperf = r#"{"results_ttft_s_mean": 50.0, "results_end_to_end_latency_s_mean": 200.0, "num_concurrent_requests": 4,
        "results_number_output_tokens_mean": 16, "results_number_output_tokens_stddev": 0,
        "results_num_completed_requests": 20, "results_mean_output_throughput_token_per_s": 300.0}"#;
    refused(llmperf, &["unit", "factor 1000"]);
}

#[test]
fn impossible_values_are_refused() {
    let cases = [
        ("\"mean_ttft_ms\": 50.0", "\"mean_ttft_ms\": -50.0", "TTFT is -50"),
        ("\"p99_ttft_ms\": 60.0", "\"p99_ttft_ms\": 6.0", "higher percentile of TTFT"),
        ("\"completed\": 20", "\"completed\": 30", "30 of 20 requests"),
        ("\"mean_e2el_ms\": 200.0", "\"mean_e2el_ms\": 40.0", "TTFT 50.0 ms exceeds"),
        ("\"duration\": 1.0", "\"duration\": 0.15", "exceeds the 150.0 ms"),
        ("\"total_token_throughput\": 1600.0", "\"total_token_throughput\": 16.0", "in total"),
    ];
    for (from, to, phrase) in cases {
        refused(&serve(&[(from, to)]), &["impossible values", phrase]);
    }
}

#[test]
fn queues_and_contradictions_are_told() {
    warned(&serve(&[("\"max_concurrency\": 4", "\"max_concurrency\": null")]), "queue time");
    let late = [("\"inf\"", "40.0"), ("\"max_concurrency\": 4", "\"max_concurrency\": null")];
    warned(&serve(&late), "achieved rate 20.0 of 40.0");
    warned(&serve(&[("\"mean_tpot_ms\": 10.0", "\"mean_tpot_ms\": 8.0")]), "TPOT contradicts e2e (factor 1.18)");
}

#[test]
fn header_and_rows_of_different_length_cannot_be_matched() {
    let header = "build_commit,model_type,n_prompt,n_gen,avg_ns,avg_ts";
    let row = "\"x\",\"1\",\"llama 7B F16\",\"512\",\"0\",\"212155977\",\"2413.3\"";
    refused(&format!("{header}\n{row}\n{row}\n"), &["line 2 has 7 values for the 6 names", "JSON"]);
    let sql =
        "INSERT INTO test (build_commit, model_type, n_prompt, n_gen, avg_ns) VALUES ('x', '1', 'm', '512', '0', '9');";
    refused(sql, &["line 1 has 6 values for 5 names"]);
}

#[test]
fn other_tools_are_named() {
    let cases = [
        ("<!DOCTYPE html><html><body>Sign in</body></html>", "HTML"),
        (r#"{"machine_info": {}, "benchmarks": [{"stats": {"mean": 0.1}}]}"#, "pytest-benchmark"),
        (
            r#"[{"benchmark": {"name": "vLLM"}, "model": {"name": "m"}, "metric": {"name": "median_ttft_ms"}}]"#,
            "pytorch.json",
        ),
        (r#"{"architectures": ["LlamaForCausalLM"], "hidden_size": 4096}"#, "config.json"),
        ("Type,Name,Request Count,Failure Count\nGET,/v1,10,0\n", "Locust"),
        (r#"{"hello": 1}"#, "not the result of a known benchmark tool"),
        ("just words\n", "accepted are results of"),
        ("", "empty"),
        ("\u{feff}  \r\n", "empty"),
    ];
    for (text, phrase) in cases {
        refused(text, &[phrase]);
    }
    let nsys = "Processing [x.sqlite] with [cuda_gpu_kern_sum.py]...\n\n\
                Time (%),Total Time (ns),Instances,Avg (ns),Name\n60.0,600,2,300.0,gemm\n40.0,400,1,400.0,norm\n";
    refused(nsys, &["profile", "no TTFT or TPOT"]);
    let ncu = "==PROF== Connected\n\"ID\",\"Kernel Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n\
               \"0\",\"copy\",\"DRAM Frequency\",\"hz\",\"4.963.609.951,19\"\n";
    refused(ncu, &["profile", "no TTFT or TPOT"]);
}

#[test]
fn words_of_a_file_are_bounded() {
    let name = format!("org/\\u0007m\\n{}", "x".repeat(5000));
    let reading = usable(&serve(&[("org/m", &name)]));
    let model = reading.runs[0].model.as_deref().expect("a name");
    assert!(model.starts_with("org/mxx") && model.len() == 200, "{model}");
}
