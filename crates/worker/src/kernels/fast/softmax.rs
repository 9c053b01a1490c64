//! Softmax and its logarithm over rows, and their backward.

use super::floats::{filled, of, part, tensor, wide};
use super::functions::exp;
use super::sums::{largest_of, sum_of};
use crate::kernels::card;
use crate::kernels::host::is_on_card;
use candle_core::{Result, Tensor};
use pulp::NullaryFnOnce;

/// What is computed of each row.
#[derive(Clone, Copy)]
enum SoftmaxKind {
    Softmax,
    LogSoftmax,
}

impl SoftmaxKind {
    /// The kernels of a card: forward, backward.
    fn on_card(self) -> [&'static str; 2] {
        match self {
            Self::Softmax => ["softmax", "softmax_backward"],
            Self::LogSoftmax => ["log_softmax", "log_softmax_backward"],
        }
    }
}

struct Forward<'a> {
    row: SoftmaxKind,
    out: &'a mut [f32],
    a: &'a [f32],
    width: usize,
}

impl NullaryFnOnce for Forward<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let rows = self.out.chunks_exact_mut(self.width);
        for (out, a) in rows.zip(self.a.chunks_exact(self.width)) {
            let largest = largest_of(a);
            for (out, a) in out.iter_mut().zip(a) {
                *out = exp(*a - largest);
            }
            let sum = sum_of(out);
            match self.row {
                SoftmaxKind::Softmax => {
                    let share = 1.0 / sum;
                    for out in out {
                        *out *= share;
                    }
                }
                SoftmaxKind::LogSoftmax => {
                    let shift = sum.ln();
                    for (out, a) in out.iter_mut().zip(a) {
                        *out = *a - largest - shift;
                    }
                }
            }
        }
    }
}

struct Backward<'a> {
    row: SoftmaxKind,
    /// The gradient of the input.
    into: &'a mut [f32],
    grad: &'a [f32],
    out: &'a [f32],
    width: usize,
}

impl NullaryFnOnce for Backward<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let rows = self.into.chunks_exact_mut(self.width);
        let rows = rows.zip(self.grad.chunks_exact(self.width));
        for ((into, grad), out) in rows.zip(self.out.chunks_exact(self.width)) {
            match self.row {
                SoftmaxKind::Softmax => {
                    for ((into, grad), out) in into.iter_mut().zip(grad).zip(out) {
                        *into = grad * out;
                    }
                    let sum = sum_of(into);
                    for (into, out) in into.iter_mut().zip(out) {
                        *into -= out * sum;
                    }
                }
                SoftmaxKind::LogSoftmax => {
                    let sum = sum_of(grad);
                    for ((into, grad), out) in into.iter_mut().zip(grad).zip(out) {
                        *into = grad - exp(*out) * sum;
                    }
                }
            }
        }
    }
}

/// Whether a dimension is the last one and holds anything.
fn is_row(a: &Tensor, dim: usize) -> bool {
    dim + 1 == a.rank() && a.elem_count() > 0
}

fn forward(row: SoftmaxKind, a: &Tensor, dim: usize) -> Option<Result<Tensor>> {
    if is_on_card(a) {
        let [kernel, _] = row.on_card();
        return card::over_rows(kernel, &[a], dim);
    }
    let width = *a.dims().last().filter(|_| is_row(a, dim))?;
    let made = of([a], |[a]| {
        filled(a.len() / width, width, 6, |start, out| {
            let a = part(a, start * width, out.len());
            wide(Forward { row, out, a, width });
        })
    })?;
    Some(tensor(made, a.dims()))
}

fn backward(row: SoftmaxKind, [grad, out]: [&Tensor; 2], dim: usize) -> Option<Result<Tensor>> {
    if is_on_card(out) {
        let [_, kernel] = row.on_card();
        return card::over_rows(kernel, &[grad, out], dim);
    }
    let width = *out.dims().last().filter(|_| is_row(out, dim))?;
    if grad.dims() != out.dims() {
        return None;
    }
    let made = of([grad, out], |[grad, out]| {
        filled(grad.len() / width, width, 4, |start, into| {
            let grad = part(grad, start * width, into.len());
            let out = part(out, start * width, into.len());
            wide(Backward {
                row,
                into,
                grad,
                out,
                width,
            });
        })
    })?;
    Some(tensor(made, out.dims()))
}

pub(crate) fn softmax(a: &Tensor, dim: usize) -> Result<Tensor> {
    forward(SoftmaxKind::Softmax, a, dim).unwrap_or_else(|| candle_nn::ops::softmax(a, dim))
}

pub(crate) fn log_softmax(a: &Tensor, dim: usize) -> Result<Tensor> {
    forward(SoftmaxKind::LogSoftmax, a, dim).unwrap_or_else(|| candle_nn::ops::log_softmax(a, dim))
}

pub(crate) fn softmax_backward(grad: &Tensor, out: &Tensor, dim: usize) -> Result<Tensor> {
    backward(SoftmaxKind::Softmax, [grad, out], dim).unwrap_or_else(|| {
        let product = grad.mul(out)?;
        let share = out.broadcast_mul(&product.sum_keepdim(dim)?)?;
        product.sub(&share)
    })
}

pub(crate) fn log_softmax_backward(grad: &Tensor, out: &Tensor, dim: usize) -> Result<Tensor> {
    backward(SoftmaxKind::LogSoftmax, [grad, out], dim).unwrap_or_else(|| {
        let share = out.exp()?.broadcast_mul(&grad.sum_keepdim(dim)?)?;
        grad.sub(&share)
    })
}
