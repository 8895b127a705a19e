//! Layouts that the corpus lacks: each with figures whose meaning is known by hand.

use simllm::import::measured::{Consistency, MeasuredRun, Rate, Reading, Status, read};

/// Reads a text that must be usable.
pub fn usable(text: &str) -> Reading {
    let reading = read("file", text.as_bytes());
    assert!(reading.status < Status::Refuse, "{:?}", reading.messages);
    reading
}

fn close(found: Option<f64>, expected: f64) {
    let found = found.unwrap_or_else(|| panic!("nothing where {expected} was expected"));
    assert!((found - expected).abs() <= 1e-6 * expected.abs(), "{found}, expected {expected}");
}

fn only(reading: &Reading) -> &MeasuredRun {
    assert_eq!(reading.runs.len(), 1, "{:?}", reading.messages);
    &reading.runs[0]
}

#[test]
fn sglang_offline_throughput_has_no_latency() {
    let text = r#"{"backend": "engine", "successful_requests": 10, "total_latency": 2.0, "total_input_tokens": 1000,
        "total_output_tokens": 500, "last_gen_throughput": 300.0, "request_throughput": 5.0, "input_throughput": 500.0,
        "output_throughput": 250.0, "total_throughput": 750.0}"#;
    let reading = usable(text);
    assert_eq!(reading.status, Status::Warn);
    assert!(reading.messages.iter().any(|m| m.contains("no TTFT or TPOT")));
    close(only(&reading).output_tok_s, 250.0);
    close(only(&reading).gen_len_mean, 50.0);
}

#[test]
fn llama_bench_markdown_with_depth_and_mixed_tests() {
    let text = "\
| model                    |       size |     params | backend | ngl |            test |              t/s |
| ------------------------ | ---------: | ---------: | ------- | --: | --------------: | ---------------: |
| qwen3 8B Q4_K - Medium   |   4.68 GiB |     8.19 B | CUDA    |  99 | pp1024 @ d4096  |   2000.00 ± 9.10 |
| qwen3 8B Q4_K - Medium   |   4.68 GiB |     8.19 B | CUDA    |  99 |           tg100 |     50.00 ± 0.10 |
| qwen3 8B Q4_K - Medium   |   4.68 GiB |     8.19 B | CUDA    |  99 |     pp500+tg100 |    200.00 ± 0.10 |

build: 0c1e570 (1)
";
    let reading = usable(text);
    let [prefill, decode, mixed] = reading.runs.as_slice() else { panic!("three rows") };
    close(prefill.ttft_ms.mean, 512.0);
    assert_eq!(prefill.word("test"), Some("pp1024 @ d4096"));
    close(decode.tpot_ms.mean, 20.0);
    close(mixed.e2e_ms.mean, 3000.0);
    assert!(mixed.ttft_ms.is_empty() && mixed.output_tok_s.is_none());
    assert!(decode.hardware.is_none() && decode.to_ask().contains(&"hardware"));
}

#[test]
fn llama_batched_bench_table() {
    let text = "\
|    PP |     TG |    B |   N_KV |   T_PP s | S_PP t/s |   T_TG s | S_TG t/s |      T s |    S t/s |
|-------|--------|------|--------|----------|----------|----------|----------|----------|----------|
|   128 |    100 |    4 |    912 |    0.400 |  1280.00 |    2.000 |   200.00 |    2.400 |   380.00 |
";
    let reading = usable(text);
    let run = only(&reading);
    close(run.tpot_ms.mean, 20.0);
    close(run.ttft_ms.mean, 400.0);
    close(run.concurrency, 4.0);
    assert!(matches!(run.consistency, Consistency::Consistent(_)));
}

