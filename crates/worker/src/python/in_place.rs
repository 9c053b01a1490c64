//! In-place operations: `+=`, `add_`, `fill_` and the like.
//!
//! The result is written into the memory of the tensor: tensors that share it change too, and nothing is
//! allocated for the result.

use super::convert::{self, checked, engine};
use super::tensor::PyTensor;
use super::{arguments, arithmetic, selection};
use crate::device::TensorDevice;
use crate::dtype::DType;
use crate::meta::Meta;
use crate::ops::{Binary, Mask, Op, Ternary, Unary};
use crate::shape;
use crate::tensor::Tensor;
use rustpython_vm::function::FuncArgs;
use rustpython_vm::{AsObject, Py, PyObject, PyObjectRef, PyResult, VirtualMachine};

/// `a += b` and the like.
pub(super) fn operator(how: Binary, a: &PyObject, b: &PyObject, vm: &VirtualMachine) -> PyResult {
    let Some(zelf) = a.downcast_ref::<PyTensor>() else {
        return Ok(vm.ctx.not_implemented());
    };
    if apply(how, zelf, b, vm)? {
        Ok(a.to_owned())
    } else {
        Ok(vm.ctx.not_implemented())
    }
}

/// `add_`, `sub_`, `mul_`, `div_`, `pow_` and the like
pub(super) fn arithmetic(
    zelf: &Py<PyTensor>,
    mut how: Binary,
    name: &str,
    mut args: FuncArgs,
    vm: &VirtualMachine,
) -> PyResult<()> {
    let (other, alpha) = arithmetic::operand(name, &mut args, vm)?;
    if let Some(mode) = args
        .take_keyword("rounding_mode")
        .filter(|it| !vm.is_none(it))
    {
        how = arithmetic::rounded(&mode, vm)?;
    }
    if let Some((it, alpha)) = arithmetic::scaled(&other, alpha.as_deref(), vm) {
        let sign = if how == Binary::Sub { -1.0 } else { 1.0 };
        let op = Ternary::AddAlpha(sign * alpha);
        return write(op, &[zelf.tensor(), it.tensor()], vm);
    }
    let other = match alpha {
        Some(alpha) => vm._mul(&other, &alpha)?,
        None => other,
    };
    if apply(how, zelf, &other, vm)? {
        return Ok(());
    }
    Err(vm.new_type_error(format!(
        "{name}(): argument 'other' (position 1) must be Tensor, not {}",
        other.class().name()
    )))
}

/// Applies an operation in place; false if the operand is neither a tensor nor a number.
fn apply(
    how: Binary,
    zelf: &Py<PyTensor>,
    other: &PyObject,
    vm: &VirtualMachine,
) -> PyResult<bool> {
    let Some((op, second)) = arithmetic::with(how, other, vm) else {
        return Ok(false);
    };
    let own = zelf.tensor();
    match second {
        Some(other) => write(op, &[own, other.tensor()], vm)?,
        None => write(op, &[own], vm)?,
    }
    Ok(true)
}

/// Writes what an operation gives into the first of its inputs.
fn write(op: impl Into<Op>, inputs: &[&Tensor], vm: &VirtualMachine) -> PyResult<()> {
    let [own, ..] = inputs else { return Ok(()) };
    checked(engine(vm)?.apply_in_place(op, inputs, own), vm)
}

/// `relu_`, `exp_` and the like
pub(super) fn unary(zelf: &Py<PyTensor>, how: Unary, vm: &VirtualMachine) -> PyResult<()> {
    write(how, &[zelf.tensor()], vm)
}

/// `zero_()`
pub(super) fn zero_(zelf: &Py<PyTensor>, (): (), vm: &VirtualMachine) -> PyResult<()> {
    let filled = engine(vm)?.number_in_place(zelf.tensor(), 0.0, "ZeroBackward0");
    checked(filled, vm)
}

/// `fill_(value)`
pub(super) fn fill_(
    zelf: &Py<PyTensor>,
    (value,): (PyObjectRef,),
    vm: &VirtualMachine,
) -> PyResult<()> {
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
    let filled = engine(vm)?.number_in_place(zelf.tensor(), number, "FillBackward2");
    checked(filled, vm)
}

