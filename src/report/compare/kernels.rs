//! Changes of kernels: how much longer they take, and whether more work or a lower rate is why.

use std::collections::BTreeMap;

use serde::Serialize;

use super::side::KernelOf;

/// A kernel on both sides. Kernels of one phase, stage and name are taken together, whatever their shapes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct KernelChange {
    /// `prefill` or `decode`.
    pub phase: String,
    /// Its stage.
    pub stage: String,
    /// Its name.
    pub name: String,
    /// Before; none where it does not run.
    pub before: Option<KernelSum>,
    /// After; none where it does not run.
    pub after: Option<KernelSum>,
    /// After less before, ms.
    pub change_ms: f64,
}

/// Kernels taken together.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[allow(missing_docs, reason = "keys say what they are")]
pub struct KernelSum {
    pub calls: f64,
    pub time_ms: f64,
    pub flop: f64,
    pub dram_bytes: f64,
    /// What limits the longest of them.
    pub bound: String,
    #[serde(skip)]
    longest_ms: f64,
}

impl KernelChange {
    /// Work of the kernel after over before: bytes, then arithmetic; none where it has none on one side.
    #[must_use]
    pub fn ratios(&self) -> (Option<f64>, Option<f64>) {
        let ratio = |of: fn(&KernelSum) -> f64| {
            let (before, after) = (of(self.before.as_ref()?), of(self.after.as_ref()?));
            (before > 0.0 && after > 0.0).then(|| after / before)
        };
        (ratio(|sum| sum.dram_bytes), ratio(|sum| sum.flop))
    }
}

impl KernelSum {
    fn add(&mut self, kernel: &KernelOf) {
        self.calls += kernel.calls;
        self.time_ms += kernel.time_ms;
        self.flop += kernel.flop;
        self.dram_bytes += kernel.dram_bytes;
        if self.bound.is_empty() || kernel.time_ms > self.longest_ms {
            self.longest_ms = kernel.time_ms;
            self.bound.clone_from(&kernel.bound);
        }
    }
}

type Key<'a> = (&'a str, &'a str, &'a str);

/// All kernels of both sides, the largest change first.
pub(super) fn changes(before: &[KernelOf], after: &[KernelOf]) -> Vec<KernelChange> {
    let (mut old, mut new) = (sums(before), sums(after));
    let mut keys: Vec<Key<'_>> = old.keys().chain(new.keys()).copied().collect();
    keys.sort_unstable();
    keys.dedup();
    let mut changes: Vec<KernelChange> = keys
        .into_iter()
        .map(|key| {
            let (before, after) = (old.remove(&key), new.remove(&key));
            let ms = |sum: &Option<KernelSum>| sum.as_ref().map_or(0.0, |sum| sum.time_ms);
            let change_ms = ms(&after) - ms(&before);
            let (phase, stage, name) = key;
            KernelChange { phase: phase.into(), stage: stage.into(), name: name.into(), before, after, change_ms }
        })
        .collect();
    changes.sort_by(|a, b| b.change_ms.abs().total_cmp(&a.change_ms.abs()));
    changes
}

fn sums(kernels: &[KernelOf]) -> BTreeMap<Key<'_>, KernelSum> {
    let mut sums: BTreeMap<Key<'_>, KernelSum> = BTreeMap::new();
    for kernel in kernels {
        sums.entry((&kernel.phase, &kernel.stage, &kernel.name)).or_default().add(kernel);
    }
    sums
}
