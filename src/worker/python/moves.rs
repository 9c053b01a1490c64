//! Methods that copy a tensor to a device, a dtype or new memory: `to`, `cpu`, `clone` and the like.

use super::arguments;
use super::convert::{self, engine, wrapped};
use super::kinds::PyDType;
use super::tensor::{PyTensor, PyTensorRef};
use crate::worker::device::{Blocking, TensorDevice};
use crate::worker::ops::ToCopy;
use rustpython_vm::function::FuncArgs;
use rustpython_vm::{AsObject, PyPayload, PyResult, VirtualMachine};

pub(super) fn pin_memory(zelf: PyTensorRef, vm: &VirtualMachine) -> PyResult {
    if zelf.tensor().device() != TensorDevice::Cpu {
        return Err(vm.new_runtime_error(format!(
            "cannot pin 'torch.cuda.{}Tensor' only dense CPU tensors can be pinned",
            zelf.tensor().dtype().scalar_name()
        )));
    }
    // The driver of a card locks the pages, so there has to be one.
    convert::usable(TensorDevice::Card(0), vm)?;
    wrapped(engine(vm)?.pinned(zelf.tensor()), vm)
}

pub(super) fn detach(zelf: PyTensorRef, vm: &VirtualMachine) -> PyResult {
    let id = engine(vm)?.next_id();
    Ok(PyTensor::from(zelf.tensor().detached(id)).into_pyobject(vm))
}

pub(super) fn clone(zelf: PyTensorRef, vm: &VirtualMachine) -> PyResult {
    zelf.op(ToCopy::Clone, vm)
}

pub(super) fn contiguous(zelf: PyTensorRef, vm: &VirtualMachine) -> PyResult {
    if zelf.tensor().state().is_contiguous() {
        Ok(zelf.into())
    } else {
        zelf.op(ToCopy::Clone, vm)
    }
}

pub(super) fn cpu(zelf: PyTensorRef, vm: &VirtualMachine) -> PyResult {
    moved(zelf, TensorDevice::Cpu, Blocking::Yes, vm)
}

pub(super) fn cuda(zelf: PyTensorRef, vm: &VirtualMachine) -> PyResult {
    let to = convert::usable(TensorDevice::Card(0), vm)?;
    moved(zelf, to, Blocking::Yes, vm)
}

/// `to(device)`, `to(dtype)`, `to(device, dtype)`, `to(other)`, each with `non_blocking`.
pub(super) fn to(zelf: PyTensorRef, mut args: FuncArgs, vm: &VirtualMachine) -> PyResult {
    let mut device = arguments::device(args.take_keyword("device").as_deref(), vm)?;
    let mut dtype = arguments::dtype(args.take_keyword("dtype").as_deref(), vm)?;
    let mut waits = arguments::blocking(args.take_keyword("non_blocking"), vm)?;
    drop(args.take_keyword("copy"));
    arguments::no_more_keywords("to", &args, vm)?;
    for (at, argument) in args.args.iter().enumerate() {
        if let Some(other) = argument.downcast_ref::<PyTensor>() {
            device = Some(other.tensor().device());
            dtype = Some(other.tensor().dtype());
        } else if argument.downcast_ref::<PyDType>().is_some() {
            dtype = arguments::dtype(Some(argument), vm)?;
        } else if argument.class().is(vm.ctx.types.bool_type) {
            if at > 0 && argument.is(&vm.ctx.true_value) {
                waits = Blocking::No;
            }
        } else if !vm.is_none(argument) {
            device = arguments::device(Some(argument), vm)?;
        }
    }
    let result = match device {
        Some(to) => moved(zelf, to, waits, vm)?,
        None => zelf.into(),
    };
    let moved = convert::tensor(&result, vm)?;
    match dtype.filter(|to| *to != moved.dtype()) {
        Some(to) => PyTensor::from(moved).op(ToCopy::Cast(to), vm),
        None => Ok(result),
    }
}

/// The tensor on this device; the same tensor if it is there already.
fn moved(zelf: PyTensorRef, to: TensorDevice, waits: Blocking, vm: &VirtualMachine) -> PyResult {
    if zelf.tensor().device() == to {
        return Ok(zelf.into());
    }
    wrapped(engine(vm)?.copy(zelf.tensor(), to, waits), vm)
}
