//! Two results held against each other: figure by figure, input by input, stage by stage, kernel by kernel.
//!
//! Changes of the parts of a stage add up to the change of the stage, and those of the stages to the change of the
//! whole, because they do so on either side.

mod kernels;
mod parts;
mod points;
mod side;
mod tell;

use serde::Serialize;
use serde_json::{Map, Value};

use super::SCHEMA_VERSION;
pub use kernels::KernelChange;
pub use parts::{Alone, FigureChange, InputChange, StageChange};
pub use points::PointChanges;
pub use side::{CauseOf, Range, Side, SingleSide, SweepSide, flat_inputs, read_side};
pub use tell::{tell, tell_points};

/// What became of one scenario.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs, reason = "keys say what they are; RESULTS.md documents the format")]
pub struct Comparison {
    pub schema_version: u32,
    pub kind: &'static str,
    pub before: SideName,
    pub after: SideName,
    pub figures: Vec<FigureChange>,
    pub inputs: Vec<InputChange>,
    /// Why no input was changed alone, where none was.
    pub inputs_note: Option<String>,
    pub ttft: Vec<StageChange>,
    pub tpot: Vec<StageChange>,
    pub kernels: Vec<KernelChange>,
    pub memory: Vec<FigureChange>,
    pub bottlenecks: Bottlenecks,
}

/// Which result, and what it is about.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs, reason = "keys say what they are")]
pub struct SideName {
    pub file: String,
    pub model: String,
    pub hardware: String,
    pub version: String,
    pub feasible: bool,
}

/// Levers that would help most, the largest gain first.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs, reason = "keys say what they are")]
pub struct Bottlenecks {
    pub before: Vec<String>,
    pub after: Vec<String>,
}

impl Comparison {
    /// Of two results, each with the name of its file.
    #[must_use]
    pub fn new(before: (&str, &SingleSide), after: (&str, &SingleSide)) -> Self {
        let (a, b) = (before.1, after.1);
        let levers = |side: &SingleSide| side.bottlenecks.iter().map(|cause| cause.lever.clone()).collect();
        Self {
            schema_version: SCHEMA_VERSION,
            kind: "comparison",
            before: SideName::new(before.0, a),
            after: SideName::new(after.0, b),
            figures: parts::figures(&a.metrics, &b.metrics, &a.bands, &b.bands),
            inputs: parts::inputs(&flat_inputs(&a.inputs), &flat_inputs(&b.inputs)),
            inputs_note: None,
            ttft: parts::stages(a.ttft.as_ref(), b.ttft.as_ref()),
            tpot: parts::stages(a.tpot.as_ref(), b.tpot.as_ref()),
            kernels: kernels::changes(&a.kernels, &b.kernels),
            memory: parts::figures(&a.memory, &b.memory, &Default::default(), &Default::default()),
            bottlenecks: Bottlenecks { before: levers(a), after: levers(b) },
        }
    }
}

impl SideName {
    fn new(file: &str, side: &SingleSide) -> Self {
        Self {
            file: file.to_owned(),
            model: text_of(&side.inputs, "model"),
            hardware: text_of(&side.inputs, "hardware"),
            version: side.tool.version.clone(),
            feasible: side.feasible,
        }
    }
}

fn text_of(inputs: &Map<String, Value>, key: &str) -> String {
    inputs.get(key).map(plain).unwrap_or_default()
}

/// A value as one writes it.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}
