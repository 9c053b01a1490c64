//! The candle calls of layers and losses.
//!
//! Where candle has the piece, it is called. Normalizations take their mean before their square, because
//! candle's fused ones subtract two large squares from each other; sums run in `float32` at least.

mod attention;
mod norm;
mod pairs;
mod picks;

use super::{Done, matmul};
use crate::worker::error::TorchError;
use crate::worker::meta::Meta;
use crate::worker::ops::nn::{Activation, Nn};
use candle_core::{D, DType, Device, Tensor};

/// Computes an operation whose result is `result`.
pub(super) fn run(op: &Nn, inputs: &[&Tensor], result: &Meta) -> Done {
    match (op, inputs) {
        (Nn::Linear | Nn::LinearBias, [input, weight, bias @ ..]) => {
            let flipped = if weight.rank() == 2 {
                weight.t()?
            } else {
                (*weight).clone()
            };
            let product = matmul(input, &flipped, &result.shape)?;
            match bias.first() {
                Some(bias) => Ok(product.broadcast_add(bias)?),
                None => Ok(product),
            }
        }
        (Nn::Activate(how), [input, ..]) => activated(*how, input),
        (Nn::ActivationBackward(how), [grad, kept]) => pairs::activated_back(*how, grad, kept),
        (Nn::SoftmaxBackward(dim), [grad, out]) => {
            let product = grad.mul(out)?;
            let share = out.broadcast_mul(&product.sum_keepdim(*dim)?)?;
            Ok(product.sub(&share)?)
        }
        (Nn::LogSoftmaxBackward(dim), [grad, out]) => {
            let share = out.exp()?.broadcast_mul(&grad.sum_keepdim(*dim)?)?;
            Ok(grad.sub(&share)?)
        }
        (Nn::Norm(how), [input, parameters @ ..]) => norm::forward(*how, input, parameters),
        (Nn::NormBackward(how), [grad, input, weight @ ..]) => {
            norm::back(*how, grad, input, weight.first().copied())
        }
        (Nn::NormAffineBackward(how), [grad, input, weight]) => {
            norm::back_affine(*how, grad, input, weight, &result.shape)
        }
        (Nn::Loss(how, reduced), [input, target]) => {
            pairs::loss(*how, *reduced, input, target, result.dtype)
        }
        (Nn::LossBackward(how, reduced), [grad, input, target]) => {
            pairs::loss_back(*how, *reduced, grad, input, target)
        }
        (Nn::Nll(how), [scores, target, weight @ ..]) => {
            picks::nll(*how, scores, target, weight.first().copied())
        }
        (Nn::NllBackward(how, shape), [grad, target, weight @ ..]) => {
            picks::nll_back(*how, shape, grad, target, weight.first().copied())
        }
        (Nn::Embedding(_), [weight, indices]) => picks::rows(weight, indices, &result.shape),
        (Nn::EmbeddingBackward { rows, padding }, [grad, indices]) => {
            picks::rows_back(*rows, *padding, grad, indices)
        }
        (Nn::Dropout(p), [input, mask]) => {
            let scale = if *p < 1.0 { 1.0 / (1.0 - p) } else { 0.0 };
            Ok(input
                .mul(&mask.to_dtype(input.dtype())?)?
                .affine(scale, 0.0)?)
        }
        (Nn::Attention(how), [query, key, value, mask @ ..]) => {
            let heads = attention::Heads::of(*how, query, key, value, mask.first().copied())?;
            Ok(heads.forward(query.dtype())?.reshape(&*result.shape)?)
        }
        (Nn::AttentionBackward(how), [grad, query, key, value, mask @ ..]) => {
            attention::Heads::of(*how, query, key, value, mask.first().copied())?.back(grad)
        }
        (Nn::FoundInf, inputs) => {
            let on = inputs.first().map_or(&Device::Cpu, |it| it.device());
            let mut sum = Tensor::new(0_f32, on)?;
            for input in inputs {
                // 0 times what is infinite or not a number is not a number, and everything else is 0.
                let zeros = input.to_dtype(DType::F32)?.affine(0.0, 0.0)?;
                sum = sum.add(&zeros.sum_all()?)?;
            }
            Ok(sum.ne(&sum)?.to_dtype(DType::F32)?)
        }
        (op, _) => Err(TorchError::runtime(format!(
            "{} needs more tensors",
            op.name()
        ))),
    }
}

/// `float64` for itself, `float32` for what is not wider.
fn wide(dtype: DType) -> DType {
    if dtype == DType::F64 {
        DType::F64
    } else {
        DType::F32
    }
}

fn activated(how: Activation, a: &Tensor) -> Done {
    Ok(match how {
        Activation::Relu => a.relu()?,
        Activation::Tanh => a.tanh()?,
        Activation::Sigmoid => candle_nn::ops::sigmoid(a)?,
        Activation::Gelu => a.gelu_erf()?,
        Activation::GeluTanh => a.gelu()?,
        Activation::Silu => candle_nn::ops::silu(a)?,
        Activation::LeakyRelu(slope) => candle_nn::ops::leaky_relu(a, slope)?,
        Activation::Elu { alpha, scale: 1.0 } => a.elu(alpha)?,
        Activation::Elu { alpha, scale } => a.elu(alpha)?.affine(scale, 0.0)?,
        Activation::Hardtanh { least, most } => a.clamp(least, most)?,
        Activation::Softplus { beta, threshold } => {
            pairs::mapped(a, |x| pairs::softplus(x, beta, threshold))?
        }
        Activation::LogSigmoid => pairs::mapped(a, |x| -pairs::softplus(-x, 1.0, f64::MAX))?,
        Activation::Mish => candle_nn::ops::mish(a)?,
    })
}

/// The input as rows of what is normalized over, in a type that can be summed.
fn as_rows(input: &Tensor, dims: usize) -> Result<Tensor, TorchError> {
    let kept = input.rank().saturating_sub(dims);
    let columns: usize = input.dims().iter().skip(kept).product();
    let rows = input.elem_count() / columns.max(1);
    Ok(input
        .reshape((rows, columns))?
        .to_dtype(wide(input.dtype()))?)
}

/// The mean of each row.
fn mean(rows: &Tensor) -> Done {
    Ok(rows.mean_keepdim(D::Minus1)?)
}
