//! Indices that sorting and its relatives give. [`super::Index::TakeAlongDim`] gives the values at them.

use super::formula::{AutogradOf, Backward, Gradient, Gradients};
use super::operation::{
    Dispatch, Operation, Saved, first, not_differentiable, not_implemented, resized,
};
use super::reduce::not_empty;
use crate::dtype::DType;
use crate::error::TorchError;
use crate::kernels::card;
use crate::kernels::elementwise::sum_type;
use crate::kernels::fast::{Ranks, ranked};
use crate::kernels::host::{Host, KernelResult};
use crate::kernels::lanes::{Numbers, along, is_nan, numbers, order};
use crate::meta::{Cost, KernelKind, Meta};
use crate::shape::Shape;
use candle_core::Tensor;
use std::cmp::Ordering;

/// Indices along a dimension, by comparing the elements there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SortIndices {
    pub(crate) order: IndexKind,
    pub(crate) dim: usize,
}

/// Which indices are given. A dimension that is reduced stays with size 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IndexKind {
    /// `argsort`; it is stable.
    Sort {
        /// Whether the largest comes first.
        descending: bool,
    },
    /// The first ones of `topk`.
    TopK { count: usize, largest: bool },
    /// `kthvalue`, counted from 1.
    KthValue(usize),
    /// `median`: the lower one of the elements in the middle, or NaN.
    Median,
    /// `cummax`: the largest so far.
    CumMax,
    /// `cummin`: the smallest so far.
    CumMin,
}

impl IndexKind {
    /// Which places of a sorted lane of this size it gives, if it gives any.
    fn ranks(self, size: usize) -> Option<Ranks> {
        let (descending, from, to) = match self {
            Self::Sort { descending } => (descending, 0, size),
            Self::TopK { count, largest } => (largest, 0, count),
            Self::KthValue(k) => (false, k.saturating_sub(1), k),
            Self::Median => {
                let middle = size.saturating_sub(1) / 2;
                (false, middle, middle + 1)
            }
            Self::CumMax | Self::CumMin => return None,
        };
        let nan_instead = self == Self::Median;
        Some(Ranks {
            descending,
            from,
            to,
            nan_instead,
        })
    }
}

impl SortIndices {
    fn shape(self, from: Shape) -> Result<Shape, TorchError> {
        let dim = self.dim;
        // A scalar counts as one element along its dimension.
        let size = from.get(dim).copied().unwrap_or(1);
        match self.order {
            IndexKind::Sort { .. } | IndexKind::CumMax | IndexKind::CumMin => Ok(from),
            IndexKind::TopK { count, .. } if count > size => {
                Err(TorchError::runtime("selected index k out of range"))
            }
            IndexKind::TopK { count, .. } => Ok(resized(from, dim, count)),
            IndexKind::KthValue(k) if k == 0 || k > size => Err(TorchError::runtime(format!(
                "kthvalue(): selected number k out of range for dimension {dim}"
            ))),
            IndexKind::KthValue(_) => Ok(resized(from, dim, 1)),
            IndexKind::Median => {
                not_empty("median", &from, &[dim])?;
                Ok(resized(from, dim, 1))
            }
        }
    }
}