#[test]
fn console_tables_of_one_log_are_runs_of_their_own() {
    let table = |rate: &str, cap: u32, ttft: f64| {
        format!(
            "Traffic request rate: {rate}\n============ Serving Benchmark Result ============\n\
             Successful requests:                     10        \n\
             Maximum request concurrency:             {cap}         \n\
             Benchmark duration (s):                  10.00     \n\
             Total input tokens:                      1,000     \n\
             Total generated tokens:                  1,010     \n\
             Output token throughput (tok/s):         101.00    \n\
             Total Token throughput (tok/s):          201.00    \n\
             Mean TTFT (ms):                          {ttft}     \n\
             Median TTFT (ms):                        {ttft}     \n\
             Mean TPOT (ms):                          9.00     \n\
             Mean E2EL (ms):                          1000.00     \n\
             ==================================================\n"
        )
    };
    let text = format!("Namespace(model='org/m-8b', seed=0)\n{}{}", table("inf", 1, 100.0), table("1.5", 2, 110.0));
    let reading = usable(&text);
    let [first, second] = reading.runs.as_slice() else { panic!("two tables") };
    assert_eq!((first.request_rate, second.request_rate), (Some(Rate::Unlimited), Some(Rate::PerSecond(1.5))));
    close(second.ttft_ms.p50, 110.0);
    close(first.prompt_len_mean, 100.0);
    assert_eq!(first.model.as_deref(), Some("org/m-8b"));
    assert!(matches!(first.consistency, Consistency::Consistent(_)));
}

#[test]
fn tensorrt_llm_logs() {
    let text = "\
[TensorRT-LLM][INFO] Engine version 0.16.0 found
[BENCHMARK] num_samples 20
[BENCHMARK] num_error_samples 0

[BENCHMARK] num_samples 20
[BENCHMARK] total_latency(ms) 5000.00
[BENCHMARK] token_throughput(token/sec) 400.00
[BENCHMARK] avg_sequence_latency(ms) 1090.00
[BENCHMARK] p99_sequence_latency(ms) 1200.00
[BENCHMARK] p50_sequence_latency(ms) 1100.00
[BENCHMARK] avg_time_to_first_token(ms) 100.00
[BENCHMARK] avg_inter_token_latency(ms) 10.00
";
    let reading = usable(text);
    let run = only(&reading);
    assert_eq!((run.n_requests, run.e2e_ms.p50), (Some(20), Some(1100.0)));
    close(run.tpot_ms.mean, 10.0);
    let text = "[BENCHMARK] batch_size 8 input_length 128 output_length 64 latency(ms) 900.00 tokensPerSec 568.89 \
                generation_time(ms) 800.00\n";
    let reading = usable(&text.repeat(2));
    assert_eq!(reading.runs.len(), 2);
    close(reading.runs[1].e2e_ms.mean, 900.0);
    close(reading.runs[1].concurrency, 8.0);
}

#[test]
fn trtllm_bench_before_tpot_had_its_name() {
    let text = r#"{"engine": {"model": "org/m", "version": "0.17.0", "dtype": "float16", "quantization": null},
        "world_info": {"tp_size": 2, "issue_rate": 8e16}, "request_info": {"num_requests": 4, "avg_input_length": 128.0,
        "avg_output_length": 11.0}, "performance": {"avg_request_latency_ms": 200.0,
        "system_output_throughput_tok_s": 220.0}, "streaming_metrics": {"avg_ttft_ms": 100.0, "avg_itl_ms": 10.0,
        "itl_percentiles": {"p50": 9.0, "p95": 12.0, "p99": 13.0}}}"#;
    let reading = usable(text);
    let run = only(&reading);
    assert_eq!((run.tpot_ms.mean, run.tpot_ms.p50, run.tpot_ms.p90), (Some(10.0), Some(9.0), None));
    assert_eq!((run.tensor_parallel, run.hardware.as_deref(), run.dtype.as_deref()), (Some(2), None, Some("float16")));
}

