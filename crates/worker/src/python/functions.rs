//! Functions of the module that do what methods do, and methods that are written in Python.

use super::bind::NativeFunction;
use super::convert;
use super::signatures::{self, Receiver};
use super::tensor::PyTensor;
use super::{arguments, install, node_names, outputs};
use rustpython_vm::builtins::{PyBaseExceptionRef, PyDictRef, PyFunction, PyStrInterned, PyStrRef};
use rustpython_vm::class::StaticType;
use rustpython_vm::function::{FuncArgs, OptionalArg};
use rustpython_vm::{AsObject, PyObjectRef, PyResult, VirtualMachine};

/// A function that does what the method of its name does; its first argument is the tensor.
pub(super) fn of_method(name: PyStrRef, vm: &VirtualMachine) -> PyObjectRef {
    let name = vm.ctx.intern_str(name.to_string_lossy().as_ref());
    install::made_once::<OfMethod>(name.as_str(), || {
        let called = NativeFunction::new(Receiver::Function, name.as_str());
        let call = move |args: FuncArgs, vm: &VirtualMachine| {
            outputs::call(&called, args, vm, |args| on_first(name, args, vm))
        };
        vm.new_function(name.as_str(), call).into()
    })
}

/// The kind of functions that [`of_method`] makes.
struct OfMethod;

/// Calls the method of the first argument.
fn on_first(name: &'static PyStrInterned, mut args: FuncArgs, vm: &VirtualMachine) -> PyResult {
    // The method of the class takes the arguments as they are; one that is bound would have to put the tensor before
    // them again.
    if let Some(first) = args.args.first()
        && first.downcast_ref::<PyTensor>().is_some()
        && let Some(method) = first.class().get_attr(name)
    {
        let result = method.call(args, vm);
        return result.map_err(|error| as_of_function(error, vm));
    }
    if let Some(result) = number_first(name, &args, vm)? {
        return Ok(result);
    }
    let input = arguments::take(&mut args, name.as_str(), "input", vm)?;
    if input.downcast_ref::<PyTensor>().is_none() {
        return Err(vm.new_type_error(format!(
            "{name}(): argument 'input' (position 1) must be Tensor, not {}",
            input.class().name()
        )));
    }
    let method = input.get_attr(name, vm)?;
    let result = method.call(args, vm);
    result.map_err(|error| as_of_function(error, vm))
}

/// `torch.sub(2, a)` and the others that take a number first, as Python's operator; nothing for other calls.
fn number_first(
    name: &PyStrInterned,
    args: &FuncArgs,
    vm: &VirtualMachine,
) -> PyResult<Option<PyObjectRef>> {
    let [number, tensor] = args.args.as_slice() else {
        return Ok(None);
    };
    let is_tensor = |it: &PyObjectRef| it.downcast_ref::<PyTensor>().is_some();
    if is_tensor(number) || !is_tensor(tensor) || convert::number(number, vm).is_none() {
        return Ok(None);
    }
    let (alpha, others) = match args.kwargs.get("alpha") {
        Some(alpha) => (Some(alpha), args.kwargs.len() - 1),
        None => (None, args.kwargs.len()),
    };
    if others > 0 {
        return Ok(None);
    }
    let scaled = match alpha {
        Some(alpha) => vm._mul(tensor, alpha)?,
        None => tensor.clone(),
    };
    Ok(Some(match (name.as_str(), alpha) {
        ("add", _) => vm._add(&scaled, number)?,
        ("sub" | "subtract", _) => vm._sub(number, &scaled)?,
        ("mul" | "multiply", None) => vm._mul(tensor, number)?,
        ("div" | "divide" | "true_divide", None) => vm._truediv(number, tensor)?,
        ("floor_divide", None) => vm._floordiv(number, tensor)?,
        ("remainder", None) => vm._mod(number, tensor)?,
        _ => return Ok(None),
    }))
}

/// The words of a method for wrong arguments, as those of the function: the tensor counts, too.
fn as_of_function(error: PyBaseExceptionRef, vm: &VirtualMachine) -> PyBaseExceptionRef {
    if !error.class().is(vm.ctx.exceptions.type_error) {
        return error;
    }
    let Ok(text) = error.as_object().str(vm) else {
        return error;
    };
    let text = text.to_string_lossy().into_owned();
    let Some((before, rest)) = text.split_once("(position ") else {
        return error;
    };
    let Some((position, after)) = rest.split_once(')') else {
        return error;
    };
    match position.parse::<usize>() {
        Ok(position) => vm.new_type_error(format!("{before}(position {}){after}", position + 1)),
        Err(_no_number) => error,
    }
}

/// Makes a function that is written in Python a method of tensors.
pub(super) fn add_method(name: PyStrRef, method: PyObjectRef, vm: &VirtualMachine) -> PyResult<()> {
    let name = vm.ctx.intern_str(name.to_string_lossy().as_ref());
    install::add_written(name.as_str(), method, vm)
}

/// Makes functions of a module methods of tensors. The module is imported by the first call of one.
pub(super) fn add_later(module: PyStrRef, names: PyStrRef, vm: &VirtualMachine) {
    let module = vm.ctx.intern_str(module.to_string_lossy().as_ref());
    for name in names.to_string_lossy().split_whitespace() {
        let name = vm.ctx.intern_str(name);
        let method = move |args: FuncArgs, vm: &VirtualMachine| {
            vm.import(module.as_str(), 0)?;
            let modules = vm.sys_module.get_attr("modules", vm)?;
            let module = modules.get_item(module.as_str(), vm)?;
            module.get_attr(name, vm)?.call(args, vm)
        };
        install::add(name.as_str(), method, vm);
    }
}

/// Makes an attribute of tensors of an object, such as a property that is written in Python.
pub(super) fn add_attribute(name: PyStrRef, value: PyObjectRef, vm: &VirtualMachine) {
    let name = vm.ctx.intern_str(name.to_string_lossy().as_ref());
    PyTensor::static_type().set_attr(name, value);
}

/// Names the node of a result, or of each result, as PyTorch does, and returns the result. Nodes that the first argument of
/// the function has already stay as they are.
pub(super) fn named(
    result: PyObjectRef,
    name: PyStrRef,
    first: OptionalArg<PyObjectRef>,
    vm: &VirtualMachine,
) -> PyObjectRef {
    let name = vm.ctx.intern_str(name.to_string_lossy().as_ref());
    node_names::rename(&result, first.into_option().as_ref(), name.as_str());
    result
}

/// Binds the arguments of the functions of a module that are written in Python and that the table has.
pub(super) fn bind(names: PyDictRef, vm: &VirtualMachine) -> PyResult<()> {
    let module = names.get_item("__name__", vm)?.str(vm)?;
    let module = module.to_string_lossy();
    for name in signatures::functions() {
        let Some(function) = names.get_item_opt(name, vm)? else {
            continue;
        };
        if function.downcast_ref::<PyFunction>().is_some() {
            names.set_item(name, install::bound((&module, name), function, vm)?, vm)?;
        }
    }
    Ok(())
}
