//! What changed between two runs of a declared report, point by point.
//!
//! Both runs are read from their CSV as a stream; of the earlier one the times of each point are kept.

use std::collections::HashMap;
use std::io::Read;

use crate::diagnose::Metric;

/// Changes kept with their words, the largest first.
pub(super) const KEPT: usize = 50;

/// What changed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Changes {
    /// Points that both runs have.
    pub compared: u64,
    /// Points with a time that grew beyond the threshold, or that no longer run.
    pub slower: u64,
    /// Points with a time that shrank beyond the threshold, or that run now, and none that grew.
    pub faster: u64,
    /// Points only the new run has.
    pub appeared: u64,
    /// Points only the earlier run has.
    pub gone: u64,
    /// The largest changes: slower first, then by share.
    pub largest: Vec<Change>,
}

/// A change of one point.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// The point, as `batch_size 4, prompt_len 2048`.
    pub subject: String,
    /// What changed.
    pub kind: ChangeKind,
}

/// What changed of a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ChangeKind {
    /// A time, ms.
    Time {
        /// Which.
        metric: Metric,
        /// Before.
        from: f64,
        /// Now.
        to: f64,
    },
    /// It ran and does no longer.
    Stopped,
    /// It did not run and does now.
    Started,
}

impl ChangeKind {
    /// Relative change of a time, positive where it grew; infinite where the point stopped to run.
    #[must_use]
    pub fn share(&self) -> f64 {
        match self {
            Self::Time { from, to, .. } => to / from - 1.0,
            Self::Stopped => f64::INFINITY,
            Self::Started => f64::NEG_INFINITY,
        }
    }
}

/// Times of a point; none that it has not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Times {
    /// TTFT, ms.
    pub ttft_ms: Option<f64>,
    /// TPOT, ms.
    pub tpot_ms: Option<f64>,
}

impl Times {
    fn runs(&self) -> bool {
        self.ttft_ms.is_some() || self.tpot_ms.is_some()
    }
}

/// What changed of one point beyond a threshold (0.02 is 2 %), the largest first.
#[must_use]
pub fn of_point(before: Times, now: Times, threshold: f64) -> Vec<ChangeKind> {
    match (before.runs(), now.runs()) {
        (true, false) => return vec![ChangeKind::Stopped],
        (false, true) => return vec![ChangeKind::Started],
        _ => {}
    }
    let pairs = [(Metric::Ttft, before.ttft_ms, now.ttft_ms), (Metric::Tpot, before.tpot_ms, now.tpot_ms)];
    // A time of nothing, which only a broken file has, has no relative change.
    let time = |(metric, from, to): (Metric, Option<f64>, Option<f64>)| {
        Some(ChangeKind::Time { metric, from: from.filter(|from| *from > 0.0)?, to: to? })
    };
    let changes = pairs.into_iter().filter_map(time);
    let mut changes: Vec<ChangeKind> = changes.filter(|change| change.share().abs() > threshold).collect();
    changes.sort_by(|a, b| b.share().total_cmp(&a.share()));
    changes
}

impl Changes {
    /// Between an earlier and a new CSV of a declared report.
    ///
    /// # Errors
    /// What is wrong with one of them.
    pub fn between(before: impl Read, now: impl Read, threshold: f64) -> Result<Self, String> {
        let mut known = HashMap::new();
        rows(before, |subject, times| {
            known.insert(subject, times);
        })?;
        let mut changes = Self::default();
        rows(now, |subject, times| match known.remove(&subject) {
            Some(before) => changes.add(&subject, before, times, threshold),
            None => changes.appeared += 1,
        })?;
        changes.gone = known.len() as u64;
        changes.rank();
        Ok(changes)
    }

    /// Puts the largest first and drops the rest.
    pub fn rank(&mut self) {
        self.largest.sort_by(rank);
        self.largest.truncate(KEPT);
    }

