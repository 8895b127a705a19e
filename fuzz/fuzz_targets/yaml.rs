//! Profiles, machines and declared reports in YAML.
#![no_main]

use libfuzzer_sys::fuzz_target;
use simllm::spec::{DeclaredSpec, Document, HardwareSpec, ModelSpec, RequestSpec};
use simllm::sweep::Matrix;

fuzz_target!(|text: &str| {
    let Ok(document) = Document::parse("x.yaml", text) else { return };
    let _ = ModelSpec::read(&document).map_err(|error| error.to_string());
    let _ = HardwareSpec::read(&document).map_err(|error| error.to_string());
    let _ = RequestSpec::read(&document).map_err(|error| error.to_string());
    if let Ok(spec) = DeclaredSpec::read(&document)
        && let Ok(matrix) = Matrix::new(&spec, 1000)
    {
        assert!(matrix.points().count() as u64 <= 1000);
    }
});
