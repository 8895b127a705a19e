//! Figures that users of such tools were told wrong, recomputed by hand, and rules that such tools have broken.

mod support;

use simllm::catalog;
use simllm::kernel::{Kernel, MathType};
use simllm::plan;
use simllm::scenario::{InputDocuments, Scenario, resolve};
use simllm::simulate::{Outcome, simulate};
use simllm::spec::Document;

const H100: &str = "h100_80gb_sxm";

/// DeepSeek-V3: 61 layers of latent attention, the first three with a dense network.
const LATENT: &str = "
model_name: latent-61
architecture:
  layers: 61
  hidden_size: 7168
  vocab_size: 129280
  layer_groups:
    - count: 3
      attention: {kind: mla, heads: 128, q_lora_rank: 1536, kv_lora_rank: 512, rope_head_dim: 64, nope_head_dim: 128, v_head_dim: 128}
      ffn: {kind: dense, intermediate_size: 18432, gated: true}
    - count: 58
      attention: {kind: mla, heads: 128, q_lora_rank: 1536, kv_lora_rank: 512, rope_head_dim: 64, nope_head_dim: 128, v_head_dim: 128}
      ffn: {kind: moe, experts: 256, top_k: 8, expert_intermediate_size: 2048, gated: true, shared_intermediate_size: 2048}
weights: {dtype: bf16}
kv_cache: {dtype: bf16}
";

/// Qwen3-30B-A3B: 48 layers of 128 experts, 8 a token.
const SPARSE: &str = "
model_name: sparse-30b
architecture:
  layers: 48
  hidden_size: 2048
  vocab_size: 151936
  layer_groups:
    - count: 48
      attention: {kind: full, heads: 32, kv_heads: 4, head_dim: 128, qk_norm: true}
      ffn: {kind: moe, experts: 128, top_k: 8, expert_intermediate_size: 768, gated: true}
weights: {dtype: bf16}
kv_cache: {dtype: bf16}
";

fn described(model: &str, fields: &[(&str, &str)]) -> Scenario {
    let machine = catalog::hardware_text(H100).expect("built in").1;
    let parse = |name: &str, text: &str| Document::parse(name, text).expect("YAML");
    let mut documents = InputDocuments::new(parse("model.yaml", model), parse("machine.yaml", machine));
    for (path, value) in fields.iter().chain(&[("hardware.memory.capacity_gib", "10000")]) {
        documents.set(path, value, path).expect("a field");
    }
    resolve(&documents.read().expect("good inputs")).expect("a scenario").scenario
}

/// Experts that a decode step touches, and the time that reading all weights of one rank takes at 3,350 GB/s, ms.
fn experts_and_floor(scenario: &Scenario) -> (f64, f64) {
    let mut touched = 0.0;
    let mut bytes = 0.0;
    for call in &plan::decode(scenario, 1.0).calls {
        bytes += call.calls
            * match &call.kernel {
                Kernel::Linear(k) => k.n * k.k * k.format.element_bytes().0,
                Kernel::GroupedGemm(k) => {
                    touched = k.hits();
                    k.weight_bytes()
                }
                _ => 0.0,
            };
    }
    (touched, bytes / 3350e6)
}

#[test]
fn a_latent_cache_holds_one_vector_and_its_rotary_part() {
    assert_eq!(described(LATENT, &[]).kv_cache().bytes_per_token(), 70_272.0);
}

#[test]
fn a_step_reads_the_experts_it_touches_and_memory_holds_them_all() {
    let wanted = [("1", 2.0, 3.81), ("8", 7.199, 12.55), ("64", 8.0, 13.90)];
    for (batch, experts, floor) in wanted {
        let scenario = support::scenario("mixtral-8x7b", H100, &[("tensor_parallel", "2"), ("batch_size", batch)]);
        check(&scenario, batch, experts, floor);
        let run = simulate(&scenario).run().expect("fits").clone();
        assert!((run.memory.weights.gib() - 43.5).abs() < 0.1, "all experts in memory: {}", run.memory.weights.gib());
    }
    for (batch, experts, floor) in [("1", 8.0, 1.82), ("8", 51.6, 7.71), ("64", 125.9, 17.76)] {
        check(&described(SPARSE, &[("batch_size", batch)]), batch, experts, floor);
    }
}

fn check(scenario: &Scenario, batch: &str, experts: f64, floor: f64) {
    let (touched, ms) = experts_and_floor(scenario);
    assert!((touched - experts).abs() < 0.06, "batch {batch}: {touched} experts, not {experts}");
    assert!((ms / floor - 1.0).abs() < 0.003, "batch {batch}: {ms} ms, not {floor}");
    let simulated = simulate(scenario).run().expect("roomy").metrics.tpot_ms.expect("a decode phase");
    assert!(simulated > ms, "batch {batch}: a step of {simulated} ms reads its weights in {ms}");
}

