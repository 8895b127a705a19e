//! Many scenarios: the curves of one report, and declared matrices.

mod curves;
mod matrix;
mod point;
mod run;
mod summary;

pub use curves::{BatchCurve, BatchPoint, ContextPoint, Curves, Grid, GridCell, Knee, KneeReason, curves};
pub use matrix::{Matrix, MatrixError, Point, describe};
pub use point::{PointFigures, PointOutcome, PointResult, PointShortfall};
pub use run::{Library, Runner, SweepError, names};
pub use summary::{KEPT_POINTS, Summary};
