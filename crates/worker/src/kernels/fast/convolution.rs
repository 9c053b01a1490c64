//! The three products of a convolution of one or two dimensions, without columns: shifted planes are multiplied where they
//! lie, sample by sample.

use super::floats::{filled, of, part, tensor};
use super::planes::{Grid, Planes, Span, Tap, both, place, take, whole};
use super::shifted::{HEIGHT, LANES, REACH, ShiftedProducts, ShiftedRows};
use candle_core::{Result, Tensor};
use rayon::iter::{IndexedParallelIterator, ParallelIterator};
use rayon::slice::{ParallelSlice, ParallelSliceMut};

/// Parts of a batch whose gradients of a weight are summed by themselves.
pub(crate) const PARTS: usize = 16;

/// Places whose products are summed at a time, so that what they are read from stays in a cache.
const PLACES: usize = 2048;

/// Rows of a weight whose gradient a thread sums at a time.
const ROWS: usize = 16;

/// Elements of shifted planes that stay in a cache while all rows are multiplied with them.
const KEPT: usize = 1 << 18;

/// Planes of one size, one after the other: so many for each sample.
#[derive(Clone, Copy)]
struct Sample {
    planes: usize,
    size: [usize; 2],
}

impl Sample {
    fn plane(self) -> usize {
        self.size.iter().product()
    }

    fn width(self) -> usize {
        let [_, width] = self.size;
        width
    }

    fn len(self) -> usize {
        self.planes * self.plane()
    }
}

/// A weight as rows of shifted planes.
struct ShiftedWeight {
    grid: Grid,
    /// Where each plane of a sample lies in its planes of the grid.
    from: Vec<[Span; 2]>,
    /// Where the shifted planes begin.
    offsets: Vec<usize>,
    /// For each few rows one number of each, shifted plane by shifted plane, with zeros for missing rows.
    numbers: Vec<[f32; HEIGHT]>,
    /// Where the products lie in a plane of the result.
    into: [Span; 2],
}

impl ShiftedWeight {
    fn panels(&self) -> usize {
        self.numbers.len() / self.offsets.len()
    }

    fn reach(&self) -> usize {
        let size = self.into.map(|it| it.count);
        self.grid.reach(size).next_multiple_of(REACH)
    }

    /// All rows of products with the planes of a sample.
    fn multiply(&self, planes: &[f32], bias: Option<&[f32]>, out: &mut [f32]) {
        let (inner, reach) = (self.offsets.len(), self.reach());
        let some = (KEPT / inner).next_multiple_of(REACH);
        for start in (0..reach).step_by(some) {
            shared(out, HEIGHT * reach, |at, out| {
                let bias = bias.unwrap_or_default().iter().skip(at * HEIGHT);
                let mut own = [0.0; HEIGHT];
                own.iter_mut().zip(bias).for_each(|(own, it)| *own = *it);
                ShiftedRows {
                    weights: part(&self.numbers, at * inner, inner),
                    offsets: &self.offsets,
                    planes,
                    bias: own,
                    out,
                    made: start..reach.min(start + some),
                }
                .run();
            });
        }
    }
}

/// For each few rows one number of each, column by column.
fn panels(rows: usize, columns: usize, number: impl Fn(usize, usize) -> f32) -> Vec<[f32; HEIGHT]> {
    let number = |row, column| if row < rows { number(row, column) } else { 0.0 };
    let panel = |first| {
        let number = &number;
        (0..columns).map(move |at| std::array::from_fn(|it| number(first + it, at)))
    };
    (0..rows).step_by(HEIGHT).flat_map(panel).collect()
}

/// Pieces of a sample, which threads without a sample of their own take.
fn shared(all: &mut [f32], size: usize, work: impl Fn(usize, &mut [f32]) + Sync) {
    let pieces = all.par_chunks_mut(size).enumerate();
    pieces.for_each(|(at, it)| work(at, it));
}

