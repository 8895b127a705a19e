//! What is said on standard error: files that cannot be used, and what files do not say.

use super::args::ValidateArgs;
use crate::cli::command::quote;
use crate::cli::exit::{Exit, Failure};
use crate::import::measured::Status;
use crate::publish::{printable, to_stderr};
use crate::validate::{Ask, Question, Source, Validation};

/// Says it, and how the command ends.
pub(super) fn faults(args: &ValidateArgs, validation: &Validation) -> Exit {
    let mut exit = Exit::Done;
    for (source, path) in validation.sources.iter().zip(&args.files) {
        if let Some(fault) = fault(source, &path.display().to_string()) {
            fault.print();
            exit = Exit::Input;
        }
    }
    exit
}

fn fault(source: &Source, file: &str) -> Option<Failure> {
    if source.status == Status::Refuse {
        return Some(Failure::Input(source.messages.join("\n")));
    }
    if source.asks.is_empty() && source.rows > 0 {
        return None;
    }
    for message in &source.messages {
        to_stderr(&format!("note: {message}"));
    }
    let nothing = || format!("{file}: no figure in it can be compared\nhelp: give a file with TTFT, TPOT or e2e times");
    Some(if source.asks.is_empty() { Failure::Input(nothing()) } else { question(source, file) })
}

fn question(source: &Source, file: &str) -> Failure {
    let mut lines = vec![format!("{file}: the file does not say what a prediction needs")];
    let mut options: Vec<String> = Vec::new();
    for Question { ask, unknown } in &source.asks {
        let unknown = unknown.as_ref().map_or_else(String::new, |name| format!(", `{name}` is not known"));
        lines.push(format!("  {}{unknown}: give {}", meaning(*ask), ask.option()));
        options.push(format!("{} {}", ask.option(), ask.example()));
    }
    options.dedup();
    lines.push(format!("help: as simllm validate {} {}", quote(&printable(file)), options.join(" ")));
    Failure::Input(lines.join("\n"))
}

/// What is asked for, in words.
const fn meaning(ask: Ask) -> &'static str {
    match ask {
        Ask::Hardware => "the GPU it ran on",
        Ask::Model => "the model",
        Ask::WeightsDtype => "the dtype of the weights",
        Ask::TensorParallel => "the GPUs that share each layer (1 is taken where nothing is said)",
        Ask::Engine => "the engine (vllm@v1 is taken where nothing is said)",
        Ask::BatchSize => "the requests in flight, or the batch",
        Ask::PromptLen => "the prompt tokens of a request",
        Ask::GenLen => "the output tokens of a request",
    }
}
