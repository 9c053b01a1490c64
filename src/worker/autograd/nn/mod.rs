//! Gradients of layers and losses. Each way back is an operation of its own, as each is one kernel in
//! PyTorch; only a layer's product goes back by the products and sums that PyTorch takes, too.

use super::shapes::{as_type, flipped, reshaped};
use super::{Grads, Op};
use crate::worker::engine::Engine;
use crate::worker::error::TorchError;
use crate::worker::ops::nn::{Activation, Nn, Norm, Pointwise, Reduced, SavedOperand};
use crate::worker::ops::{Binary, Reduction, View};
use crate::worker::shape::Keep;
use crate::worker::tensor::Tensor;

type Grad = Result<Option<Tensor>, TorchError>;

/// The gradients of the inputs of an operation, given that of its result.
pub(super) fn of(e: &Engine, op: &Nn, inputs: &[Tensor], out: &Tensor, grad: &Tensor) -> Grads {
    let apply = |op: Nn, inputs: &[&Tensor]| e.apply(Op::Nn(op), inputs);
    match (op, inputs) {
        (Nn::Linear | Nn::LinearBias, [input, weight, bias @ ..]) => {
            linear(e, (input, weight), bias.first(), grad)
        }
        (Nn::Activate(how), [input]) => Ok(vec![Some(activation(e, *how, (input, out), grad)?)]),
        (Nn::Norm(how), [input, parameters @ ..]) => norm(e, *how, input, parameters, grad),
        (Nn::Loss(how, reduced), [input, target]) => {
            loss(e, (*how, *reduced), (input, target), grad)
        }
        (Nn::Nll(how), [scores, target, weight @ ..]) => {
            let back = Nn::NllBackward(*how, scores.shape());
            let of_scores = match weight.first() {
                Some(weight) => apply(back, &[grad, target, weight])?,
                None => apply(back, &[grad, target])?,
            };
            Ok(vec![Some(of_scores), None, None])
        }
        (Nn::Embedding(padding), [weight, indices]) => {
            let rows = weight.shape().first().copied().unwrap_or(0);
            let back = Nn::EmbeddingBackward {
                rows,
                padding: *padding,
            };
            Ok(vec![Some(apply(back, &[grad, indices])?), None])
        }
        (Nn::Dropout(p), [_, mask]) => Ok(vec![Some(apply(Nn::Dropout(*p), &[grad, mask])?), None]),
        (Nn::Attention(how), [query, key, value, mask @ ..]) => {
            let mut given = vec![grad, query, key, value];
            given.extend(mask);
            let all = apply(Nn::AttentionBackward(*how), &given)?;
            let mut start = 0;
            let mut grads = Vec::new();
            for input in [query, key, value] {
                let len = input.meta().count() as usize;
                let view = View::Narrow { dim: 0, start, len };
                let own = e.apply(Op::View(view), &[&all])?;
                grads.push(Some(reshaped(e, &own, input.shape())?));
                start += len;
            }
            grads.extend(mask.iter().map(|_| None));
            Ok(grads)
        }
        // These ways back are linear in the gradient, so that they can be gone backward themselves.
        (Nn::NllBackward(how, _), [_, target, weight @ ..]) => {
            let mut given = vec![grad, target];
            given.extend(weight);
            let of_grad = apply(Nn::Nll(*how), &given)?;
            Ok([Some(of_grad)]
                .into_iter()
                .chain(inputs.iter().skip(1).map(|_| None))
                .collect())
        }
        (Nn::EmbeddingBackward { padding, .. }, [_, indices]) if padding.is_none() => Ok(vec![
            Some(apply(Nn::Embedding(None), &[grad, indices])?),
            None,
        ]),
        (op, _) => Err(TorchError::missing(format!(
            "the gradient of the gradient of this ({}) is not part of warpup; PyTorch has it",
            op.name()
        ))),
    }
}

/// The gradient of an input that wants one.
fn wanted(input: &Tensor, make: impl FnOnce() -> Result<Tensor, TorchError>) -> Grad {
    if input.requires_grad() {
        make().map(Some)
    } else {
        Ok(None)
    }
}

/// The way back through an activation, from what it keeps.
pub(super) fn activation(
    e: &Engine,
    how: Activation,
    (input, out): (&Tensor, &Tensor),
    grad: &Tensor,
) -> Result<Tensor, TorchError> {
    let kept = match how.saved_operand() {
        SavedOperand::Input => input,
        SavedOperand::Result => out,
    };
    e.apply(Op::Nn(Nn::ActivationBackward(how)), &[grad, kept])
}

