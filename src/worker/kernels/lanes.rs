//! Elements in host memory, lane by lane: for what candle has no call for.

use super::Done;
use super::host::read_as;
use crate::worker::error::TorchError;
use candle_core::{DType as Stored, Tensor};
use std::cmp::Ordering;

/// The elements of a tensor in row-major order, with all the digits that they have.
pub(super) enum Numbers {
    /// Whole numbers and truth values.
    Whole(Vec<i64>),
    /// Numbers with a fraction.
    Real(Vec<f64>),
}

/// The elements of a tensor.
pub(super) fn numbers(a: &Tensor) -> Result<Numbers, TorchError> {
    Ok(if a.dtype().is_float() {
        Numbers::Real(read_as(a, Stored::F64)?)
    } else {
        Numbers::Whole(read_as(a, Stored::I64)?)
    })
}

impl Numbers {
    /// A tensor of them.
    pub(super) fn tensor(self, shape: &[usize], like: &Tensor, stored: Stored) -> Done {
        Ok(match self {
            Self::Whole(values) => Tensor::from_vec(values, shape, like.device())?,
            Self::Real(values) => Tensor::from_vec(values, shape, like.device())?,
        }
        .to_dtype(stored)?)
    }
}

/// What a function makes of each lane along a dimension, put together again along that dimension.
pub(super) fn along<T: Copy, R: Copy>(
    values: &[T],
    dims: &[usize],
    dim: usize,
    f: impl Fn(&[T]) -> Vec<R>,
) -> Vec<R> {
    let size = dims.get(dim).copied().unwrap_or(1);
    let inner: usize = dims.iter().skip(dim + 1).product();
    let outer: usize = dims.iter().take(dim).product();
    let mut out = Vec::new();
    let mut lane = Vec::with_capacity(size);
    for block in 0..outer {
        let block = values
            .get(block * size * inner..(block + 1) * size * inner)
            .unwrap_or_default();
        let made: Vec<Vec<R>> = (0..inner)
            .map(|at| {
                lane.clear();
                lane.extend(block.iter().skip(at).step_by(inner));
                f(&lane)
            })
            .collect();
        let length = made.first().map_or(0, Vec::len);
        for step in 0..length {
            out.extend(made.iter().filter_map(|it| it.get(step)));
        }
    }
    out
}

/// An order of elements in which what is not a number is the largest.
pub(super) trait Ordered: Copy {
    /// How two of them stand.
    fn order(&self, other: &Self) -> Ordering;

    /// Whether it is no number.
    fn is_no_number(&self) -> bool;
}

impl Ordered for i64 {
    fn order(&self, other: &Self) -> Ordering {
        self.cmp(other)
    }

    fn is_no_number(&self) -> bool {
        false
    }
}

impl Ordered for f64 {
    fn order(&self, other: &Self) -> Ordering {
        let known = self.partial_cmp(other);
        known.unwrap_or_else(|| self.is_nan().cmp(&other.is_nan()))
    }

    fn is_no_number(&self) -> bool {
        self.is_nan()
    }
}
