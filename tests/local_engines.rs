//! Local engines in a profile: whole evaluations by the derated roofline, kernel by kernel.

mod support;

use simllm::catalog;
use simllm::machine::LocalCoefficients;
use simllm::scenario::Scenario;
use simllm::simulate::{Run, simulate};
use simllm::spec::FfnSpec;

fn run(scenario: &Scenario) -> Run {
    simulate(scenario).run().expect("it fits").clone()
}

fn scenario(model: &str, hardware: &str, fields: &[(&str, &str)]) -> Scenario {
    let roomy = ("hardware.memory.capacity_gib", "100000");
    let fields: Vec<_> =
        [("engine", "llama.cpp"), ("boundary", "engine"), roomy].iter().chain(fields).copied().collect();
    support::scenario(model, hardware, &fields)
}

/// An evaluation of `tokens` tokens at a context as the fit has it, all products at once, µs. Dense models without windows.
fn evaluation(scenario: &Scenario, tokens: f64, context: f64, sequences: f64) -> f64 {
    let (model, c) = (&scenario.model, scenario.deployment.engine.local.as_ref().expect("a local engine"));
    let peaks = &scenario.machine.costs.base;
    let group = &model.groups[0];
    let FfnSpec::Dense(_) = &group.ffn else { panic!("a dense model") };
    let (heads, kv_heads, dim) = match &group.attention {
        simllm::spec::AttentionSpec::Softmax(a) => (a.heads as f64, a.kv_heads as f64, a.head_dim as f64),
        _ => panic!("softmax attention"),
    };
    let layers = model.layers() as f64;
    let quantised = model.is_quantised();
    let head = model.embedding_parameters() as f64;
    let elements =
        layers * (group.count_layer(model.hidden_size).attention + group.count_layer(model.hidden_size).dense) as f64;
    let rows = if tokens == sequences { tokens } else { 1.0 };
    let bytes = model.matrix_bytes() + head * model.outer_bits.lm_head / 8.0;
    let bandwidth = peaks.bandwidth_gb_s * 1e3;
    let read = bytes / (bandwidth * if quantised { c.memory_quantised } else { c.memory_f16 });
    let compute = if quantised { c.compute_quantised } else { c.compute_f16 };
    let products = if tokens <= 8.0 {
        read * (1.0 + c.per_column * (tokens - 1.0))
    } else {
        // A wider batch is never faster than eight columns.
        let both = read.hypot(2.0 * (tokens * elements + rows * head) / (peaks.bf16_tflops * 1e6 * compute));
        both.max(read * (1.0 + 7.0 * c.per_column))
    };
    let cache = sequences * context * layers * 2.0 * kv_heads * dim * 2.0;
    let attention = cache * (heads / kv_heads).powf(c.group_exponent) / (bandwidth * c.memory_kv)
        + 4.0 * tokens * context * layers * heads * dim / (peaks.bf16_tflops * 1e6 * c.compute_attention);
    products + attention + c.step_us + c.layer_us * layers
}

#[test]
fn kernels_of_a_step_add_up_to_the_evaluation() {
    for (model, hardware) in
        [("llama-2-7b", "rtx_4090"), ("llama-3-8b", "a100_80gb_pcie"), ("qwen2.5-32b", "h100_80gb_sxm")]
    {
        for weights in ["bf16", "int4"] {
            for batch in ["1", "4", "32"] {
                let fields =
                    [("weights_dtype", weights), ("batch_size", batch), ("prompt_len", "512"), ("gen_len", "65")];
                let scenario = scenario(model, hardware, &fields);
                let found = run(&scenario).metrics.tpot_ms.expect("a decode phase") * 1e3;
                let batch: f64 = batch.parse().expect("a number");
                let wanted = evaluation(&scenario, batch, 512.0 + 33.0, batch);
                let off = found / wanted - 1.0;
                // Products of another storage, as a wider LM head, add to the others' and not in quadrature.
                let most = if batch > 8.0 { 3e-2 } else { 5e-3 };
                assert!(
                    off.abs() < most,
                    "{model} {hardware} {weights} ×{batch}: {found} µs, not {wanted} ({off:+.4})"
                );
            }
        }
    }
}

#[test]
fn a_prompt_runs_in_evaluations_of_512_tokens() {
    for (prompt, count) in [("300", 1.0), ("512", 1.0), ("2048", 4.0), ("8192", 16.0)] {
        let scenario = scenario("llama-3-8b", "rtx_4090", &[("weights_dtype", "int4"), ("prompt_len", prompt)]);
        let found = run(&scenario).metrics.ttft_ms.expect("a prefill") * 1e3;
        let prompt: f64 = prompt.parse().expect("a number");
        let wanted = count * evaluation(&scenario, prompt / count, prompt / 2.0, 1.0);
        // The LM head is priced by itself: its bytes and operations add to the others', not in quadrature.
        assert!((found / wanted - 1.0).abs() < 0.05, "{prompt} tokens: {found} µs, not {wanted}");
    }
}

#[test]
fn more_work_is_never_faster() {
    for hardware in ["rtx_4090", "m2_ultra_76", "mi300x", "a100_80gb_sxm"] {
        for model in ["llama-3-8b", "qwen2.5-7b"] {
            for path in ["batch_size", "prompt_len"] {
                let mut last = (0.0, 0.0);
                for value in ["1", "2", "8", "9", "16", "64", "128"] {
                    let run = run(&scenario(model, hardware, &[(path, value), ("weights_dtype", "int4")]));
                    let now = (run.metrics.ttft_ms.unwrap_or(0.0), run.metrics.tpot_ms.unwrap_or(0.0));
                    assert!(
                        now.0 >= last.0 && now.1 >= last.1,
                        "{model} on {hardware}, {path} {value}: {now:?} after {last:?}"
                    );
                    last = now;
                }
            }
        }
    }
}

#[test]
fn no_backend_reads_faster_than_the_memory() {
    for local in catalog::local_engines() {
        for machine in catalog::machines() {
            let c = LocalCoefficients::new(local, machine.kernel_arch(), machine.is_geforce());
            for share in [c.memory_f16, c.memory_quantised, c.memory_kv] {
                assert!(share > 0.0 && share < 1.0, "{} on {}: {share}", local.id, machine.id);
            }
        }
    }
}

#[test]
fn the_band_is_that_of_local_engines() {
    let scenario = scenario("llama-3-8b", "rtx_4090", &[]);
    let bands = simllm::diagnose::Bands::new(&scenario, &run(&scenario).metrics);
    let band = bands.tpot.expect("a band").error.band;
    assert_eq!((band.method.as_str(), band.figure.as_str()), ("local", "decode"));
}
