//! The first screen: can I ship this?

use super::parts::{Mark, Tone};
use crate::report::text::Inline;

/// Status, sentence, way out, and the numbers that decide.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// The judgement in a word.
    pub status: Mark,
    /// The scenario in a few words each.
    pub facts: Vec<String>,
    /// The verdict as a sentence.
    pub title: String,
    /// Why, and the cheapest way out.
    pub lede: Vec<Inline>,
    /// TTFT, TPOT, output speed, memory; empty where nothing was simulated.
    pub heroes: Vec<Hero>,
    /// What the error band is.
    pub trust: Vec<Inline>,
}

/// One of the large numbers.
#[derive(Clone, Debug)]
pub struct Hero {
    /// Metric.
    pub label: String,
    /// Value without unit.
    pub value: String,
    /// Unit, or `/ 80.0 GiB`.
    pub unit: String,
    /// The same as a bar; none where there is no scale to draw it on.
    pub bullet: Option<Bullet>,
    /// Against the target.
    pub mark: Mark,
    /// Range, or what the value means for one request; may be empty.
    pub note: String,
}

/// Value bar, error band and target tick; positions in percent of the track.
#[derive(Clone, Debug)]
pub struct Bullet {
    /// Tone of the bar.
    pub tone: Tone,
    /// Width of the bar.
    pub width: String,
    /// The error band.
    pub band: Option<Whisker>,
    /// The target.
    pub target: Option<String>,
}

/// Both ends of an error band.
#[derive(Clone, Debug)]
pub struct Whisker {
    /// Low end.
    pub low: String,
    /// High end.
    pub high: String,
}
