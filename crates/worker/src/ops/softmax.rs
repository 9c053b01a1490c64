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

/// Bytes of a row up to which a softmax reads it once. On an H200 rows of 8192 and of 50304 numbers take what reading them
/// three times does, rows of 2048 what reading them once does (PyTorch 2.11, 2026-11).
const SHORT_ROW: u64 = 16 * 1024;

/// Threads of a block that goes down columns (PyTorch, `SpatialSoftMax_getBlockSize`).
const SPATIAL_THREADS: u64 = 1024;

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

impl Softmax {
    fn dim(self) -> usize {
        match self {
            Self::Softmax(dim)
            | Self::LogSoftmax(dim)
            | Self::SoftmaxBackward(dim)
            | Self::LogSoftmaxBackward(dim) => dim,
        }
    }

    /// The length of a row or column, and the elements from one of its elements to the next.
    fn row(self, shape: &[usize]) -> [u64; 2] {
        let row = shape.get(self.dim()).map_or(1, |it| *it as u64);
        let inner = shape.iter().skip(self.dim() + 1);
        [row, inner.map(|it| *it as u64).product()]
    }

    /// The inputs of which a kernel needs sums: the gradient of a logarithm needs only that of the gradient.
    fn summed(self, inputs: &[&Meta]) -> u64 {
        let of = match self {
            Self::LogSoftmaxBackward(_) => inputs.get(..1).unwrap_or_default(),
            Self::Softmax(_) | Self::LogSoftmax(_) | Self::SoftmaxBackward(_) => inputs,
        };
        of.iter().map(|it| it.bytes()).sum()
    }

    /// How often a kernel reads each element before it reads it for its result.
    fn sums(self) -> u64 {
        match self {
            // The largest, and the sum of the exponentials.
            Self::Softmax(_) | Self::LogSoftmax(_) => 2,
            Self::SoftmaxBackward(_) | Self::LogSoftmaxBackward(_) => 1,
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
        // The sums of a long row need passes of their own: two over the input of a softmax, one over each input of its
        // gradient (PyTorch, `cunn_SoftMaxForward` and `cunn_SoftMaxBackward`). Those of a column always do.
        let [row, inner] = self.row(&result.shape);
        let again = if inner <= 1 && row.saturating_mul(result.dtype.size()) <= SHORT_ROW {
            0
        } else {
            self.sums().saturating_mul(self.summed(inputs))
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
    /// A block has a row. Columns have a thread each, or a few if there are few columns.
    fn kernel_kind(&self, _inputs: &[&Meta], result: &Meta) -> KernelKind {
        let [row, inner] = self.row(&result.shape);
        if inner > 1 {
            let few = inner <= 64 && row >= 64;
            let threads = if few { SPATIAL_THREADS / inner } else { 1 };
            return KernelKind::ColumnWalk {
                loads: row.div_ceil(threads).saturating_mul(self.sums() + 1),
            };
        }
        if row.saturating_mul(result.dtype.size()) > SHORT_ROW {
            // Passes over elements in order.
            return KernelKind::Elementwise;
        }
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
