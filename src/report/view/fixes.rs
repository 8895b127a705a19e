//! What to change first.

/// The ranked fixes, then what faster hardware would give and what would cost time.
#[derive(Clone, Debug)]
pub struct Fixes {
    /// At most three, largest gain first; empty when nothing is worth it.
    pub cards: Vec<Fix>,
    /// Hardware limits, relaxed.
    pub limits: Vec<Change>,
    /// Settings that would cost time.
    pub costs: Vec<Change>,
}

/// One bottleneck with its remedy.
#[derive(Clone, Debug)]
pub struct Fix {
    /// Rank, which is also its deep link `#fix=1`.
    pub rank: String,
    /// The remedy as an instruction.
    pub title: String,
    /// What it achieves, in a few words.
    pub note: String,
    /// Name of the stage.
    pub stage: String,
    /// Key of the stage.
    pub stage_key: String,
    /// Saved time: `−172 ms`.
    pub gain: String,
    /// `TTFT 638 → 466 ms`.
    pub gain_detail: String,
    /// Three figures that show the cause.
    pub evidence: Vec<Evidence>,
    /// The cause.
    pub cause: String,
    /// The remedy.
    pub remedy: String,
    /// What it takes and what else it changes.
    pub takes: String,
    /// Other remedies of the same cause.
    pub others: Vec<String>,
    /// Who can do it.
    pub owner: String,
    /// How to confirm it on the machine.
    pub check: Check,
    /// Name of the button that copies the commands.
    pub copy_label: String,
    /// Ticket text to copy.
    pub ticket: String,
    /// Name of the ticket text for screen readers.
    pub ticket_label: String,
}

/// A figure that shows a cause.
#[derive(Clone, Debug)]
pub struct Evidence {
    /// What was looked at.
    pub label: String,
    /// The figure.
    pub value: String,
    /// Compared with what.
    pub note: String,
}

/// How to confirm a cause on the machine.
#[derive(Clone, Debug)]
pub struct Check {
    /// Commands, one a line.
    pub commands: String,
    /// The reading to expect.
    pub expect: String,
}

/// A simulated change in a line.
#[derive(Clone, Debug)]
pub struct Change {
    /// What changes.
    pub name: String,
    /// What it does: `TTFT 174 → 134 ms`.
    pub effect: String,
    /// The difference, signed.
    pub difference: String,
}
