//! Operations on three tensors.

use super::{Done, binary, with_number};
use crate::worker::tensor::op::{Binary, Meta, Side, Ternary};
use candle_core::Tensor;

/// Computes one.
pub(super) fn ternary(how: Ternary, [a, b, c]: [&Tensor; 3], result: &Meta) -> Done {
    let dtype = result.dtype;
    let typed = |it: &Tensor| it.to_dtype(dtype.stored());
    let (a, b, c) = (&typed(a)?, &typed(b)?, &typed(c)?);
    let two = |how, a: &Tensor, b: &Tensor| binary(how, a, b, dtype);
    let times = |a: &Tensor, number: f64| with_number(Binary::Mul, a, number, Side::Right, dtype);
    match how {
        Ternary::AddCMul(value) => two(Binary::Add, a, &times(&two(Binary::Mul, b, c)?, value)?),
        Ternary::AddCDiv(value) => two(Binary::Add, a, &times(&two(Binary::Div, b, c)?, value)?),
        Ternary::Lerp => {
            let way = two(Binary::Mul, c, &two(Binary::Sub, b, a)?)?;
            two(Binary::Add, a, &way)
        }
    }
}
