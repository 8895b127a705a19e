//! After the reports: index, summary for a pull request, JUnit file, exit code.

use std::path::Path;

use crate::cli::args::IndexOptions;
use crate::cli::exit::{Exit, Failure};
use crate::cli::index;
use crate::cli::walk::Found;
use crate::diagnose::Metric;
use crate::emit::junit::{Case, End, Suite, junit};
use crate::emit::summary;
use crate::publish;
use crate::quantity::format::{ms, signed_percent};
use crate::report::index::{Change, ChangeKind, Entry, Index};
use crate::report::sweep::{GateCheck, GateKind, SweepReport, Verdict, checks};

/// A report that was tried.
pub(super) struct Ran {
    pub stem: String,
    pub result: Result<Option<SweepReport>, (Exit, String)>,
}

/// Writes what stands beside the reports; the exit code of all of them.
pub(super) fn conclude(
    reports: &[Ran],
    folder: &Path,
    options: &IndexOptions,
    notes: &[Found],
) -> Result<Exit, Failure> {
    let brought = index::bring_notes(notes, folder)?;
    let (index, mut exit) = index::build(folder, options)?;
    exit = exit.worst(brought);
    index::write(&index, folder, options)?;
    let suites: Vec<Suite> = reports.iter().map(|ran| suite(ran, &index)).collect();
    publish::write(&folder.join("junit.xml"), junit(&suites).as_bytes())?;
    let text = summary::markdown(&index, &failures(&suites));
    publish::write(&folder.join("summary.md"), text.as_bytes())?;
    publish::to_stdout(&format!("{}\n", folder.join("index.html").display()))?;
    for ran in reports {
        exit = exit.worst(exit_of(ran));
    }
    if suites.iter().flat_map(|suite| &suite.cases).any(|case| matches!(case.end, End::Failed(_))) {
        exit = exit.worst(Exit::Gate);
    }
    let nothing_runs = reports.iter().all(|ran| matches!(&ran.result, Ok(Some(report)) if report.summary.ran == 0));
    Ok(if nothing_runs && !reports.is_empty() { exit.worst(Exit::Infeasible) } else { exit })
}

/// The exit code of parts, which have neither pages nor gates.
pub(super) fn exit_of_shards(reports: &[Ran]) -> Exit {
    reports.iter().map(exit_of).fold(Exit::Done, Exit::worst)
}

fn exit_of(ran: &Ran) -> Exit {
    ran.result.as_ref().err().map_or(Exit::Done, |(exit, _)| *exit)
}

/// Gates and regressions of a report as test cases.
fn suite(ran: &Ran, index: &Index) -> Suite {
    let cases = match &ran.result {
        Err((_, why)) => vec![Case { name: "report".to_owned(), end: End::Error(why.clone()) }],
        Ok(None) => Vec::new(),
        Ok(Some(report)) => {
            let gates = checks(report).into_iter().map(gate);
            let entry = index.entries.iter().find(|entry| entry.stem == ran.stem);
            let counted = Case { name: format!("{} points simulated", report.summary.total), end: End::Passed };
            std::iter::once(counted).chain(gates).chain(entry.and_then(|entry| regression(entry, index))).collect()
        }
    };
    Suite { name: ran.stem.clone(), cases }
}

fn gate(check: GateCheck) -> Case {
    let metric = |metric: Metric| metric.name();
    let name = match check.kind {
        GateKind::Focus(m) => format!("focus meets its {} target ({})", metric(m), check.subject),
        GateKind::Own(m) => format!("point meets its {} target ({})", metric(m), check.subject),
        GateKind::Best => "a point meets all targets".to_owned(),
        GateKind::All => "every point meets all targets".to_owned(),
    };
    let end = match check.verdict {
        Verdict::Holds => End::Passed,
        Verdict::Missed { value: Some(value), target } => {
            End::Failed(format!("{} against {}: {} over", ms(value), ms(target), ms(value - target)))
        }
        Verdict::Missed { value: None, target } => End::Failed(format!("no value against {}", ms(target))),
        Verdict::NoneOf(ran) => End::Failed(format!("none of {ran} that run")),
        Verdict::SomeMiss(missed) => End::Failed(format!("{missed} miss a target")),
    };
    Case { name, end }
}

/// Whether a report got slower than the baseline; none without one.
fn regression(entry: &Entry, index: &Index) -> Option<Case> {
    let changes = entry.changes.as_ref()?;
    let name = format!("no point slower by more than {} %", index.threshold_percent());
    let end = match changes.largest.first().filter(|_| changes.slower > 0) {
        None => End::Passed,
        Some(first) => {
            End::Failed(format!("{} of {} slower; the largest: {}", changes.slower, changes.compared, told(first)))
        }
    };
    Some(Case { name, end })
}

fn told(change: &Change) -> String {
    match change.kind {
        ChangeKind::Time { metric, from, to } => {
            let share = signed_percent(change.kind.share());
            format!("{}: {} {} → {} ({share})", change.subject, metric.name(), ms(from), ms(to))
        }
        ChangeKind::Stopped => format!("{}: does not run any more", change.subject),
        ChangeKind::Started => format!("{}: runs now", change.subject),
    }
}

/// What failed, as report and words.
fn failures(suites: &[Suite]) -> Vec<(String, String)> {
    let mut list = Vec::new();
    for suite in suites {
        for case in &suite.cases {
            match &case.end {
                End::Passed => {}
                End::Failed(why) | End::Error(why) => list.push((suite.name.clone(), format!("{}: {why}", case.name))),
            }
        }
    }
    list
}
