//! The three products of a convolution of one or two dimensions, sample by sample: its windows become columns that stay
//! in a cache, and one matrix product takes them.

use super::floats::{of, part, tensor};
use candle_core::{Result, Tensor};
use rayon::iter::{IndexedParallelIterator, ParallelIterator};
use rayon::slice::{ParallelSlice, ParallelSliceMut};

/// Samples whose gradients of a weight are held at a time.
pub(crate) const SAMPLES_AT_ONCE: usize = 16;

/// How a convolution of planes goes over its input.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Planes {
    pub(crate) channels: usize,
    /// Height and width of the input, of the kernel and of the result.
    pub(crate) input: [usize; 2],
    pub(crate) kernel: [usize; 2],
    pub(crate) output: [usize; 2],
    pub(crate) stride: [usize; 2],
    pub(crate) padding: [usize; 2],
    pub(crate) dilation: [usize; 2],
}

/// A row of a result that lies on the input: where on the result it begins, where on the input, and how many.
struct Span {
    out: usize,
    from: usize,
    count: usize,
}

impl Planes {
    fn windows(&self) -> usize {
        self.output.iter().product()
    }

    fn size(&self) -> usize {
        self.channels * self.input.iter().product::<usize>()
    }

    fn rows(&self) -> usize {
        self.channels * self.kernel.iter().product::<usize>()
    }

    /// The results whose windows have this place of the kernel inside the input, row by row.
    fn spans(&self, [y, x]: [usize; 2]) -> impl Iterator<Item = Span> {
        let Self {
            input: [height, width],
            output: [rows, columns],
            stride: [down, right],
            padding: [above, before],
            dilation: [apart_y, apart_x],
            ..
        } = *self;
        let (y, x) = (y * apart_y, x * apart_x);
        let first = before.saturating_sub(x).div_ceil(right);
        let end = (width + before)
            .saturating_sub(x)
            .div_ceil(right)
            .min(columns);
        (0..rows).filter_map(move |row| {
            let from = (row * down + y)
                .checked_sub(above)
                .filter(|it| *it < height)?;
            let column = (first * right + x).checked_sub(before)?;
            Some(Span {
                out: row * columns + first,
                from: from * width + column,
                count: end.checked_sub(first)?,
            })
        })
    }

    /// Each place of the kernel: its row among the columns, its channel, and where it is.
    fn places(&self) -> impl Iterator<Item = (usize, usize, [usize; 2])> {
        let [height, width] = self.kernel;
        (0..self.rows()).map(move |row| {
            let place = row % (height * width).max(1);
            let channel = row / (height * width).max(1);
            (row, channel, [place / width.max(1), place % width.max(1)])
        })
    }

    /// The windows of one sample as columns: one row for each place of the kernel in each channel.
    fn columns(&self, sample: &[f32]) -> Result<Tensor> {
        let windows = self.windows();
        let plane: usize = self.input.iter().product();
        let mut columns = vec![0.0; self.rows() * windows];
        let mut rows = columns.chunks_exact_mut(windows.max(1));
        for (_, channel, place) in self.places() {
            let Some(row) = rows.next() else { break };
            let plane = part(sample, channel * plane, plane);
            for span in self.spans(place) {
                let Some(out) = row.get_mut(span.out..span.out + span.count) else {
                    continue;
                };
                let from = plane.get(span.from..).unwrap_or_default();
                match self.stride {
                    [_, 1] => out.copy_from_slice(from.get(..span.count).unwrap_or_default()),
                    [_, step] => {
                        for (out, from) in out.iter_mut().zip(from.iter().step_by(step)) {
                            *out = *from;
                        }
                    }
                }
            }
        }
        tensor(columns, &[self.rows(), windows])
    }

    /// Adds columns to the sample that they would have been taken from.
    fn add_columns(&self, columns: &[f32], sample: &mut [f32]) {
        let windows = self.windows();
        let size: usize = self.input.iter().product();
        for (row, channel, place) in self.places() {
            let row = part(columns, row * windows, windows);
            let Some(plane) = sample.get_mut(channel * size..(channel + 1) * size) else {
                continue;
            };
            for span in self.spans(place) {
                let from = part(row, span.out, span.count);
                let into = plane.get_mut(span.from..).unwrap_or_default();
                match self.stride {
                    [_, 1] => {
                        for (into, from) in into.iter_mut().zip(from) {
                            *into += from;
                        }
                    }
                    [_, step] => {
                        for (into, from) in into.iter_mut().step_by(step).zip(from) {
                            *into += from;
                        }
                    }
                }
            }
        }
    }

    /// The result (N, O, …) for an input and a weight as a matrix (O, C · places).
    pub(crate) fn convolve(&self, input: &Tensor, weight: &Tensor) -> Option<Result<Vec<f32>>> {
        let outputs = weight.dim(0).ok()?;
        let each = outputs * self.windows();
        of([input], |[input]| {
            let mut out = vec![0.0; input.len() / self.size().max(1) * each];
            let samples = input.par_chunks_exact(self.size().max(1));
            let done: Result<()> = out
                .par_chunks_exact_mut(each.max(1))
                .zip(samples)
                .try_for_each(|(out, sample)| {
                    let product = weight.matmul(&self.columns(sample)?)?;
                    of([&product], |[product]| out.copy_from_slice(product));
                    Ok(())
                });
            done.map(|()| out)
        })
    }

    /// The gradient of an input (N, C, …), given that of the result.
    pub(crate) fn of_input(&self, grad: &Tensor, weight: &Tensor) -> Option<Result<Vec<f32>>> {
        let outputs = weight.dim(0).ok()?;
        let each = outputs * self.windows();
        of([grad], |[all]| {
            let mut out = vec![0.0; all.len() / each.max(1) * self.size()];
            let done: Result<()> = out
                .par_chunks_exact_mut(self.size().max(1))
                .enumerate()
                .try_for_each(|(at, out)| {
                    let grad = grad.get(at)?.reshape((outputs, self.windows()))?;
                    let columns = weight.t()?.matmul(&grad)?;
                    of([&columns], |[columns]| self.add_columns(columns, out));
                    Ok(())
                });
            done.map(|()| out)
        })
    }

    /// The gradient of a weight as a matrix (O, C · places): the sum over all samples.
    pub(crate) fn of_weight(&self, input: &Tensor, grad: &Tensor) -> Option<Result<Tensor>> {
        let outputs = grad.dim(1).ok()?;
        of([input, grad], |[input, _]| {
            let one = |(at, input): (usize, &[f32])| {
                let grad = grad.get(at)?.reshape((outputs, self.windows()))?;
                grad.matmul(&self.columns(input)?.t()?)
            };
            let size = self.size().max(1);
            let mut sum: Option<Tensor> = None;
            for (at, some) in input.chunks(size * SAMPLES_AT_ONCE).enumerate() {
                let samples = some.par_chunks_exact(size).enumerate();
                let samples = samples.map(|(next, it)| (at * SAMPLES_AT_ONCE + next, it));
                let parts: Result<Vec<Tensor>> = samples.map(one).collect();
                // In order, so that the sum does not depend on which thread was first.
                for part in parts? {
                    sum = Some(match sum {
                        None => part,
                        Some(sum) => super::add(&sum, &part)?,
                    });
                }
            }
            sum.ok_or_else(|| {
                candle_core::Error::Msg("a convolution of no samples has no columns".to_owned())
            })
        })
    }
}
