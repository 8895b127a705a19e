//! Where more load stops paying, in a sentence.

use crate::quantity::format::percent;
use crate::report::text::Text;
use crate::sweep::{Knee, KneeReason};

/// The knee with its reason.
pub(in crate::report) fn knee(knee: &Knee, text: &Text) -> String {
    let words = &text.scaling;
    let reason = match knee.reason {
        KneeReason::ComputeSaturates(share) => words.knee_compute.fill(&[("share", &percent(share))]),
        KneeReason::MemoryCapacity => words.knee_memory.to_owned(),
        KneeReason::StepsLengthen => words.knee_steps.to_owned(),
    };
    words.by_batch_knee.fill(&[("batch", &knee.batch), ("reason", &reason)])
}
