//! Elements in host memory, lane by lane, for what candle has no kernel for. A lane is the elements along one
//! dimension.

use super::host::{Host, KernelResult};
use crate::error::TorchError;
use candle_core::{DType as Stored, Tensor};
use std::cmp::Ordering;

/// The elements of a tensor in row-major order, without loss of digits.
pub(crate) enum Numbers {
    /// Integers and bools.
    Integers(Vec<i64>),
    Floats(Vec<f64>),
}

pub(crate) fn numbers(host: &Host, a: &Tensor) -> Result<Numbers, TorchError> {
    Ok(if a.dtype().is_float() {
        Numbers::Floats(host.read_as(a, Stored::F64)?)
    } else {
        Numbers::Integers(host.read_as(a, Stored::I64)?)
    })
}

impl Numbers {
    pub(crate) fn tensor(self, shape: &[usize], like: &Tensor, stored: Stored) -> KernelResult {
        Ok(match self {
            Self::Integers(values) => Tensor::from_vec(values, shape, like.device())?,
            Self::Floats(values) => Tensor::from_vec(values, shape, like.device())?,
        }
        .to_dtype(stored)?)
    }
}

/// Applies a function to each lane along a dimension, and joins the results along that dimension.
pub(crate) fn along<T: Copy, R: Copy>(
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

/// Compares two elements; NaN is the largest.
pub(crate) fn order<T: PartialOrd>(a: &T, b: &T) -> Ordering {
    let known = a.partial_cmp(b);
    known.unwrap_or_else(|| is_nan(a).cmp(&is_nan(b)))
}

/// Whether it is NaN, which alone has no order to itself.
pub(crate) fn is_nan<T: PartialOrd>(it: &T) -> bool {
    it.partial_cmp(it).is_none()
}
