//! Uniform and normal numbers of the words of a group.

use std::f64::consts::PI;

const STEP: f32 = 1.0 / 4_294_967_296.0;
const WIDE_STEP: f64 = 1.0 / 9_007_199_254_740_992.0;

/// From 0, not included, to 1.
pub(super) fn uniform(word: u32) -> f32 {
    word as f32 * STEP + STEP / 2.0
}

/// Two numbers of 53 bits.
pub(super) fn pairs([a, b, c, d]: [u32; 4]) -> [u64; 2] {
    [(a, b), (c, d)].map(|(low, high)| u64::from(low) ^ (u64::from(high) << 21))
}

pub(super) fn wide_uniform(bits: u64) -> f64 {
    bits as f64 * WIDE_STEP + WIDE_STEP / 2.0
}

/// Normal numbers of pairs of uniform ones (Box and Muller), each with the sine first.
pub(super) fn normals([a, b, c, d]: [u32; 4]) -> [f32; 4] {
    const TURN: f32 = STEP * std::f32::consts::TAU;
    let pair = |length: u32, angle: u32| {
        let radius = (-2.0 * uniform(length).ln()).sqrt();
        let (sine, cosine) = (angle as f32).mul_add(TURN, TURN / 2.0).sin_cos();
        [sine * radius, cosine * radius]
    };
    let ([first, second], [third, fourth]) = (pair(a, b), pair(c, d));
    [first, second, third, fourth]
}

pub(super) fn wide_normals(words: [u32; 4]) -> [f64; 2] {
    let [length, angle] = pairs(words);
    let radius = (-2.0 * wide_uniform(length).ln()).sqrt();
    let (sine, cosine) = half_turns(angle as f64 * (2.0 * WIDE_STEP) + WIDE_STEP);
    [sine * radius, cosine * radius]
}

/// Sine and cosine of so many half turns: quarters apart, the rest exactly.
fn half_turns(angle: f64) -> (f64, f64) {
    let quarter = (2.0 * angle).round();
    let (sine, cosine) = (PI * (angle - quarter / 2.0)).sin_cos();
    match quarter as u64 % 4 {
        0 => (sine, cosine),
        1 => (cosine, -sine),
        2 => (-sine, -cosine),
        _third => (-cosine, sine),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_are_exact_at_quarters() {
        assert_eq!(half_turns(0.5), (1.0, 0.0));
        assert_eq!(half_turns(1.0), (-0.0, -1.0));
        assert_eq!(half_turns(1.5), (-1.0, 0.0));
        let (sine, cosine) = half_turns(1.9);
        assert!(
            (sine - (1.9 * PI).sin()).abs() < 1e-15 && (cosine - (1.9 * PI).cos()).abs() < 1e-15
        );
    }
}
