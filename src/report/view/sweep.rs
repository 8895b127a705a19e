//! A declared report: what to run, and why not the others.

use super::parts::{Figure, Mark, Markup, Table};
use super::scaling::HeatRow;
use super::trust::Source;
use super::verdict::Verdict;
use crate::report::text::Inline;

/// Sections of a declared report.
#[derive(Clone, Debug)]
pub struct Sweep {
    /// What to run.
    pub verdict: Verdict,
    /// The best point for each question; none where no field varies.
    pub best: Option<BestTable>,
    /// Where the targets hold; none where no field varies.
    pub map: Option<Map>,
    /// What each choice buys; none where there is nothing to draw.
    pub curves: Option<Curves>,
    /// The points.
    pub list: PointList,
    /// Notes beside the report.
    pub notes: Option<Notes>,
    /// How far can I believe it?
    pub trust: SweepTrust,
    /// What was asked, and how do I get this again?
    pub repro: SweepRepro,
}

/// The best point for each value of one or two fields.
#[derive(Clone, Debug)]
pub struct BestTable {
    /// How to read it.
    pub lede: String,
    /// The field of the rows.
    pub corner: String,
    /// Values of the field of the columns.
    pub columns: Vec<String>,
    /// A row for each value.
    pub rows: Vec<BestRow>,
    /// How many rows are left out; may be empty.
    pub more: String,
}

/// A row of best points.
#[derive(Clone, Debug)]
pub struct BestRow {
    /// The value.
    pub label: String,
    /// Its best points.
    pub cells: Vec<BestCell>,
}

/// The best point of a cell, or why there is none.
#[derive(Clone, Debug)]
pub enum BestCell {
    /// A point.
    Point {
        /// What was chosen.
        choice: String,
        /// What it gives.
        figures: String,
        /// The recommended point.
        here: bool,
    },
    /// Why there is none.
    None(Mark),
}

/// The heat map with its selectors.
#[derive(Clone, Debug)]
pub struct Map {
    /// What it shows.
    pub title: String,
    /// How to read it.
    pub lede: String,
    /// What is shown: figure and selected values.
    pub caption: String,
    /// Fields that are neither rows nor columns.
    pub selects: Vec<MapSelect>,
    /// Figures: key and words; the first is shown.
    pub figures: Vec<[String; 2]>,
    /// What the rows are.
    pub corner: String,
    /// Headings of the columns.
    pub columns: Vec<String>,
    /// Rows.
    pub rows: Vec<HeatRow>,
    /// Why cells are empty; may be none.
    pub why: Vec<String>,
    /// What a point needs that does not fit, with a hole for the script.
    pub needs: &'static str,
}

/// A selector of the map; the script fills in its values.
#[derive(Clone, Debug)]
pub struct MapSelect {
    /// Number of the field in the data.
    pub axis: String,
    /// The field.
    pub label: String,
}

/// Curves around the point of the verdict.
#[derive(Clone, Debug)]
pub struct Curves {
    /// What is fixed.
    pub lede: String,
    /// The charts.
    pub charts: Vec<Figure>,
}

/// The table of points.
#[derive(Clone, Debug)]
pub struct PointList {
    /// Which points are listed.
    pub lede: String,
    /// What the filter can do.
    pub search: String,
    /// That not all points are on the page; may be empty.
    pub thinned: String,
    /// Full pages of single points.
    pub full: Vec<Link>,
    /// The files that hold every point.
    pub files: Vec<Inline>,
    /// What one could type into the filter.
    pub example: String,
    /// Whether the list starts with the points that meet their targets.
    pub starts_good: bool,
    /// What the list can be narrowed to: codes of standings, and words.
    pub standings: Vec<[String; 2]>,
    /// How many are shown, with holes for the script.
    pub shown: &'static str,
    /// How many are shown.
    pub count: String,
    /// Columns.
    pub columns: Vec<ListColumn>,
    /// The best points.
    pub rows: Vec<ListRow>,
    /// Marks of all standings, for the script.
    pub marks: Vec<Mark>,
}

/// A link to another file.
#[derive(Clone, Debug)]
pub struct Link {
    /// Where it leads.
    pub href: String,
    /// What the reader sees.
    pub text: String,
}

/// A column of the table of points.
#[derive(Clone, Debug)]
pub struct ListColumn {
    /// Its key in the data: the number of a field, or the letter of a figure.
    pub key: String,
    /// Heading.
    pub title: String,
    /// Set to the right, as numbers are.
    pub numeric: bool,
    /// Whether the rows are sorted by it.
    pub sorted: Sorted,
}

/// Whether and how rows are sorted by a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sorted {
    /// Not by it.
    No,
    /// Smallest first.
    Ascending,
    /// Largest first.
    Descending,
}

impl Sorted {
    /// The value of `aria-sort`; none where it has none.
    #[must_use]
    pub const fn aria(self) -> Option<&'static str> {
        match self {
            Self::No => None,
            Self::Ascending => Some("ascending"),
            Self::Descending => Some("descending"),
        }
    }
}

/// A point in the table.
#[derive(Clone, Debug)]
pub struct ListRow {
    /// Its values and figures, a column each.
    pub cells: Vec<String>,
    /// How it stands.
    pub mark: Mark,
}

/// Notes beside the report.
#[derive(Clone, Debug)]
pub struct Notes {
    /// What they are about.
    pub title: String,
    /// Their text.
    pub body: Markup,
}

/// Error bands of the classes of machines.
#[derive(Clone, Debug)]
pub struct SweepTrust {
    /// What a band is.
    pub lede: String,
    /// A row for each class and metric.
    pub errors: Table,
    /// Where the rest stands.
    pub elsewhere: String,
}

/// What was asked, and the command.
#[derive(Clone, Debug)]
pub struct SweepRepro {
    /// The command.
    pub command: String,
    /// Fields, settings, targets, and where the answer came from.
    pub asked: Vec<Source>,
}
