//! simllm: where the time of an LLM request goes, before you rent the GPU.
pub mod catalog;
pub mod cli;
pub mod cost;
pub mod diagnose;
pub mod emit;
pub mod import;
pub mod kernel;
pub mod machine;
pub mod plan;
pub mod publish;
pub mod quantity;
pub mod report;
pub mod scenario;
pub mod simulate;
pub mod spec;
pub mod sweep;
mod timeline;
pub mod validate;
