//! Views: the same elements in the same memory with other sizes and strides. No kernel runs.

use super::formula::{AutogradOf, Backward, Gradient, Gradients, Output, Primitive};
use super::operation::{Dispatch, Operation, Saved, first, resized};
use crate::error::TorchError;
use crate::kernels::card;
use crate::kernels::fast;
use crate::kernels::host::{Host, KernelResult};
use crate::meta::{Cost, Meta};
use crate::shape::{self, Keep, Shape};
use candle_core::Tensor;

/// A view. Its sizes were checked when it was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum View {
    /// Other sizes, in the same order.
    Reshape(Shape),
    /// Dimensions in another order.
    Permute(Vec<usize>),
    /// Part of one dimension.
    Narrow {
        dim: usize,
        start: usize,
        len: usize,
    },
    /// One element of a dimension, which is removed.
    Select { dim: usize, index: usize },
    /// `[::step]` of one dimension.
    Step {
        dim: usize,
        /// The distance of two elements.
        step: usize,
    },
    /// Dimensions of size 1 repeated.
    Expand(Shape),
}

impl View {
    /// The same elements of a tensor of candle's.
    pub(crate) fn of(&self, a: &Tensor) -> KernelResult {
        Ok(match self {
            Self::Reshape(shape) => fast::reshape(a, shape)?,
            Self::Permute(order) => a.permute(order.clone())?,
            // candle looks for the first element even if there is none.
            Self::Narrow { dim, len, .. } if a.elem_count() == 0 || *len == 0 => {
                a.narrow(*dim, 0, *len)?
            }
            Self::Narrow { dim, start, len } => a.narrow(*dim, *start, *len)?,
            Self::Select { dim, index } => {
                let index = if a.elem_count() == 0 { 0 } else { *index };
                a.narrow(*dim, index, 1)?.squeeze(*dim)?
            }
            Self::Step { dim, step } => {
                if let Some(made) = card::stepped(a, *dim, (*step).max(1)) {
                    return Ok(made?);
                }
                let size = a.dim(*dim)?;
                let positions: Vec<i64> = (0..size as i64).step_by((*step).max(1)).collect();
                let count = positions.len();
                let positions = Tensor::from_vec(positions, count, a.device())?;
                a.contiguous()?.index_select(&positions, *dim)?
            }
            Self::Expand(shape) => a.broadcast_as(&**shape)?,
        })
    }
}

/// The gradient of the base of a chain of views: zeros, with `grad` at the elements that the chain selects.
pub(crate) fn view_gradient<A: AutogradOf<View>>(
    e: &A,
    path: &[View],
    like: &A::Tensor,
    grad: &A::Tensor,
) -> Output<A> {
    let whole = e.full_like(like, 0.0)?;
    e.copy_in_place(&follow(e, path, &whole)?, grad)?;
    Ok(whole)
}

/// The views of a path, one after the other.
pub(crate) fn follow<A: AutogradOf<View>>(e: &A, path: &[View], whole: &A::Tensor) -> Output<A> {
    let view = |it: A::Tensor, view: &View| e.apply(view.clone(), &[&it]);
    path.iter().try_fold(whole.clone(), view)
}

impl Operation for View {
    fn name(&self) -> &'static str {
        match self {
            Self::Reshape(_) => "reshape",
            Self::Permute(_) => "permute",
            Self::Narrow { .. } => "narrow",
            Self::Select { .. } => "select",
            Self::Step { .. } => "slice",
            Self::Expand(_) => "expand",
        }
    }

    fn result(&self, inputs: &[&Meta]) -> Result<Meta, TorchError> {
        let Meta { shape: from, dtype } = first(inputs);
        let shape = match self {
            Self::Reshape(to) | Self::Expand(to) => to.clone(),
            Self::Permute(order) => order
                .iter()
                .filter_map(|dim| from.get(*dim).copied())
                .collect(),
            Self::Narrow { dim, len, .. } => resized(from, *dim, *len),
            Self::Select { dim, .. } => shape::reduce(&from, &[*dim], Keep::Drop),
            Self::Step { dim, step } => {
                let size = from.get(*dim).copied().unwrap_or(0);
                resized(from, *dim, size.div_ceil((*step).max(1)))
            }
        };
        Ok(Meta::new(shape, dtype))
    }

    fn cost(&self, _inputs: &[&Meta], _result: &Meta) -> Cost {
        Cost::default()
    }

    fn kernel(&self, _host: &Host, inputs: &[&Tensor], _result: &Meta) -> KernelResult {
        let [a] = self.operands(inputs)?;
        self.of(a)
    }

    fn saved(&self, _wants: &dyn Fn(usize) -> bool) -> Saved {
        Saved::new()
    }

    fn gradient<A: AutogradOf<Self>>(&self, e: &A, at: Backward<'_, A>) -> Gradient<A> {
        let [a] = self.operands(at.inputs)?;
        let gradient = match self {
            Self::Reshape(_) => e.reshape(at.grad, e.shape(a))?,
            Self::Permute(order) => e.one(Primitive::Permute(shape::inverse(order)), at.grad)?,
            Self::Expand(_) => e.sum_to(at.grad, a)?,
            Self::Narrow { .. } | Self::Select { .. } | Self::Step { .. } => {
                view_gradient(e, std::slice::from_ref(self), a, at.grad)?
            }
        };
        Ok(Gradients::first(gradient))
    }

    fn backward_name(&self, _rank: usize) -> (&'static str, u8) {
        let name = match self {
            Self::Reshape(_) => "view",
            Self::Narrow { .. } => "slice",
            Self::Permute(_) | Self::Select { .. } | Self::Step { .. } | Self::Expand(_) => {
                self.name()
            }
        };
        (name, 0)
    }
}

impl Dispatch for View {}
