//! A folder of reports: what changed, how each stands.

use super::Verdict;

/// Sections of an index.
#[derive(Clone, Debug)]
pub struct IndexPage {
    /// What changed.
    pub verdict: Verdict,
}
