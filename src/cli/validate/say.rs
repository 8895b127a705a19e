//! What is said on standard error: files that cannot be used, and what files do not say.

use super::args::ValidateArgs;
use crate::cli::command::quote;
use crate::cli::exit::{Exit, Failure};
use crate::import::measured::Status;
use crate::publish::printable;
use crate::validate::{Ask, Source, Validation};

/// Says it, and how the command ends.
pub(super) fn faults(args: &ValidateArgs, validation: &Validation) -> Exit {
    let faults = validation.sources.iter().zip(&args.files).filter_map(|(source, path)| {
        let file = path.display().to_string();
        match source.status {
            Status::Refuse => Some(refused(source)),
            _ if !source.asks.is_empty() => Some(question(source, &file)),
            _ => None,
        }
    });
    let mut exit = Exit::Done;
    for fault in faults {
        fault.print();
        exit = Exit::Input;
    }
    exit
}

fn refused(source: &Source) -> Failure {
    Failure::Input(source.messages.join("\n"))
}

fn question(source: &Source, file: &str) -> Failure {
    let mut lines = vec![format!("{file}: the file does not say what a prediction needs")];
    lines.extend(source.asks.iter().map(|ask| format!("  {}: give {}", meaning(*ask), ask.option())));
    let options: Vec<String> = source.asks.iter().map(|ask| format!("{} {}", ask.option(), ask.example())).collect();
    lines.push(format!("help: as simllm validate {} {}", quote(&printable(file)), options.join(" ")));
    Failure::Input(lines.join("\n"))
}

/// What is asked for, in words.
const fn meaning(ask: Ask) -> &'static str {
    match ask {
        Ask::Hardware => "the GPU it ran on",
        Ask::Model => "the model, by a name that is known",
        Ask::WeightsDtype => "the dtype of the weights",
        Ask::TensorParallel => "the GPUs that share each layer (1 is taken where nothing is said)",
        Ask::Engine => "the engine (vllm@v1 is taken where nothing is said)",
        Ask::BatchSize => "the requests in flight, or the batch",
        Ask::PromptLen => "the prompt tokens of a request",
        Ask::GenLen => "the output tokens of a request",
    }
}
