//! Gradients of changes in place, and of views of what was changed.

use super::shapes::summed_to;
use super::{Grads, of, wanted};
use crate::worker::device::Blocking;
use crate::worker::engine::Engine;
use crate::worker::error::TorchError;
use crate::worker::ops::{Op, View};
use crate::worker::tensor::{Made, Tensor};

/// `into.copy_(from)`: all of the gradient goes to what was copied.
pub(super) fn written(e: &Engine, inputs: &[Tensor], grad: &Tensor) -> Grads {
    let [into, from] = inputs else {
        return Ok(Vec::new());
    };
    Ok(vec![
        wanted(into, || e.full_like(grad, 0.0))?,
        wanted(from, || {
            let there = e.copy(grad, from.place(), Blocking::Yes)?;
            summed_to(e, &there, from)
        })?,
    ])
}

/// New values for all of it: what it was before does not matter.
pub(super) fn filled(e: &Engine, inputs: &[Tensor], grad: &Tensor) -> Grads {
    let before = |input| wanted(input, || e.full_like(grad, 0.0));
    inputs.iter().map(before).collect()
}

/// A view: zeros but where it looks.
pub(super) fn seen_as(e: &Engine, path: &[View], inputs: &[Tensor], grad: &Tensor) -> Grads {
    let spread = |input| wanted(input, || spread(e, path, input, grad));
    inputs.iter().map(spread).collect()
}

/// Zeros like a tensor, with the gradient where these views lead.
pub(super) fn spread(
    e: &Engine,
    path: &[View],
    like: &Tensor,
    grad: &Tensor,
) -> Result<Tensor, TorchError> {
    let whole = e.full_like(like, 0.0)?;
    e.copy_in_place(&part_of(e, path, &whole)?, grad, Blocking::Yes)?;
    Ok(whole)
}

fn part_of(e: &Engine, path: &[View], whole: &Tensor) -> Result<Tensor, TorchError> {
    let see = |it: Tensor, view: &View| e.apply(Op::View(view.clone()), &[&it]);
    path.iter().try_fold(whole.clone(), see)
}

/// Part of a tensor was changed: there the gradient goes through the change, elsewhere straight on.
pub(super) fn in_part(
    e: &Engine,
    (path, own, how): (&[View], Option<usize>, &Made),
    (inputs, out): (&[Tensor], &Tensor),
    grad: &Tensor,
) -> Grads {
    let Some((_, inputs)) = inputs.split_last() else {
        return Ok(Vec::new());
    };
    let whole = e.apply(Op::Clone, &[grad])?;
    let part = part_of(e, path, &whole)?;
    let of_part = e.apply(Op::Clone, &[&part])?;
    let mut grads = of(e, how, inputs, out, &of_part)?;
    let before = own.and_then(|it| grads.get_mut(it)).and_then(Option::take);
    match before {
        Some(before) => e.copy_in_place(&part, &before, Blocking::Yes)?,
        None => e.copy_in_place(&part, &e.full_like(&part, 0.0)?, Blocking::Yes)?,
    }
    drop(part);
    grads.push(Some(whole));
    Ok(grads)
}
