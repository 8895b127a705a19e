//! simllm: where the time of an LLM request goes, before you rent the GPU.
pub mod emit;
pub mod quantity;
pub mod report;
