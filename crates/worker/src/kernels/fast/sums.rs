//! Sums and means over dimensions.
//!
//! The order of additions depends on the shape alone, not on the number of threads: the result of a program is the same
//! on every machine with this processor's instructions or others.

use super::floats::{GRAIN, filled, of, part, tensor, wide};
use crate::kernels::card::{self, Reducer};
use candle_core::{Result, Tensor};
use pulp::NullaryFnOnce;
use rayon::iter::ParallelIterator;
use rayon::slice::ParallelSlice;

/// Running results that a loop keeps beside each other, so that it can use vectors: few for a short row, whose results
/// have to be joined, and as many for a long one as hide how long an addition takes.
const LANES: usize = 32;
const MANY_LANES: usize = 128;

/// Elements that are summed in single precision before they go into a sum of more digits.
const BLOCK: usize = 4096;

/// Running results of all elements.
#[inline(always)]
fn folded<const N: usize>(all: &[f32], start: f32, f: impl Fn(f32, f32) -> f32 + Copy) -> [f32; N] {
    let mut lanes = [start; N];
    let chunks = all.chunks_exact(N);
    let rest = chunks.remainder();
    for chunk in chunks {
        for (lane, it) in lanes.iter_mut().zip(chunk) {
            *lane = f(*lane, *it);
        }
    }
    for (lane, it) in lanes.iter_mut().zip(rest) {
        *lane = f(*lane, *it);
    }
    lanes
}

/// One number of the lanes, by halves.
#[inline(always)]
fn joined<T: Copy + Default, const N: usize>(mut lanes: [T; N], f: impl Fn(T, T) -> T) -> T {
    let mut half = N / 2;
    while half > 0 {
        let (low, high) = lanes.split_at_mut(half);
        for (low, high) in low.iter_mut().zip(high) {
            *low = f(*low, *high);
        }
        half /= 2;
    }
    lanes.first().copied().unwrap_or_default()
}

/// The sum of a few elements, of more digits.
#[inline(always)]
fn sum_of_block<const N: usize>(block: &[f32]) -> f64 {
    let lanes = folded::<N>(block, 0.0, |a, b| a + b);
    joined(lanes.map(f64::from), |a, b| a + b)
}

/// The sum of a row. Few numbers give the sum that is exact but for its last rounding.
#[inline(always)]
pub(super) fn sum_of(row: &[f32]) -> f32 {
    if row.len() <= BLOCK {
        return narrow(sum_of_block::<LANES>(row));
    }
    narrow(row.chunks(BLOCK).map(sum_of_block::<MANY_LANES>).sum())
}

/// The sum of a function of each pair of elements of two rows.
#[inline(always)]
pub(super) fn sum_of_pairs(a: &[f32], b: &[f32], f: impl Fn(f32, f32) -> f32 + Copy) -> f64 {
    let mut sum = 0.0;
    for (a, b) in a.chunks(BLOCK).zip(b.chunks(BLOCK)) {
        let mut lanes = [0.0_f32; LANES];
        let (a, b) = (a.chunks_exact(LANES), b.chunks_exact(LANES));
        let rest = a.remainder().iter().zip(b.remainder());
        for (a, b) in a.zip(b) {
            for ((lane, a), b) in lanes.iter_mut().zip(a).zip(b) {
                *lane += f(*a, *b);
            }
        }
        for (lane, (a, b)) in lanes.iter_mut().zip(rest) {
            *lane += f(*a, *b);
        }
        sum += joined(lanes.map(f64::from), |a, b| a + b);
    }
    sum
}

/// The largest element of a row, where NaN does not count.
#[inline(always)]
pub(super) fn largest_of(row: &[f32]) -> f32 {
    let larger = |a, b| if b > a { b } else { a };
    joined(folded::<LANES>(row, f32::NEG_INFINITY, larger), larger)
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "sums have the type of the elements"
)]
fn narrow(sum: f64) -> f32 {
    sum as f32
}

struct Sum<'a>(&'a [f32]);

impl NullaryFnOnce for Sum<'_> {
    type Output = f32;

    #[inline(always)]
    fn call(self) -> f32 {
        sum_of(self.0)
    }
}

struct RowSums<'a> {
    out: &'a mut [f32],
    a: &'a [f32],
    width: usize,
}

impl NullaryFnOnce for RowSums<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        for (out, row) in self.out.iter_mut().zip(self.a.chunks_exact(self.width)) {
            *out = sum_of(row);
        }
    }
}

/// Rows that are added up to one row.
struct Columns<'a> {
    out: &'a mut [f32],
    a: &'a [f32],
}

impl NullaryFnOnce for Columns<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        for row in self.a.chunks_exact(self.out.len().max(1)) {
            for (out, it) in self.out.iter_mut().zip(row) {
                *out += it;
            }
        }
    }
}

fn of_all(a: &[f32]) -> f32 {
    if a.len() < 4 * GRAIN {
        return wide(Sum(a));
    }
    let parts = a.par_chunks(GRAIN).map(|it| f64::from(wide(Sum(it))));
    // In order, so that the result does not depend on which thread was first.
    let parts: Vec<f64> = parts.collect();
    narrow(parts.iter().sum())
}