/// The products of all samples with a weight, whose parts give different elements of the result.
fn products(
    parts: &[ShiftedWeight],
    (source, of_source): (&[f32], Sample),
    of_result: Sample,
    bias: Option<&[f32]>,
) -> Vec<f32> {
    let cost = parts.iter().map(|it| it.offsets.len()).sum();
    let samples = source.len() / of_source.len();
    filled(samples, of_result.len(), cost, |first, out| {
        for it in parts {
            let mut planes = vec![0.0; it.grid.len()];
            let mut rows = vec![0.0; it.panels() * HEIGHT * it.reach()];
            let samples = source.chunks_exact(of_source.len()).skip(first);
            for (out, sample) in out.chunks_exact_mut(of_result.len()).zip(samples) {
                let sample = (sample, of_source.size);
                it.grid.place(&it.from, sample, &mut planes);
                it.multiply(&planes, bias, &mut rows);
                let rows = rows.chunks_exact(it.reach());
                for (row, out) in rows.zip(out.chunks_exact_mut(of_result.plane())) {
                    take(it.into, (row, it.grid.width()), (out, of_result.width()));
                }
            }
        }
    })
}

/// The result (N, O, …) for an input, a weight (O, C, …) and a bias; nothing for other than `float32`.
pub(crate) fn convolve(
    planes: &Planes,
    [input, weight]: [&Tensor; 2],
    bias: Option<&Tensor>,
) -> Option<Result<Tensor>> {
    let made = match bias {
        None => of([input, weight], |both| planes.convolve(both, None)),
        Some(bias) => of([input, weight, bias], |[input, weight, bias]| {
            planes.convolve([input, weight], Some(bias))
        }),
    }?;
    let count = made.len();
    Some(tensor(made, &[count]))
}

/// The gradient of an input, given that of the result and a weight, in one row.
pub(crate) fn of_input(planes: &Planes, both: [&Tensor; 2]) -> Option<Result<Tensor>> {
    let made = of(both, |both| planes.of_input(both))?;
    let count = made.len();
    Some(tensor(made, &[count]))
}

/// The gradient of a weight with so many outputs, given an input and the gradient of the result, in one row.
pub(crate) fn of_weight(
    planes: &Planes,
    both: [&Tensor; 2],
    outputs: usize,
) -> Option<Result<Tensor>> {
    let made = of(both, |both| planes.of_weight(both, outputs))?;
    let count = made.len();
    Some(tensor(made, &[count]))
}

impl Planes {
    fn of_inputs(&self) -> Sample {
        Sample {
            planes: self.channels,
            size: self.input,
        }
    }

    fn of_outputs(&self, planes: usize) -> Sample {
        Sample {
            planes,
            size: self.output,
        }
    }

    /// The result (N, O, …) for an input, a weight (O, C · places) and a bias.
    fn convolve(&self, [input, weight]: [&[f32]; 2], bias: Option<&[f32]>) -> Vec<f32> {
        let offsets = self.offsets();
        let inner = offsets.len();
        let outputs = weight.len() / inner;
        let whole = ShiftedWeight {
            grid: self.grid(),
            from: self.phases().map(|it| self.phase(it)).collect(),
            numbers: panels(outputs, inner, |row, at| weight[row * inner + at]),
            offsets,
            into: whole(self.output),
        };
        products(
            &[whole],
            (input, self.of_inputs()),
            self.of_outputs(outputs),
            bias,
        )
    }

    /// The gradient of an input (N, C, …), given that of the result.
    fn of_input(&self, [grad, weight]: [&[f32]; 2]) -> Vec<f32> {
        let outputs = weight.len() / (self.channels * self.places());
        let parts: Vec<_> = self
            .phases()
            .filter_map(|it| self.of_phase(it, weight, outputs))
            .collect();
        products(
            &parts,
            (grad, self.of_outputs(outputs)),
            self.of_inputs(),
            None,
        )
    }

