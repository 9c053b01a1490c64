//! Elements and slices read from, and written to, positions along a dimension, for elements of any type on the host.
//!
//! Positions are in range: who calls has looked.

use super::copies::contiguous;
use super::floats::{fill_rows, filled, of_type, part, tensor};
use candle_core::{Result, Tensor, WithDType};
use std::ops::Add;

/// A type of elements, whose sums wrap around.
trait Number: WithDType + Default {
    fn plus(self, other: Self) -> Self;
}

macro_rules! numbers {
    ($plus:ident: $($number:ty)*) => {$(
        impl Number for $number {
            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                self.$plus(other)
            }
        }
    )*};
}

numbers! { wrapping_add: u8 i16 i32 i64 }
numbers! { add: f32 f64 }

/// How values come to where they go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Write {
    Replace,
    Add,
}

impl Write {
    #[inline(always)]
    fn of<T: Number>(self, old: T, new: T) -> T {
        match self {
            Self::Replace => new,
            Self::Add => old.plus(new),
        }
    }
}

/// How the elements of a grid, row by row, lie in the row-major memory of a tensor that is not smaller.
struct GridLayout {
    /// Sizes of the grid and distances in the tensor, of all dimensions but the last.
    rows: Vec<(usize, usize)>,
    /// The distance of neighbours in a row.
    step: usize,
    /// The distance of positions along the dimension that positions are given for.
    along: usize,
}

impl GridLayout {
    /// `given` is the dimension whose positions are given; the walk takes no step along it.
    fn new(grid: &[usize], sizes: &[usize], given: Option<usize>) -> Self {
        let mut distance = 1;
        let mut along = 0;
        let mut steps: Vec<(usize, usize)> = Vec::with_capacity(grid.len());
        for (dim, (grid, size)) in grid.iter().zip(sizes).enumerate().rev() {
            let is_given = given == Some(dim);
            if is_given {
                along = distance;
            }
            steps.push((*grid, if is_given { 0 } else { distance }));
            distance *= size;
        }
        steps.reverse();
        let (_, step) = steps.pop().unwrap_or((1, 1));
        Self {
            rows: steps,
            step,
            along,
        }
    }

    fn start(&self, row: usize) -> usize {
        let (mut rest, mut start) = (row, 0);
        for (size, step) in self.rows.iter().rev() {
            start += rest % size * step;
            rest /= size;
        }
        start
    }
}

/// The elements that an index of this shape names along a dimension.
fn gather<T: Number>(a: &Tensor, index: &Tensor, dim: usize) -> Option<Result<Tensor>> {
    let (grid, sizes) = (index.dims(), a.dims());
    let walk = GridLayout::new(grid, sizes, Some(dim));
    let width = (*grid.last()?).max(1);
    let picked = of_type([a], |[a]: [&[T]; 1]| {
        of_type([index], |[index]: [&[i64]; 1]| {
            filled(index.len() / width, width, 2, |first, out| {
                for (row, out) in out.chunks_exact_mut(width).enumerate() {
                    let index = part(index, (first + row) * width, width);
                    let from = a.get(walk.start(first + row)..).unwrap_or_default();
                    for (at, (out, it)) in out.iter_mut().zip(index).enumerate() {
                        let place = at * walk.step + *it as usize * walk.along;
                        *out = from.get(place).copied().unwrap_or_default();
                    }
                }
            })
        })
    })??;
    Some(tensor(picked, grid))
}

/// A copy of a target with the elements of a source, as many as the index has, where the index says.
fn scatter<T: Number>(
    write: Write,
    [target, index, source]: [&Tensor; 3],
    dim: usize,
) -> Option<Result<Tensor>> {
    let grid = index.dims();
    let to = GridLayout::new(grid, target.dims(), Some(dim));
    let from = GridLayout::new(grid, source.dims(), None);
    let width = (*grid.last()?).max(1);
    let mut out = of_type([target], |[it]: [&[T]; 1]| it.to_vec())?;
    of_type([source], |[source]: [&[T]; 1]| {
        of_type([index], |[index]: [&[i64]; 1]| {
            for (row, index) in index.chunks_exact(width).enumerate() {
                let source = source.get(from.start(row)..).unwrap_or_default();
                let out = out.get_mut(to.start(row)..).unwrap_or_default();
                for (at, (place, new)) in index.iter().zip(source).enumerate() {
                    let place = at * to.step + *place as usize * to.along;
                    if let Some(old) = out.get_mut(place) {
                        *old = write.of(*old, *new);
                    }
                }
            }
        })
    })??;
    Some(tensor(out, target.dims()))
}

/// A copy of a target whose slices along a dimension, where the index says, are joined with those of a source.
fn slices<T: Number>(
    write: Write,
    [target, index, source]: [&Tensor; 3],
    dim: usize,
) -> Option<Result<Tensor>> {
    let dims = target.dims();
    let inner: usize = dims.iter().skip(dim + 1).product();
    let size = dims.get(dim).copied().unwrap_or(1);
    let count = index.elem_count();
    let mut out = of_type([target], |[it]: [&[T]; 1]| it.to_vec())?;
    of_type([source], |[source]: [&[T]; 1]| {
        of_type([index], |[index]: [&[i64]; 1]| {
            fill_rows(&mut out, size * inner, 1, |first, out| {
                for (at, block) in out.chunks_exact_mut((size * inner).max(1)).enumerate() {
                    let source = part(source, (first + at) * count * inner, count * inner);
                    for (place, new) in index.iter().zip(source.chunks_exact(inner.max(1))) {
                        let start = *place as usize * inner;
                        let old = block.get_mut(start..start + inner).unwrap_or_default();
                        for (old, new) in old.iter_mut().zip(new) {
                            *old = write.of(*old, *new);
                        }
                    }
                }
            });
        })
    })??;
    Some(tensor(out, dims))
}

