//! Many scenarios: one input varies, everything else stays.

mod curves;

pub use curves::{BatchCurve, BatchPoint, ContextPoint, Curves, Grid, GridCell, Knee, KneeReason, curves};
