//! A declared report: a title, a matrix of scenarios, and what to tell about them.
//!
//! Every list in `matrix` is an axis over a field of any input; the matrix is their product. `exclude` drops
//! combinations, `include` adds fields to those it matches and new points otherwise.

use super::document::Document;
use super::fault::SpecError;
use super::fields::{Fields, Findings, Range};
use super::suggest::nearest;

/// A declared report as written.
#[derive(Clone, Debug, Default)]
pub struct DeclaredSpec {
    /// What the report is about.
    pub title: Option<String>,
    /// The axes, in the order written.
    pub axes: Vec<Axis>,
    /// Fields for matching points, or points of their own.
    pub include: Vec<Assignments>,
    /// Combinations to drop.
    pub exclude: Vec<Assignments>,
    /// Fields that all points share: dotted path and value.
    pub settings: Assignments,
    /// Targets: metric key and milliseconds.
    pub budgets: Vec<(String, f64)>,
    /// What must meet the targets.
    pub gate: Option<Gate>,
    /// The point told in full: the first that has these values.
    pub focus: Assignments,
    /// A Markdown file beside the report.
    pub notes: Option<String>,
}

/// What of a report must meet its targets, for the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gate {
    /// The point told in full.
    Focus,
    /// At least one point.
    Best,
    /// Every point that runs.
    All,
}

impl Gate {
    /// Every gate with its name.
    pub const ALL: [(Self, &'static str); 3] = [(Self::Focus, "focus"), (Self::Best, "best"), (Self::All, "all")];

    /// The name used in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        super::request::name_in(&Self::ALL, self)
    }
}

impl std::str::FromStr for Gate {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        super::request::parse_in(&Self::ALL, text)
    }
}

/// Field paths (bare or dotted) with values, as text.
pub type Assignments = Vec<(String, String)>;

/// A field that varies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axis {
    /// The field's path, bare or dotted; `model` and `hardware` name the inputs themselves.
    pub path: String,
    /// Its values, as text.
    pub values: Vec<String>,
}

impl DeclaredSpec {
    /// Reads a declared report.
    ///
    /// # Errors
    /// All faults of the file at once.
    pub fn read(document: &Document) -> Result<Self, SpecError> {
        let findings = Findings::default();
        let mut fields = Fields::top(document, "", &findings);
        let mut spec = Self { title: fields.text("title"), notes: fields.text("notes"), ..Self::default() };
        if !fields.has("matrix") {
            fields.missing("matrix");
        }
        let mut matrix = fields.section("matrix");
        spec.include = matrix.section_list("include").iter().map(Fields::assignments).collect();
        spec.exclude = matrix.section_list("exclude").iter().map(Fields::assignments).collect();
        spec.axes = matrix.axes().into_iter().map(|(path, values)| Axis { path, values }).collect();
        check_axes(&matrix, &spec);
        for section in ["switches", "deployment", "workload", "model", "hardware"] {
            let prefix = format!("{section}.");
            let own = fields.section(section).assignments();
            spec.settings.extend(own.into_iter().map(|(path, value)| (prefix.clone() + &path, value)));
        }
        let mut budgets = fields.section("budgets");
        for key in ["ttft_ms", "tpot_ms", "e2e_ms"] {
            spec.budgets.extend(budgets.number(key, Range::positive(1e12)).map(|limit| (key.to_owned(), limit)));
        }
        budgets.finish();
        spec.gate = fields.one_of("gate");
        spec.focus = fields.section("focus").assignments();
        fields.finish();
        findings.conclude(spec).map(|(spec, _)| spec)
    }
}

fn check_axes(matrix: &Fields<'_>, spec: &DeclaredSpec) {
    for axis in &spec.axes {
        if axis.values.is_empty() {
            matrix.fault(&axis.path, format!("axis `{}` has no values", axis.path));
        }
        for (i, value) in axis.values.iter().enumerate() {
            if axis.values[..i].contains(value) {
                matrix.fault(&axis.path, format!("axis `{}` has {value} twice", axis.path));
            }
        }
    }
    for required in ["model", "hardware"] {
        let everywhere = spec.axes.iter().any(|axis| axis.path == required);
        let included =
            spec.axes.is_empty() && spec.include.iter().all(|point| point.iter().any(|(p, _)| p == required));
        if !everywhere && !included {
            let bare = spec.axes.iter().map(|axis| axis.path.as_str()).filter(|path| !path.contains('.'));
            match nearest(required, bare, 1).first() {
                Some(axis) => matrix.fault_with_help(
                    axis,
                    format!("`matrix.{required}` is missing"),
                    format!("did you mean `{required}` where `{axis}` stands?"),
                ),
                None => matrix.missing(required),
            }
        }
    }
    for (what, list) in [("exclude", &spec.exclude), ("include", &spec.include)] {
        if list.iter().any(Vec::is_empty) {
            matrix.fault(what, format!("`{what}` has an entry that names no field"));
        }
    }
    for (path, _) in spec.exclude.iter().flatten() {
        if !spec.axes.iter().any(|axis| axis.path == *path) {
            matrix.fault("exclude", format!("`exclude` names `{path}`, which is no axis"));
        }
    }
}
