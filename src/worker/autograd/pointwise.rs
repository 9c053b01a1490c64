//! Gradients of operations that go element by element.

use super::shapes::{as_type, summed_to};
use super::{Grads, nn, wanted};
use crate::worker::dtype::Category;
use crate::worker::engine::Engine;
use crate::worker::error::TorchError;
use crate::worker::meta::Meta;
use crate::worker::ops::nn::Activation;
use crate::worker::ops::{Binary, Compare, Op, Side, Unary};
use crate::worker::tensor::Tensor;
use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_SQRT_PI, LN_2, LN_10};

/// The activation whose way back is one kernel.
fn fused(how: Unary) -> Option<Activation> {
    [
        (Unary::Tanh, Activation::Tanh),
        (Unary::Sigmoid, Activation::Sigmoid),
        (Unary::Relu, Activation::Relu),
        (Unary::Gelu, Activation::Gelu),
    ]
    .into_iter()
    .find_map(|(it, fused)| (it == how).then_some(fused))
}

pub(super) fn unary(
    e: &Engine,
    how: Unary,
    a: &Tensor,
    out: &Tensor,
    grad: &Tensor,
) -> Result<Option<Tensor>, TorchError> {
    let times = |slope: &Tensor| e.binary(Binary::Mul, grad, slope).map(Some);
    let over = |below: &Tensor| e.binary(Binary::Div, grad, below).map(Some);
    // The parts of a way back that is itself gone backward have to be operations with a gradient.
    if let Some(how) = fused(how).filter(|_| !e.grad_enabled()) {
        return nn::activation(e, how, (a, out), grad).map(Some);
    }
    match how {
        Unary::Neg => e.unary(Unary::Neg, grad).map(Some),
        Unary::Abs => times(&e.unary(Unary::Sign, a)?),
        Unary::Exp => times(out),
        Unary::Exp2 => times(&e.number(Binary::Mul, out, LN_2)?),
        Unary::Expm1 => times(&e.number(Binary::Add, out, 1.0)?),
        Unary::Log => over(a),
        Unary::Log2 => over(&e.number(Binary::Mul, a, LN_2)?),
        Unary::Log10 => over(&e.number(Binary::Mul, a, LN_10)?),
        Unary::Log1p => over(&e.number(Binary::Add, a, 1.0)?),
        Unary::Sqrt => over(&e.number(Binary::Mul, out, 2.0)?),
        Unary::Rsqrt => {
            let cube = e.number(Binary::Pow, out, 3.0)?;
            times(&e.number(Binary::Mul, &cube, -0.5)?)
        }
        Unary::Square => times(&e.number(Binary::Mul, a, 2.0)?),
        Unary::Reciprocal => {
            let square = e.unary(Unary::Square, out)?;
            times(&e.unary(Unary::Neg, &square)?)
        }
        Unary::Sin => times(&e.unary(Unary::Cos, a)?),
        Unary::Cos => times(&e.unary(Unary::Neg, &e.unary(Unary::Sin, a)?)?),
        Unary::Tan => {
            let square = e.unary(Unary::Square, out)?;
            times(&e.number(Binary::Add, &square, 1.0)?)
        }
        Unary::Asin => times(&arc_slope(e, a)?),
        Unary::Acos => times(&e.unary(Unary::Neg, &arc_slope(e, a)?)?),
        Unary::Atan => {
            let square = e.unary(Unary::Square, a)?;
            over(&e.number(Binary::Add, &square, 1.0)?)
        }
        Unary::Sinh => times(&e.unary(Unary::Cosh, a)?),
        Unary::Cosh => times(&e.unary(Unary::Sinh, a)?),
        Unary::Tanh => {
            let square = e.binary(Binary::Mul, out, out)?;
            times(&from_one(e, &square)?)
        }
        Unary::Sigmoid => {
            let rest = from_one(e, out)?;
            times(&e.binary(Binary::Mul, out, &rest)?)
        }
        Unary::Relu => {
            let above = e.apply(Op::CompareNumber(Compare::Gt, 0.0), &[out])?;
            times(&e.apply(Op::Cast(grad.dtype()), &[&above])?)
        }
        Unary::Gelu => times(&gelu_slope(e, a)?),
        Unary::Erf => {
            let bell = bell(e, a, -1.0)?;
            times(&e.number(Binary::Mul, &bell, FRAC_2_SQRT_PI)?)
        }
        Unary::Frac => Ok(Some(grad.clone())),
        Unary::Floor | Unary::Ceil | Unary::Round | Unary::Trunc | Unary::Sign => {
            e.full_like(grad, 0.0).map(Some)
        }
        Unary::LogicalNot | Unary::BitwiseNot | Unary::IsNan | Unary::IsInf | Unary::IsFinite => {
            Ok(None)
        }
    }
}

