//! Methods that give a tensor another place, or memory of its own: `to`, `cpu`, `clone` and their relatives.

use super::convert::{self, engine, wrapped};
use super::kinds::PyDType;
use super::tensor::{PyTensor, This};
use crate::worker::device::{Blocking, TensorDevice};
use crate::worker::ops::ToCopy;
use rustpython_vm::function::FuncArgs;
use rustpython_vm::{AsObject, Py, PyObjectRef, PyPayload, PyResult, VirtualMachine};

pub(super) fn pin_memory(zelf: This, vm: &VirtualMachine) -> PyResult {
    if zelf.tensor().place() != TensorDevice::Cpu {
        return Err(vm.new_runtime_error(format!(
            "cannot pin 'torch.cuda.{}Tensor' only dense CPU tensors can be pinned",
            zelf.tensor().dtype().scalar_name()
        )));
    }
    // Pages are locked for a card, by its driver.
    convert::usable(TensorDevice::Card(0), vm)?;
    wrapped(engine(vm)?.pinned(zelf.tensor()), vm)
}

pub(super) fn detach(zelf: This, vm: &VirtualMachine) -> PyResult {
    let id = engine(vm)?.next_id();
    Ok(PyTensor::from(zelf.tensor().detached(id)).into_pyobject(vm))
}

pub(super) fn clone(zelf: This, vm: &VirtualMachine) -> PyResult {
    zelf.op(ToCopy::Clone, vm)
}

pub(super) fn contiguous(zelf: This, vm: &VirtualMachine) -> PyResult {
    if zelf.tensor().state().is_contiguous() {
        Ok(zelf.into())
    } else {
        zelf.op(ToCopy::Clone, vm)
    }
}

pub(super) fn cpu(zelf: This, vm: &VirtualMachine) -> PyResult {
    if zelf.tensor().place() == TensorDevice::Cpu {
        return Ok(zelf.into());
    }
    moved(&zelf, TensorDevice::Cpu, Blocking::Yes, vm)
}

pub(super) fn cuda(zelf: This, vm: &VirtualMachine) -> PyResult {
    let to = convert::usable(TensorDevice::Card(0), vm)?;
    if zelf.tensor().place() == to {
        return Ok(zelf.into());
    }
    moved(&zelf, to, Blocking::Yes, vm)
}

/// `to(device)`, `to(dtype)`, `to(device, dtype)`, `to(other)`, each with `non_blocking`.
pub(super) fn to(zelf: This, mut args: FuncArgs, vm: &VirtualMachine) -> PyResult {
    let mut place = convert::place(args.take_keyword("device").as_deref(), vm)?;
    let mut dtype = convert::dtype(args.take_keyword("dtype").as_deref(), vm)?;
    let mut waits = Blocking::Yes;
    if let Some(it) = args.take_keyword("non_blocking")
        && it.try_to_bool(vm)?
    {
        waits = Blocking::No;
    }
    drop(args.take_keyword("copy"));
    if let Some(name) = args.kwargs.keys().next() {
        return Err(vm.new_type_error(format!("to() got an unexpected keyword argument '{name}'")));
    }
    for (at, argument) in args.args.iter().enumerate() {
        if let Some(other) = argument.downcast_ref::<PyTensor>() {
            place = Some(other.tensor().place());
            dtype = Some(other.tensor().dtype());
        } else if argument.downcast_ref::<PyDType>().is_some() {
            dtype = convert::dtype(Some(argument), vm)?;
        } else if argument.class().is(vm.ctx.types.bool_type) {
            if at > 0 && argument.is(&vm.ctx.true_value) {
                waits = Blocking::No;
            }
        } else if !vm.is_none(argument) {
            place = convert::place(Some(argument), vm)?;
        }
    }
    let mut result: PyObjectRef = zelf.clone().into();
    if let Some(to) = place.filter(|to| *to != zelf.tensor().place()) {
        result = moved(&zelf, to, waits, vm)?;
    }
    if let Some(to) = dtype.filter(|to| *to != zelf.tensor().dtype()) {
        let moved = convert::tensor(&result, vm)?;
        result = PyTensor::from(moved).cast(to, vm)?;
    }
    Ok(result)
}

fn moved(zelf: &Py<PyTensor>, to: TensorDevice, waits: Blocking, vm: &VirtualMachine) -> PyResult {
    wrapped(engine(vm)?.copy(zelf.tensor(), to, waits), vm)
}
