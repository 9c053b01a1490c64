//! Reductions of lanes. Reduced dimensions stay with size 1, so that results broadcast against the input.

use super::elementwise::{Extreme, at_least_1d, sum_type, to_bool};
use super::host::{Host, KernelResult, is_on_card};
use super::lanes::{Numbers, along, numbers};
use super::{card, fast};
use crate::shape::{self, Keep};
use candle_core::{DType as Stored, Tensor};

/// `amax` or `amin`: NaN wins.
pub(crate) fn extreme(which: Extreme, a: &Tensor, dims: &[usize]) -> KernelResult {
    let name = match which {
        Extreme::Largest => "largest",
        Extreme::Smallest => "smallest",
    };
    if let Some(made) = card::reduce(card::Reducer::named(name, [0.0; 2]), a, dims) {
        return Ok(made?);
    }
    if is_on_card(a) {
        return if a.dtype().is_float() {
            extreme_on_card(which, a, dims)
        } else {
            extreme_of_integers(which, a, dims)
        };
    }
    // All dimensions at once are one row.
    if dims.len() == a.rank() && a.rank() > 1 {
        let all = extreme(which, &fast::reshape(a, &[a.elem_count()])?, &[0])?;
        return Ok(all.reshape(vec![1; a.rank()])?);
    }
    // 16-bit floats are compared as wider ones.
    let wide = fast::contiguous(&a.to_dtype(sum_type(a))?)?;
    let one = |it: Tensor, dim: &usize| {
        let made = match which {
            Extreme::Largest => fast::largest_along(&it, *dim),
            Extreme::Smallest => fast::smallest_along(&it, *dim),
        };
        made.unwrap_or_else(|| Ok(it))
    };
    Ok(dims.iter().try_fold(wide, one)?.to_dtype(a.dtype())?)
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
fn extreme_of_integers(which: Extreme, a: &Tensor, dims: &[usize]) -> KernelResult {
    let one = |it: Tensor, dim: &usize| match which {
        Extreme::Largest => it.max_keepdim(*dim),
        Extreme::Smallest => it.min_keepdim(*dim),
    };
    Ok(dims.iter().try_fold(a.clone(), one)?)
}

/// `var`: the sum of squared deviations is divided by the number of elements less the correction.
pub(crate) fn variance(a: &Tensor, dims: &[usize], correction: f64) -> KernelResult {
    let a = a.to_dtype(sum_type(a))?;
    let count: usize = dims.iter().filter_map(|dim| a.dims().get(*dim)).product();
    let mean = fast::mean(&a, dims)?;
    let squares = fast::sum(&fast::sqr(&fast::sub(&a, &mean)?)?, dims)?;
    // With too few elements for the correction, PyTorch divides by 0.
    let left = Tensor::full((count as f64 - correction).max(0.0), (), a.device())?;
    Ok(squares.broadcast_div(&left.to_dtype(a.dtype())?)?)
}

pub(crate) fn vector_norm(a: &Tensor, dims: &[usize], order: f64) -> KernelResult {
    let a = a.to_dtype(sum_type(a))?;
    let size = || fast::abs(&a);
    Ok(match order {
        2.0 => fast::sqrt(&fast::sum(&fast::sqr(&a)?, dims)?)?,
        1.0 => fast::sum(&size()?, dims)?,
        0.0 => fast::sum(&to_bool(&a)?.to_dtype(a.dtype())?, dims)?,
        f64::INFINITY => extreme(Extreme::Largest, &size()?, dims)?,
        f64::NEG_INFINITY => extreme(Extreme::Smallest, &size()?, dims)?,
        _ => fast::sum(&size()?.powf(order)?, dims)?.powf(1.0 / order)?,
    })
}

pub(crate) fn log_sum_exp(a: &Tensor, dims: &[usize]) -> KernelResult {
    let a = a.to_dtype(sum_type(a))?;
    let best = extreme(Extreme::Largest, &a, dims)?;
    // Infinity minus infinity is NaN; PyTorch subtracts nothing there.
    let finite = best
        .abs()?
        .lt(&best.ones_like()?.affine(f64::INFINITY, 0.0)?)?;
    let shift = finite.where_cond(&best, &best.zeros_like()?)?;
    let sum = fast::sum(&fast::exp(&fast::sub(&a, &shift)?)?, dims)?;
    Ok(fast::add(&fast::ln(&sum)?, &shift)?)
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
pub(crate) fn position(which: Extreme, a: &Tensor, dim: Option<usize>) -> KernelResult {
    let (a, dim) = match dim {
        Some(dim) => (at_least_1d(a)?, dim),
        None => (fast::reshape(a, &[a.elem_count()])?, 0),
    };
    let name = match which {
        Extreme::Largest => "place_of_largest",
        Extreme::Smallest => "place_of_smallest",
    };
    let reducer = card::Reducer::named(name, [0.0; 2]);
    if let Some(made) = card::reduce(reducer, &a, &[dim]) {
        return Ok(made?.flatten_all()?);
    }
    if is_on_card(&a) {
        return positions_by_candle(which, &a, dim);
    }
    // 16-bit floats are compared as wider ones.
    let wide = fast::contiguous(&a.to_dtype(sum_type(&a))?)?;
    let found = match which {
        Extreme::Largest => fast::places_of_largest(&wide, dim),
        Extreme::Smallest => fast::places_of_smallest(&wide, dim),
    };
    match found {
        Some(found) => Ok(found?.flatten_all()?),
        None => positions_by_candle(which, &a, dim),
    }
}

/// Positions of extremes along a dimension, of types that have no kernel of ours.
fn positions_by_candle(which: Extreme, a: &Tensor, dim: usize) -> KernelResult {
    let a = a.contiguous()?;
    let found = match which {
        Extreme::Largest => a.argmax(dim)?,
        Extreme::Smallest => a.argmin(dim)?,
    };
    Ok(found.to_dtype(Stored::I64)?.flatten_all()?)
}
