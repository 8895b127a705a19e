//! Sums over the kernels of a run that several sentences need.

use crate::kernel::{HostTask, Kernel, Stage};
use crate::scenario::Scenario;
use crate::simulate::{KernelRow, PhaseKind, Run};

/// A run with the question it answers.
#[derive(Clone, Copy)]
pub(in crate::report) struct Facts<'a> {
    pub(in crate::report) scenario: &'a Scenario,
    pub(in crate::report) run: &'a Run,
}

/// What some kernels do together.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::report) struct Work {
    pub(in crate::report) ms: f64,
    pub(in crate::report) flop: f64,
    pub(in crate::report) bytes: f64,
}

impl<'a> Facts<'a> {
    /// Rows of a phase.
    pub(in crate::report) fn rows(&self, phase: PhaseKind) -> impl Iterator<Item = &'a KernelRow> {
        self.run.kernels.iter().filter(move |row| row.phase == phase)
    }

    /// The whole phase in milliseconds: TTFT, or the mean step.
    pub(in crate::report) fn total(&self, phase: PhaseKind) -> Option<f64> {
        match phase {
            PhaseKind::Prefill => self.run.metrics.ttft_ms,
            PhaseKind::Decode => self.run.metrics.tpot_ms,
        }
    }

    /// What the kernels of a phase do that are wanted.
    pub(in crate::report) fn work(&self, phase: PhaseKind, wanted: impl Fn(&KernelRow) -> bool) -> Work {
        self.rows(phase).filter(|row| wanted(row)).fold(Work::default(), |sum, row| Work {
            ms: sum.ms + row.time.ms(),
            flop: sum.flop + row.cost.flop.get() * row.call.calls,
            bytes: sum.bytes + row.cost.dram_bytes.get() * row.call.calls,
        })
    }

    /// The matrix products of the layers.
    pub(in crate::report) fn linear(&self, phase: PhaseKind) -> Work {
        self.work(phase, |row| row.call.kernel.is_weight_product() && row.call.stage != Stage::OutputLogitsRead)
    }

    /// A stage.
    pub(in crate::report) fn stage(&self, phase: PhaseKind, stage: Stage) -> Work {
        self.work(phase, |row| row.call.stage == stage)
    }

    /// Host time that stops the GPU: without a local engine's time per layer, which holds kernels too.
    pub(in crate::report) fn serial_host(&self, phase: PhaseKind) -> Work {
        let per_layer = |row: &KernelRow| row.call.kernel == Kernel::Host(HostTask::LayerTime);
        self.work(phase, |row| row.call.stage == Stage::Host && !per_layer(row))
    }

    /// Attention kernels, without projections.
    pub(in crate::report) fn attention(&self, phase: PhaseKind) -> Work {
        self.work(phase, |row| row.call.kernel.is_attention())
    }

    /// Calls of attention kernels in a decode step.
    pub(in crate::report) fn attention_calls(&self) -> f64 {
        let attention = self.rows(PhaseKind::Decode).filter(|row| row.call.kernel.is_attention());
        attention.map(|row| row.call.calls).sum()
    }

    /// All-reduces and other exchanges.
    pub(in crate::report) fn collectives(&self, phase: PhaseKind) -> Work {
        self.work(phase, |row| row.call.kernel.is_collective())
    }

    /// Copies of the input stage.
    pub(in crate::report) fn input_copies(&self) -> Work {
        self.work(PhaseKind::Prefill, |row| {
            row.call.stage == Stage::InputEmbeddingLoad && matches!(row.call.kernel, Kernel::Transfer(_))
        })
    }

    /// Kernels on the GPU.
    pub(in crate::report) fn gpu(&self, phase: PhaseKind) -> Work {
        self.work(phase, is_gpu)
    }

    /// Kernel launches of a decode step.
    pub(in crate::report) fn launches(&self) -> f64 {
        self.rows(PhaseKind::Decode).filter(|row| is_gpu(row)).map(|row| row.call.calls).sum()
    }

    /// A row by the name of its kernel.
    pub(in crate::report) fn named(&self, phase: PhaseKind, name: &str) -> Work {
        self.work(phase, |row| row.call.name == name)
    }
}

fn is_gpu(row: &KernelRow) -> bool {
    let inside = matches!(row.call.kernel, Kernel::KvCacheWrite(_) | Kernel::CacheAppend(_));
    let off_the_gpu = matches!(row.call.kernel, Kernel::Host(_) | Kernel::Transfer(_));
    let told_elsewhere = inside && row.time.get() == 0.0;
    !off_the_gpu && !told_elsewhere
}
