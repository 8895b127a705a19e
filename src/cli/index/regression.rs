//! Gates on the terminal: what got slower than the baseline, and which gates failed.

use crate::emit::junit::{Case, End};
use crate::publish;
use crate::quantity::format::{ms, signed_percent};
use crate::report::index::{Change, ChangeKind, Entry, Index};

/// Failed gates said on the terminal.
const SAID: usize = 20;

/// Says failed gates on standard error, each with its report; whether there are any. Errors have been said before.
pub(in crate::cli) fn say<'a>(cases: impl IntoIterator<Item = (&'a str, &'a Case)>) -> bool {
    let failed = cases.into_iter().filter_map(|(report, case)| match &case.end {
        End::Failed(why) => Some(format!("gate failed: {report}: {}: {why}", case.name)),
        End::Passed | End::Error(_) => None,
    });
    let failed: Vec<String> = failed.collect();
    for line in failed.iter().take(SAID) {
        publish::to_stderr(line);
    }
    if failed.len() > SAID {
        publish::to_stderr(&format!("{} more gates failed", failed.len() - SAID));
    }
    !failed.is_empty()
}

/// Whether a report got slower than the baseline; none without one.
pub(in crate::cli) fn regression(entry: &Entry, index: &Index) -> Option<Case> {
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
