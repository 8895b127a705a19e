//! Laws that every answer obeys, tried on random scenarios of the catalogue. The seed is fixed: the same scenarios on
//! every run; raise `cases` to search further.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use simllm::catalog;
use simllm::kernel::Kernel;
use simllm::machine::Scale;
use simllm::report::figures::KernelFigures;
use simllm::scenario::Scenario;
use simllm::simulate::{PhaseKind, Run, simulate};
use std::sync::Arc;

mod support;

/// Memory is no subject here: everything fits.
const ROOMY: (&str, &str) = ("hardware.memory.capacity_gib", "1000000");

#[derive(Clone, Debug)]
struct Point {
    model: String,
    hardware: String,
    fields: Vec<(String, String)>,
}

impl Point {
    fn with(&self, path: &str, value: impl ToString) -> Self {
        let mut point = self.clone();
        point.fields.retain(|(name, _)| name != path);
        point.fields.push((path.to_owned(), value.to_string()));
        point
    }

    fn value(&self, path: &str) -> u64 {
        let found = self.fields.iter().find(|(name, _)| name == path);
        found.and_then(|(_, value)| value.parse().ok()).expect("a number that the point sets")
    }

    fn try_scenario(&self) -> Option<Scenario> {
        let fields: Vec<(&str, &str)> =
            self.fields.iter().map(|(path, value)| (path.as_str(), value.as_str())).chain([ROOMY]).collect();
        support::try_scenario(&self.model, &self.hardware, &fields).ok()
    }

    fn scenario(&self) -> Scenario {
        self.try_scenario().expect("a scenario")
    }

    fn run(&self) -> Run {
        run(&self.scenario())
    }
}

fn run(scenario: &Scenario) -> Run {
    simulate(scenario).run().expect("roomy").clone()
}

fn names(all: &[String]) -> impl Strategy<Value = String> + use<> {
    proptest::sample::select(all.to_vec())
}

fn points() -> impl Strategy<Value = Point> {
    let models: Vec<String> = catalog::models().iter().map(|m| m.model_name.clone()).collect();
    let machines: Vec<String> = catalog::machines().iter().map(|m| m.id.clone()).collect();
    let size = |log: std::ops::Range<f64>| log.prop_map(|exponent: f64| exponent.exp2().round() as u64);
    let choice = |values: &'static [&'static str]| proptest::sample::select(values);
    let workload = (size(0.0..7.0), size(0.0..13.0), size(1.0..9.0));
    let storage = (
        choice(&["bf16", "fp8", "int8", "int8_w8a8", "int4"]),
        choice(&["bf16", "fp8", "int8", "int4"]),
        choice(&["1", "2", "4", "8"]),
    );
    let switches = (
        choice(&["vllm@v1", "vllm@old", "sglang", "trtllm@v1", "ideal"]),
        choice(&["greedy", "top_k", "top_p"]),
        choice(&["device", "host_pinned", "host_pageable", "host_mapped"]),
        choice(&["true", "false"]),
    );
    (names(&models), names(&machines), workload, storage, switches)
        .prop_map(
            |(model, hardware, (batch, prompt, tokens), (weights, kv, ranks), (engine, sampler, table, graphs))| {
                let fields = [
                    ("batch_size", batch.to_string()),
                    ("prompt_len", prompt.to_string()),
                    ("gen_len", tokens.to_string()),
                    ("weights_dtype", weights.to_owned()),
                    ("kv_dtype", kv.to_owned()),
                    ("tensor_parallel", ranks.to_owned()),
                    ("engine", engine.to_owned()),
                    ("sampler", sampler.to_owned()),
                    ("embedding_placement", table.to_owned()),
                    ("cuda_graphs", graphs.to_owned()),
                ];
                Point { model, hardware, fields: fields.map(|(path, value)| (path.to_owned(), value)).into() }
            },
        )
        .prop_filter("ranks split the heads", |point| point.try_scenario().is_some())
}

