//! Backward of activations: of a gradient, and of the input or result that was saved.

use super::arithmetic::BinaryFunction;
use super::functions;
use crate::kernels::card;

// The body is written in the function itself: a closure would not always be inlined.
macro_rules! slopes {
    ($($kind:ident $name:ident $cost:literal |$grad:ident, $saved:ident| $body:expr;)*) => {$(
        #[derive(Clone, Copy)]
        pub(crate) struct $kind;

        impl BinaryFunction for $kind {
            const COST: usize = $cost;

            #[inline(always)]
            fn of(self, $grad: f32, $saved: f32) -> f32 {
                $body
            }

            fn on_card(self) -> Option<card::Function> {
                Some(card::Function::named(stringify!($name)))
            }
        }
    )*};
}

slopes! {
    Relu relu_slope 1 |grad, out| if out > 0.0 { grad } else { 0.0 };
    Tanh tanh_slope 1 |grad, out| grad * (1.0 - out * out);
    Sigmoid sigmoid_slope 1 |grad, out| grad * out * (1.0 - out);
    Gelu gelu_slope 8 |grad, x| grad * functions::gelu_slope(x);
    GeluTanh gelu_tanh_slope 8 |grad, x| grad * functions::gelu_tanh_slope(x);
    Silu silu_slope 5 |grad, x| grad * functions::silu_slope(x);
}
