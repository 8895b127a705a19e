//! Many scenarios: the curves of one report, and declared matrices.

mod curves;
mod knee;
mod matrix;
mod point;
mod run;
mod shard;
mod summary;

pub use curves::{BatchCurve, BatchPoint, ContextPoint, Curves, Grid, GridCell, curves};
pub use knee::{Knee, KneeReason, LoadPoint, knee};
pub use matrix::{Matrix, MatrixError, Point, describe};
pub use point::{PointFigures, PointOutcome, PointResult, PointShortfall};
pub use run::{Library, Runner, SweepError, names};
pub use shard::{Shard, from_line, to_line};
pub use summary::{KEPT_POINTS, Summary};