/// `copy_(other)`, from any device and dtype, broadcast.
pub(super) fn copy_(zelf: &Py<PyTensor>, mut args: FuncArgs, vm: &VirtualMachine) -> PyResult<()> {
    let other = arguments::take_tensor(&mut args, "copy_", "other", vm)?;
    let non_blocking = args.take_positional_keyword("non_blocking");
    arguments::no_more_keywords("copy_", &args, vm)?;
    let waits = arguments::blocking(non_blocking, vm)?;
    checked(engine(vm)?.copy_in_place(zelf.tensor(), &other, waits), vm)
}

/// `clamp_(min, max)`
pub(super) fn clamp_(zelf: &Py<PyTensor>, args: FuncArgs, vm: &VirtualMachine) -> PyResult<()> {
    for (how, bound) in selection::bounds(args, vm)? {
        apply(how, zelf, &bound, vm)?;
    }
    Ok(())
}

/// `clamp_min_(min)` and `clamp_max_(max)`
pub(super) fn bounded(
    zelf: &Py<PyTensor>,
    how: Binary,
    bound: &PyObject,
    vm: &VirtualMachine,
) -> PyResult<()> {
    apply(how, zelf, bound, vm).map(drop)
}

/// `masked_fill_(mask, value)`
pub(super) fn masked_fill_(
    zelf: &Py<PyTensor>,
    (mask, value): (PyObjectRef, PyObjectRef),
    vm: &VirtualMachine,
) -> PyResult<()> {
    let (own, mask) = (zelf.tensor(), convert::tensor(&mask, vm)?);
    if mask.dtype() != DType::Bool {
        return Err(vm.new_runtime_error(format!(
            "masked_fill_ only supports boolean masks, but got mask with dtype {}",
            mask.dtype().scalar_name().to_lowercase()
        )));
    }
    checked(shape::broadcast(&own.shape(), &mask.shape()), vm)?;
    let engine = engine(vm)?;
    let value = match value.downcast_ref::<PyTensor>() {
        Some(it) if it.tensor().rank() == 0 => it.tensor().clone(),
        Some(it) => {
            return Err(vm.new_runtime_error(format!(
                "masked_fill_ only supports a 0-dimensional value tensor, but got tensor with {} dimension(s).",
                it.tensor().rank()
            )));
        }
        None => {
            let number = convert::number(&value, vm).map_or(f64::NAN, |it| it.0);
            // A kernel takes a number as an argument: it needs no memory on a card.
            let one = Meta::new(vec![], own.dtype());
            checked(engine.full(one, TensorDevice::Cpu, number), vm)?
        }
    };
    let done = engine.apply_in_place(Mask::Fill, &[&mask, &value, own], own);
    checked(done, vm)
}

/// `lerp_(end, weight)`, where the weight is a number or a tensor.
pub(super) fn lerp_(
    zelf: &Py<PyTensor>,
    (end, weight): (PyObjectRef, PyObjectRef),
    vm: &VirtualMachine,
) -> PyResult<()> {
    let (own, end) = (zelf.tensor(), convert::tensor(&end, vm)?);
    match convert::number(&weight, vm) {
        Some((weight, _)) => write(Ternary::LerpScalar(weight), &[own, &end], vm),
        None => {
            let weight = convert::tensor(&weight, vm)?;
            write(Ternary::Lerp, &[own, &end, &weight], vm)
        }
    }
}

/// `addcmul_(tensor1, tensor2, value)` and `addcdiv_`
pub(super) fn ternary(
    zelf: &Py<PyTensor>,
    (name, how): (&str, fn(f64) -> Ternary),
    mut args: FuncArgs,
    vm: &VirtualMachine,
) -> PyResult<()> {
    let value = match args.take_keyword("value") {
        Some(it) => convert::number(&it, vm).map_or(f64::NAN, |it| it.0),
        None => 1.0,
    };
    let mut next = |key| arguments::take_tensor(&mut args, name, key, vm);
    let (first, second) = (next("tensor1")?, next("tensor2")?);
    write(how(value), &[zelf.tensor(), &first, &second], vm)
}
