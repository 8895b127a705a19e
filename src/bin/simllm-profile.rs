//! `simllm-profile`: the main job under its own name.

use std::process::ExitCode;

use clap::Parser;
use simllm::cli::{self, ProfileProgram};

fn main() -> ExitCode {
    cli::run_profile(&ProfileProgram::parse()).into()
}
