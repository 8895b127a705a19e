//! How a group of tensors is stored in the checkpoint.

use super::super::fields::{Fields, Range};
use crate::quantity::StorageDtype;

/// Storage of a group of tensors. Absent fields mean what the section above says.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StorageSpec {
    /// Type of the elements; decides the kernel.
    pub dtype: Option<StorageDtype>,
    /// Elements that share a scale, along the input; absent for one scale per channel, block or tensor.
    pub group_size: Option<u64>,
    /// Bits per element, scales, zero points and unquantised remainders of the group included: decides the bytes.
    /// Absent means the nominal bits of `dtype`.
    pub bits: Option<f64>,
}

/// Storage of everything in a checkpoint, beside the type of the linear layers that `weights.dtype` names.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WeightsSpec {
    /// The matrices of the layers, unless a layer group says otherwise.
    pub linear: StorageSpec,
    /// The embedding and other lookup tables; absent means 16 bit.
    pub embedding: StorageSpec,
    /// The LM head; absent means 16 bit.
    pub lm_head: StorageSpec,
    /// Norms, biases and other small tensors; absent means 16 bit.
    pub other: StorageSpec,
    /// Vision and audio towers; absent means 16 bit.
    pub vision: StorageSpec,
}

impl StorageSpec {
    /// Reads a section; an empty one says nothing.
    pub(in super::super) fn read(mut fields: Fields<'_>) -> Self {
        let spec = Self { dtype: fields.one_of("dtype"), ..Self::read_bits(&mut fields) };
        fields.finish();
        spec
    }

    /// The keys besides `dtype`, which at the top level has a narrower type.
    pub(in super::super) fn read_bits(fields: &mut Fields<'_>) -> Self {
        Self {
            dtype: None,
            group_size: fields.count("group_size", 1 << 20),
            bits: fields.number("bits", Range { low: 0.5, high: 64.0 }),
        }
    }

    /// Whether nothing is stated.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Bits per element, if stated here.
    #[must_use]
    pub fn stated_bits(&self) -> Option<f64> {
        self.bits.or(self.dtype.map(StorageDtype::bits))
    }
}
