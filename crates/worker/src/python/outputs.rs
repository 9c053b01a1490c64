//! `out=`: functions that write their result into a tensor of the program.
//!
//! Nothing is allocated where the function is one operation and the tensor has the shape of the result: then its kernel
//! writes there. Otherwise the result is copied, or becomes the memory of a tensor of another shape, as after PyTorch's
//! resize.

use super::bind::NativeFunction;
use super::context;
use super::convert::{self, checked, engine};
use super::dtype_and_device;
use super::memory_format;
use super::tensor::PyTensor;
use crate::device::Blocking;
use crate::dtype::DType;
use crate::ops::{Binary, Compare, Reduction, ToCopy, Unary};
use crate::tensor::Tensor;
use rustpython_vm::function::FuncArgs;
use rustpython_vm::{PyObject, PyObjectRef, PyResult, VirtualMachine};

/// Calls a function of the module with the arguments that the table makes of these, and honours `out`.
pub(super) fn call(
    called: &NativeFunction,
    mut args: FuncArgs,
    vm: &VirtualMachine,
    function: impl FnOnce(FuncArgs) -> PyResult,
) -> PyResult {
    match memory_format::take(&mut args, vm)? {
        None => called_with(called, args, vm, function),
        Some(format) => {
            let result = called_with(called, args, vm, function)?;
            memory_format::apply(called.name, (None, result), format, vm)
        }
    }
}

fn called_with(
    called: &NativeFunction,
    args: FuncArgs,
    vm: &VirtualMachine,
    function: impl FnOnce(FuncArgs) -> PyResult,
) -> PyResult {
    let has_keywords = !args.kwargs.is_empty();
    let mut args = called.bind(args, vm)?;
    if !has_keywords {
        return function(args);
    }
    match args.kwargs.swap_remove("out") {
        Some(out) if !vm.is_none(&out) => written(called, out, args, vm, function),
        Some(_) | None => function(args),
    }
}

fn written(
    called: &NativeFunction,
    out: PyObjectRef,
    mut args: FuncArgs,
    vm: &VirtualMachine,
    function: impl FnOnce(FuncArgs) -> PyResult,
) -> PyResult {
    let name = called.name;
    let into = tensors(&out);
    let inputs = args.args.iter().flat_map(|it| tensors(it));
    let wants = inputs
        .chain(into.iter().cloned())
        .any(|it| it.requires_grad());
    let engine = engine(vm)?;
    if wants && engine.grad_enabled() {
        return Err(vm.new_runtime_error(format!(
            "{name}(): functions with out=... arguments don't support automatic differentiation, but one of the arguments requires grad."
        )));
    }
    let first = into.first().cloned();
    if let Some(first) = first.as_ref().filter(|_| called.creates()) {
        let dtype = dtype_and_device::dtype(first.dtype(), vm)?;
        args.kwargs.entry("dtype".into()).or_insert(dtype);
        let device = dtype_and_device::PyDevice::of(first.device());
        args.kwargs
            .entry("device".into())
            .or_insert(vm.new_pyobj(device));
    }
    // A product of another type is refused, so it must not be written.
    let typed = |it: &Tensor| {
        !PRODUCTS.contains(&name)
            || args
                .args
                .iter()
                .flat_map(|it| tensors(it))
                .all(|from| from.dtype() == it.dtype())
    };
    let destination = first.filter(|it| into.len() == 1 && is_one_operation(name) && typed(it));
    let context = context::current(vm)?;
    let had_gradients = engine.set_grad_enabled(false);
    *context.destination.borrow_mut() = destination;
    let result = function(args);
    *context.destination.borrow_mut() = None;
    let done = result.and_then(|result| {
        let pairs = tensors(&result).into_iter().zip(into);
        pairs
            .into_iter()
            .try_for_each(|(from, into)| put(name, &from, &into, vm))
    });
    engine.set_grad_enabled(had_gradients);
    done.map(|()| out)
}

/// A tensor, or those of a list or tuple.
fn tensors(object: &PyObject) -> Vec<Tensor> {
    let tensor = |it: &PyObject| Some(it.downcast_ref::<PyTensor>()?.tensor().clone());
    match convert::items(object) {
        Some(items) => items.iter().filter_map(|it| tensor(it)).collect(),
        None => tensor(object).into_iter().collect(),
    }
}

/// Gives a tensor the values of a result, and its shape.
fn put(name: &str, from: &Tensor, into: &Tensor, vm: &VirtualMachine) -> PyResult<()> {
    if from.id() == into.id() {
        return Ok(());
    }
    let engine = engine(vm)?;
    let is_product = PRODUCTS.contains(&name);
    if is_product && from.dtype() != into.dtype() {
        return Err(vm.new_runtime_error(format!(
            "Expected out tensor to have dtype {}, but got {} instead",
            words(from.dtype()),
            words(into.dtype())
        )));
    }
    if from.shape() == into.shape() {
        return checked(engine.copy_in_place(into, from, Blocking::Yes), vm);
    }
    if from.dtype() == into.dtype() {
        into.set_data(from);
        return Ok(());
    }
    let cast = checked(engine.apply(ToCopy::Cast(into.dtype()), &[from]), vm)?;
    into.set_data(&cast);
    Ok(())
}

/// What C++ calls the elements of a type.
fn words(dtype: DType) -> &'static str {
    match dtype {
        DType::Bool => "bool",
        DType::U8 => "unsigned char",
        DType::I8 => "signed char",
        DType::I16 => "short int",
        DType::I32 => "int",
        DType::I64 => "long int",
        DType::F16 => "c10::Half",
        DType::BF16 => "c10::BFloat16",
        DType::F32 => "float",
        DType::F64 => "double",
    }
}

/// Products, whose result has to have the type of `out`.
const PRODUCTS: [&str; 7] = ["matmul", "mm", "bmm", "mv", "dot", "addmm", "baddbmm"];

/// Whether the only operation of a function is the one that gives its result.
fn is_one_operation(name: &str) -> bool {
    const OTHERS: [&str; 8] = [
        "cat",
        "gather",
        "tril",
        "triu",
        "softmax",
        "log_softmax",
        "addcmul",
        "addcdiv",
    ];
    PRODUCTS.contains(&name) || OTHERS.contains(&name) || methods_of_table().any(|it| it == name)
}

/// The methods that the table of operations names.
pub(super) fn methods_of_table() -> impl Iterator<Item = &'static str> {
    let unary = Unary::methods().map(|(_, name, _)| name);
    let binary = Binary::methods().map(|(_, name)| name);
    let comparisons = Compare::methods().map(|(_, name)| name);
    let reductions = Reduction::METHODS.into_iter().map(Reduction::name);
    unary.chain(binary).chain(comparisons).chain(reductions)
}
