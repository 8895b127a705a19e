//! Runs of a bench tool's file: what the file leaves open is asked for or, where there is a stated default, noted.

use super::ask::{self, Question};
use super::bench::{self, Figure};
use super::compare::{self, Answer, Compared};
use super::context::Context;
use super::parts::Part;
use super::rows::{self, LeftOut};
use crate::import::measured::{Boundary, MeasuredRun};

/// What is said of a file: remarks on what was assumed, and questions, each once.
#[derive(Default)]
pub(super) struct Notes {
    /// Remarks.
    pub said: Vec<String>,
    /// Questions.
    pub asks: Vec<Question>,
}

impl Notes {
    fn add(&mut self, note: &str) {
        if !self.said.iter().any(|known| known == note) {
            self.said.push(note.to_owned());
        }
    }

    fn ask(&mut self, asks: Vec<Question>) {
        self.asks.extend(asks);
        self.asks.sort_unstable();
        self.asks.dedup();
    }
}

/// The figures of a run, compared.
pub(super) fn run(context: &Context, run: &MeasuredRun, name: &str, source: usize, notes: &mut Notes) -> Vec<Compared> {
    let figures = bench::figures(run);
    figures.into_iter().map(|figure| one(context, figure, name, source, notes)).collect()
}

/// What stands in for an engine that a tool's file does not name.
const DEFAULT_ENGINE: &str = "vllm";

fn one(context: &Context, mut figure: Figure, name: &str, source: usize, notes: &mut Notes) -> Compared {
    let answer = match figure.left_out.take() {
        Some(why) => Err(why),
        None => answer(context, &mut figure, notes),
    };
    compare::compared(context, &figure.run, &figure.row, name, source, answer)
}

fn answer(context: &Context, figure: &mut Figure, notes: &mut Notes) -> Result<Answer, LeftOut> {
    let asks = ask::questions(context, &figure.run, figure.needs_output);
    if !asks.is_empty() {
        let options: Vec<&str> = asks.iter().map(|question| question.ask.option()).collect();
        let why = LeftOut(format!("the file does not say enough of the run; give {}", options.join(", ")));
        notes.ask(asks);
        return Err(why);
    }
    assume(context, &figure.run, notes);
    let run = &mut figure.run;
    run.engine.get_or_insert_with(|| DEFAULT_ENGINE.to_owned());
    let mut case = rows::case(context, run, &figure.row)?;
    case.load.varied = figure.varied;
    let answer = compare::answer(case, figure.row.value)?;
    Ok(inside(answer, figure.run.boundary, figure.row.value))
}

/// Notes the defaults that stand in for what neither the file nor the user says.
fn assume(context: &Context, run: &MeasuredRun, notes: &mut Notes) {
    let given = &context.given;
    let local = run.engine.as_deref() == Some("llama.cpp");
    if run.engine.is_none() && given.engine.is_none() {
        notes.add("engine not stated: vllm@v1 is taken; give --engine");
    } else if run.engine_version.is_none() && given.engine.is_none() && !local {
        notes.add("engine version not stated: the newest era is taken; --engine vllm@old names another");
    }
    if run.tensor_parallel.is_none() && given.tensor_parallel.is_none() && !local {
        notes.add("tensor parallel not stated: 1 is taken; give --tensor-parallel");
    }
    if run.dtype.is_none() && given.weights_dtype.is_none() {
        notes.add("weights dtype not stated: the model's own is taken; give --weights-dtype");
    }
}

/// A figure read inside the server holds no client.
fn inside(mut answer: Answer, boundary: Boundary, measured: Option<f64>) -> Answer {
    if boundary == Boundary::Server {
        answer.prediction.parts[Part::Client] = 0.0;
        let (case, prediction) = (answer.case, answer.prediction);
        return compare::judged(*case, prediction, measured.unwrap_or(1.0));
    }
    answer
}
