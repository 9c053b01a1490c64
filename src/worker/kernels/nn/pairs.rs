//! Functions of one number or two, element by element: what candle has no call for is computed here.
//!
//! On 64 bits, and rounded to the type of the tensor at the end.

use super::Done;
use crate::worker::dtype::DType;
use crate::worker::error::TorchError;
use crate::worker::kernels::card;
use crate::worker::kernels::host::{is_on_card, read_as};
use crate::worker::ops::nn::{Activation, Pointwise, Reduced};
use candle_core::{DType as Stored, Tensor};
use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_PI, FRAC_2_SQRT_PI};

fn numbers(a: &Tensor) -> Result<Vec<f64>, TorchError> {
    Ok(read_as(a, Stored::F64)?)
}

/// A function of each element.
pub(super) fn mapped(a: &Tensor, f: impl Fn(f64) -> f64) -> Done {
    let values: Vec<f64> = numbers(a)?.into_iter().map(f).collect();
    Ok(Tensor::from_vec(values, a.shape(), a.device())?.to_dtype(a.dtype())?)
}

/// A function of each pair of elements, in the type of the second tensor.
fn zipped(a: &Tensor, b: &Tensor, f: impl Fn(f64, f64) -> f64) -> Done {
    let (left, right) = (numbers(a)?, numbers(b)?);
    let values: Vec<f64> = left.into_iter().zip(right).map(|(a, b)| f(a, b)).collect();
    Ok(Tensor::from_vec(values, b.shape(), b.device())?.to_dtype(b.dtype())?)
}

/// `log(1 + exp(beta · x)) / beta`, and `x` beyond the threshold.
pub(super) fn softplus(x: f64, beta: f64, threshold: f64) -> f64 {
    let scaled = x * beta;
    if scaled > threshold {
        x
    } else {
        // The larger part is taken out, so that nothing overflows.
        (scaled.max(0.0) + (-scaled.abs()).exp().ln_1p()) / beta
    }
}

fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// The gradient of an activation's input, from that of its result and what was kept.
pub(super) fn activated_back(how: Activation, grad: &Tensor, kept: &Tensor) -> Done {
    if is_on_card(grad)
        && let Some(slope) = card::slope(how, kept)?
    {
        return Ok(grad.mul(&slope)?);
    }
    Ok(match how {
        Activation::Relu => grad.mul(&kept.gt(0.0)?.to_dtype(grad.dtype())?)?,
        Activation::Tanh => grad.mul(&kept.sqr()?.affine(-1.0, 1.0)?)?,
        Activation::Sigmoid => grad.mul(kept)?.mul(&kept.affine(-1.0, 1.0)?)?,
        Activation::Gelu
        | Activation::GeluTanh
        | Activation::Silu
        | Activation::Softplus { .. }
        | Activation::LogSigmoid
        | Activation::LeakyRelu(_)
        | Activation::Elu { .. }
        | Activation::Hardtanh { .. }
        | Activation::Mish => zipped(grad, kept, |grad, x| grad * slope(how, x))?,
    })
}

/// The slope of an activation at what was kept.
fn slope(how: Activation, x: f64) -> f64 {
    match how {
        Activation::Relu => f64::from(u8::from(x > 0.0)),
        Activation::Tanh => 1.0 - x * x,
        Activation::Sigmoid => x * (1.0 - x),
        Activation::Gelu => {
            let phi = 0.5 * (1.0 + candle_core::cpu::erf::erf_f64(x * FRAC_1_SQRT_2));
            let density = 0.5 * FRAC_2_SQRT_PI * FRAC_1_SQRT_2;
            phi + x * density * (-0.5 * x * x).exp()
        }
        Activation::GeluTanh => {
            let (root, cubic) = (FRAC_2_PI.sqrt(), 0.044_715);
            let tanh = (root * (x + cubic * x.powi(3))).tanh();
            let inner = root * (1.0 + 3.0 * cubic * x * x);
            0.5 * (1.0 + tanh) + 0.5 * x * (1.0 - tanh * tanh) * inner
        }
        Activation::Silu => {
            let share = sigmoid(x);
            share * (1.0 + x * (1.0 - share))
        }
        Activation::Softplus { beta, threshold } => {
            if x * beta > threshold {
                1.0
            } else {
                sigmoid(x * beta)
            }
        }
        Activation::LogSigmoid => sigmoid(-x),
        Activation::LeakyRelu(slope) => {
            if x > 0.0 {
                1.0
            } else {
                slope
            }
        }
        Activation::Elu { alpha, scale } => {
            if x > 0.0 {
                scale
            } else {
                scale * alpha * x.exp()
            }
        }
        Activation::Hardtanh { least, most } => f64::from(u8::from(x > least && x < most)),
        Activation::Mish => {
            let tanh = softplus(x, 1.0, 20.0).tanh();
            tanh + x * (1.0 - tanh * tanh) * sigmoid(x)
        }
    }
}

