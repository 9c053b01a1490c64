//! Functions of one `f32` that a compiler turns into vector instructions: no branch, no table, no call.
//!
//! Each is within a few units in the last place of the exact result, which a test checks over the whole range. Additions
//! and multiplications are not fused, so that a processor without fused ones gives the same digits.

// The digits of these constants are those of their sources.
#![expect(
    clippy::excessive_precision,
    reason = "a coefficient is copied as it was published"
)]

use super::precise::ln_1p;

/// Adding it to a small number leaves the number, rounded, in the last bits.
const ROUNDER: f32 = 12_582_912.0;

/// `e` to the power of `x`: 2 to a whole power times a polynomial (Cephes' `expf`).
#[inline(always)]
pub(crate) fn exp(x: f32) -> f32 {
    // Beyond these, the result is infinity or 0. NaN passes both.
    let x = if x > 89.0 { 89.0 } else { x };
    let x = if x < -104.0 { -104.0 } else { x };
    let rounded = x * std::f32::consts::LOG2_E + ROUNDER;
    let whole = rounded - ROUNDER;
    let power = rounded.to_bits().wrapping_sub(ROUNDER.to_bits()) as i32;
    // The logarithm of 2 in two parts, of which the first times a whole number is exact. What a rounded sum loses is kept.
    let (first, second) = (x - whole * 0.693_359_375, whole * 2.121_944_4e-4);
    let x = first + second;
    let lost = (first - x) + second;
    let mut p = 1.987_569_15e-4;
    p = p * x + 1.398_199_95e-3;
    p = p * x + 8.333_451_9e-3;
    p = p * x + 4.166_579_6e-2;
    p = p * x + 1.666_666_55e-1;
    p = p * x + 5.000_000_1e-1;
    let sum = 1.0 + x;
    let rest = (1.0 - sum) + x;
    let mantissa = sum + (rest + (p * (x * x) + lost));
    // In two steps, so that results smaller than normal numbers are reached.
    let half = power >> 1;
    mantissa * two_to(half) * two_to(power.wrapping_sub(half))
}

#[inline(always)]
fn two_to(power: i32) -> f32 {
    f32::from_bits((power.wrapping_add(127) as u32) << 23)
}

#[inline(always)]
pub(crate) fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + exp(-x))
}

/// The hyperbolic tangent: a polynomial near 0, else by `exp` (Cephes' `tanhf`).
#[inline(always)]
pub(crate) fn tanh(x: f32) -> f32 {
    let square = x * x;
    let mut p = -5.704_988_73e-3;
    p = p * square + 2.063_908_88e-2;
    p = p * square - 5.373_971_56e-2;
    p = p * square + 1.333_144_22e-1;
    p = p * square - 3.333_328_19e-1;
    let near = p * square * x + x;
    let far = 1.0 - 2.0 / (exp(2.0 * x.abs()) + 1.0);
    if x.abs() < 0.625 {
        near
    } else {
        far.copysign(x)
    }
}

/// The error function: a polynomial near 0, else by `exp` of one (Norbert Juffa's `erff`).
#[inline(always)]
pub(crate) fn erf(x: f32) -> f32 {
    let square = x * x;
    let mut p = -5.967_617_03e-4;
    p = p * square + 4.991_194_23e-3;
    p = p * square - 2.676_813_49e-2;
    p = p * square + 1.128_199_25e-1;
    p = p * square - 3.761_253_36e-1;
    p = p * square + 1.283_791_66e-1;
    let near = p * x + x;
    let size = if x.abs() > 6.0 { 6.0 } else { x.abs() };
    let mut q = -1.728_534_7e-5;
    q = q * size + 3.831_971_26e-4;
    q = q * size - 3.883_964_38e-3;
    q = q * size + 2.425_462_19e-2;
    q = q * size - 1.067_778_77e-1;
    q = q * size - 6.348_466_87e-1;
    q = q * size - 1.287_175_12e-1;
    let far = 1.0 - exp(q * size - size);
    if x.abs() < 0.927_734_4 {
        near
    } else {
        far.copysign(x)
    }
}

/// The share of a normal distribution below `x`.
#[inline(always)]
fn below(x: f32) -> f32 {
    0.5 + 0.5 * erf(x * std::f32::consts::FRAC_1_SQRT_2)
}

/// `gelu` with the error function.
#[inline(always)]
pub(crate) fn gelu(x: f32) -> f32 {
    x * below(x)
}

#[inline(always)]
pub(crate) fn gelu_slope(x: f32) -> f32 {
    const DENSITY: f32 = 0.398_942_28;
    below(x) + x * DENSITY * exp(-0.5 * x * x)
}

/// `gelu` with the hyperbolic tangent.
#[inline(always)]
pub(crate) fn gelu_tanh(x: f32) -> f32 {
    0.5 * x * (1.0 + tanh(ROOT * (x + CUBIC * x * x * x)))
}

#[inline(always)]
pub(crate) fn gelu_tanh_slope(x: f32) -> f32 {
    let tangent = tanh(ROOT * (x + CUBIC * x * x * x));
    let inner = ROOT * (1.0 + 3.0 * CUBIC * x * x);
    0.5 * (1.0 + tangent) + 0.5 * x * (1.0 - tangent * tangent) * inner
}