/// The sum of rows of this width, in blocks of rows whose sums are added up afterwards.
fn of_columns(a: &[f32], width: usize, out: &mut [f32]) {
    let rows = a.len() / width.max(1);
    let block = (GRAIN / width.max(1)).max(rows.div_ceil(64)).max(8);
    if rows <= block {
        return wide(Columns { out, a });
    }
    let blocks = rows.div_ceil(block);
    let sums = filled(blocks, width, GRAIN, |start, sums| {
        for (at, out) in sums.chunks_exact_mut(width.max(1)).enumerate() {
            let first = (start + at) * block;
            let count = block.min(rows.saturating_sub(first));
            let a = part(a, first * width, count * width);
            wide(Columns { out, a });
        }
    });
    wide(Columns { out, a: &sums });
}

/// Sums over neighbouring dimensions: `outer` blocks of `count` rows of `inner` elements.
fn summed(a: &[f32], [outer, count, inner]: [usize; 3]) -> Vec<f32> {
    match (outer, inner) {
        (1, 1) => vec![of_all(a)],
        (_, 1) => filled(outer, 1, count, |start, out| {
            let a = part(a, start * count, out.len() * count);
            wide(RowSums {
                out,
                a,
                width: count,
            });
        }),
        (1, _) => {
            let mut out = vec![0.0; inner];
            of_columns(a, inner, &mut out);
            out
        }
        _ => filled(outer, inner, count, |start, out| {
            for (at, out) in out.chunks_exact_mut(inner).enumerate() {
                let a = part(a, (start + at) * count * inner, count * inner);
                wide(Columns { out, a });
            }
        }),
    }
}

/// The dimensions in groups of neighbours, the last ones first.
fn groups(dims: &[usize]) -> Vec<(usize, usize)> {
    let mut dims = dims.to_vec();
    dims.sort_unstable();
    let mut groups: Vec<(usize, usize)> = Vec::new();
    for dim in dims {
        match groups.last_mut() {
            Some((_, end)) if *end == dim => *end += 1,
            Some(_) | None => groups.push((dim, dim + 1)),
        }
    }
    groups.reverse();
    groups
}

fn over(a: &Tensor, dims: &[usize]) -> Option<Result<Tensor>> {
    if a.elem_count() == 0 {
        return None;
    }
    let mut shape = a.dims().to_vec();
    let mut sums: Option<Vec<f32>> = None;
    for (start, end) in groups(dims) {
        let size = |range: &[usize]| range.iter().product::<usize>();
        let (before, rest) = shape.split_at(start.min(shape.len()));
        let (over, after) = rest.split_at((end - start).min(rest.len()));
        let sizes = [size(before), size(over), size(after)];
        sums = Some(match &sums {
            None => of([a], |[a]| summed(a, sizes))?,
            Some(sums) => summed(sums, sizes),
        });
        for size in shape.iter_mut().take(end).skip(start) {
            *size = 1;
        }
    }
    sums.map(|it| tensor(it, &shape))
}

/// A sum over a divisor, by our kernels for a card.
fn on_card(a: &Tensor, dims: &[usize], divisor: usize) -> Option<Result<Tensor>> {
    card::reduce(Reducer::named("sum", [divisor as f64, 0.0]), a, dims)
}

/// The sum over dimensions, which stay with size 1.
pub(crate) fn sum(a: &Tensor, dims: &[usize]) -> Result<Tensor> {
    let made = over(a, dims).or_else(|| on_card(a, dims, 1));
    made.unwrap_or_else(|| a.sum_keepdim(dims))
}

/// The mean over dimensions, which stay with size 1.
pub(crate) fn mean(a: &Tensor, dims: &[usize]) -> Result<Tensor> {
    let count: usize = dims.iter().filter_map(|it| a.dims().get(*it)).product();
    match over(a, dims) {
        Some(sum) => super::affine(&sum?, 1.0 / count as f64, 0.0),
        None => {
            let made = on_card(a, dims, count);
            made.unwrap_or_else(|| a.mean_keepdim(dims))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use candle_core::{DType, Device};

    #[test]
    fn sums_over_any_dimensions_are_those_of_64_bits() {
        for (shape, dims) in [
            (&[3, 5, 7][..], &[0, 1, 2][..]),
            (&[3, 5, 7], &[2]),
            (&[3, 5, 7], &[1]),
            (&[3, 5, 7], &[0, 2]),
            (&[3, 5, 7], &[0]),
            (&[700, 300], &[0]),
            (&[300, 700], &[1]),
            (&[500_000], &[0]),
        ] {
            let count = shape.iter().product::<usize>() as f32;
            let a = Tensor::arange(0.0, count, &Device::Cpu).unwrap();
            let a = a.reshape(shape).unwrap();
            let expected = a.to_dtype(DType::F64).unwrap().sum_keepdim(dims).unwrap();
            let made = sum(&a, dims).unwrap();
            assert_eq!(made.dims(), expected.dims());
            let away = made.to_dtype(DType::F64).unwrap().sub(&expected).unwrap();
            let away = away.div(&(&expected + 1.0).unwrap()).unwrap();
            let away = away.abs().unwrap().flatten_all().unwrap().max(0).unwrap();
            assert!(
                away.to_scalar::<f64>().unwrap() < 1e-6,
                "{shape:?} {dims:?}"
            );
        }
    }
}