pub(super) fn loss(
    how: Pointwise,
    reduced: Reduced,
    input: &Tensor,
    target: &Tensor,
    dtype: DType,
) -> Done {
    let (input, target) = (
        input.to_dtype(dtype.stored())?,
        target.to_dtype(dtype.stored())?,
    );
    let shape = input
        .shape()
        .broadcast_shape_binary_op(target.shape(), "loss")?;
    let (input, target) = (input.broadcast_as(&shape)?, target.broadcast_as(&shape)?);
    if how == Pointwise::Bce
        && !is_on_card(&input)
        && numbers(&input)?.iter().any(|it| !(0.0..=1.0).contains(it))
    {
        return Err(TorchError::runtime(
            "all elements of input should be between 0 and 1",
        ));
    }
    let losses = match how {
        Pointwise::Mse => input.sub(&target)?.sqr()?,
        Pointwise::BceWithLogits if is_on_card(&input) => card::bce_with_logits(&input, &target)?,
        Pointwise::SmoothL1(_)
        | Pointwise::Huber(_)
        | Pointwise::Bce
        | Pointwise::BceWithLogits => zipped(&target, &input, |target, x| value(how, x, target))?,
    };
    Ok(match reduced {
        Reduced::Not => losses,
        Reduced::Mean => losses.mean_all()?,
        Reduced::Sum => losses.sum_all()?,
    })
}

/// One loss.
fn value(how: Pointwise, x: f64, target: f64) -> f64 {
    let far = (x - target).abs();
    match how {
        Pointwise::Mse => far * far,
        Pointwise::SmoothL1(beta) if far < beta => 0.5 * far * far / beta,
        Pointwise::SmoothL1(beta) => far - 0.5 * beta,
        Pointwise::Huber(delta) if far <= delta => 0.5 * far * far,
        Pointwise::Huber(delta) => delta * (far - 0.5 * delta),
        // PyTorch lets no logarithm go below -100.
        Pointwise::Bce => {
            -(target * x.ln().max(-100.0) + (1.0 - target) * (-x).ln_1p().max(-100.0))
        }
        Pointwise::BceWithLogits => (1.0 - target) * x + softplus(-x, 1.0, f64::MAX),
    }
}

/// The slope of one loss in its input.
fn loss_slope(how: Pointwise, x: f64, target: f64) -> f64 {
    let apart = x - target;
    match how {
        Pointwise::Mse => 2.0 * apart,
        Pointwise::SmoothL1(beta) if apart.abs() < beta => apart / beta,
        Pointwise::SmoothL1(_) => apart.signum(),
        Pointwise::Huber(delta) => apart.clamp(-delta, delta),
        // As PyTorch does, so that nothing is divided by 0.
        Pointwise::Bce => apart / ((1.0 - x) * x).max(1e-12),
        Pointwise::BceWithLogits => sigmoid(x) - target,
    }
}

pub(super) fn loss_back(
    how: Pointwise,
    reduced: Reduced,
    grad: &Tensor,
    input: &Tensor,
    target: &Tensor,
) -> Done {
    let target = target.broadcast_as(input.shape())?;
    let slopes = match how {
        Pointwise::Mse if is_on_card(input) => input
            .sub(&target.to_dtype(input.dtype())?)?
            .affine(2.0, 0.0)?,
        Pointwise::BceWithLogits if is_on_card(input) => {
            candle_nn::ops::sigmoid(&input.contiguous()?)?.sub(&target.to_dtype(input.dtype())?)?
        }
        Pointwise::Mse
        | Pointwise::SmoothL1(_)
        | Pointwise::Huber(_)
        | Pointwise::Bce
        | Pointwise::BceWithLogits => {
            zipped(&target, input, |target, x| loss_slope(how, x, target))?
        }
    };
    let scale = match reduced {
        Reduced::Not | Reduced::Sum => 1.0,
        Reduced::Mean => 1.0 / input.elem_count().max(1) as f64,
    };
    let grad = grad.to_dtype(slopes.dtype())?;
    Ok(slopes.broadcast_mul(&grad)?.affine(scale, 0.0)?)
}
