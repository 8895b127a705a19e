//! Quantities with their units: newtypes over `f64` in SI base units, storage types, and the one number formatter.
//!
//! Nothing here knows about models or machines. Arithmetic that has a meaning is an operator
//! (`Bytes / BytesPerSecond = Seconds`); anything else goes through `.get()` on purpose.

pub mod dtype;
pub mod format;
mod units;

pub use dtype::{KvDtype, StorageDtype, WeightDtype};
pub use units::{Bytes, BytesPerSecond, Flop, FlopPerSecond, Seconds};
