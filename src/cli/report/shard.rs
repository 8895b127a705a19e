//! Parts of a declared report, simulated on several machines and joined on one.
//!
//! A part is a file of JSON lines: what was asked, each point, how many there were. Joined in the order of the matrix
//! they give the bytes that one machine would have written.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::declared::Declared;
use super::package::Package;
use super::press::Press;
use super::progress::Progress;
use crate::cli::args::PublishArgs;
use crate::cli::exit::Failure;
use crate::cli::{interrupt, walk};
use crate::publish::Draft;
use crate::report::sweep::SweepReport;
use crate::sweep::{PointResult, Runner, Shard, from_line, to_line};

/// The first line of a part.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Head {
    simllm_shard: String,
    shard: Shard,
    max_points: u64,
    package: Package,
}

/// The last line.
#[derive(Debug, Serialize, Deserialize)]
struct Tail {
    points: u64,
}

const ENDING: &str = "shard";
/// Points joined at a time.
const CHUNK: usize = 4096;

/// Simulates one part and writes it.
pub(super) fn write(package: Package, part: Shard, max_points: u64, folder: &Path) -> Result<(), Failure> {
    let head = Head { simllm_shard: env!("CARGO_PKG_VERSION").to_owned(), shard: part, max_points, package };
    let declared = Declared::new(head.package.clone(), max_points)?;
    let question = &declared.question;
    let path = folder.join(format!("{}.{}-of-{}.{ENDING}", question.stem, part.index, part.count));
    let mut draft = Draft::new(&path)?;
    draft.add(line(&head).as_bytes())?;
    let mut points = 0;
    let progress = Progress::new(&question.stem, question.matrix.upper_bound() / part.count);
    let mut runner = Runner::new(&question.matrix, &question.settings, question.budgets, &declared.library);
    let take = |results: Vec<PointResult>| {
        interrupt::check()?;
        points += results.len() as u64;
        progress.done(results.len() as u64);
        results.iter().try_for_each(|point| draft.add((to_line(point) + "\n").as_bytes()).map_err(Failure::from))
    };
    runner.run(|ordinal| part.holds(ordinal), take)?;
    draft.add(line(&Tail { points }).as_bytes())?;
    Ok(draft.finish()?)
}

fn line(value: &impl Serialize) -> String {
    // Serialising plain structs to memory cannot fail.
    serde_json::to_string(value).unwrap_or_default() + "\n"
}

/// The parts of one report.
pub(super) struct Parts {
    pub stem: String,
    head: Head,
    files: Vec<PathBuf>,
}

/// The parts under some folders, by report.
pub(super) fn find(folders: &[PathBuf]) -> Result<Vec<Parts>, Failure> {
    let mut reports: BTreeMap<String, Vec<(Head, PathBuf)>> = BTreeMap::new();
    for found in walk::find_all(folders, &[ENDING])? {
        let head = Part::open(&found.path)?.head;
        reports.entry(head.package.stem.clone()).or_default().push((head, found.path));
    }
    if reports.is_empty() {
        return Err(Failure::Input(format!(
            "no parts (*.{ENDING}) under these folders\nhelp: `simllm report PATH --shard I/N -o DIR` writes them"
        )));
    }
    reports.into_iter().map(|(stem, parts)| Parts::new(stem, parts)).collect()
}

impl Parts {
    fn new(stem: String, mut parts: Vec<(Head, PathBuf)>) -> Result<Self, Failure> {
        parts.sort_by_key(|(head, _)| head.shard.index);
        let (first, _) = &parts[0];
        let wrong = |what: String| Err(Failure::Input(format!("{stem}: {what}")));
        if first.simllm_shard != env!("CARGO_PKG_VERSION") {
            return wrong(format!(
                "simulated by version {}, this is {}\nhelp: join with the version that simulated",
                first.simllm_shard,
                env!("CARGO_PKG_VERSION")
            ));
        }
        let count = first.shard.count;
        if let Some((_, path)) = parts
            .iter()
            .find(|(head, _)| Head { shard: first.shard, ..head.clone() } != *first || head.shard.count != count)
        {
            return wrong(format!(
                "{} asks something else than {}\nhelp: simulate all parts from the same files",
                path.display(),
                parts[0].1.display()
            ));
        }
        let there: Vec<u64> = parts.iter().map(|(head, _)| head.shard.index).collect();
        if let Some(twice) = there.windows(2).find(|pair| pair[0] == pair[1]) {
            return wrong(format!("part {} of {count} is there twice\nhelp: give each part once", twice[0]));
        }
        let missing: Vec<String> =
            (1..=count).filter(|index| !there.contains(index)).map(|index| index.to_string()).take(20).collect();
        if !missing.is_empty() {
            return wrong(format!("of {count} parts these are missing: {}", missing.join(", ")));
        }
        Ok(Self { head: first.clone(), files: parts.into_iter().map(|(_, path)| path).collect(), stem })
    }

