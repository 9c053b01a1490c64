//! The candle calls of reductions.

use super::host::{is_on_card, read_as};
use super::lanes::{Numbers, Ordered, along, numbers};
use super::pointwise::{larger, smaller};
use super::{Done, card, summed_in, truths, with_dims};
use crate::worker::meta::Meta;
use crate::worker::ops::{Extreme, Reduction};
use candle_core::{DType as Stored, Tensor};
use std::cmp::Ordering;

/// Reduces dimensions, all of them if none is named.
pub(super) fn reduce(how: Reduction, a: &Tensor, dims: &[usize], result: &Meta) -> Done {
    // "No dimension" means all of them, and so does a scalar's only one.
    let dims: Vec<usize> = if dims.is_empty() || a.rank() == 0 {
        (0..a.rank()).collect()
    } else {
        dims.to_vec()
    };
    let stored = result.dtype.stored();
    if a.elem_count() == 0 {
        return of_nothing(how, a, result);
    }
    let kept = match how {
        Reduction::Sum if result.dtype.is_float() => a.to_dtype(summed_in(a))?.sum_keepdim(dims)?,
        Reduction::Sum => a.to_dtype(Stored::I64)?.sum_keepdim(dims)?,
        Reduction::Mean => a.to_dtype(summed_in(a))?.mean_keepdim(dims)?,
        Reduction::CountNonzero => truths(a)?.to_dtype(Stored::I64)?.sum_keepdim(dims)?,
        Reduction::Any => largest(&truths(a)?, &dims)?,
        Reduction::All => smallest(&truths(a)?, &dims)?,
        Reduction::Var(correction) => variance(a, dims, correction)?,
        Reduction::Std(correction) => variance(a, dims, correction)?.sqrt()?,
        Reduction::Norm(order) => norm(a, dims, order)?,
        Reduction::LogSumExp => log_sum_exp(&a.to_dtype(stored)?, dims)?,
        Reduction::Max | Reduction::AMax if is_on_card(a) => {
            card::extremes(Extreme::Largest, a, &dims)?
        }
        Reduction::Min | Reduction::AMin if is_on_card(a) => {
            card::extremes(Extreme::Smallest, a, &dims)?
        }
        Reduction::Max | Reduction::AMax if !a.dtype().is_float() => largest(a, &dims)?,
        Reduction::Min | Reduction::AMin if !a.dtype().is_float() => smallest(a, &dims)?,
        Reduction::Max | Reduction::AMax => folded(a, &dims, larger)?,
        Reduction::Min | Reduction::AMin => folded(a, &dims, smaller)?,
        Reduction::Prod => product(a, &dims)?,
    };
    Ok(kept.reshape(&*result.shape)?.to_dtype(stored)?)
}

/// What is left when there is nothing to reduce; the result may still have elements.
fn of_nothing(how: Reduction, a: &Tensor, result: &Meta) -> Done {
    let value = match how {
        Reduction::Sum | Reduction::Any | Reduction::CountNonzero | Reduction::Norm(_) => 0.0,
        Reduction::Prod | Reduction::All => 1.0,
        Reduction::LogSumExp => f64::NEG_INFINITY,
        Reduction::Mean
        | Reduction::Var(_)
        | Reduction::Std(_)
        | Reduction::Max
        | Reduction::Min
        | Reduction::AMax
        | Reduction::AMin => f64::NAN,
    };
    let one = Tensor::new(value, a.device())?.to_dtype(result.dtype.stored())?;
    Ok(one.broadcast_as(&*result.shape)?.force_contiguous()?)
}

fn largest(a: &Tensor, dims: &[usize]) -> Done {
    let one = |it: Tensor, dim: &usize| it.max_keepdim(*dim);
    Ok(dims.iter().try_fold(a.clone(), one)?)
}

fn smallest(a: &Tensor, dims: &[usize]) -> Done {
    let one = |it: Tensor, dim: &usize| it.min_keepdim(*dim);
    Ok(dims.iter().try_fold(a.clone(), one)?)
}

fn variance(a: &Tensor, dims: Vec<usize>, correction: f64) -> Done {
    let a = a.to_dtype(summed_in(a))?;
    let count: usize = dims.iter().filter_map(|dim| a.dims().get(*dim)).product();
    let mean = a.mean_keepdim(dims.clone())?;
    let squares = a.broadcast_sub(&mean)?.sqr()?.sum_keepdim(dims)?;
    // With too few elements for the correction, PyTorch divides by 0.
    let left = Tensor::new((count as f64 - correction).max(0.0), a.device())?;
    Ok(squares.broadcast_div(&left.to_dtype(a.dtype())?)?)
}

