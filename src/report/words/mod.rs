//! What the numbers say, in sentences: causes and remedies, requirements, claims, warnings.
//!
//! Every function takes the language's table. The record for machines is always in English and in plain characters.

mod bench;
pub(super) mod cause;
pub(super) mod check;
pub(super) mod claim;
mod command;
mod confirm;
pub(super) mod evidence;
pub(super) mod facts;
pub(super) mod lever;
pub(super) mod load;
pub(super) mod names;
mod profiler;
pub(super) mod ticket;
pub(super) mod warning;
pub(super) mod way;

pub(super) use command::Command;

use super::Report;
use super::record::{CheckRecord, ClaimRecord, Warning};
use super::text::{EN, Text};
use crate::diagnose::{Bottleneck, Check, Claim};
use crate::quantity::format::{MINUS, NBSP};
use crate::simulate::PhaseKind;
use facts::Facts;

/// A bottleneck in sentences.
pub(super) struct Telling {
    /// The phase it is told in.
    pub(super) phase: PhaseKind,
    /// The best remedy as an instruction.
    pub(super) title: String,
    /// Why time is lost.
    pub(super) cause: String,
    /// How the remedy is done.
    pub(super) remedy: String,
    /// What it takes and what else it changes.
    pub(super) takes: String,
    /// Who can do it.
    pub(super) owner: &'static str,
    /// Commands that show the cause.
    pub(super) commands: Vec<Command>,
    /// The reading to expect from them.
    pub(super) reading: String,
}

impl Telling {
    pub(super) fn new(report: &Report, bottleneck: &Bottleneck, facts: Facts<'_>, text: &Text) -> Self {
        let lever = bottleneck.effect.lever;
        let phase = cause::phase(bottleneck, &facts);
        let remedy = lever::Remedy::new(lever, facts, text);
        Self {
            phase,
            title: remedy.title(),
            cause: cause::sentence(bottleneck, &facts, text),
            remedy: remedy.how(),
            takes: lever::takes(&bottleneck.effect, text),
            owner: lever::owner(lever, text),
            commands: profiler::commands(report, bottleneck.cause, phase),
            reading: confirm::reading(bottleneck.cause, phase, &facts, text),
        }
    }
}

/// A bottleneck in plain English, for the record.
pub(super) struct PlainTelling {
    pub(super) title: String,
    pub(super) cause: String,
    pub(super) remedy: String,
    pub(super) verify: Vec<String>,
    pub(super) owner: String,
    pub(super) cost_notes: Vec<String>,
}

/// A bottleneck in plain English.
pub(super) fn bottleneck(report: &Report, facts: Facts<'_>, bottleneck: &Bottleneck) -> PlainTelling {
    let telling = Telling::new(report, bottleneck, facts, &EN);
    PlainTelling {
        title: plain(&telling.title),
        cause: plain(&telling.cause),
        remedy: plain(&telling.remedy),
        verify: telling.commands.iter().map(Command::in_one_line).collect(),
        owner: telling.owner.to_owned(),
        cost_notes: bottleneck.remedies.iter().map(|remedy| plain(&lever::takes(&remedy.effect, &EN))).collect(),
    }
}

/// A requirement for the record.
pub(super) fn check(report: &Report, check: &Check) -> CheckRecord {
    let said = check::said(check, report, &EN);
    CheckRecord {
        id: check.kind.id(),
        status: check.status.name(),
        message: plain(&said.message),
        arithmetic: plain(&said.arithmetic),
    }
}

/// A claim for the record.
pub(super) fn claim(report: &Report, claim: &Claim) -> ClaimRecord {
    ClaimRecord {
        claim: claim.kind.key(),
        claimed: claim.claimed,
        simulated: claim.simulated,
        unit: claim.kind.unit(),
        explanation: plain(&claim::explanation(claim, report, &EN)),
    }
}

/// The warnings for the record.
pub(super) fn warnings(report: &Report) -> Vec<Warning> {
    let plain_warning = |warning: warning::Warning| Warning {
        id: warning.id,
        message: plain(&warning.message),
        help: plain(&warning.help),
    };
    warning::all(report, &EN).into_iter().map(plain_warning).collect()
}

/// With plain spaces and signs: for machines, tickets and terminals.
pub(super) fn plain(text: &str) -> String {
    text.replace(NBSP, " ").replace(MINUS, "-")
}
