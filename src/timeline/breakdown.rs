//! Where a time goes: a tree whose children add up to their parent exactly.
//!
//! Times are in milliseconds, the unit of every report, and a parent is the left-to-right sum of its children in that
//! unit, so that a reader who adds the printed figures at full precision gets the same bits.

use crate::kernel::Stage;

use super::KernelRow;

/// A node: a name, its time and what it is made of.
#[derive(Clone, Debug, PartialEq)]
pub struct Breakdown {
    /// Stage or kernel name.
    pub name: &'static str,
    /// Milliseconds; negative for overlap.
    pub ms: f64,
    /// What it is made of; none for a leaf.
    pub children: Vec<Breakdown>,
}

impl Breakdown {
    /// A kernel, a copy or a task.
    #[must_use]
    pub fn leaf(name: &'static str, ms: f64) -> Self {
        Self { name, ms, children: Vec::new() }
    }

    /// A node over its children.
    #[must_use]
    pub fn parent(name: &'static str, children: Vec<Self>) -> Self {
        Self { name, ms: children.iter().fold(0.0, |sum, child| sum + child.ms), children }
    }

    /// The eight stages over the rows of a phase.
    pub(super) fn of_rows(name: &'static str, rows: &[KernelRow]) -> Self {
        let stage = |stage: Stage| {
            let own = rows.iter().filter(|row| row.call.stage == stage);
            Self::parent(stage.name(), own.map(|row| Self::leaf(row.call.name, row.time.ms())).collect())
        };
        Self::parent(name, Stage::ALL.map(stage).into())
    }

    /// The child of a name.
    #[must_use]
    pub fn child(&self, name: &str) -> Option<&Self> {
        self.children.iter().find(|child| child.name == name)
    }

    /// Whether every parent is the left-to-right sum of its children, bit for bit.
    #[must_use]
    pub fn adds_up(&self) -> bool {
        let sum = self.children.iter().fold(0.0, |sum, child| sum + child.ms);
        (self.children.is_empty() || sum == self.ms) && self.children.iter().all(Self::adds_up)
    }
}
