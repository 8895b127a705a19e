//! Figures worked out by hand or by the reference, and the article's claims beside them.

use simllm::kernel::Stage;
use simllm::simulate::{Outcome, PhaseKind, Run, simulate};

mod support;

const LLAMA: &str = "llama-3-8b";
const A100_PCIE: &str = "a100_80gb_pcie";

fn run(fields: &[(&str, &str)]) -> Run {
    let outcome = simulate(&support::scenario(LLAMA, A100_PCIE, fields));
    outcome.run().expect("fits").clone()
}

/// GPU kernels of the reference in a phase, without the engine's factor.
fn gpu_ms(run: &Run, phase: PhaseKind, factor: f64) -> f64 {
    let rows = run.kernels.iter().filter(|row| row.phase == phase && row.call.in_reference);
    rows.filter(|row| row.call.stage != Stage::Host).map(|row| row.time.ms() / factor).sum()
}

#[test]
fn prefill_of_2048_tokens_takes_134_ms_of_gpu_time() {
    let run = run(&[("prompt_len", "2048"), ("engine", "ideal")]);
    let gpu = gpu_ms(&run, PhaseKind::Prefill, 1.0);
    assert!((gpu - 134.0).abs() < 0.5, "{gpu}");
    let cache_write = run.ttft.as_ref().and_then(|t| t.child("kv_cache_write")).expect("a stage").ms;
    assert!((cache_write - 0.59).abs() < 0.005, "{cache_write}");
}

#[test]
fn a_decode_step_at_2100_tokens_takes_12_39_ms() {
    let run = run(&[("prompt_len", "2099"), ("gen_len", "2")]);
    let step = run.metrics.tpot_ms.expect("a second token");
    assert!((step - 12.39).abs() < 0.05, "{step}");
}

#[test]
fn all_weights_over_the_bandwidth_take_8_30_ms() {
    let scenario = support::scenario(LLAMA, A100_PCIE, &[]);
    assert_eq!(scenario.model.parameters(), 8_030_261_248);
    assert_eq!(scenario.model.weight_bytes(), 16_060_522_496.0);
    let floor = scenario.model.weight_bytes() / scenario.machine.sheet.bandwidth.get() * 1e3;
    assert!((floor - 8.30).abs() < 0.005, "{floor}");
}

#[test]
fn the_table_copied_from_pageable_memory_takes_82_ms_of_pcie_and_34_ms_of_staging() {
    let copy = |rate: &str| {
        let fields =
            [("prompt_len", "2048"), ("embedding_placement", "host_pageable"), ("hardware.pcie.bandwidth_gb_s", rate)];
        let run = run(&fields);
        let stage = run.ttft.as_ref().and_then(|t| t.child("input_embedding_load")).expect("a stage").clone();
        let of = |name: &str| stage.child(name).expect("a copy").ms;
        (of("copy_embedding_table"), of("stage_embedding_table"), stage.ms)
    };
    let (pcie, staging, fast) = copy("12.8");
    assert!((pcie - 82.08).abs() < 0.01 && (staging - 34.0).abs() < 0.01, "{pcie} {staging}");
    let (_, _, slow) = copy("9.2");
    assert!((slow - fast - 32.1).abs() < 0.05, "{}", slow - fast);
}

#[test]
fn a_slower_link_costs_microseconds_when_the_table_lives_on_the_device() {
    let ttft = |rate| run(&[("prompt_len", "2048"), ("pcie_bandwidth_gb_s", rate)]).metrics.ttft_ms.expect("a phase");
    let difference = ttft("9.2") - ttft("12.8");
    assert!(difference > 0.0 && difference < 0.01, "{difference}");
}

#[test]
fn more_ranks_over_pcie_raise_prefill_from_134_to_182_to_207_ms() {
    let gpu = |ranks| {
        let fields = [("prompt_len", "2048"), ("engine", "ideal"), ("tensor_parallel", ranks)];
        gpu_ms(&run(&fields), PhaseKind::Prefill, 1.0)
    };
    for (ranks, expected) in [("2", 182.4), ("4", 207.1)] {
        let ms = gpu(ranks);
        assert!((ms - expected).abs() < 0.1, "{ranks}: {ms}");
    }
}

#[test]
fn kv_bytes_per_token_of_known_models() {
    let bytes = |model, ranks| {
        support::scenario(model, "h100_80gb_sxm", &[("tensor_parallel", ranks)]).kv_cache().bytes_per_token()
    };
    assert_eq!(bytes("llama-3.1-8b", "1"), 131_072.0);
    assert_eq!(bytes("llama-3.1-70b", "1"), 327_680.0);
    assert_eq!(bytes("llama-3.1-70b", "4"), 81_920.0);
    assert_eq!(bytes("llama-3.1-70b", "8"), 40_960.0);
    assert_eq!(bytes("llama-3.1-70b", "16"), 40_960.0);
}

