//! Gradients of operations on three tensors.

use super::shapes::summed_to;
use super::{Grads, from_one, wanted};
use crate::worker::engine::Engine;
use crate::worker::tensor::Tensor;
use crate::worker::tensor::op::{Binary, Ternary, Unary};

pub(super) fn ternary(e: &Engine, how: Ternary, [a, b, c]: [&Tensor; 3], grad: &Tensor) -> Grads {
    let times = |x: &Tensor, y: &Tensor| e.binary(Binary::Mul, x, y);
    let by = |value: f64| e.number(Binary::Mul, grad, value);
    let of_a = wanted(a, || {
        let of_a = match how {
            Ternary::AddCMul(_) | Ternary::AddCDiv(_) => grad.clone(),
            Ternary::Lerp => times(grad, &from_one(e, c)?)?,
        };
        summed_to(e, &of_a, a)
    })?;
    let of_b = wanted(b, || {
        let of_b = match how {
            Ternary::AddCMul(value) => times(&by(value)?, c)?,
            Ternary::AddCDiv(value) => e.binary(Binary::Div, &by(value)?, c)?,
            Ternary::Lerp => times(grad, c)?,
        };
        summed_to(e, &of_b, b)
    })?;
    let of_c = wanted(c, || {
        let of_c = match how {
            Ternary::AddCMul(value) => times(&by(value)?, b)?,
            Ternary::AddCDiv(value) => {
                let slope = e.binary(Binary::Div, b, &times(c, c)?)?;
                e.unary(Unary::Neg, &times(&by(value)?, &slope)?)?
            }
            Ternary::Lerp => times(grad, &e.binary(Binary::Sub, b, a)?)?,
        };
        summed_to(e, &of_c, c)
    })?;
    Ok(vec![of_a, of_b, of_c])
}
