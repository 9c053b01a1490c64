//! Gradients of picking and writing by index tensors.

use super::shapes::summed_to;
use super::{Grads, wanted};
use crate::worker::device::TensorDevice;
use crate::worker::engine::Engine;
use crate::worker::meta::Meta;
use crate::worker::ops::{Op, Put};
use crate::worker::tensor::Tensor;

/// Elements were picked by index tensors: what came of them is added up where they were.
pub(super) fn picked(e: &Engine, dims: &[usize], inputs: &[Tensor], grad: &Tensor) -> Grads {
    let [a, indices @ ..] = inputs else {
        return Ok(Vec::new());
    };
    let zeros = e.full_like(a, 0.0)?;
    let op = Op::IndexPut(dims.to_vec(), Put::Add);
    let mut given = vec![&zeros, grad];
    given.extend(indices);
    let of_a = if e.grad_enabled() {
        e.apply(op, &given)?
    } else {
        e.apply_in_place(op, &given, &zeros)?;
        zeros
    };
    let mut grads = vec![Some(of_a)];
    grads.resize_with(1 + indices.len(), || None);
    Ok(grads)
}

/// Values were written at positions: there nothing goes on to what was before.
pub(super) fn put(
    e: &Engine,
    (dims, put): (&[usize], Put),
    inputs: &[Tensor],
    grad: &Tensor,
) -> Grads {
    let [a, values, indices @ ..] = inputs else {
        return Ok(Vec::new());
    };
    let before = wanted(a, || match put {
        Put::Add => Ok(grad.clone()),
        Put::Replace => {
            let zero = e.full(Meta::new(vec![], grad.dtype()), TensorDevice::Cpu, 0.0)?;
            let mut given = vec![grad, &zero];
            given.extend(indices);
            e.apply(Op::IndexPut(dims.to_vec(), put), &given)
        }
    })?;
    let of_values = wanted(values, || {
        let mut given = vec![grad];
        given.extend(indices);
        let picked = e.apply(Op::Index(dims.to_vec()), &given)?;
        summed_to(e, &picked, values)
    })?;
    let mut grads = vec![before, of_values];
    grads.resize_with(2 + indices.len(), || None);
    Ok(grads)
}
