//! What is known of a tensor and of an operation without any values: shape, element type, cost.

use super::dtype::{DType, Standing};
use super::shape::{self, Shape};

/// What is known of a tensor without its values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meta {
    /// Its sizes.
    pub shape: Shape,
    /// Its element type.
    pub dtype: DType,
}

impl Meta {
    /// A tensor of this shape and type.
    pub fn new(shape: Shape, dtype: DType) -> Self {
        Self { shape, dtype }
    }

    /// Its elements.
    pub fn count(&self) -> u64 {
        shape::count(&self.shape)
    }

    /// Its bytes.
    pub fn bytes(&self) -> u64 {
        self.count().saturating_mul(self.dtype.size())
    }

    /// How the tensor takes part in type promotion.
    pub(in crate::worker) fn standing(&self) -> Standing {
        if self.shape.is_empty() {
            Standing::ZeroDim
        } else {
            Standing::Tensor
        }
    }
}

/// What an operation costs, whatever it runs on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// Floating point operations.
    pub flops: u64,
    /// Bytes read and written.
    pub bytes: u64,
}
