//! `x[…]`: whole numbers, slices, `None`, `...`, and one tensor or list of positions.

use super::convert::{self, checked, engine, raised};
use super::tensor::PyTensor;
use crate::worker::tensor::Tensor;
use crate::worker::tensor::dtype::DType;
use crate::worker::tensor::fault::Fault;
use crate::worker::tensor::op::{Meta, Op, View};
use rustpython_vm::builtins::{PySlice, PyTuple};
use rustpython_vm::{AsObject, PyObject, PyObjectRef, PyPayload, PyResult, VirtualMachine};

/// What `tensor[key]` gives.
pub(super) fn pick(tensor: &Tensor, key: &PyObject, vm: &VirtualMachine) -> PyResult {
    let keys: Vec<PyObjectRef> = match key.downcast_ref::<PyTuple>() {
        Some(tuple) => tuple.as_slice().to_vec(),
        None => vec![key.to_owned()],
    };
    let ellipsis: PyObjectRef = vm.ctx.ellipsis.clone().into();
    let used = keys
        .iter()
        .filter(|it| !vm.is_none(it) && !it.is(&ellipsis))
        .count();
    if used > 0 && tensor.rank() == 0 {
        return Err(vm.new_index_error(
            "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` in C++ to convert a 0-dim tensor to a number",
        ));
    }
    if used > tensor.rank() {
        return Err(vm.new_index_error(format!(
            "too many indices for tensor of dimension {}",
            tensor.rank()
        )));
    }
    let mut result = tensor.clone();
    let mut at = 0;
    // What messages call the dimension: whole numbers take theirs away from the result, but count.
    let mut taken = 0;
    for key in keys {
        if vm.is_none(&key) {
            let mut shape = result.shape();
            shape.insert(at, 1);
            result = view(&result, View::Reshape(shape), vm)?;
            at += 1;
        } else if key.is(&ellipsis) {
            at += tensor.rank() - used;
        } else {
            let rank = result.rank();
            at = step(&mut result, (at, at + taken), &key, vm)?;
            taken += rank.saturating_sub(result.rank());
        }
    }
    Ok(PyTensor::from(result).into_pyobject(vm))
}

/// Picks along one dimension; says which dimension comes next.
fn step(
    result: &mut Tensor,
    (at, named): (usize, usize),
    key: &PyObject,
    vm: &VirtualMachine,
) -> PyResult<usize> {
    let size = result.shape().get(at).copied().unwrap_or(0);
    if let Some(slice) = key.downcast_ref::<PySlice>() {
        *result = sliced(result, at, slice, vm)?;
        return Ok(at + 1);
    }
    let positions = match key.downcast_ref::<PyTensor>() {
        Some(it) if it.tensor().rank() > 0 => Some(it.tensor().clone()),
        Some(_) => None,
        None => match convert::items(key) {
            Some(_) => Some({
                let made = super::create::tensor_of(key, vm)?;
                convert::tensor(&made, vm)?
            }),
            None => None,
        },
    };
    if let Some(positions) = positions {
        if positions.dtype().is_float() && positions.meta().count() > 0 {
            return Err(vm.new_index_error(
                "tensors used as indices must be long, int, byte or bool tensors",
            ));
        }
        let positions = if positions.dtype() == DType::Bool {
            where_true(&positions, vm)?
        } else {
            positions
        };
        let mut shape = result.shape();
        shape.splice(at..=at, positions.shape());
        let picked = engine(vm)?.apply(Op::IndexSelect(at), &[result, &positions]);
        *result = view(&checked(picked, vm)?, View::Reshape(shape), vm)?;
        return Ok(at + positions.rank());
    }
    let position = position(key, vm)?;
    let from_front = if position < 0 {
        position + size as i64
    } else {
        position
    };
    let Ok(start) = usize::try_from(from_front) else {
        return Err(outside(position, named, size, vm));
    };
    if start >= size {
        return Err(outside(position, named, size, vm));
    }
    let row = view(
        result,
        View::Narrow {
            dim: at,
            start,
            len: 1,
        },
        vm,
    )?;
    let mut shape = row.shape();
    shape.remove(at);
    *result = view(&row, View::Reshape(shape), vm)?;
    Ok(at)
}

/// A position of one element; what cannot be one is told as PyTorch tells it.
fn position(key: &PyObject, vm: &VirtualMachine) -> PyResult<i64> {
    if key
        .downcast_ref::<PyTensor>()
        .is_some_and(|it| it.tensor().dtype().is_float())
    {
        return Err(
            vm.new_index_error("tensors used as indices must be long, int, byte or bool tensors")
        );
    }
    convert::whole(key, vm).map_err(|why| {
        if !why.class().fast_issubclass(vm.ctx.exceptions.type_error) {
            return why;
        }
        let kind = key.class().name().to_string();
        if kind == "str" {
            return vm.new_type_error("new(): invalid data type 'str'");
        }
        vm.new_index_error(format!(
            "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid indices (got {kind})"
        ))
    })
}

fn outside(
    position: i64,
    at: usize,
    size: usize,
    vm: &VirtualMachine,
) -> rustpython_vm::builtins::PyBaseExceptionRef {
    vm.new_index_error(format!(
        "index {position} is out of bounds for dimension {at} with size {size}"
    ))
}

fn sliced(result: &Tensor, at: usize, slice: &PySlice, vm: &VirtualMachine) -> PyResult<Tensor> {
    let size = result.shape().get(at).copied().unwrap_or(0);
    let bounds = slice.to_saturated(vm)?;
    let (range, step, _) = bounds.adjust_indices(size);
    if step < 0 {
        return Err(vm.new_value_error("step must be greater than zero"));
    }
    let (start, len) = (range.start, range.end.saturating_sub(range.start));
    let part = if len == size {
        result.clone()
    } else {
        view(
            result,
            View::Narrow {
                dim: at,
                start,
                len,
            },
            vm,
        )?
    };
    if step == 1 {
        return Ok(part);
    }
    let step = step.unsigned_abs();
    view(&part, View::Every { dim: at, step }, vm)
}

/// The positions at which a bool tensor is true; the device has to be asked.
fn where_true(mask: &Tensor, vm: &VirtualMachine) -> PyResult<Tensor> {
    if mask.rank() != 1 {
        return Err(raised(
            Fault::missing(
                "picking by a bool tensor of several dimensions is not part of warpup; PyTorch has it. Use torch.where",
            ),
            vm,
        ));
    }
    let values = PyTensor::from(mask.clone()).values(vm)?;
    let positions = values
        .iter()
        .enumerate()
        .filter(|(_, it)| **it != 0.0)
        .map(|(at, _)| at as i64);
    positions_on(mask, positions.collect(), vm)
}

fn positions_on(like: &Tensor, positions: Vec<i64>, vm: &VirtualMachine) -> PyResult<Tensor> {
    let meta = Meta::new(vec![positions.len()], DType::I64);
    let count = positions.len();
    let make = || {
        Ok(candle_core::Tensor::from_vec(
            positions.clone(),
            count,
            &candle_core::Device::Cpu,
        )?)
    };
    let fill = crate::worker::engine::Fill::Made("positions", &make);
    checked(engine(vm)?.create(meta, like.place(), &fill), vm)
}

fn view(tensor: &Tensor, view: View, vm: &VirtualMachine) -> PyResult<Tensor> {
    checked(engine(vm)?.apply(Op::View(view), &[tensor]), vm)
}
