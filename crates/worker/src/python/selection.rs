//! Methods that reduce, pick or normalize: `sum`, `max`, `softmax`, `gather` and their relatives.

use super::arguments::{self, Arguments, take};
use super::convert::{self, apply, checked, engine, wrapped};
use super::tensor::{PyTensor, PyTensorRef};
use super::{arithmetic, ordering};
use crate::device::TensorDevice;
use crate::error::{Kind, TorchError};
use crate::meta::Meta;
use crate::ops::{Binary, Index, Mask, Softmax};
use rustpython_vm::function::FuncArgs;
use rustpython_vm::{Py, PyObjectRef, PyResult, VirtualMachine};

pub(super) fn masked_fill(
    zelf: PyTensorRef,
    mask: PyObjectRef,
    value: PyObjectRef,
    vm: &VirtualMachine,
) -> PyResult {
    let mask = convert::tensor(&mask, vm)?;
    if let Some(value) = value.downcast_ref::<PyTensor>() {
        let value = ordering::cast(value.tensor(), Some(zelf.tensor().dtype()), vm)?;
        return apply(Mask::Fill, &[&mask, &value, zelf.tensor()], vm);
    }
    let Some((number, _)) = convert::number(&value, vm) else {
        return Err(vm.new_type_error("masked_fill() takes a number as its value"));
    };
    let like = Meta::new(vec![], zelf.tensor().dtype());
    // A kernel takes a number as an argument: it needs no memory on a card.
    let fill = engine(vm)?.full(like, TensorDevice::Cpu, number);
    let fill = checked(fill, vm)?;
    apply(Mask::Fill, &[&mask, &fill, zelf.tensor()], vm)
}

/// `clamp(min, max)`, either of them left out.
pub(super) fn clamp(zelf: PyTensorRef, args: FuncArgs, vm: &VirtualMachine) -> PyResult {
    let mut result: PyObjectRef = zelf.into();
    for (how, bound) in bounds(args, vm)? {
        result = arithmetic::arithmetic(how, &result, &bound, vm)?;
    }
    Ok(result)
}

/// What the arguments of `clamp` ask for, in order.
pub(super) fn bounds(
    mut args: FuncArgs,
    vm: &VirtualMachine,
) -> PyResult<Vec<(Binary, PyObjectRef)>> {
    let mut side = |name: &str| {
        args.take_positional_keyword(name)
            .filter(|it| !vm.is_none(it))
    };
    let (least, most) = (side("min"), side("max"));
    if least.is_none() && most.is_none() {
        return Err(
            vm.new_runtime_error("torch.clamp: At least one of 'min' or 'max' must not be None")
        );
    }
    let sides = [(Binary::Maximum, least), (Binary::Minimum, most)];
    let asked = sides.into_iter().filter_map(|(how, it)| Some((how, it?)));
    Ok(asked.collect())
}

/// `softmax(dim, dtype)` and `log_softmax`
pub(super) fn softmax(
    zelf: PyTensorRef,
    (name, how): (&str, fn(usize) -> Softmax),
    mut args: FuncArgs,
    vm: &VirtualMachine,
) -> PyResult {
    let dim = take(&mut args, name, "dim", vm)?;
    let dim = convert::dim(&dim, zelf.tensor().rank(), vm)?;
    let dtype = arguments::dtype(args.take_positional().as_deref(), vm)?;
    let tensor = ordering::cast(zelf.tensor(), dtype, vm)?;
    apply(how(dim), &[&tensor], vm)
}

pub(super) fn gather(
    zelf: PyTensorRef,
    dim: PyObjectRef,
    index: PyObjectRef,
    vm: &VirtualMachine,
) -> PyResult {
    let dim = convert::dim(&dim, zelf.tensor().rank(), vm)?;
    let index = convert::tensor(&index, vm)?;
    apply(Index::Gather(dim), &[zelf.tensor(), &index], vm)
}

pub(super) fn index_select(
    zelf: PyTensorRef,
    dim: PyObjectRef,
    index: PyObjectRef,
    vm: &VirtualMachine,
) -> PyResult {
    let dim = convert::dim(&dim, zelf.tensor().rank(), vm)?;
    let index = convert::tensor(&index, vm)?;
    if index.rank() > 1 {
        return Err(vm.new_index_error("index_select(): Index is supposed to be a vector"));
    }
    let picked = engine(vm)?.apply(Index::IndexSelect(dim), &[zelf.tensor(), &index]);
    let picked = picked.map_err(|error| {
        if error.kind == Kind::Index {
            TorchError::index("index out of range in self")
        } else {
            error
        }
    });
    wrapped(picked, vm)
}

pub(super) fn tril(zelf: &Py<PyTensor>, args: Arguments, vm: &VirtualMachine) -> PyResult {
    zelf.op(Mask::Tril(diagonal(args, vm)?), vm)
}

pub(super) fn triu(zelf: &Py<PyTensor>, args: Arguments, vm: &VirtualMachine) -> PyResult {
    zelf.op(Mask::Triu(diagonal(args, vm)?), vm)
}

fn diagonal(mut args: Arguments, vm: &VirtualMachine) -> PyResult<i64> {
    let diagonal = match args.next("diagonal", vm) {
        Some(it) => convert::whole(&it, vm)?,
        None => 0,
    };
    args.end(vm)?;
    Ok(diagonal)
}