fn norm(e: &Engine, how: Norm, input: &Tensor, parameters: &[Tensor], grad: &Tensor) -> Grads {
    let apply = |op: Nn, inputs: &[&Tensor]| e.apply(Op::Nn(op), inputs);
    let mut given = vec![grad, input];
    given.extend(parameters.first());
    let mut grads = vec![wanted(input, || apply(Nn::NormBackward(how), &given))?];
    if !parameters.iter().any(Tensor::requires_grad) {
        grads.extend(parameters.iter().map(|_| None));
        return Ok(grads);
    }
    let parts = apply(Nn::NormAffineBackward(how), &given)?;
    for (at, parameter) in parameters.iter().enumerate() {
        grads.push(Some(part(e, &parts, at, parameter)?));
    }
    Ok(grads)
}

fn loss(
    e: &Engine,
    (how, reduced): (Pointwise, Reduced),
    (input, target): (&Tensor, &Tensor),
    grad: &Tensor,
) -> Grads {
    let back = |of: &Tensor, other: &Tensor| {
        if how == Pointwise::Mse && e.grad_enabled() {
            return squares(e, reduced, (of, other), grad);
        }
        let back = Op::Nn(Nn::LossBackward(how, reduced));
        e.apply(back, &[grad, of, other])
    };
    let of_input = wanted(input, || back(input, target))?;
    let of_target = wanted(target, || match how {
        // They are the same from either side.
        Pointwise::Mse | Pointwise::SmoothL1(_) | Pointwise::Huber(_) => back(target, input),
        Pointwise::Bce | Pointwise::BceWithLogits => Err(TorchError::missing(format!(
            "the gradient of the target of {} is not part of warpup; PyTorch has it. Detach the target, or write the loss as arithmetic",
            Nn::Loss(how, reduced).name()
        ))),
    })?;
    Ok(vec![of_input, of_target])
}

/// The gradient of squared differences, made of operations that have one themselves.
fn squares(
    e: &Engine,
    reduced: Reduced,
    (input, target): (&Tensor, &Tensor),
    grad: &Tensor,
) -> Result<Tensor, TorchError> {
    let count = match reduced {
        Reduced::Not | Reduced::Sum => 1,
        Reduced::Mean => input.meta().count().max(1),
    };
    let apart = e.binary(Binary::Sub, input, target)?;
    let slope = e.number(Binary::Mul, &apart, 2.0 / count as f64)?;
    e.binary(Binary::Mul, &slope, grad)
}

/// One of the tensors that lie on top of each other.
fn part(e: &Engine, parts: &Tensor, at: usize, like: &Tensor) -> Result<Tensor, TorchError> {
    let view = View::Narrow {
        dim: 0,
        start: at,
        len: 1,
    };
    let own = e.apply(Op::View(view), &[parts])?;
    as_type(e, reshaped(e, &own, like.shape())?, like.dtype())
}

fn linear(
    e: &Engine,
    (input, weight): (&Tensor, &Tensor),
    bias: Option<&Tensor>,
    grad: &Tensor,
) -> Grads {
    let columns = input.shape().last().copied().unwrap_or(1);
    let rows = (input.meta().count() / columns.max(1) as u64) as usize;
    // A weight of one row only has a number for each row of the input.
    let features = if weight.rank() == 2 {
        weight.shape().first().copied().unwrap_or(1)
    } else {
        1
    };
    let grad_rows = reshaped(e, grad, vec![rows, features])?;
    let matrix = reshaped(e, weight, vec![features, columns])?;
    let of_input = wanted(input, || {
        let product = e.apply(Op::MatMul, &[&grad_rows, &matrix])?;
        reshaped(e, &product, input.shape())
    })?;
    let of_weight = wanted(weight, || {
        let input_rows = reshaped(e, input, vec![rows, columns])?;
        let product = e.apply(Op::MatMul, &[&flipped(e, &grad_rows)?, &input_rows])?;
        reshaped(e, &product, weight.shape())
    })?;
    let mut grads = vec![of_input, of_weight];
    if let Some(bias) = bias {
        grads.push(wanted(bias, || {
            let sum = Op::Reduce(Reduction::Sum, vec![0], Keep::Drop);
            let sum = e.apply(sum, &[&grad_rows])?;
            let like = bias.shape();
            if like.iter().product::<usize>() == features {
                return reshaped(e, &sum, like);
            }
            super::shapes::summed_to(e, grad, bias)
        })?);
    }
    Ok(grads)
}

#[cfg(test)]
mod tests;