    /// Takes a point that both runs have.
    pub fn add(&mut self, subject: &str, before: Times, now: Times, threshold: f64) {
        self.compared += 1;
        let found = of_point(before, now, threshold);
        match found.first().map(ChangeKind::share) {
            Some(share) if share > 0.0 => self.slower += 1,
            Some(_) => self.faster += 1,
            None => {}
        }
        self.largest.extend(found.into_iter().map(|kind| Change { subject: subject.to_owned(), kind }));
        if self.largest.len() > 4 * KEPT {
            self.rank();
        }
    }
}

/// Slower before faster, then the larger change, then by name so that the order is always the same.
pub(super) fn rank(a: &Change, b: &Change) -> std::cmp::Ordering {
    let (left, right) = (a.kind.share(), b.kind.share());
    let slower = (right > 0.0).cmp(&(left > 0.0));
    slower.then(right.abs().total_cmp(&left.abs())).then_with(|| a.subject.cmp(&b.subject))
}

/// Each point of a CSV with its times. The point's own fields stand before the column `status`.
fn rows(csv: impl Read, mut each: impl FnMut(String, Times)) -> Result<(), String> {
    let mut reader = csv::Reader::from_reader(csv);
    let head = reader.headers().map_err(|e| e.to_string())?.clone();
    let column =
        |name: &str| head.iter().position(|title| title == name).ok_or_else(|| format!("there is no column {name}"));
    let (status, ttft, tpot) = (column("status")?, column("ttft_ms")?, column("tpot_ms")?);
    for record in reader.records() {
        let record = record.map_err(|e| e.to_string())?;
        let own = head.iter().zip(&record).take(status).filter(|(_, value)| !value.is_empty());
        let subject = own.map(|(path, value)| format!("{path} {value}")).collect::<Vec<_>>().join(", ");
        let time =
            |column: usize| record.get(column).and_then(|text| text.parse::<f64>().ok()).filter(|ms| ms.is_finite());
        each(subject, Times { ttft_ms: time(ttft), tpot_ms: time(tpot) });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "model,batch_size,status,ttft_ms,tpot_ms\n";

    fn between(before: &str, now: &str) -> Changes {
        let csv = |rows: &str| format!("{HEAD}{rows}");
        Changes::between(csv(before).as_bytes(), csv(now).as_bytes(), 0.02).expect("good files")
    }

    #[test]
    fn points_are_matched_by_their_fields_and_small_changes_are_none() {
        let changes =
            between("m,1,ran,100,10\nm,2,ran,200,10\nm,4,ran,300,10\n", "m,2,ran,201,10\nm,1,ran,120,9\nm,8,ran,1,1\n");
        assert_eq!((changes.compared, changes.slower, changes.faster), (2, 1, 0));
        assert_eq!((changes.appeared, changes.gone), (1, 1));
        let first = ChangeKind::Time { metric: Metric::Ttft, from: 100.0, to: 120.0 };
        assert_eq!(changes.largest[0], Change { subject: "model m, batch_size 1".to_owned(), kind: first });
        assert_eq!(changes.largest.len(), 2);
    }

    #[test]
    fn a_point_that_stops_to_run_is_slower_than_any() {
        let changes = between("m,1,ran,100,10\nm,2,does_not_fit,,\n", "m,1,does_not_fit,,\nm,2,ran,100,10\n");
        assert_eq!((changes.slower, changes.faster), (1, 1));
        assert_eq!(changes.largest[0].kind, ChangeKind::Stopped);
        assert_eq!(changes.largest[1].kind, ChangeKind::Started);
    }

    #[test]
    fn a_strange_file_is_an_error() {
        assert!(Changes::between("a,b\n1,2\n".as_bytes(), HEAD.as_bytes(), 0.02).is_err());
        assert!(Changes::between(HEAD.as_bytes(), "a,status,ttft_ms,tpot_ms\n1\n".as_bytes(), 0.02).is_err());
    }
}
