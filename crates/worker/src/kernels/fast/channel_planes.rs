//! Passes over planes, one for each channel of a sample: their moments, sums and functions.

use super::floats::{filled, part, wide};
use super::sums::{sum_of, sum_of_pairs};
use candle_core::{Result, Tensor};
use pulp::NullaryFnOnce;

/// How planes, one for each channel of a sample, are rows.
#[derive(Clone, Copy)]
pub(super) struct ChannelPlanes {
    pub(super) channels: usize,
    /// How many neighbouring planes are a row; nothing if a row is a channel.
    grouped: Option<usize>,
    size: usize,
    count: usize,
}

/// The mean of a row, and its variance.
#[derive(Clone, Copy, Default)]
pub(super) struct Moments {
    pub(super) mean: f64,
    pub(super) variance: f64,
}

/// `(x − before) · scale + after` for each element of a plane.
#[derive(Clone, Copy)]
pub(super) struct PlaneFunction {
    pub(super) before: f32,
    pub(super) scale: f32,
    pub(super) after: f32,
}

impl PlaneFunction {
    #[inline(always)]
    fn of(self, x: f32) -> f32 {
        (x - self.before) * self.scale + self.after
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "it takes the tensor's type"
)]
pub(super) fn narrow(number: f64) -> f32 {
    number as f32
}

impl Moments {
    pub(super) fn factor(self, eps: f64) -> f32 {
        narrow(1.0 / (self.variance + eps).sqrt())
    }
}

impl ChannelPlanes {
    pub(super) fn of(groups: Option<usize>, input: &Tensor) -> Result<Self> {
        let (batch, channels) = (input.dim(0)?, input.dim(1)?);
        Ok(Self {
            channels,
            grouped: groups.map(|it| channels / it),
            size: input.dims().iter().skip(2).product(),
            count: batch * channels,
        })
    }

    pub(super) fn rows(self) -> usize {
        self.grouped.map_or(self.channels, |it| self.count / it)
    }

    pub(super) fn row_of(self, plane: usize) -> usize {
        self.grouped.map_or(plane % self.channels, |it| plane / it)
    }

    fn planes_of(self, row: usize) -> impl Iterator<Item = usize> {
        let (first, step, count) = match self.grouped {
            None => (row, self.channels, self.count / self.channels),
            Some(count) => (row * count, 1, count),
        };
        (0..count).map(move |it| first + it * step)
    }

    /// Elements of a row.
    pub(super) fn width(self) -> usize {
        self.count / self.rows() * self.size
    }

    fn plane(self, all: &[f32], plane: usize) -> &[f32] {
        part(all, plane * self.size, self.size)
    }

    pub(super) fn moments(self, a: &[f32]) -> Vec<Moments> {
        filled(self.rows(), 1, 2 * self.width(), |first, out| {
            wide(OfRows {
                planes: self,
                a,
                first,
                out,
            });
        })
    }

    /// The sums of each plane of a gradient, and of its products with the normalized input.
    pub(super) fn sums(self, [grad, a]: [&[f32]; 2], of_rows: &[(f32, f32)]) -> Vec<[f64; 2]> {
        filled(self.count, 1, 2 * self.size, |first, out| {
            wide(OfGradient {
                planes: self,
                grad,
                a,
                of_rows,
                first,
                out,
            });
        })
    }

    /// A function of each plane.
    pub(super) fn mapped(
        self,
        a: &[f32],
        function: impl Fn(usize) -> PlaneFunction + Sync,
    ) -> Vec<f32> {
        filled(self.count, self.size, 1, |first, out| {
            for (plane, out) in (first..).zip(out.chunks_exact_mut(self.size)) {
                let function = function(plane);
                let a = self.plane(a, plane);
                wide(OfPlane { function, out, a });
            }
        })
    }

    /// The sums of two functions of planes.
    pub(super) fn summed(
        self,
        [a, b]: [&[f32]; 2],
        functions: impl Fn(usize) -> [PlaneFunction; 2] + Sync,
    ) -> Vec<f32> {
        filled(self.count, self.size, 2, |first, out| {
            for (plane, out) in (first..).zip(out.chunks_exact_mut(self.size)) {
                wide(OfPlanes {
                    functions: functions(plane),
                    out,
                    a: self.plane(a, plane),
                    b: self.plane(b, plane),
                });
            }
        })
    }
}

struct OfRows<'a> {
    planes: ChannelPlanes,
    a: &'a [f32],
    first: usize,
    out: &'a mut [Moments],
}

impl NullaryFnOnce for OfRows<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let count = self.planes.width() as f64;
        for (row, out) in (self.first..).zip(self.out) {
            for plane in self.planes.planes_of(row) {
                out.mean += f64::from(sum_of(self.planes.plane(self.a, plane))) / count;
            }
            let mean = narrow(out.mean);
            for plane in self.planes.planes_of(row) {
                let own = self.planes.plane(self.a, plane);
                let squares = sum_of_pairs(own, own, |a, _| (a - mean) * (a - mean));
                out.variance += squares / count;
            }
        }
    }
}

struct OfGradient<'a> {
    planes: ChannelPlanes,
    grad: &'a [f32],
    a: &'a [f32],
    of_rows: &'a [(f32, f32)],
    first: usize,
    out: &'a mut [[f64; 2]],
}

impl NullaryFnOnce for OfGradient<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        for (plane, out) in (self.first..).zip(self.out) {
            let (mean, factor) = self.of_rows[self.planes.row_of(plane)];
            let grad = self.planes.plane(self.grad, plane);
            let products = sum_of_pairs(grad, self.planes.plane(self.a, plane), |grad, a| {
                grad * (a - mean)
            });
            *out = [f64::from(sum_of(grad)), products * f64::from(factor)];
        }
    }
}

struct OfPlane<'a> {
    function: PlaneFunction,
    out: &'a mut [f32],
    a: &'a [f32],
}

impl NullaryFnOnce for OfPlane<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        for (out, a) in self.out.iter_mut().zip(self.a) {
            *out = self.function.of(*a);
        }
    }
}

struct OfPlanes<'a> {
    functions: [PlaneFunction; 2],
    out: &'a mut [f32],
    a: &'a [f32],
    b: &'a [f32],
}

impl NullaryFnOnce for OfPlanes<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let [of_a, of_b] = self.functions;
        for ((out, a), b) in self.out.iter_mut().zip(self.a).zip(self.b) {
            *out = of_a.of(*a) + of_b.of(*b);
        }
    }
}
