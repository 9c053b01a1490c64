//! Functions of two or three tensors, element by element; one of two may be a number, a row, or one number for each row of the other.

use super::floats::{filled, mapped, of, part, tensor, wide};
use super::unary::{Loop, UnaryFunction, each, map, single};
use crate::kernels::card;
use crate::kernels::host::is_on_card;
use candle_core::{Result, Tensor};
use pulp::NullaryFnOnce;

/// A function of two elements.
pub(crate) trait BinaryFunction: Copy + Sync {
    /// How many copied elements one result costs.
    const COST: usize = 1;

    fn of(self, a: f32, b: f32) -> f32;

    /// The same on a card, where there is a kernel for it.
    fn on_card(self) -> Option<card::Function> {
        None
    }
}

/// A function of three elements.
pub(crate) trait TernaryFunction: Copy + Sync {
    fn of(self, a: f32, b: f32, c: f32) -> f32;

    /// The same on a card.
    fn on_card(self) -> card::Function;
}

struct Same<'a, F> {
    f: F,
    out: &'a mut [f32],
    a: &'a [f32],
    b: &'a [f32],
}

impl<F: BinaryFunction> NullaryFnOnce for Same<'_, F> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        for ((out, a), b) in self.out.iter_mut().zip(self.a).zip(self.b) {
            *out = self.f.of(*a, *b);
        }
    }
}

/// Elements of the first tensor, row by row, each row with the same one.
struct WithRow<'a, F> {
    f: F,
    out: &'a mut [f32],
    a: &'a [f32],
    row: &'a [f32],
    /// The place in its row that the first element has.
    first: usize,
}

impl<F: BinaryFunction> NullaryFnOnce for WithRow<'_, F> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let width = self.row.len().max(1);
        let rest = self.row.get(self.first..).unwrap_or_default();
        let begun = rest.len().min(self.out.len());
        let (end, out) = self.out.split_at_mut(begun);
        let (end_of_a, a) = self.a.split_at(begun);
        let begun = std::iter::once(((end, end_of_a), rest));
        let rows = out.chunks_mut(width).zip(a.chunks(width));
        for ((out, a), row) in begun.chain(rows.map(|it| (it, self.row))) {
            for ((out, a), b) in out.iter_mut().zip(a).zip(row) {
                *out = self.f.of(*a, *b);
            }
        }
    }
}

/// Rows of the first tensor, each with one number; after the last number comes the first again.
struct WithNumbers<'a, F> {
    f: F,
    out: &'a mut [f32],
    a: &'a [f32],
    numbers: &'a [f32],
    /// Which number the first row has.
    first: usize,
    width: usize,
}

impl<F: BinaryFunction> NullaryFnOnce for WithNumbers<'_, F> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let rows = self.out.chunks_exact_mut(self.width);
        let rows = rows.zip(self.a.chunks_exact(self.width));
        let numbers = self.numbers.iter().cycle().skip(self.first);
        for ((out, a), b) in rows.zip(numbers) {
            for (out, a) in out.iter_mut().zip(a) {
                *out = self.f.of(*a, *b);
            }
        }
    }
}

/// A function of two elements of which the second is known.
#[derive(Clone, Copy)]
struct Bound<F>(F, f32);

impl<F: BinaryFunction> UnaryFunction for Bound<F> {
    const COST: usize = F::COST;

    #[inline(always)]
    fn of(self, x: f32) -> f32 {
        self.0.of(x, self.1)
    }
}

struct Triple<'a, F> {
    f: F,
    out: &'a mut [f32],
    abc: [&'a [f32]; 3],
}

impl<F: TernaryFunction> NullaryFnOnce for Triple<'_, F> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let [a, b, c] = self.abc;
        for (((out, a), b), c) in self.out.iter_mut().zip(a).zip(b).zip(c) {
            *out = self.f.of(*a, *b, *c);
        }
    }
}

/// A function of two with its arguments exchanged.
#[derive(Clone, Copy)]
struct SwappedOperands<F>(F);

impl<F: BinaryFunction> BinaryFunction for SwappedOperands<F> {
    const COST: usize = F::COST;

    #[inline(always)]
    fn of(self, a: f32, b: f32) -> f32 {
        self.0.of(b, a)
    }
}

/// How the second tensor lies beside the first.
enum OperandLayout {
    Same,
    Number,
    /// It is a row of so many elements.
    Row(usize),
    /// It has one number for so many elements in a row.
    Numbers(usize),
}