/// The root of 2/π, and the factor of the cube: the constants of `gelu` with the hyperbolic tangent.
const ROOT: f32 = 0.797_884_56;
const CUBIC: f32 = 0.044_715;

#[inline(always)]
pub(crate) fn silu(x: f32) -> f32 {
    x / (1.0 + exp(-x))
}

#[inline(always)]
pub(crate) fn silu_slope(x: f32) -> f32 {
    let share = sigmoid(x);
    share * (1.0 + x * (1.0 - share))
}

/// `exp(x) - 1` of numbers that are not above 0.
#[inline(always)]
pub(crate) fn exp_m1(x: f32) -> f32 {
    let mut p = 1.0 / 5040.0;
    p = p * x + 1.0 / 720.0;
    p = p * x + 1.0 / 120.0;
    p = p * x + 1.0 / 24.0;
    p = p * x + 1.0 / 6.0;
    p = p * x + 0.5;
    // A product, so that 0 keeps its sign.
    let near = x * (p * x + 1.0);
    if x > -0.4 { near } else { exp(x) - 1.0 }
}

/// `log(1 + exp(x))`, which is `x` above 20, as in PyTorch.
#[inline(always)]
pub(crate) fn softplus(x: f32) -> f32 {
    let made = soft(x);
    if x > 20.0 { x } else { made }
}

/// `-log(1 + exp(-x))`
#[inline(always)]
pub(crate) fn log_sigmoid(x: f32) -> f32 {
    0.0 - soft(-x)
}

/// `log(1 + exp(x))`; the larger part is taken out, so that nothing overflows.
#[inline(always)]
fn soft(x: f32) -> f32 {
    let rest = ln_1p(exp(-x.abs()));
    // A comparison with NaN is false.
    if x < 0.0 { rest } else { x + rest }
}

/// The loss of a logit, before its reduction.
#[inline(always)]
pub(crate) fn bce_with_logits(x: f32, target: f32) -> f32 {
    (1.0 - target) * x + soft(-x)
}

/// NaN stays NaN.
#[inline(always)]
pub(crate) fn relu(x: f32) -> f32 {
    if x <= 0.0 { 0.0 } else { x }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The largest error over a range, in units in the last place of the exact result.
    fn worst(f: fn(f32) -> f32, exact: fn(f64) -> f64, (from, to): (f32, f32)) -> f64 {
        let error = |step: u16| {
            let x = from + (to - from) * f32::from(step) / f32::from(u16::MAX);
            let exact = exact(f64::from(x));
            let size = (exact as f32).abs();
            let unit = f64::from(f32::from_bits(size.to_bits() + 1) - size);
            ((f64::from(f(x)) - exact) / unit).abs()
        };
        (0..=u16::MAX).map(error).fold(0.0, f64::max)
    }

    #[test]
    fn errors_are_a_few_units_in_the_last_place() {
        let erf_exact = |x: f64| candle_core::cpu::erf::erf_f64(x);
        assert!(worst(exp, f64::exp, (-87.0, 88.0)) < 0.7);
        assert!(worst(tanh, f64::tanh, (-9.0, 9.0)) < 1.5);
        assert!(worst(sigmoid, |x| 1.0 / (1.0 + (-x).exp()), (-80.0, 30.0)) < 2.5);
        assert!(worst(erf, erf_exact, (-4.0, 4.0)) < 1.5);
        assert!(worst(exp_m1, f64::exp_m1, (-9.0, -1e-6)) < 2.5);
        let soft_exact = |x: f64| x.max(0.0) + (-x.abs()).exp().ln_1p();
        assert!(worst(softplus, soft_exact, (-80.0, 19.0)) < 2.5);
        assert!(worst(log_sigmoid, |x| -((-x).exp().ln_1p()), (-19.0, 80.0)) < 2.5);
    }

    #[test]
    fn infinity_and_nan_go_where_they_should() {
        let (infinity, below) = (f32::INFINITY, f32::NEG_INFINITY);
        let at_ends = |f: fn(f32) -> f32| format!("{:?}", [f(below), f(0.0), f(infinity)]);
        assert_eq!(at_ends(exp), "[0.0, 1.0, inf]");
        assert_eq!(at_ends(tanh), "[-1.0, 0.0, 1.0]");
        assert_eq!(at_ends(erf), "[-1.0, 0.0, 1.0]");
        assert_eq!(at_ends(sigmoid), "[0.0, 0.5, 1.0]");
        let all = [exp, tanh, erf, sigmoid, gelu, gelu_tanh, silu, relu];
        let more = [exp_m1, softplus, log_sigmoid];
        assert!(all.iter().chain(&more).all(|f| f(f32::NAN).is_nan()));
        assert_eq!(at_ends(softplus), "[0.0, 0.6931472, inf]");
        assert_eq!(at_ends(log_sigmoid), "[-inf, -0.6931472, 0.0]");
        // Smaller than normal numbers.
        let smallest = exp(-100.0).to_bits();
        assert_eq!(smallest, ((-100.0_f64).exp() as f32).to_bits());
    }
}
