//! Batch norm and group norm over planes, and their backward. A row is what has a mean: the planes of a channel, or some
//! planes of a sample.

use super::channel_planes::{ChannelPlanes, Moments, PlaneFunction, narrow};
use super::copies::{contiguous, copied};
use super::floats::{of, tensor};
use crate::kernels::card::{Channels, Given};
use crate::kernels::host::is_on_card;
use candle_core::{DType, Result, Tensor};

/// The numbers of a small tensor.
fn numbers(a: &Tensor) -> Option<Vec<f32>> {
    of([a], |[a]| a.to_vec())
}

/// The same of a tensor that may be missing: then none.
fn numbers_if_any(a: Option<&Tensor>) -> Option<Vec<f32>> {
    a.map_or_else(|| Some(Vec::new()), numbers)
}

/// Gives planes in row-major order to a function; nothing for other than `float32` on the host, or no elements. Channels of
/// single elements are planes of a whole batch.
fn with_planes<const N: usize>(
    groups: Option<usize>,
    tensors: [&Tensor; N],
    work: impl FnOnce(ChannelPlanes, [&[f32]; N]) -> Option<Vec<f32>>,
) -> Option<Result<Vec<f32>>> {
    let is_ours = |it: &&Tensor| !is_on_card(it) && it.dtype() == DType::F32;
    let [first, ..] = tensors.as_slice() else {
        return None;
    };
    if !tensors.iter().all(is_ours) || first.elem_count() == 0 {
        return None;
    }
    let placed = tensors.map(|it| {
        if is_turned(groups, it) {
            copied(&it.t()?)?.unsqueeze(0)
        } else {
            contiguous(it)
        }
    });
    let placed: Vec<Tensor> = match placed.into_iter().collect() {
        Ok(placed) => placed,
        Err(error) => return Some(Err(error)),
    };
    let planes = ChannelPlanes::of(groups, placed.first()?).ok()?;
    let placed: [&Tensor; N] = placed.iter().collect::<Vec<_>>().try_into().ok()?;
    of(placed, |all| work(planes, all))?.map(Ok)
}

/// A result in the shape of the input that [`with_planes`] was given.
fn like(made: Result<Vec<f32>>, groups: Option<usize>, input: &Tensor) -> Result<Tensor> {
    let turned: Vec<usize> = input.dims().iter().rev().copied().collect();
    if is_turned(groups, input) {
        copied(&tensor(made?, &turned)?.t()?)
    } else {
        tensor(made?, input.dims())
    }
}

fn is_turned(groups: Option<usize>, a: &Tensor) -> bool {
    groups.is_none() && a.rank() == 2
}

/// Mean and factor of each row: those of the input, unless statistics are given.
fn of_rows(
    planes: ChannelPlanes,
    a: &[f32],
    given: &Given<'_>,
    eps: f64,
) -> Option<Vec<(f32, f32)>> {
    let moments = match given.statistics {
        None => planes.moments(a),
        Some([mean, variance]) => {
            let both = numbers(mean)?.into_iter().zip(numbers(variance)?);
            let wide = |(mean, variance)| Moments {
                mean: f64::from(mean),
                variance: f64::from(variance),
            };
            both.map(wide).collect()
        }
    };
    let both = |it: Moments| (narrow(it.mean), it.factor(eps));
    Some(moments.into_iter().map(both).collect())
}

/// The normalized input, times a weight, plus a bias; nothing for other than `float32` on the host.
pub(crate) fn channel_norm(
    it: Channels,
    input: &Tensor,
    given: Given<'_>,
) -> Option<Result<Tensor>> {
    let made = with_planes(it.groups, [input], |planes, [a]| {
        let [weight, bias] = [numbers_if_any(given.weight)?, numbers_if_any(given.bias)?];
        let rows = of_rows(planes, a, &given, it.eps)?;
        Some(planes.mapped(a, |plane| {
            let (mean, factor) = rows[planes.row_of(plane)];
            let channel = plane % planes.channels;
            PlaneFunction {
                before: mean,
                scale: factor * weight.get(channel).unwrap_or(&1.0),
                after: bias.get(channel).copied().unwrap_or_default(),
            }
        }))
    })?;
    Some(like(made, it.groups, input))
}