impl Operation for SortIndices {
    fn name(&self) -> &'static str {
        match self.order {
            IndexKind::Sort { .. } => "sort",
            IndexKind::TopK { .. } => "topk",
            IndexKind::KthValue(_) => "kthvalue",
            IndexKind::Median => "median",
            IndexKind::CumMax => "cummax",
            IndexKind::CumMin => "cummin",
        }
    }

    fn result(&self, inputs: &[&Meta]) -> Result<Meta, TorchError> {
        let Meta { shape, dtype } = first(inputs);
        let shape = self.shape(shape)?;
        match (dtype == DType::Bool, self.order) {
            (true, IndexKind::TopK { .. }) => Err(TorchError::missing(
                "topk does not support bool dtypes on CPU",
            )),
            (true, IndexKind::KthValue(_)) => Err(not_implemented("kthvalue_cpu", dtype)),
            (true, IndexKind::Median) => Err(not_implemented("median_cpu", dtype)),
            (true, IndexKind::Sort { .. } | IndexKind::CumMax | IndexKind::CumMin) | (false, _) => {
                Ok(Meta::new(shape, DType::I64))
            }
        }
    }

    /// Radix kernels go over the keys once for each byte of them: sorting reads and writes keys and indices each
    /// time, selecting only reads keys, and once more to take those that it has found.
    fn cost(&self, inputs: &[&Meta], result: &Meta) -> Cost {
        let input = first(inputs);
        let (passes, elements) = (input.dtype.size(), input.count());
        let (keys, indices) = (input.bytes(), result.bytes());
        match self.order {
            IndexKind::Sort { .. } => Cost {
                flops: elements.saturating_mul(passes),
                bytes: keys.saturating_add(indices).saturating_mul(2 * passes),
            },
            IndexKind::TopK { .. } | IndexKind::KthValue(_) | IndexKind::Median => Cost {
                flops: elements.saturating_mul(passes),
                bytes: keys.saturating_mul(passes + 1).saturating_add(indices),
            },
            IndexKind::CumMax | IndexKind::CumMin => Cost {
                flops: elements,
                bytes: keys.saturating_add(indices),
            },
        }
    }

    fn kernel(&self, host: &Host, inputs: &[&Tensor], result: &Meta) -> KernelResult {
        let [a] = *self.operands(inputs)?;
        if a.rank() == 0 {
            // A scalar has the single index 0, whatever `k` is.
            return Ok(Tensor::new(0_i64, a.device())?);
        }
        let (order, dims) = (self.order, a.dims());
        let ranks = order.ranks(dims.get(self.dim).copied().unwrap_or(1));
        if let Some(made) = ranks.and_then(|it| card::ranked(a, self.dim, it)) {
            return Ok(made?.reshape(&*result.shape)?);
        }
        if let Some(ranks) = ranks
            && let Some(made) = ranked(&a.to_dtype(sum_type(a))?, self.dim, ranks)?
        {
            return Ok(made.reshape(&*result.shape)?);
        }
        let found = match numbers(host, a)? {
            Numbers::Integers(values) => along(&values, dims, self.dim, |it| of_lane(order, it)),
            Numbers::Floats(values) => along(&values, dims, self.dim, |it| of_lane(order, it)),
        };
        Ok(Tensor::from_vec(found, &*result.shape, a.device())?)
    }

    not_differentiable!();
}

impl Dispatch for SortIndices {
    fn kernel_kind(&self, inputs: &[&Meta], _result: &Meta) -> KernelKind {
        let input = first(inputs);
        match self.order {
            IndexKind::Sort { .. }
            | IndexKind::TopK { .. }
            | IndexKind::KthValue(_)
            | IndexKind::Median => KernelKind::Radix {
                digits: input.bytes(),
            },
            IndexKind::CumMax | IndexKind::CumMin => KernelKind::Norm,
        }
    }
}

fn of_lane<T: PartialOrd + Copy>(order: IndexKind, lane: &[T]) -> Vec<i64> {
    let found = match order {
        IndexKind::Sort { descending } => sorted(lane, descending),
        IndexKind::TopK { count, largest } => {
            let mut all = sorted(lane, largest);
            all.truncate(count);
            all
        }
        IndexKind::KthValue(k) => one(&sorted(lane, false), k.saturating_sub(1)),
        IndexKind::Median => match lane.iter().position(is_nan) {
            Some(at) => vec![at],
            None => one(&sorted(lane, false), lane.len().saturating_sub(1) / 2),
        },
        IndexKind::CumMax => so_far(lane, Ordering::Less),
        IndexKind::CumMin => so_far(lane, Ordering::Greater),
    };
    found.into_iter().map(|at| at as i64).collect()
}

fn one(sorted: &[usize], at: usize) -> Vec<usize> {
    sorted.get(at).copied().into_iter().collect()
}

fn sorted<T: PartialOrd + Copy>(lane: &[T], descending: bool) -> Vec<usize> {
    let mut pairs: Vec<(usize, T)> = lane.iter().copied().enumerate().collect();
    pairs.sort_by(
        |(_, a), (_, b)| {
            if descending { order(b, a) } else { order(a, b) }
        },
    );
    pairs.into_iter().map(|(at, _)| at).collect()
}

/// The last index of the best element up to each; NaN stays the best.
fn so_far<T: PartialOrd + Copy>(lane: &[T], worse: Ordering) -> Vec<usize> {
    let mut best: Option<(usize, T)> = None;
    let mut found = Vec::with_capacity(lane.len());
    for (at, it) in lane.iter().enumerate() {
        let (best_at, value) = best.unwrap_or((at, *it));
        let here = if is_better(value, *it, worse) {
            (at, *it)
        } else {
            (best_at, value)
        };
        best = Some(here);
        found.push(here.0);
    }
    found
}

fn is_better<T: PartialOrd + Copy>(best: T, next: T, worse: Ordering) -> bool {
    if is_nan(&next) || is_nan(&best) {
        return is_nan(&next);
    }
    order(&best, &next) != worse.reverse()
}
