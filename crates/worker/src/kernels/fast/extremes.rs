//! The largest or smallest elements along a dimension, and where they are, for elements of any type. NaN wins.

use super::floats::{filled, of_type, part, tensor, wide};
use candle_core::{DType, Result, Tensor, WithDType};
use pulp::NullaryFnOnce;

/// Which of two elements is chosen. A trait, so that it is inlined into loops of wide instructions.
trait Choice: Copy + Sync {
    /// Whether an element replaces another one, when neither is NaN.
    fn beats<T: PartialOrd>(self, it: T, best: T) -> bool;
}

#[derive(Clone, Copy)]
struct Largest;

impl Choice for Largest {
    #[inline(always)]
    fn beats<T: PartialOrd>(self, it: T, best: T) -> bool {
        it > best
    }
}

#[derive(Clone, Copy)]
struct Smallest;

impl Choice for Smallest {
    #[inline(always)]
    fn beats<T: PartialOrd>(self, it: T, best: T) -> bool {
        it < best
    }
}

/// Whether it is NaN, which alone is not equal to itself.
#[inline(always)]
#[expect(clippy::eq_op, reason = "it is what makes NaN NaN")]
fn is_nan<T: PartialOrd + Copy>(it: T) -> bool {
    it != it
}

/// The best of two elements.
#[inline(always)]
fn better<C: Choice, T: PartialOrd + Copy>(choice: C, it: T, best: T) -> T {
    if choice.beats(it, best) | is_nan(it) {
        it
    } else {
        best
    }
}

/// Running results that a loop keeps beside each other, so that it can use vectors.
const LANES: usize = 64;

/// The best element of a row, which is not empty.
#[inline(always)]
fn of_row<C: Choice, T: PartialOrd + Copy + Default>(choice: C, row: &[T]) -> T {
    let Some(first) = row.first() else {
        return T::default();
    };
    let mut lanes = [*first; LANES];
    let chunks = row.chunks_exact(LANES);
    let rest = chunks.remainder();
    for chunk in chunks {
        for (lane, it) in lanes.iter_mut().zip(chunk) {
            *lane = better(choice, *it, *lane);
        }
    }
    let joined = lanes.iter().chain(rest).copied();
    joined.fold(*first, |best, it| better(choice, it, best))
}

/// Where the first element of a row is that equals a value of it, or is NaN as that.
#[inline(always)]
fn place_of<T: PartialOrd + Copy>(row: &[T], value: T) -> usize {
    let hits = |it: &T| (*it == value) | is_nan(*it);
    for (at, chunk) in row.chunks(LANES).enumerate() {
        if chunk.iter().fold(false, |any, it| any | hits(it)) {
            return at * LANES + chunk.iter().position(hits).unwrap_or(0);
        }
    }
    0
}

/// What is made of each row: its best element, or where that is.
trait RowReduction<T>: Copy + Sync {
    type Out: Copy + Default + Send;

    fn of_row(self, row: &[T]) -> Self::Out;

    /// Rows of which each column gives one result; `best` has room for their best elements.
    fn of_columns(self, rows: &[T], best: &mut [T], out: &mut [Self::Out]);
}

#[derive(Clone, Copy)]
struct Values<C>(C);

impl<C: Choice, T: PartialOrd + Copy + Default + Send> RowReduction<T> for Values<C> {
    type Out = T;

    #[inline(always)]
    fn of_row(self, row: &[T]) -> T {
        of_row(self.0, row)
    }

    #[inline(always)]
    fn of_columns(self, rows: &[T], best: &mut [T], out: &mut [T]) {
        for row in rows.chunks_exact(best.len().max(1)).skip(1) {
            for (best, it) in best.iter_mut().zip(row) {
                *best = better(self.0, *it, *best);
            }
        }
        out.copy_from_slice(best);
    }
}

#[derive(Clone, Copy)]
struct Places<C>(C);

impl<C: Choice, T: PartialOrd + Copy + Default> RowReduction<T> for Places<C> {
    type Out = i64;

    #[inline(always)]
    fn of_row(self, row: &[T]) -> i64 {
        place_of(row, of_row(self.0, row)) as i64
    }

    #[inline(always)]
    fn of_columns(self, rows: &[T], best: &mut [T], out: &mut [i64]) {
        for (at, row) in rows.chunks_exact(best.len().max(1)).enumerate().skip(1) {
            for ((best, out), it) in best.iter_mut().zip(out.iter_mut()).zip(row) {
                let wins = (self.0.beats(*it, *best) | is_nan(*it)) & !is_nan(*best);
                *best = if wins { *it } else { *best };
                *out = if wins { at as i64 } else { *out };
            }
        }
    }
}

struct Rows<'a, M: RowReduction<T>, T> {
    made: M,
    out: &'a mut [M::Out],
    a: &'a [T],
    width: usize,
}

impl<M: RowReduction<T>, T> NullaryFnOnce for Rows<'_, M, T> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        for (out, row) in self.out.iter_mut().zip(self.a.chunks_exact(self.width)) {
            *out = self.made.of_row(row);
        }
    }
}

struct Columns<'a, M: RowReduction<T>, T> {
    made: M,
    out: &'a mut [M::Out],
    a: &'a [T],
    best: &'a mut [T],
}

impl<M: RowReduction<T>, T> NullaryFnOnce for Columns<'_, M, T> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        self.made.of_columns(self.a, self.best, self.out);
    }
}