#[test]
fn guidellm_takes_the_successful_and_the_strategy() {
    let stat = |mean: f64| {
        format!(r#"{{"successful": {{"mean": {mean}, "median": {mean}, "percentiles": {{"p90": {mean}}}}}}}"#)
    };
    let benchmark = |strategy: &str, good: u32| {
        format!(
            r#"{{"config": {{"strategy": {strategy}, "backend": {{"model": "org/m"}}}}, "metrics": {{
            "request_totals": {{"successful": {good}, "errored": 2, "incomplete": 1, "total": 8}},
            "request_latency": {}, "time_to_first_token_ms": {}, "inter_token_latency_ms": {},
            "time_per_output_token_ms": {}, "output_token_count": {}, "prompt_token_count": {}}}}}"#,
            stat(0.2),
            stat(50.0),
            stat(10.0),
            stat(12.5),
            stat(16.0),
            stat(64.0)
        )
    };
    let text = format!(
        r#"{{"metadata": {{"version": 2, "guidellm_version": "0.8.1"}}, "conclusions": null, "benchmarks": [{}, {}]}}"#,
        benchmark(r#"{"kind": "concurrent", "streams": 4}"#, 5),
        benchmark(r#"{"type_": "throughput", "max_concurrency": null}"#, 5)
    );
    let reading = usable(&text);
    let [first, second] = reading.runs.as_slice() else { panic!("two benchmarks") };
    assert_eq!((first.n_requests, first.n_failed, first.concurrency), (Some(5), Some(2), Some(4.0)));
    assert_eq!(second.request_rate, Some(Rate::Unlimited));
    close(first.e2e_ms.p90, 200.0);
    close(first.tpot_ms.mean, 10.0);
    close(first.tool_reported_tpot_ms.expect("reported").mean, 12.5);
    assert!(reading.messages.iter().any(|m| m.contains("queue time")));
    assert_eq!(first.format_version, "guidellm 0.8.1");
}

#[test]
fn guidellm_csv_of_old() {
    let text = "Name,Successful Request latency mean,Successful Time to first token ms mean,\
                Successful Inter token latency ms mean,Successful Output token count mean\nx,0.2,50,10,16\n";
    close(only(&usable(text)).e2e_ms.mean, 200.0);
}

#[test]
fn inference_perf_whose_tpot_is_right_is_left_alone() {
    let stat = |mean: f64| format!(r#"{{"mean": {mean}, "median": {mean}, "p90": {mean}, "p99": {mean}}}"#);
    let text = format!(
        r#"{{"benchmark_time_seconds": 10.0, "load_summary": {{"count": 10, "requested_rate": 1.0, "achieved_rate": 1.0}},
        "successes": {{"count": 10, "latency": {{"request_latency": {}, "time_to_first_token": {},
        "time_per_output_token": {}, "inter_token_latency": {}}}, "prompt_len": {}, "output_len": {}}},
        "failures": {{"count": 0}}}}"#,
        stat(0.2),
        stat(0.05),
        stat(0.01),
        stat(0.01),
        stat(64.0),
        stat(16.0)
    );
    let reading = usable(&text);
    assert_eq!(reading.status, Status::Ok, "{:?}", reading.messages);
    close(only(&reading).tpot_ms.p99, 10.0);
    assert!(only(&reading).tool_reported_tpot_ms.is_none());
}

#[test]
fn lmdeploy_before_it_had_tpot() {
    let text = "batch,prompt_tokens,completion_tokens,throughput(out tok/s),mem(GB),FTL(ave)(s),FTL(min)(s),FTL(max)(s),\
                50%(s),75%(s),95%(s),99%(s)\n16,128,256,1000.00,70.00,0.05,0.04,0.06,0.015,0.016,0.02,0.03\n";
    let reading = usable(text);
    let run = only(&reading);
    assert_eq!((run.ttft_ms.mean, run.concurrency), (Some(50.0), Some(16.0)));
    assert_eq!((run.itl_ms.p50, run.itl_ms.p99, run.tpot_ms.mean), (Some(15.0), Some(30.0), None));
}

