//! What the modelled figures follow from, so that a reader can work them out again.

use super::phase::Phase;
use crate::cost::{Footprint, Origin};
use crate::quantity::format::{ABSENT, NBSP, data_size, integer, number, percent, with_unit};
use crate::report::figures;
use crate::report::text::Text;
use crate::report::view::{Column, KernelInputs, Table};
use crate::simulate::KernelRow;

/// The inputs of every kernel that has an occupancy.
pub(super) fn build(rows: &[(&Phase<'_>, &KernelRow)], text: &Text) -> Option<KernelInputs> {
    let (first, _) = rows.first()?;
    let lines: Vec<Vec<String>> = rows.iter().filter_map(|(phase, row)| line(phase, row)).collect();
    let words = &text.inputs;
    let columns = vec![
        Column::words(text.kernel.kernel),
        Column::words(words.block),
        Column::numbers(words.blocks_per_sm),
        Column::numbers(words.grid),
        Column::numbers(words.theoretical),
        Column::numbers(words.active),
        Column::numbers(words.requests),
        Column::numbers(words.traffic),
        Column::words(words.provenance),
    ];
    (!lines.is_empty()).then(|| KernelInputs {
        table: Table { label: words.label.to_owned(), columns, rows: lines },
        limits: limits(first, text),
        origins: origins(rows, text),
    })
}

fn line(phase: &Phase<'_>, row: &KernelRow) -> Option<Vec<String>> {
    let occupancy = row.cost.occupancy?;
    let scenario = phase.facts.scenario;
    let or_dash = |text: Option<String>| text.unwrap_or_else(|| ABSENT.to_owned());
    Some(vec![
        phase.kernel_name(row),
        block(&occupancy.footprint, phase.text),
        number_of(occupancy.blocks_per_sm),
        number_of(occupancy.grid_blocks),
        percent(occupancy.theoretical),
        percent(occupancy.sm_active),
        or_dash(row.cost.l2_bytes.map(|bytes| data_size(bytes.get()))),
        data_size(row.cost.dram_bytes.get()),
        figures::provenance(row.cost.provenance, &scenario.machine, &scenario.deployment.engine.id),
    ])
}

/// A count, which may be fractional for a mean batch.
fn number_of(count: f64) -> String {
    if count.fract() == 0.0 { integer(count as u64) } else { number(count) }
}

fn block(footprint: &Footprint, text: &Text) -> String {
    text.inputs.block_shape.fill(&[
        ("threads", &integer(footprint.threads as u64)),
        ("registers", &integer(footprint.registers as u64)),
        ("shared", &kib(footprint.shared_bytes)),
    ])
}

fn kib(bytes: f64) -> String {
    if bytes == 0.0 { format!("0{NBSP}KiB") } else { with_unit(bytes / 1024.0, "KiB") }
}

fn limits(phase: &Phase<'_>, text: &Text) -> String {
    let sheet = &phase.facts.scenario.machine.sheet;
    let Some(limits) = sheet.sm_limits else { return String::new() };
    text.inputs.limits.fill(&[
        ("sms", &integer(sheet.sm_count as u64)),
        ("warps", &integer(limits.warps as u64)),
        ("blocks", &integer(limits.blocks as u64)),
        ("registers", &integer(limits.registers as u64)),
        ("shared", &kib(limits.shared_memory.get())),
    ])
}

/// Each source of block shapes once, with the kernels it stands for.
fn origins(rows: &[(&Phase<'_>, &KernelRow)], text: &Text) -> Vec<String> {
    let mut found: Vec<(Origin, Vec<&str>)> = Vec::new();
    for (origin, name) in rows.iter().filter_map(|(_, row)| Some((row.cost.occupancy?.footprint.origin, row.call.name)))
    {
        match found.iter_mut().find(|(known, _)| *known == origin) {
            Some((_, names)) if names.contains(&name) => {}
            Some((_, names)) => names.push(name),
            None => found.push((origin, vec![name])),
        }
    }
    let said = |(origin, names): (Origin, Vec<&str>)| {
        let (phrase, source) = match origin {
            Origin::Source(source) => (&text.inputs.published, source),
            Origin::Assumed(reason) => (&text.inputs.assumed, reason),
        };
        phrase.fill(&[("kernels", &names.join(", ")), ("text", &source)])
    };
    found.into_iter().map(said).collect()
}
