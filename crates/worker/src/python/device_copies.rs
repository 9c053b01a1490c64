//! Methods that copy a tensor to a device, a dtype or new memory: `to`, `cpu`, `clone` and the like.

use super::arguments;
use super::convert::{self, engine, wrapped};
use super::dtype_and_device::PyDType;
use super::tensor::{PyTensor, PyTensorRef};
use crate::device::{Blocking, TensorDevice};
use crate::ops::ToCopy;
use rustpython_vm::function::FuncArgs;
use rustpython_vm::{AsObject, PyPayload, PyResult, VirtualMachine};
use warpup_protocol::Call;

/// A copy in page-locked memory; the tensor itself if its memory is.
pub(super) fn pin_memory(zelf: PyTensorRef, vm: &VirtualMachine) -> PyResult {
    if zelf.tensor().device() != TensorDevice::Cpu {
        return Err(vm.new_runtime_error(format!(
            "cannot pin 'torch.cuda.{}Tensor' only dense CPU tensors can be pinned",
            zelf.tensor().dtype().scalar_name()
        )));
    }
    // The driver of a card locks the pages, so there has to be one.
    convert::usable(TensorDevice::Card(0), vm)?;
    if engine(vm)?.is_locked(zelf.tensor()) {
        return Ok(zelf.into());
    }
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
        zelf.op(ToCopy::RowMajor, vm)
    }
}

pub(super) fn cpu(zelf: PyTensorRef, vm: &VirtualMachine) -> PyResult {
    moved(zelf, TensorDevice::Cpu, Blocking::Yes, vm)
}

/// `cuda(device=None, non_blocking=False)`
pub(super) fn cuda(zelf: PyTensorRef, args: FuncArgs, vm: &VirtualMachine) -> PyResult {
    let mut args = args.args.into_iter();
    let device = arguments::device(args.next().as_deref(), vm)?;
    let waits = arguments::blocking(args.next(), vm)?;
    let to = match device {
        None => convert::usable(TensorDevice::Card(0), vm)?,
        Some(TensorDevice::Cpu) => {
            return Err(vm.new_runtime_error("Invalid device, must be cuda device"));
        }
        Some(card @ TensorDevice::Card(_)) => card,
    };
    moved(zelf, to, waits, vm)
}

/// `to(device, dtype)`, `to(dtype)`, `to(other)`, each with `non_blocking` and `copy` behind.
pub(super) fn to(zelf: PyTensorRef, args: FuncArgs, vm: &VirtualMachine) -> PyResult {
    let (mut device, mut dtype) = (None, None);
    let mut flags = Vec::new();
    for argument in &args.args {
        if let Some(other) = argument.downcast_ref::<PyTensor>() {
            device = Some(other.tensor().device());
            dtype = Some(other.tensor().dtype());
        } else if argument.class().is(vm.ctx.types.bool_type) {
            flags.push(argument.clone());
        } else if argument.downcast_ref::<PyDType>().is_some()
            || convert::python_type(argument, vm).is_some()
        {
            dtype = arguments::dtype(Some(argument), vm)?;
        } else if !vm.is_none(argument) {
            device = arguments::device(Some(argument), vm)?;
        }
    }
    let mut flags = flags.into_iter();
    let waits = arguments::blocking(flags.next(), vm)?;
    let copies = arguments::is_set(flags.next(), vm)?;
    let before = zelf.tensor().clone();
    // The host has no values to change the type of before it has waited.
    let casts_first = before.device() != TensorDevice::Cpu
        && device == Some(TensorDevice::Cpu)
        && waits == Blocking::No;
    let zelf = match dtype.filter(|to| casts_first && *to != before.dtype()) {
        Some(to) => {
            let cast = engine(vm)?.apply(ToCopy::Cast(to), &[&before]);
            PyTensor::from(convert::checked(cast, vm)?).into_ref(&vm.ctx)
        }
        None => zelf,
    };
    let result = match device {
        Some(to) => moved(zelf, to, waits, vm)?,
        None => zelf.into(),
    };
    let moved = convert::tensor(&result, vm)?;
    match dtype.filter(|to| *to != moved.dtype()) {
        Some(to) => PyTensor::from(moved).op(ToCopy::Cast(to), vm),
        None if copies && moved.id() == before.id() => PyTensor::from(moved).op(ToCopy::Clone, vm),
        None => Ok(result),
    }
}

/// The tensor on this device; the same tensor if it is there already.
fn moved(zelf: PyTensorRef, to: TensorDevice, waits: Blocking, vm: &VirtualMachine) -> PyResult {
    engine(vm)?.count_plain_call(Call::ToDevice);
    if zelf.tensor().device() == to {
        return Ok(zelf.into());
    }
    wrapped(engine(vm)?.copy(zelf.tensor(), to, waits), vm)
}
