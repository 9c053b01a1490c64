//! Elements and slices read at the positions that index tensors name.

use super::formula::{AutogradOf, Backward, Gradient, Gradients, Primitive};
use super::operation::{
    Devices, Dispatch, Operation, Saved, cost_of_reading_at, first, inputs as all_of, resized,
};
use crate::dtype::DType;
use crate::error::TorchError;
use crate::kernels::host::{Host, KernelResult};
use crate::kernels::{index, scatter};
use crate::meta::{Cost, KernelKind, Meta};
use crate::shape::{self, Keep, Shape};
use candle_core::Tensor;

/// Reading at positions. The first tensor is read, the others are the index tensors.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::enum_variant_names, reason = "the names are PyTorch's")]
pub(crate) enum Index {
    /// `index_select`: slices picked along a dimension by a one-dimensional index tensor.
    IndexSelect(usize),
    /// `gather`: elements picked along a dimension by an index tensor of the result's shape.
    Gather(usize),
    /// `tensor[i, j]`: elements picked along these dimensions by as many index tensors of one shape, which takes
    /// the place of the dimensions if they are neighbours, and else comes first.
    Index(Vec<usize>),
    /// The elements at positions that [`super::ArgReduction`] or [`super::SortIndices`] gave, along the same
    /// dimension.
    TakeAlongDim {
        values_of: ValuesOf,
        dim: usize,
        /// Whether the result keeps the dimension (`keepdim`). Only a dimension of size 1 can be dropped.
        keep: Keep,
    },
}

/// An operation that gives values and indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ValuesOf {
    Max,
    Min,
    Sort,
    Topk,
    Kthvalue,
    Median,
    Cummax,
    Cummin,
}

impl ValuesOf {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Max => "max",
            Self::Min => "min",
            Self::Sort => "sort",
            Self::Topk => "topk",
            Self::Kthvalue => "kthvalue",
            Self::Median => "median",
            Self::Cummax => "cummax",
            Self::Cummin => "cummin",
        }
    }
}

impl Index {
    fn shape(&self, inputs: &[&Meta]) -> Result<Shape, TorchError> {
        let [from, index] = self.operands(inputs)?;
        match self {
            Self::IndexSelect(dim) => index_select_shape(*dim, from, index),
            Self::Gather(dim) => gather_shape(*dim, from, index),
            Self::Index(dims) => Ok(shape::index(&from.shape, dims, &index.shape)),
            Self::TakeAlongDim { dim, keep, .. } => Ok(match keep {
                Keep::Drop => shape::reduce(&index.shape, &[*dim], Keep::Drop),
                Keep::AsOne => index.shape.clone(),
            }),
        }
    }
}

