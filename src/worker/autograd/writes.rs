//! Gradients of what writes to named places, and of what takes three tensors.

use super::pointwise::from_one;
use super::shapes::{matmul, reshaped, summed_to};
use super::{Grads, wanted};
use crate::worker::engine::Engine;
use crate::worker::error::TorchError;
use crate::worker::ops::{Binary, Op, Scatter, Ternary, Unary};
use crate::worker::tensor::Tensor;

pub(super) fn scatter(
    e: &Engine,
    (how, dim): (Scatter, usize),
    [target, index, source]: [&Tensor; 3],
    grad: &Tensor,
) -> Grads {
    let of_target = wanted(target, || match how {
        Scatter::Written => {
            let mut meta = grad.meta();
            meta.shape = index.shape();
            let nothing = e.full(meta, grad.place(), 0.0)?;
            e.apply(Op::Scatter(how, dim), &[grad, index, &nothing])
        }
        Scatter::Added | Scatter::Slices => Ok(grad.clone()),
    })?;
    let of_source = wanted(source, || match how {
        Scatter::Written | Scatter::Added => {
            padded(e, e.apply(Op::Gather(dim), &[grad, index])?, source)
        }
        Scatter::Slices => {
            let picked = e.apply(Op::IndexSelect(dim), &[grad, index])?;
            reshaped(e, &picked, source.shape())
        }
    })?;
    Ok(vec![of_target, None, of_source])
}

/// Zeros behind a tensor, up to the sizes of another: what an index did not reach got no gradient.
fn padded(e: &Engine, grad: Tensor, like: &Tensor) -> Result<Tensor, TorchError> {
    let mut grad = grad;
    for (dim, size) in like.shape().into_iter().enumerate() {
        let mut meta = grad.meta();
        let Some(it) = meta.shape.get_mut(dim).filter(|it| **it < size) else {
            continue;
        };
        *it = size - *it;
        let rest = e.full(meta, grad.place(), 0.0)?;
        grad = e.apply(Op::Cat(dim), &[&grad, &rest])?;
    }
    reshaped(e, &grad, like.shape())
}

pub(super) fn ternary(e: &Engine, how: Ternary, [a, b, c]: [&Tensor; 3], grad: &Tensor) -> Grads {
    let by = |number: f64| match number {
        1.0 => Ok(grad.clone()),
        _ => e.number(Binary::Mul, grad, number),
    };
    if let Ternary::AddMM { beta, alpha } | Ternary::BAddBMM { beta, alpha } = how {
        let mut grads = vec![wanted(a, || summed_to(e, &by(beta)?, a))?];
        grads.extend(matmul(e, b, c, &by(alpha)?)?);
        return Ok(grads);
    }
    let times = |it: &Tensor, other: &Tensor| e.binary(Binary::Mul, it, other);
    let of_a = || match how {
        Ternary::Lerp => times(grad, &from_one(e, c)?),
        Ternary::AddCMul(_)
        | Ternary::AddCDiv(_)
        | Ternary::AddMM { .. }
        | Ternary::BAddBMM { .. } => Ok(grad.clone()),
    };
    let of_b = || match how {
        Ternary::AddCMul(value) => times(&by(value)?, c),
        Ternary::AddCDiv(value) => e.binary(Binary::Div, &by(value)?, c),
        Ternary::Lerp => times(grad, c),
        Ternary::AddMM { .. } | Ternary::BAddBMM { .. } => Ok(grad.clone()),
    };
    let of_c = || match how {
        Ternary::AddCMul(value) => times(&by(value)?, b),
        Ternary::AddCDiv(value) => {
            let slope = e.binary(Binary::Div, &e.binary(Binary::Div, b, c)?, c)?;
            e.unary(Unary::Neg, &times(&by(value)?, &slope)?)
        }
        Ternary::Lerp => times(grad, &e.binary(Binary::Sub, b, a)?),
        Ternary::AddMM { .. } | Ternary::BAddBMM { .. } => Ok(grad.clone()),
    };
    Ok(vec![
        wanted(a, || summed_to(e, &of_a()?, a))?,
        wanted(b, || summed_to(e, &of_b()?, b))?,
        wanted(c, || summed_to(e, &of_c()?, c))?,
    ])
}