/// The headline times that exist.
fn times(run: &Run) -> Vec<f64> {
    [run.metrics.ttft_ms, run.metrics.tpot_ms, run.metrics.e2e_ms].into_iter().flatten().collect()
}

fn never_slower(better: &Run, worse: &Run, slack: f64) -> Result<(), TestCaseError> {
    for (b, w) in times(better).into_iter().zip(times(worse)) {
        prop_assert!(b <= w * (1.0 + slack), "{b} against {w}");
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, failure_persistence: None, rng_seed: RngSeed::Fixed(20_261_130), ..ProptestConfig::default() })]

    #[test]
    fn children_add_up_to_their_parents(point in points()) {
        let run = point.run();
        let (ttft, tpot) = (run.ttft.expect("prefill"), run.tpot.expect("decode"));
        prop_assert!(ttft.adds_up() && tpot.adds_up());
        prop_assert_eq!(run.metrics.ttft_ms, Some(ttft.ms));
        prop_assert_eq!(run.metrics.tpot_ms, Some(tpot.ms));
        let tokens = point.value("gen_len") as f64;
        prop_assert_eq!(run.metrics.e2e_ms, Some(ttft.ms + (tokens - 1.0) * tpot.ms));
        prop_assert!(ttft.children.len() == 8 && ttft.children.iter().all(|stage| !stage.children.is_empty()));
        prop_assert!(tpot.children.len() == 8 && tpot.children.iter().all(|stage| !stage.children.is_empty()));
    }

    #[test]
    fn every_figure_is_finite_and_in_range(point in points()) {
        let scenario = point.scenario();
        let run = run(&scenario);
        prop_assert!(times(&run).into_iter().all(|ms| ms.is_finite() && ms > 0.0));
        for row in &run.kernels {
            let figures = KernelFigures::new(row, &scenario.machine);
            let shares = [
                row.cost.l2_hit,
                row.cost.wave_efficiency,
                row.cost.occupancy.map(|o| o.achieved),
                row.cost.occupancy.map(|o| o.theoretical),
            ];
            prop_assert!(shares.into_iter().flatten().all(|s| (0.0..=1.0).contains(&s)), "{row:?}");
            prop_assert!(row.time.get() >= 0.0 && row.cost.dram_bytes.get().is_finite());
            prop_assert!(figures.peak_share.is_none_or(|s| s <= 1.0 + 1e-9), "{row:?} {figures:?}");
        }
    }

    #[test]
    fn no_matrix_kernel_beats_the_data_sheet(point in points()) {
        let scenario = point.scenario();
        for row in run(&scenario).kernels {
            let kernel = &row.call.kernel;
            if matches!(kernel, Kernel::Linear(_) | Kernel::PrefillAttention(_)) {
                let math = row.cost.math.expect("a tensor path");
                let compute = kernel.flop() / scenario.machine.peak(math);
                let memory = kernel.unique_bytes() / scenario.machine.sheet.bandwidth;
                prop_assert!(row.cost.time.get() >= compute.get().max(memory.get()) * (1.0 - 1e-12), "{row:?}");
            }
        }
    }

    #[test]
    fn a_step_is_no_shorter_than_its_bytes_over_the_bandwidth(point in points()) {
        let scenario = point.scenario();
        let run = run(&scenario);
        let prompt = point.value("prompt_len") as f64;
        let model = &scenario.model;
        let batch = point.value("batch_size") as f64;
        let weights = model.step_weight_bytes(batch) / scenario.ranks();
        let kv = scenario.kv_cache().sequence_bytes(prompt + 1.0) * batch;
        let floor = (weights + kv) / scenario.machine.sheet.bandwidth.get() * 1e3;
        prop_assert!(run.metrics.tpot_ms.expect("decode") >= floor * (1.0 - 1e-12));
    }

    #[test]
    fn faster_hardware_is_never_slower(point in points(), factor in 1.0..4.0f64) {
        let scenario = point.scenario();
        let base = run(&scenario);
        let scales = [
            Scale::bandwidth(factor),
            Scale::compute(factor),
            Scale::pcie(factor),
            Scale { l2: factor, ..Scale::NONE },
            Scale { link: factor, ..Scale::NONE },
        ];
        for scale in scales {
            let mut changed = scenario.clone();
            changed.machine = Arc::new(scenario.machine.scaled(&scale));
            never_slower(&run(&changed), &base, 1e-9)?;
        }
    }

    #[test]
    fn a_longer_context_never_makes_a_step_faster(point in points(), more in 1u64..4096) {
        let short = point.run();
        let long = point.with("prompt_len", point.value("prompt_len") + more).run();
        let (short, long) = (short.metrics.tpot_ms.expect("decode"), long.metrics.tpot_ms.expect("decode"));
        prop_assert!(long >= short * 0.999, "{short} then {long}");
    }

    #[test]
    fn a_longer_prompt_never_makes_the_first_token_faster(point in points(), more in 1u64..4096) {
        let point = point.with("batch_size", 1);
        let short = point.run().metrics.ttft_ms.expect("prefill");
        let long = point.with("prompt_len", point.value("prompt_len") + more).run().metrics.ttft_ms.expect("prefill");
        prop_assert!(long >= short * 0.999, "{short} then {long}");
    }

    #[test]
    fn a_larger_batch_never_makes_a_step_faster(point in points(), more in 1u64..64) {
        let small = point.run().metrics.tpot_ms.expect("decode");
        let large = point.with("batch_size", point.value("batch_size") + more).run().metrics.tpot_ms.expect("decode");
        prop_assert!(large >= small * 0.999, "{small} then {large}");
    }

    #[test]
    fn fewer_bits_never_move_more_bytes(point in points()) {
        let moved = |point: &Point| {
            let rows = point.run().kernels;
            rows.iter().filter(|row| row.phase == PhaseKind::Decode).map(|row| row.call.kernel.unique_bytes().get() * row.call.calls).sum::<f64>()
        };
        let weights = |dtype| moved(&point.with("weights_dtype", dtype));
        // Among types with the same activations.
        for (wide, narrow) in [("bf16", "int8"), ("int8", "int4"), ("bf16", "fp8"), ("bf16", "int8_w8a8")] {
            prop_assert!(weights(narrow) <= weights(wide), "{wide} then {narrow}");
        }
        let kv = ["bf16", "fp8", "int8", "int4"].map(|dtype| moved(&point.with("kv_dtype", dtype)));
        prop_assert!(kv.windows(2).all(|w| w[1] <= w[0]), "{kv:?}");
    }

    #[test]
    fn one_rank_has_no_collective(point in points()) {
        let run = point.with("tensor_parallel", 1).run();
        prop_assert!(!run.kernels.iter().any(|row| matches!(row.call.kernel, Kernel::AllReduce(_))));
    }

    #[test]
    fn a_pipeline_holds_less_and_never_prefills_slower_than_its_hops(point in points()) {
        let flat = point.run();
        let Some(scenario) = point.with("pipeline_parallel", 2).try_scenario() else { return Ok(()) };
        let piped = run(&scenario);
        prop_assert!(piped.memory.weights.get() <= flat.memory.weights.get());
        let hop = |run: &Run| -> f64 {
            run.kernels.iter().filter(|row| matches!(row.call.kernel, Kernel::Send(_))).map(|row| row.time.ms()).sum()
        };
        if let (Some(flat), Some(pipe)) = (flat.metrics.ttft_ms, piped.metrics.ttft_ms) {
            let steps = scenario.deployment.engine.prefill_step_host.ms();
            prop_assert!(pipe <= (flat + hop(&piped) + steps) * 1.25, "{pipe} against {flat}");
        }
        prop_assert!(hop(&flat) == 0.0 && hop(&piped) > 0.0);
    }

    #[test]
    fn switching_graphs_off_or_the_table_to_the_host_never_helps(point in points()) {
        let base = point.with("cuda_graphs", "true").with("embedding_placement", "device").run();
        never_slower(&base, &point.with("cuda_graphs", "false").with("embedding_placement", "device").run(), 1e-12)?;
        never_slower(&base, &point.with("cuda_graphs", "true").with("embedding_placement", "host_pinned").run(), 1e-12)?;
        let pinned = point.with("embedding_placement", "host_pinned").run();
        never_slower(&pinned, &point.with("embedding_placement", "host_pageable").run(), 1e-12)?;
    }

    #[test]
    fn the_same_scenario_gives_the_same_bits(point in points()) {
        let (a, b) = (point.run(), point.run());
        prop_assert_eq!(a.metrics, b.metrics);
        prop_assert_eq!(a.ttft, b.ttft);
        prop_assert_eq!(a.series, b.series);
    }
}

