//! `dropout` with a given mask.

use super::formula::{AutogradOf, Backward, Gradient, Gradients};
use super::operation::{
    Dispatch, Operation, ResultOrder, Saved, cost_per_element, first, inputs as all_of,
};
use crate::error::TorchError;
use crate::kernels::fast;
use crate::kernels::host::{Host, KernelResult};
use crate::meta::{Cost, Meta};
use candle_core::Tensor;

/// Elements where a mask is true, scaled by `1 / (1 - p)`, else 0 (input, mask). The field is `p`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Dropout(pub(crate) f64);

impl Operation for Dropout {
    fn name(&self) -> &'static str {
        "native_dropout"
    }

    fn result(&self, inputs: &[&Meta]) -> Result<Meta, TorchError> {
        Ok(first(inputs))
    }

    fn order(&self) -> ResultOrder {
        ResultOrder::OfInputs
    }

    fn cost(&self, inputs: &[&Meta], result: &Meta) -> Cost {
        cost_per_element(inputs, result, 1)
    }

    fn kernel(&self, _host: &Host, inputs: &[&Tensor], _result: &Meta) -> KernelResult {
        let [input, mask] = self.operands(inputs)?;
        let scale = if self.0 < 1.0 {
            1.0 / (1.0 - self.0)
        } else {
            0.0
        };
        let kept = fast::mul(input, &mask.to_dtype(input.dtype())?)?;
        // Adding -0 keeps the sign of each zero, as PyTorch's product does.
        Ok(fast::affine(&kept, scale, -0.0)?)
    }

    fn saved(&self, _wants: &dyn Fn(usize) -> bool) -> Saved {
        all_of(1..2)
    }

    fn gradient<A: AutogradOf<Self>>(&self, e: &A, at: Backward<'_, A>) -> Gradient<A> {
        let [_, mask] = self.operands(at.inputs)?;
        let of_input = e.apply(*self, &[at.grad, mask])?;
        Ok(Gradients::Of(vec![Some(of_input), None]))
    }
}

impl Dispatch for Dropout {}
