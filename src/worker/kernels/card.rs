//! What the host does element by element, as kernels of candle's: for values on a real card, where reading
//! them would make the host wait.
//!
//! Results may differ from the host's in the last bits, as they do between devices in PyTorch, too.

use super::Done;
use crate::worker::ops::nn::Activation;
use crate::worker::ops::{Binary, Extreme};
use candle_core::{DType as Stored, Tensor};
use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_PI, FRAC_2_SQRT_PI};

/// The larger or smaller of two; what is not a number wins.
pub(super) fn extreme(how: Extreme, a: &Tensor, b: &Tensor) -> Done {
    let shape = a.shape().broadcast_shape_binary_op(b.shape(), "extreme")?;
    let (a, b) = (a.broadcast_as(&shape)?, b.broadcast_as(&shape)?);
    let best = match how {
        Extreme::Largest => a.maximum(&b)?,
        Extreme::Smallest => a.minimum(&b)?,
    };
    // The kernels pass over what is not a number; no such number is equal to itself.
    let best = a.ne(&a)?.where_cond(&a, &best)?;
    Ok(b.ne(&b)?.where_cond(&b, &best)?)
}

/// The extremes along dimensions, which stay as one; what is not a number wins.
pub(super) fn extremes(how: Extreme, a: &Tensor, dims: &[usize]) -> Done {
    let mut best = a.contiguous()?;
    let mut odd = a.ne(a)?;
    for dim in dims {
        best = match how {
            Extreme::Largest => best.max_keepdim(*dim)?,
            Extreme::Smallest => best.min_keepdim(*dim)?,
        };
        odd = odd.max_keepdim(*dim)?;
    }
    let none = best.zeros_like()?.affine(0.0, f64::NAN)?;
    Ok(odd.where_cond(&none, &best)?)
}

/// Positions of extremes along a dimension. Which of several equal ones is found is not fixed, as in PyTorch.
pub(super) fn positions(how: Extreme, a: &Tensor, dim: usize) -> Done {
    let a = a.contiguous()?;
    let found = match how {
        Extreme::Largest => a.argmax(dim)?,
        Extreme::Smallest => a.argmin(dim)?,
    };
    Ok(found.to_dtype(Stored::I64)?.flatten_all()?)
}

/// Arithmetic of 64-bit whole numbers, where there is a kernel for it.
pub(super) fn whole(how: Binary, a: &Tensor, b: &Tensor) -> candle_core::Result<Option<Tensor>> {
    if a.dtype() != Stored::I64 || b.dtype() != Stored::I64 {
        return Ok(None);
    }
    let shape = a.shape().broadcast_shape_binary_op(b.shape(), "whole")?;
    let (a, b) = (a.broadcast_as(&shape)?, b.broadcast_as(&shape)?);
    Ok(match how {
        Binary::Add => Some(a.add(&b)?),
        Binary::Sub => Some(a.sub(&b)?),
        Binary::Mul => Some(a.mul(&b)?),
        Binary::Maximum => Some(a.maximum(&b)?),
        Binary::Minimum => Some(a.minimum(&b)?),
        Binary::Div
        | Binary::Pow
        | Binary::FloorDiv
        | Binary::TruncDiv
        | Binary::Remainder
        | Binary::Fmod
        | Binary::Atan2
        | Binary::LogicalAnd
        | Binary::LogicalOr
        | Binary::LogicalXor
        | Binary::BitwiseAnd
        | Binary::BitwiseOr
        | Binary::BitwiseXor
        | Binary::LeftShift
        | Binary::RightShift => None,
    })
}

/// The slope of an activation at what was kept, for those that training uses most.
pub(super) fn slope(how: Activation, x: &Tensor) -> candle_core::Result<Option<Tensor>> {
    Ok(match how {
        Activation::Gelu => {
            let phi = x.affine(FRAC_1_SQRT_2, 0.0)?.erf()?.affine(0.5, 0.5)?;
            let density = 0.5 * FRAC_2_SQRT_PI * FRAC_1_SQRT_2;
            let bell = x.sqr()?.affine(-0.5, 0.0)?.exp()?.affine(density, 0.0)?;
            Some(phi.add(&x.mul(&bell)?)?)
        }
        Activation::GeluTanh => {
            let (root, cubic) = (FRAC_2_PI.sqrt(), 0.044_715);
            let square = x.sqr()?;
            let inside = x.mul(&square.affine(root * cubic, root)?)?;
            let tanh = inside.tanh()?;
            let inner = square.affine(3.0 * root * cubic, root)?;
            let rest = tanh.sqr()?.affine(-1.0, 1.0)?;
            let second = x.mul(&rest)?.mul(&inner)?.affine(0.5, 0.0)?;
            Some(tanh.affine(0.5, 0.5)?.add(&second)?)
        }
        Activation::Silu => {
            let share = candle_nn::ops::sigmoid(x)?;
            let inner = x.mul(&share.affine(-1.0, 1.0)?)?.affine(1.0, 1.0)?;
            Some(share.mul(&inner)?)
        }
        Activation::LeakyRelu(slope) => {
            let above = x.gt(0.0)?.to_dtype(x.dtype())?;
            Some(above.affine(1.0 - slope, slope)?)
        }
        Activation::Relu
        | Activation::Tanh
        | Activation::Sigmoid
        | Activation::Softplus { .. }
        | Activation::LogSigmoid
        | Activation::Elu { .. }
        | Activation::Hardtanh { .. }
        | Activation::Mish => None,
    })
}

/// Binary cross-entropy of scores: `max(x, 0) - x · target + log(1 + exp(-|x|))`.
pub(super) fn bce_with_logits(x: &Tensor, target: &Tensor) -> Done {
    let soft = x.abs()?.neg()?.exp()?.affine(1.0, 1.0)?.log()?;
    Ok(x.relu()?.sub(&x.mul(target)?)?.add(&soft)?)
}
