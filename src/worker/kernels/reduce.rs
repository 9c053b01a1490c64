//! Reductions of lanes. Reduced dimensions stay with size 1, so that results broadcast against the input.

use super::elementwise::{Extreme, at_least_1d, sum_type, to_bool};
use super::fast;
use super::host::{Host, KernelResult, is_on_card};
use super::lanes::{Numbers, along, is_nan, numbers, order};
use super::scalar::{larger, smaller};
use crate::worker::shape::{self, Keep};
use candle_core::{DType as Stored, Tensor};
use std::cmp::Ordering;

/// `amax` or `amin`: NaN wins.
pub(crate) fn extreme(host: &Host, which: Extreme, a: &Tensor, dims: &[usize]) -> KernelResult {
    if is_on_card(a) {
        extreme_on_card(which, a, dims)
    } else if a.dtype().is_float() {
        fold(host, which, a, dims)
    } else {
        extreme_of_integers(which, a, dims)
    }
}

/// The same with candle's kernels, for values on a real card, where reading them would make the host wait. Results
/// may differ from the host's in the last bits, as they do between devices in PyTorch.
fn extreme_on_card(which: Extreme, a: &Tensor, dims: &[usize]) -> KernelResult {
    let best = extreme_of_integers(which, &a.contiguous()?, dims)?;
    let is_nan = extreme_of_integers(Extreme::Largest, &a.ne(a)?, dims)?;
    let nan = best.zeros_like()?.affine(0.0, f64::NAN)?;
    Ok(is_nan.where_cond(&nan, &best)?)
}

/// The largest or smallest integers with candle's kernels, which would pass over NaN.
pub(crate) fn extreme_of_integers(which: Extreme, a: &Tensor, dims: &[usize]) -> KernelResult {
    let one = |it: Tensor, dim: &usize| match which {
        Extreme::Largest => it.max_keepdim(*dim),
        Extreme::Smallest => it.min_keepdim(*dim),
    };
    Ok(dims.iter().try_fold(a.clone(), one)?)
}

/// One element of each lane after the other: candle passes over NaN.
fn fold(host: &Host, which: Extreme, a: &Tensor, dims: &[usize]) -> KernelResult {
    let f = match which {
        Extreme::Largest => larger,
        Extreme::Smallest => smaller,
    };
    let mut out = a.clone();
    for dim in dims {
        let values: Vec<f64> = host.read_as(&out, Stored::F64)?;
        let made = along(&values, out.dims(), *dim, |lane| {
            lane.iter().copied().reduce(f).into_iter().collect()
        });
        out = Tensor::from_vec(
            made,
            shape::reduce(out.dims(), &[*dim], Keep::AsOne),
            a.device(),
        )?;
    }
    Ok(out.to_dtype(a.dtype())?)
}

/// `var`: the sum of squared deviations is divided by the number of elements less the correction.
pub(crate) fn variance(a: &Tensor, dims: &[usize], correction: f64) -> KernelResult {
    let a = a.to_dtype(sum_type(a))?;
    let count: usize = dims.iter().filter_map(|dim| a.dims().get(*dim)).product();
    let mean = fast::mean(&a, dims)?;
    let squares = fast::sum(&fast::sqr(&fast::sub(&a, &mean)?)?, dims)?;
    // With too few elements for the correction, PyTorch divides by 0.
    let left = Tensor::new((count as f64 - correction).max(0.0), a.device())?;
    Ok(squares.broadcast_div(&left.to_dtype(a.dtype())?)?)
}

pub(crate) fn vector_norm(host: &Host, a: &Tensor, dims: &[usize], order: f64) -> KernelResult {
    let size = a.to_dtype(sum_type(a))?.abs()?;
    Ok(match order {
        2.0 => fast::sum(&fast::sqr(&size)?, dims)?.sqrt()?,
        1.0 => size.sum_keepdim(dims)?,
        0.0 => to_bool(&size)?.to_dtype(size.dtype())?.sum_keepdim(dims)?,
        f64::INFINITY => extreme(host, Extreme::Largest, &size, dims)?,
        f64::NEG_INFINITY => extreme(host, Extreme::Smallest, &size, dims)?,
        _ => size.powf(order)?.sum_keepdim(dims)?.powf(1.0 / order)?,
    })
}

