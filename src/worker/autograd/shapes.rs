//! Gradients of operations that change shapes: products, views, joins.

use super::parts::spread;
use super::{Grads, wanted};
use crate::worker::dtype::DType;
use crate::worker::engine::Engine;
use crate::worker::error::TorchError;
use crate::worker::ops::{Op, Reduction, View};
use crate::worker::shape::Keep;
use crate::worker::tensor::Tensor;

pub(super) fn matmul(e: &Engine, a: &Tensor, b: &Tensor, grad: &Tensor) -> Grads {
    // Vectors take part as matrices of one row or column.
    let rows = |it: &Tensor| match it.shape().as_slice() {
        [size] => reshaped(e, it, vec![1, *size]),
        _ => Ok(it.clone()),
    };
    let columns = |it: &Tensor| match it.shape().as_slice() {
        [size] => reshaped(e, it, vec![*size, 1]),
        _ => Ok(it.clone()),
    };
    let mut shape = grad.shape();
    if b.rank() == 1 {
        shape.push(1);
    }
    if a.rank() == 1 {
        shape.insert(shape.len() - 1, 1);
    }
    let grad = reshaped(e, grad, shape)?;
    let back = |of: &Tensor, like: &Tensor| {
        // The one row or column of a vector is dropped once the batches are summed up.
        let matrix = of.shape().split_off(of.rank().saturating_sub(2));
        if like.rank() == 1 {
            return reshaped(e, &summed_to_shape(e, of, &matrix)?, like.shape());
        }
        summed_to(e, of, like)
    };
    let of_a = wanted(a, || {
        let product = if is_flipped(a) {
            flipped(
                e,
                &e.apply(Op::MatMul, &[&columns(b)?, &flipped(e, &grad)?])?,
            )?
        } else {
            e.apply(Op::MatMul, &[&grad, &flipped(e, &columns(b)?)?])?
        };
        back(&product, a)
    })?;
    let of_b = wanted(b, || {
        let product = if b.rank() <= 2 && a.rank() > 2 {
            // A shared second matrix: one product over all batches instead of one each and a sum.
            let flat = |it: &Tensor| {
                let mut rows = it.shape();
                let size = rows.pop().unwrap_or(1);
                reshaped(e, it, vec![rows.iter().product(), size])
            };
            let (flat_a, flat_grad) = (flat(a)?, flat(&grad)?);
            if is_flipped(b) {
                flipped(
                    e,
                    &e.apply(Op::MatMul, &[&flipped(e, &flat_grad)?, &flat_a])?,
                )?
            } else {
                e.apply(Op::MatMul, &[&flipped(e, &flat_a)?, &flat_grad])?
            }
        } else if is_flipped(b) {
            flipped(e, &e.apply(Op::MatMul, &[&flipped(e, &grad)?, &rows(a)?])?)?
        } else {
            e.apply(Op::MatMul, &[&flipped(e, &rows(a)?)?, &grad])?
        };
        back(&product, b)
    })?;
    Ok(vec![of_a, of_b])
}

/// Whether a matrix lies column by column, as a transposed one does; its gradient is then made so, too, so
/// that what it was transposed from gets one row by row.
fn is_flipped(a: &Tensor) -> bool {
    let state = a.state();
    match (&*state.meta.shape, &*state.strides()) {
        ([rows, columns], [1, step]) => step == rows && *columns > 1 && *rows > 1,
        _ => false,
    }
}

pub(super) fn reshaped(e: &Engine, a: &Tensor, shape: Vec<usize>) -> Result<Tensor, TorchError> {
    if a.shape() == shape {
        return Ok(a.clone());
    }
    e.apply(Op::View(View::Reshape(shape)), &[a])
}

/// The last two dimensions exchanged.
pub(super) fn flipped(e: &Engine, a: &Tensor) -> Result<Tensor, TorchError> {
    let mut order: Vec<usize> = (0..a.rank()).collect();
    let last = order.len();
    if last >= 2 {
        order.swap(last - 1, last - 2);
    }
    e.apply(Op::View(View::Permute(order)), &[a])
}

pub(super) fn seen_as(
    e: &Engine,
    view: &View,
    a: &Tensor,
    grad: &Tensor,
) -> Result<Tensor, TorchError> {
    match view {
        View::Reshape(_) => reshaped(e, grad, a.shape()),
        View::Permute(order) => {
            let mut back = vec![0; order.len()];
            for (to, from) in order.iter().enumerate() {
                if let Some(it) = back.get_mut(*from) {
                    *it = to;
                }
            }
            e.apply(Op::View(View::Permute(back)), &[grad])
        }
        View::Expand(_) => summed_to(e, grad, a),
        View::Narrow { .. } | View::Select { .. } | View::Every { .. } => {
            spread(e, std::slice::from_ref(view), a, grad)
        }
    }
}

pub(super) fn cat(e: &Engine, dim: usize, parts: &[Tensor], grad: &Tensor) -> Grads {
    let mut start = 0;
    parts
        .iter()
        .map(|part| {
            let len = part.shape().get(dim).copied().unwrap_or(0);
            let view = View::Narrow { dim, start, len };
            start += len;
            e.apply(Op::View(view), &[grad]).map(Some)
        })
        .collect()
}

/// Undoes broadcasting: sums until the shape is that of the operand, in its type.
pub(super) fn summed_to(e: &Engine, grad: &Tensor, like: &Tensor) -> Result<Tensor, TorchError> {
    let summed = summed_to_shape(e, grad, &like.shape())?;
    as_type(e, summed, like.dtype())
}

fn summed_to_shape(e: &Engine, grad: &Tensor, to: &[usize]) -> Result<Tensor, TorchError> {
    let from = grad.shape();
    let extra = from.len().saturating_sub(to.len());
    let dims: Vec<usize> = (0..from.len())
        .filter(|at| {
            let wanted = at.checked_sub(extra).and_then(|it| to.get(it));
            wanted.is_none_or(|size| *size == 1 && from.get(*at) != Some(&1))
        })
        .collect();
    let grad = if dims.is_empty() {
        grad.clone()
    } else {
        e.apply(Op::Reduce(Reduction::Sum, dims, Keep::AsOne), &[grad])?
    };
    reshaped(e, &grad, to.to_vec())
}

pub(super) fn as_type(e: &Engine, grad: Tensor, dtype: DType) -> Result<Tensor, TorchError> {
    if grad.dtype() == dtype {
        Ok(grad)
    } else {
        e.apply(Op::Cast(dtype), &[&grad])
    }
}