/// `number op a`
fn left(e: &Engine, how: Binary, number: f64, a: &Tensor) -> Result<Tensor, TorchError> {
    let op = Op::WithNumber {
        how,
        number,
        kind: Category::Float,
        side: Side::Left,
    };
    e.apply(op, &[a])
}

/// `1 - a`
pub(super) fn from_one(e: &Engine, a: &Tensor) -> Result<Tensor, TorchError> {
    left(e, Binary::Sub, 1.0, a)
}

/// `1 / sqrt(1 - a²)`
fn arc_slope(e: &Engine, a: &Tensor) -> Result<Tensor, TorchError> {
    let square = e.unary(Unary::Square, a)?;
    e.unary(Unary::Rsqrt, &from_one(e, &square)?)
}

/// `exp(scale · a²)`
fn bell(e: &Engine, a: &Tensor, scale: f64) -> Result<Tensor, TorchError> {
    let square = e.binary(Binary::Mul, a, a)?;
    e.unary(Unary::Exp, &e.number(Binary::Mul, &square, scale)?)
}

/// Φ(a) + a·φ(a)
fn gelu_slope(e: &Engine, a: &Tensor) -> Result<Tensor, TorchError> {
    let erf = e.unary(Unary::Erf, &e.number(Binary::Mul, a, FRAC_1_SQRT_2)?)?;
    let phi = e.number(Binary::Mul, &e.number(Binary::Add, &erf, 1.0)?, 0.5)?;
    let density = 0.5 * FRAC_2_SQRT_PI * FRAC_1_SQRT_2;
    let bell = e.number(Binary::Mul, &bell(e, a, -0.5)?, density)?;
    e.binary(Binary::Add, &phi, &e.binary(Binary::Mul, a, &bell)?)
}

/// 0 where the condition is true, else what the tensor has there.
pub(super) fn zero_where(e: &Engine, condition: &Tensor, a: &Tensor) -> Result<Tensor, TorchError> {
    // A scalar beside the condition, as PyTorch makes it.
    let zero = e.full(Meta::new(vec![], a.dtype()), a.place(), 0.0)?;
    e.apply(Op::Where, &[condition, &zero, a])
}

pub(super) fn binary(
    e: &Engine,
    how: Binary,
    (a, b): (&Tensor, &Tensor),
    out: &Tensor,
    grad: &Tensor,
) -> Grads {
    let of_a = wanted(a, || {
        let of_a = of_left(e, how, (a, b), grad)?;
        summed_to(e, &of_a, a)
    })?;
    let of_b = wanted(b, || {
        let of_b = of_right(e, how, (a, b), out, grad)?;
        summed_to(e, &of_b, b)
    })?;
    Ok(vec![of_a, of_b])
}

