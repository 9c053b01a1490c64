//! The matrices of all heads, whose rows lie anywhere, but have neighbours for neighbours.

use crate::kernels::card::launch::Argument;
use crate::kernels::card::walk::Walk;
use crate::kernels::fast::contiguous;
use candle_core::{Error, Result, Tensor};

/// A tensor whose last dimension lies together.
pub(super) struct HeadRows {
    tensor: Tensor,
    /// From one row to the next.
    row: i64,
    /// Where each head begins.
    heads: Walk,
}

impl HeadRows {
    /// The same memory, or a copy where its rows do not lie together.
    pub(super) fn of(it: &Tensor) -> Result<Self> {
        if let Some(rows) = Self::in_place(it) {
            return Ok(rows);
        }
        let copy = contiguous(it)?;
        Self::in_place(&copy)
            .ok_or_else(|| Error::msg("attention takes tensors of two dimensions or more"))
    }

    fn in_place(it: &Tensor) -> Option<Self> {
        let [sizes @ .., _, width] = it.dims() else {
            return None;
        };
        let [strides @ .., row, column] = it.stride() else {
            return None;
        };
        (*column == 1 || *width == 1).then_some(())?;
        Some(Self {
            tensor: it.clone(),
            row: i64::try_from(*row).ok()?,
            heads: Walk::over(sizes, strides)?,
        })
    }

    pub(super) fn tensor(&self) -> &Tensor {
        &self.tensor
    }

    pub(super) fn arguments(&self) -> [Argument<'_>; 3] {
        [
            Argument::Data(&self.tensor),
            Argument::I64(self.row),
            Argument::Walk(&self.heads),
        ]
    }
}
