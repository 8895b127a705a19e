//! How far to believe the page, and how to get it again.

/// Errors, assumptions, warnings, sources.
#[derive(Clone, Debug)]
pub struct Trust {
    /// Which measurements the errors come from.
    pub lede: String,
    /// Error of each metric.
    pub errors: Vec<ErrorRow>,
    /// What each figure means.
    pub meanings: Vec<Source>,
    /// What was assumed.
    pub assumed: Vec<String>,
    /// What the reader must know.
    pub warnings: Vec<Warning>,
    /// Where the inputs came from.
    pub sources: Vec<Source>,
    /// Fine print of the machine, as its file has it.
    pub fine_print: Option<FinePrint>,
}

/// Conditions under which a machine's figures hold, in the words of its file.
#[derive(Clone, Debug)]
pub struct FinePrint {
    /// Whose.
    pub title: String,
    /// One condition each, in English.
    pub lines: Vec<String>,
}

/// Error of a metric against measurements.
#[derive(Clone, Debug)]
pub struct ErrorRow {
    /// Metric.
    pub metric: String,
    /// How many measurements stand behind it.
    pub rows: String,
    /// Median error.
    pub median: String,
    /// Median error of rows that were kept apart, with their number.
    pub kept_apart: String,
    /// Factor of the 90 % band.
    pub within: String,
    /// Share of the rows of groups left out that a factor found without them holds.
    pub held: String,
    /// What kind of measurements they are.
    pub basis: String,
}

/// A warning with what to do about it.
#[derive(Clone, Debug)]
pub struct Warning {
    /// What is the matter.
    pub message: String,
    /// What to do; may be empty.
    pub help: String,
}

/// A name with what there is to say of it.
#[derive(Clone, Debug)]
pub struct Source {
    /// What.
    pub name: String,
    /// What there is to say.
    pub value: String,
}

/// How to get the page again.
#[derive(Clone, Debug)]
pub struct Repro {
    /// The command, with relative paths.
    pub command: String,
}
