//! The values that a card draws, by distribution.

use super::sample::{Distribution, Sample, is_wide, range, whole_range};
use super::words::{normals, pairs, uniform, wide_normals, wide_uniform};
use super::{Draw, Philox};
use crate::dtype::DType;
use crate::error::TorchError;
use crate::kernels::card;
use candle_core::{Device, Tensor};
use half::{bf16, f16};
use rayon::iter::{IndexedParallelIterator, ParallelIterator};
use rayon::slice::ParallelSliceMut;
use std::f64::consts::PI;

/// The numbers of these launches: of a kernel where `on` is a card, else as its kernel would draw them.
pub(crate) fn values(
    sample: Sample,
    draws: &[Draw],
    (shape, dtype): (&[usize], DType),
    on: &Device,
) -> Result<Tensor, TorchError> {
    if on.is_cuda() {
        return Ok(card::drawn(sample, draws, (shape, dtype), on)?);
    }
    Ok(match (sample, dtype) {
        (Sample::Of(from), DType::F64) => tensor(draws, shape, |it, out| doubles(from, it, out))?,
        (Sample::Of(from), _) => {
            let wide = tensor(draws, shape, |it, out| singles((from, dtype), it, out))?;
            wide.to_dtype(dtype.stored())?
        }
        (Sample::Range(low, high), _) => {
            let (range, is_wide) = (range(low, high), is_wide(low, high));
            integers(draws, shape, dtype, (range, low, is_wide))?
        }
        (Sample::Whole, _) => {
            let is_wide = sample.each(dtype) == 2;
            integers(draws, shape, dtype, (whole_range(dtype), 0, is_wide))?
        }
    })
}

/// A tensor of what the launches fill.
fn tensor<T: candle_core::WithDType>(
    draws: &[Draw],
    shape: &[usize],
    fill: impl Fn(&Draw, &mut [T]),
) -> Result<Tensor, TorchError> {
    let mut all = vec![T::zero(); shape.iter().product()];
    let mut rest = all.as_mut_slice();
    for draw in draws {
        let (part, left) = rest.split_at_mut((draw.count as usize).min(rest.len()));
        fill(draw, part);
        rest = left;
    }
    Ok(Tensor::from_vec(all, shape, &Device::Cpu)?)
}

/// Fills memory as the threads of a launch do: in each pass, a thread makes `N` elements of a group of numbers, which lie
/// as far apart as there are threads.
fn fill<T: Copy + Send, const N: usize>(
    draw: &Draw,
    out: &mut [T],
    made: impl Fn([u32; 4]) -> [T; N] + Sync,
) {
    let (from, threads): (Philox, usize) = (draw.from, draw.threads() as usize);
    out.par_chunks_mut(N * threads)
        .enumerate()
        .for_each(|(pass, part)| {
            for thread in 0..threads.min(part.len()) {
                let values = made(from.group(thread as u64, pass as u64));
                let own = part.iter_mut().skip(thread).step_by(threads);
                for (element, value) in own.zip(values) {
                    *element = value;
                }
            }
        });
}

fn integers(
    draws: &[Draw],
    shape: &[usize],
    dtype: DType,
    (range, low, is_wide): (u64, i64, bool),
) -> Result<Tensor, TorchError> {
    let number = |word: u64| low.wrapping_add((word % range).cast_signed());
    let made = tensor(draws, shape, |draw, out: &mut [i64]| {
        if is_wide {
            fill(draw, out, |[a, b, c, d]| {
                [(a, b), (c, d)].map(|(high, low)| number((u64::from(high) << 32) | u64::from(low)))
            });
        } else {
            fill(draw, out, |words| words.map(|it| number(it.into())));
        }
    })?;
    if dtype == DType::Bool {
        return Ok(made.ne(&made.zeros_like()?)?);
    }
    Ok(made.to_dtype(dtype.stored())?)
}

