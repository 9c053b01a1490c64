//! Softmax and its logarithm along a dimension, and their backward kernels.

use super::formula::{Autograd, AutogradOf, Backward, Gradient, Gradients, Output, Primitive};
use super::operation::{
    Autocast, Dispatch, Operand, Operation, Saved, cost_per_element, first, not_implemented,
};
use crate::error::TorchError;
use crate::kernels::elementwise::{at_least_1d, sum_type};
use crate::kernels::fast;
use crate::kernels::host::{Host, KernelResult, is_on_card};
use crate::meta::{Cost, KernelKind, Meta};
use candle_core::Tensor;

/// A softmax along a dimension; the tensors are in brackets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::enum_variant_names, reason = "the names are PyTorch's")]
pub(crate) enum Softmax {
    /// `softmax` (input).
    Softmax(usize),
    /// `log_softmax` (input).
    LogSoftmax(usize),
    /// The gradient of the first one's input (gradient, result).
    SoftmaxBackward(usize),
    /// The gradient of the second one's input (gradient, result).
    LogSoftmaxBackward(usize),
}

/// Bytes of a row that a block keeps (CUDA, shared memory of a block without asking for more).
const SHARED_MEMORY: u64 = 48 * 1024;

impl Softmax {
    /// The gradient in operations that have a gradient themselves.
    fn differentiable<A: Autograd>(self, e: &A, [out, grad]: [&A::Tensor; 2]) -> Output<A> {
        match self {
            Self::Softmax(dim) | Self::SoftmaxBackward(dim) => {
                let product = e.mul(grad, out)?;
                let scaled = e.mul(out, &e.one(Primitive::Sum(vec![dim]), &product)?)?;
                e.apply(Primitive::Sub, &[&product, &scaled])
            }
            Self::LogSoftmax(dim) | Self::LogSoftmaxBackward(dim) => {
                let total = e.one(Primitive::Sum(vec![dim]), grad)?;
                let scaled = e.mul(&e.one(Primitive::Exp, out)?, &total)?;
                e.apply(Primitive::Sub, &[grad, &scaled])
            }
        }
    }
}

impl Operation for Softmax {
    fn name(&self) -> &'static str {
        match self {
            Self::Softmax(_) => "softmax",
            Self::LogSoftmax(_) => "log_softmax",
            Self::SoftmaxBackward(_) => "softmax_backward",
            Self::LogSoftmaxBackward(_) => "log_softmax_backward",
        }
    }

    fn result(&self, inputs: &[&Meta]) -> Result<Meta, TorchError> {
        match self {
            Self::Softmax(dim) | Self::LogSoftmax(dim) => {
                let input = first(inputs);
                if input.dtype.is_float() {
                    return Ok(input);
                }
                let last = if dim + 1 >= input.shape.len() {
                    "_lastdim"
                } else {
                    ""
                };
                let kernel = format!("{}{last}_kernel_impl", self.name());
                Err(not_implemented(&kernel, input.dtype))
            }
            Self::SoftmaxBackward(_) | Self::LogSoftmaxBackward(_) => {
                let [grad, out] = self.operands(inputs)?;
                Ok(Meta::new(out.shape.clone(), grad.dtype))
            }
        }
    }

    fn cost(&self, inputs: &[&Meta], result: &Meta) -> Cost {
        let flops = match self {
            Self::Softmax(_) | Self::LogSoftmax(_) => 5,
            Self::SoftmaxBackward(_) | Self::LogSoftmaxBackward(_) => 4,
        };
        let once = cost_per_element(inputs, result, flops);
        // A long row does not fit into shared memory. Its sums need passes of their own: two over the input of a softmax,
        // one over each input of its gradient (PyTorch, `cunn_SoftMaxForward` and `cunn_SoftMaxBackward`).
        let (Self::Softmax(dim)
        | Self::LogSoftmax(dim)
        | Self::SoftmaxBackward(dim)
        | Self::LogSoftmaxBackward(dim)) = self;
        let row = result.shape.get(*dim).map_or(1, |it| *it as u64);
        let again = match self {
            _ if row.saturating_mul(result.dtype.size()) <= SHARED_MEMORY => 0,
            Self::Softmax(_) | Self::LogSoftmax(_) => 2 * first(inputs).bytes(),
            Self::SoftmaxBackward(_) | Self::LogSoftmaxBackward(_) => {
                inputs.iter().map(|it| it.bytes()).sum()
            }
        };
        Cost {
            bytes: once.bytes.saturating_add(again),
            ..once
        }
    }

    fn kernel(&self, _host: &Host, inputs: &[&Tensor], _result: &Meta) -> KernelResult {
        match *self {
            Self::Softmax(dim) => forward(*self.operands(inputs)?, dim, fast::softmax),
            Self::LogSoftmax(dim) => forward(*self.operands(inputs)?, dim, fast::log_softmax),
            Self::SoftmaxBackward(dim) => {
                let [grad, out] = self.operands(inputs)?;
                Ok(fast::softmax_backward(grad, out, dim)?)
            }
            Self::LogSoftmaxBackward(dim) => {
                let [grad, out] = self.operands(inputs)?;
                Ok(fast::log_softmax_backward(grad, out, dim)?)
            }
        }
    }

    fn saved(&self, _wants: &dyn Fn(usize) -> bool) -> Saved {
        match self {
            Self::Softmax(_) | Self::LogSoftmax(_) => Operand::Result.into(),
            Self::SoftmaxBackward(_) | Self::LogSoftmaxBackward(_) => Saved::new(),
        }
    }

    fn gradient<A: AutogradOf<Self>>(&self, e: &A, at: Backward<'_, A>) -> Gradient<A> {
        let fused = match *self {
            Self::Softmax(dim) => Self::SoftmaxBackward(dim),
            Self::LogSoftmax(dim) => Self::LogSoftmaxBackward(dim),
            Self::SoftmaxBackward(_) | Self::LogSoftmaxBackward(_) => {
                return Err(self.no_second_gradient());
            }
        };
        let gradient = if e.creates_graph() || e.shape(at.result).is_empty() {
            self.differentiable(e, [at.result, at.grad])?
        } else {
            e.apply(fused, &[at.grad, at.result])?
        };
        Ok(Gradients::first(gradient))
    }
}

impl Dispatch for Softmax {
    fn kernel_kind(&self, _inputs: &[&Meta], _result: &Meta) -> KernelKind {
        KernelKind::Reduction
    }

    fn autocast(&self) -> Autocast {
        match self {
            Self::Softmax(_) | Self::LogSoftmax(_) => Autocast::Float32OnCards,
            Self::SoftmaxBackward(_) | Self::LogSoftmaxBackward(_) => Autocast::Unchanged,
        }
    }
}

fn forward(
    [a]: [&Tensor; 1],
    dim: usize,
    softmax: fn(&Tensor, usize) -> candle_core::Result<Tensor>,
) -> KernelResult {
    if a.elem_count() == 0 {
        return Ok(a.force_contiguous()?);
    }
    let wide = at_least_1d(a)?;
    // A card's kernel computes in a wider type by itself.
    let wide = if is_on_card(a) {
        wide
    } else {
        wide.to_dtype(sum_type(a))?
    };
    let out = softmax(&wide, dim)?.to_dtype(a.dtype())?;
    Ok(out.reshape(a.shape())?)
}