fn of_left(
    e: &Engine,
    how: Binary,
    (a, b): (&Tensor, &Tensor),
    grad: &Tensor,
) -> Result<Tensor, TorchError> {
    let times = |slope: &Tensor| e.binary(Binary::Mul, grad, slope);
    match how {
        Binary::Add | Binary::Sub | Binary::Remainder | Binary::Fmod => Ok(grad.clone()),
        Binary::Mul => times(b),
        Binary::Div => e.binary(Binary::Div, grad, b),
        Binary::Pow => {
            let lower = e.binary(Binary::Pow, a, &e.number(Binary::Sub, b, 1.0)?)?;
            let slope = times(&e.binary(Binary::Mul, b, &lower)?)?;
            // Nothing to the power of 0 goes nowhere; 0 times infinity would not be a number.
            let flat = e.apply(Op::CompareNumber(Compare::Eq, 0.0), &[b])?;
            zero_where(e, &flat, &slope)
        }
        Binary::Atan2 => e.binary(Binary::Mul, &over_squares(e, (a, b), grad)?, b),
        Binary::Maximum => times(&share(e, Compare::Gt, (a, b), grad)?),
        Binary::Minimum => times(&share(e, Compare::Lt, (a, b), grad)?),
        Binary::FloorDiv
        | Binary::TruncDiv
        | Binary::LogicalAnd
        | Binary::LogicalOr
        | Binary::LogicalXor
        | Binary::BitwiseAnd
        | Binary::BitwiseOr
        | Binary::BitwiseXor
        | Binary::LeftShift
        | Binary::RightShift => e.full_like(grad, 0.0),
    }
}

fn of_right(
    e: &Engine,
    how: Binary,
    (a, b): (&Tensor, &Tensor),
    out: &Tensor,
    grad: &Tensor,
) -> Result<Tensor, TorchError> {
    let times = |slope: &Tensor| e.binary(Binary::Mul, grad, slope);
    let less = |it: &Tensor| e.unary(Unary::Neg, it);
    match how {
        Binary::Add => Ok(grad.clone()),
        Binary::Sub => less(grad),
        Binary::Mul => times(a),
        Binary::Div => {
            let slope = e.binary(Binary::Div, &e.binary(Binary::Div, a, b)?, b)?;
            e.binary(Binary::Mul, &less(grad)?, &slope)
        }
        Binary::Pow => {
            let slope = times(&e.binary(Binary::Mul, out, &e.unary(Unary::Log, a)?)?)?;
            let nothing = e.apply(Op::CompareNumber(Compare::Eq, 0.0), &[a])?;
            let upward = e.apply(Op::CompareNumber(Compare::Ge, 0.0), &[b])?;
            let stays = e.binary(Binary::LogicalAnd, &nothing, &upward)?;
            zero_where(e, &stays, &slope)
        }
        Binary::Remainder => less(&times(&e.binary(Binary::FloorDiv, a, b)?)?),
        Binary::Fmod => less(&times(&e.binary(Binary::TruncDiv, a, b)?)?),
        Binary::Atan2 => less(&e.binary(Binary::Mul, &over_squares(e, (a, b), grad)?, a)?),
        Binary::Maximum => times(&share(e, Compare::Gt, (b, a), grad)?),
        Binary::Minimum => times(&share(e, Compare::Lt, (b, a), grad)?),
        Binary::FloorDiv
        | Binary::TruncDiv
        | Binary::LogicalAnd
        | Binary::LogicalOr
        | Binary::LogicalXor
        | Binary::BitwiseAnd
        | Binary::BitwiseOr
        | Binary::BitwiseXor
        | Binary::LeftShift
        | Binary::RightShift => e.full_like(grad, 0.0),
    }
}

/// `grad / (a² + b²)`
fn over_squares(
    e: &Engine,
    (a, b): (&Tensor, &Tensor),
    grad: &Tensor,
) -> Result<Tensor, TorchError> {
    let (a, b) = (e.unary(Unary::Square, a)?, e.unary(Unary::Square, b)?);
    e.binary(Binary::Div, grad, &e.binary(Binary::Add, &a, &b)?)
}

