//! Memory, the checklist, and claims beside the simulation.

use super::tone;
use crate::diagnose::Status;
use crate::quantity::Bytes;
use crate::quantity::format::{gib, integer, percent};
use crate::report::chart::bars;
use crate::report::text::Text;
use crate::report::view::{Claim, Fit, Mark, Memory, MemoryRow, Requirement, Swatch};
use crate::report::words::{check, claim};
use crate::report::{Report, Told};

/// The section.
pub(super) fn build(report: &Report, told: &Told, text: &Text) -> Fit {
    Fit {
        memory: memory(report, text),
        requirements: requirements(report, text),
        claims: told.claims.iter().map(|c| said(c, report, text)).collect(),
    }
}

fn said(c: &crate::diagnose::Claim, report: &Report, text: &Text) -> Claim {
    Claim {
        claim: c.kind.key().to_owned(),
        claimed: claim::value(c.kind, c.claimed),
        simulated: claim::value(c.kind, c.simulated),
        explanation: claim::explanation(c, report, text),
    }
}

/// Weights, KV cache, activations and runtime: name, colour and size.
pub(super) fn parts(report: &Report, text: &Text) -> [(Swatch, String, Bytes); 4] {
    let (words, scenario, memory) = (&text.fit, &report.scenario, report.memory());
    let workload = &scenario.workload;
    let tokens = memory.kv_needed_tokens / workload.batch_size;
    let kv = words.kv.fill(&[
        ("dtype", &scenario.model.kv),
        ("sequences", &integer(workload.batch_size)),
        ("tokens", &integer(tokens)),
    ]);
    [
        (Swatch::FFN, words.weights.fill(&[("dtype", &scenario.model.weights)]), memory.weights),
        (Swatch::KV, kv, memory.kv_cache),
        (Swatch::ATTN, words.activations.to_owned(), memory.activation),
        (Swatch::HOST, words.runtime.to_owned(), memory.runtime),
    ]
}

fn memory(report: &Report, text: &Text) -> Memory {
    let (words, memory) = (&text.fit, report.memory());
    let parts = parts(report, text);
    let capacity = memory.capacity.get();
    let row = |swatch: Option<Swatch>, name: String, size: f64| MemoryRow {
        swatch,
        name,
        size: gib(size),
        share: percent(size / capacity),
    };
    let bar: Vec<(Swatch, f64)> = parts.iter().map(|(swatch, _, size)| (*swatch, size.get())).collect();
    let mut rows: Vec<MemoryRow> =
        parts.into_iter().map(|(swatch, name, size)| row(Some(swatch), name, size.get())).collect();
    rows.push(row(None, words.free.to_owned(), memory.free().get()));
    rows.push(row(None, words.kept_free.to_owned(), (memory.capacity - memory.usable).get()));
    let limit = percent(report.scenario.deployment.memory_utilization);
    let (used, whole) = (gib(memory.needed().get()), gib(capacity));
    let ranks = report.scenario.gpus();
    Memory {
        title: if ranks > 1 { words.budget_each.fill(&[("n", &ranks)]) } else { words.budget.to_owned() },
        lede: words.budget_lede.fill(&[("used", &used), ("capacity", &whole), ("limit", &limit)]),
        label: words.bar.fill(&[("used", &used), ("capacity", &whole), ("limit", &limit)]),
        segments: bars::segments(&bar, capacity),
        limit: bars::position(memory.usable.get(), capacity),
        rows,
        tokens: words
            .budget_tokens
            .fill(&[("capacity", &integer(memory.kv_capacity_tokens)), ("needed", &integer(memory.kv_needed_tokens))]),
    }
}

/// The checklist.
pub(super) fn requirements(report: &Report, text: &Text) -> Vec<Requirement> {
    let words = &text.fit;
    let requirement = |c: &crate::diagnose::Check| {
        let said = check::said(c, report, text);
        let result = match c.status {
            Status::Pass => words.pass,
            Status::Warn => words.warn,
            Status::Fail => words.fail,
        };
        Requirement {
            item: said.item,
            needs: said.needs,
            has: said.has,
            arithmetic: said.arithmetic,
            remark: if c.status == Status::Pass { String::new() } else { said.message },
            mark: Mark::new(tone(c.status), result),
        }
    };
    report.checks.iter().map(requirement).collect()
}
