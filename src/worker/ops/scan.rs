//! Sums and products up to each element along a dimension.

use super::formula::{AutogradOf, Backward, Gradient, Gradients, Primitive};
use super::operation::{Autocast, Operation, Saved, cost_per_element, first};
use crate::worker::dtype::DType;
use crate::worker::error::TorchError;
use crate::worker::kernels::elementwise::at_least_1d;
use crate::worker::kernels::host::{Host, KernelResult};
use crate::worker::kernels::lanes::{Numbers, along, numbers};
use crate::worker::meta::{Cost, KernelKind, Meta};
use candle_core::Tensor;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scan {
    CumSum(usize),
    CumProd(usize),
}

impl Operation for Scan {
    fn name(&self) -> &'static str {
        match self {
            Self::CumSum(_) => "cumsum",
            Self::CumProd(_) => "cumprod",
        }
    }

    fn result(&self, inputs: &[&Meta]) -> Result<Meta, TorchError> {
        let Meta { shape, dtype } = first(inputs);
        let dtype = if dtype.is_float() { dtype } else { DType::I64 };
        Ok(Meta::new(shape, dtype))
    }

    fn cost(&self, inputs: &[&Meta], result: &Meta) -> Cost {
        cost_per_element(inputs, result, 1)
    }

    fn kernel_kind(&self, _inputs: &[&Meta], _result: &Meta) -> KernelKind {
        KernelKind::Reduction
    }

    fn kernel(&self, host: &Host, inputs: &[&Tensor], result: &Meta) -> KernelResult {
        let [a] = self.operands(inputs)?;
        let a = at_least_1d(a)?;
        let totals = match numbers(host, &a)? {
            Numbers::Integers(values) => Numbers::Integers(match *self {
                Self::CumSum(dim) => running(&values, a.dims(), dim, i64::wrapping_add),
                Self::CumProd(dim) => running(&values, a.dims(), dim, i64::wrapping_mul),
            }),
            Numbers::Floats(values) => Numbers::Floats(match *self {
                Self::CumSum(dim) => running(&values, a.dims(), dim, |a, b| a + b),
                Self::CumProd(dim) => running(&values, a.dims(), dim, |a, b| a * b),
            }),
        };
        totals.tensor(&result.shape, &a, result.dtype.stored())
    }

    fn saved(&self, _wants: &dyn Fn(usize) -> bool) -> Saved {
        Saved::new()
    }

    fn gradient<A: AutogradOf<Self>>(&self, e: &A, at: Backward<'_, A>) -> Gradient<A> {
        match *self {
            Self::CumSum(dim) => {
                let flip = |it: &A::Tensor| e.one(Primitive::Flip(vec![dim]), it);
                let reversed = flip(at.grad)?;
                let total = e.apply(*self, &[&reversed])?;
                Ok(Gradients::first(flip(&total)?))
            }
            Self::CumProd(_) => Err(TorchError::missing(
                "going back through running products is not part of warpup; PyTorch has it",
            )),
        }
    }

    fn autocast(&self) -> Autocast {
        Autocast::Float32OnCards
    }
}

fn running<T: Copy>(values: &[T], dims: &[usize], dim: usize, add: impl Fn(T, T) -> T) -> Vec<T> {
    along(values, dims, dim, |lane| {
        let mut total = None;
        lane.iter()
            .map(|it| {
                let next = total.map_or(*it, |before| add(before, *it));
                total = Some(next);
                next
            })
            .collect()
    })
}
