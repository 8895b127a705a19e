//! `simllm check`: a model held against a machine.

use super::args::{CheckArgs, ScenarioArgs};
use super::exit::{Exit, Failure};
use super::input;
use crate::publish;
use crate::quantity::format::number;
use crate::report::text::Lang;
use crate::report::{Record, Report};

/// Prints the checklist, claims beside the simulation, and warnings.
pub(super) fn run(args: &CheckArgs) -> Result<Exit, Failure> {
    // A requirement that fails is a line of the list here, not an error.
    let scenario = ScenarioArgs { allow_fallback: true, ..args.scenario.clone() };
    let question = input::question(&scenario)?;
    let report = Report::new(question.resolved, args.scenario.targets(), question.origin);
    let record = Record::new(&report);
    let mut text = format!("{} on {}\n\nRequirements\n", record.inputs.model, record.inputs.hardware);
    for check in &record.checks {
        text += &format!("  {:4}  {}\n        {}\n", check.status, check.message, check.arithmetic);
    }
    if !record.claims.is_empty() {
        text += "\nClaims of the profile\n";
    }
    for claim in &record.claims {
        let unit = claim.unit.replace("gb_s", "GB/s");
        let (claimed, simulated) = (number(claim.claimed), number(claim.simulated));
        text += &format!("  {}: claimed {claimed} {unit}, simulated {simulated} {unit}\n", claim.claim);
        text += &format!("        {}\n", claim.explanation);
    }
    if !record.warnings.is_empty() {
        text += "\nWarnings\n";
    }
    for warning in &record.warnings {
        text += &format!("  {}\n", warning.message);
        if !warning.help.is_empty() {
            text += &format!("        {}\n", warning.help);
        }
    }
    publish::to_stdout(&publish::printable(&text))?;
    let failed = record.checks.iter().any(|check| check.status == "fail");
    Ok(match super::profile::conclude(&report, Lang::En) {
        Exit::Done if failed => Exit::Gate,
        exit => exit,
    })
}