#[test]
fn attention_of_a_token_takes_four_operations_a_context_token_head_and_width() {
    let calls = plan::decode(&support::scenario("llama-3.1-70b", H100, &[]), 1000.0).calls;
    let flop = calls.iter().find_map(|call| match &call.kernel {
        Kernel::DecodeAttention(k) => Some(k.flop().get() / 1000.0),
        _ => None,
    });
    assert_eq!(flop, Some(32_768.0));
}

#[test]
fn peaks_are_dense_ones() {
    let peak = |id: &str, math| support::scenario("llama-3-8b", id, &[]).machine.peak(math).get() / 1e12;
    assert_eq!(peak("l40s", MathType::Fp8), 733.0);
    assert!((peak("gh200_96gb", MathType::Bf16) - 989.0).abs() < 1.0);
    let a100 = support::scenario("llama-3-8b", "a100_80gb_sxm", &[]);
    assert_eq!(a100.machine.sheet.fp8, None, "an A100 has no 8-bit float math");
}

#[test]
fn what_fits_is_what_the_engine_may_use() {
    // 72.6 GiB of an 80 GB card: above the engine's share of 0.9, below what the card has.
    let fields = [("batch_size", "56"), ("prompt_len", "8191"), ("gen_len", "1")];
    let scenario = support::scenario("llama-3.1-8b", "a100_80gb_sxm", &fields);
    let Outcome::Infeasible(short) = simulate(&scenario) else { panic!("above the engine's share") };
    assert!(short.needed < short.memory.capacity && short.needed > short.available, "{}", short.needed.gib());
}

#[test]
fn an_alias_means_the_model_it_names() {
    for (alias, vocabulary) in [("meta-llama/Meta-Llama-3.1-70B", 128_256), ("meta-llama/Llama-2-70b-hf", 32_000)] {
        assert_eq!(support::scenario(alias, H100, &[("tensor_parallel", "8")]).model.vocab_size, vocabulary, "{alias}");
    }
}

#[test]
fn a_key_that_nobody_knows_changes_nothing_silently() {
    let typo = SPARSE.replace("experts: 128", "num_local_experts: 128");
    let document = Document::parse("model.yaml", &typo).expect("YAML");
    let error = simllm::spec::ModelSpec::read(&document).expect_err("an unknown key");
    assert!(error.to_string().contains("num_local_experts"), "{error}");
}

/// DeepSeek-V3.2: the sparse attention of each layer is told what to read by 64 index heads of 128, in 8 bit, that score
/// every token before.
#[test]
fn scores_of_an_index_take_their_operations_at_the_rate_of_the_tensor_cores() {
    let index = "v_head_dim: 128, index: {heads: 64, head_dim: 128, top_k: 2048, query_input: 1536}}";
    let model = LATENT.replace("v_head_dim: 128}", index);
    let prompt = 65_536.0;
    let scenario = described(&model, &[("prompt_len", "65536"), ("gen_len", "2"), ("tensor_parallel", "8")]);
    let run = simulate(&scenario).run().expect("it fits").clone();
    let scores: Vec<_> = run.kernels.iter().filter(|row| row.call.name == "index_scores").collect();
    let flop = 2.0 * 64.0 * 128.0 * prompt * (prompt + 1.0) / 2.0;
    let (layer, whole) = (flop / 1979e12, 61.0 * flop / 1979e12);
    let prefill = scores.iter().filter(|row| row.phase == simllm::simulate::PhaseKind::Prefill);
    assert!((17.7e-3..17.9e-3).contains(&layer), "{layer}");
    assert!(prefill.map(|row| row.time.get()).sum::<f64>() >= whole * 0.999);
}

/// Latent attention splits its context by blocks of 256 tokens: the token that opens a split does not pay off.
#[test]
fn a_longer_context_never_makes_a_step_of_latent_attention_faster() {
    for engine in ["vllm@v1", "sglang", "trtllm@v1"] {
        let mut last = 0.0;
        for prompt in [1, 100, 200, 254, 255, 256, 300, 510, 511, 512, 513, 766, 767, 768, 1000, 1023, 1024, 4096] {
            let prompt = prompt.to_string();
            let fields = [("engine", engine), ("tensor_parallel", "8"), ("prompt_len", &prompt), ("gen_len", "2")];
            let outcome = simulate(&described(LATENT, &fields));
            let now = outcome.run().expect("it fits").metrics.tpot_ms.expect("decode");
            assert!(now >= last, "{engine}, {prompt} tokens: {last} then {now}");
            last = now;
        }
    }
}