/// A sum of multiples.
pub(super) fn scaled(
    e: &Engine,
    (of_a, of_b): (f64, f64),
    (a, b): (&Tensor, &Tensor),
    grad: &Tensor,
) -> Grads {
    let share = |like: &Tensor, times: f64| {
        wanted(like, || {
            if (times - 1.0).abs() < f64::EPSILON {
                return summed_to(e, grad, like);
            }
            summed_to(e, &e.number(Binary::Mul, grad, times)?, like)
        })
    };
    Ok(vec![share(a, of_a)?, share(b, of_b)?])
}

/// 1 where the first tensor is the one that was chosen, a half where both are.
fn share(
    e: &Engine,
    how: Compare,
    (a, b): (&Tensor, &Tensor),
    grad: &Tensor,
) -> Result<Tensor, TorchError> {
    let chosen = e.apply(Op::Compare(how), &[a, b])?;
    let chosen = e.apply(Op::Cast(grad.dtype()), &[&chosen])?;
    let both = e.apply(Op::Compare(Compare::Eq), &[a, b])?;
    let both = e.number(
        Binary::Mul,
        &e.apply(Op::Cast(grad.dtype()), &[&both])?,
        0.5,
    )?;
    e.binary(Binary::Add, &chosen, &both)
}

pub(super) fn with_number(
    e: &Engine,
    (how, number, side): (Binary, f64, Side),
    a: &Tensor,
    out: &Tensor,
    grad: &Tensor,
) -> Result<Option<Tensor>, TorchError> {
    let times = |slope: &Tensor| e.binary(Binary::Mul, grad, slope);
    let zero = || e.full_like(grad, 0.0);
    let grad = match (how, side) {
        (Binary::Add, _) | (Binary::Sub | Binary::Remainder | Binary::Fmod, Side::Right) => {
            grad.clone()
        }
        (Binary::Sub, Side::Left) => e.unary(Unary::Neg, grad)?,
        (Binary::Mul, _) => e.number(Binary::Mul, grad, number)?,
        (Binary::Div, Side::Right) => e.number(Binary::Div, grad, number)?,
        (Binary::Div, Side::Left) => {
            let slope = e.binary(Binary::Div, &left(e, Binary::Div, number, a)?, a)?;
            e.unary(Unary::Neg, &times(&slope)?)?
        }
        (Binary::Pow, Side::Right) if number == 0.0 => zero()?,
        (Binary::Pow, Side::Right) => {
            let lower = e.number(Binary::Pow, a, number - 1.0)?;
            times(&e.number(Binary::Mul, &lower, number)?)?
        }
        (Binary::Pow, Side::Left) => {
            let slope = times(&e.number(Binary::Mul, out, number.ln())?)?;
            if number == 0.0 {
                let stays = e.apply(Op::CompareNumber(Compare::Ge, 0.0), &[a])?;
                zero_where(e, &stays, &slope)?
            } else {
                slope
            }
        }
        (Binary::Maximum | Binary::Minimum, _) => {
            let how = if how == Binary::Maximum {
                Compare::Ge
            } else {
                Compare::Le
            };
            let stays = e.apply(Op::CompareNumber(how, number), &[a])?;
            times(&e.apply(Op::Cast(grad.dtype()), &[&stays])?)?
        }
        (Binary::Remainder | Binary::Fmod, Side::Left) => {
            let divided = if how == Binary::Fmod {
                Binary::TruncDiv
            } else {
                Binary::FloorDiv
            };
            e.unary(Unary::Neg, &times(&left(e, divided, number, a)?)?)?
        }
        (Binary::FloorDiv | Binary::TruncDiv, _) => zero()?,
        (
            Binary::Atan2
            | Binary::LogicalAnd
            | Binary::LogicalOr
            | Binary::LogicalXor
            | Binary::BitwiseAnd
            | Binary::BitwiseOr
            | Binary::BitwiseXor
            | Binary::LeftShift
            | Binary::RightShift,
            _,
        ) => return Ok(None),
    };
    as_type(e, grad, a.dtype()).map(Some)
}
