//! The command line: arguments in, artifacts out, an exit code. One file a subcommand.

mod args;
mod check;
mod command;
mod compare;
mod convert;
mod exit;
mod index;
mod input;
mod interrupt;
mod list;
mod machines;
mod note;
mod output;
mod profile;
mod report;
mod validate;
mod walk;

pub use args::{Cli, ProfileProgram};
pub use exit::Exit;

use args::Command;

/// Runs `simllm`.
#[must_use]
pub fn run(cli: Cli) -> Exit {
    let done = match cli.command {
        Command::Profile(args) => profile::run(&args),
        Command::Report(args) => report::run(&args),
        Command::Merge(args) => report::merge(&args),
        Command::Index(args) => index::run(&args),
        Command::Compare(args) => compare::run(&args),
        Command::Note(args) => note::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Validate(args) => validate::run(&args),
        Command::Models => list::models(),
        Command::Convert(args) => convert::run(&args),
        Command::Hardware(args) => machines::run(&args),
        Command::Engines => list::engines(),
        Command::Levers => list::levers(),
        Command::Formats => list::formats(),
        Command::Completions { shell } => list::completions(shell),
    };
    exit::conclude(done)
}

/// Runs `simllm-profile`, which is `simllm profile`.
#[must_use]
pub fn run_profile(program: &ProfileProgram) -> Exit {
    exit::conclude(profile::run(&program.args))
}
