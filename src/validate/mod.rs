//! Predicted against measured.
//!
//! A row of a measurement table or a run of a bench tool's file becomes a [`Case`]: what ran where, under which load, and
//! which figure was read. [`predict`] answers it with the kernel models as they were fitted and the host and serving
//! constants of its engine, or with the derated roofline of a local engine. A row that cannot be answered is left out,
//! with the reason.
//!
//! Two things differ from `profile` on purpose: kernels are not held at the data sheet, and copies over PCIe and the
//! client's host time are not added. An error found here is the model's own.

mod ask;
mod bands;
mod bench;
mod case;
mod class;
mod compare;
mod context;
mod engine;
mod eras;
mod explain;
mod kernels;
mod local;
mod models;
mod parts;
mod predict;
mod rows;
mod sources;
mod stats;
mod steps;
mod storage;
mod tools;

pub use ask::{Ask, Question};
pub use bands::{FOLDS, Residuals};
pub use case::{Case, Kind, Layout, Load, Metric};
pub use class::{Class, Figure, Method};
pub use compare::{Answer, Compared, Source, Subject, Validation, validate};
pub use context::{Context, ContextError, Given, Setting, machine_id};
pub use explain::{EXPLAIN_ABOVE, Explanation, Suspect, explain};
pub use kernels::KernelCompared;
pub use parts::{Part, Parts};
pub use predict::{Prediction, predict};
pub use rows::{LeftOut, case, unanswerable};
pub use stats::Errors;
pub use storage::Stored;
