//! Functions of one tensor, element by element.

use super::floats::{mapped, of, part, tensor, wide};
use super::functions;
use candle_core::{Result, Tensor};
use pulp::NullaryFnOnce;

/// A function of one element. A trait, because a closure is not always inlined into a loop of wide instructions.
pub(super) trait One: Copy + Sync {
    /// How many copied elements one result costs.
    const COST: usize;

    fn of(self, x: f32) -> f32;
}

pub(super) struct Loop<'a, F> {
    pub(super) f: F,
    pub(super) out: &'a mut [f32],
    pub(super) a: &'a [f32],
}

impl<F: One> NullaryFnOnce for Loop<'_, F> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        for (out, a) in self.out.iter_mut().zip(self.a) {
            *out = self.f.of(*a);
        }
    }
}

/// Applies a function; by candle where the elements are of another type or order.
pub(super) fn each<F: One>(
    a: &Tensor,
    f: F,
    otherwise: impl FnOnce(&Tensor) -> Result<Tensor>,
) -> Result<Tensor> {
    let made = of([a], |[a]| {
        mapped(a.len(), F::COST, |start, out| {
            let a = part(a, start, out.len());
            wide(Loop { f, out, a });
        })
    });
    match made {
        Some(made) => tensor(made, a.dims()),
        None => otherwise(a),
    }
}

/// Functions without parameters: name, type, cost, function, candle's kernel.
macro_rules! functions {
    ($($name:ident $kind:ident $cost:literal $f:expr, $otherwise:expr;)*) => {$(
        #[derive(Clone, Copy)]
        struct $kind;

        impl One for $kind {
            const COST: usize = $cost;

            #[inline(always)]
            fn of(self, x: f32) -> f32 {
                $f(x)
            }
        }

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
    relu Relu 1 functions::relu, Tensor::relu;
    sqrt Sqrt 1 f32::sqrt, Tensor::sqrt;
    sqr Square 1 (|x: f32| x * x), Tensor::sqr;
    recip Reciprocal 1 (|x: f32| 1.0 / x), Tensor::recip;
    neg Negative 1 (|x: f32| -x), Tensor::neg;
}