    /// What gives a gradient to the elements of an input in this phase; nothing if no place of the kernel is above them.
    fn of_phase(&self, phase: [usize; 2], weight: &[f32], outputs: usize) -> Option<ShiftedWeight> {
        let taps = self.taps().enumerate();
        let taps: Vec<_> = taps.filter(|(_, it)| it.phase == phase).collect();
        let (spans, shift) = (self.phase(phase), self.shift());
        let grid = Grid {
            size: both(|it| spans[it].count + shift[it]),
            planes: outputs,
        };
        // In the grid, a result lies after as many zeros as the last place of the kernel is away.
        let from = both(|it| {
            let first = spans[it].in_grid.saturating_sub(shift[it]);
            let in_grid = (shift[it] + first).saturating_sub(spans[it].in_grid);
            Span {
                in_grid,
                in_plane: first,
                count: (self.output[it].saturating_sub(first)).min(grid.size[it] - in_grid),
                step: 1,
            }
        });
        let offset =
            |output: usize, tap: &Tap| grid.offset(output, both(|it| shift[it] - tap.strides[it]));
        let of_output = |output| taps.iter().map(move |(_, tap)| offset(output, tap));
        let offsets: Vec<usize> = (0..outputs).flat_map(of_output).collect();
        let number = |channel: usize, at: usize| {
            let (output, (place, _)) = (at / taps.len(), taps[at % taps.len()]);
            weight[(output * self.channels + channel) * self.places() + place]
        };
        (!taps.is_empty()).then(|| ShiftedWeight {
            grid,
            from: vec![from],
            numbers: panels(self.channels, offsets.len(), number),
            offsets,
            into: both(|it| Span {
                in_grid: 0,
                ..spans[it]
            }),
        })
    }

    /// The gradient of a weight as a matrix (O, C · places): the sum over all samples.
    fn of_weight(&self, [input, of_result]: [&[f32]; 2], outputs: usize) -> Vec<f32> {
        let (grid, offsets) = (self.grid(), self.offsets());
        let from: Vec<_> = self.phases().map(|it| self.phase(it)).collect();
        let (of_input, of_output) = (self.of_inputs(), self.of_outputs(outputs));
        let length = grid.reach(self.output).next_multiple_of(LANES);
        let samples = input.len() / of_input.len();
        let own = samples.div_ceil((samples * length).div_ceil(PLACES).min(PARTS));
        let together = (PLACES / length).clamp(1, own);
        let count = outputs * offsets.len();
        let mut parts = vec![0.0; samples.div_ceil(own) * count];
        parts
            .par_chunks_exact_mut(count)
            .zip(input.par_chunks(own * of_input.len()))
            .zip(of_result.par_chunks(own * of_output.len()))
            .for_each(|((sums, input), of_result)| {
                let mut planes = vec![0.0; together * grid.len()];
                let mut grads = vec![0.0; together * outputs * length];
                let inputs = input.chunks(together * of_input.len());
                for (input, of_result) in inputs.zip(of_result.chunks(together * of_output.len())) {
                    let samples = input.chunks_exact(of_input.len());
                    let taken = samples.len();
                    for (sample, into) in samples.zip(planes.chunks_exact_mut(grid.len())) {
                        grid.place(&from, (sample, self.input), into);
                    }
                    let rows = of_result.chunks_exact(of_output.plane());
                    for (row, into) in rows.zip(grads.chunks_exact_mut(length)) {
                        let row = (row, of_output.width());
                        place(whole(self.output), row, (into, grid.width()));
                    }
                    shared(sums, ROWS * offsets.len(), |at, sums| {
                        ShiftedProducts {
                            grads: part(&grads, 0, taken * outputs * length),
                            length,
                            rows: outputs,
                            planes: &planes,
                            size: grid.len(),
                            offsets: &offsets,
                            first: at * ROWS,
                            sums,
                        }
                        .run();
                    });
                }
            });
        // In order, so that the sum does not depend on which thread was first.
        let mut parts = parts.chunks_exact(count);
        let mut sum = parts.next().unwrap_or_default().to_vec();
        for part in parts {
            for (sum, it) in sum.iter_mut().zip(part) {
                *sum += it;
            }
        }
        sum
    }
}
