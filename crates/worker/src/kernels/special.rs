//! Special functions of one number, which Rust's standard library lacks.

use std::f64::consts::FRAC_2_SQRT_PI;

/// The inverse of the error function: a rational start (M. Giles, "Approximating the erfinv function") and two steps of
/// Newton's method.
pub(crate) fn erfinv(y: f64) -> f64 {
    if y.abs() >= 1.0 || y.is_nan() {
        return if y.abs() > 1.0 || y.is_nan() {
            f64::NAN
        } else {
            f64::INFINITY.copysign(y)
        };
    }
    let w = -((1.0 - y) * (1.0 + y)).ln();
    let (w, factors) = if w < 5.0 {
        (w - 2.5, &CENTRE)
    } else {
        (w.sqrt() - 3.0, &TAIL)
    };
    let mut x = y * factors.iter().fold(0.0, |sum, it| sum * w + it);
    for _ in 0..2 {
        let wrong = candle_core::cpu::erf::erf_f64(x) - y;
        x -= wrong / (FRAC_2_SQRT_PI * (-x * x).exp());
    }
    x
}

const CENTRE: [f64; 9] = [
    2.810_226_36e-08,
    3.432_739_39e-07,
    -3.523_387_7e-06,
    -4.391_506_54e-06,
    0.000_218_580_87,
    -0.001_253_725_03,
    -0.004_177_681_64,
    0.246_640_727,
    1.501_409_41,
];

const TAIL: [f64; 9] = [
    -0.000_200_214_257,
    0.000_100_950_558,
    0.001_349_343_22,
    -0.003_673_428_44,
    0.005_739_507_73,
    -0.007_622_461_3,
    0.009_438_870_47,
    1.001_674_06,
    2.832_976_82,
];

#[cfg(test)]
mod tests {
    use super::*;

    /// The reference values are those of PyTorch on 64 bits.
    #[test]
    fn special_functions_are_those_of_torch() {
        assert!((erfinv(0.5) - 0.476_936_276_204_469_9).abs() < 1e-12);
        assert!((erfinv(-0.999) + 2.326_753_765_513_524).abs() < 1e-9);
    }
}
