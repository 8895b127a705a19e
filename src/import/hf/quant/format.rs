//! Bytes of a matrix in a quantised format.

use crate::quantity::StorageDtype;

/// How the elements of a matrix are stored, and what is stored beside them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Format {
    /// Type of the elements.
    pub dtype: StorageDtype,
    /// Bits per element.
    pub bits: f64,
    /// Rows and columns that share a scale; 0 for all of them, `None` where nothing is shared.
    pub block: Option<(u64, u64)>,
    /// Bits per block: scale and zero point.
    pub block_bits: f64,
    /// Bits per input (the group index of GPTQ).
    pub input_bits: f64,
    /// Bits per tensor (a scale of the whole).
    pub tensor_bits: f64,
}

impl Format {
    /// Elements and nothing beside them.
    pub const fn plain(dtype: StorageDtype, bits: f64) -> Self {
        Self { dtype, bits, block: None, block_bits: 0.0, input_bits: 0.0, tensor_bits: 0.0 }
    }

    /// A scale per block of rows × columns.
    pub const fn blocks(dtype: StorageDtype, bits: f64, block: (u64, u64), block_bits: f64) -> Self {
        Self { block: Some(block), block_bits, ..Self::plain(dtype, bits) }
    }

    /// A scale (and what else) for a whole tensor.
    pub const fn tensor(dtype: StorageDtype, bits: f64, tensor_bits: f64) -> Self {
        Self { tensor_bits, ..Self::plain(dtype, bits) }
    }

    /// Bits of `copies` matrices of `rows` × `columns`. Experts are stored as one tensor.
    pub fn matrix_bits(&self, rows: u64, columns: u64, copies: u64) -> f64 {
        let blocks = self.block.map_or(0.0, |(height, width)| {
            let count = |all: u64, size: u64| if size == 0 { 1 } else { all.div_ceil(size) };
            count(rows, height) as f64 * count(columns, width) as f64
        });
        let one = (rows * columns) as f64 * self.bits + blocks * self.block_bits + columns as f64 * self.input_bits;
        copies as f64 * one + self.tensor_bits
    }

    /// Elements along the input that share a scale.
    pub fn group_size(&self) -> Option<u64> {
        match self.block {
            Some((1, width)) if width > 0 => Some(width),
            _ => None,
        }
    }
}
