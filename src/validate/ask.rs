//! What a bench tool's file does not say of the run, as a question to the user: the option that answers it.

use super::context::{Context, machine_id};
use crate::catalog;
use crate::import::measured::MeasuredRun;

/// Something that a comparison needs and a file leaves open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ask {
    /// The machine.
    Hardware,
    /// The model.
    Model,
    /// Storage of the weights.
    WeightsDtype,
    /// Devices that share each layer.
    TensorParallel,
    /// The engine.
    Engine,
    /// Requests in flight.
    BatchSize,
    /// Prompt tokens.
    PromptLen,
    /// Output tokens.
    GenLen,
}

impl Ask {
    /// Every question with its option and an answer as an example.
    const ALL: [(Self, &'static str, &'static str); 8] = [
        (Self::Hardware, "--hardware", "h100_80gb_sxm"),
        (Self::Model, "--model", "llama-3-8b"),
        (Self::WeightsDtype, "--weights-dtype", "bf16"),
        (Self::TensorParallel, "--tensor-parallel", "1"),
        (Self::Engine, "--engine", "vllm@v1"),
        (Self::BatchSize, "--batch-size", "1"),
        (Self::PromptLen, "--prompt-len", "512"),
        (Self::GenLen, "--gen-len", "128"),
    ];

    /// The option that answers it.
    #[must_use]
    pub const fn option(self) -> &'static str {
        Self::ALL[self as usize].1
    }

    /// An answer as an example.
    #[must_use]
    pub const fn example(self) -> &'static str {
        Self::ALL[self as usize].2
    }

    /// Whether nothing can be compared without it. The others have a stated default.
    const fn is_needed(self) -> bool {
        !matches!(self, Self::TensorParallel | Self::Engine)
    }
}

/// A question about a run.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Question {
    /// What is asked.
    pub ask: Ask,
    /// The name that the run gives and nobody knows.
    pub unknown: Option<String>,
}

/// What a run does not say and no option does: everything, once something without which nothing can be compared is
/// among it; else nothing.
pub(super) fn questions(context: &Context, run: &MeasuredRun, needs_output: bool) -> Vec<Question> {
    let given = &context.given;
    let named = |name: &Option<String>| name.as_deref().and_then(machine_id).is_some();
    // A model of the user's has a storage type of its own.
    let dtype = run.dtype.is_some() || given.weights_dtype.is_some() || context.has_model();
    let local = run.engine.as_deref().is_some_and(|engine| catalog::local_engine(engine, "").is_some());
    let said = [
        context.has_hardware() || named(&run.hardware),
        context.model(run.model.as_deref()).is_some(),
        dtype,
        run.tensor_parallel.or(given.tensor_parallel).is_some() || local,
        run.engine.is_some() || given.engine.is_some(),
        run.concurrency.or(given.batch_size).is_some(),
        run.prompt_len_mean.or(given.prompt_len).is_some(),
        !needs_output || run.gen_len_mean.or(given.gen_len).is_some(),
    ];
    let unknown = |ask| match ask {
        Ask::Hardware => run.hardware.clone(),
        Ask::Model => run.model.clone(),
        _ => None,
    };
    let open = Ask::ALL.iter().zip(said).filter(|(_, said)| !said).map(|((ask, ..), _)| *ask);
    let open: Vec<Question> = open.map(|ask| Question { ask, unknown: unknown(ask) }).collect();
    if open.iter().any(|question| question.ask.is_needed()) { open } else { Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_stand_in_their_order_and_only_what_is_needed_stops() {
        for (index, (ask, ..)) in Ask::ALL.iter().enumerate() {
            assert_eq!(*ask as usize, index);
        }
        let mut run = MeasuredRun { concurrency: Some(1.0), prompt_len_mean: Some(8.0), ..MeasuredRun::default() };
        run.gen_len_mean = Some(8.0);
        run.model = Some("meta-llama/Meta-Llama-3-8B".to_owned());
        run.dtype = Some("bf16".to_owned());
        let context = Context::default();
        let asks = |run: &MeasuredRun| questions(&context, run, true).into_iter().map(|q| q.ask).collect::<Vec<_>>();
        assert_eq!(asks(&run), [Ask::Hardware, Ask::TensorParallel, Ask::Engine]);
        run.hardware = Some("Some Accelerator".to_owned());
        assert_eq!(questions(&context, &run, true)[0].unknown, run.hardware);
        run.engine = Some("llama.cpp".to_owned());
        assert_eq!(asks(&run), [Ask::Hardware]);
        run.hardware = Some("NVIDIA H200".to_owned());
        assert_eq!(asks(&run), []);
    }
}
