//! `simllm`: parse, run, exit code.

use std::process::ExitCode;

use clap::Parser;
use simllm::cli::{self, Cli};

fn main() -> ExitCode {
    cli::run(Cli::parse()).into()
}