#[test]
fn an_explicit_head_width_counts() {
    let fields = [
        ("model.architecture.layers", "48"),
        ("model.architecture.hidden_size", "2048"),
        ("model.architecture.heads", "32"),
        ("model.architecture.kv_heads", "4"),
        ("model.architecture.head_dim", "128"),
    ];
    assert_eq!(support::scenario("qwen3-8b", "h200_sxm", &fields).kv_cache().bytes_per_token(), 98_304.0);
}

#[test]
fn kv_tokens_of_a_24_gib_card() {
    let card = [("hardware.memory.capacity_gib", "24"), ("memory_utilization", "0.9")];
    let capacity = |reserve: &[(&str, &str)]| {
        let fields: Vec<_> = card.iter().chain(reserve).copied().collect();
        simulate(&support::scenario("llama-3.1-8b", A100_PCIE, &fields)).run().expect("fits").memory.kv_capacity_tokens
    };
    assert_eq!(capacity(&[("runtime_reserve_gib", "0")]), 54_400);
    let with_reserve = capacity(&[]) as f64;
    assert!((with_reserve / 41_408.0 - 1.0).abs() < 0.005, "{with_reserve}");
}

#[test]
fn sixty_four_long_requests_do_not_fit_80_gb() {
    let fields = [("batch_size", "64"), ("prompt_len", "8192"), ("gen_len", "128"), ("memory_utilization", "1")];
    let Outcome::Infeasible(shortfall) = simulate(&support::scenario("llama-3.1-8b", A100_PCIE, &fields)) else {
        panic!("79.96 GiB of weights and cache do not fit 79.25 GiB")
    };
    let parts = shortfall.memory.weights + shortfall.memory.kv_cache;
    assert!((parts.gib() - 79.96).abs() < 0.005, "{}", parts.gib());
    assert!((shortfall.available.gib() - 79.25).abs() < 1e-9);
    assert!(shortfall.largest_batch.is_some_and(|batch| batch < 64));
}

#[test]
fn inclusive_tpot_spreads_the_first_token() {
    let (ttft, tpot, tokens) = (353.744, 7.286, 128.0);
    let e2e: f64 = ttft + (tokens - 1.0) * tpot;
    assert!((e2e - 1279.07).abs() < 0.01 && (e2e / tokens - 9.993).abs() < 0.001);
    let run = run(&[]);
    let m = run.metrics;
    let ours = m.ttft_ms.expect("prefill") + 127.0 * m.tpot_ms.expect("decode");
    assert_eq!(m.e2e_ms, Some(ours));
    assert_eq!(m.tpot_inclusive_ms, Some(ours / 128.0));
}

#[test]
fn three_points_of_a_quadrature_stand_for_the_exact_mean() {
    for (prompt, tokens) in [(512u64, 128u64), (2048, 512), (4096, 4096)] {
        let fields = [("prompt_len", prompt.to_string()), ("gen_len", tokens.to_string())];
        let fields: Vec<(&str, &str)> = fields.iter().map(|(k, v)| (*k, v.as_str())).collect();
        let exact = run(&fields).metrics.tpot_ms.expect("decode");
        let step = |context: f64| {
            let prompt = (context - 1.0).round().to_string();
            run(&[("prompt_len", &prompt), ("gen_len", "2")]).metrics.tpot_ms.expect("decode")
        };
        let points = [(0.1127, 5.0 / 18.0), (0.5, 8.0 / 18.0), (0.8873, 5.0 / 18.0)];
        let rule: f64 = points.iter().map(|(x, w)| w * step(prompt as f64 + 1.0 + x * (tokens - 1) as f64)).sum();
        assert!((rule / exact - 1.0).abs() < 1e-3, "{prompt}+{tokens}: {rule} against {exact}");
    }
}

#[test]
fn a_prefill_claim_names_the_longest_prompt_within_it_and_its_time() {
    let run = std::process::Command::new(env!("CARGO_BIN_EXE_simllm"))
        .args(["check", "--model", "tests/data/jalapeno_profile.yaml", "--hardware", "a100_80gb_pcie"])
        .args(["--prompt-len", "2048"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("the program starts");
    let said = String::from_utf8_lossy(&run.stdout).replace('\u{a0}', " ");
    assert!(said.contains("Kernels stay within the claim up to 2,176 tokens, which take 146 ms."), "{said}");
}
