//! Markdown for a pull request: how each report stands, what failed, what changed.

use std::fmt::Write;

use super::markdown::{escaped, table};
use crate::quantity::format::{integer, ms, signed_percent};
use crate::report::index::{ChangeKind, Entry, EntryKind, Index, Status};

/// Changes listed.
const LISTED: usize = 10;

/// The summary. `failures` names reports with the gates that failed.
#[must_use]
pub fn markdown(index: &Index, failures: &[(String, String)]) -> String {
    let count = |wanted| index.entries.iter().filter(|entry| entry.status == wanted).count();
    let mut out = String::new();
    let _ = writeln!(out, "## {}\n", head(failures.len(), index.broken.len()));
    let parts = Status::ALL.map(|(status, _)| (count(status), word(status)));
    let parts: Vec<String> = parts.iter().filter(|(n, _)| *n > 0).map(|(n, word)| format!("{n} {word}")).collect();
    let reports = counted(index.entries.len(), ["report", "reports"]);
    let _ = writeln!(out, "{}\n", if parts.is_empty() { reports } else { format!("{reports}: {}", parts.join(", ")) });
    if !index.broken.is_empty() {
        let rows = index.broken.iter().map(|broken| [broken.stem.as_str(), broken.why.as_str()]);
        let _ = writeln!(out, "{}", table(["File", "Error"], rows));
    }
    if !failures.is_empty() {
        let rows = failures.iter().map(|(report, what)| [report.as_str(), what.as_str()]);
        let _ = writeln!(out, "{}", table(["Report", "Failed"], rows));
    }
    let rows: Vec<[String; 6]> = index.entries.iter().map(row).collect();
    let rows = rows.iter().map(|row| row.each_ref().map(String::as_str));
    let _ = writeln!(out, "{}", table(["Report", "Status", "Points", "Point", "TTFT", "TPOT"], rows));
    if let Some(baseline) = &index.baseline {
        let _ = writeln!(out, "### Since {}\n\n{}", escaped(baseline), changed(index));
        let appeared = index.entries.iter().filter(|entry| entry.appeared).map(|entry| entry.title.as_str());
        let gone = index.gone.iter().map(|gone| gone.title.as_str());
        out += &listed("New", &appeared.collect::<Vec<_>>());
        out += &listed("Gone", &gone.collect::<Vec<_>>());
    }
    out
}

/// What the summary says first.
fn head(failed: usize, broken: usize) -> String {
    let errors = counted(broken, ["file with errors", "files with errors"]);
    let gates = counted(failed, ["gate failed", "gates failed"]);
    match (failed, broken) {
        (0, 0) => "All gates hold".to_owned(),
        (_, 0) => gates,
        (0, _) => errors,
        _ => format!("{errors}, {gates}"),
    }
}

/// `1 report`, `2 reports`.
fn counted(n: usize, [one, many]: [&str; 2]) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

/// Reports under a word, as one line; nothing where there are none.
fn listed(word: &str, titles: &[&str]) -> String {
    let more = titles.len().saturating_sub(LISTED);
    let mut names: Vec<String> = titles.iter().take(LISTED).map(|title| escaped(title)).collect();
    names.extend((more > 0).then(|| format!("{more} more")));
    if names.is_empty() { String::new() } else { format!("\n{word}: {}\n", names.join(", ")) }
}

fn word(status: Status) -> &'static str {
    match status {
        Status::NotReady => "miss a target",
        Status::DoesNotFit => "do not fit",
        Status::AtRisk => "at risk",
        Status::Ready => "ready",
        Status::NoTarget => "without target",
    }
}

fn row(entry: &Entry) -> [String; 6] {
    let points = match &entry.kind {
        EntryKind::Single => "1".to_owned(),
        EntryKind::Sweep { points, .. } => integer(*points),
    };
    let time = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), ms);
    let point = [&entry.point.model, &entry.point.hardware].into_iter().chain(&entry.point.fields);
    let point = point.filter(|part| !part.is_empty()).cloned().collect::<Vec<_>>().join(", ");
    let name = format!("{} ({}.html)", entry.title, entry.stem);
    [name, word(entry.status).to_owned(), points, point, time(entry.point.ttft_ms), time(entry.point.tpot_ms)]
}

fn changed(index: &Index) -> String {
    let mut rows: Vec<[String; 4]> = Vec::new();
    for entry in &index.entries {
        for change in entry.changes.iter().flat_map(|changes| &changes.largest) {
            let (metric, times, word) = match change.kind {
                ChangeKind::Time { metric, from, to } => {
                    let share = signed_percent(change.kind.share());
                    let word = if to > from { "slower" } else { "faster" };
                    (metric.name(), format!("{} → {}", ms(from), ms(to)), format!("{word}, {share}"))
                }
                ChangeKind::Stopped => ("", String::new(), "does not run any more".to_owned()),
                ChangeKind::Started => ("", String::new(), "runs now".to_owned()),
            };
            rows.push([format!("{}: {}", entry.stem, change.subject), metric.to_owned(), times, word]);
        }
    }
    if rows.is_empty() {
        return format!("No time changed by more than {} %.\n", index.threshold_percent());
    }
    let more = rows.len().saturating_sub(LISTED);
    let shown = rows.iter().take(LISTED).map(|row| row.each_ref().map(String::as_str));
    let mut out = table(["Point", "Metric", "Time", "Change"], shown);
    if more > 0 {
        let _ = writeln!(out, "\n{more} more in index.html");
    }
    out
}