#[test]
fn adding_a_request_never_lowers_the_throughput_of_a_step_beyond_a_tile_step() {
    for hardware in catalog::machines() {
        let point = |batch: u64| Point {
            model: "llama-3-8b".to_owned(),
            hardware: hardware.id.clone(),
            fields: [("batch_size", batch), ("prompt_len", 1000), ("gen_len", 2)]
                .map(|(path, value)| (path.to_owned(), value.to_string()))
                .into(),
        };
        let mut last = 0.0f64;
        for batch in 1..=96u64 {
            let rate = batch as f64 / point(batch).run().metrics.tpot_ms.expect("decode");
            // A batch that opens another row of tiles, at 17, 33, 65 …, pays for the whole row: at most twice the time.
            let opens_a_row = batch > 1 && (batch - 1).is_multiple_of(16);
            let least = if opens_a_row { 0.5 } else { 1.0 };
            assert!(rate >= last * least, "{} at batch {batch}: {last} then {rate}", hardware.id);
            last = rate;
        }
    }
}

#[test]
fn eight_ranks_prefill_a_large_prompt_no_slower_than_four_over_nvlink() {
    for hardware in ["a100_80gb_sxm", "h100_80gb_sxm", "h200_sxm", "b200_sxm"] {
        for model in ["llama-3-8b", "llama-3-70b", "qwen2.5-72b"] {
            let ttft = |ranks: u64| {
                let fields = [("prompt_len", 8192), ("gen_len", 1), ("tensor_parallel", ranks)];
                let fields = fields.map(|(path, value)| (path.to_owned(), value.to_string())).into();
                let point = Point { model: model.to_owned(), hardware: hardware.to_owned(), fields };
                point.run().metrics.ttft_ms.expect("prefill")
            };
            assert!(ttft(8) <= ttft(4), "{model} on {hardware}: {} then {}", ttft(4), ttft(8));
        }
    }
}

