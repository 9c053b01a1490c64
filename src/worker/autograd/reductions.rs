//! Gradients of reductions.

use super::pointwise::zero_where;
use super::shapes::reshaped;
use crate::worker::engine::Engine;
use crate::worker::error::TorchError;
use crate::worker::ops::{Binary, Compare, Op, Reduction, Scan, Unary, View};
use crate::worker::shape::{self, Keep};
use crate::worker::tensor::Tensor;

type Grad = Result<Tensor, TorchError>;

pub(super) fn reduce(
    e: &Engine,
    (how, dims): (Reduction, &[usize]),
    (a, out): (&Tensor, &Tensor),
    grad: &Tensor,
) -> Result<Option<Tensor>, TorchError> {
    let from = a.shape();
    // A scalar has no dimension, whatever was named.
    let dims = if from.is_empty() { &[] } else { dims };
    let kept = shape::reduce(&from, dims, Keep::AsOne);
    let grad = reshaped(e, grad, kept.clone())?;
    let out = || reshaped(e, out, kept.clone());
    let spread = |it: &Tensor| e.apply(Op::View(View::Expand(from.clone())), &[it]);
    let count = shape::count(&from) / shape::count(&kept).max(1);
    match how {
        Reduction::Sum => spread(&grad),
        Reduction::Mean => spread(&e.number(Binary::Div, &grad, count as f64)?),
        Reduction::Prod => product(e, dims, a, &grad),
        Reduction::Max | Reduction::Min | Reduction::AMax | Reduction::AMin => {
            shared(e, dims, a, &out()?, &grad)
        }
        Reduction::Var(correction) => {
            let scale = 2.0 / (count as f64 - correction).max(0.0);
            let away = from_mean(e, dims, a)?;
            let scaled = e.number(Binary::Mul, &grad, scale)?;
            e.binary(Binary::Mul, &away, &scaled)
        }
        Reduction::Std(correction) => {
            let scale = 1.0 / (count as f64 - correction).max(0.0);
            let away = from_mean(e, dims, a)?;
            let out = out()?;
            let share = e.binary(Binary::Div, &grad, &out)?;
            let still = e.apply(Op::CompareNumber(Compare::Eq, 0.0), &[&out])?;
            let share = e.number(Binary::Mul, &zero_where(e, &still, &share)?, scale)?;
            e.binary(Binary::Mul, &away, &share)
        }
        Reduction::Norm(order) => norm(e, (order, dims), a, &out()?, &grad),
        Reduction::LogSumExp => {
            let share = e.unary(Unary::Exp, &e.binary(Binary::Sub, a, &out()?)?)?;
            e.binary(Binary::Mul, &share, &grad)
        }
        Reduction::All | Reduction::Any | Reduction::CountNonzero => return Ok(None),
    }
    .map(Some)
}

fn from_mean(e: &Engine, dims: &[usize], a: &Tensor) -> Grad {
    let mean = Op::Reduce(Reduction::Mean, dims.to_vec(), Keep::AsOne);
    e.binary(Binary::Sub, a, &e.apply(mean, &[a])?)
}

/// To the elements that are the result; equal ones share it.
fn shared(e: &Engine, dims: &[usize], a: &Tensor, out: &Tensor, grad: &Tensor) -> Grad {
    let hit = e.apply(Op::Compare(Compare::Eq), &[a, out])?;
    let hit = e.apply(Op::Cast(grad.dtype()), &[&hit])?;
    let hits = e.apply(
        Op::Reduce(Reduction::Sum, dims.to_vec(), Keep::AsOne),
        &[&hit],
    )?;
    let share = e.binary(Binary::Div, &hit, &hits)?;
    e.binary(Binary::Mul, &share, grad)
}

fn norm(
    e: &Engine,
    (order, dims): (f64, &[usize]),
    a: &Tensor,
    out: &Tensor,
    grad: &Tensor,
) -> Grad {
    let nothing = || e.apply(Op::CompareNumber(Compare::Eq, 0.0), &[out]);
    let sign = || e.unary(Unary::Sign, a);
    match order {
        0.0 => {
            let mut meta = grad.meta();
            meta.shape = a.shape();
            e.full(meta, grad.place(), 0.0)
        }
        1.0 => e.binary(Binary::Mul, &sign()?, grad),
        2.0 => {
            let share = zero_where(e, &nothing()?, &e.binary(Binary::Div, grad, out)?)?;
            e.binary(Binary::Mul, a, &share)
        }
        f64::INFINITY | f64::NEG_INFINITY => {
            let size = e.unary(Unary::Abs, a)?;
            let share = shared(e, dims, &size, out, grad)?;
            e.binary(Binary::Mul, &sign()?, &share)
        }
        _ => {
            let size = e.number(Binary::Pow, &e.unary(Unary::Abs, a)?, order - 1.0)?;
            let below = e.number(Binary::Pow, out, order - 1.0)?;
            let share = zero_where(e, &nothing()?, &e.binary(Binary::Div, grad, &below)?)?;
            let zero = e.apply(Op::CompareNumber(Compare::Eq, 0.0), &[a])?;
            let size = zero_where(e, &zero, &e.binary(Binary::Mul, &sign()?, &size)?)?;
            e.binary(Binary::Mul, &size, &share)
        }
    }
}

/// The product of all the others, made of what is before and what is behind, so that 0 is no trouble.
fn product(e: &Engine, dims: &[usize], a: &Tensor, grad: &Tensor) -> Grad {
    let from = a.shape();
    let (lanes, dim) = match dims {
        [dim] => (a.clone(), *dim),
        _ => (reshaped(e, a, vec![a.meta().count() as usize])?, 0),
    };
    let before = before(e, &lanes, dim)?;
    let turned = e.apply(Op::Flip(vec![dim]), &[&lanes])?;
    let behind = e.apply(Op::Flip(vec![dim]), &[&self::before(e, &turned, dim)?])?;
    let others = reshaped(e, &e.binary(Binary::Mul, &before, &behind)?, from)?;
    e.binary(Binary::Mul, &others, grad)
}

/// The product of all that are before each.
fn before(e: &Engine, a: &Tensor, dim: usize) -> Grad {
    let size = a.shape().get(dim).copied().unwrap_or(0);
    let Some(len) = size.checked_sub(1) else {
        return Ok(a.clone());
    };
    let mut meta = a.meta();
    if let Some(it) = meta.shape.get_mut(dim) {
        *it = 1;
    }
    let one = e.full(meta, a.place(), 1.0)?;
    let start = 0;
    let rest = e.apply(Op::View(View::Narrow { dim, start, len }), &[a])?;
    let shifted = e.apply(Op::Cat(dim), &[&one, &rest])?;
    e.apply(Op::Scan(Scan::Product, dim), &[&shifted])
}
