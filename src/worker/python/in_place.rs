//! Changing a tensor instead of making one: `+=`, `add_`, `fill_` and their relatives.
//!
//! A tensor whose change needs no way back becomes the result, so every name for it sees the change.
//! What belongs to a graph is not changed: an operator gives a new tensor to the name, and a method says
//! so. Views and what they are views of do not see each other's changes; in PyTorch they do.

use super::convert::{self, checked, engine, raised};
use super::operators;
use super::tensor::{PyTensor, This};
use crate::worker::device::model::Waits;
use crate::worker::tensor::Tensor;
use crate::worker::tensor::fault::Fault;
use crate::worker::tensor::op::{Binary, Meta, Op, View};
use crate::worker::tensor::shape;
use rustpython_vm::function::{FuncArgs, OptionalArg};
use rustpython_vm::{AsObject, Py, PyObject, PyObjectRef, PyPayload, PyResult, VirtualMachine};

/// `a += b` and its relatives.
pub(super) fn operator(how: Binary, a: &PyObject, b: &PyObject, vm: &VirtualMachine) -> PyResult {
    let Some(zelf) = a.downcast_ref::<PyTensor>() else {
        return Ok(vm.ctx.not_implemented());
    };
    no_leaf(zelf.tensor(), vm)?;
    let result = operators::arithmetic(how, a, b, vm)?;
    let Some(made) = result.downcast_ref::<PyTensor>() else {
        return Ok(result);
    };
    let fitting = fitting(zelf.tensor(), made.tensor(), vm)?;
    if fitting.requires_grad() {
        return Ok(PyTensor::from(fitting).into_pyobject(vm));
    }
    zelf.tensor().become_like(&fitting);
    Ok(a.to_owned())
}

/// `add_`, `sub_`, `mul_`, `div_`, `pow_`
pub(super) fn arithmetic(
    zelf: &Py<PyTensor>,
    how: Binary,
    name: &str,
    mut args: FuncArgs,
    vm: &VirtualMachine,
) -> PyResult {
    no_leaf(zelf.tensor(), vm)?;
    let Some(mut other) = args
        .take_positional()
        .or_else(|| args.take_keyword("other"))
    else {
        return Err(vm.new_type_error(format!(
            "{name}() missing 1 required positional arguments: \"other\""
        )));
    };
    if let Some(alpha) = args.take_keyword("alpha") {
        other = vm._mul(&other, &alpha)?;
    }
    let result = operators::arithmetic(how, zelf.as_object(), &other, vm)?;
    let result = convert::tensor(&result, vm)?;
    overwritten(zelf, name, &result, vm)
}

/// `zero_()`
pub(super) fn zero_(zelf: This, vm: &VirtualMachine) -> PyResult {
    filled(&zelf, "zero_", 0.0, vm)
}

/// `fill_(value)`
pub(super) fn fill_(zelf: This, value: PyObjectRef, vm: &VirtualMachine) -> PyResult {
    let number = match value.downcast_ref::<PyTensor>() {
        Some(it) => it.only(vm)?,
        None => match convert::number(&value, vm) {
            Some((number, _)) => number,
            None => {
                return Err(vm.new_type_error(format!(
                    "fill_(): argument 'value' (position 1) must be Number, not {}",
                    value.class().name()
                )));
            }
        },
    };
    filled(&zelf, "fill_", number, vm)
}

fn filled(zelf: &Py<PyTensor>, name: &str, number: f64, vm: &VirtualMachine) -> PyResult {
    no_leaf(zelf.tensor(), vm)?;
    let full = checked(engine(vm)?.full_like(zelf.tensor(), number), vm)?;
    overwritten(zelf, name, &full, vm)
}

/// `copy_(other)`: from wherever it is, in whatever type, broadcast.
pub(super) fn copy_(
    zelf: This,
    other: PyObjectRef,
    _non_blocking: OptionalArg<bool>,
    vm: &VirtualMachine,
) -> PyResult {
    no_leaf(zelf.tensor(), vm)?;
    let other = convert::tensor(&other, vm)?;
    let copy = copy_of(zelf.tensor(), &other, vm)?;
    overwritten(&zelf, "copy_", &copy, vm)
}

/// A tensor like the first with the values of the second.
pub(super) fn copy_of(like: &Tensor, values: &Tensor, vm: &VirtualMachine) -> PyResult<Tensor> {
    let engine = engine(vm)?;
    let copied = || {
        let there = engine.copy(values, like.place(), Waits::Yes)?;
        let typed = if there.dtype() == like.dtype() {
            there
        } else {
            engine.apply(Op::Cast(like.dtype()), &[&there])?
        };
        let to = like.shape();
        if shape::broadcast(&to, &typed.shape())? != to {
            shape::expand(&typed.shape(), &as_sizes(&to))?;
        }
        let spread = engine.apply(Op::View(View::Expand(to)), &[&typed])?;
        engine.apply(Op::Clone, &[&spread])
    };
    checked(copied(), vm)
}

fn as_sizes(shape: &[usize]) -> Vec<i64> {
    shape.iter().map(|size| *size as i64).collect()
}

/// `clamp_(min, max)`
pub(super) fn clamp_(zelf: This, args: FuncArgs, vm: &VirtualMachine) -> PyResult {
    no_leaf(zelf.tensor(), vm)?;
    let result = super::picks::clamp(zelf.clone(), args, vm)?;
    let result = convert::tensor(&result, vm)?;
    overwritten(&zelf, "clamp_", &result, vm)
}

/// The tensor has become the result.
pub(super) fn overwritten(
    zelf: &Py<PyTensor>,
    name: &str,
    result: &Tensor,
    vm: &VirtualMachine,
) -> PyResult {
    let fitting = fitting(zelf.tensor(), result, vm)?;
    if fitting.requires_grad() || (zelf.tensor().requires_grad() && engine(vm)?.grad_enabled()) {
        return Err(raised(
            Fault::missing(format!(
                "{name} on a tensor that gradients go through is not part of warpup; PyTorch has it. Make a new tensor instead, or put it under torch.no_grad()"
            )),
            vm,
        ));
    }
    zelf.tensor().become_like(&fitting);
    Ok(zelf.to_owned().into())
}

/// PyTorch's refusal to change what an optimizer or a later step will want the gradient of.
pub(super) fn no_leaf(tensor: &Tensor, vm: &VirtualMachine) -> PyResult<()> {
    let wants_gradient = tensor.requires_grad() && tensor.is_leaf();
    if wants_gradient && engine(vm)?.grad_enabled() {
        return Err(vm.new_runtime_error(
            "a leaf Variable that requires grad is being used in an in-place operation.",
        ));
    }
    Ok(())
}

/// The result, if the tensor can hold it; in the tensor's type.
fn fitting(tensor: &Tensor, result: &Tensor, vm: &VirtualMachine) -> PyResult<Tensor> {
    let (Meta { shape, dtype }, found) = (tensor.meta(), result.meta());
    if found.shape != shape {
        return Err(vm.new_runtime_error(format!(
            "output with shape {shape:?} doesn't match the broadcast shape {:?}",
            found.shape
        )));
    }
    if found.dtype.category() > dtype.category() {
        return Err(vm.new_runtime_error(format!(
            "result type {} can't be cast to the desired output type {}",
            found.dtype.scalar_name(),
            dtype.scalar_name()
        )));
    }
    if found.dtype == dtype {
        return Ok(result.clone());
    }
    checked(engine(vm)?.apply(Op::Cast(dtype), &[result]), vm)
}