#[test]
fn operations_equal_the_hand_formula() {
    let point = Point {
        model: "llama-3-8b".to_owned(),
        hardware: "h100_80gb_sxm".to_owned(),
        fields: vec![("prompt_len".to_owned(), "2048".to_owned())],
    };
    let scenario = point.scenario();
    let rows = run(&scenario).kernels;
    let flop = |wanted: fn(&Kernel) -> bool| -> f64 {
        let own = rows.iter().filter(|row| row.phase == PhaseKind::Prefill && wanted(&row.call.kernel));
        own.map(|row| row.cost.flop.get() * row.call.calls).sum()
    };
    // Two operations a weight and token; the LM head sees the last token only.
    let linear = 2.0 * scenario.model.matrix_parameters_per_token() * 2048.0 + 2.0 * 128_256.0 * 4096.0;
    assert_eq!(flop(|k| matches!(k, Kernel::Linear(_))), linear);
    // 4·heads·width for each pair of tokens of the causal triangle.
    let attention = 32.0 * 4.0 * 32.0 * 128.0 * (2048.0 * 2049.0 / 2.0);
    assert_eq!(flop(|k| matches!(k, Kernel::PrefillAttention(_))), attention);
}

#[test]
fn the_smallest_and_oddest_scenarios_are_finite() {
    for model in catalog::models() {
        let base = Point { model: model.model_name.clone(), hardware: "h100_80gb_sxm".to_owned(), fields: Vec::new() };
        let smallest = [("prompt_len", "1"), ("gen_len", "1"), ("batch_size", "1"), ("model.architecture.layers", "1")];
        // A model in layer groups counts its layers there.
        let given = if model.architecture.is_short_form() { 4 } else { 3 };
        for (path, value) in smallest.into_iter().take(given) {
            let run = base.with(path, value).run();
            assert!(times(&run).iter().all(|ms| ms.is_finite() && *ms > 0.0));
        }
        let single = base.with("gen_len", 1).run();
        assert_eq!(single.metrics.tpot_ms, None);
        assert_eq!(single.metrics.e2e_ms, single.metrics.ttft_ms);
    }
}

