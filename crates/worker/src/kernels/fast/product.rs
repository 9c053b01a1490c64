//! Products with a matrix that takes part in many of them: it is brought into the order of the loop once. candle's
//! products, which are faster for a matrix that takes part in one, do that each time.
//!
//! An element's products are added in one order, whatever the other rows are.

use super::floats::{part, wide};
use pulp::{Arch, NullaryFnOnce, Simd, WithSimd};

/// Rows that are multiplied at a time: with two vectors of columns for each, they fill half of the registers.
const HEIGHT: usize = 8;

/// Products that are added up before they go to memory, so that what they read stays in the nearest cache.
const DEPTH: usize = 256;

/// The most elements of a matrix in a build without optimization.
const UNOPTIMIZED: usize = 1 << 14;

/// The bytes of a line of a cache.
const LINE: usize = 64;

/// Elements as a matrix, with the distances of neighbours down a column and along a row.
#[derive(Clone, Copy)]
pub(super) struct Matrix<'a> {
    elements: &'a [f32],
    rows: usize,
    columns: usize,
    down: usize,
    right: usize,
}

impl<'a> Matrix<'a> {
    /// Rows of this width, one after the other.
    pub(super) fn of_rows(elements: &'a [f32], width: usize) -> Self {
        Self {
            elements,
            rows: elements.len() / width.max(1),
            columns: width,
            down: width,
            right: 1,
        }
    }

    pub(super) fn transposed(self) -> Self {
        Self {
            rows: self.columns,
            columns: self.rows,
            down: self.right,
            right: self.down,
            ..self
        }
    }

    /// So many elements of a row from a place on.
    fn along(&self, [row, column]: [usize; 2], count: usize) -> impl Iterator<Item = &'a f32> {
        let from = row * self.down + column * self.right;
        let elements = self.elements.get(from..).unwrap_or_default();
        elements.iter().step_by(self.right.max(1)).take(count)
    }
}

/// How many elements a vector of this processor has.
struct Lanes;

impl WithSimd for Lanes {
    type Output = usize;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> usize {
        S::F32_LANES
    }
}

/// A right-hand matrix in panels of two vectors of columns, row by row, the last one filled up with zeros.
pub(super) struct PackedMatrix {
    elements: Vec<f32>,
    /// Where the first panel begins: at a line of a cache.
    first: usize,
    width: usize,
    rows: usize,
    columns: usize,
}

impl PackedMatrix {
    /// Nothing for a processor without wide instructions, where candle is faster.
    pub(super) fn of(matrix: Matrix<'_>) -> Option<Self> {
        let width = 2 * Arch::new().dispatch(Lanes);
        if width < LINE / size_of::<f32>() {
            return None;
        }
        let (rows, columns) = (matrix.rows, matrix.columns);
        let count = rows * columns.div_ceil(width) * width;
        // A build without optimization has slow loops of ours, and candle's fast ones.
        if cfg!(debug_assertions) && count > UNOPTIMIZED {
            return None;
        }
        let mut elements: Vec<f32> = Vec::with_capacity(count + LINE);
        let first = elements.as_ptr().align_offset(LINE).min(LINE);
        elements.resize(first, 0.0);
        for start in (0..rows).step_by(DEPTH) {
            let depth = DEPTH.min(rows - start);
            for column in (0..columns).step_by(width) {
                let count = width.min(columns - column);
                for row in start..start + depth {
                    elements.extend(matrix.along([row, column], count));
                    elements.resize(elements.len() + width - count, 0.0);
                }
            }
        }
        Some(Self {
            elements,
            first,
            width,
            rows,
            columns,
        })
    }

    /// Adds the product of some rows with the matrix to rows of a result.
    pub(super) fn add_product(&self, a: &[f32], out: &mut [f32]) {
        let mut columns = Vec::new();
        let groups = a.chunks(HEIGHT * self.rows.max(1));
        for (a, out) in groups.zip(out.chunks_mut(HEIGHT * self.columns.max(1))) {
            columns.clear();
            wide(TransposedRows {
                a,
                width: self.rows,
                into: &mut columns,
            });
            self.add_group(&columns, out);
        }
    }

