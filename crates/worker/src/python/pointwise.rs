//! Methods that go element by element: functions of one tensor, arithmetic, comparisons, logic.

use super::arguments::Arguments;
use super::convert::{self, apply};
use super::install::{add, add_in_place, add_parsing};
use super::tensor::{PyTensor, PyTensorRef};
use super::{arithmetic, in_place};
use crate::dtype::Category;
use crate::ops::{Binary, Compare, MatMul, Op, Ternary, Unary};
use rustpython_vm::function::FuncArgs;
use rustpython_vm::{AsObject, Py, PyObject, PyPayload, PyResult, VirtualMachine};

/// Adds these methods.
pub(super) fn install(vm: &VirtualMachine) {
    for (how, name, in_place) in Unary::methods() {
        add(
            name,
            move |zelf: PyTensorRef, vm: &VirtualMachine| zelf.op(how, vm),
            vm,
        );
        if let Some(name) = in_place {
            add_in_place(name, move |zelf, (), vm| in_place::unary(zelf, how, vm), vm);
        }
    }
    for (how, name) in Binary::methods() {
        add_parsing(
            name,
            move |zelf, args, vm| arithmetic(zelf, how, args, vm),
            vm,
        );
    }
    for (how, name) in Binary::methods_in_place() {
        let write = move |zelf: &Py<PyTensor>, args: FuncArgs, vm: &VirtualMachine| {
            in_place::arithmetic(zelf, how, name, args, vm)
        };
        add_in_place(name, write, vm);
    }
    for (how, name) in Compare::methods() {
        add_parsing(
            name,
            move |zelf, args, vm| comparison(zelf, how, args, vm),
            vm,
        );
    }
    for name in ["addcmul", "addcdiv", "lerp", "addmm", "baddbmm"] {
        add_parsing(
            name,
            move |zelf, args, vm| ternary(zelf, name, args, vm),
            vm,
        );
    }
}

fn arithmetic(
    zelf: &Py<PyTensor>,
    mut how: Binary,
    mut args: Arguments,
    vm: &VirtualMachine,
) -> PyResult {
    let key = if how == Binary::Pow {
        "exponent"
    } else {
        "other"
    };
    let mut other = args.required(key, vm)?;
    let numbers_too = how.takes_numbers();
    let is_number = convert::number(&other, vm).is_some();
    if other.downcast_ref::<PyTensor>().is_none() && !(numbers_too && is_number) {
        return Err(args.not_a(key, "Tensor", &other, vm));
    }
    if matches!(how, Binary::Add | Binary::Sub)
        && let Some(alpha) = args.named("alpha", vm)
    {
        no_fraction(zelf, &other, &alpha, vm)?;
        if let (Some(it), Some((number, _))) = (
            other.downcast_ref::<PyTensor>(),
            convert::number(&alpha, vm),
        ) {
            args.end(vm)?;
            let times = if how == Binary::Sub { -number } else { number };
            let op = Ternary::AddAlpha(times);
            return apply(op, &[zelf.tensor(), it.tensor()], vm);
        }
        other = vm._mul(&other, &alpha)?;
    }
    if how == Binary::Div
        && let Some(mode) = args.named("rounding_mode", vm)
    {
        how = arithmetic::rounded(&mode, vm)?;
    }
    args.end(vm)?;
    arithmetic::arithmetic(how, zelf.as_object(), &other, vm)
}

/// Whole numbers take no multiple with a fraction.
fn no_fraction(
    zelf: &Py<PyTensor>,
    other: &PyObject,
    alpha: &PyObject,
    vm: &VirtualMachine,
) -> PyResult<()> {
    let is_float = |it: &PyObject| match it.downcast_ref::<PyTensor>() {
        Some(it) => it.tensor().dtype().is_float(),
        None => convert::number(it, vm).is_some_and(|it| it.1 == Category::Float),
    };
    if is_float(alpha) && !is_float(zelf.as_object()) && !is_float(other) {
        return Err(vm.new_runtime_error(
            "For integral input tensors, argument alpha must not be a floating point number.",
        ));
    }
    Ok(())
}

fn comparison(
    zelf: &Py<PyTensor>,
    how: Compare,
    mut args: Arguments,
    vm: &VirtualMachine,
) -> PyResult {
    let other = args.required("other", vm)?;
    let Some(result) = arithmetic::compared(how, zelf.tensor(), &other, vm)? else {
        let class = other.class().name().to_string();
        return Err(vm.new_type_error(format!(
            "{}() received an invalid combination of arguments - got ({class}), but expected one of:\n * (Tensor other)\n      didn't match because some of the arguments have invalid types: (!{class}!)\n * (Number other)\n      didn't match because some of the arguments have invalid types: (!{class}!)\n",
            args.name()
        )));
    };
    args.end(vm)?;
    Ok(PyTensor::from(result).into_pyobject(vm))
}

/// `addcmul`, `addcdiv`, `lerp`, `addmm`, `baddbmm`
fn ternary(zelf: &Py<PyTensor>, name: &str, mut args: Arguments, vm: &VirtualMachine) -> PyResult {
    let (op, b, c): (Op, _, _) = match name {
        "addcmul" | "addcdiv" => {
            let (b, c) = (args.tensor("tensor1", vm)?, args.tensor("tensor2", vm)?);
            let value = args.number("value", 1.0, vm)?;
            let op = if name == "addcmul" {
                Ternary::AddCMul(value)
            } else {
                Ternary::AddCDiv(value)
            };
            (op.into(), b, c)
        }
        "lerp" => {
            let end = args.tensor("end", vm)?;
            let weight = args.required("weight", vm)?;
            let Some((number, _)) = convert::number(&weight, vm) else {
                let weight = convert::tensor(&weight, vm)?;
                args.end(vm)?;
                return apply(Ternary::Lerp, &[zelf.tensor(), &end, &weight], vm);
            };
            args.end(vm)?;
            return apply(Ternary::LerpScalar(number), &[zelf.tensor(), &end], vm);
        }
        _ => {
            let is_batch = name == "baddbmm";
            let kind = if is_batch { "batch" } else { "mat" };
            let b = args.tensor(&format!("{kind}1"), vm)?;
            let c = args.tensor(&format!("{kind}2"), vm)?;
            let beta = args.number("beta", 1.0, vm)?;
            let alpha = args.number("alpha", 1.0, vm)?;
            let op = if is_batch {
                MatMul::BAddBMM { beta, alpha }
            } else {
                MatMul::AddMM { beta, alpha }
            };
            (op.into(), b, c)
        }
    };
    args.end(vm)?;
    apply(op, &[zelf.tensor(), &b, &c], vm)
}

/// `~x`
pub(super) fn inverted(zelf: &Py<PyTensor>, vm: &VirtualMachine) -> PyResult {
    if zelf.tensor().dtype().is_float() {
        return Err(vm.new_type_error(
            "~ (operator.invert) is only implemented on integer and Boolean-type tensors",
        ));
    }
    zelf.op(Unary::BitwiseNot, vm)
}