    /// Joins them.
    pub(super) fn merge(self, folder: &Path, publish: &PublishArgs) -> Result<SweepReport, Failure> {
        let declared = Declared::new(self.head.package, self.head.max_points)?;
        let mut press = Press::new(&declared, folder, publish.index.lang.lang(), publish.base_url.clone())?;
        let mut parts = self.files.iter().map(|path| Part::open(path)).collect::<Result<Vec<_>, _>>()?;
        let count = parts.len() as u64;
        let mut chunk = Vec::with_capacity(CHUNK);
        let mut ordinal = 0;
        while let Some(point) = parts[(ordinal % count) as usize].next(ordinal)? {
            chunk.push(point);
            if chunk.len() == CHUNK {
                press.take(std::mem::take(&mut chunk))?;
            }
            ordinal += 1;
        }
        press.take(chunk)?;
        for part in &mut parts {
            part.ends()?;
        }
        press.finish()
    }
}

/// A part, read line by line.
struct Part {
    path: PathBuf,
    head: Head,
    lines: std::io::Lines<BufReader<fs::File>>,
    read: u64,
    tail: Option<Tail>,
}

impl Part {
    fn open(path: &Path) -> Result<Self, Failure> {
        let file = fs::File::open(path).map_err(|e| Failure::Io(format!("cannot read {}: {e}", path.display())))?;
        let mut lines = BufReader::new(file).lines();
        let first = lines.next().and_then(Result::ok).unwrap_or_default();
        let head = serde_json::from_str(&first).map_err(|error| {
            Failure::Input(format!(
                "{}:1: not a part of a report: {error}\nhelp: was the file cut short, or is it another one?",
                path.display()
            ))
        })?;
        Ok(Self { path: path.to_owned(), head, lines, read: 0, tail: None })
    }

    /// The next point, which must have this place; none at the end.
    fn next(&mut self, ordinal: u64) -> Result<Option<PointResult>, Failure> {
        if self.tail.is_some() {
            return Ok(None);
        }
        let text = match self.lines.next() {
            Some(Ok(text)) => text,
            Some(Err(error)) => return Err(Failure::Io(format!("cannot read {}: {error}", self.path.display()))),
            None => return Err(self.wrong("ends before its last line: was it cut short?")),
        };
        if text.starts_with("{\"points\"") {
            self.tail = Some(serde_json::from_str(&text).map_err(|error| self.wrong(&error.to_string()))?);
            return Ok(None);
        }
        let point = from_line(&text).map_err(|error| self.wrong(&error))?;
        if point.ordinal != ordinal {
            return Err(self.wrong(&format!("holds point {} where {ordinal} was expected", point.ordinal)));
        }
        self.read += 1;
        Ok(Some(point))
    }

    /// Checks that nothing is missing at the end.
    fn ends(&mut self) -> Result<(), Failure> {
        if self.tail.is_none() && self.next(u64::MAX)?.is_some() {
            return Err(self.wrong("holds more points than the others"));
        }
        match &self.tail {
            Some(tail) if tail.points == self.read => Ok(()),
            _ => Err(self.wrong("holds another number of points than it says")),
        }
    }

    fn wrong(&self, what: &str) -> Failure {
        Failure::Input(format!("{}:{}: {what}\nhelp: simulate this part again", self.path.display(), self.read + 2))
    }
}
