//! The check of gradients for infinity and NaN that `torch.amp.GradScaler` makes.

use super::formula::{AutogradOf, Backward, Gradient, Gradients};
use super::operation::{Dispatch, Operation, Saved, cost_per_element, not_differentiable};
use crate::dtype::DType;
use crate::error::TorchError;
use crate::kernels::card;
use crate::kernels::host::{Host, KernelResult};
use crate::meta::{Cost, Meta};
use crate::shape::Shape;
use candle_core::{DType as Stored, Device, Tensor};

/// 1 if any element of any tensor is infinite or NaN, else 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FoundInf;

impl Operation for FoundInf {
    fn name(&self) -> &'static str {
        "non_finite_check"
    }

    fn result(&self, _inputs: &[&Meta]) -> Result<Meta, TorchError> {
        Ok(Meta::new(Shape::new(), DType::F32))
    }

    fn cost(&self, inputs: &[&Meta], result: &Meta) -> Cost {
        cost_per_element(inputs, result, 1)
    }

    fn kernel(&self, _host: &Host, inputs: &[&Tensor], _result: &Meta) -> KernelResult {
        if let Some(made) = card::non_finite(inputs) {
            return Ok(made?);
        }
        let on = inputs.first().map_or(&Device::Cpu, |it| it.device());
        let mut sum = Tensor::full(0_f32, (), on)?;
        for input in inputs {
            // 0 times infinity or NaN is NaN, and 0 times everything else is 0.
            let zeros = input.to_dtype(Stored::F32)?.affine(0.0, 0.0)?;
            sum = sum.add(&zeros.sum_all()?)?;
        }
        Ok(sum.ne(&sum)?.to_dtype(Stored::F32)?)
    }

    not_differentiable!();
}

impl Dispatch for FoundInf {}