/// `outer` blocks of `count` rows of `inner` elements; of each block one row is made.
fn made_of<T: PartialOrd + Copy + Sync, M: RowReduction<T>>(
    made: M,
    a: &[T],
    [outer, count, inner]: [usize; 3],
) -> Vec<M::Out> {
    if inner == 1 {
        return filled(outer, 1, count, |start, out| {
            let a = part(a, start * count, out.len() * count);
            wide(Rows {
                made,
                out,
                a,
                width: count.max(1),
            });
        });
    }
    filled(outer, inner, count, |start, out| {
        for (at, out) in out.chunks_exact_mut(inner.max(1)).enumerate() {
            let a = part(a, (start + at) * count * inner, count * inner);
            let mut best = part(a, 0, inner).to_vec();
            let best = &mut *best;
            wide(Columns { made, out, a, best });
        }
    })
}

/// The sizes before, of, and after a dimension.
fn around(dims: &[usize], dim: usize) -> [usize; 3] {
    let inner = dims.iter().skip(dim + 1).product();
    let outer = dims.iter().take(dim).product();
    [outer, dims.get(dim).copied().unwrap_or(1), inner]
}

fn along<T, M>(made: M, a: &Tensor, dim: usize) -> Option<Result<Tensor>>
where
    T: WithDType + Default,
    M: RowReduction<T>,
    M::Out: WithDType,
{
    let made = of_type([a], |[it]: [&[T]; 1]| {
        made_of(made, it, around(a.dims(), dim))
    })?;
    let mut shape = a.dims().to_vec();
    if let Some(it) = shape.get_mut(dim) {
        *it = 1;
    }
    Some(tensor(made, &shape))
}

/// Calls [`along`] with the type of the elements; nothing for values that are not on the host, in another order, or of
/// 16-bit floats, which are widened before.
macro_rules! of_each_type {
    ($a:expr, $dim:expr, $made:expr) => {{
        let dtype = $a.dtype();
        match dtype {
            DType::U8 => along::<u8, _>($made, $a, $dim),
            DType::I16 => along::<i16, _>($made, $a, $dim),
            DType::I32 => along::<i32, _>($made, $a, $dim),
            DType::I64 => along::<i64, _>($made, $a, $dim),
            DType::F32 => along::<f32, _>($made, $a, $dim),
            DType::F64 => along::<f64, _>($made, $a, $dim),
            _ => None,
        }
    }};
}

/// The largest elements along a dimension, which stays with size 1.
pub(crate) fn largest_along(a: &Tensor, dim: usize) -> Option<Result<Tensor>> {
    of_each_type!(a, dim, Values(Largest))
}

/// The smallest elements along a dimension, which stays with size 1.
pub(crate) fn smallest_along(a: &Tensor, dim: usize) -> Option<Result<Tensor>> {
    of_each_type!(a, dim, Values(Smallest))
}

/// Where the first of the largest elements are.
pub(crate) fn places_of_largest(a: &Tensor, dim: usize) -> Option<Result<Tensor>> {
    of_each_type!(a, dim, Places(Largest))
}

/// Where the first of the smallest elements are.
pub(crate) fn places_of_smallest(a: &Tensor, dim: usize) -> Option<Result<Tensor>> {
    of_each_type!(a, dim, Places(Smallest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use candle_core::Device;

    fn text(a: &Tensor, dim: usize) -> String {
        let line = |it: Option<Result<Tensor>>| {
            let it = it.unwrap().unwrap().flatten_all().unwrap();
            format!(
                "{:?}",
                it.to_dtype(DType::F64).unwrap().to_vec1::<f64>().unwrap()
            )
        };
        [
            line(largest_along(a, dim)),
            line(smallest_along(a, dim)),
            line(places_of_largest(a, dim)),
            line(places_of_smallest(a, dim)),
        ]
        .join(" ")
    }

    #[test]
    fn the_first_of_equal_elements_is_found_and_nan_wins() {
        let nan = f32::NAN;
        let a = Tensor::new(&[[1.0_f32, 3.0, 3.0], [nan, 2.0, nan]], &Device::Cpu).unwrap();
        assert_eq!(text(&a, 1), "[3.0, NaN] [1.0, NaN] [1.0, 0.0] [0.0, 0.0]");
        assert_eq!(
            text(&a, 0),
            "[NaN, 3.0, NaN] [NaN, 2.0, NaN] [1.0, 0.0, 1.0] [1.0, 1.0, 1.0]"
        );
        let a = Tensor::new(&[[5_i64, 5, -7], [5, 6, -7]], &Device::Cpu).unwrap();
        assert_eq!(text(&a, 1), "[5.0, 6.0] [-7.0, -7.0] [0.0, 1.0] [2.0, 2.0]");
        assert_eq!(
            text(&a, 0),
            "[5.0, 6.0, -7.0] [5.0, 5.0, -7.0] [0.0, 1.0, 0.0] [0.0, 0.0, 0.0]"
        );
    }

    #[test]
    fn long_rows_and_many_rows_are_no_exceptions() {
        for (rows, columns) in [(3, 1000), (1000, 3), (1, 100_000), (300, 300)] {
            let numbers: Vec<f32> = (0..rows * columns)
                .map(|it| (it * 7919 % 1009) as f32)
                .collect();
            let a = Tensor::from_vec(numbers.clone(), (rows, columns), &Device::Cpu).unwrap();
            let made = places_of_largest(&a, 1).unwrap().unwrap();
            let made = made.flatten_all().unwrap().to_vec1::<i64>().unwrap();
            let expected = numbers.chunks(columns).map(|row| {
                let best = row.iter().copied().fold(f32::MIN, f32::max);
                row.iter()
                    .position(|it| it.to_bits() == best.to_bits())
                    .unwrap() as i64
            });
            assert_eq!(made, expected.collect::<Vec<_>>());
            let turned = a.t().unwrap().contiguous().unwrap();
            let down = places_of_largest(&turned, 0).unwrap().unwrap();
            assert_eq!(made, down.flatten_all().unwrap().to_vec1::<i64>().unwrap());
        }
    }
}
