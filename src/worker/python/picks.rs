//! Methods that reduce, pick or normalize: `sum`, `max`, `softmax`, `gather` and their relatives.

use super::convert::{self, checked, engine, wrapped};
use super::tensor::{PyTensor, This};
use super::{operators, reduce};
use crate::worker::tensor::dtype::DType;
use crate::worker::tensor::fault::{Fault, Kind};
use crate::worker::tensor::op::{Binary, Meta, Op};
use rustpython_vm::function::{FuncArgs, OptionalArg};
use rustpython_vm::{PyObjectRef, PyResult, VirtualMachine};

pub(super) fn masked_fill(
    zelf: This,
    mask: PyObjectRef,
    value: PyObjectRef,
    vm: &VirtualMachine,
) -> PyResult {
    let mask = convert::tensor(&mask, vm)?;
    let Some((number, _)) = convert::number(&value, vm) else {
        return Err(vm.new_type_error("masked_fill() takes a number as its value"));
    };
    let engine = engine(vm)?;
    let like = Meta::new(vec![], zelf.tensor().dtype());
    let fill = checked(engine.full(like, zelf.tensor().place(), number), vm)?;
    wrapped(engine.apply(Op::Where, &[&mask, &fill, zelf.tensor()]), vm)
}

/// `clamp(min, max)`, either of them left out.
pub(super) fn clamp(zelf: This, args: FuncArgs, vm: &VirtualMachine) -> PyResult {
    let mut result: PyObjectRef = zelf.into();
    for (how, bound) in bounds(args, vm)? {
        result = operators::arithmetic(how, &result, &bound, vm)?;
    }
    Ok(result)
}

/// What the arguments of `clamp` ask for, in order.
pub(super) fn bounds(
    mut args: FuncArgs,
    vm: &VirtualMachine,
) -> PyResult<Vec<(Binary, PyObjectRef)>> {
    let mut side = |name: &str| {
        args.take_positional()
            .or_else(|| args.take_keyword(name))
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

pub(super) fn sum(zelf: This, args: FuncArgs, vm: &VirtualMachine) -> PyResult {
    reduce::sum(zelf.tensor(), args, vm)
}

pub(super) fn mean(zelf: This, args: FuncArgs, vm: &VirtualMachine) -> PyResult {
    reduce::mean(zelf.tensor(), args, vm)
}

pub(super) fn max(zelf: This, args: FuncArgs, vm: &VirtualMachine) -> PyResult {
    reduce::extreme(zelf.tensor(), reduce::MAX, args, vm)
}

pub(super) fn min(zelf: This, args: FuncArgs, vm: &VirtualMachine) -> PyResult {
    reduce::extreme(zelf.tensor(), reduce::MIN, args, vm)
}

pub(super) fn argmax(zelf: This, args: FuncArgs, vm: &VirtualMachine) -> PyResult {
    reduce::arg(zelf.tensor(), reduce::MAX, args, vm)
}

pub(super) fn argmin(zelf: This, args: FuncArgs, vm: &VirtualMachine) -> PyResult {
    reduce::arg(zelf.tensor(), reduce::MIN, args, vm)
}

pub(super) fn all(zelf: This, vm: &VirtualMachine) -> PyResult {
    let truth = zelf.cast(DType::Bool, vm)?;
    let least = reduce::extreme(
        &convert::tensor(&truth, vm)?,
        reduce::MIN,
        FuncArgs::default(),
        vm,
    )?;
    PyTensor::from(convert::tensor(&least, vm)?).cast(DType::Bool, vm)
}

pub(super) fn any(zelf: This, vm: &VirtualMachine) -> PyResult {
    let truth = zelf.cast(DType::Bool, vm)?;
    let most = reduce::extreme(
        &convert::tensor(&truth, vm)?,
        reduce::MAX,
        FuncArgs::default(),
        vm,
    )?;
    PyTensor::from(convert::tensor(&most, vm)?).cast(DType::Bool, vm)
}

pub(super) fn softmax(zelf: This, mut args: FuncArgs, vm: &VirtualMachine) -> PyResult {
    let dim = reduce::required_dim(&mut args, zelf.tensor().rank(), "softmax", vm)?;
    zelf.op(Op::Softmax(dim), vm)
}

pub(super) fn log_softmax(zelf: This, mut args: FuncArgs, vm: &VirtualMachine) -> PyResult {
    let dim = reduce::required_dim(&mut args, zelf.tensor().rank(), "log_softmax", vm)?;
    zelf.op(Op::LogSoftmax(dim), vm)
}

pub(super) fn gather(
    zelf: This,
    dim: PyObjectRef,
    index: PyObjectRef,
    vm: &VirtualMachine,
) -> PyResult {
    let dim = convert::dim(&dim, zelf.tensor().rank(), vm)?;
    let index = convert::tensor(&index, vm)?;
    wrapped(
        engine(vm)?.apply(Op::Gather(dim), &[zelf.tensor(), &index]),
        vm,
    )
}

pub(super) fn index_select(
    zelf: This,
    dim: PyObjectRef,
    index: PyObjectRef,
    vm: &VirtualMachine,
) -> PyResult {
    let dim = convert::dim(&dim, zelf.tensor().rank(), vm)?;
    let index = convert::tensor(&index, vm)?;
    let picked = engine(vm)?.apply(Op::IndexSelect(dim), &[zelf.tensor(), &index]);
    wrapped(
        picked.map_err(|fault| match fault.kind {
            Kind::Index => Fault::index("index out of range in self"),
            Kind::Runtime | Kind::Type | Kind::Value | Kind::NotImplemented | Kind::OutOfMemory => {
                fault
            }
        }),
        vm,
    )
}

pub(super) fn tril(zelf: This, diagonal: OptionalArg<i64>, vm: &VirtualMachine) -> PyResult {
    zelf.op(Op::Tril(diagonal.unwrap_or(0)), vm)
}
