//! A declared matrix as points: the product of the axes, less what is excluded, plus what is included.
//!
//! Points are made from their index, so that a million of them need no memory. Order: the first axis turns slowest,
//! included points come last.

use std::sync::Arc;

use crate::spec::{Assignments, DeclaredSpec};

/// Why a matrix is refused.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum MatrixError {
    /// More points than allowed.
    #[error(
        "the matrix has {count} points ({sizes}), more than {most}\n\
         help: shorten an axis, or raise the limit with --max-points {count}"
    )]
    TooMany {
        /// Points, or "more than 2^64".
        count: String,
        /// Size of each axis.
        sizes: String,
        /// The limit.
        most: u64,
    },
    /// The same point twice.
    #[error("the point {point} is declared twice\nhelp: drop one of them from `include`")]
    Duplicate {
        /// Its fields.
        point: String,
    },
    /// Nothing left.
    #[error("the matrix has no points: `exclude` drops all of them")]
    Empty,
}

/// A matrix that can be walked.
#[derive(Clone, Debug)]
pub struct Matrix {
    axes: Vec<(Arc<str>, Vec<Arc<str>>)>,
    exclude: Vec<Assignments>,
    additions: Vec<Assignments>,
    extra: Vec<Assignments>,
    columns: Vec<Arc<str>>,
    product: u64,
}

/// A point: its fields in the order of the matrix's columns; absent where the column does not apply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    /// Place in the order of the matrix, from 0.
    pub ordinal: u64,
    /// Values by column.
    pub values: Vec<Option<Arc<str>>>,
}

impl Matrix {
    /// Builds the matrix of a declared report.
    ///
    /// # Errors
    /// More than `most` points (counted before any is built), duplicates, nothing left.
    pub fn new(spec: &DeclaredSpec, most: u64) -> Result<Self, MatrixError> {
        let product = product(spec, most)?;
        let axes: Vec<(Arc<str>, Vec<Arc<str>>)> = spec
            .axes
            .iter()
            .map(|axis| (Arc::from(axis.path.as_str()), axis.values.iter().map(|v| Arc::from(v.as_str())).collect()))
            .collect();
        let mut matrix = Self {
            columns: axes.iter().map(|(path, _)| Arc::clone(path)).collect(),
            axes,
            exclude: spec.exclude.clone(),
            additions: Vec::new(),
            extra: Vec::new(),
            product: if spec.axes.is_empty() { 0 } else { product },
        };
        for entry in &spec.include {
            let into = if matrix.extends_a_point(entry) { &mut matrix.additions } else { &mut matrix.extra };
            into.push(entry.clone());
            for (path, _) in entry {
                if !matrix.columns.iter().any(|column| **column == **path) {
                    matrix.columns.push(Arc::from(path.as_str()));
                }
            }
        }
        matrix.check(most)?;
        Ok(matrix)
    }

    fn check(&self, most: u64) -> Result<(), MatrixError> {
        let mut seen: Vec<Vec<Option<Arc<str>>>> = Vec::new();
        for index in 0..self.extra.len() {
            let values = self.extra_values(index);
            if seen.contains(&values) {
                return Err(MatrixError::Duplicate { point: describe(&self.columns, &values) });
            }
            seen.push(values);
        }
        if self.product + self.extra.len() as u64 > most {
            let count = (self.product + self.extra.len() as u64).to_string();
            return Err(MatrixError::TooMany { count, sizes: self.sizes(), most });
        }
        if self.points().next().is_none() { Err(MatrixError::Empty) } else { Ok(()) }
    }

    fn sizes(&self) -> String {
        self.axes.iter().map(|(path, values)| format!("{path} {}", values.len())).collect::<Vec<_>>().join(" × ")
    }

    /// Paths of the fields that points have, axes first.
    #[must_use]
    pub fn columns(&self) -> &[Arc<str>] {
        &self.columns
    }

    /// The axes with their values.
    #[must_use]
    pub fn axes(&self) -> &[(Arc<str>, Vec<Arc<str>>)] {
        &self.axes
    }

