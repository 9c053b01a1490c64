//! The two loops of a convolution without columns: planes lie in grids with zeros around them, in which the elements below a
//! place of the kernel are the same plane, shifted.

use super::floats::part;
use pulp::{Arch, Simd, WithSimd};
use std::ops::Range;

/// Rows of a weight that are multiplied at a time: with two vectors of places for each, they fill half of the registers.
pub(super) const HEIGHT: usize = 8;

/// Rows of a gradient, and shifted planes, whose products are summed at a time.
const SIDE: usize = 4;

/// Zeros after each plane, so that the last vector may reach over its end: as many as the widest two vectors have.
pub(super) const REACH: usize = 2 * LANES;

/// The most elements that a vector has.
pub(super) const LANES: usize = 16;

/// A few rows of a weight with the shifted planes that they are multiplied with.
pub(super) struct ShiftedRows<'a> {
    /// One number of each row for each shifted plane.
    pub(super) weights: &'a [[f32; HEIGHT]],
    /// Where the shifted planes begin.
    pub(super) offsets: &'a [usize],
    pub(super) planes: &'a [f32],
    /// What the sums begin with.
    pub(super) bias: [f32; HEIGHT],
    /// The sums, row by row, and which of them are made: in whole vectors.
    pub(super) out: &'a mut [f32],
    pub(super) made: Range<usize>,
}

impl ShiftedRows<'_> {
    pub(super) fn run(self) {
        Arch::new().dispatch(self);
    }
}

impl WithSimd for ShiftedRows<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let width = 2 * S::F32_LANES;
        let length = self.out.len() / HEIGHT;
        for place in self.made.step_by(width) {
            let mut sums = self.bias.map(|it| [simd.splat_f32s(it); 2]);
            for (weights, offset) in self.weights.iter().zip(self.offsets) {
                let (own, _) = S::as_simd_f32s(part(self.planes, offset + place, width));
                let [left, right] = *own else { break };
                for ([low, high], weight) in sums.iter_mut().zip(weights) {
                    let weight = simd.splat_f32s(*weight);
                    *low = simd.mul_add_f32s(weight, left, *low);
                    *high = simd.mul_add_f32s(weight, right, *high);
                }
            }
            for (row, sums) in self.out.chunks_exact_mut(length.max(1)).zip(sums) {
                let to = row.get_mut(place..place + width).unwrap_or_default();
                let (to, _) = S::as_mut_simd_f32s(to);
                for (to, sum) in to.iter_mut().zip(sums) {
                    *to = sum;
                }
            }
        }
    }
}

/// The sums over all places of the products of each row of a gradient with each shifted plane, for some samples.
pub(super) struct ShiftedProducts<'a> {
    /// Samples of rows of this length, a multiple of `LANES`, with zeros between and after what is summed.
    pub(super) grads: &'a [f32],
    pub(super) length: usize,
    pub(super) rows: usize,
    /// The same samples as planes, and how many elements a sample has.
    pub(super) planes: &'a [f32],
    pub(super) size: usize,
    pub(super) offsets: &'a [usize],
    /// The sums are added to these rows, one for each row of the gradient from the first one on.
    pub(super) first: usize,
    pub(super) sums: &'a mut [f32],
}

impl ShiftedProducts<'_> {
    pub(super) fn run(self) {
        Arch::new().dispatch(self);
    }
}

impl WithSimd for ShiftedProducts<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let across = self.offsets.len();
        let some = self.sums.len() / across;
        for first in (0..some).step_by(SIDE) {
            let rows = SIDE.min(some - first);
            for (at, offsets) in self.offsets.chunks(SIDE).enumerate() {
                // The last ones stand in for missing ones.
                let starts: [_; SIDE] =
                    std::array::from_fn(|it| (self.first + first + it.min(rows - 1)) * self.length);
                let last = offsets.len() - 1;
                let offsets: [_; SIDE] = std::array::from_fn(|it| offsets[it.min(last)]);
                let mut sums = [[simd.splat_f32s(0.0); SIDE]; SIDE];
                let samples = self.grads.chunks_exact(self.rows * self.length);
                for (grads, planes) in samples.zip(self.planes.chunks_exact(self.size)) {
                    let grads = starts.map(|it| S::as_simd_f32s(part(grads, it, self.length)).0);
                    let planes = offsets.map(|it| S::as_simd_f32s(part(planes, it, self.length)).0);
                    let [g0, g1, g2, g3] = grads;
                    let [p0, p1, p2, p3] = planes;
                    let grads = g0.iter().zip(g1).zip(g2.iter().zip(g3));
                    let planes = p0.iter().zip(p1).zip(p2.iter().zip(p3));
                    for (((g0, g1), (g2, g3)), ((p0, p1), (p2, p3))) in grads.zip(planes) {
                        for (sums, grad) in sums.iter_mut().zip([g0, g1, g2, g3]) {
                            for (sum, plane) in sums.iter_mut().zip([p0, p1, p2, p3]) {
                                *sum = simd.mul_add_f32s(*grad, *plane, *sum);
                            }
                        }
                    }
                }
                let into = self.sums.chunks_exact_mut(across).skip(first);
                for (into, sums) in into.zip(sums).take(rows) {
                    for (into, sum) in into.iter_mut().skip(at * SIDE).zip(sums).take(last + 1) {
                        *into += simd.reduce_sum_f32s(sum);
                    }
                }
            }
        }
    }
}
