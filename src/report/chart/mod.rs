//! Charts: curves, stacked areas and the roofline as SVG, and the geometry of the bars that templates draw.
//!
//! Every chart carries a class for the style sheet and an attribute for a page without one on each mark, names its
//! finding for screen readers, and stays below 8 KB. Positions have one decimal.

pub mod bars;
mod budget;
mod canvas;
mod cloud;
mod ink;
mod labels;
mod line;
mod roofline;
pub mod scale;
mod series;
mod stacked;
mod svg;
mod trend;

pub use cloud::{Cloud, FrontPoint};
pub use line::{LineChart, Sample};
pub use roofline::{Dot, Roofline};
pub use series::{Series, SeriesChart, SeriesPoint};
pub use stacked::{Layer, StackedArea};
pub use trend::{TrendChart, TrendRun};
