//! In-place operations: `+=`, `add_`, `fill_` and the like.
//!
//! The result is written into the memory of the tensor: tensors that share it change too, and nothing is
//! allocated for the result.

use super::arithmetic;
use super::convert::{self, checked, engine};
use super::picks;
use super::tensor::{PyTensor, PyTensorRef};
use crate::worker::device::{Blocking, TensorDevice};
use crate::worker::dtype::DType;
use crate::worker::meta::Meta;
use crate::worker::ops::{Binary, Mask, Ternary, Unary};
use crate::worker::shape;
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
    zelf: PyTensorRef,
    how: Binary,
    name: &str,
    mut args: FuncArgs,
    vm: &VirtualMachine,
) -> PyResult {
    let (other, alpha) = arithmetic::operand(name, &mut args, vm)?;
    if let Some((it, alpha)) = arithmetic::scaled(&other, alpha.as_deref(), vm) {
        let sign = if how == Binary::Sub { -1.0 } else { 1.0 };
        let inputs = [zelf.tensor(), it.tensor()];
        let op = Ternary::AddAlpha(sign * alpha);
        checked(engine(vm)?.apply_in_place(op, &inputs, zelf.tensor()), vm)?;
        return Ok(zelf.into());
    }
    let other = match alpha {
        Some(alpha) => vm._mul(&other, &alpha)?,
        None => other,
    };
    if apply(how, &zelf, &other, vm)? {
        return Ok(zelf.into());
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
    let done = match second {
        Some(other) => engine(vm)?.apply_in_place(op, &[own, other.tensor()], own),
        None => engine(vm)?.apply_in_place(op, &[own], own),
    };
    checked(done, vm)?;
    Ok(true)
}

/// `relu_`, `exp_` and the like
pub(super) fn unary(zelf: PyTensorRef, how: Unary, vm: &VirtualMachine) -> PyResult<PyTensorRef> {
    let own = zelf.tensor();
    let done = engine(vm)?.apply_in_place(how, &[own], own);
    checked(done, vm)?;
    Ok(zelf)
}

/// `zero_()`
pub(super) fn zero_(zelf: PyTensorRef, vm: &VirtualMachine) -> PyResult<PyTensorRef> {
    let filled = engine(vm)?.number_in_place(zelf.tensor(), 0.0, "ZeroBackward0");
    checked(filled, vm)?;
    Ok(zelf)
}

/// `fill_(value)`
pub(super) fn fill_(
    zelf: PyTensorRef,
    value: PyObjectRef,
    vm: &VirtualMachine,
) -> PyResult<PyTensorRef> {
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
    checked(filled, vm)?;
    Ok(zelf)
}

/// `copy_(other)`, from any device and dtype, broadcast.
pub(super) fn copy_(
    zelf: PyTensorRef,
    mut args: FuncArgs,
    vm: &VirtualMachine,
) -> PyResult<PyTensorRef> {
    let other = args
        .take_positional()
        .or_else(|| args.take_keyword("other"))
        .ok_or_else(|| {
            vm.new_type_error("copy_() missing 1 required positional arguments: \"other\"")
        })?;
    let other = convert::tensor(&other, vm)?;
    let non_blocking = args
        .take_positional()
        .or_else(|| args.take_keyword("non_blocking"));
    if let Some(unknown) = args.kwargs.keys().next() {
        return Err(vm.new_type_error(format!(
            "copy_() got an unexpected keyword argument '{unknown}'"
        )));
    }
    let non_blocking = match non_blocking {
        Some(it) => it.try_to_bool(vm)?,
        None => false,
    };
    let waits = if non_blocking {
        Blocking::No
    } else {
        Blocking::Yes
    };
    checked(engine(vm)?.copy_in_place(zelf.tensor(), &other, waits), vm)?;
    Ok(zelf)
}

/// `clamp_(min, max)`
pub(super) fn clamp_(
    zelf: PyTensorRef,
    args: FuncArgs,
    vm: &VirtualMachine,
) -> PyResult<PyTensorRef> {
    for (how, bound) in picks::bounds(args, vm)? {
        apply(how, &zelf, &bound, vm)?;
    }
    Ok(zelf)
}

/// `clamp_min_(min)` and `clamp_max_(max)`
pub(super) fn bounded(
    zelf: PyTensorRef,
    how: Binary,
    bound: &PyObject,
    vm: &VirtualMachine,
) -> PyResult<PyTensorRef> {
    apply(how, &zelf, bound, vm)?;
    Ok(zelf)
}

/// `masked_fill_(mask, value)`
pub(super) fn masked_fill_(
    zelf: PyTensorRef,
    mask: PyObjectRef,
    value: PyObjectRef,
    vm: &VirtualMachine,
) -> PyResult<PyTensorRef> {
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
    let done = engine.apply_in_place(Mask::Where, &[&mask, &value, own], own);
    checked(done, vm)?;
    Ok(zelf)
}

/// `lerp_(end, weight)`, where the weight is a number or a tensor.
pub(super) fn lerp_(
    zelf: PyTensorRef,
    end: PyObjectRef,
    weight: PyObjectRef,
    vm: &VirtualMachine,
) -> PyResult<PyTensorRef> {
    let (own, end) = (zelf.tensor(), convert::tensor(&end, vm)?);
    let engine = engine(vm)?;
    let done = match convert::number(&weight, vm) {
        Some((weight, _)) => engine.apply_in_place(Ternary::LerpScalar(weight), &[own, &end], own),
        None => {
            let weight = convert::tensor(&weight, vm)?;
            engine.apply_in_place(Ternary::Lerp, &[own, &end, &weight], own)
        }
    };
    checked(done, vm)?;
    Ok(zelf)
}

/// `addcmul_(tensor1, tensor2, value)`
pub(super) fn addcmul_(
    zelf: PyTensorRef,
    args: FuncArgs,
    vm: &VirtualMachine,
) -> PyResult<PyTensorRef> {
    ternary(zelf, "addcmul_", Ternary::AddCMul, args, vm)
}

/// `addcdiv_(tensor1, tensor2, value)`
pub(super) fn addcdiv_(
    zelf: PyTensorRef,
    args: FuncArgs,
    vm: &VirtualMachine,
) -> PyResult<PyTensorRef> {
    ternary(zelf, "addcdiv_", Ternary::AddCDiv, args, vm)
}

fn ternary(
    zelf: PyTensorRef,
    name: &str,
    how: impl Fn(f64) -> Ternary,
    mut args: FuncArgs,
    vm: &VirtualMachine,
) -> PyResult<PyTensorRef> {
    let value = match args.take_keyword("value") {
        Some(it) => convert::number(&it, vm).map_or(f64::NAN, |it| it.0),
        None => 1.0,
    };
    let mut next = |key: &str| {
        let given = args.take_positional().or_else(|| args.take_keyword(key));
        let given = given.ok_or_else(|| {
            vm.new_type_error(format!(
                "{name}() missing 1 required positional arguments: \"{key}\""
            ))
        })?;
        convert::tensor(&given, vm)
    };
    let (first, second) = (next("tensor1")?, next("tensor2")?);
    let own = zelf.tensor();
    let inputs = [own, &first, &second];
    let done = engine(vm)?.apply_in_place(how(value), &inputs, own);
    checked(done, vm)?;
    Ok(zelf)
}