/// One number everywhere but for a tensor of `float32`, so many elements from the beginning of each dimension.
pub(crate) fn padded(
    a: &Tensor,
    shape: &[usize],
    before: &[usize],
    number: f32,
) -> Option<Result<Tensor>> {
    let walk = GridLayout::new(a.dims(), shape, None);
    let mut distance = 1;
    let mut first = 0;
    for (size, before) in shape.iter().zip(before).rev() {
        first += before * distance;
        distance *= size;
    }
    let width = (*a.dims().last()?).max(1);
    let made = of_type([a], |[a]: [&[f32]; 1]| {
        let mut out = vec![number; distance];
        for (row, a) in a.chunks_exact(width).enumerate() {
            let start = first + walk.start(row);
            if let Some(out) = out.get_mut(start..start + width) {
                out.copy_from_slice(a);
            }
        }
        out
    })?;
    Some(tensor(made, shape))
}

/// Which of the functions above is done, with its arguments.
#[derive(Clone, Copy)]
pub(crate) enum Places<'a> {
    Gather([&'a Tensor; 2]),
    Scatter(Write, [&'a Tensor; 3]),
    Slices(Write, [&'a Tensor; 3]),
}

impl Places<'_> {
    /// The result along a dimension; nothing for values that are not on the host, and for 16-bit floats. An
    /// index is of 64 bits.
    pub(crate) fn along(self, dim: usize) -> Result<Option<Tensor>> {
        match self {
            Self::Gather([a, b]) => {
                let [a, b] = [contiguous(a)?, contiguous(b)?];
                Places::Gather([&a, &b]).in_order(dim).transpose()
            }
            Self::Scatter(write, [a, b, c]) => {
                let [a, b, c] = [contiguous(a)?, contiguous(b)?, contiguous(c)?];
                Places::Scatter(write, [&a, &b, &c])
                    .in_order(dim)
                    .transpose()
            }
            Self::Slices(write, [a, b, c]) => {
                let [a, b, c] = [contiguous(a)?, contiguous(b)?, contiguous(c)?];
                Places::Slices(write, [&a, &b, &c])
                    .in_order(dim)
                    .transpose()
            }
        }
    }

    /// Of tensors in row-major order.
    fn in_order(self, dim: usize) -> Option<Result<Tensor>> {
        self.of_type::<f32>(dim)
            .or_else(|| self.of_type::<i64>(dim))
            .or_else(|| self.of_type::<f64>(dim))
            .or_else(|| self.of_type::<u8>(dim))
            .or_else(|| self.of_type::<i32>(dim))
            .or_else(|| self.of_type::<i16>(dim))
    }

    fn of_type<T: Number>(self, dim: usize) -> Option<Result<Tensor>> {
        match self {
            Self::Gather([a, b]) => gather::<T>(a, b, dim),
            Self::Scatter(write, tensors) => scatter::<T>(write, tensors, dim),
            Self::Slices(write, tensors) => slices::<T>(write, tensors, dim),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use candle_core::Device;

    fn text(places: Places<'_>, dim: usize) -> String {
        let made = places.along(dim).unwrap().unwrap();
        format!(
            "{:?}",
            made.flatten_all().unwrap().to_vec1::<f32>().unwrap()
        )
    }

    #[test]
    fn elements_and_slices_go_where_the_index_says() {
        let on = &Device::Cpu;
        let a = Tensor::new(&[[1.0_f32, 2.0, 3.0], [4.0, 5.0, 6.0]], on).unwrap();
        let zeros = a.zeros_like().unwrap();
        // Smaller than the tensor in the other dimension.
        let index = Tensor::new(&[[1_i64, 0]], on).unwrap();
        assert_eq!(text(Places::Gather([&a, &index]), 0), "[4.0, 2.0]");
        assert_eq!(text(Places::Gather([&a, &index]), 1), "[2.0, 1.0]");
        let twice = Tensor::new(&[[0_i64, 0, 2], [1, 1, 1]], on).unwrap();
        let scatter = |write| text(Places::Scatter(write, [&zeros, &twice, &a]), 1);
        assert_eq!(scatter(Write::Add), "[3.0, 0.0, 3.0, 0.0, 15.0, 0.0]");
        assert_eq!(scatter(Write::Replace), "[2.0, 0.0, 3.0, 0.0, 6.0, 0.0]");
        let down = text(Places::Scatter(Write::Add, [&zeros, &index, &a]), 0);
        assert_eq!(down, "[0.0, 2.0, 0.0, 1.0, 0.0, 0.0]");
        let rows = Tensor::new(&[1_i64, 1], on).unwrap();
        assert_eq!(
            text(Places::Slices(Write::Add, [&zeros, &rows, &a]), 0),
            "[0.0, 0.0, 0.0, 5.0, 7.0, 9.0]"
        );
        let columns = Tensor::new(&[2_i64, 0, 2], on).unwrap();
        assert_eq!(
            text(Places::Slices(Write::Add, [&zeros, &columns, &a]), 1),
            "[2.0, 0.0, 4.0, 5.0, 0.0, 10.0]"
        );
    }
}
