//! simllm: where the time of an LLM request goes, before you rent the GPU.
pub mod catalog;
pub mod cost;
pub mod import;
pub mod kernel;
pub mod machine;
pub mod quantity;
pub mod spec;