#[test]
fn one_request_takes_a_pipeline_as_long_as_one_device_and_its_hops() {
    let at = |stages: u64| {
        let fields = [("pipeline_parallel", stages), ("prompt_len", 1024), ("gen_len", 64)];
        let fields = fields.map(|(path, value)| (path.to_owned(), value.to_string())).into();
        Point { model: "llama-3-70b".to_owned(), hardware: "h100_80gb_sxm".to_owned(), fields }.run()
    };
    let (one, four) = (at(1), at(4));
    let hops = |phase: PhaseKind| -> f64 {
        let sends = four.kernels.iter().filter(|row| row.phase == phase && matches!(row.call.kernel, Kernel::Send(_)));
        sends.map(|row| row.time.ms()).sum()
    };
    let same = |a: Option<f64>, b: Option<f64>, hops: f64| {
        let (a, b) = (a.expect("a time"), b.expect("a time"));
        assert!((a - b - hops).abs() < 1e-6, "{a} against {b} + {hops}");
    };
    same(four.metrics.ttft_ms, one.metrics.ttft_ms, hops(PhaseKind::Prefill));
    let (slow, fast) = (four.metrics.tpot_ms.expect("a step"), one.metrics.tpot_ms.expect("a step"));
    let hop = hops(PhaseKind::Decode);
    assert!(slow > fast && slow - fast < 1.001 * hop, "{slow} against {fast} + {hop}");
}

#[test]
fn a_sum_over_boxes_takes_longer_than_within_one() {
    use simllm::cost::collective;
    use simllm::kernel::AllReduce;
    let scenario = support::scenario("llama-3-70b", "h100_80gb_sxm", &[]);
    let costs = &scenario.machine.costs.collective;
    let mut last = 0.0;
    for ranks in [2.0, 4.0, 8.0, 16.0, 32.0] {
        let time = collective::all_reduce(&AllReduce { ranks, bytes: 64e6 }, costs).us();
        assert!(time > last, "{ranks} ranks: {time} after {last}");
        last = time;
    }
}

#[test]
fn a_prompt_or_batch_that_opens_another_step_never_prefills_a_pipeline_faster() {
    let ttft = |batch: u64, prompt: u64, stages: u64| {
        let fields = [("batch_size", batch), ("prompt_len", prompt), ("gen_len", 1), ("pipeline_parallel", stages)];
        let fields = fields.map(|(path, value)| (path.to_owned(), value.to_string())).into();
        let point = Point { model: "llama-3-70b".to_owned(), hardware: "h100_80gb_sxm".to_owned(), fields };
        point.run().metrics.ttft_ms.expect("prefill")
    };
    for stages in [2, 4, 8] {
        for prompt in [8192, 16384, 32768] {
            let (base, more) = (ttft(1, prompt, stages), ttft(1, prompt + 1, stages));
            assert!(more >= base, "{stages} stages, {prompt} tokens: {base}, one more: {more}");
        }
        // The last two: prompts of fewer tokens than a micro-step is worth, which together open one more.
        for (batch, prompt) in [(32, 1024), (64, 1024), (10, 100), (16, 64)] {
            let (base, more) = (ttft(batch, prompt, stages), ttft(batch + 1, prompt, stages));
            assert!(more >= base, "{stages} stages, {batch} prompts of {prompt}: {base}, one more: {more}");
        }
    }
}
