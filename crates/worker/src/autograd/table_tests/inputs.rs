//! Random shapes and types, and values that avoid corners.

use crate::dtype::DType;
use crate::meta::Meta;
use crate::shape::Shape;
use candle_core::{Device, Tensor};
use proptest::prelude::*;

/// Up to four dimensions of up to four elements; empty ones, too.
pub(super) fn shape() -> impl Strategy<Value = Shape> {
    prop::collection::vec(0_usize..=4, 0..=4)
}

/// Any type of the table.
pub(super) fn dtype() -> impl Strategy<Value = DType> {
    prop::sample::select(DType::ALL.to_vec())
}

/// Any tensor.
pub(super) fn meta() -> impl Strategy<Value = Meta> {
    (shape(), dtype()).prop_map(|(shape, dtype)| Meta::new(shape, dtype))
}

/// A shape and one of its dimensions; a scalar has one, too.
pub(super) fn meta_and_dim() -> impl Strategy<Value = (Meta, usize)> {
    meta().prop_flat_map(|meta| {
        let rank = meta.shape.len().max(1);
        (Just(meta), 0..rank)
    })
}

/// Another tensor that often, but not always, broadcasts with one of this shape.
pub(super) fn beside(shape: &Shape) -> impl Strategy<Value = Meta> + use<> {
    let like = shape.clone();
    let kept = prop::collection::vec(any::<bool>(), like.len());
    let fitting = (kept, 0..=like.len()).prop_map(move |(kept, cut)| {
        let ones = like.iter().zip(kept);
        let sizes = ones.map(|(size, kept)| if kept { *size } else { 1 });
        sizes.skip(cut).collect::<Shape>()
    });
    let shape = prop_oneof![4 => fitting, 1 => self::shape()];
    (shape, dtype()).prop_map(|(shape, dtype)| Meta::new(shape, dtype))
}

/// The type of an index: nearly always one that PyTorch takes.
pub(super) fn index_dtype() -> impl Strategy<Value = DType> {
    prop_oneof![8 => Just(DType::I64), 4 => Just(DType::I32), 1 => dtype()]
}

/// Small values with both signs; whole numbers are positions below `below`.
pub(super) fn values(meta: &Meta, seed: u64, below: usize) -> Tensor {
    let count = meta.count() as usize;
    let numbers: Vec<f64> = (0..count)
        .map(|at| {
            let mixed = mixed(seed, at as u64);
            if meta.dtype.is_float() {
                (mixed % 17) as f64 / 4.0 - 2.0
            } else {
                (mixed % below.max(1) as u64) as f64
            }
        })
        .collect();
    let made = Tensor::from_vec(numbers, &*meta.shape, &Device::Cpu).unwrap();
    if meta.dtype == DType::Bool {
        return made.ne(&made.zeros_like().unwrap()).unwrap();
    }
    made.to_dtype(meta.dtype.stored()).unwrap()
}

/// Numbers that differ from each other and are far from 0, from halves and from whole numbers.
pub(super) fn smooth_values(shape: &[usize], seed: u64, input: usize, positive: bool) -> Vec<f64> {
    let count: usize = shape.iter().product();
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by_key(|at| mixed(seed, *at as u64));
    let start = 0.31 + 0.021 * input as f64;
    order
        .iter()
        .map(|at| {
            let size = start + 0.0731 * *at as f64;
            let negative = !positive && mixed(seed + 1, *at as u64).is_multiple_of(2);
            if negative { -size } else { size }
        })
        .collect()
}

/// A fixed mixture of two numbers.
pub(super) fn mixed(seed: u64, at: u64) -> u64 {
    let mut it = seed.wrapping_add(at.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    it = (it ^ (it >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    it = (it ^ (it >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    it ^ (it >> 31)
}

/// How many cases are tried; `PROPTEST_CASES` says otherwise.
pub(super) fn cases() -> u32 {
    let asked = std::env::var("PROPTEST_CASES").ok();
    asked.and_then(|it| it.parse().ok()).unwrap_or(2000)
}
