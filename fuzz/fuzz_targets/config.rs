//! A model's config.json: whatever it holds, the import ends, and what it accepts can be simulated.
#![no_main]

use libfuzzer_sys::fuzz_target;
use simllm::import::{import_config, profile_yaml};
use simllm::scenario::{InputDocuments, resolve};
use simllm::simulate::simulate;
use simllm::spec::Document;

fuzz_target!(|text: &str| {
    let Ok(imported) = import_config("config.json", text, None) else { return };
    let model = Document::parse("model.yaml", &profile_yaml(&imported)).expect("what is written reads back");
    let hardware = Document::parse("h.yaml", include_str!("../../hardware/h100_80gb_sxm.yaml")).expect("built in");
    let inputs = InputDocuments::new(model, hardware).read().expect("what is written is a profile");
    if let Ok(resolved) = resolve(&inputs)
        && let Some(run) = simulate(&resolved.scenario).run()
    {
        let times = [run.metrics.ttft_ms, run.metrics.tpot_ms];
        assert!(times.into_iter().flatten().all(|ms| ms.is_finite() && ms >= 0.0));
    }
});
