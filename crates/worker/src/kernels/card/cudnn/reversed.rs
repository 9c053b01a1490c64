//! A layer from the last step to the first: cuDNN has this order only together with the other one, so the steps are reversed
//! before it and after it.

use super::handle::Handle;
use super::{LayerReserve, recurrent};
use crate::kernels::card::{cat, flipped, on_one_card};
use crate::kernels::recurrent::{Order, RecurrentLayer};
use candle_core::{Result, Tensor};

/// What the layer gives, and what its backward reads; nothing for sequences of different lengths, which end at different
/// steps.
pub(super) fn forward(layer: RecurrentLayer<'_>) -> Option<Result<(Tensor, LayerReserve)>> {
    if layer.order == Order::Forward {
        let done = recurrent::forward(layer)?;
        return Some(done.map(|it| (it.outputs.clone(), it)));
    }
    let run = || {
        let steps = layer.tensors.first().map_or(Ok(0), |it| it.dim(0))?;
        let Some(done) = of_reversed(layer, recurrent::forward)? else {
            return Ok(None);
        };
        Ok(Some((reversed(&done.outputs, steps)?, done)))
    };
    run().transpose()
}

/// The gradients of all tensors, flattened and joined.
pub(super) fn backward(
    layer: RecurrentLayer<'_>,
    grad: &Tensor,
    reserve: &LayerReserve,
) -> Option<Result<Tensor>> {
    if layer.order == Order::Forward {
        return recurrent::backward(layer, grad, reserve);
    }
    let run = || {
        let Some(input) = layer.tensors.first() else {
            return Ok(None);
        };
        let steps = input.dim(0)?;
        let back = |layer: RecurrentLayer<'_>| {
            let grad = reversed(grad, steps);
            grad.map_or_else(
                |error| Some(Err(error)),
                |grad| recurrent::backward(layer, &grad, reserve),
            )
        };
        let Some(all) = of_reversed(layer, back)? else {
            return Ok(None);
        };
        let count = input.elem_count();
        let of_input = all.narrow(0, 0, count)?.reshape(input.shape())?;
        let of_input = reversed(&of_input, input.dim(0)?)?.flatten_all()?;
        let rest = all.narrow(0, count, all.elem_count() - count)?;
        joined(&[of_input, rest]).map(Some)
    };
    run().transpose()
}

/// What a function makes of the layer whose input has its steps reversed.
fn of_reversed<T>(
    layer: RecurrentLayer<'_>,
    of: impl FnOnce(RecurrentLayer<'_>) -> Option<Result<T>>,
) -> Result<Option<T>> {
    let (None, Some((input, rest))) = (layer.lengths, layer.tensors.split_first()) else {
        return Ok(None);
    };
    if !on_one_card(layer.tensors) || Handle::of(input.device().as_cuda_device()?).is_none() {
        return Ok(None);
    }
    let input = reversed(input, input.dim(0)?)?;
    let tensors: Vec<&Tensor> = [&input].into_iter().chain(rest.iter().copied()).collect();
    of(RecurrentLayer {
        order: Order::Forward,
        tensors: &tensors,
        ..layer
    })
    .transpose()
}

/// The first so many rows in the reverse order, and the others as they are.
fn reversed(a: &Tensor, steps: usize) -> Result<Tensor> {
    let first = a.narrow(0, 0, steps)?;
    let first = flipped(&first, &[0]).unwrap_or_else(|| first.flip(&[0]))?;
    match a.dim(0)? - steps {
        0 => Ok(first),
        rest => joined(&[first, a.narrow(0, steps, rest)?]),
    }
}

fn joined(parts: &[Tensor]) -> Result<Tensor> {
    cat(parts, 0).unwrap_or_else(|| Tensor::cat(parts, 0))
}
