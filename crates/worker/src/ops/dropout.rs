//! `dropout` with a mask.

use super::formula::{AutogradOf, Backward, Gradient, Gradients};
use super::operation::{
    Dispatch, Operation, ResultOrder, Saved, cost_per_element, first, inputs as all_of,
};
use crate::error::TorchError;
use crate::kernels::card;
use crate::kernels::fast;
use crate::kernels::host::{Host, KernelResult, is_on_card};
use crate::kernels::philox::DropoutDraw;
use crate::meta::{Cost, KernelKind, Meta, UNIFORM_OPERATIONS};
use candle_core::{DType, Error, Tensor};

/// Elements where a mask is true, scaled, else 0 (input, mask).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Dropout {
    /// As the CPU computes it: the scale is `1 / (1 - p)` in the type of the elements.
    Cpu { p: f64 },
    /// As a card's kernel does: in the type that it computes in. A real card draws the mask in the same launch.
    Forward(DropoutDraw),
    /// The gradient, from the mask that a card has drawn; the field is the probability to keep an element.
    Backward(f64),
}

impl Dropout {
    /// What a kept element is multiplied by.
    fn scale(self) -> f64 {
        let keep = match self {
            Self::Cpu { p } => 1.0 - p,
            Self::Forward(draw) => draw.keep,
            Self::Backward(keep) => keep,
        };
        if keep > 0.0 { 1.0 / keep } else { 0.0 }
    }
}

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
        let drawn = match self {
            Self::Forward(draw) if is_on_card(input) => {
                let drawn = card::dropout(draw, input, mask);
                Some(drawn.unwrap_or_else(|| Err(no_mask())))
            }
            Self::Forward(_) => None,
            Self::Cpu { .. } | Self::Backward(_) => card::masked(input, mask, self.scale()),
        };
        if let Some(drawn) = drawn {
            return Ok(drawn?);
        }
        let dtype = match self {
            Self::Cpu { .. } => input.dtype(),
            Self::Forward(_) | Self::Backward(_) if input.dtype() == DType::F64 => DType::F64,
            Self::Forward(_) | Self::Backward(_) => DType::F32,
        };
        let kept = fast::mul(&input.to_dtype(dtype)?, &mask.to_dtype(dtype)?)?;
        // Adding -0 keeps the sign of each zero, as PyTorch's product does.
        Ok(fast::affine(&kept, self.scale(), -0.0)?.to_dtype(input.dtype())?)
    }

    fn saved(&self, _wants: &dyn Fn(usize) -> bool) -> Saved {
        all_of(1..2)
    }

    fn gradient<A: AutogradOf<Self>>(&self, e: &A, at: Backward<'_, A>) -> Gradient<A> {
        let [_, mask] = self.operands(at.inputs)?;
        let backward = match *self {
            Self::Forward(draw) => Self::Backward(draw.keep),
            Self::Cpu { .. } | Self::Backward(_) => *self,
        };
        let of_input = e.apply(backward, &[at.grad, mask])?;
        Ok(Gradients::Of(vec![Some(of_input), None]))
    }
}

impl Dispatch for Dropout {
    fn kernel_kind(&self, _inputs: &[&Meta], result: &Meta) -> KernelKind {
        match self {
            Self::Forward(_) => KernelKind::Random {
                operations: result.count().saturating_mul(UNIFORM_OPERATIONS),
            },
            Self::Cpu { .. } | Self::Backward(_) => KernelKind::Elementwise,
        }
    }
}

/// The mask has no values before a kernel has drawn it.
fn no_mask() -> Error {
    Error::msg("internal error in warpup: no kernel draws this mask")
}