#[test]
fn prometheus_of_two_engines_and_two_models() {
    let series = |model: &str, engine: u32, count: u32, sum: f64| {
        format!(
            "vllm:time_to_first_token_seconds_bucket{{engine=\"{engine}\",le=\"0.1\",model_name=\"{model}\"}} {count}\n\
             vllm:time_to_first_token_seconds_bucket{{engine=\"{engine}\",le=\"+Inf\",model_name=\"{model}\"}} {count}\n\
             vllm:time_to_first_token_seconds_count{{engine=\"{engine}\",model_name=\"{model}\"}} {count}\n\
             vllm:time_to_first_token_seconds_sum{{engine=\"{engine}\",model_name=\"{model}\"}} {sum}\n"
        )
    };
    let text = [series("a", 0, 10, 0.5), series("a", 1, 30, 2.5), series("b", 0, 4, 0.2)].concat();
    let reading = usable(&text);
    let [a, b] = reading.runs.as_slice() else { panic!("two models") };
    assert_eq!((a.n_requests, b.model.as_deref()), (Some(40), Some("b")));
    close(a.ttft_ms.mean, 75.0);
    close(b.ttft_ms.p50, 50.0);
}

#[test]
fn tgi_metrics_know_e2e_only() {
    let text = "tgi_request_duration_sum 22.5\ntgi_request_duration_count 150\n\
                tgi_request_mean_time_per_token_duration_sum 3\ntgi_request_mean_time_per_token_duration_count 150\n";
    let reading = usable(text);
    let run = only(&reading);
    close(run.e2e_ms.mean, 150.0);
    close(run.tool_reported_tpot_ms.expect("reported").mean, 20.0);
    assert!(run.tpot_ms.is_empty() && run.ttft_ms.is_empty());
}

#[test]
fn a_sweep_summary_is_repeats_of_one_point() {
    let run = r#"{"model_id": "m", "completed": 2, "num_prompts": 2, "total_input_tokens": 8, "total_output_tokens": 8,
        "output_throughput": 80.0, "max_concurrency": 1, "request_rate": "inf", "duration": 0.1, "mean_ttft_ms": 20.0}"#;
    assert_eq!(usable(&format!("[{run}, {run}, {run}]")).runs.len(), 3);
}

#[test]
fn tables_of_one_page_are_all_read() {
    let table = |column: &str, rate: f64| {
        format!(
            "| model | size | params | {column} | test | t/s |\n|---|---|---|---|---|---|\n| m F16 | 1 GiB | 1 B | 9 | tg10 | {rate} |\n"
        )
    };
    let page = format!("# Results\n\n{}\nwith more threads\n\n{}", table("ngl", 50.0), table("threads", 100.0));
    let reading = usable(&page);
    assert_eq!(reading.runs.iter().map(|run| run.line).collect::<Vec<_>>(), [5, 11]);
    close(reading.runs[1].tpot_ms.mean, 10.0);
    let csv = "build_commit,model_type,n_prompt,n_gen,avg_ns\nx,m,512,0,1000000\n";
    let reading = usable(&csv.repeat(2));
    assert_eq!(reading.runs.iter().map(|run| run.line).collect::<Vec<_>>(), [2, 4]);
}

#[test]
fn a_zero_among_measurements_is_told() {
    let text = "[BENCHMARK] num_samples 2\n[BENCHMARK] avg_sequence_latency(ms) 100\n\
                [BENCHMARK] avg_time_to_first_token(ms) 9\n[BENCHMARK] avg_inter_token_latency(ms) 0.00\n";
    let reading = usable(text);
    assert!(only(&reading).tpot_ms.is_empty());
    assert!(reading.messages.iter().any(|m| m.contains("TPOT is 0.0")), "{:?}", reading.messages);
}

#[test]
fn what_a_run_does_not_say_is_asked_for() {
    let text = r#"{"model_id": "m", "backend": "openai-chat", "gpu": "H100", "tensor_parallel_size": "2", "completed": 2,
        "total_input_tokens": 8, "total_output_tokens": 8, "output_throughput": 80.0, "mean_ttft_ms": 20.0}"#;
    let asked = only(&usable(text)).to_ask();
    assert_eq!(asked, ["dtype", "engine", "engine_version", "concurrency"]);
}
