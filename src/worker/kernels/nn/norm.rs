//! Normalization over the last dimensions, and the ways back.

use super::{Done, as_rows, mean};
use crate::worker::error::TorchError;
use crate::worker::ops::nn::{Norm, NormKind};
use candle_core::Tensor;

/// Rows with mean square 1 (and mean 0, for layers), and what each was multiplied with.
fn normalized(how: Norm, input: &Tensor) -> Result<(Tensor, Tensor), TorchError> {
    let rows = as_rows(input, how.dims)?;
    let centred = match how.how {
        NormKind::Layer => rows.broadcast_sub(&mean(&rows)?)?,
        NormKind::Rms => rows,
    };
    let factor = (mean(&centred.sqr()?)? + how.eps)?.sqrt()?.recip()?;
    Ok((centred.broadcast_mul(&factor)?, factor))
}

fn flat(parameter: &Tensor, like: &Tensor) -> Done {
    Ok(parameter.flatten_all()?.to_dtype(like.dtype())?)
}

pub(super) fn forward(how: Norm, input: &Tensor, parameters: &[&Tensor]) -> Done {
    let (mut out, _) = normalized(how, input)?;
    let mut parameters = parameters.iter();
    if let Some(weight) = parameters.next() {
        out = out.broadcast_mul(&flat(weight, &out)?)?;
    }
    if let Some(bias) = parameters.next() {
        out = out.broadcast_add(&flat(bias, &out)?)?;
    }
    Ok(out.reshape(input.shape())?.to_dtype(input.dtype())?)
}

/// The gradient of the input: that of the result without its mean and without its part along the result.
pub(super) fn back(how: Norm, grad: &Tensor, input: &Tensor, weight: Option<&Tensor>) -> Done {
    let (out, factor) = normalized(how, input)?;
    let mut grad = as_rows(grad, how.dims)?.to_dtype(out.dtype())?;
    if let Some(weight) = weight {
        grad = grad.broadcast_mul(&flat(weight, &grad)?)?;
    }
    let along = out.broadcast_mul(&mean(&grad.mul(&out)?)?)?;
    let rest = match how.how {
        NormKind::Layer => grad.broadcast_sub(&mean(&grad)?)?,
        NormKind::Rms => grad,
    };
    let of_input = rest.sub(&along)?.broadcast_mul(&factor)?;
    Ok(of_input.reshape(input.shape())?.to_dtype(input.dtype())?)
}

/// The gradient of the weight, and below it that of the bias if there is one.
pub(super) fn back_affine(
    how: Norm,
    grad: &Tensor,
    input: &Tensor,
    weight: &Tensor,
    shape: &[usize],
) -> Done {
    let (out, _) = normalized(how, input)?;
    let grad = as_rows(grad, how.dims)?.to_dtype(out.dtype())?;
    let of_weight = grad.mul(&out)?.sum(0)?;
    let parts = match how.how {
        NormKind::Layer => Tensor::cat(&[of_weight, grad.sum(0)?], 0)?,
        NormKind::Rms => of_weight,
    };
    Ok(parts.reshape(shape)?.to_dtype(weight.dtype())?)
}
