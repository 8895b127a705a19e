//! A phase as the waterfall tells it: its stages, each with its kernels, longest first.

use crate::kernel::{Kernel, Stage};
use crate::quantity::format::{ABSENT, data_size, integer, ms, percent, with_unit};
use crate::report::chart::bars;
use crate::report::figures::{self, KernelFigures};
use crate::report::text::Text;
use crate::report::view;
use crate::report::words::facts::Facts;
use crate::simulate::{KernelRow, PhaseKind};

/// A phase of a run.
#[derive(Clone, Copy)]
pub(super) struct Phase<'a> {
    pub(super) kind: PhaseKind,
    pub(super) facts: Facts<'a>,
    pub(super) text: &'a Text,
    /// TTFT, or the mean step, in ms.
    pub(super) total: f64,
}

impl<'a> Phase<'a> {
    /// A phase; none where the scenario leaves it out.
    pub(super) fn new(kind: PhaseKind, facts: Facts<'a>, text: &'a Text) -> Option<Self> {
        Some(Self { kind, facts, text, total: facts.total(kind)? })
    }

    /// What stands before keys of this phase, so that they are unique on the page.
    pub(super) const fn prefix(&self) -> &'static str {
        match self.kind {
            PhaseKind::Prefill => "",
            PhaseKind::Decode => "decode-",
        }
    }

    /// Its name.
    pub(super) const fn name(&self) -> &'static str {
        match self.kind {
            PhaseKind::Prefill => self.text.kernel.prefill,
            PhaseKind::Decode => self.text.kernel.decode,
        }
    }

    /// Key of a kernel.
    pub(super) fn key(&self, row: &KernelRow) -> String {
        format!("{}{}", self.prefix(), row.call.name)
    }

    /// A kernel with its phase: `gate_up_proj (prefill)`.
    pub(super) fn kernel_name(&self, row: &KernelRow) -> String {
        format!("{} ({})", row.call.name, self.name())
    }

    /// Share of the phase.
    pub(super) fn share(&self, ms: f64) -> f64 {
        if self.total > 0.0 { ms / self.total } else { 0.0 }
    }

    /// Kernels of a stage, longest first.
    pub(super) fn stage(&self, stage: Stage) -> Vec<&'a KernelRow> {
        let mut rows: Vec<&KernelRow> = self.facts.rows(self.kind).filter(|row| row.call.stage == stage).collect();
        rows.sort_by(|a, b| b.time.get().total_cmp(&a.time.get()));
        rows
    }

    /// The shape of a kernel's problem, sizes in the unit a person would choose.
    fn shape(&self, kernel: &Kernel) -> String {
        let words = &self.text.kernel;
        match kernel {
            Kernel::Elementwise(k) => {
                words.rows.fill(&[("n", &integer(k.rows.round() as u64)), ("bytes", &data_size(k.bytes))])
            }
            Kernel::AllReduce(k) => words.ranks.fill(&[("n", &k.ranks), ("bytes", &data_size(k.bytes))]),
            Kernel::Transfer(k) => data_size(k.bytes),
            _ => figures::shape(kernel),
        }
    }

    /// A kernel as the tables show it.
    pub(super) fn kernel(&self, row: &KernelRow) -> view::KernelRow {
        let machine = &self.facts.scenario.machine;
        let figures = KernelFigures::new(row, machine);
        let or_dash = |text: Option<String>| text.unwrap_or_else(|| ABSENT.to_owned());
        let occupancy = row.cost.occupancy.map(|occupancy| occupancy.achieved);
        let peak = match row.call.kernel {
            Kernel::Transfer(_) => machine.sheet.pcie.raw,
            _ => machine.sheet.bandwidth,
        };
        view::KernelRow {
            key: self.key(row),
            name: row.call.name.to_owned(),
            shape: self.shape(&row.call.kernel),
            time: ms(row.time.ms()),
            time_sort: bars::sort(Some(row.time.ms())),
            calls: integer(row.call.calls.round() as u64),
            calls_sort: format!("{}", row.call.calls.round()),
            occupancy: bars::meter(or_dash(occupancy.map(percent)), occupancy, 1.0),
            bandwidth: bars::meter(
                or_dash(figures.achieved_gb_s.map(|rate| with_unit(rate, "GB/s"))),
                figures.achieved_gb_s,
                peak.gb_s(),
            ),
            l2: or_dash(row.cost.l2_hit.map(percent)),
            l2_sort: bars::sort(row.cost.l2_hit),
            bound: self.text.bound.resource(row.cost.bound).to_owned(),
        }
    }
}
