//! A folder of reports: what changed, how each stands, what was learnt.

use super::Verdict;
use super::parts::{Figure, Mark, Markup, Tone};
use super::trust::Source;

/// Sections of an index.
#[derive(Clone, Debug)]
pub struct IndexPage {
    /// What changed, and how the reports stand.
    pub verdict: Verdict,
    /// Files that are left out; none where there are none.
    pub errors: Option<IndexErrors>,
    /// What changed since the baseline; none without one.
    pub changes: Option<IndexChanges>,
    /// All reports.
    pub list: IndexList,
    /// The knowledge base.
    pub notes: Vec<NoteCard>,
    /// What the page is.
    pub about: IndexAbout,
}

/// Words with the place they lead to, where there is one.
#[derive(Clone, Debug)]
pub struct Place {
    /// What the reader sees.
    pub text: String,
    /// A relative address.
    pub href: Option<String>,
}

/// Files that are left out because something is wrong with them.
#[derive(Clone, Debug)]
pub struct IndexErrors {
    /// Where, what, and what to do about it.
    pub lines: Vec<String>,
    /// How many more there are; empty where there are none.
    pub beyond: String,
}

/// What changed since the baseline.
#[derive(Clone, Debug)]
pub struct IndexChanges {
    /// Heading.
    pub title: String,
    /// What counts as a change.
    pub lede: String,
    /// The largest changes, slower first.
    pub rows: Vec<ChangeRow>,
    /// Those that follow.
    pub more: Vec<ChangeRow>,
    /// What opens them.
    pub more_label: String,
    /// What is not listed; empty where everything is.
    pub beyond: String,
    /// Points that are new or gone, report by report.
    pub points: Vec<String>,
    /// How many more there are; empty where there are none.
    pub points_more: String,
    /// Reports that the baseline does not have.
    pub appeared: Vec<Place>,
    /// How many more there are; empty where there are none.
    pub appeared_more: String,
    /// Reports that only the baseline has.
    pub gone: Vec<String>,
    /// How many more there are; empty where there are none.
    pub gone_more: String,
    /// How the largest regressions came about.
    pub trends: Vec<Figure>,
}

/// A change of a point.
#[derive(Clone, Debug)]
pub struct ChangeRow {
    /// Slower, faster, stopped, runs now.
    pub mark: Mark,
    /// The report.
    pub report: Place,
    /// The point of it.
    pub point: String,
    /// The time before and now; empty where it did not run.
    pub times: String,
    /// The relative change.
    pub delta: Option<Delta>,
}

/// A relative change: sign and shape, and a word for those who hear it.
#[derive(Clone, Debug)]
pub struct Delta {
    /// How good it is.
    pub tone: Tone,
    /// Slower or faster.
    pub word: &'static str,
    /// `▲ +11.8 %`.
    pub text: String,
}

/// All reports, what needs attention first.
#[derive(Clone, Debug)]
pub struct IndexList {
    /// Search and filters.
    pub filters: Filters,
    /// Whether there is anything to compare with.
    pub compared: bool,
    /// Heading of the curves over past runs; empty where there are none.
    pub runs: String,
    /// The reports.
    pub rows: Vec<ReportRow>,
}

/// What the rows can be filtered by.
#[derive(Clone, Debug)]
pub struct Filters {
    /// Results that occur: key and words.
    pub statuses: Vec<(&'static str, &'static str)>,
    /// Models that occur.
    pub models: Vec<String>,
    /// Machines that occur.
    pub machines: Vec<String>,
    /// Rows in all.
    pub total: String,
    /// `of 36`.
    pub of_total: String,
}

/// A report in the list.
#[derive(Clone, Debug)]
pub struct ReportRow {
    /// Its title and page.
    pub report: Place,
    /// The point whose times are shown.
    pub point: String,
    /// Full pages of its points.
    pub pages: Vec<Place>,
    /// What the search finds beside the words of the row.
    pub words: String,
    /// Its models, separated by bars.
    pub models: String,
    /// Its machines, separated by bars.
    pub machines: String,
    /// Key of its result.
    pub status: &'static str,
    /// The result.
    pub mark: Mark,
    /// Its rank in the list, which the result sorts by.
    pub rank: String,
    /// How its points stand.
    pub points: String,
    /// Time to first token.
    pub ttft: Amount,
    /// Time per output token.
    pub tpot: Amount,
    /// Memory of a device.
    pub memory: Amount,
    /// What changed, with the value that it sorts by.
    pub change: RowChange,
    /// Its past runs.
    pub runs: Option<Sparkline>,
}

/// An amount with what it is measured against.
#[derive(Clone, Debug)]
pub struct Amount {
    /// The amount, or an en dash.
    pub text: String,
    /// Value that a table sorts by.
    pub sort: String,
    /// Target or limit; may be empty.
    pub against: String,
}

/// The cell of a report's change.
#[derive(Clone, Debug)]
pub struct RowChange {
    /// The largest one.
    pub delta: Option<Delta>,
    /// How many points, or why there is no change.
    pub note: String,
    /// Value that a table sorts by.
    pub sort: String,
}

/// A curve of a few pixels; positions in units of the drawing.
#[derive(Clone, Debug)]
pub struct Sparkline {
    /// Its points.
    pub points: String,
    /// The last one.
    pub x: String,
    /// The last one.
    pub y: String,
    /// How good the last change was.
    pub tone: Tone,
}

/// A note of the knowledge base.
#[derive(Clone, Debug)]
pub struct NoteCard {
    /// Headline.
    pub title: String,
    /// Model, machine, day.
    pub facts: Vec<String>,
    /// Symptom, bottleneck, fix, effect.
    pub lines: Vec<Source>,
    /// The text.
    pub body: Markup,
}

/// What the page is and how it came about.
#[derive(Clone, Debug)]
pub struct IndexAbout {
    /// Names with what there is to say.
    pub lines: Vec<Source>,
    /// Results with their meaning.
    pub statuses: Vec<(Mark, &'static str)>,
    /// How to type the command.
    pub rebuild: String,
    /// The command.
    pub command: String,
}
