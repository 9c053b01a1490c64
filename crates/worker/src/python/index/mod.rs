//! `x[…]` and `x[…] = …`. Ints, slices, `None` and `...` give a view (basic indexing); index tensors, lists and
//! masks then gather elements of it (advanced indexing).

mod keys;

use super::convert::{self, checked, engine};
use super::tensor::PyTensor;
use crate::device::{Blocking, TensorDevice};
use crate::engine::Engine;
use crate::error::TorchError;
use crate::meta::Meta;
use crate::ops::{Accumulate, Index, Mask, Scatter, ToCopy, View};
use crate::shape;
use crate::tensor::Tensor;
pub(super) use keys::hits;
use keys::{IndexKeys, read};
use rustpython_vm::{PyObject, PyPayload, PyResult, VirtualMachine};

impl PyTensor {
    /// `x[key]`
    pub(super) fn picked(&self, key: &PyObject, vm: &VirtualMachine) -> PyResult {
        pick(self.tensor(), key, vm)
    }
}

fn pick(tensor: &Tensor, key: &PyObject, vm: &VirtualMachine) -> PyResult {
    let IndexKeys { view, picks, .. } = read(tensor, key, vm)?;
    let engine = engine(vm)?;
    let picked = if !picks.is_empty() {
        let (dims, indices) = keys::broadcast(&view, picks, vm)?;
        let mut given = vec![&view];
        given.extend(&indices);
        engine.apply(Index::Index(dims), &given)
    } else if view.id() == tensor.id() {
        // `x[:]` is a new tensor too, a view of all of `x`.
        engine.apply(View::Reshape(view.shape()), &[&view])
    } else {
        Ok(view)
    };
    Ok(PyTensor::from(checked(picked, vm)?).into_pyobject(vm))
}

/// `tensor[key] = value`
pub(super) fn put(
    tensor: &Tensor,
    key: &PyObject,
    value: &PyObject,
    vm: &VirtualMachine,
) -> PyResult<()> {
    let IndexKeys { view, picks, .. } = read(tensor, key, vm)?;
    let value = match value.downcast_ref::<PyTensor>() {
        Some(it) => it.tensor().clone(),
        None => scalar(tensor, value, vm)?,
    };
    let value = without_leading_ones(value, view.rank(), vm)?;
    match picks.as_slice() {
        [] => copy_into(&view, &value, vm),
        // One value for all elements under a mask beside them needs no positions, so the host does not wait for the device.
        [(dim, mask)]
            if keys::is_mask(mask)
                && mask.device() == view.device()
                && value.meta().count() == 1 =>
        {
            keys::fits(&view, *dim, mask, vm)?;
            let engine = engine(vm)?;
            checked(fill_where(&view, *dim, mask, &value, &engine), vm)
        }
        [..] => index_put(&view, picks, &value, vm),
    }
}

/// Writes values at the positions of index tensors and masks (`index_put_`).
fn index_put(
    view: &Tensor,
    picks: Vec<(usize, Tensor)>,
    value: &Tensor,
    vm: &VirtualMachine,
) -> PyResult<()> {
    let (dims, indices) = keys::broadcast(view, picks, vm)?;
    let picked = indices.first().map(Tensor::shape).unwrap_or_default();
    let into = shape::index(&view.shape(), &dims, &picked);
    if shape::broadcast(&into, &value.shape()).ok().as_ref() != Some(&into) {
        return Err(vm.new_runtime_error(format!(
            "shape mismatch: value tensor of shape {:?} cannot be broadcast to indexing result of shape {into:?}",
            value.shape()
        )));
    }
    let mut given = vec![view, value];
    given.extend(&indices);
    let done = engine(vm)?.apply_in_place(Scatter::IndexPut(dims, Accumulate::No), &given, view);
    checked(done, vm)
}

/// Writes one value wherever a mask is true. The mask covers the dimensions from `dim` on.
fn fill_where(
    view: &Tensor,
    dim: usize,
    mask: &Tensor,
    value: &Tensor,
    engine: &Engine,
) -> Result<(), TorchError> {
    let mut sizes = vec![1; dim];
    sizes.extend(mask.shape());
    sizes.resize(view.rank(), 1);
    let mask = engine.apply(View::Reshape(sizes), &[mask])?;
    let mut value = engine.apply(View::Reshape(vec![]), &[value])?;
    if value.dtype() != view.dtype() {
        value = engine.apply(ToCopy::Cast(view.dtype()), &[&value])?;
    }
    engine.apply_in_place(Mask::Where, &[&mask, &value, view], view)
}

/// A number as a tensor of this dtype. It stays on the host: a kernel takes it as an argument.
fn scalar(like: &Tensor, value: &PyObject, vm: &VirtualMachine) -> PyResult<Tensor> {
    let Some((number, _)) = convert::number(value, vm) else {
        let card = if like.device() == TensorDevice::Cpu {
            ""
        } else {
            "cuda."
        };
        return Err(vm.new_type_error(format!(
            "can't assign a {} to a torch.{card}{}Tensor",
            value.class().name(),
            like.dtype().scalar_name()
        )));
    };
    let meta = Meta::new(vec![], like.dtype());
    checked(engine(vm)?.full(meta, TensorDevice::Cpu, number), vm)
}

fn without_leading_ones(value: Tensor, rank: usize, vm: &VirtualMachine) -> PyResult<Tensor> {
    let mut shape = value.shape();
    while shape.len() > rank && shape.first() == Some(&1) {
        shape.remove(0);
    }
    if shape.len() == value.rank() {
        return Ok(value);
    }
    let view = engine(vm)?.apply(View::Reshape(shape), &[&value]);
    checked(view, vm)
}

/// Copies a value into a view, broadcast to its shape.
fn copy_into(view: &Tensor, value: &Tensor, vm: &VirtualMachine) -> PyResult<()> {
    let (to, from) = (view.shape(), value.shape());
    if from.len() > to.len() {
        return Err(vm.new_runtime_error(format!(
            "expand(torch.{}Tensor{{{from:?}}}, size={to:?}): the number of sizes provided ({}) must be greater or equal to the number of dimensions in the tensor ({})",
            value.dtype().scalar_name(),
            to.len(),
            from.len()
        )));
    }
    let sizes: Vec<i64> = to.iter().map(|it| *it as i64).collect();
    checked(shape::expand(&from, &sizes), vm)?;
    let engine = engine(vm)?;
    if value.rank() == 0 && value.device() == TensorDevice::Cpu && !value.requires_grad() {
        let number = PyTensor::from(value.clone()).only(vm)?;
        return checked(engine.number_in_place(view, number, "FillBackward1"), vm);
    }
    checked(engine.copy_in_place(view, value, Blocking::Yes), vm)
}
