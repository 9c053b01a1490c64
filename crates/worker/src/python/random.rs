//! Random numbers of the CPU: those of PyTorch's generator there, number for number. A card has generators of its own
//! (`kernels::philox`).
//!
//! Source: `ATen/core/DistributionsHelper.h`, `TransformationHelper.h` and `ATen/native/cpu/DistributionTemplates.h`.

use super::mersenne::Mersenne;
use crate::dtype::DType;
use crate::error::TorchError;
use crate::kernels::fast;
use crate::kernels::philox::{Distribution, Sample};
use candle_core::{Device, Tensor as Values};
use std::f64::consts::PI;

/// A generator of the CPU.
#[derive(Clone, Debug)]
pub(super) struct Random {
    words: Mersenne,
    /// The second of two normal numbers, which are made together.
    normal: Option<f64>,
}

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self {
            // PyTorch's engine takes the lower half of a seed, too.
            words: Mersenne::new(seed as u32),
            normal: None,
        }
    }

    /// A number from 0 to 1, without 1, with the precision of a dtype.
    fn uniform(&mut self, dtype: DType) -> f64 {
        let (bits, word) = match dtype {
            DType::F64 => (53, self.words.u64()),
            DType::F16 => (11, u64::from(self.words.u32())),
            DType::BF16 => (8, u64::from(self.words.u32())),
            DType::F32
            | DType::Bool
            | DType::U8
            | DType::I8
            | DType::I16
            | DType::I32
            | DType::I64 => (24, u64::from(self.words.u32())),
        };
        let whole = 1_u64 << bits;
        (word & (whole - 1)) as f64 / whole as f64
    }

    /// Numbers from 0 to 1, without 1, in single precision.
    fn shares(&mut self, count: usize) -> Vec<f32> {
        let words = self.words.words(count).into_iter();
        words
            .map(|it| (it & 0x00ff_ffff) as f32 / 16_777_216.0)
            .collect()
    }

    /// A normal number; every second one is what the first left.
    fn normal(&mut self) -> f64 {
        if let Some(normal) = self.normal.take() {
            return normal;
        }
        let (angle, length) = (self.uniform(DType::F64), self.uniform(DType::F64));
        let radius = (-2.0 * (-length).ln_1p()).sqrt();
        let angle = 2.0 * PI * angle;
        self.normal = Some(radius * angle.sin());
        radius * angle.cos()
    }

    /// A random seed for another generator.
    pub(super) fn seed(&mut self) -> u64 {
        self.words.u64()
    }

    /// The values of a tensor.
    pub(super) fn values(
        &mut self,
        sample: Sample,
        (shape, dtype): (&[usize], DType),
    ) -> Result<Values, TorchError> {
        let count = shape.iter().product();
        let cpu = &Device::Cpu;
        let values = match (sample, dtype) {
            (Sample::Of(from), DType::F32) => {
                Values::from_vec(self.singles(count, from), shape, cpu)?
            }
            (Sample::Of(from), _) => {
                Values::from_vec(self.numbers(count, from, dtype), shape, cpu)?
            }
            (Sample::Range(low, high), _) => {
                Values::from_vec(self.integers(count, low, high), shape, cpu)?
            }
            (Sample::Whole, _) => Values::from_vec(self.whole(count, dtype), shape, cpu)?,
        };
        Ok(values.to_dtype(dtype.stored())?)
    }

    /// Numbers of a distribution for a tensor of this dtype.
    pub(super) fn numbers(&mut self, count: usize, from: Distribution, dtype: DType) -> Vec<f64> {
        let mut each = |draw: &mut dyn FnMut(&mut Self) -> f64| -> Vec<f64> {
            (0..count).map(|_| draw(self)).collect()
        };
        match from {
            Distribution::Uniform(low, high) if dtype == DType::F32 => {
                let (low, high) = (low as f32, high as f32);
                each(&mut |it| f64::from(it.uniform(dtype) as f32 * (high - low) + low))
            }
            Distribution::Uniform(low, high) => {
                each(&mut |it| it.uniform(dtype) * (high - low) + low)
            }
            Distribution::Normal(mean, std) if count >= 16 => {
                normal_by_sixteen(self, (count, dtype), (mean, std))
            }
            Distribution::Normal(mean, std) => each(&mut |it| it.normal() * std + mean),
            Distribution::Bernoulli(p) => {
                each(&mut |it| f64::from(u8::from(it.uniform(DType::F64) < p)))
            }
            Distribution::Exponential(rate) => {
                each(&mut |it| -(-it.uniform(DType::F64)).ln_1p() / rate)
            }
            Distribution::Cauchy(median, scale) => {
                each(&mut |it| median + scale * (PI * (it.uniform(DType::F64) - 0.5)).tan())
            }
            Distribution::LogNormal(mean, std) => each(&mut |it| (it.normal() * std + mean).exp()),
            Distribution::Geometric(p) => {
                each(&mut |it| (it.uniform(DType::F64).ln() / (-p).ln_1p()).ceil())
            }
        }
    }

    /// The same in single precision.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the numbers are asked for in single precision"
    )]
    pub(super) fn singles(&mut self, count: usize, from: Distribution) -> Vec<f32> {
        match from {
            Distribution::Uniform(low, high) => {
                let (low, width) = (low as f32, high as f32 - low as f32);
                let mut made = self.shares(count);
                for it in &mut made {
                    *it = *it * width + low;
                }
                made
            }
            Distribution::Normal(mean, std) if count >= 16 => {
                let (mean, std) = (mean as f32, std as f32);
                let mut made = self.shares(count);
                fast::normal(&mut made, mean, std);
                if !count.is_multiple_of(16) {
                    // The last sixteen are drawn again.
                    let mut last = self.shares(16);
                    fast::normal(&mut last, mean, std);
                    made.truncate(count - 16);
                    made.extend(last);
                }
                made
            }
            Distribution::Normal(..)
            | Distribution::Bernoulli(_)
            | Distribution::Exponential(_)
            | Distribution::Cauchy(..)
            | Distribution::LogNormal(..)
            | Distribution::Geometric(_) => {
                let made = self.numbers(count, from, DType::F32).into_iter();
                made.map(|it| it as f32).collect()
            }
        }
    }

    /// Uniform whole numbers from `low` up to, not including, `high`.
    pub(super) fn integers(&mut self, count: usize, low: i64, high: i64) -> Vec<i64> {
        let range = high.wrapping_sub(low).cast_unsigned().max(1);
        let words = &mut self.words;
        let within = |word: u64| low.wrapping_add((word % range).cast_signed());
        match u32::try_from(range) {
            Ok(small) if range < 1 << 28 => {
                let made = words.words(count).into_iter();
                // A division of 32 bits takes a fraction of one of 64.
                made.map(|it| low.wrapping_add(i64::from(it % small)))
                    .collect()
            }
            Ok(_) | Err(_) => (0..count).map(|_| within(words.u64())).collect(),
        }
    }

    /// Whole numbers of all that a dtype has and that are not negative (`random_()`).
    pub(super) fn whole(&mut self, count: usize, dtype: DType) -> Vec<i64> {
        let words = &mut self.words;
        let next = |_| {
            let drawn = match dtype {
                DType::Bool => u64::from(words.u32()) & 1,
                DType::U8 => u64::from(words.u32()) % (1 << 8),
                DType::I8 => u64::from(words.u32()) % (1 << 7),
                DType::I16 => u64::from(words.u32()) % (1 << 15),
                DType::I32 => u64::from(words.u32()) % (1 << 31),
                DType::I64 => words.u64() % (1 << 63),
                DType::F16 => u64::from(words.u32()) % ((1 << 11) + 1),
                DType::BF16 => u64::from(words.u32()) % ((1 << 8) + 1),
                DType::F32 => u64::from(words.u32()) % ((1 << 24) + 1),
                DType::F64 => words.u64() % ((1 << 53) + 1),
            };
            drawn.cast_signed()
        };
        (0..count).map(next).collect()
    }

    /// The numbers below `count` in a random order (`randperm`).
    pub(super) fn permutation(&mut self, count: usize) -> Vec<i64> {
        let mut permutation: Vec<i64> = (0..count as i64).collect();
        let words = &mut self.words;
        for at in 0..count.saturating_sub(1) {
            let other = words.u32() as usize % (count - at);
            permutation.swap(at, at + other);
        }
        permutation
    }
}

