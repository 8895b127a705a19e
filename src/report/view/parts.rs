//! Parts that several sections share.

use std::fmt;

use crate::kernel::Stage;

/// Trusted markup. Made in two places only: by the charts and by sanitised notes.
#[derive(Clone, Debug, Default)]
pub struct Markup(String);

impl Markup {
    /// Vouches for markup. Everything in it that came from outside must already be escaped.
    pub(in crate::report) fn trusted(markup: String) -> Self {
        Self(markup)
    }

    /// The markup.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Markup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// How good something is. Never colour alone: a shape and a word go with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tone {
    /// CSS class of the text.
    pub class: &'static str,
    /// CSS class of a bar.
    pub fill: &'static str,
    /// Colour of a bar without style sheet.
    pub hex: &'static str,
    /// Name of the icon.
    pub icon: Option<&'static str>,
}

impl Tone {
    /// Fine.
    pub const PASS: Self = Self { class: "ok", fill: "f-pass", hex: "#0b6e3b", icon: Some("ok") };
    /// Needs a look.
    pub const WARN: Self = Self { class: "risk", fill: "f-warn", hex: "#8a5200", icon: Some("risk") };
    /// Not acceptable.
    pub const FAIL: Self = Self { class: "bad", fill: "f-fail", hex: "#b8221b", icon: Some("bad") };
    /// No judgement.
    pub const NEUTRAL: Self = Self { class: "mut", fill: "f-accent", hex: "#0a58ca", icon: None };
}

/// A judgement: tone, shape and word.
#[derive(Clone, Debug)]
pub struct Mark {
    /// How good.
    pub tone: Tone,
    /// In words.
    pub text: String,
}

impl Mark {
    /// A judgement.
    #[must_use]
    pub fn new(tone: Tone, text: impl Into<String>) -> Self {
        Self { tone, text: text.into() }
    }
}

/// A colour of the fixed stage palette.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Swatch {
    /// Stage id, which is also the end of the CSS class names `c-…` (fill) and `k-…` (stroke).
    pub id: &'static str,
    /// Colour without style sheet.
    pub hex: &'static str,
}

impl Swatch {
    /// Host.
    pub const HOST: Self = Self { id: "host", hex: "#565c69" };
    /// Input embedding load.
    pub const PCIE: Self = Self { id: "pcie", hex: "#b3330d" };
    /// Attention.
    pub const ATTN: Self = Self { id: "attn", hex: "#3f4fe0" };
    /// FFN.
    pub const FFN: Self = Self { id: "ffn", hex: "#329a7c" };
    /// Norms and residuals.
    pub const NORM: Self = Self { id: "norm", hex: "#65218f" };
    /// KV cache write.
    pub const KV: Self = Self { id: "kv", hex: "#7d1230" };
    /// Output logits read.
    pub const LOGITS: Self = Self { id: "logits", hex: "#a88005" };
    /// Sampling.
    pub const SAMPLE: Self = Self { id: "sample", hex: "#073f52" };
    /// All of them, in the order of [`Stage::ALL`].
    pub const ALL: [Self; 8] =
        [Self::HOST, Self::PCIE, Self::ATTN, Self::FFN, Self::NORM, Self::KV, Self::LOGITS, Self::SAMPLE];

    /// The colour of a stage.
    #[must_use]
    pub const fn of(stage: Stage) -> Self {
        Self::ALL[stage as usize]
    }
}

/// A figure with a small bar before it.
#[derive(Clone, Debug)]
pub struct Meter {
    /// The figure, or an en dash.
    pub text: String,
    /// Value that a table sorts by.
    pub sort: String,
    /// Width of the bar in percent of the track; none where the figure does not exist.
    pub width: Option<String>,
}

/// A column of a [`Table`].
#[derive(Clone, Debug)]
pub struct Column {
    /// Heading.
    pub title: String,
    /// Set to the right, as numbers are.
    pub numeric: bool,
}

/// A cell of a [`Table`].
pub type Cell = String;

impl Column {
    /// A column of words.
    #[must_use]
    pub fn words(title: impl Into<String>) -> Self {
        Self { title: title.into(), numeric: false }
    }

    /// A column of numbers.
    #[must_use]
    pub fn numbers(title: impl Into<String>) -> Self {
        Self { title: title.into(), numeric: true }
    }
}

/// A plain table: the first cell of a row names it.
#[derive(Clone, Debug)]
pub struct Table {
    /// Name for screen readers.
    pub label: String,
    /// Columns.
    pub columns: Vec<Column>,
    /// Rows of as many cells.
    pub rows: Vec<Vec<Cell>>,
}

/// An entry of a legend.
#[derive(Clone, Debug)]
pub struct Key {
    /// The colour.
    pub swatch: Swatch,
    /// Its meaning.
    pub text: String,
}

/// A chart with its title, its finding, its legend and its numbers.
#[derive(Clone, Debug)]
pub struct Figure {
    /// Id of the element.
    pub id: &'static str,
    /// What it shows.
    pub title: String,
    /// What one learns from it.
    pub finding: String,
    /// The drawing.
    pub chart: Markup,
    /// Colours, in the order in which they stack.
    pub legend: Vec<Key>,
    /// The same numbers as text: the way of the keyboard and of the screen reader.
    pub numbers: Table,
}