    /// Points before exclusion: an upper bound that costs nothing.
    #[must_use]
    pub fn upper_bound(&self) -> u64 {
        self.product + self.extra.len() as u64
    }

    /// All points in order.
    pub fn points(&self) -> impl Iterator<Item = Point> + '_ {
        let base = (0..self.product).filter_map(|index| self.base_values(index));
        let extra = (0..self.extra.len()).map(|index| self.extra_values(index));
        base.chain(extra).enumerate().map(|(ordinal, values)| Point { ordinal: ordinal as u64, values })
    }

    /// The point at an index of the product; none if it is excluded.
    fn base_values(&self, index: u64) -> Option<Vec<Option<Arc<str>>>> {
        let mut values: Vec<Option<Arc<str>>> = vec![None; self.columns.len()];
        let mut rest = index;
        for (column, (_, choices)) in self.axes.iter().enumerate().rev() {
            let size = choices.len() as u64;
            values[column] = Some(Arc::clone(&choices[(rest % size) as usize]));
            rest /= size;
        }
        if self.exclude.iter().any(|entry| self.matches(entry, &values)) {
            return None;
        }
        let additions: Vec<&Assignments> = self.additions.iter().filter(|entry| self.matches(entry, &values)).collect();
        for (path, value) in additions.into_iter().flatten() {
            if let Some(column) = self.column(path).filter(|column| *column >= self.axes.len()) {
                values[column] = Some(Arc::from(value.as_str()));
            }
        }
        Some(values)
    }

    fn extra_values(&self, index: usize) -> Vec<Option<Arc<str>>> {
        let mut values = vec![None; self.columns.len()];
        for (path, value) in &self.extra[index] {
            if let Some(column) = self.column(path) {
                values[column] = Some(Arc::from(value.as_str()));
            }
        }
        values
    }

    fn column(&self, path: &str) -> Option<usize> {
        self.columns.iter().position(|column| **column == *path)
    }

    /// Whether every axis that an entry names has the value it names.
    fn matches(&self, entry: &Assignments, values: &[Option<Arc<str>>]) -> bool {
        entry.iter().all(|(path, value)| match self.axes.iter().position(|(axis, _)| **axis == **path) {
            Some(column) => values[column].as_deref() == Some(value.as_str()),
            None => true,
        })
    }

    /// Whether an included entry only adds fields to points of the product.
    fn extends_a_point(&self, entry: &Assignments) -> bool {
        let adds = entry.iter().any(|(path, _)| !self.axes.iter().any(|(axis, _)| **axis == **path));
        let known = entry.iter().all(|(path, value)| {
            self.axes.iter().find(|(axis, _)| **axis == **path).is_none_or(|(_, v)| v.iter().any(|v| **v == **value))
        });
        self.product > 0 && adds && known
    }

    /// Values that included entries give a column.
    pub(super) fn included_values(&self, column: usize) -> Vec<Arc<str>> {
        let entries = self.additions.iter().chain(&self.extra).flatten();
        entries.filter(|(path, _)| **path == *self.columns[column]).map(|(_, v)| Arc::from(v.as_str())).collect()
    }

    /// The first point that has all of these values.
    #[must_use]
    pub fn find(&self, wanted: &Assignments) -> Option<Point> {
        let has = |point: &Point| {
            wanted.iter().all(|(path, value)| {
                self.column(path).is_some_and(|column| point.values[column].as_deref() == Some(value.as_str()))
            })
        };
        self.points().find(has)
    }
}

fn product(spec: &DeclaredSpec, most: u64) -> Result<u64, MatrixError> {
    let sizes = || spec.axes.iter().map(|a| format!("{} {}", a.path, a.values.len())).collect::<Vec<_>>().join(" × ");
    let count = spec.axes.iter().try_fold(1u64, |product, axis| product.checked_mul(axis.values.len() as u64));
    match count {
        Some(count) if count <= most => Ok(count),
        Some(count) => Err(MatrixError::TooMany { count: count.to_string(), sizes: sizes(), most }),
        None => Err(MatrixError::TooMany { count: "more than 2^64".to_owned(), sizes: sizes(), most }),
    }
}