fn beside(a: &[usize], b: &[usize]) -> Option<OperandLayout> {
    if a == b {
        return Some(OperandLayout::Same);
    }
    let (_, below) = a.split_at(a.len().checked_sub(b.len())?);
    let Some(first) = b.iter().position(|it| *it != 1) else {
        return Some(OperandLayout::Number);
    };
    let end = b.iter().rposition(|it| *it != 1).map_or(0, |it| it + 1);
    if below.get(first..end) != b.get(first..end) {
        return None;
    }
    let inner = below.iter().skip(end).product();
    Some(if inner == 1 {
        OperandLayout::Row(b.iter().product())
    } else {
        OperandLayout::Numbers(inner)
    })
}

/// A function of two `float32` tensors; nothing where they lie otherwise.
pub(crate) fn with_two<F: BinaryFunction>(f: F, a: &Tensor, b: &Tensor) -> Option<Result<Tensor>> {
    if is_on_card(a) {
        return card::of_two(f.on_card()?, a, b);
    }
    match beside(a.dims(), b.dims()) {
        Some(how) => paired(f, a, b, &how),
        None => {
            let how = beside(b.dims(), a.dims())?;
            paired(SwappedOperands(f), b, a, &how)
        }
    }
}

fn paired<F: BinaryFunction>(
    f: F,
    a: &Tensor,
    b: &Tensor,
    how: &OperandLayout,
) -> Option<Result<Tensor>> {
    let made = of([a, b], |[a, b]| match *how {
        OperandLayout::Same => mapped(a.len(), F::COST, |start, out| {
            let (a, b) = (part(a, start, out.len()), part(b, start, out.len()));
            wide(Same { f, out, a, b });
        }),
        OperandLayout::Row(width) => mapped(a.len(), F::COST, |start, out| {
            let (a, first) = (part(a, start, out.len()), start % width.max(1));
            wide(WithRow {
                f,
                out,
                a,
                row: b,
                first,
            });
        }),
        OperandLayout::Number => {
            let f = Bound(f, b.first().copied().unwrap_or(f32::NAN));
            mapped(a.len(), F::COST, |start, out| {
                let a = part(a, start, out.len());
                wide(Loop { f, out, a });
            })
        }
        OperandLayout::Numbers(width) => {
            let width = width.max(1);
            filled(a.len() / width, width, F::COST, |start, out| {
                let a = part(a, start * width, out.len());
                wide(WithNumbers {
                    f,
                    out,
                    a,
                    numbers: b,
                    first: start % b.len().max(1),
                    width,
                });
            })
        }
    })?;
    Some(tensor(made, a.dims()))
}

/// A function of three `float32` tensors of one shape; nothing for others.
pub(crate) fn with_three<F: TernaryFunction>(
    f: F,
    tensors: [&Tensor; 3],
) -> Option<Result<Tensor>> {
    let [first, second, third] = tensors;
    if first.dims() != second.dims() || first.dims() != third.dims() {
        return None;
    }
    let made = of(tensors, |[a, b, c]| {
        mapped(a.len(), 1, |start, out| {
            let abc = [a, b, c].map(|it| part(it, start, out.len()));
            wide(Triple { f, out, abc });
        })
    });
    match made {
        Some(made) => Some(tensor(made, first.dims())),
        None => card::of_three(f.on_card(), tensors),
    }
}

macro_rules! arithmetic {
    ($($name:ident $kind:ident $operator:tt $candle:path, $broadcast:path;)*) => {$(
        #[derive(Clone, Copy)]
        struct $kind;

        impl BinaryFunction for $kind {
            #[inline(always)]
            fn of(self, a: f32, b: f32) -> f32 {
                a $operator b
            }

            fn on_card(self) -> Option<card::Function> {
                Some(card::Function::named(stringify!($name)))
            }
        }

        pub(crate) fn $name(a: &Tensor, b: &Tensor) -> Result<Tensor> {
            match with_two($kind, a, b) {
                Some(made) => made,
                None if a.shape() == b.shape() => $candle(a, b),
                None => $broadcast(a, b),
            }
        }
    )*};
}

arithmetic! {
    add Add + Tensor::add, Tensor::broadcast_add;
    sub Sub - Tensor::sub, Tensor::broadcast_sub;
    mul Mul * Tensor::mul, Tensor::broadcast_mul;
    div Div / Tensor::div, Tensor::broadcast_div;
}

/// `x · times + plus`
#[derive(Clone, Copy)]
struct Affine {
    times: f64,
    plus: f64,
}

