//! Functions of one tensor, element by element.

use super::floats::{mapped, of, of_type, part, tensor, wide};
use super::{functions, precise};
use crate::kernels::card;
use candle_core::{Result, Tensor};
use pulp::NullaryFnOnce;

/// How many copied elements a call of a function of the C library costs.
pub(super) const CALL: usize = 8;

/// A function of one element. A trait, because a closure is not always inlined into a loop of wide instructions.
pub(crate) trait UnaryFunction: Copy + Sync {
    /// How many copied elements one result costs.
    const COST: usize;

    fn of(self, x: f32) -> f32;

    /// The same on a card, where there is a kernel for it.
    fn on_card(self) -> Option<card::Function> {
        None
    }
}

pub(super) struct Loop<'a, F> {
    pub(super) f: F,
    pub(super) out: &'a mut [f32],
    pub(super) a: &'a [f32],
}

impl<F: UnaryFunction> NullaryFnOnce for Loop<'_, F> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        for (out, a) in self.out.iter_mut().zip(self.a) {
            *out = self.f.of(*a);
        }
    }
}

/// Applies a function; nothing where the elements are of another type or order.
pub(crate) fn with_one<F: UnaryFunction>(f: F, a: &Tensor) -> Option<Result<Tensor>> {
    let made = of([a], |[a]| {
        mapped(a.len(), F::COST, |start, out| {
            let a = part(a, start, out.len());
            wide(Loop { f, out, a });
        })
    });
    match made {
        Some(made) => Some(tensor(made, a.dims())),
        None => card::of_one(f.on_card()?, a),
    }
}

/// Applies a function; by candle where the elements are of another type or order.
pub(super) fn each<F: UnaryFunction>(
    a: &Tensor,
    f: F,
    otherwise: impl FnOnce(&Tensor) -> Result<Tensor>,
) -> Result<Tensor> {
    with_one(f, a).unwrap_or_else(|| otherwise(a))
}

/// The type of a function without parameters.
macro_rules! kind {
    ($kind:ident $name:ident $cost:literal $f:expr) => {
        #[derive(Clone, Copy)]
        struct $kind;

        impl UnaryFunction for $kind {
            const COST: usize = $cost;

            #[inline(always)]
            fn of(self, x: f32) -> f32 {
                $f(x)
            }

            fn on_card(self) -> Option<card::Function> {
                Some(card::Function::named(stringify!($name)))
            }
        }
    };
}

/// Functions without parameters: name, type, cost, function, candle's kernel.
macro_rules! functions {
    ($($name:ident $kind:ident $cost:literal $f:expr, $otherwise:expr;)*) => {$(
        kind!($kind $name $cost $f);

        pub(crate) fn $name(a: &Tensor) -> Result<Tensor> {
            each(a, $kind, $otherwise)
        }
    )*};
}

functions! {
    exp Exp 3 functions::exp, Tensor::exp;
    tanh Tanh 5 functions::tanh, Tensor::tanh;
    sigmoid Sigmoid 4 functions::sigmoid, candle_nn::ops::sigmoid;
    erf Erf 5 functions::erf, Tensor::erf;
    gelu Gelu 5 functions::gelu, Tensor::gelu_erf;
    gelu_tanh GeluTanh 5 functions::gelu_tanh, Tensor::gelu;
    silu Silu 4 functions::silu, candle_nn::ops::silu;
    relu Relu 1 functions::relu, |a: &Tensor| a.maximum(0.0); // Tensor::relu makes 0 of NaN.
    sqrt Sqrt 1 f32::sqrt, Tensor::sqrt;
    sqr Square 1 (|x: f32| x * x), Tensor::sqr;
    recip Reciprocal 1 (|x: f32| 1.0 / x), Tensor::recip;
    neg Negative 1 (|x: f32| -x), Tensor::neg;
    abs Size 1 f32::abs, Tensor::abs;
    floor Floor 1 f32::floor, Tensor::floor;
    ceil Ceil 1 f32::ceil, Tensor::ceil;
    ln Ln 4 precise::ln, Tensor::log;
}

/// The same for functions that candle has no kernel for; nothing for elements of another type or order.
macro_rules! ours_alone {
    ($($name:ident $kind:ident $cost:literal $f:expr;)*) => {$(
        kind!($kind $name $cost $f);

        pub(crate) fn $name(a: &Tensor) -> Option<Result<Tensor>> {
            with_one($kind, a)
        }
    )*};
}

ours_alone! {
    log2 Log2 4 precise::log2;
    log10 Log10 4 precise::log10;
    ln_1p Ln1p 4 precise::ln_1p;
    round Round 1 f32::round_ties_even;
    trunc Trunc 1 f32::trunc;
    frac Frac 1 f32::fract;
    softplus Softplus 8 functions::softplus;
    log_sigmoid LogSigmoid 8 functions::log_sigmoid;
}

/// Functions with numbers that they take beside the element: type, its fields, name on a card, cost, function.
macro_rules! with_numbers {
    ($($kind:ident($first:ident $(, $second:ident)?) $name:ident $cost:literal |$x:ident| $body:expr;)*) => {$(
        #[derive(Clone, Copy)]
        pub(crate) struct $kind {
            pub(crate) $first: f64,
            $(pub(crate) $second: f64,)?
        }

        impl UnaryFunction for $kind {
            const COST: usize = $cost;

            #[inline(always)]
            fn of(self, $x: f32) -> f32 {
                let $first = single(self.$first);
                $(let $second = single(self.$second);)?
                $body
            }

            fn on_card(self) -> Option<card::Function> {
                Some(card::Function {
                    name: stringify!($name),
                    numbers: numbers(&[self.$first $(, self.$second)?]),
                })
            }
        }
    )*};
}

/// A number in the type of the elements.
#[expect(
    clippy::cast_possible_truncation,
    reason = "numbers take the tensor's type"
)]
#[inline(always)]
pub(super) fn single(number: f64) -> f32 {
    number as f32
}

fn numbers(given: &[f64]) -> [f64; 2] {
    let at = |at| given.get(at).copied().unwrap_or_default();
    [at(0), at(1)]
}

with_numbers! {
    LeakyRelu(slope) leaky_relu 1 |x| if x > 0.0 { x } else { x * slope };
    Elu(alpha, scale) elu 3 |x| if x > 0.0 { x * scale } else { functions::exp_m1(x) * alpha * scale };
    Hardtanh(min, max) hardtanh 1 |x| {
        let low = if x < min { min } else { x };
        if low > max { max } else { low }
    };
}

/// A function of each element on 64 bits, for what no loop of wide instructions is worth; nothing for other types than
/// `float32` and `float64`, or another order.
pub(crate) fn map(a: &Tensor, f: impl Fn(f64) -> f64 + Sync) -> Option<Result<Tensor>> {
    let made = of([a], |[a]| {
        mapped(a.len(), CALL, |start, out| {
            let a = part(a, start, out.len());
            for (out, a) in out.iter_mut().zip(a) {
                *out = f(f64::from(*a)) as f32;
            }
        })
    });
    if let Some(made) = made {
        return Some(tensor(made, a.dims()));
    }
    let made = of_type([a], |[a]: [&[f64]; 1]| {
        mapped(a.len(), CALL, |start, out| {
            let a = part(a, start, out.len());
            for (out, a) in out.iter_mut().zip(a) {
                *out = f(*a);
            }
        })
    })?;
    Some(tensor(made, a.dims()))
}