impl Operation for Index {
    fn name(&self) -> &'static str {
        match self {
            Self::IndexSelect(_) => "index_select",
            Self::Gather(_) => "gather",
            Self::Index(_) => "index",
            Self::TakeAlongDim { values_of, .. } => values_of.name(),
        }
    }

    fn result(&self, inputs: &[&Meta]) -> Result<Meta, TorchError> {
        Ok(Meta::new(self.shape(inputs)?, first(inputs).dtype))
    }

    fn cost(&self, inputs: &[&Meta], result: &Meta) -> Cost {
        cost_of_reading_at(inputs, result)
    }

    fn kernel(&self, host: &Host, inputs: &[&Tensor], result: &Meta) -> KernelResult {
        let [a, index] = *self.operands(inputs)?;
        match self {
            Self::IndexSelect(dim) => scatter::index_select(host, [a, index], *dim, result),
            Self::Gather(dim) => scatter::gather(host, [a, index], *dim, result),
            Self::Index(dims) => {
                index::index(host, a, dims, inputs.split_first().map_or(&[], |it| it.1))
            }
            Self::TakeAlongDim { dim, .. } => scatter::take_along_dim(a, index, *dim, result),
        }
    }

    fn saved(&self, _wants: &dyn Fn(usize) -> bool) -> Saved {
        match self {
            Self::IndexSelect(_) | Self::Gather(_) | Self::TakeAlongDim { .. } => all_of(1..2),
            Self::Index(dims) => all_of(1..dims.len() + 1),
        }
    }

    fn gradient<A: AutogradOf<Self>>(&self, e: &A, at: Backward<'_, A>) -> Gradient<A> {
        let [a, index] = self.operands(at.inputs)?;
        let of_a = match self {
            Self::IndexSelect(dim) => {
                let backward = Primitive::IndexSelectBackward(*dim, e.shape(a));
                e.apply(backward, &[at.grad, index])?
            }
            Self::Gather(dim) | Self::TakeAlongDim { dim, .. } => {
                let grad = &e.reshape(at.grad, e.shape(index))?;
                let backward = Primitive::GatherBackward(*dim, e.shape(a));
                e.apply(backward, &[grad, index])?
            }
            Self::Index(dims) => {
                // Elements that were picked several times get a sum.
                let zeros = e.full_like(a, 0.0)?;
                let backward = Primitive::IndexPutAccumulate(dims.clone());
                let mut given = vec![&zeros, at.grad];
                given.extend(at.inputs.iter().skip(1));
                if e.creates_graph() {
                    e.apply(backward, &given)?
                } else {
                    e.apply_in_place(backward, &given)?;
                    zeros
                }
            }
        };
        Ok(Gradients::first(of_a))
    }
}

impl Dispatch for Index {
    fn kernel_kind(&self, inputs: &[&Meta], result: &Meta) -> KernelKind {
        let elements = match self {
            Self::IndexSelect(dim) => {
                let inner = result.shape.iter().skip(dim + 1);
                inner.map(|it| *it as u64).product()
            }
            Self::Gather(_) | Self::TakeAlongDim { .. } => 1,
            Self::Index(_) => {
                let picked = inputs.get(1).map_or(1, |it| it.count()).max(1);
                result.count() / picked
            }
        };
        KernelKind::Indexed {
            run: elements.max(1).saturating_mul(result.dtype.size()),
        }
    }

    fn devices(&self) -> Devices {
        match self {
            Self::IndexSelect(_) => Devices::same("index", "_index_select"),
            Self::Gather(_) => Devices::same("index", "gather"),
            Self::Index(_) | Self::TakeAlongDim { .. } => Devices::Same(None),
        }
    }

    fn asserts_indices(&self) -> bool {
        !matches!(self, Self::TakeAlongDim { .. })
    }
}

fn gather_shape(dim: usize, from: &Meta, index: &Meta) -> Result<Shape, TorchError> {
    if !matches!(index.dtype, DType::I32 | DType::I64) {
        return Err(TorchError::runtime(
            "gather(): Expected dtype int32/int64 for index",
        ));
    }
    // An empty index has any rank.
    if index.shape.contains(&0) {
        return Ok(index.shape.clone());
    }
    if index.shape.len().max(1) != from.shape.len().max(1) {
        return Err(TorchError::runtime(
            "Index tensor must have the same number of dimensions as input tensor",
        ));
    }
    let pairs = index.shape.iter().zip(&from.shape).enumerate();
    for (at, (want, has)) in pairs {
        if at != dim && want > has {
            return Err(TorchError::runtime(format!(
                "Size does not match at dimension {at} expected index {:?} to be no larger than self {:?} apart from dimension {dim}",
                index.shape, from.shape
            )));
        }
    }
    Ok(index.shape.clone())
}

fn index_select_shape(dim: usize, from: &Meta, index: &Meta) -> Result<Shape, TorchError> {
    if !matches!(index.dtype, DType::I32 | DType::I64) {
        return Err(TorchError::runtime(
            "index_select(): Expected dtype int32 or int64 for index",
        ));
    }
    if from.shape.is_empty() && index.count() != 1 {
        return Err(TorchError::runtime(format!(
            "index_select(): Index to scalar can have only 1 value, got {} value(s)",
            index.count()
        )));
    }
    Ok(resized(from.shape.clone(), dim, index.count() as usize))
}
