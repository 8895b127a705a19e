//! What is found while a document is read: faults, notes, and the ranges that values must keep.

use std::cell::RefCell;

use super::fault::{Fault, SpecError};

/// The values a number may take; both ends included.
#[derive(Clone, Copy, Debug)]
pub struct Range {
    /// Smallest legal value.
    pub low: f64,
    /// Largest legal value.
    pub high: f64,
}

impl Range {
    /// Greater than zero, up to `high`.
    #[must_use]
    pub const fn positive(high: f64) -> Self {
        Self { low: f64::MIN_POSITIVE, high }
    }

    /// From zero, up to `high`.
    #[must_use]
    pub const fn from_zero(high: f64) -> Self {
        Self { low: 0.0, high }
    }

    /// Whole numbers from one, up to `high`.
    #[must_use]
    pub const fn count(high: u64) -> Self {
        Self { low: 1.0, high: high as f64 }
    }

    pub(super) fn fault(self, value: f64) -> Option<String> {
        if value >= self.low && value <= self.high {
            return None;
        }
        let low =
            if self.low == f64::MIN_POSITIVE { "more than 0".to_owned() } else { format!("{} or more", self.low) };
        Some(format!("must be {low} and at most {}", self.high))
    }
}

/// Faults and notes found while one document is read.
#[derive(Debug, Default)]
pub struct Findings {
    pub(super) faults: RefCell<Vec<Fault>>,
    pub(super) notes: RefCell<Vec<String>>,
}

impl Findings {
    /// The value if nothing was wrong, with the notes; all faults otherwise.
    ///
    /// # Errors
    /// Every fault that was found.
    pub fn conclude<T>(self, value: T) -> Result<(T, Vec<String>), SpecError> {
        let faults = self.faults.into_inner();
        if faults.is_empty() { Ok((value, self.notes.into_inner())) } else { Err(SpecError::new(faults)) }
    }
}