    /// The same for rows whose elements lie column by column.
    fn add_group(&self, a: &[[f32; HEIGHT]], out: &mut [f32]) {
        let across = self.columns.div_ceil(self.width) * self.width;
        for (at, a) in a.chunks(DEPTH).enumerate() {
            let block = self.first + at * DEPTH * across;
            for (panel, column) in (0..self.columns).step_by(self.width).enumerate() {
                let size = a.len() * self.width;
                let count = self.width.min(self.columns - column);
                Arch::new().dispatch(Tile {
                    a,
                    b: part(&self.elements, block + panel * size, size),
                    out,
                    columns: self.columns,
                    place: (column, count),
                });
            }
        }
    }
}

/// Brings a few rows into the order of the loop, column by column; the last row stands in for missing ones.
struct TransposedRows<'a> {
    a: &'a [f32],
    width: usize,
    into: &'a mut Vec<[f32; HEIGHT]>,
}

impl NullaryFnOnce for TransposedRows<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let last = (self.a.len() / self.width.max(1)).saturating_sub(1);
        let mut rows: [_; HEIGHT] =
            std::array::from_fn(|at| part(self.a, at.min(last) * self.width, self.width).iter());
        self.into.extend((0..self.width).map(|_| {
            let mut column = [0.0; HEIGHT];
            for (it, row) in column.iter_mut().zip(&mut rows) {
                *it = row.next().copied().unwrap_or_default();
            }
            column
        }));
    }
}

/// A few rows and the columns of one panel.
struct Tile<'a> {
    a: &'a [[f32; HEIGHT]],
    b: &'a [f32],
    out: &'a mut [f32],
    columns: usize,
    /// The first column and how many there are.
    place: (usize, usize),
}

impl WithSimd for Tile<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let mut sums = [[simd.splat_f32s(0.0); 2]; HEIGHT];
        let (panel, _) = S::as_simd_f32s(self.b);
        let (panel, _) = panel.as_chunks::<2>();
        for (a, [left, right]) in self.a.iter().zip(panel) {
            for ([low, high], a) in sums.iter_mut().zip(a) {
                let a = simd.splat_f32s(*a);
                *low = simd.mul_add_f32s(a, *left, *low);
                *high = simd.mul_add_f32s(a, *right, *high);
            }
        }
        let (column, count) = self.place;
        let rows = self.out.chunks_exact_mut(self.columns.max(1));
        for (row, [low, high]) in rows.zip(sums) {
            let place = row.get_mut(column..column + count).unwrap_or_default();
            let (left, right) = place.split_at_mut(S::F32_LANES.min(count));
            let sum = simd.add_f32s(simd.partial_load_f32s(left), low);
            simd.partial_store_f32s(left, sum);
            let sum = simd.add_f32s(simd.partial_load_f32s(right), high);
            simd.partial_store_f32s(right, sum);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(count: usize) -> Vec<f32> {
        (0..count).map(|it| (it * 7 % 23) as f32 - 11.0).collect()
    }

    /// Small whole numbers, so that every order of additions gives the same.
    #[test]
    fn a_packed_matrix_multiplies_rows_of_any_number_and_width() {
        for (rows, inner, columns) in [
            (1, 1, 1),
            (8, 16, 32),
            (9, 300, 33),
            (3, 257, 70),
            (20, 5, 16),
            (8, 600, 100),
        ] {
            let (a, b) = (counted(rows * inner), counted(inner * columns));
            let mut turned = vec![0.0; b.len()];
            for (at, it) in b.iter().enumerate() {
                turned[at % columns * inner + at / columns] = *it;
            }
            let matrices = [
                Matrix::of_rows(&b, columns),
                Matrix::of_rows(&turned, inner).transposed(),
            ];
            for matrix in matrices {
                let Some(packed) = PackedMatrix::of(matrix) else {
                    return;
                };
                let mut out = vec![1.0; rows * columns];
                packed.add_product(&a, &mut out);
                for (at, it) in out.iter().enumerate() {
                    let (row, column) = (at / columns, at % columns);
                    let products = (0..inner).map(|k| a[row * inner + k] * b[k * columns + column]);
                    let expected = 1.0 + products.sum::<f32>();
                    assert_eq!(it.to_bits(), expected.to_bits(), "{rows} {inner} {columns}");
                }
            }
        }
    }
}
