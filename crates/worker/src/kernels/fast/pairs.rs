//! Functions of two elements of any type, such as comparisons and sums of integers; one tensor may be a number.

use super::copies::contiguous;
use super::floats::{mapped, of_type, part, tensor, wide};
use candle_core::{Result, Shape, Tensor, WithDType};
use pulp::NullaryFnOnce;

/// A function of two elements. A trait, because a closure is not always inlined into a loop of wide instructions.
pub(crate) trait Pair<T>: Copy + Sync {
    type Out: WithDType + Default;

    fn of(self, a: T, b: T) -> Self::Out;
}

struct Same<'a, F: Pair<T>, T> {
    f: F,
    out: &'a mut [F::Out],
    a: &'a [T],
    b: &'a [T],
}

impl<F: Pair<T>, T: Copy> NullaryFnOnce for Same<'_, F, T> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        for ((out, a), b) in self.out.iter_mut().zip(self.a).zip(self.b) {
            *out = self.f.of(*a, *b);
        }
    }
}

/// Elements on one side, a number on the other.
struct WithNumber<'a, F: Pair<T>, T> {
    f: F,
    out: &'a mut [F::Out],
    a: &'a [T],
    number: T,
    side: Side,
}

/// Where the number is.
#[derive(Clone, Copy)]
enum Side {
    Left,
    Right,
}

impl<F: Pair<T>, T: Copy> NullaryFnOnce for WithNumber<'_, F, T> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let pairs = self.out.iter_mut().zip(self.a);
        match self.side {
            Side::Left => {
                for (out, a) in pairs {
                    *out = self.f.of(self.number, *a);
                }
            }
            Side::Right => {
                for (out, a) in pairs {
                    *out = self.f.of(*a, self.number);
                }
            }
        }
    }
}

fn with_number<T: WithDType, F: Pair<T>>(
    f: F,
    (a, number): (&Tensor, &Tensor),
    side: Side,
) -> Option<Vec<F::Out>> {
    of_type([a, number], |[a, number]: [&[T]; 2]| {
        let number = *number.first()?;
        Some(mapped(a.len(), 1, |start, out| {
            let a = part(a, start, out.len());
            wide(WithNumber {
                f,
                out,
                a,
                number,
                side,
            });
        }))
    })?
}

fn same<T: WithDType, F: Pair<T>>(f: F, a: &Tensor, b: &Tensor) -> Option<Vec<F::Out>> {
    of_type([a, b], |[a, b]: [&[T]; 2]| {
        mapped(a.len(), 1, |start, out| {
            let (a, b) = (part(a, start, out.len()), part(b, start, out.len()));
            wide(Same { f, out, a, b });
        })
    })
}

/// A function of pairs of elements of this type, broadcast; nothing for other types, and values that are not on the host.
pub(crate) fn pairs<T: WithDType, F: Pair<T>>(
    f: F,
    a: &Tensor,
    b: &Tensor,
) -> Option<Result<Tensor>> {
    if a.dtype() != T::DTYPE
        || b.dtype() != T::DTYPE
        || !a.device().is_cpu()
        || !b.device().is_cpu()
    {
        return None;
    }
    made(f, a, b).transpose()
}

fn made<T: WithDType, F: Pair<T>>(f: F, a: &Tensor, b: &Tensor) -> Result<Option<Tensor>> {
    let (shape, operands) = operands(a, b)?;
    let elements = match operands {
        Operands::WithNumber([a, number], side) => with_number(f, (&a, &number), side),
        Operands::Same([a, b]) => same(f, &a, &b),
    };
    elements.map(|it| tensor(it, shape.dims())).transpose()
}

/// Two tensors as a loop takes them, contiguous.
enum Operands {
    /// Of the result's shape, and a number.
    WithNumber([Tensor; 2], Side),
    /// Both of the result's shape.
    Same([Tensor; 2]),
}

fn operands(a: &Tensor, b: &Tensor) -> Result<(Shape, Operands)> {
    let shape = a.shape().broadcast_shape_binary_op(b.shape(), "pairs")?;
    let (a, b) = (contiguous(a)?, contiguous(b)?);
    let operands = if *a.shape() == shape && b.elem_count() == 1 {
        Operands::WithNumber([a, b], Side::Right)
    } else if *b.shape() == shape && a.elem_count() == 1 {
        Operands::WithNumber([b, a], Side::Left)
    } else {
        let spread = |it: &Tensor| contiguous(&it.broadcast_as(&shape)?);
        Operands::Same([spread(&a)?, spread(&b)?])
    };
    Ok((shape, operands))
}

/// A comparison of tensors of the same type, whichever that is; nothing for 16-bit floats and for values of a card.
pub(crate) fn compared<F>(f: F, a: &Tensor, b: &Tensor) -> Option<Result<Tensor>>
where
    F: Pair<u8> + Pair<i16> + Pair<i32> + Pair<i64> + Pair<f32> + Pair<f64>,
{
    pairs::<f32, _>(f, a, b)
        .or_else(|| pairs::<i64, _>(f, a, b))
        .or_else(|| pairs::<u8, _>(f, a, b))
        .or_else(|| pairs::<f64, _>(f, a, b))
        .or_else(|| pairs::<i32, _>(f, a, b))
        .or_else(|| pairs::<i16, _>(f, a, b))
}

