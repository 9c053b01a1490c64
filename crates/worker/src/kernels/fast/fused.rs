//! Functions of several tensors in one pass.

use super::arithmetic::{BinaryFunction, TernaryFunction};
use super::unary::single;
use crate::kernels::card;

/// A kernel with one number.
fn with_number(name: &'static str, number: f64) -> card::Function {
    card::Function {
        name,
        numbers: [number, 0.0],
    }
}

/// `a + value · b`
#[derive(Clone, Copy)]
pub(crate) struct AddAlpha(pub(crate) f64);

impl BinaryFunction for AddAlpha {
    #[inline(always)]
    fn of(self, a: f32, b: f32) -> f32 {
        a + single(self.0) * b
    }

    fn on_card(self) -> Option<card::Function> {
        Some(with_number("add_alpha", self.0))
    }
}

/// Exact at either end, as in PyTorch.
#[derive(Clone, Copy)]
pub(crate) struct Lerp(pub(crate) f64);

impl BinaryFunction for Lerp {
    #[inline(always)]
    fn of(self, a: f32, b: f32) -> f32 {
        let weight = single(self.0);
        if weight < 0.5 {
            a + weight * (b - a)
        } else {
            b - (b - a) * (1.0 - weight)
        }
    }

    fn on_card(self) -> Option<card::Function> {
        Some(with_number("lerp", self.0))
    }
}

/// `a + value · b · c`
#[derive(Clone, Copy)]
pub(crate) struct AddCMul(pub(crate) f64);

impl TernaryFunction for AddCMul {
    #[inline(always)]
    fn of(self, a: f32, b: f32, c: f32) -> f32 {
        a + single(self.0) * (b * c)
    }

    fn on_card(self) -> card::Function {
        with_number("add_c_mul", self.0)
    }
}

/// `a + value · b / c`
#[derive(Clone, Copy)]
pub(crate) struct AddCDiv(pub(crate) f64);

impl TernaryFunction for AddCDiv {
    #[inline(always)]
    fn of(self, a: f32, b: f32, c: f32) -> f32 {
        a + single(self.0) * (b / c)
    }

    fn on_card(self) -> card::Function {
        with_number("add_c_div", self.0)
    }
}