/// The precision of `float32`, which is what a thread computes in unless the elements are `float64`.
fn singles((from, dtype): (Distribution, DType), draw: &Draw, out: &mut [f32]) {
    let rounded = |it: f32| {
        if dtype == DType::F16 {
            f16::from_f32(it).to_f32()
        } else if dtype == DType::BF16 {
            bf16::from_f32(it).to_f32()
        } else {
            it
        }
    };
    let uniform = |out: &mut [f32], f: &(dyn Fn(f32) -> f32 + Sync)| {
        fill(draw, out, |words| words.map(|it| f(uniform(it))));
    };
    match from {
        Distribution::Uniform(low, high) => {
            let (low, high) = (rounded(low as f32), rounded(high as f32));
            let width = rounded(high - low);
            uniform(out, &|it| {
                let value = rounded(it.mul_add(width, low));
                // 1 is among the numbers, and 0 is not.
                if value.total_cmp(&high).is_eq() {
                    low
                } else {
                    value
                }
            });
        }
        Distribution::Normal(mean, std) => {
            let (mean, std) = (mean as f32, std as f32);
            fill(draw, out, |words| {
                normals(words).map(|it| it.mul_add(std, mean))
            });
        }
        Distribution::LogNormal(mean, std) => {
            let (mean, std) = (mean as f32, std as f32);
            fill(draw, out, |words| {
                normals(words).map(|it| it.mul_add(std, mean).exp())
            });
        }
        Distribution::Bernoulli(p) => {
            uniform(out, &|it| f32::from(u8::from(it < p as f32)));
        }
        Distribution::Exponential(rate) => uniform(out, &|it| {
            let near_one = it >= 1.0 - f32::EPSILON / 2.0;
            let log = if near_one {
                -f32::EPSILON / 2.0
            } else {
                it.ln()
            };
            -1.0 / rate as f32 * log
        }),
        Distribution::Cauchy(median, scale) => uniform(out, &|it| {
            let inside = it.clamp(f32::EPSILON, 1.0 - f32::EPSILON);
            median as f32 + scale as f32 * (PI as f32 * (inside - 0.5)).tan()
        }),
        Distribution::Geometric(p) => uniform(out, &|it| (it.ln() / (-p as f32).ln_1p()).ceil()),
    }
}