/// Comparisons, which give 1 or 0: type, operator.
macro_rules! comparisons {
    ($($kind:ident $operator:tt;)*) => {$(
        #[derive(Clone, Copy)]
        pub(crate) struct $kind;

        impl<T: PartialOrd> Pair<T> for $kind {
            type Out = u8;

            #[inline(always)]
            fn of(self, a: T, b: T) -> u8 {
                u8::from(a $operator b)
            }
        }
    )*};
}

comparisons! {
    Equal ==;
    Unequal !=;
    Less <;
    AtMost <=;
    Greater >;
    AtLeast >=;
}

/// An integer type that tensors are stored in.
pub(crate) trait Integer: WithDType + Default + Ord {
    fn plus(self, other: Self) -> Self;
    fn minus(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;
    fn wide(self) -> i64;
    /// Without the bits that the type lacks.
    fn narrow(it: i64) -> Self;
}

macro_rules! integers {
    ($($number:ident)*) => {$(
        impl Integer for $number {
            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }

            #[inline(always)]
            fn minus(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }

            #[inline(always)]
            fn times(self, other: Self) -> Self {
                self.wrapping_mul(other)
            }

            #[inline(always)]
            fn and(self, other: Self) -> Self {
                self & other
            }

            #[inline(always)]
            fn or(self, other: Self) -> Self {
                self | other
            }

            #[inline(always)]
            fn xor(self, other: Self) -> Self {
                self ^ other
            }

            #[inline(always)]
            fn wide(self) -> i64 {
                i64::from(self)
            }

            #[inline(always)]
            fn narrow(it: i64) -> Self {
                it as Self
            }
        }
    )*};
}

integers! { u8 i16 i32 i64 }

/// Functions of integers, which wrap around: type, function.
macro_rules! of_integers {
    ($($kind:ident $f:expr;)*) => {$(
        #[derive(Clone, Copy)]
        pub(crate) struct $kind;

        impl<T: Integer> Pair<T> for $kind {
            type Out = T;

            #[inline(always)]
            fn of(self, a: T, b: T) -> T {
                $f(a, b)
            }
        }
    )*};
}

of_integers! {
    Sum T::plus;
    Difference T::minus;
    Product T::times;
    And T::and;
    Or T::or;
    Xor T::xor;
    Largest Ord::max;
    Smallest Ord::min;
}

/// A function on 64 bits, for what no wide instruction does; the result loses the bits that the type lacks.
#[derive(Clone, Copy)]
pub(crate) struct On64Bits<F>(pub(crate) F);

impl<T: Integer, F: Fn(i64, i64) -> i64 + Copy + Sync> Pair<T> for On64Bits<F> {
    type Out = T;

    #[inline(always)]
    fn of(self, a: T, b: T) -> T {
        T::narrow(self.0(a.wide(), b.wide()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use candle_core::Device;

    #[test]
    fn pairs_broadcast_on_either_side_and_integers_wrap_around() {
        let a = Tensor::new(&[[1_i64, 2], [3, i64::MAX]], &Device::Cpu).unwrap();
        let row = Tensor::new(&[1_i64, 2], &Device::Cpu).unwrap();
        let one = Tensor::new(1_i64, &Device::Cpu).unwrap();
        let text = |it: Option<Result<Tensor>>| {
            let it = it.unwrap().unwrap().flatten_all().unwrap();
            format!("{:?}", it.to_vec1::<i64>().unwrap())
        };
        assert_eq!(
            text(pairs::<i64, _>(Sum, &a, &one)),
            format!("[2, 3, 4, {}]", i64::MIN)
        );
        assert_eq!(
            text(pairs::<i64, _>(Difference, &one, &a)),
            format!("[0, -1, -2, {}]", 1 - i64::MAX)
        );
        assert_eq!(text(pairs::<i64, _>(Product, &row, &a)), "[1, 4, 3, -2]");
        assert_eq!(
            text(pairs::<i64, _>(Largest, &a.t().unwrap(), &row)),
            format!("[1, 3, 2, {}]", i64::MAX)
        );
        assert_eq!(
            text(pairs::<i64, _>(On64Bits(|a, b| a % b), &a, &row)),
            "[0, 0, 0, 1]"
        );
        assert!(pairs::<u8, _>(Sum, &a, &one).is_none());
    }

    #[test]
    fn a_comparison_with_nan_is_false_but_for_unequal() {
        let a = Tensor::new(&[f32::NAN, 1.0], &Device::Cpu).unwrap();
        let flags = |it: Option<Result<Tensor>>| it.unwrap().unwrap().to_vec1::<u8>().unwrap();
        assert_eq!(flags(pairs::<f32, _>(Equal, &a, &a)), [0, 1]);
        assert_eq!(flags(pairs::<f32, _>(Unequal, &a, &a)), [1, 0]);
        assert_eq!(flags(pairs::<f32, _>(AtLeast, &a, &a)), [0, 1]);
    }
}