impl UnaryFunction for Affine {
    const COST: usize = 1;

    #[inline(always)]
    fn of(self, x: f32) -> f32 {
        x * single(self.times) + single(self.plus)
    }

    fn on_card(self) -> Option<card::Function> {
        Some(card::Function {
            name: "affine",
            numbers: [self.times, self.plus],
        })
    }
}

pub(crate) fn affine(a: &Tensor, times: f64, plus: f64) -> Result<Tensor> {
    each(a, Affine { times, plus }, |a| a.affine(times, plus))
}

/// `x · times`, in which 0 keeps its sign.
#[derive(Clone, Copy)]
struct Times(f64);

impl UnaryFunction for Times {
    const COST: usize = 1;

    #[inline(always)]
    fn of(self, x: f32) -> f32 {
        x * single(self.0)
    }

    fn on_card(self) -> Option<card::Function> {
        Some(card::Function {
            name: "times",
            numbers: [self.0, 0.0],
        })
    }
}

pub(crate) fn times(a: &Tensor, number: f64) -> Result<Tensor> {
    each(a, Times(number), |a| {
        // Adding -0 keeps the sign of each zero.
        map(a, |it| it * number).unwrap_or_else(|| a.affine(number, -0.0))
    })
}

/// A division by a number, or of one.
#[derive(Clone, Copy)]
enum Quotient {
    Over(f64),
    Under(f64),
}

impl UnaryFunction for Quotient {
    const COST: usize = 1;

    #[inline(always)]
    fn of(self, x: f32) -> f32 {
        match self {
            Self::Over(number) => x / single(number),
            Self::Under(number) => single(number) / x,
        }
    }

    fn on_card(self) -> Option<card::Function> {
        let (name, number) = match self {
            Self::Over(number) => ("over", number),
            Self::Under(number) => ("under", number),
        };
        Some(card::Function {
            name,
            numbers: [number, 0.0],
        })
    }
}

/// The elements divided by a number.
pub(crate) fn over(a: &Tensor, number: f64) -> Result<Tensor> {
    each(a, Quotient::Over(number), |a| {
        let number = Tensor::full(number, (), a.device())?;
        a.broadcast_div(&number.to_dtype(a.dtype())?)
    })
}

/// A number divided by each element.
pub(crate) fn under(a: &Tensor, number: f64) -> Result<Tensor> {
    each(a, Quotient::Under(number), |a| {
        let number = Tensor::full(number, (), a.device())?;
        number.to_dtype(a.dtype())?.broadcast_div(a)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use candle_core::{DType, Device};

    fn counted(shape: &[usize]) -> Tensor {
        let count = shape.iter().product::<usize>() as f32;
        let flat = Tensor::arange(1.0, count + 1.0, &Device::Cpu).unwrap();
        flat.reshape(shape).unwrap()
    }

    fn assert_as_candle(a: &[usize], b: &[usize]) {
        let (a, b) = (counted(a), counted(b));
        let wide = |it: &Tensor| it.to_dtype(DType::F64).unwrap();
        let expected = wide(&a).broadcast_div(&wide(&b)).unwrap();
        let made = with_two(Div, &a, &b).expect("they broadcast").unwrap();
        assert_eq!(made.dims(), expected.dims());
        let away = wide(&made).sub(&expected).unwrap().div(&expected).unwrap();
        let away = away.abs().unwrap().flatten_all().unwrap().max(0).unwrap();
        assert!(away.to_scalar::<f64>().unwrap() < 1e-6, "{a} {b}");
    }

    #[test]
    fn rows_numbers_and_numbers_for_rows_broadcast_on_either_side() {
        let large = [3, 70_000];
        for (a, b) in [
            (&[2, 3][..], &[2, 3][..]),
            (&[4, 3], &[3]),
            (&[4, 3], &[1, 3]),
            (&[4, 3], &[4, 1]),
            (&[2, 3, 4], &[1, 3, 1]),
            (&[2, 3, 4], &[3, 4]),
            (&[2, 3, 4], &[2, 3, 1]),
            (&[2, 3, 4], &[]),
            (&[2, 3, 4], &[1, 1]),
            (&[40, 300], &[300]),
            (&large, &[70_000]),
            (&large, &[3, 1]),
            (&[1, 3], &[3]),
        ] {
            assert_as_candle(a, b);
            assert_as_candle(b, a);
        }
        assert!(with_two(Add, &counted(&[2, 1]), &counted(&[1, 3])).is_none());
    }
}
