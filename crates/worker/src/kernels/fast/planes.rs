//! How a convolution of one or two dimensions goes over its input. Planes lie in grids with zeros around them, in which the
//! elements below a place of the kernel are the same plane, shifted. With a stride, each phase of it has a plane.

use super::floats::part;
use super::shifted::REACH;

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

/// Planes with room around them, all of one size.
#[derive(Clone, Copy)]
pub(super) struct Grid {
    pub(super) size: [usize; 2],
    pub(super) planes: usize,
}

/// A place of a kernel: the phase of the elements below it, and how many strides it is away from the first place.
#[derive(Clone, Copy)]
pub(super) struct Tap {
    pub(super) phase: [usize; 2],
    pub(super) strides: [usize; 2],
}

impl Grid {
    /// Elements from one plane to the next.
    fn pitch(self) -> usize {
        let [rows, columns] = self.size;
        rows * columns + REACH
    }

    pub(super) fn len(self) -> usize {
        self.planes * self.pitch()
    }

    pub(super) fn width(self) -> usize {
        let [_, width] = self.size;
        width
    }

    /// Where an element of a plane is.
    pub(super) fn offset(self, plane: usize, [row, column]: [usize; 2]) -> usize {
        plane * self.pitch() + row * self.width() + column
    }

    /// Copies the planes of a sample, each to as many planes as there are spans.
    pub(super) fn place(
        self,
        spans: &[[Span; 2]],
        (sample, size): (&[f32], [usize; 2]),
        into: &mut [f32],
    ) {
        let [rows, width] = size;
        let grids = into.chunks_exact_mut(self.pitch() * spans.len());
        for (plane, grids) in sample.chunks_exact(rows * width).zip(grids) {
            for (spans, into) in spans.iter().zip(grids.chunks_exact_mut(self.pitch())) {
                place(*spans, (plane, width), (into, self.width()));
            }
        }
    }

    /// Elements from the first place of a result of this size to its last.
    pub(super) fn reach(self, [rows, columns]: [usize; 2]) -> usize {
        (rows.saturating_sub(1) * self.width() + columns).max(1)
    }
}

pub(super) fn both<R>(f: impl Fn(usize) -> R) -> [R; 2] {
    [f(0), f(1)]
}

/// All of a plane at the beginning of a grid.
pub(super) fn whole([rows, columns]: [usize; 2]) -> [Span; 2] {
    [rows, columns].map(|count| Span {
        in_grid: 0,
        in_plane: 0,
        count,
        step: 1,
    })
}

impl Planes {
    pub(super) fn places(&self) -> usize {
        self.kernel.iter().product()
    }

    /// How many strides the last place of the kernel is away from the first.
    pub(super) fn shift(&self) -> [usize; 2] {
        both(|it| self.kernel[it].saturating_sub(1) * self.dilation[it] / self.stride[it])
    }

    /// The elements of an input that are a number of strides and this phase away from the beginning of its padding.
    pub(super) fn phase(&self, phase: [usize; 2]) -> [Span; 2] {
        both(|it| {
            let (step, before) = (self.stride[it], self.padding[it]);
            let first = before.saturating_sub(phase[it]).div_ceil(step);
            let end = (self.input[it] + before)
                .saturating_sub(phase[it])
                .div_ceil(step);
            let end = end.min(self.output[it] + self.shift()[it]);
            Span {
                in_grid: first,
                in_plane: (first * step + phase[it]).saturating_sub(before),
                count: end.saturating_sub(first),
                step,
            }
        })
    }

    /// All places of the kernel.
    pub(super) fn taps(&self) -> impl Iterator<Item = Tap> {
        let [_, width] = self.kernel;
        let (stride, dilation) = (self.stride, self.dilation);
        (0..self.places()).map(move |place| {
            let at = [place / width, place % width];
            Tap {
                phase: both(|it| at[it] * dilation[it] % stride[it]),
                strides: both(|it| at[it] * dilation[it] / stride[it]),
            }
        })
    }

    pub(super) fn phases(&self) -> impl Iterator<Item = [usize; 2]> {
        let [down, right] = self.stride;
        (0..down * right).map(move |it| [it / right, it % right])
    }

    /// An input's grid: a plane for each channel and phase.
    pub(super) fn grid(&self) -> Grid {
        let shift = self.shift();
        Grid {
            size: both(|it| self.output[it] + shift[it]),
            planes: self.channels * self.stride.iter().product::<usize>(),
        }
    }

    /// Where the elements below each place of the kernel begin in a grid of an input, channel by channel.
    pub(super) fn offsets(&self) -> Vec<usize> {
        let (grid, [down, right]) = (self.grid(), self.stride);
        let offset = |channel: usize, Tap { phase, strides }| {
            let plane = (channel * down + phase[0]) * right + phase[1];
            grid.offset(plane, strides)
        };
        let of_channel = |channel| self.taps().map(move |it| offset(channel, it));
        (0..self.channels).flat_map(of_channel).collect()
    }
}

/// Where the elements of a plane lie in a grid along one dimension.
#[derive(Clone, Copy)]
pub(super) struct Span {
    pub(super) in_grid: usize,
    pub(super) in_plane: usize,
    pub(super) count: usize,
    /// The distance of neighbours in the plane.
    pub(super) step: usize,
}

/// Where each row of a plane lies: where it begins in the grid, and where in the plane.
fn rows([down, right]: [Span; 2], grid: usize, plane: usize) -> impl Iterator<Item = [usize; 2]> {
    (0..down.count).map(move |row| {
        let in_grid = (down.in_grid + row) * grid + right.in_grid;
        let in_plane = (down.in_plane + row * down.step) * plane + right.in_plane;
        [in_grid, in_plane]
    })
}

/// Copies a plane into a grid; both are given with the width of their rows.
pub(super) fn place(
    spans: [Span; 2],
    (plane, plane_width): (&[f32], usize),
    (grid, grid_width): (&mut [f32], usize),
) {
    let [_, Span { count, step, .. }] = spans;
    for [to, from] in rows(spans, grid_width, plane_width) {
        let to = grid.get_mut(to..to + count).unwrap_or_default();
        let from = plane.get(from..).unwrap_or_default();
        if step == 1 {
            to.iter_mut().zip(from).for_each(|(to, it)| *to = *it);
        } else {
            let from = from.iter().step_by(step);
            to.iter_mut().zip(from).for_each(|(to, it)| *to = *it);
        }
    }
}

/// Copies what lies in a grid into a plane.
pub(super) fn take(
    spans: [Span; 2],
    (grid, grid_width): (&[f32], usize),
    (plane, plane_width): (&mut [f32], usize),
) {
    let [_, Span { count, step, .. }] = spans;
    for [from, to] in rows(spans, grid_width, plane_width) {
        let from = part(grid, from, count);
        let to = plane.get_mut(to..).unwrap_or_default();
        if step == 1 {
            to.iter_mut().zip(from).for_each(|(to, it)| *to = *it);
        } else {
            let to = to.iter_mut().step_by(step);
            to.zip(from).for_each(|(to, it)| *to = *it);
        }
    }
}
