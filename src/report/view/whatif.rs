//! What several remedies give together.

use super::parts::Mark;

/// Every combination of a few remedies, each simulated.
#[derive(Clone, Debug)]
pub struct WhatIf {
    /// How to read it.
    pub lede: String,
    /// The remedies: a tick box and a column each.
    pub remedies: Vec<String>,
    /// Headings of each metric: its value, its difference.
    pub metrics: Vec<[String; 2]>,
    /// Whether there are targets to stand against.
    pub judged: bool,
    /// All combinations, best first.
    pub rows: Vec<WhatIfRow>,
}

/// A combination.
#[derive(Clone, Debug)]
pub struct WhatIfRow {
    /// One digit a remedy, `101`: which are made. Its deep link is `#whatif=101`.
    pub key: String,
    /// The remedies made, in words.
    pub name: String,
    /// Whether each remedy is made.
    pub made: Vec<bool>,
    /// Value and difference of each metric.
    pub figures: Vec<[String; 2]>,
    /// Memory needed.
    pub memory: String,
    /// How it stands; none without targets.
    pub mark: Option<Mark>,
    /// All of that in a sentence.
    pub sentence: String,
    /// The combination to look at first.
    pub chosen: bool,
}

impl WhatIf {
    /// Whether the combination to look at first makes a remedy.
    #[must_use]
    pub fn starts_with(&self, remedy: &usize) -> bool {
        self.rows.iter().any(|row| row.chosen && row.made[*remedy])
    }
}
