//! Layer norm and RMS norm over rows, and their backward.

use super::floats::{fill_rows, filled, of, part, tensor, wide};
use super::sums::sum_of;
use candle_core::{Result, Tensor};
use pulp::NullaryFnOnce;

/// What is normalized: rows of this width.
#[derive(Clone, Copy)]
pub(crate) struct Rows {
    pub(crate) width: usize,
    pub(crate) eps: f64,
    /// Whether the mean is taken away, which RMS norm does not do.
    pub(crate) centred: bool,
}

impl Rows {
    /// Mean and factor of a row; `scratch` is as long.
    #[inline(always)]
    fn moments(self, row: &[f32], scratch: &mut [f32]) -> (f32, f32) {
        let count = self.width as f32;
        let mean = if self.centred {
            sum_of(row) / count
        } else {
            0.0
        };
        for (it, x) in scratch.iter_mut().zip(row) {
            *it = (x - mean) * (x - mean);
        }
        let variance = sum_of(scratch) / count;
        #[expect(
            clippy::cast_possible_truncation,
            reason = "it takes the tensor's type"
        )]
        let eps = self.eps as f32;
        (mean, 1.0 / (variance + eps).sqrt())
    }
}

struct Forward<'a> {
    rows: Rows,
    out: &'a mut [f32],
    a: &'a [f32],
    weight: Option<&'a [f32]>,
    bias: Option<&'a [f32]>,
}

impl NullaryFnOnce for Forward<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let width = self.rows.width;
        let rows = self.out.chunks_exact_mut(width);
        for (out, a) in rows.zip(self.a.chunks_exact(width)) {
            let (mean, factor) = self.rows.moments(a, out);
            for (out, a) in out.iter_mut().zip(a) {
                *out = (a - mean) * factor;
            }
            if let Some(weight) = self.weight {
                for (out, weight) in out.iter_mut().zip(weight) {
                    *out *= weight;
                }
            }
            if let Some(bias) = self.bias {
                for (out, bias) in out.iter_mut().zip(bias) {
                    *out += bias;
                }
            }
        }
    }
}

struct Backward<'a> {
    rows: Rows,
    into: &'a mut [f32],
    grad: &'a [f32],
    a: &'a [f32],
    weight: Option<&'a [f32]>,
}

impl NullaryFnOnce for Backward<'_> {
    type Output = ();

    /// For each row `factor * (g - mean(g) - out * mean(g * out))` with `g = grad * weight`.
    #[inline(always)]
    fn call(self) {
        let width = self.rows.width;
        let count = width as f32;
        let (mut scaled, mut normal) = (vec![0.0; width], vec![0.0; width]);
        let rows = self.into.chunks_exact_mut(width);
        let rows = rows.zip(self.grad.chunks_exact(width));
        for ((into, grad), a) in rows.zip(self.a.chunks_exact(width)) {
            let (mean, factor) = self.rows.moments(a, into);
            for (normal, a) in normal.iter_mut().zip(a) {
                *normal = (a - mean) * factor;
            }
            scaled.copy_from_slice(grad);
            if let Some(weight) = self.weight {
                for (scaled, weight) in scaled.iter_mut().zip(weight) {
                    *scaled *= weight;
                }
            }
            for ((into, scaled), normal) in into.iter_mut().zip(&scaled).zip(&normal) {
                *into = scaled * normal;
            }
            let along = sum_of(into) / count;
            let shift = if self.rows.centred {
                sum_of(&scaled) / count
            } else {
                0.0
            };
            for ((into, scaled), normal) in into.iter_mut().zip(&scaled).zip(&normal) {
                *into = factor * (scaled - shift - normal * along);
            }
        }
    }
}

/// The gradients of weight and bias from some rows: the sums of `grad * out`, then those of `grad`.
struct OfParameters<'a> {
    rows: Rows,
    into: &'a mut [f32],
    grad: &'a [f32],
    a: &'a [f32],
}

impl NullaryFnOnce for OfParameters<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let width = self.rows.width;
        let mut scratch = vec![0.0; width];
        let (of_weight, of_bias) = self.into.split_at_mut(width);
        for (grad, a) in self
            .grad
            .chunks_exact(width)
            .zip(self.a.chunks_exact(width))
        {
            let (mean, factor) = self.rows.moments(a, &mut scratch);
            for ((it, grad), a) in of_weight.iter_mut().zip(grad).zip(a) {
                *it += grad * ((a - mean) * factor);
            }
            for (it, grad) in of_bias.iter_mut().zip(grad) {
                *it += grad;
            }
        }
    }
}

/// The normalized rows, times a weight, plus a bias; nothing for other than `float32`.
pub(crate) fn layer_norm(rows: Rows, a: &Tensor, parameters: &[&Tensor]) -> Option<Result<Tensor>> {
    let width = rows.width;
    let run = |a: &[f32], weight: Option<&[f32]>, bias: Option<&[f32]>| {
        filled(a.len() / width, width, 3, |start, out| {
            let a = part(a, start * width, out.len());
            wide(Forward {
                rows,
                out,
                a,
                weight,
                bias,
            });
        })
    };
    let made = match parameters {
        [] => of([a], |[a]| run(a, None, None)),
        [weight] => of([a, weight], |[a, weight]| run(a, Some(weight), None)),
        [weight, bias, ..] => of([a, weight, bias], |[a, weight, bias]| {
            run(a, Some(weight), Some(bias))
        }),
    }?;
    Some(tensor(made, a.dims()))
}

/// The gradient of the input.
pub(crate) fn layer_norm_backward(
    rows: Rows,
    [grad, a]: [&Tensor; 2],
    weight: Option<&Tensor>,
) -> Option<Result<Tensor>> {
    let width = rows.width;
    let run = |grad: &[f32], a: &[f32], weight: Option<&[f32]>| {
        filled(a.len() / width, width, 5, |start, into| {
            let grad = part(grad, start * width, into.len());
            let a = part(a, start * width, into.len());
            wide(Backward {
                rows,
                into,
                grad,
                a,
                weight,
            });
        })
    };
    let made = match weight {
        None => of([grad, a], |[grad, a]| run(grad, a, None)),
        Some(weight) => of([grad, a, weight], |[grad, a, weight]| {
            run(grad, a, Some(weight))
        }),
    }?;
    Some(tensor(made, a.dims()))
}

/// The gradients of weight and bias, as two rows.
pub(crate) fn affine_backward(rows: Rows, [grad, a]: [&Tensor; 2]) -> Option<Result<Tensor>> {
    let width = rows.width;
    let made = of([grad, a], |[grad, a]| {
        let count = a.len() / width;
        let block = count.div_ceil(16).max(32);
        let blocks = count.div_ceil(block);
        let mut parts = vec![0.0; blocks * 2 * width];
        fill_rows(&mut parts, 2 * width, block, |start, parts| {
            for (at, into) in parts.chunks_exact_mut(2 * width).enumerate() {
                let first = (start + at) * block * width;
                let len = (block * width).min(a.len().saturating_sub(first));
                let (grad, a) = (part(grad, first, len), part(a, first, len));
                wide(OfParameters {
                    rows,
                    into,
                    grad,
                    a,
                });
            }
        });
        parts.chunks_exact(2 * width).skip(1).fold(
            parts.get(..2 * width).unwrap_or_default().to_vec(),
            |mut sum, part| {
                for (sum, it) in sum.iter_mut().zip(part) {
                    *sum += it;
                }
                sum
            },
        )
    })?;
    Some(tensor(made, &[2, width]))
}
