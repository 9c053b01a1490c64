//! Sums and products of all elements up to each one along a dimension. Those of `float32` are made on 64 bits.

use super::floats::{fill_rows, of_type, part, tensor};
use candle_core::{Result, Tensor, WithDType};

/// A type of elements and the type that their totals are made in.
trait Total: WithDType + Default {
    type Wide: Copy + Default + Sync;

    fn wide(self) -> Self::Wide;
    fn narrow(it: Self::Wide) -> Self;
    fn sum(a: Self::Wide, b: Self::Wide) -> Self::Wide;
    fn product(a: Self::Wide, b: Self::Wide) -> Self::Wide;
}

macro_rules! floats {
    ($($element:ident)*) => {$(
        impl Total for $element {
            type Wide = f64;

            fn wide(self) -> f64 {
                f64::from(self)
            }

            fn narrow(it: f64) -> Self {
                it as Self
            }

            fn sum(a: f64, b: f64) -> f64 {
                a + b
            }

            fn product(a: f64, b: f64) -> f64 {
                a * b
            }
        }
    )*};
}

floats! { f32 f64 }

impl Total for i64 {
    type Wide = Self;

    fn wide(self) -> Self {
        self
    }

    fn narrow(it: Self) -> Self {
        it
    }

    fn sum(a: Self, b: Self) -> Self {
        a.wrapping_add(b)
    }

    fn product(a: Self, b: Self) -> Self {
        a.wrapping_mul(b)
    }
}

/// Rows of which each column has a total.
fn of_columns<T: Total>(
    a: &[T],
    inner: usize,
    out: &mut [T],
    (start, join): (T::Wide, impl Fn(T::Wide, T::Wide) -> T::Wide),
) {
    let mut totals = vec![start; inner];
    for (out, a) in out.chunks_exact_mut(inner).zip(a.chunks_exact(inner)) {
        for ((out, a), total) in out.iter_mut().zip(a).zip(&mut totals) {
            *total = join(*total, a.wide());
            *out = T::narrow(*total);
        }
    }
}

fn of_row<T: Total>(
    a: &[T],
    out: &mut [T],
    (start, join): (T::Wide, impl Fn(T::Wide, T::Wide) -> T::Wide),
) {
    let mut total = start;
    for (out, a) in out.iter_mut().zip(a) {
        total = join(total, a.wide());
        *out = T::narrow(total);
    }
}

fn running<T: Total>(
    a: &Tensor,
    dim: usize,
    (start, join): (T::Wide, impl Fn(T::Wide, T::Wide) -> T::Wide + Copy + Sync),
) -> Option<Result<Tensor>> {
    let inner: usize = a.dims().iter().skip(dim + 1).product();
    let size = a.dims().get(dim).copied().unwrap_or(1);
    let made = of_type([a], |[a]: [&[T]; 1]| {
        let mut out = vec![T::default(); a.len()];
        let block = (size * inner).max(1);
        fill_rows(&mut out, block, 2, |first, out| {
            for (at, out) in out.chunks_exact_mut(block).enumerate() {
                let a = part(a, (first + at) * block, block);
                if inner == 1 {
                    of_row(a, out, (start, join));
                } else {
                    of_columns(a, inner.max(1), out, (start, join));
                }
            }
        });
        out
    })?;
    Some(tensor(made, a.dims()))
}

/// `cumsum` of contiguous elements; nothing for other types than `float32`, `float64` and `int64`.
pub(crate) fn running_sum(a: &Tensor, dim: usize) -> Option<Result<Tensor>> {
    running::<f32>(a, dim, (0.0, f32::sum))
        .or_else(|| running::<f64>(a, dim, (0.0, f64::sum)))
        .or_else(|| running::<i64>(a, dim, (0, i64::sum)))
}

/// `cumprod` of the same.
pub(crate) fn running_product(a: &Tensor, dim: usize) -> Option<Result<Tensor>> {
    running::<f32>(a, dim, (1.0, f32::product))
        .or_else(|| running::<f64>(a, dim, (1.0, f64::product)))
        .or_else(|| running::<i64>(a, dim, (1, i64::product)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use candle_core::Device;

    #[test]
    fn totals_go_along_any_dimension_and_wrap_around() {
        let a = Tensor::new(&[[1_i64, 2], [3, i64::MAX], [5, 6]], &Device::Cpu).unwrap();
        let text = |it: Option<Result<Tensor>>| {
            let it = it.unwrap().unwrap().flatten_all().unwrap();
            format!("{:?}", it.to_vec1::<i64>().unwrap())
        };
        let (low, max) = (i64::MIN, i64::MAX);
        assert_eq!(
            text(running_sum(&a, 0)),
            format!("[1, 2, 4, {}, 9, {}]", low + 1, low + 7)
        );
        assert_eq!(
            text(running_sum(&a, 1)),
            format!("[1, 3, 3, {}, 5, 11]", low + 2)
        );
        assert_eq!(
            text(running_product(&a, 1)),
            format!("[1, 2, 3, {}, 5, 30]", max.wrapping_mul(3))
        );
    }
}
