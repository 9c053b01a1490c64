//! Metadata of tensors and operations, without values: shape, element type, cost.

use super::dtype::{DType, Standing};
use super::shape::{self, Shape};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Meta {
    pub(crate) shape: Shape,
    pub(crate) dtype: DType,
}

impl Meta {
    pub(crate) fn new(shape: Shape, dtype: DType) -> Self {
        Self { shape, dtype }
    }

    /// The number of its elements (`numel`).
    pub(crate) fn count(&self) -> u64 {
        shape::count(&self.shape)
    }

    /// Its size in bytes (`nbytes`).
    pub(crate) fn bytes(&self) -> u64 {
        self.count().saturating_mul(self.dtype.size())
    }

    /// Its category in type promotion: PyTorch treats a 0-dim tensor apart.
    pub(in crate::worker) fn standing(&self) -> Standing {
        if self.shape.is_empty() {
            Standing::ZeroDim
        } else {
            Standing::Tensor
        }
    }
}

/// The cost of an operation, the same on every device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cost {
    pub(crate) flops: u64,
    pub(crate) bytes: u64,
}

impl Cost {
    /// The cost of moving bytes without computing anything.
    pub(crate) fn moving(bytes: u64) -> Self {
        Self { flops: 0, bytes }
    }
}
