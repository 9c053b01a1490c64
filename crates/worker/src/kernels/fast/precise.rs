//! Functions of one `f32` that are computed with the digits of an `f64`, so that the result is the rounded exact one in
//! nearly all cases: logarithms, sine and cosine.
//!
//! A series of an `f64` is shorter than what single precision needs to keep its last digit.

use super::floats::{mapped, of, part, tensor, wide};
use candle_core::{Result, Tensor};
use pulp::NullaryFnOnce;
use std::f64::consts::{FRAC_2_PI, LN_2, LOG2_E, LOG10_E, SQRT_2};

/// The natural logarithm of a positive normal number.
#[inline(always)]
fn ln_of_normal(x: f64) -> f64 {
    let bits = x.to_bits();
    let power = ((bits >> 52) as i32).wrapping_sub(1023);
    let mantissa = f64::from_bits((bits & 0x000f_ffff_ffff_ffff) | 0x3ff0_0000_0000_0000);
    // From the root of a half to the root of 2, where the series is shortest.
    let is_large = mantissa > SQRT_2;
    let mantissa = if is_large { 0.5 * mantissa } else { mantissa };
    let power = f64::from(power) + if is_large { 1.0 } else { 0.0 };
    let s = (mantissa - 1.0) / (mantissa + 1.0);
    let square = s * s;
    let mut p = 1.0 / 15.0;
    p = p * square + 1.0 / 13.0;
    p = p * square + 1.0 / 11.0;
    p = p * square + 1.0 / 9.0;
    p = p * square + 1.0 / 7.0;
    p = p * square + 1.0 / 5.0;
    p = p * square + 1.0 / 3.0;
    power * LN_2 + 2.0 * s * (p * square + 1.0)
}

/// The natural logarithm of any number, by selection in place of branches.
#[inline(always)]
fn ln_wide(x: f64) -> f64 {
    let made = ln_of_normal(x);
    let made = if x == f64::INFINITY { x } else { made };
    let made = if x == 0.0 { f64::NEG_INFINITY } else { made };
    if x >= 0.0 { made } else { f64::NAN }
}

#[inline(always)]
pub(super) fn ln(x: f32) -> f32 {
    ln_wide(f64::from(x)) as f32
}

#[inline(always)]
pub(super) fn log2(x: f32) -> f32 {
    (ln_wide(f64::from(x)) * LOG2_E) as f32
}

#[inline(always)]
pub(super) fn log10(x: f32) -> f32 {
    (ln_wide(f64::from(x)) * LOG10_E) as f32
}

/// `log(1 + x)`, with what the sum loses.
#[inline(always)]
fn ln_1p_wide(x: f64) -> f64 {
    let sum = 1.0 + x;
    let lost = x - (sum - 1.0);
    let made = ln_wide(sum);
    // Nothing is lost of infinity, and 0 keeps its sign.
    let made = if x.abs() < 1.0 {
        made + lost / sum
    } else {
        made
    };
    if x == 0.0 { x } else { made }
}

#[inline(always)]
pub(super) fn ln_1p(x: f32) -> f32 {
    ln_1p_wide(f64::from(x)) as f32
}

/// Beyond this, a quarter turn in two parts no longer has the digits for the rest of a division by it.
const LARGEST_ANGLE: f32 = 1_000_000.0;

/// A quarter turn: 33 bits, so that a small whole number of them is exact, and the rest.
const QUARTER: f64 = 1.570_796_326_734_125_6;
const REST_OF_QUARTER: f64 = 6.077_100_506_506_192e-11;

/// Adding it to a small number leaves the number, rounded, in the last bits.
const ROUNDER: f64 = 6_755_399_441_055_744.0;

/// The sine of an angle that is so many quarter turns further, and not larger than [`LARGEST_ANGLE`].
#[inline(always)]
pub(super) fn wave(x: f32, quarters: u64) -> f32 {
    let x = f64::from(x);
    let rounded = x * FRAC_2_PI + ROUNDER;
    let whole = rounded - ROUNDER;
    let quadrant = rounded.to_bits().wrapping_add(quarters);
    let r = (x - whole * QUARTER) - whole * REST_OF_QUARTER;
    let square = r * r;
    let mut sine = -1.0 / 39_916_800.0;
    sine = sine * square + 1.0 / 362_880.0;
    sine = sine * square - 1.0 / 5_040.0;
    sine = sine * square + 1.0 / 120.0;
    sine = sine * square - 1.0 / 6.0;
    // A product, so that 0 keeps its sign.
    let sine = r * (sine * square + 1.0);
    let mut cosine = 1.0 / 479_001_600.0;
    cosine = cosine * square - 1.0 / 3_628_800.0;
    cosine = cosine * square + 1.0 / 40_320.0;
    cosine = cosine * square - 1.0 / 720.0;
    cosine = cosine * square + 1.0 / 24.0;
    cosine = cosine * square - 0.5;
    let cosine = 1.0 + cosine * square;
    let chosen = if quadrant & 1 == 0 { sine } else { cosine };
    let turned = if quadrant & 2 == 0 { chosen } else { -chosen };
    turned as f32
}