pub(crate) fn log_sum_exp(host: &Host, a: &Tensor, dims: &[usize]) -> KernelResult {
    let a = a.to_dtype(sum_type(a))?;
    let best = extreme(host, Extreme::Largest, &a, dims)?;
    // Infinity minus infinity is NaN; PyTorch subtracts nothing there.
    let finite = best
        .abs()?
        .lt(&best.ones_like()?.affine(f64::INFINITY, 0.0)?)?;
    let shift = finite.where_cond(&best, &best.zeros_like()?)?;
    let sum = a.broadcast_sub(&shift)?.exp()?.sum_keepdim(dims)?;
    Ok(sum.log()?.add(&shift)?)
}

pub(crate) fn product(host: &Host, a: &Tensor, dims: &[usize]) -> KernelResult {
    let mut out = a.clone();
    for dim in dims {
        let made = match numbers(host, &out)? {
            Numbers::Integers(values) => {
                Numbers::Integers(along(&values, out.dims(), *dim, |lane| {
                    vec![lane.iter().fold(1_i64, |a, b| a.wrapping_mul(*b))]
                }))
            }
            Numbers::Floats(values) => Numbers::Floats(along(&values, out.dims(), *dim, |lane| {
                vec![lane.iter().product()]
            })),
        };
        // Products of narrow integers do not fit into them.
        let wide = if a.dtype().is_float() {
            Stored::F64
        } else {
            Stored::I64
        };
        out = made.tensor(&shape::reduce(out.dims(), &[*dim], Keep::AsOne), a, wide)?;
    }
    Ok(out)
}

/// `argmax` or `argmin`: the position of the first extreme element, where NaN is both; of the flattened tensor
/// without a dimension.
pub(crate) fn position(
    host: &Host,
    which: Extreme,
    a: &Tensor,
    dim: Option<usize>,
) -> KernelResult {
    let (a, dim) = match dim {
        Some(dim) => (at_least_1d(a)?, dim),
        None => (a.flatten_all()?, 0),
    };
    if is_on_card(&a) {
        return positions_on_card(which, &a, dim);
    }
    let found = match numbers(host, &a)? {
        Numbers::Integers(values) => along(&values, a.dims(), dim, |lane| vec![first(which, lane)]),
        Numbers::Floats(values) => along(&values, a.dims(), dim, |lane| vec![first(which, lane)]),
    };
    let count = found.len();
    Ok(Tensor::from_vec(found, count, a.device())?)
}

/// Positions of extremes along a dimension. Which of several equal ones is found is not fixed, as in PyTorch.
fn positions_on_card(which: Extreme, a: &Tensor, dim: usize) -> KernelResult {
    let a = a.contiguous()?;
    let found = match which {
        Extreme::Largest => a.argmax(dim)?,
        Extreme::Smallest => a.argmin(dim)?,
    };
    Ok(found.to_dtype(Stored::I64)?.flatten_all()?)
}

fn first<T: PartialOrd + Copy>(which: Extreme, lane: &[T]) -> i64 {
    let better = match which {
        Extreme::Largest => Ordering::Greater,
        Extreme::Smallest => Ordering::Less,
    };
    let mut best: Option<(usize, T)> = None;
    for (at, it) in lane.iter().enumerate() {
        let wins = best.is_none_or(|(_, value)| {
            !is_nan(&value) && (is_nan(it) || order(it, &value) == better)
        });
        if wins {
            best = Some((at, *it));
        }
    }
    best.map_or(0, |(at, _)| at as i64)
}