/// `model llama-3-8b, batch_size 4`.
#[must_use]
pub fn describe(columns: &[Arc<str>], values: &[Option<Arc<str>>]) -> String {
    let parts = columns.iter().zip(values).filter_map(|(column, value)| Some(format!("{column} {}", value.as_ref()?)));
    parts.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::Document;

    fn matrix(text: &str, most: u64) -> Result<Matrix, MatrixError> {
        let document = Document::parse("r.yaml", text).expect("YAML");
        Matrix::new(&DeclaredSpec::read(&document).expect("a declared report"), most)
    }

    fn told(matrix: &Matrix) -> Vec<String> {
        matrix.points().map(|point| describe(matrix.columns(), &point.values)).collect()
    }

    const HEAD: &str = "matrix:\n  model: [m]\n  hardware: [h]\n";

    #[test]
    fn the_first_axis_turns_slowest() {
        let matrix = matrix(&format!("{HEAD}  batch_size: [1, 2]\n  prompt_len: [8, 16]\n"), 10).expect("small");
        assert_eq!(
            told(&matrix),
            [
                "model m, hardware h, batch_size 1, prompt_len 8",
                "model m, hardware h, batch_size 1, prompt_len 16",
                "model m, hardware h, batch_size 2, prompt_len 8",
                "model m, hardware h, batch_size 2, prompt_len 16",
            ]
        );
    }

    #[test]
    fn exclude_drops_and_include_adds_fields_or_points() {
        let text = format!(
            "{HEAD}  batch_size: [1, 2]\n  exclude:\n    - {{batch_size: 1}}\n  include:\n    \
             - {{batch_size: 2, kv_dtype: fp8}}\n    - {{model: m, hardware: h, batch_size: 64}}\n"
        );
        let matrix = matrix(&text, 10).expect("small");
        assert_eq!(
            told(&matrix),
            ["model m, hardware h, batch_size 2, kv_dtype fp8", "model m, hardware h, batch_size 64"]
        );
        let found = matrix.find(&vec![("batch_size".to_owned(), "64".to_owned())]).expect("the included point");
        assert_eq!(found.ordinal, 1);
    }

    #[test]
    fn absurd_products_are_refused_before_anything_is_built() {
        let axis = (0..1000).map(|i| i.to_string()).collect::<Vec<_>>().join(", ");
        let text = format!("{HEAD}  batch_size: [{axis}]\n  prompt_len: [{axis}]\n  gen_len: [{axis}]\n");
        let message = matrix(&text, 100_000).expect_err("a billion points").to_string();
        assert!(message.contains("1000000000 points") && message.contains("batch_size 1000"), "{message}");
        let text = (0..8).fold(text, |text, i| format!("{text}  model.x{i}: [{axis}]\n"));
        assert!(matrix(&text, u64::MAX).expect_err("overflow").to_string().contains("more than 2^64"));
    }

    #[test]
    fn empty_and_duplicate_declarations_are_refused() {
        let text = format!("{HEAD}  batch_size: [1]\n  exclude:\n    - {{batch_size: 1}}\n");
        assert_eq!(matrix(&text, 10).expect_err("nothing left"), MatrixError::Empty);
        let twice = format!("{HEAD}  include:\n    - {{model: x, hardware: h}}\n    - {{model: x, hardware: h}}\n");
        assert!(matches!(matrix(&twice, 10), Err(MatrixError::Duplicate { .. })));
        for faulty in ["  batch_size: []\n", "  batch_size: [1, 1]\n", "  exclude:\n    - {gen_len: 1}\n"] {
            let document = Document::parse("r.yaml", &format!("{HEAD}{faulty}")).expect("YAML");
            assert!(DeclaredSpec::read(&document).is_err(), "{faulty}");
        }
    }
}
