//! GGUF metadata.
#![no_main]

use libfuzzer_sys::fuzz_target;
use simllm::import::{GgufPart, import_gguf, profile_yaml};
use simllm::spec::{Document, ModelSpec};

fuzz_target!(|bytes: &[u8]| {
    let part = GgufPart { name: "x.gguf", bytes, size: bytes.len() as u64 };
    if let Ok(imported) = import_gguf(part, &[]) {
        let document = Document::parse("model.yaml", &profile_yaml(&imported)).expect("what is written reads back");
        ModelSpec::read(&document).expect("what is written is a profile");
    }
});
