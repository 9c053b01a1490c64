//! `argmax` and `argmin`.

use super::formula::{AutogradOf, Backward, Gradient, Gradients};
use super::operation::{Dispatch, Operation, Saved, cost_per_element, first, not_differentiable};
use super::reduce::not_empty;
use crate::dtype::DType;
use crate::error::TorchError;
use crate::kernels::elementwise::Extreme;
use crate::kernels::host::{Host, KernelResult};
use crate::kernels::reduce::position;
use crate::meta::{Cost, KernelKind, Meta};
use crate::shape::{self, Keep};
use candle_core::Tensor;

/// The position of the largest or smallest element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ArgReduction {
    pub(crate) extreme: Extreme,
    /// Along this dimension, or in the flattened tensor.
    pub(crate) dim: Option<usize>,
    pub(crate) keep: Keep,
}

impl Operation for ArgReduction {
    fn name(&self) -> &'static str {
        match self.extreme {
            Extreme::Largest => "argmax",
            Extreme::Smallest => "argmin",
        }
    }

    fn result(&self, inputs: &[&Meta]) -> Result<Meta, TorchError> {
        let Meta { shape, dtype } = first(inputs);
        let name = self.name();
        match self.dim {
            Some(dim) => not_empty(name, &shape, &[dim])?,
            None if shape::count(&shape) == 0 => {
                return Err(TorchError::index(format!(
                    "{name}(): Expected reduction dim to be specified for input.numel() == 0."
                )));
            }
            None => {}
        }
        if dtype == DType::Bool {
            return Err(TorchError::missing(format!(
                "{name}(): does not support bool input"
            )));
        }
        let dims: Vec<usize> = self.dim.into_iter().collect();
        let shape = shape::reduce(&shape, &dims, self.keep);
        Ok(Meta::new(shape, DType::I64))
    }

    fn cost(&self, inputs: &[&Meta], result: &Meta) -> Cost {
        cost_per_element(inputs, result, 1)
    }

    fn kernel(&self, _host: &Host, inputs: &[&Tensor], result: &Meta) -> KernelResult {
        let [a] = self.operands(inputs)?;
        let found = position(self.extreme, a, self.dim)?;
        Ok(found.reshape(&*result.shape)?)
    }

    not_differentiable!();
}

impl Dispatch for ArgReduction {
    fn kernel_kind(&self, _inputs: &[&Meta], _result: &Meta) -> KernelKind {
        KernelKind::Reduction
    }
}
