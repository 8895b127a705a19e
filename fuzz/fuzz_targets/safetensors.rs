//! safetensors headers and indices.
#![no_main]

use libfuzzer_sys::fuzz_target;
use simllm::import::{SafetensorsPart, import_safetensors, profile_yaml, read_index};
use simllm::spec::{Document, ModelSpec};

fuzz_target!(|bytes: &[u8]| {
    let part = SafetensorsPart { name: "x.safetensors", bytes, size: bytes.len() as u64 };
    if let Ok(imported) = import_safetensors(None, None, &[part]) {
        let document = Document::parse("model.yaml", &profile_yaml(&imported)).expect("what is written reads back");
        ModelSpec::read(&document).expect("what is written is a profile");
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        let _ = read_index("x.json", text);
    }
});