fn doubles(from: Distribution, draw: &Draw, out: &mut [f64]) {
    let uniform = |out: &mut [f64], f: &(dyn Fn(f64) -> f64 + Sync)| {
        fill(draw, out, |words| {
            pairs(words).map(|it| f(wide_uniform(it)))
        });
    };
    match from {
        Distribution::Uniform(low, high) => uniform(out, &|it| {
            let value = it.mul_add(high - low, low);
            if value.total_cmp(&high).is_eq() {
                low
            } else {
                value
            }
        }),
        Distribution::Normal(mean, std) => {
            fill(draw, out, |words| {
                wide_normals(words).map(|it| it.mul_add(std, mean))
            });
        }
        Distribution::LogNormal(mean, std) => {
            fill(draw, out, |words| {
                wide_normals(words).map(|it| it.mul_add(std, mean).exp())
            });
        }
        Distribution::Bernoulli(p) => uniform(out, &|it| f64::from(u8::from(it < p))),
        Distribution::Exponential(rate) => uniform(out, &|it| {
            let near_one = it >= 1.0 - f64::EPSILON / 2.0;
            let log = if near_one {
                -f64::EPSILON / 2.0
            } else {
                it.ln()
            };
            -1.0 / rate * log
        }),
        Distribution::Cauchy(median, scale) => {
            uniform(out, &|it| median + scale * (PI * (it - 0.5)).tan());
        }
        Distribution::Geometric(p) => uniform(out, &|it| (it.ln() / (-p).ln_1p()).ceil()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::BLOCK;
    use super::*;

    /// Multiprocessors of an H200 times the blocks of 256 threads on each.
    const H200: u64 = 132 * 8;

    fn drawn(generator: &mut Philox, sample: Sample, count: usize, dtype: DType) -> Vec<f64> {
        let draws = generator.fill(count as u64, (dtype.size(), sample.each(dtype)), H200);
        let values = values(sample, &draws, (&[count], dtype), &Device::Cpu).unwrap();
        values
            .to_dtype(candle_core::DType::F64)
            .unwrap()
            .to_vec1()
            .unwrap()
    }

    /// Four digits of each number, as PyTorch prints them.
    fn printed(values: &[f64]) -> String {
        let digits: Vec<String> = values.iter().map(|it| format!("{it:.4}")).collect();
        digits.join(" ")
    }

    const UNIFORM: Sample = Sample::Of(Distribution::Uniform(0.0, 1.0));
    const NORMAL: Sample = Sample::Of(Distribution::Normal(0.0, 1.0));

    #[test]
    fn the_numbers_are_those_that_pytorch_prints_on_a_card() {
        // `torch.manual_seed(0)`, then twice `torch.rand(10, device="cuda")`.
        let mut generator = Philox::new(0);
        let first = drawn(&mut generator, UNIFORM, 10, DType::F32);
        let second = drawn(&mut generator, UNIFORM, 10, DType::F32);
        assert_eq!(
            printed(&first),
            "0.3990 0.5167 0.0249 0.9401 0.9459 0.7967 0.4150 0.8203 0.2290 0.9096"
        );
        assert_eq!(
            printed(&second),
            "0.9722 0.7910 0.4690 0.3300 0.3345 0.3783 0.7640 0.6405 0.1103 0.3594"
        );
        // The same seed, and the last numbers of the first row of `torch.rand(10000, 10000, device="cuda")`.
        let row = drawn(&mut Philox::new(0), UNIFORM, 10_000, DType::F32);
        assert_eq!(printed(&row[9_997..]), "0.9971 0.8137 0.0429");
        // `torch.manual_seed(0); torch.randn(8, 8, device="cuda")`: the first and the last row.
        let normal = drawn(&mut Philox::new(0), NORMAL, 64, DType::F32);
        assert_eq!(
            printed(&normal[..8]),
            "-0.9247 -0.4253 -2.6438 0.1452 -0.1209 -0.5797 -0.6229 -0.3284"
        );
        assert_eq!(
            printed(&normal[56..]),
            "-0.5499 -0.3231 -0.5469 0.9049 0.2837 0.1210 0.4730 -1.0823"
        );
    }

    #[test]
    fn who_gets_which_number_follows_from_the_threads() {
        let threads = (H200 * BLOCK) as usize;
        let all = drawn(&mut Philox::new(7), UNIFORM, 5 * threads + 3, DType::F32);
        let generator = Philox::new(7);
        for (element, thread, group, lane) in [
            (threads - 1, threads - 1, 0, 0),
            (threads + 5, 5, 0, 1),
            (3 * threads, 0, 0, 3),
            (4 * threads + 1, 1, 1, 0),
            (5 * threads + 2, 2, 1, 1),
        ] {
            let word = generator.group(thread as u64, group)[lane];
            assert_eq!(all[element].to_bits(), f64::from(uniform(word)).to_bits());
        }
        // Two numbers of 53 bits come from a group.
        let wide = drawn(&mut Philox::new(7), UNIFORM, threads + 1, DType::F64);
        let [_, _, low, high] = generator.group(0, 0);
        let bits = u64::from(low) ^ (u64::from(high) << 21);
        assert_eq!(wide[threads].to_bits(), wide_uniform(bits).to_bits());
    }

    #[test]
    fn numbers_stay_inside_their_range() {
        for dtype in [DType::F32, DType::F64, DType::F16, DType::BF16] {
            let made = drawn(&mut Philox::new(3), UNIFORM, 100_000, dtype);
            assert!(made.iter().all(|it| (0.0..1.0).contains(it)), "{dtype:?}");
            let exponential = Sample::Of(Distribution::Exponential(1.5));
            let made = drawn(&mut Philox::new(3), exponential, 100_000, dtype);
            assert!(made.iter().all(|it| *it > 0.0), "{dtype:?}");
        }
        let made = drawn(
            &mut Philox::new(3),
            Sample::Range(-3, 4),
            10_000,
            DType::I64,
        );
        assert!(made.iter().all(|it| (-3.0..4.0).contains(it)));
        let made = drawn(&mut Philox::new(3), Sample::Range(0, 5), 1_000, DType::Bool);
        assert!(made.iter().all(|it| *it <= 1.0) && made.contains(&1.0));
        let mean = |made: Vec<f64>| made.iter().sum::<f64>() / made.len() as f64;
        for dtype in [DType::F32, DType::F64] {
            let made = drawn(&mut Philox::new(3), NORMAL, 100_000, dtype);
            assert!(mean(made).abs() < 0.02, "{dtype:?}");
            let kept = Sample::Of(Distribution::Bernoulli(0.3));
            let made = drawn(&mut Philox::new(3), kept, 100_000, dtype);
            assert!((mean(made) - 0.3).abs() < 0.01, "{dtype:?}");
        }
    }
}
