//! A phase as the waterfall tells it: its stages, each with its kernels, longest first.

use crate::kernel::{Kernel, Stage, TransferKind};
use crate::quantity::format::{ABSENT, data_size, integer, ms, percent, with_unit};
use crate::report::chart::bars;
use crate::report::figures::{self, KernelFigures};
use crate::report::text::Text;
use crate::report::view;
use crate::report::words::facts::Facts;
use crate::simulate::{KernelRow, PhaseKind};

/// Kernels below this share of their phase have no bars, and are left out on paper.
pub(super) const MINOR: f64 = 0.005;

/// A phase of a run.
pub(super) struct Phase<'a> {
    pub(super) kind: PhaseKind,
    pub(super) facts: Facts<'a>,
    pub(super) text: &'a Text,
    /// TTFT, or the mean step, in ms.
    pub(super) total: f64,
    /// Its kernels; what layers of several shapes have in common is one row.
    pub(super) rows: Vec<KernelRow>,
}

impl<'a> Phase<'a> {
    /// A phase; none where the scenario leaves it out.
    pub(super) fn new(kind: PhaseKind, facts: Facts<'a>, text: &'a Text) -> Option<Self> {
        let total = facts.total(kind)?;
        let mut rows: Vec<KernelRow> = Vec::new();
        for row in facts.rows(kind) {
            match rows.iter_mut().find(|seen| seen.call.name == row.call.name && seen.call.kernel == row.call.kernel) {
                Some(seen) => {
                    seen.call.calls += row.call.calls;
                    seen.time += row.time;
                }
                None => rows.push(*row),
            }
        }
        Some(Self { kind, facts, text, total, rows })
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

    /// Key of a kernel, unique on the page: layers of several shapes have kernels of the same name.
    pub(super) fn key(&self, row: &KernelRow) -> String {
        let key = format!("{}{}", self.prefix(), row.call.name);
        match self.twins(row).position(|twin| twin.call.kernel == row.call.kernel) {
            None | Some(0) => key,
            Some(index) => format!("{key}-{}", index + 1),
        }
    }

    /// Kernels of the same name.
    fn twins<'r>(&'r self, row: &'r KernelRow) -> impl Iterator<Item = &'r KernelRow> {
        self.rows.iter().filter(|other| other.call.name == row.call.name)
    }

    /// The shape, where it is needed to tell kernels of the same name apart.
    pub(super) fn distinction(&self, row: &KernelRow) -> String {
        if self.twins(row).count() > 1 { self.shape(&row.call.kernel) } else { String::new() }
    }

    /// A kernel with its phase: `gate_up_proj (prefill)`.
    pub(super) fn kernel_name(&self, row: &KernelRow) -> String {
        match self.distinction(row).as_str() {
            "" => self.unique(row.call.name),
            shape => self.unique(&format!("{} {shape}", row.call.name)),
        }
    }

    /// A name that both phases have, with the phase.
    pub(super) fn unique(&self, name: &str) -> String {
        self.text.kernel.in_phase.fill(&[("name", &name), ("phase", &self.name())])
    }

    /// Share of the phase.
    pub(super) fn share(&self, ms: f64) -> f64 {
        if self.total > 0.0 { ms / self.total } else { 0.0 }
    }

    /// Kernels of a stage, longest first.
    pub(super) fn stage(&self, stage: Stage) -> Vec<&KernelRow> {
        let mut rows: Vec<&KernelRow> = self.rows.iter().filter(|row| row.call.stage == stage).collect();
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
            Kernel::CacheAppend(k) => data_size(k.bytes),
            Kernel::AllToAll(k) => words.ranks.fill(&[("n", &k.ranks), ("bytes", &data_size(k.wire_bytes()))]),
            Kernel::AllReduce(k) => words.ranks.fill(&[("n", &k.ranks), ("bytes", &data_size(k.bytes))]),
            Kernel::Send(k) => data_size(k.bytes),
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
        let rate = figures.achieved_gb_s;
        let peak = match row.call.kernel {
            Kernel::Transfer(copy) if copy.kind == TransferKind::Staging => None,
            Kernel::Transfer(_) => Some(machine.sheet.pcie.raw),
            _ => Some(machine.sheet.bandwidth),
        };
        // A bar for what matters; its place in a sorted table every figure keeps.
        let minor = self.share(row.time.ms()) < MINOR;
        let meter = |text: Option<String>, value: Option<f64>, whole: Option<f64>| view::Meter {
            sort: bars::sort(value),
            ..bars::meter(or_dash(text), value.filter(|_| !minor && whole.is_some()), whole.unwrap_or(1.0))
        };
        view::KernelRow {
            key: self.key(row),
            name: row.call.name.to_owned(),
            shape: self.shape(&row.call.kernel),
            time: ms(row.time.ms()),
            time_sort: bars::sort(Some(row.time.ms())),
            calls: integer(row.call.calls.round() as u64),
            calls_sort: format!("{}", row.call.calls.round()),
            occupancy: meter(occupancy.map(percent), occupancy, Some(1.0)),
            bandwidth: meter(rate.map(|rate| with_unit(rate, "GB/s")), rate, peak.map(|peak| peak.gb_s())),
            l2: or_dash(row.cost.l2_hit.map(percent)),
            l2_sort: bars::sort(row.cost.l2_hit),
            bound: self.text.bound.resource(row.cost.bound, machine).to_owned(),
        }
    }
}
