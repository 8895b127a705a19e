//! Error bands from residuals: split-conformal, with whole groups left out.
//!
//! The score of a row is |ln(predicted / measured)| of its time. The factor of a kind of measurement is e to the
//! ⌈(n + 1)·level⌉-th smallest score. Rows of one machine, shape and engine err alike, so coverage is measured group by
//! group: groups fall into folds by a hash of their names, and each fold is held against the factor of the others.
//! Engine constants and the structure of the models were chosen on these rows too: a factor found here is optimistic for
//! machines and engines that nobody measured.

use std::collections::{BTreeMap, BTreeSet};

use super::class::Class;
use super::compare::{Answer, Validation};
use super::stats::Errors;

/// Folds of groups.
pub const FOLDS: u64 = 8;

/// What the rows of a kind of measurement say of its band.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Residuals {
    /// Rows and their errors.
    pub errors: Errors,
    /// Groups of machine, shape and engine.
    pub groups: usize,
    /// Factor that holds the level of the rows.
    pub factor: f64,
    /// Rows whose fold could be held against the others, and how many of them lie inside.
    pub held: (usize, usize),
}

impl Residuals {
    /// Share of the rows that the factor of the other folds holds.
    #[must_use]
    pub fn coverage(&self) -> Option<f64> {
        (self.held.0 > 0).then(|| self.held.1 as f64 / self.held.0 as f64)
    }
}

/// A row's score and its fold.
#[derive(Clone, Copy, Debug)]
struct Score {
    score: f64,
    fold: u64,
}

impl Validation {
    /// Residuals by kind of measurement; engines without constants of their own stand apart, under no kind.
    #[must_use]
    pub fn residuals(&self, level: f64) -> BTreeMap<Option<Class>, Residuals> {
        let mut kinds: BTreeMap<Option<Class>, Vec<&Answer>> = BTreeMap::new();
        for (_, answer, _) in self.answered() {
            kinds.entry(answer.known_engine.then_some(answer.class)).or_default().push(answer);
        }
        kinds.into_iter().filter_map(|(kind, answers)| Some((kind, residuals(&answers, level)?))).collect()
    }
}

fn residuals(answers: &[&Answer], level: f64) -> Option<Residuals> {
    let ratios: Vec<(f64, Option<bool>)> = answers.iter().map(|answer| (answer.ratio, None)).collect();
    let groups: BTreeSet<&[String; 3]> = answers.iter().map(|answer| &answer.group).collect();
    let scores: Vec<Score> = answers
        .iter()
        .map(|answer| Score { score: answer.ratio.ln().abs(), fold: hash(&answer.group) % FOLDS })
        .collect();
    Some(Residuals {
        errors: Errors::of(&ratios)?,
        groups: groups.len(),
        factor: quantile(scores.iter().map(|row| row.score), level)?.exp(),
        held: held(&scores, level),
    })
}

/// Rows of folds that have others beside them, and how many of them the others' factor holds.
fn held(scores: &[Score], level: f64) -> (usize, usize) {
    let folds = (0..FOLDS).filter_map(|fold| {
        let others = scores.iter().filter(|row| row.fold != fold).map(|row| row.score);
        let limit = quantile(others, level)?;
        let own = || scores.iter().filter(|row| row.fold == fold);
        Some((own().count(), own().filter(|row| row.score <= limit).count()))
    });
    folds.fold((0, 0), |all, fold| (all.0 + fold.0, all.1 + fold.1))
}

/// The conformal quantile: the ⌈(n + 1)·level⌉-th smallest score, or the largest where there are too few.
fn quantile(scores: impl Iterator<Item = f64>, level: f64) -> Option<f64> {
    let mut sorted: Vec<f64> = scores.collect();
    sorted.sort_by(f64::total_cmp);
    let rank = ((sorted.len() + 1) as f64 * level).ceil() as usize;
    sorted.get(rank.min(sorted.len()).checked_sub(1)?).copied()
}

/// FNV-1a of a group's names: the same on every machine and in every version.
fn hash(group: &[String; 3]) -> u64 {
    const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0100_0000_01b3;
    let bytes = group.iter().flat_map(|name| name.bytes().chain([0]));
    bytes.fold(OFFSET, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_quantile_is_conformal() {
        let scores = |n: usize| (1..=n).map(|score| score as f64);
        assert_eq!(quantile(scores(9), 0.9), Some(9.0));
        assert_eq!(quantile(scores(19), 0.9), Some(18.0));
        assert_eq!(quantile(scores(3), 0.9), Some(3.0));
        assert_eq!(quantile(scores(0), 0.9), None);
    }

    #[test]
    fn a_fold_is_held_against_the_others_only() {
        let small = (0..40).map(|row| Score { score: f64::from(row) / 100.0, fold: 0 });
        let large = (0..10).map(|_| Score { score: 5.0, fold: 1 });
        let all: Vec<Score> = small.chain(large).collect();
        // The large fold lies outside what the small one allows, the small one inside what the large one allows.
        assert_eq!(held(&all, 0.9), (50, 40));
        let alone: Vec<Score> = all.iter().filter(|row| row.fold == 1).copied().collect();
        assert_eq!(held(&alone, 0.9), (0, 0));
    }

    #[test]
    fn the_hash_is_that_of_the_books() {
        // FNV-1a 64 of the bytes "a\0\0\0", computed from its definition.
        let group = ["a".to_owned(), String::new(), String::new()];
        let mut by_hand: u64 = 0xcbf29ce484222325;
        for byte in [b'a', 0, 0, 0] {
            by_hand = (by_hand ^ u64::from(byte)).wrapping_mul(0x100000001b3);
        }
        assert_eq!(hash(&group), by_hand);
    }
}
