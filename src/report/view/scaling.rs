//! What happens under other load.

use super::parts::Figure;

/// TTFT over batch, TPOT over context, TTFT over both. A chart that was not simulated is absent.
#[derive(Clone, Debug)]
pub struct Scaling {
    /// TTFT over batch size, then TPOT over context length.
    pub charts: Vec<Figure>,
    /// TTFT over batch size and prompt length.
    pub heat: Option<Heat>,
}

/// A table whose cells are coloured by value.
#[derive(Clone, Debug)]
pub struct Heat {
    /// Id of the element.
    pub id: &'static str,
    /// What it shows.
    pub title: String,
    /// How to read it.
    pub lede: String,
    /// Headings of the columns.
    pub columns: Vec<String>,
    /// Rows.
    pub rows: Vec<HeatRow>,
}

/// A row of a [`Heat`] table.
#[derive(Clone, Debug)]
pub struct HeatRow {
    /// Heading.
    pub label: String,
    /// Cells.
    pub cells: Vec<HeatCell>,
}

/// A cell of a [`Heat`] table.
#[derive(Clone, Debug)]
pub struct HeatCell {
    /// The value, or the word for why there is none.
    pub text: String,
    /// Class of its colour, `q0` to `q8`, or `none`.
    pub class: &'static str,
    /// Over the target.
    pub over: bool,
    /// The point that the report tells.
    pub here: bool,
}
