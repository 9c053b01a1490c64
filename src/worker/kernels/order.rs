//! Orders, running totals and dimensions turned around.

use super::lanes::{Numbers, Ordered, along, numbers};
use super::{Done, with_dims};
use crate::worker::meta::Meta;
use crate::worker::ops::{Order, Scan};
use candle_core::Tensor;
use std::cmp::Ordering;

/// The positions that an order gives along a dimension.
pub(super) fn positions(how: Order, a: &Tensor, dim: usize, result: &Meta) -> Done {
    if a.rank() == 0 {
        // A scalar is the first of itself, however many were asked for.
        return Ok(Tensor::new(0_i64, a.device())?);
    }
    let found = match numbers(a)? {
        Numbers::Whole(values) => along(&values, a.dims(), dim, |lane| of_lane(how, lane)),
        Numbers::Real(values) => along(&values, a.dims(), dim, |lane| of_lane(how, lane)),
    };
    Ok(Tensor::from_vec(found, &*result.shape, a.device())?)
}

fn of_lane<T: Ordered>(how: Order, lane: &[T]) -> Vec<i64> {
    let found = match how {
        Order::Sort { descending } => sorted(lane, descending),
        Order::Top { count, largest } => {
            let mut all = sorted(lane, largest);
            all.truncate(count);
            all
        }
        Order::Kth(place) => one(&sorted(lane, false), place.saturating_sub(1)),
        Order::Median => match lane.iter().position(T::is_no_number) {
            Some(at) => vec![at],
            None => one(&sorted(lane, false), lane.len().saturating_sub(1) / 2),
        },
        Order::MaxSoFar => so_far(lane, Ordering::Less),
        Order::MinSoFar => so_far(lane, Ordering::Greater),
    };
    found.into_iter().map(|at| at as i64).collect()
}

fn one(sorted: &[usize], place: usize) -> Vec<usize> {
    sorted.get(place).copied().into_iter().collect()
}

fn sorted<T: Ordered>(lane: &[T], descending: bool) -> Vec<usize> {
    let mut pairs: Vec<(usize, T)> = lane.iter().copied().enumerate().collect();
    pairs.sort_by(|(_, a), (_, b)| if descending { b.order(a) } else { a.order(b) });
    pairs.into_iter().map(|(at, _)| at).collect()
}

/// The last position of the best element up to each; what is not a number stays the best.
fn so_far<T: Ordered>(lane: &[T], worse: Ordering) -> Vec<usize> {
    let mut best: Option<(usize, T)> = None;
    let mut found = Vec::with_capacity(lane.len());
    for (at, it) in lane.iter().enumerate() {
        let (best_at, value) = best.unwrap_or((at, *it));
        let here = if better(value, *it, worse) {
            (at, *it)
        } else {
            (best_at, value)
        };
        best = Some(here);
        found.push(here.0);
    }
    found
}

fn better<T: Ordered>(best: T, next: T, worse: Ordering) -> bool {
    if next.is_no_number() || best.is_no_number() {
        return next.is_no_number();
    }
    best.order(&next) != worse.reverse()
}

/// Totals up to each element.
pub(super) fn scan(how: Scan, a: &Tensor, dim: usize, result: &Meta) -> Done {
    let a = with_dims(a)?;
    let totals = match numbers(&a)? {
        Numbers::Whole(values) => Numbers::Whole(along(&values, a.dims(), dim, |lane| {
            running(lane, |a, b| match how {
                Scan::Sum => a.wrapping_add(b),
                Scan::Product => a.wrapping_mul(b),
            })
        })),
        Numbers::Real(values) => Numbers::Real(along(&values, a.dims(), dim, |lane| {
            running(lane, |a, b| match how {
                Scan::Sum => a + b,
                Scan::Product => a * b,
            })
        })),
    };
    totals.tensor(&result.shape, &a, result.dtype.stored())
}

fn running<T: Copy>(lane: &[T], add: impl Fn(T, T) -> T) -> Vec<T> {
    let mut total = None;
    lane.iter()
        .map(|it| {
            let next = total.map_or(*it, |before| add(before, *it));
            total = Some(next);
            next
        })
        .collect()
}

/// Dimensions turned around.
pub(super) fn flip(a: &Tensor, dims: &[usize]) -> Done {
    let mut out = a.contiguous()?;
    for dim in dims {
        if let Some(size) = a.dims().get(*dim) {
            let back: Vec<i64> = (0..*size as i64).rev().collect();
            let back = Tensor::from_vec(back, *size, a.device())?;
            out = out.index_select(&back, *dim)?;
        }
    }
    Ok(out)
}
