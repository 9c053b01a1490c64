//! Methods that go element by element: functions of one tensor, arithmetic, comparisons, logic.

use super::arguments::Arguments;
use super::arithmetic::arithmetic as apply;
use super::convert::{self, engine, raised, wrapped};
use super::in_place;
use super::tensor::{PyTensor, PyTensorRef, add};
use crate::worker::dtype::Category;
use crate::worker::error::TorchError;
use crate::worker::ops::{Binary, Compare, CompareScalar, MatMul, Op, Ternary, Unary};
use rustpython_vm::builtins::PyType;
use rustpython_vm::function::FuncArgs;
use rustpython_vm::{AsObject, Py, PyObject, PyResult, VirtualMachine};

/// Gives the class these methods.
pub(super) fn install(class: &'static Py<PyType>, vm: &VirtualMachine) {
    for (how, name, in_place) in Unary::methods() {
        let method = move |zelf: PyTensorRef, vm: &VirtualMachine| {
            wrapped(engine(vm)?.unary(how, zelf.tensor()), vm)
        };
        add(class, name, vm.new_method(name, class, method).into(), vm);
        if let Some(name) = in_place {
            let method =
                move |zelf: PyTensorRef, vm: &VirtualMachine| in_place::unary(zelf, how, vm);
            add(class, name, vm.new_method(name, class, method).into(), vm);
        }
    }
    for (how, name) in Binary::methods() {
        let method = move |zelf: PyTensorRef, args: FuncArgs, vm: &VirtualMachine| {
            arithmetic(&zelf, (name, how), args, vm)
        };
        add(class, name, vm.new_method(name, class, method).into(), vm);
    }
    for (how, name) in Binary::methods_in_place() {
        let method = move |zelf: PyTensorRef, args: FuncArgs, vm: &VirtualMachine| {
            in_place::arithmetic(zelf, how, name, args, vm)
        };
        add(class, name, vm.new_method(name, class, method).into(), vm);
    }
    for (how, name) in Compare::methods() {
        let method = move |zelf: PyTensorRef, args: FuncArgs, vm: &VirtualMachine| {
            comparison(&zelf, (name, how), args, vm)
        };
        add(class, name, vm.new_method(name, class, method).into(), vm);
    }
    for name in ["addcmul", "addcdiv", "lerp", "addmm", "baddbmm"] {
        let method = move |zelf: PyTensorRef, args: FuncArgs, vm: &VirtualMachine| {
            ternary(&zelf, name, args, vm)
        };
        add(class, name, vm.new_method(name, class, method).into(), vm);
    }
}

fn arithmetic(
    zelf: &Py<PyTensor>,
    (name, how): (&str, Binary),
    args: FuncArgs,
    vm: &VirtualMachine,
) -> PyResult {
    let mut args = Arguments::of(name, args);
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
            return wrapped(engine(vm)?.apply(op, &[zelf.tensor(), it.tensor()]), vm);
        }
        other = vm._mul(&other, &alpha)?;
    }
    let mut how = how;
    if how == Binary::Div
        && let Some(mode) = args.named("rounding_mode", vm)
    {
        how = rounded(&mode, vm)?;
    }
    args.end(vm)?;
    apply(how, zelf.as_object(), &other, vm)
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

fn rounded(mode: &PyObject, vm: &VirtualMachine) -> PyResult<Binary> {
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

fn comparison(
    zelf: &Py<PyTensor>,
    (name, how): (&str, Compare),
    args: FuncArgs,
    vm: &VirtualMachine,
) -> PyResult {
    let mut args = Arguments::of(name, args);
    let other = args.required("other", vm)?;
    let result = match other.downcast_ref::<PyTensor>() {
        Some(it) => engine(vm)?.apply(how, &[zelf.tensor(), it.tensor()]),
        None => match convert::number(&other, vm) {
            Some((number, _)) => engine(vm)?.apply(CompareScalar(how, number), &[zelf.tensor()]),
            None => {
                let class = other.class().name().to_string();
                return Err(vm.new_type_error(format!(
                    "{name}() received an invalid combination of arguments - got ({class}), but expected one of:\n * (Tensor other)\n      didn't match because some of the arguments have invalid types: (!{class}!)\n * (Number other)\n      didn't match because some of the arguments have invalid types: (!{class}!)\n"
                )));
            }
        },
    };
    args.end(vm)?;
    wrapped(result, vm)
}

/// `addcmul`, `addcdiv`, `lerp`, `addmm`, `baddbmm`
fn ternary(zelf: &Py<PyTensor>, name: &str, args: FuncArgs, vm: &VirtualMachine) -> PyResult {
    let mut args = Arguments::of(name, args);
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
                return wrapped(
                    engine(vm)?.apply(Ternary::Lerp, &[zelf.tensor(), &end, &weight]),
                    vm,
                );
            };
            args.end(vm)?;
            let op = Ternary::LerpScalar(number);
            return wrapped(engine(vm)?.apply(op, &[zelf.tensor(), &end]), vm);
        }
        _ => {
            let names = if name == "addmm" {
                ("mat1", "mat2")
            } else {
                ("batch1", "batch2")
            };
            let (b, c) = (args.tensor(names.0, vm)?, args.tensor(names.1, vm)?);
            let (beta, alpha) = (
                args.number("beta", 1.0, vm)?,
                args.number("alpha", 1.0, vm)?,
            );
            let op = if name == "addmm" {
                MatMul::AddMM { beta, alpha }
            } else {
                MatMul::BAddBMM { beta, alpha }
            };
            (op.into(), b, c)
        }
    };
    args.end(vm)?;
    wrapped(engine(vm)?.apply(op, &[zelf.tensor(), &b, &c]), vm)
}

/// `~x`
pub(super) fn inverted(zelf: &Py<PyTensor>, vm: &VirtualMachine) -> PyResult {
    if zelf.tensor().dtype().is_float() {
        return Err(raised(
            TorchError::typed(
                "~ (operator.invert) is only implemented on integer and Boolean-type tensors",
            ),
            vm,
        ));
    }
    wrapped(engine(vm)?.unary(Unary::BitwiseNot, zelf.tensor()), vm)
}
