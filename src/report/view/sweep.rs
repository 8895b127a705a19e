//! A declared report: what to run, and why not the others.

use super::Verdict;

/// Sections of a declared report.
#[derive(Clone, Debug)]
pub struct Sweep {
    /// What to run.
    pub verdict: Verdict,
}