/// Sixteen or more normal numbers, which PyTorch makes in blocks: eight lengths, then eight angles. The last block ends
/// at the end, so it overwrites a part of the one before it with newly drawn numbers.
fn normal_by_sixteen(
    stream: &mut Random,
    (count, dtype): (usize, DType),
    (mean, std): (f64, f64),
) -> Vec<f64> {
    let mut values: Vec<f64> = (0..count).map(|_| stream.uniform(dtype)).collect();
    let whole = count - count % 16;
    for block in values.chunks_exact_mut(16) {
        turn(block, dtype, (mean, std));
    }
    if whole < count
        && let Some(block) = values.get_mut(count - 16..)
    {
        block.fill_with(|| stream.uniform(dtype));
        turn(block, dtype, (mean, std));
    }
    values
}

/// Turns sixteen uniform numbers into normal ones (Box and Muller).
fn turn(block: &mut [f64], dtype: DType, (mean, std): (f64, f64)) {
    let (lengths, angles) = block.split_at_mut(8);
    for (length, angle) in lengths.iter_mut().zip(angles) {
        (*length, *angle) = if dtype == DType::F64 {
            let radius = (-2.0 * (1.0 - *length).ln()).sqrt();
            let theta = 2.0 * PI * *angle;
            (
                radius * theta.cos() * std + mean,
                radius * theta.sin() * std + mean,
            )
        } else {
            let (mean, std) = (mean as f32, std as f32);
            let radius = (-2.0 * (1.0 - *length as f32).ln()).sqrt();
            let theta = 2.0 * std::f32::consts::PI * *angle as f32;
            (
                f64::from(radius * theta.cos() * std + mean),
                f64::from(radius * theta.sin() * std + mean),
            )
        };
    }
}
