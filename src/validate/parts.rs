//! What a predicted time is made of: parts that add up to it, in microseconds.

use std::ops::{Add, AddAssign, Index, IndexMut, Mul};

use crate::kernel::{KernelCall, Stage};

/// A part of a predicted time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// HTTP, tokeniser and client before the engine.
    Client,
    /// Waiting for prefills of others and for the running step.
    Queue,
    /// Serial work of the CPU.
    Host,
    /// The device waits for launches.
    LaunchWait,
    /// Embedding.
    Embedding,
    /// Projections and attention.
    Attention,
    /// Feed-forward layers or experts.
    Ffn,
    /// Norms.
    Norm,
    /// LM head.
    Logits,
    /// Sampling.
    Sampling,
    /// Exchange between devices.
    Collectives,
    /// Prefills of other requests inside one's own decode.
    OtherPrefills,
}

impl Part {
    /// Every part with its name in results.
    pub const ALL: [(Self, &'static str); 12] = [
        (Self::Client, "client"),
        (Self::Queue, "queue"),
        (Self::Host, "host"),
        (Self::LaunchWait, "launch_wait"),
        (Self::Embedding, "input_embedding_load"),
        (Self::Attention, "attention"),
        (Self::Ffn, "ffn"),
        (Self::Norm, "norm"),
        (Self::Logits, "output_logits_read"),
        (Self::Sampling, "sampling"),
        (Self::Collectives, "collectives"),
        (Self::OtherPrefills, "other_prefills"),
    ];

    /// The name in results.
    #[must_use]
    pub const fn name(self) -> &'static str {
        Self::ALL[self as usize].1
    }

    /// The part a kernel's time belongs to.
    #[must_use]
    pub const fn of(call: &KernelCall) -> Self {
        if call.kernel.is_collective() {
            return Self::Collectives;
        }
        match call.stage {
            Stage::Host => Self::Host,
            Stage::InputEmbeddingLoad => Self::Embedding,
            Stage::Attention | Stage::KvCacheWrite => Self::Attention,
            Stage::Ffn => Self::Ffn,
            Stage::Norm => Self::Norm,
            Stage::OutputLogitsRead => Self::Logits,
            Stage::Sampling => Self::Sampling,
        }
    }
}

/// A time by parts, microseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Parts([f64; Part::ALL.len()]);

impl Parts {
    /// One part only.
    #[must_use]
    pub fn of(part: Part, us: f64) -> Self {
        let mut parts = Self::default();
        parts[part] = us;
        parts
    }

    /// The whole time.
    #[must_use]
    pub fn total(&self) -> f64 {
        self.0.iter().sum()
    }

    /// Each part with its time.
    pub fn iter(&self) -> impl Iterator<Item = (Part, f64)> + '_ {
        Part::ALL.iter().map(|(part, _)| (*part, self[*part]))
    }

    /// The same time, all of it in one part.
    #[must_use]
    pub fn as_part(&self, part: Part) -> Self {
        Self::of(part, self.total())
    }
}

impl Index<Part> for Parts {
    type Output = f64;
    fn index(&self, part: Part) -> &f64 {
        &self.0[part as usize]
    }
}

impl IndexMut<Part> for Parts {
    fn index_mut(&mut self, part: Part) -> &mut f64 {
        &mut self.0[part as usize]
    }
}

impl Add for Parts {
    type Output = Self;
    fn add(mut self, other: Self) -> Self {
        self += other;
        self
    }
}

impl AddAssign for Parts {
    fn add_assign(&mut self, other: Self) {
        self.0.iter_mut().zip(other.0).for_each(|(a, b)| *a += b);
    }
}

impl Mul<f64> for Parts {
    type Output = Self;
    fn mul(mut self, factor: f64) -> Self {
        self.0.iter_mut().for_each(|a| *a *= factor);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_stand_in_their_order() {
        for (index, (part, _)) in Part::ALL.iter().enumerate() {
            assert_eq!(*part as usize, index);
        }
        let both = Parts::of(Part::Ffn, 2.0) + Parts::of(Part::Host, 1.0) * 3.0;
        assert_eq!((both.total(), both[Part::Host]), (5.0, 3.0));
    }
}