/// The gradient of the input.
pub(crate) fn channel_norm_backward(
    it: Channels,
    both: [&Tensor; 2],
    given: Given<'_>,
) -> Option<Result<Tensor>> {
    let made = with_planes(it.groups, both, |planes, [grad, a]| {
        let (weights, sums) = (numbers_if_any(given.weight)?, numbers_if_any(given.sums)?);
        let weight = |plane: usize| *weights.get(plane % planes.channels).unwrap_or(&1.0);
        let known: Vec<&[f32]> = sums.chunks_exact(planes.channels).collect();
        let rows = match known.as_slice() {
            [.., mean, factor] => mean.iter().copied().zip(factor.iter().copied()).collect(),
            _ => of_rows(planes, a, &given, it.eps)?,
        };
        let own = |plane: usize, after: f32| PlaneFunction {
            before: 0.0,
            scale: rows[planes.row_of(plane)].1 * weight(plane),
            after,
        };
        if given.statistics.is_some() {
            // They do not depend on the input.
            return Some(planes.mapped(grad, |plane| own(plane, 0.0)));
        }
        let sums = match known.as_slice() {
            [of_products, of_grad, ..] => {
                let both = of_grad.iter().zip(*of_products);
                both.map(|(grad, products)| [grad, products].map(|it| f64::from(*it)))
                    .collect()
            }
            _ => planes.sums([grad, a], &rows),
        };
        let mut means = vec![[0.0; 2]; planes.rows()];
        for (plane, sums) in sums.iter().enumerate() {
            let share = f64::from(weight(plane)) / planes.width() as f64;
            for (mean, sum) in means[planes.row_of(plane)].iter_mut().zip(sums) {
                *mean += sum * share;
            }
        }
        Some(planes.summed([grad, a], |plane| {
            let row = planes.row_of(plane);
            let ((mean, factor), [of_grad, of_products]) = (rows[row], means[row].map(narrow));
            let along = PlaneFunction {
                before: mean,
                scale: -of_products * factor * factor,
                after: 0.0,
            };
            [own(plane, -of_grad * factor), along]
        }))
    })?;
    Some(like(made, it.groups, both[1]))
}

/// The gradients of weight and bias as two rows; of a batch norm mean and factor of each channel, too.
pub(crate) fn channel_affine(
    it: Channels,
    both: [&Tensor; 2],
    given: Given<'_>,
) -> Option<Result<Tensor>> {
    let channels = both[1].dim(1).ok()?;
    let made = with_planes(it.groups, both, |planes, both| {
        let rows = of_rows(planes, both[1], &given, it.eps)?;
        let mut out = vec![[0.0; 2]; channels];
        for (plane, sums) in planes.sums(both, &rows).iter().enumerate() {
            for (out, sum) in out[plane % channels].iter_mut().zip(sums) {
                *out += sum;
            }
        }
        let [of_bias, of_weight] = [0, 1].map(|at| out.iter().map(move |it| narrow(it[at])));
        let mut all: Vec<f32> = of_weight.chain(of_bias).collect();
        if it.groups.is_none() && given.statistics.is_none() {
            all.extend(rows.iter().map(|it| it.0));
            all.extend(rows.iter().map(|it| it.1));
        }
        Some(all)
    })?;
    Some(made.and_then(|made| {
        let count = made.len() / channels;
        tensor(made, &[count, channels])
    }))
}

/// Mean and unbiased variance of each channel, as two rows.
pub(crate) fn moments(input: &Tensor) -> Option<Result<Tensor>> {
    let made = with_planes(None, [input], |planes, [a]| {
        let (moments, count) = (planes.moments(a), planes.width() as f64);
        let means = moments.iter().map(|it| narrow(it.mean));
        let unbiased = |it: &Moments| narrow(it.variance * count / (count - 1.0));
        Some(means.chain(moments.iter().map(unbiased)).collect())
    })?;
    let channels = input.dim(1).ok()?;
    Some(made.and_then(|made| tensor(made, &[2, channels])))
}