fn norm(a: &Tensor, dims: Vec<usize>, order: f64) -> Done {
    let size = a.to_dtype(summed_in(a))?.abs()?;
    Ok(match order {
        2.0 => size.sqr()?.sum_keepdim(dims)?.sqrt()?,
        1.0 => size.sum_keepdim(dims)?,
        0.0 => truths(&size)?.to_dtype(size.dtype())?.sum_keepdim(dims)?,
        f64::INFINITY => largest_of(&size, &dims)?,
        f64::NEG_INFINITY if is_on_card(a) => card::extremes(Extreme::Smallest, &size, &dims)?,
        f64::NEG_INFINITY => folded(&size, &dims, smaller)?,
        _ => size.powf(order)?.sum_keepdim(dims)?.powf(1.0 / order)?,
    })
}

fn log_sum_exp(a: &Tensor, dims: Vec<usize>) -> Done {
    let a = a.to_dtype(summed_in(a))?;
    let best = largest_of(&a, &dims)?;
    // Infinity less infinity is not a number; PyTorch takes nothing away there.
    let finite = best
        .abs()?
        .lt(&best.ones_like()?.affine(f64::INFINITY, 0.0)?)?;
    let shift = finite.where_cond(&best, &best.zeros_like()?)?;
    let sum = a.broadcast_sub(&shift)?.exp()?.sum_keepdim(dims)?;
    Ok(sum.log()?.add(&shift)?)
}

fn product(a: &Tensor, dims: &[usize]) -> Done {
    let mut out = a.clone();
    for dim in dims {
        let mut kept = out.dims().to_vec();
        if let Some(it) = kept.get_mut(*dim) {
            *it = 1;
        }
        let made = match numbers(&out)? {
            Numbers::Whole(values) => Numbers::Whole(along(&values, out.dims(), *dim, |lane| {
                vec![lane.iter().fold(1_i64, |a, b| a.wrapping_mul(*b))]
            })),
            Numbers::Real(values) => Numbers::Real(along(&values, out.dims(), *dim, |lane| {
                vec![lane.iter().product()]
            })),
        };
        // Products of narrow whole numbers do not fit into them.
        let wide = if a.dtype().is_float() {
            Stored::F64
        } else {
            Stored::I64
        };
        out = made.tensor(&kept, a, wide)?;
    }
    Ok(out)
}

/// The largest of each lane; what is not a number wins.
fn largest_of(a: &Tensor, dims: &[usize]) -> Done {
    if is_on_card(a) {
        card::extremes(Extreme::Largest, a, dims)
    } else {
        folded(a, dims, larger)
    }
}

/// One element of each lane after the other; candle passes over what is not a number.
fn folded(a: &Tensor, dims: &[usize], f: fn(f64, f64) -> f64) -> Done {
    let mut out = a.clone();
    for dim in dims {
        let mut kept = out.dims().to_vec();
        if let Some(it) = kept.get_mut(*dim) {
            *it = 1;
        }
        let values: Vec<f64> = read_as(&out, Stored::F64)?;
        let made = along(&values, out.dims(), *dim, |lane| {
            lane.iter().copied().reduce(f).into_iter().collect()
        });
        out = Tensor::from_vec(made, kept, a.device())?;
    }
    Ok(out.to_dtype(a.dtype())?)
}

/// The position of the first largest or smallest element; what is not a number is both.
pub(super) fn arg(which: Extreme, a: &Tensor, dim: Option<usize>) -> Done {
    let (a, dim) = match dim {
        Some(dim) => (with_dims(a)?, dim),
        None => (a.flatten_all()?, 0),
    };
    if is_on_card(&a) {
        return card::positions(which, &a, dim);
    }
    let found = match numbers(&a)? {
        Numbers::Whole(values) => along(&values, a.dims(), dim, |lane| vec![first(which, lane)]),
        Numbers::Real(values) => along(&values, a.dims(), dim, |lane| vec![first(which, lane)]),
    };
    let count = found.len();
    Ok(Tensor::from_vec(found, count, a.device())?)
}

fn first<T: Ordered>(which: Extreme, lane: &[T]) -> i64 {
    let better = match which {
        Extreme::Largest => Ordering::Greater,
        Extreme::Smallest => Ordering::Less,
    };
    let mut best: Option<(usize, T)> = None;
    for (at, it) in lane.iter().enumerate() {
        let wins = best.is_none_or(|(_, value)| {
            !value.is_no_number() && (it.is_no_number() || it.order(&value) == better)
        });
        if wins {
            best = Some((at, *it));
        }
    }
    best.map_or(0, |(at, _)| at as i64)
}