struct SineCosine<'a> {
    quarters: u64,
    out: &'a mut [f32],
    a: &'a [f32],
}

impl NullaryFnOnce for SineCosine<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        for (out, a) in self.out.iter_mut().zip(self.a) {
            *out = wave(*a, self.quarters);
        }
    }
}

/// The sine of angles that are so many quarter turns further, block by block.
fn waves(a: &Tensor, quarters: u64, exact: fn(f64) -> f64) -> Option<Result<Tensor>> {
    let made = of([a], |[a]| {
        mapped(a.len(), 3, |start, out| {
            let a = part(a, start, out.len());
            if a.iter().all(|it| it.abs() <= LARGEST_ANGLE) {
                return wide(SineCosine { quarters, out, a });
            }
            for (out, a) in out.iter_mut().zip(a) {
                *out = exact(f64::from(*a)) as f32;
            }
        })
    })?;
    Some(tensor(made, a.dims()))
}

pub(crate) fn sin(a: &Tensor) -> Result<Tensor> {
    waves(a, 0, f64::sin).unwrap_or_else(|| a.sin())
}

pub(crate) fn cos(a: &Tensor) -> Result<Tensor> {
    waves(a, 1, f64::cos).unwrap_or_else(|| a.cos())
}

#[cfg(test)]
mod tests {
    use super::*;
    use candle_core::Device;

    /// How many of the results over a range are not the rounded exact ones, in a thousand, and that none is further away
    /// than one unit in the last place.
    fn missed(f: fn(f32) -> f32, exact: fn(f64) -> f64, (from, to): (f32, f32)) -> u32 {
        let mut missed = 0;
        for step in 0..=u16::MAX {
            let x = from + (to - from) * f32::from(step) / f32::from(u16::MAX);
            let (made, exact) = (f(x), exact(f64::from(x)) as f32);
            let apart = i64::from(made.to_bits()) - i64::from(exact.to_bits());
            assert!(apart.abs() <= 1, "{x}: {made} {exact}");
            missed += u32::from(apart != 0);
        }
        missed * 1000 / u32::from(u16::MAX)
    }

    #[test]
    fn results_are_the_rounded_exact_ones() {
        assert_eq!(missed(ln, f64::ln, (1e-38, 3e38)), 0);
        assert_eq!(missed(ln, f64::ln, (0.5, 2.0)), 0);
        assert_eq!(missed(log2, f64::log2, (1e-3, 9.0)), 0);
        assert_eq!(missed(log10, f64::log10, (1e-3, 2e4)), 0);
        assert_eq!(missed(ln_1p, f64::ln_1p, (-0.99, 9.0)), 0);
        assert_eq!(missed(ln_1p, f64::ln_1p, (-1e-6, 1e-6)), 0);
        assert_eq!(missed(|x| wave(x, 0), f64::sin, (-40.0, 40.0)), 0);
        assert_eq!(missed(|x| wave(x, 1), f64::cos, (-40.0, 40.0)), 0);
        assert_eq!(missed(|x| wave(x, 0), f64::sin, (9e5, 1e6)), 0);
    }

    #[test]
    fn ends_of_logarithms_are_those_of_ieee() {
        let at = |f: fn(f32) -> f32| format!("{:?}", [f(0.0), f(-1.0), f(1.0), f(f32::INFINITY)]);
        assert_eq!(at(ln), "[-inf, NaN, 0.0, inf]");
        assert_eq!(at(ln_1p), "[0.0, -inf, 0.6931472, inf]");
        assert_eq!(ln_1p(-0.0).to_bits(), (-0.0_f32).to_bits());
        assert!(
            [ln, log2, log10, ln_1p]
                .iter()
                .all(|f| f(f32::NAN).is_nan())
        );
        let powers = [log2(8.0), log2(1e-45), log10(1000.0)];
        assert_eq!(format!("{powers:?}"), "[3.0, -149.0, 3.0]");
        assert!(ln_1p(-2.0).is_nan());
    }

    #[test]
    fn large_angles_infinity_and_zeros_are_no_exceptions() {
        let angles = [1e9_f32, 3e38, f32::INFINITY, f32::NAN, -0.0, 2.0];
        let a = Tensor::new(&angles, &Device::Cpu).unwrap();
        let sines = sin(&a).unwrap().to_vec1::<f32>().unwrap();
        let exact = angles.map(|it| f64::from(it).sin() as f32);
        assert_eq!(format!("{sines:?}"), format!("{exact:?}"));
        let small = Tensor::new(&[-0.0_f32, 0.0], &Device::Cpu).unwrap();
        let sines = sin(&small).unwrap().to_vec1::<f32>().unwrap();
        assert_eq!(format!("{sines:?}"), "[-0.0, 0.0]");
    }
}
