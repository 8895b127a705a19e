//! What to change first, and how far to believe the figures.
//!
//! A bottleneck is a cause whose removal saves time. Nothing here knows how a cost is computed: each lever edits the
//! scenario and runs it again. Savings of several levers overlap and are never added up.

mod bands;
mod bottleneck;
mod budget;
mod checks;
mod claims;
mod combination;
mod evidence;
pub mod lever;
mod ways;

pub use bands::{Band, Bands, ClassError, FEW_ROWS};
pub use bottleneck::{Bottleneck, Diagnosis, Effect, Remedy, diagnose};
pub use budget::{Budgets, Metric, Standing};
pub use checks::{Check, CheckKind, Status, checks};
pub use claims::{Claim, ClaimKind, Explanation, KvReading, claims};
pub use combination::{Combination, Combinations, CombinedResult, MOST_COMBINED, combinations};
pub use evidence::{Evidence, EvidenceKind, Unit};
pub use lever::{Cause, Effort, LEVERS, Lever, LeverId, LeverKind};
pub use ways::{Change, Way, ways_to_fit};
