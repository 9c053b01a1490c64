//! Functions of single numbers, for what candle has no kernel for. They follow PyTorch where a result is a
//! matter of convention: NaN, division by a negative number, overflow.

use crate::dtype::DType;

/// The larger one; NaN wins.
pub(crate) fn larger(a: f64, b: f64) -> f64 {
    if a.is_nan() || a >= b { a } else { b }
}

/// The smaller one; NaN wins.
pub(crate) fn smaller(a: f64, b: f64) -> f64 {
    if a.is_nan() || a <= b { a } else { b }
}

/// The remainder of a division rounded down; it has the divisor's sign.
pub(crate) fn remainder(a: f64, b: f64) -> f64 {
    let rest = a % b;
    if rest != 0.0 && (rest < 0.0) != (b < 0.0) {
        rest + b
    } else {
        rest
    }
}

/// The same of two `f32`, without a call where the quotient has few digits.
#[expect(
    clippy::inline_always,
    reason = "it is part of a loop of wide instructions"
)]
#[inline(always)]
pub(crate) fn remainder_of_singles(a: f32, b: f32) -> f64 {
    let (a, b) = (f64::from(a), f64::from(b));
    let quotient = (a / b).floor();
    // Both numbers have 24 bits, so that this product and its difference are exact.
    let rest = a - quotient * b;
    if quotient.abs() >= 268_435_456.0 || !rest.is_finite() {
        return remainder(a, b);
    }
    if rest == 0.0 {
        return rest.copysign(a);
    }
    // A quotient just below a whole number may have been rounded up to it.
    if (rest < 0.0) == (b < 0.0) {
        rest
    } else {
        rest + b
    }
}

/// A division rounded down, exact where the quotient is an integer.
pub(crate) fn floor_divide(a: f64, b: f64) -> f64 {
    if b == 0.0 {
        return a / b;
    }
    ((a - remainder(a, b)) / b).round()
}

/// The same of two `f32`.
#[expect(
    clippy::inline_always,
    reason = "it is part of a loop of wide instructions"
)]
#[inline(always)]
pub(crate) fn floor_divide_singles(a: f32, b: f32) -> f64 {
    if b == 0.0 {
        return f64::from(a) / f64::from(b);
    }
    ((f64::from(a) - remainder_of_singles(a, b)) / f64::from(b)).round()
}

/// `log(1 + exp(beta · x)) / beta`, and `x` beyond the threshold.
pub(crate) fn softplus(x: f64, beta: f64, threshold: f64) -> f64 {
    let scaled = x * beta;
    if scaled > threshold {
        x
    } else {
        // The larger part is taken out, so that nothing overflows.
        (scaled.max(0.0) + (-scaled.abs()).exp().ln_1p()) / beta
    }
}

pub(crate) fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// Integer division that rounds down; the divisor is not 0.
pub(crate) fn floor_divide_integers(a: i64, b: i64) -> i64 {
    let (quotient, rest) = (a.wrapping_div(b), a.wrapping_rem(b));
    if rest != 0 && (rest < 0) != (b < 0) {
        quotient - 1
    } else {
        quotient
    }
}

/// The remainder of an integer division rounded down; the divisor is not 0.
pub(crate) fn integer_remainder(a: i64, b: i64) -> i64 {
    a.wrapping_sub(floor_divide_integers(a, b).wrapping_mul(b))
}

/// A power that wraps around. As in PyTorch, a negative exponent keeps 1 and -1, and makes 0 of all others.
pub(crate) fn integer_power(base: i64, exponent: i64) -> i64 {
    if exponent < 0 {
        return match base {
            1 => 1,
            -1 if exponent % 2 == 0 => 1,
            -1 => -1,
            _ => 0,
        };
    }
    let (mut result, mut square, mut left) = (1_i64, base, exponent);
    while left > 0 {
        if left % 2 == 1 {
            result = result.wrapping_mul(square);
        }
        square = square.wrapping_mul(square);
        left /= 2;
    }
    result
}

/// `a` shifted within a type: bits beyond it are lost, and a right shift fills with the sign.
pub(crate) fn shift(a: i64, by: i64, dtype: DType, how: fn(i64, u32) -> Option<i64>) -> i64 {
    let bits = dtype.size() as i64 * 8;
    let known = u32::try_from(by).ok().filter(|_| by < bits);
    let gone = if how(-1, 1) == Some(-1) { a >> 63 } else { 0 };
    known.and_then(|by| how(a, by)).unwrap_or(gone)
}

#[cfg(test)]
mod tests {
    use super::{floor_divide_integers as floor_div, integer_power as power};
    use super::{remainder, remainder_of_singles};

    #[test]
    fn remainders_of_singles_are_those_of_the_exact_function() {
        let mut numbers = vec![
            0.0,
            -0.0,
            1e-40,
            3e38,
            f32::INFINITY,
            f32::NEG_INFINITY,
            f32::NAN,
        ];
        numbers.extend((1..200_u16).map(|it| f32::from(it) * 0.37 - 31.0));
        numbers.extend(
            (1..60_u16)
                .map(|it| 1.7_f32.powi(i32::from(it)) * if it % 2 == 0 { 1.0 } else { -1.0 }),
        );
        for a in &numbers {
            for b in &numbers {
                let exact = remainder(f64::from(*a), f64::from(*b));
                let made = remainder_of_singles(*a, *b);
                let same = made.to_bits() == exact.to_bits() || (made.is_nan() && exact.is_nan());
                assert!(same, "{a} % {b}: {made} {exact}");
            }
        }
    }

    #[test]
    fn division_rounds_down_and_powers_wrap_around() {
        assert_eq!(
            [floor_div(7, 2), floor_div(-7, 2), floor_div(7, -2)],
            [3, -4, -4]
        );
        assert_eq!(floor_div(i64::MIN, -1), i64::MIN);
        assert_eq!(
            [power(3, 4), power(2, 64), power(-1, -3), power(5, -1)],
            [81, 0, -1, 0]
        );
    }
}
