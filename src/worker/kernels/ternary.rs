//! Operations on three tensors.

use super::{Done, matmul, pointwise};
use crate::worker::meta::Meta;
use crate::worker::ops::{Binary, Ternary};
use crate::worker::shape;
use candle_core::Tensor;

/// Computes one.
pub(super) fn ternary(how: Ternary, [a, b, c]: [&Tensor; 3], result: &Meta) -> Done {
    let dtype = result.dtype;
    let two = |how, a: &Tensor, b: &Tensor| pointwise::binary(how, a, b, dtype);
    let times = |a: &Tensor, number: f64| -> Done {
        if dtype.is_float() {
            return Ok(a.to_dtype(dtype.stored())?.affine(number, 0.0)?);
        }
        // A share of whole numbers is a whole number, as in PyTorch.
        let number = Tensor::new(number as i64, a.device())?;
        two(Binary::Mul, a, &number)
    };
    match how {
        Ternary::AddCMul(value) => two(Binary::Add, a, &times(&two(Binary::Mul, b, c)?, value)?),
        Ternary::AddCDiv(value) => two(Binary::Add, a, &times(&two(Binary::Div, b, c)?, value)?),
        Ternary::Lerp => {
            let way = two(Binary::Mul, c, &two(Binary::Sub, b, a)?)?;
            two(Binary::Add, a, &way)
        }
        Ternary::AddMM { beta, alpha } | Ternary::BAddBMM { beta, alpha } => {
            let product = times(&matmul(b, c, &shape::matmul(b.dims(), c.dims())?)?, alpha)?;
            if beta == 0.0 || (!dtype.is_float() && beta as i64 == 0) {
                // What is not a number does not pass through a share of nothing.
                return Ok(product);
            }
            two(Binary::Add, &product, &times(a, beta)?)
        }
    }
}
