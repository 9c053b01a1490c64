//! Functions of two numbers that are no operator of Rust's, for the loops of `arithmetic`.

use super::arithmetic::BinaryFunction;
use super::functions;
use super::unary::CALL;
use crate::kernels::card;
use crate::kernels::scalar::{floor_divide_singles, remainder_of_singles};

/// The larger one; NaN wins.
#[derive(Clone, Copy)]
pub(crate) struct MaximumOf;

impl BinaryFunction for MaximumOf {
    #[inline(always)]
    fn of(self, a: f32, b: f32) -> f32 {
        if (a >= b) | a.is_nan() { a } else { b }
    }

    fn on_card(self) -> Option<card::Function> {
        Some(card::Function::named("maximum"))
    }
}

/// The smaller one; NaN wins.
#[derive(Clone, Copy)]
pub(crate) struct MinimumOf;

impl BinaryFunction for MinimumOf {
    #[inline(always)]
    fn of(self, a: f32, b: f32) -> f32 {
        if (a <= b) | a.is_nan() { a } else { b }
    }

    fn on_card(self) -> Option<card::Function> {
        Some(card::Function::named("minimum"))
    }
}

/// The remainder of a division rounded down.
#[derive(Clone, Copy)]
pub(crate) struct Remainder;

impl BinaryFunction for Remainder {
    const COST: usize = 4;

    #[inline(always)]
    fn of(self, a: f32, b: f32) -> f32 {
        remainder_of_singles(a, b) as f32
    }
}

/// A division rounded down.
#[derive(Clone, Copy)]
pub(crate) struct FloorDivide;

impl BinaryFunction for FloorDivide {
    const COST: usize = 4;

    #[inline(always)]
    fn of(self, a: f32, b: f32) -> f32 {
        floor_divide_singles(a, b) as f32
    }
}

#[derive(Clone, Copy)]
pub(crate) struct Power;

impl BinaryFunction for Power {
    const COST: usize = CALL;

    #[inline(always)]
    fn of(self, a: f32, b: f32) -> f32 {
        a.powf(b)
    }

    fn on_card(self) -> Option<card::Function> {
        Some(card::Function::named("power"))
    }
}

/// A function on 64 bits.
#[derive(Clone, Copy)]
pub(crate) struct OnWide<F>(pub(crate) F);

impl<F: Fn(f64, f64) -> f64 + Copy + Sync> BinaryFunction for OnWide<F> {
    const COST: usize = CALL;

    #[inline(always)]
    fn of(self, a: f32, b: f32) -> f32 {
        self.0(f64::from(a), f64::from(b)) as f32
    }
}

/// The loss of a logit and its target.
#[derive(Clone, Copy)]
pub(crate) struct BceWithLogits;

impl BinaryFunction for BceWithLogits {
    const COST: usize = CALL;

    #[inline(always)]
    fn of(self, a: f32, b: f32) -> f32 {
        functions::bce_with_logits(a, b)
    }
}
