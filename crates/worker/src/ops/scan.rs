//! Sums and products up to each element along a dimension.

use super::formula::{AutogradOf, Backward, Gradient, Gradients, Primitive};
use super::operation::{Autocast, Dispatch, Operand, Operation, Saved, cost_per_element, first};
use crate::dtype::DType;
use crate::error::TorchError;
use crate::kernels::card::{self, Running};
use crate::kernels::elementwise::at_least_1d;
use crate::kernels::fast;
use crate::kernels::host::{Host, KernelResult, is_on_card};
use crate::kernels::lanes::{Numbers, along, numbers};
use crate::meta::{Cost, KernelKind, Meta};
use candle_core::{DType as Stored, Tensor};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scan {
    CumSum(usize),
    CumProd(usize),
    /// The gradient of a running product, from its input and its gradient; zeros are no exception.
    BackwardOfCumProd(usize),
}

impl Scan {
    fn on_card(self, a: &Tensor) -> Option<candle_core::Result<Tensor>> {
        match self {
            Self::CumSum(dim) => card::running(Running::Sum, a, dim),
            Self::CumProd(dim) => card::running(Running::Product, a, dim),
            Self::BackwardOfCumProd(_) => None,
        }
    }

    /// On the host.
    fn fast(self, a: &Tensor) -> candle_core::Result<Option<Tensor>> {
        if is_on_card(a) {
            return Ok(None);
        }
        let wide = if a.dtype() == Stored::F32 {
            Stored::F32
        } else if a.dtype().is_float() {
            Stored::F64
        } else {
            Stored::I64
        };

        let a = fast::contiguous(&a.to_dtype(wide)?)?;
        match self {
            Self::CumSum(dim) => fast::running_sum(&a, dim),
            Self::CumProd(dim) => fast::running_product(&a, dim),
            Self::BackwardOfCumProd(_) => None,
        }
        .transpose()
    }
}

impl Operation for Scan {
    fn name(&self) -> &'static str {
        match self {
            Self::CumSum(_) => "cumsum",
            Self::CumProd(_) => "cumprod",
            Self::BackwardOfCumProd(_) => "cumprod_backward",
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

    fn kernel(&self, host: &Host, inputs: &[&Tensor], result: &Meta) -> KernelResult {
        if let Self::BackwardOfCumProd(dim) = *self {
            let [a, grad] = self.operands(inputs)?;
            return product_slopes(host, [a, grad], dim, result);
        }
        let [a] = self.operands(inputs)?;
        let a = at_least_1d(a)?;
        if let Some(made) = self.on_card(&a) {
            return Ok(made?.reshape(&*result.shape)?);
        }
        if let Some(totals) = self.fast(&a)? {
            let totals = totals.reshape(&*result.shape)?;
            return Ok(totals.to_dtype(result.dtype.stored())?);
        }
        let totals = match numbers(host, &a)? {
            Numbers::Integers(values) => Numbers::Integers(match *self {
                Self::CumSum(dim) => running(&values, a.dims(), dim, i64::wrapping_add),
                Self::CumProd(dim) | Self::BackwardOfCumProd(dim) => {
                    running(&values, a.dims(), dim, i64::wrapping_mul)
                }
            }),
            Numbers::Floats(values) => Numbers::Floats(match *self {
                Self::CumSum(dim) => running(&values, a.dims(), dim, |a, b| a + b),
                Self::CumProd(dim) | Self::BackwardOfCumProd(dim) => {
                    running(&values, a.dims(), dim, |a, b| a * b)
                }
            }),
        };
        totals.tensor(&result.shape, &a, result.dtype.stored())
    }

    fn saved(&self, _wants: &dyn Fn(usize) -> bool) -> Saved {
        match self {
            Self::CumSum(_) | Self::BackwardOfCumProd(_) => Saved::new(),
            Self::CumProd(_) => Operand::Input(0).into(),
        }
    }

    fn gradient<A: AutogradOf<Self>>(&self, e: &A, at: Backward<'_, A>) -> Gradient<A> {
        match *self {
            Self::CumSum(dim) => {
                let flip = |it: &A::Tensor| e.one(Primitive::Flip(vec![dim]), it);
                let reversed = flip(at.grad)?;
                let total = e.apply(*self, &[&reversed])?;
                Ok(Gradients::first(flip(&total)?))
            }
            Self::CumProd(dim) => {
                let [a] = self.operands(at.inputs)?;
                let gradient = e.apply(Self::BackwardOfCumProd(dim), &[a, at.grad])?;
                Ok(Gradients::first(gradient))
            }
            Self::BackwardOfCumProd(_) => Err(self.no_second_gradient()),
        }
    }
}

impl Dispatch for Scan {
    fn kernel_kind(&self, _inputs: &[&Meta], _result: &Meta) -> KernelKind {
        // Each block takes its sum first, and then its elements in terms of the sums of the blocks before it (CUB).
        KernelKind::Norm
    }

    fn autocast(&self) -> Autocast {
        Autocast::Float32OnCards
    }
}

/// For each element, the product of those before it times what the gradient makes of those after it.
fn product_slopes(host: &Host, [a, grad]: [&Tensor; 2], dim: usize, result: &Meta) -> KernelResult {
    let (a, grad) = (at_least_1d(a)?, at_least_1d(grad)?);
    let (Numbers::Floats(values), Numbers::Floats(grads)) =
        (numbers(host, &a)?, numbers(host, &grad)?)
    else {
        return numbers(host, &a)?.tensor(&result.shape, &a, result.dtype.stored());
    };
    // Both in one array, the gradient of an element beside it.
    let pairs: Vec<(f64, f64)> = values.into_iter().zip(grads).collect();
    let slopes = along(&pairs, a.dims(), dim, |lane| {
        let mut after = Vec::with_capacity(lane.len());
        let (mut total, mut next) = (0.0, 0.0);
        for (value, grad) in lane.iter().rev() {
            total = grad + next * total;
            next = *value;
            after.push(total);
        }
        let mut before = 1.0;
        let slopes = lane
            .iter()
            .zip(after.iter().rev())
            .map(|((value, _), after)| {
                let slope = before * after;
                before *= value;
                slope
            });
        slopes.collect()
    });
    Numbers::Floats(slopes).tensor(&result.shape, &a, result.dtype.stored())
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
