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
use crate::quantity::format::ms;
use crate::report::index::{Broken, BrokenKind, Index};
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
    roots: &[String],
) -> Result<Exit, Failure> {
    let (broken, brought) = index::bring(notes, folder, roots)?;
    let failed = reports.iter().filter_map(|ran| broken_report(ran, roots)).chain(broken).collect();
    let (index, mut exit) = index::build(folder, options, failed)?;
    exit = exit.worst(brought);
    index::write(&index, folder, options)?;
    let mut suites: Vec<Suite> = reports.iter().map(|ran| suite(ran, &index)).collect();
    suites.extend(others(&index, reports));
    publish::write(&folder.join("junit.xml"), junit(&suites).as_bytes())?;
    let text = summary::markdown(&index, &failures(&suites));
    publish::write(&folder.join("summary.md"), text.as_bytes())?;
    publish::to_stdout(&format!("{}\n", folder.join("index.html").display()))?;
    for ran in reports {
        exit = exit.worst(exit_of(ran));
    }
    let cases = suites.iter().flat_map(|suite| suite.cases.iter().map(|case| (suite.name.as_str(), case)));
    if index::say(cases) {
        exit = exit.worst(Exit::Gate);
    }
    let nothing_runs = reports.iter().all(|ran| matches!(&ran.result, Ok(Some(report)) if report.summary.ran == 0));
    Ok(if nothing_runs && !reports.is_empty() { exit.worst(Exit::Infeasible) } else { exit })
}

/// A report that failed, for the index.
fn broken_report(ran: &Ran, roots: &[String]) -> Option<Broken> {
    let (_, why) = ran.result.as_ref().err()?;
    Some(Broken::new(BrokenKind::Report, &ran.stem, why, roots))
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
            std::iter::once(counted)
                .chain(gates)
                .chain(entry.and_then(|entry| index::regression(entry, index)))
                .collect()
        }
    };
    Suite { name: ran.stem.clone(), cases }
}

/// What is wrong with other files of the folder; none where nothing is.
fn others(index: &Index, reports: &[Ran]) -> Option<Suite> {
    let told = |broken: &Broken| {
        broken.kind == BrokenKind::Report && reports.iter().any(|ran| ran.result.is_err() && ran.stem == broken.stem)
    };
    let case = |broken: &Broken| Case {
        name: format!("{} {}", broken.name(), broken.stem),
        end: End::Error(broken.why.clone()),
    };
    let cases: Vec<Case> = index.broken.iter().filter(|broken| !told(broken)).map(case).collect();
    (!cases.is_empty()).then(|| Suite { name: "index".to_owned(), cases })
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

/// Gates that failed, as report and words.
fn failures(suites: &[Suite]) -> Vec<(String, String)> {
    let mut list = Vec::new();
    for suite in suites {
        for case in &suite.cases {
            match &case.end {
                End::Passed | End::Error(_) => {}
                End::Failed(why) => list.push((suite.name.clone(), format!("{}: {why}", case.name))),
            }
        }
    }
    list
}
