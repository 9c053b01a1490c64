//! Binary operations of a tensor with a tensor or a number, as operators and methods need them.

use super::arguments;
use super::convert::{self, apply, engine};
use super::tensor::PyTensor;
use crate::ops::{Binary, BinaryScalar, Compare, CompareScalar, NumberSide, Op};
use crate::tensor::Tensor;
use rustpython_vm::function::FuncArgs;
use rustpython_vm::{Py, PyObject, PyObjectRef, PyResult, VirtualMachine};

/// Applies a binary operation to two operands; `NotImplemented` unless one is a tensor and the other a tensor or number.
pub(super) fn arithmetic(how: Binary, a: &PyObject, b: &PyObject, vm: &VirtualMachine) -> PyResult {
    let (tensor, other, side) = match (a.downcast_ref::<PyTensor>(), b.downcast_ref::<PyTensor>()) {
        (Some(a), Some(b)) => return apply(how, &[a.tensor(), b.tensor()], vm),
        (Some(a), None) => (a, b, NumberSide::Right),
        (None, Some(b)) => (b, a, NumberSide::Left),
        (None, None) => return Ok(vm.ctx.not_implemented()),
    };
    match with_number(how, other, side, vm) {
        Some(op) => apply(op, &[tensor.tensor()], vm),
        None => Ok(vm.ctx.not_implemented()),
    }
}

/// The operation with a number; `None` if it is none.
fn with_number(
    function: Binary,
    number: &PyObject,
    side: NumberSide,
    vm: &VirtualMachine,
) -> Option<BinaryScalar> {
    let (number, kind) = convert::number(number, vm)?;
    Some(BinaryScalar {
        function,
        number,
        kind,
        side,
    })
}

/// The operation with `other` on its right side, and `other` if it is a tensor; `None` if it is neither a tensor
/// nor a number.
pub(super) fn with<'a>(
    how: Binary,
    other: &'a PyObject,
    vm: &VirtualMachine,
) -> Option<(Op, Option<&'a Py<PyTensor>>)> {
    if let Some(tensor) = other.downcast_ref::<PyTensor>() {
        return Some((how.into(), Some(tensor)));
    }
    let op = with_number(how, other, NumberSide::Right, vm)?;
    Some((op.into(), None))
}

/// Compares a tensor with a tensor or a number; `None` if `other` is neither.
pub(super) fn compared(
    how: Compare,
    tensor: &Tensor,
    other: &PyObject,
    vm: &VirtualMachine,
) -> PyResult<Option<Tensor>> {
    let engine = engine(vm)?;
    let result = match (other.downcast_ref::<PyTensor>(), convert::number(other, vm)) {
        (Some(it), _) => engine.apply(how, &[tensor, it.tensor()]),
        (None, Some((number, _))) => engine.apply(CompareScalar(how, number), &[tensor]),
        (None, None) => return Ok(None),
    };
    convert::checked(result, vm).map(Some)
}

/// The operand of an arithmetic method, and `alpha`.
pub(super) fn operand(
    name: &str,
    args: &mut FuncArgs,
    vm: &VirtualMachine,
) -> PyResult<(PyObjectRef, Option<PyObjectRef>)> {
    let other = args
        .take_positional_keyword("other")
        .or_else(|| args.take_keyword("exponent"))
        .ok_or_else(|| arguments::missing(name, "other", vm))?;
    Ok((other, args.take_keyword("alpha")))
}

/// The tensor and the factor of `add(other, alpha=…)`; `None` if either is not of that type.
pub(super) fn scaled<'a>(
    other: &'a PyObject,
    alpha: Option<&PyObject>,
    vm: &VirtualMachine,
) -> Option<(&'a Py<PyTensor>, f64)> {
    let tensor = other.downcast_ref::<PyTensor>()?;
    Some((tensor, convert::number(alpha?, vm)?.0))
}

/// The division with this `rounding_mode`.
pub(super) fn rounded(mode: &PyObject, vm: &VirtualMachine) -> PyResult<Binary> {
    match convert::text(mode).as_deref() {
        Some("floor") => Ok(Binary::FloorDivide),
        Some("trunc") => Ok(Binary::TruncDivide),
        Some(other) => Err(vm.new_runtime_error(format!(
            "div expected rounding_mode to be one of None, 'trunc', or 'floor' but found '{other}'"
        ))),
        None => Err(vm.new_type_error(format!(
            "div(): argument 'rounding_mode' must be str, not {}",
            mode.class().name()
        ))),
    }
}
