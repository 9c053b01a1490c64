//! Normal numbers made of uniform ones (Box and Muller), in the order of PyTorch's generator for the CPU.

use super::floats::wide;
use super::precise::{ln, wave};
use pulp::NullaryFnOnce;
use std::f32::consts::PI;

/// Numbers that PyTorch makes at a time: so many lengths, then as many angles.
const HALF: usize = 8;

struct NormalDraws<'a> {
    values: &'a mut [f32],
    mean: f32,
    std: f32,
}

impl NullaryFnOnce for NormalDraws<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        for block in self.values.chunks_exact_mut(2 * HALF) {
            let (lengths, angles) = block.split_at_mut(HALF);
            for (length, angle) in lengths.iter_mut().zip(angles) {
                let radius = (-2.0 * ln(1.0 - *length)).sqrt();
                let theta = 2.0 * PI * *angle;
                *length = radius * wave(theta, 1) * self.std + self.mean;
                *angle = radius * wave(theta, 0) * self.std + self.mean;
            }
        }
    }
}

/// Turns uniform numbers, sixteen at a time, into normal ones with this mean and standard deviation; a rest stays.
pub(crate) fn normal(values: &mut [f32], mean: f32, std: f32) {
    wide(NormalDraws { values, mean, std });
}
