//! A point as the page shows it: its place on the axes, its figures, how it stands.

use super::round::Short;
use crate::diagnose::Metric;
use crate::quantity::format::{ABSENT, number};
use crate::report::text::{Label, Text};
use crate::report::view::{Mark, Tone};
use crate::sweep::{PointFigures, PointOutcome, PointResult};

/// A figure that a map can show and a table can list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::report::sweep) enum Figure {
    Ttft,
    Tpot,
    Speed,
    SpeedPerGpu,
    Memory,
}

impl Figure {
    pub(in crate::report::sweep) const ALL: [Self; 5] =
        [Self::Ttft, Self::Tpot, Self::Speed, Self::SpeedPerGpu, Self::Memory];

    /// Its key in the data and in deep links.
    pub(in crate::report::sweep) const fn key(self) -> &'static str {
        match self {
            Self::Ttft => "t",
            Self::Tpot => "o",
            Self::Speed => "s",
            Self::SpeedPerGpu => "g",
            Self::Memory => "m",
        }
    }

    /// Its unit.
    pub(in crate::report::sweep) const fn unit(self, text: &Text) -> Label {
        match self {
            Self::Ttft | Self::Tpot => "ms",
            Self::Speed => "tok/s",
            Self::SpeedPerGpu => text.sweep.per_gpu,
            Self::Memory => "GiB",
        }
    }

    /// What it is called: `TTFT`.
    pub(in crate::report::sweep) const fn name(self, text: &Text) -> Label {
        match self {
            Self::Ttft => "TTFT",
            Self::Tpot => "TPOT",
            Self::Speed => "tok/s",
            Self::SpeedPerGpu => text.sweep.per_gpu,
            Self::Memory => text.sweep.memory,
        }
    }

    /// Name and unit: `TTFT, ms`.
    pub(in crate::report::sweep) fn title(self, text: &Text) -> String {
        match self {
            Self::Speed | Self::SpeedPerGpu => self.name(text).to_owned(),
            Self::Ttft | Self::Tpot | Self::Memory => {
                format!("{}{}{}", self.name(text), text.frame.comma, self.unit(text))
            }
        }
    }

    /// Whether more of it is better.
    pub(in crate::report::sweep) const fn more_is_better(self) -> bool {
        matches!(self, Self::Speed | Self::SpeedPerGpu)
    }

    fn of(self, outcome: &PointOutcome) -> Option<f64> {
        match (outcome, self) {
            (PointOutcome::Ran(figures), _) => self.of_run(figures),
            (PointOutcome::DoesNotFit(short), Self::Memory) => Some(short.needed / GIB),
            (PointOutcome::DoesNotFit(_) | PointOutcome::Invalid(_), _) => None,
        }
    }

    fn of_run(self, figures: &PointFigures) -> Option<f64> {
        match self {
            Self::Ttft => figures.metrics.ttft_ms,
            Self::Tpot => figures.metrics.tpot_ms,
            Self::Speed => figures.metrics.output_tokens_per_s,
            Self::SpeedPerGpu => figures.tokens_per_gpu(),
            Self::Memory => Some(figures.memory_needed / GIB),
        }
    }
}

/// Bytes of a GiB.
const GIB: f64 = (1u64 << 30) as f64;

/// How a point stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::report::sweep) enum Standing {
    /// Meets its targets, error bands included.
    Meets,
    /// Meets its targets, but an error band crosses one.
    AtRisk,
    /// Runs, and has no target.
    Runs,
    /// Misses a target.
    Misses,
    /// Does not fit.
    DoesNotFit,
    /// Is no scenario.
    Invalid,
}

impl Standing {
    pub(in crate::report::sweep) const ALL: [Self; 6] =
        [Self::Meets, Self::AtRisk, Self::Runs, Self::Misses, Self::DoesNotFit, Self::Invalid];

    fn of(point: &PointResult) -> Self {
        let budgets = &point.budgets;
        match &point.outcome {
            PointOutcome::DoesNotFit(_) => Self::DoesNotFit,
            PointOutcome::Invalid(_) => Self::Invalid,
            PointOutcome::Ran(_) if budgets.is_empty() => Self::Runs,
            PointOutcome::Ran(figures) if !figures.meets(budgets) => Self::Misses,
            PointOutcome::Ran(figures) => {
                let crosses =
                    |(metric, limit): (Metric, f64)| figures.band(metric).is_some_and(|(_, high)| high > limit);
                if budgets.iter().any(crosses) { Self::AtRisk } else { Self::Meets }
            }
        }
    }

    /// Whether no target stands against it.
    pub(in crate::report::sweep) const fn is_good(self) -> bool {
        matches!(self, Self::Meets | Self::AtRisk | Self::Runs)
    }

    /// In a word.
    pub(in crate::report::sweep) fn mark(self, text: &Text) -> Mark {
        let words = &text.sweep;
        match self {
            Self::Meets => Mark::new(Tone::PASS, words.meets),
            Self::AtRisk => Mark::new(Tone::WARN, text.verdict.at_risk),
            Self::Runs => Mark::new(Tone::NEUTRAL, words.runs),
            Self::Misses => Mark::new(Tone::FAIL, words.misses),
            Self::DoesNotFit => Mark::new(Tone::NEUTRAL, words.no_memory),
            Self::Invalid => Mark::new(Tone::NEUTRAL, words.not_applicable),
        }
    }
}

/// A point of the page.
#[derive(Clone, Debug)]
pub(in crate::report::sweep) struct ShownPoint<'a> {
    /// The point.
    pub result: &'a PointResult,
    /// Index of its value on each axis.
    pub at: Vec<usize>,
    /// How it stands.
    pub standing: Standing,
    figures: [Option<Short>; 5],
}

impl<'a> ShownPoint<'a> {
    pub(super) fn new(result: &'a PointResult, at: Vec<usize>) -> Self {
        let of = |figure: Figure| Short::new(figure.of(&result.outcome)?);
        Self { result, at, standing: Standing::of(result), figures: Figure::ALL.map(of) }
    }

    /// A figure in the short form of the data; none where the point or its scenario has none. A point that does not fit has
    /// the memory that it needs.
    pub(in crate::report::sweep) fn figure(&self, figure: Figure) -> Option<f64> {
        self.figures[figure as usize].map(Short::get)
    }

    /// A figure without its unit.
    pub(in crate::report::sweep) fn shown(&self, figure: Figure) -> String {
        self.figure(figure).map_or_else(|| ABSENT.to_owned(), number)
    }

    /// In a word, why it has no figures.
    pub(in crate::report::sweep) const fn why_absent(&self, text: &Text) -> Label {
        match self.standing {
            Standing::DoesNotFit => text.scaling.out_of_memory,
            _ => text.sweep.not_applicable,
        }
    }

    /// What makes it better than others.
    pub(in crate::report::sweep) fn worth(&self) -> f64 {
        self.result.outcome.figures().map_or(0.0, PointFigures::worth)
    }
}
